"""Fits of rows that lie in parts anywhere, by sums over them: nothing is fetched but what rows say together.

An engine has parts, each of some pieces (`Piece`) in their order, and does work where they lie: ``ask(work, add)`` gives what
``add`` makes of what ``work(part, pieces)`` says of each, ``columns`` being those that are looked at. `_parts_dask` and
`_parts_spark` are such engines. The first pass sketches the columns and the labels; every other one takes a question of the
driver to the rows.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from . import _table
from ._input import names as class_names
from ._pfcvm import MANY_ROWS, Driver, Engine, Listener, together

# Rows that are turned into numbers at once: what a part takes beside its own rows.
BLOCK_ROWS = 8192
# Answers that are put together at once, where they lie.
AT_ONCE = 16
CHANGED = (
    "part {part} has other rows than in the first pass, or has them in another order: rows must stay as they are "
    "while they are learned from; persist() the data, or write them to files first."
)


class Piece(NamedTuple):
    """Some rows of a part."""

    # The columns that are looked at: an array, or a list of what `_table` takes.
    x: Any
    y: Any
    weights: np.ndarray | None

    def __len__(self) -> int:
        return len(self.y)

    def blocks(self) -> Iterator[Piece]:
        """The rows, some at a time."""
        for start in range(0, len(self.y), BLOCK_ROWS):
            cut = slice(start, start + BLOCK_ROWS)
            x = self.x[cut] if isinstance(self.x, np.ndarray) else [one[cut] for one in self.x]
            yield Piece(x, self.y[cut], None if self.weights is None else self.weights[cut])


class Parts(Protocol):
    """Rows that lie in parts."""

    # How many columns there are, and what scikit-learn looks at for their names.
    n_columns: int
    head: Any
    # How errors speak of it.
    about: str

    def ask(
        self,
        work: Callable[[int, Iterable[Piece]], Any],
        add: Callable[[list[Any]], Any],
        columns: list[int] | None,
    ) -> Any:
        """What ``add`` makes of what ``work`` says of each part, in their order."""

    def gathered(self) -> tuple[Any, Any, Any]:
        """All rows, labels and weights, in this process."""


class Sketch(NamedTuple):
    """What is known of some parts before anything is asked."""

    # Rows of each part.
    rows: dict[int, int]
    labels: np.ndarray | None
    # For each column whether it holds dates, whether numbers, and its texts with what their rows count.
    columns: list[tuple[bool, bool, dict[str, float]]]


def sketch(words: list[bool | None], part: int, pieces: Iterable[Piece]) -> Sketch:
    """What a part holds."""
    found = Sketch({part: 0}, None, [(False, False, {}) for _ in words])
    for piece in pieces:
        for block in piece.blocks():
            labels = _labels(block.y)
            rows = len(labels)
            columns: list[tuple[bool, bool, dict[str, float]]]
            if isinstance(block.x, np.ndarray) and block.x.dtype.kind in "iuf" and not any(words):
                columns = [(False, True, {})] * len(words)
            else:
                columns = [
                    _sketched(_table.column(one, is_words), block.weights)
                    for one, is_words in zip(_columns(block.x), words)
                ]
            found = put_together([found, Sketch({part: rows}, np.unique(labels), columns)])
    return found


def _sketched(
    column: _table.Column, weights: np.ndarray | None
) -> tuple[bool, bool, dict[str, float]]:
    if column.texts is None:
        return column.is_date, not column.is_date and not np.isnan(column.cells).all(), {}
    there = ~np.isnan(column.cells)
    places = column.cells[there].astype(np.intp)
    counts = np.bincount(places, None if weights is None else weights[there], len(column.texts))
    texts: dict[str, float] = {}
    for text, count in zip(column.texts, counts.tolist()):
        if count > 0:
            texts[text] = texts.get(text, 0.0) + count
    return False, False, texts


def put_together(sketches: list[Sketch]) -> Sketch:
    """What several parts hold."""
    rows: dict[int, int] = {}
    columns: list[tuple[bool, bool, dict[str, float]]]
    columns = [(False, False, {}) for _ in sketches[0].columns]
    for one in sketches:
        for part, more in one.rows.items():
            rows[part] = rows.get(part, 0) + more
        for at, (dates, numbers, texts) in enumerate(one.columns):
            own = columns[at]
            columns[at] = (own[0] or dates, own[1] or numbers, own[2])
            for text, count in texts.items():
                own[2][text] = own[2].get(text, 0.0) + count
    labels = [one.labels for one in sketches if one.labels is not None]
    classes = np.unique(np.concatenate(labels)) if labels else None
    return Sketch(rows, classes, columns)


def _labels(y: Any) -> np.ndarray:
    """Labels of some rows, none of which may be missing."""
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y must hold one class for each row, and has the shape {y.shape}.")
    missing = (
        np.fromiter(map(_table._is_gap, y), dtype=bool, count=len(y))
        if y.dtype.kind in "OM"
        else y != y
    )
    if missing.any():
        raise ValueError("y contains NaN: every row needs a class.")
    # Objects of one type are compared as what they are.
    y = np.array(y.tolist()) if y.dtype.kind == "O" else y
    if len(y):
        check_classification_targets(y)
    return y


def _columns(x: Any) -> list[Any]:
    return list(x.T) if isinstance(x, np.ndarray) else x


class Said(NamedTuple):
    """What parts say to a question."""

    answer: bytes | None
    # For each part its rows, and a number that depends on their labels and order.
    marks: dict[int, tuple[int, int]]


def answer(
    question: bytes,
    classes: np.ndarray,
    words: list[bool | None],
    firsts: dict[int, int],
    part: int,
    pieces: Iterable[Piece],
) -> Said:
    """What the rows of a part say to a question, in the columns that it asks for."""
    listener = Listener(question)
    asked = [words[at] for at in listener.columns()]
    rows, mark, first = 0, 0, firsts.get(part, 0)
    for piece in pieces:
        for block in piece.blocks():
            labels = _labels(block.y)
            codes = np.searchsorted(classes, labels)
            codes[codes == len(classes)] = 0
            if not (classes[codes] == labels).all():
                raise ValueError(CHANGED.format(part=part))
            codes = codes.astype(np.int64)
            x, texts = block.x, list[tuple[int, list[str]]]()
            if not isinstance(x, np.ndarray) or x.dtype.char not in "fd" or any(asked):
                x, texts, _ = _table.table(_columns(x), asked)
                x = x if asked else np.empty((len(labels), 0))
                # A column of gaps alone has no words.
                texts = [(at, words) for at, words in texts if words]
            weights = block.weights
            listener.hear(first + rows, x, texts, codes, weights)
            rows, mark = rows + len(labels), zlib.crc32(codes.tobytes(), mark)
    return Said(listener.said(), {part: (rows, mark)})


def said_together(said: list[Said]) -> Said:
    """What several parts say, in their order."""
    answers = [one.answer for one in said if one.answer is not None]
    marks = {part: mark for one in said for part, mark in one.marks.items()}
    if len(answers) > 1:
        return Said(together(answers), marks)
    return Said(answers[0] if answers else None, marks)


def weighed(weights: Any) -> np.ndarray | None:
    """Weights of some rows as numbers."""
    return None if weights is None else np.asarray(weights, dtype=np.float64).reshape(-1)


def dense(x: Any) -> np.ndarray:
    """An array of a part as it is looked at."""
    if sparse.issparse(x):
        raise ValueError(
            "parts that are sparse matrices are not learned from; make them dense with map_blocks, or hand over "
            "one sparse matrix."
        )
    return np.asarray(x)


class Known(NamedTuple):
    """What the first pass says of parts."""

    rows: int
    # The number of each part's first row.
    firsts: dict[int, int]
    lengths: dict[int, int]
    classes: np.ndarray
    # Whether each column holds words; None: as its type says.
    words: list[bool | None]
    sketch: Sketch


def known(parts: Parts, words: list[bool | None], names: list[str]) -> Known:
    """Goes over all parts once. Columns must hold the same in all of them."""
    found = parts.ask(partial(sketch, words), put_together, None)
    total, firsts = 0, {}
    for part in sorted(found.rows):
        firsts[part] = total
        total += found.rows[part]
    if found.labels is None:
        raise ValueError(f"{parts.about} has no rows.")
    settled = []
    for name, is_words, (dates, numbers, texts) in zip(names, words, found.columns):
        kinds = [
            kind for kind, has in (("words", texts), ("dates", dates), ("numbers", numbers)) if has
        ]
        if len(kinds) > 1:
            raise ValueError(
                f"column {name!r} holds {kinds[0]} in some parts and {kinds[1]} in others: give it one type."
            )
        settled.append(True if texts else is_words)
    return Known(total, firsts, found.rows, found.labels, settled, found)


def fit_parts(
    parts: Parts,
    about: Known,
    told: tuple[int, list[str] | None, list[str] | None],
    classes: list[str],
    settings: str,
    way: tuple[int | None, bool, bool, int | None],
) -> Engine:
    """Learns from parts, pass by pass. ``told`` are the number of columns, their names and the features that they belong to."""
    count, names, groups = told
    columns = about.sketch.columns
    texts = {at: texts for at, (_, _, texts) in enumerate(columns) if texts}
    described = (
        [(at, list(of)) for at, of in texts.items()],
        [at for at, (dates, _, _) in enumerate(columns) if dates],
        groups,
    )
    counts = [[math.ceil(rows) for rows in of.values()] for of in texts.values()]
    driver = Driver((count, names, described, counts), classes, about.rows, settings, way)
    marks: dict[int, tuple[int, int]] | None = None
    while (question := driver.question()) is not None:
        if way[2]:
            print(driver.doing(), flush=True)
        work = partial(answer, question, about.classes, about.words, about.firsts)
        said = parts.ask(work, said_together, Listener(question).columns())
        for part, (rows, mark) in said.marks.items():
            before = (about.lengths.get(part, 0), marks[part][1] if marks else mark)
            if (rows, mark) != before:
                raise ValueError(CHANGED.format(part=part))
        marks = said.marks
        driver.take(said.answer)
    return driver.finish()


def learned(estimator: Any, parts: Parts) -> tuple[Engine, np.ndarray] | None:
    """What `PFCVMClassifier` learns from parts, and the classes; None: rows are so few that all are worked on at once."""
    # Names and number of columns.
    validate_data(estimator, parts.head, skip_check_array=True, reset=True)
    count = parts.n_columns
    names = getattr(estimator, "feature_names_in_", None)
    names = None if names is None else names.tolist()
    words = _table.categorical(estimator.categorical_features, names, count)
    groups = _table.groups(estimator.feature_groups, names, count)
    about = known(parts, words, names or [f"x{at}" for at in range(count)])
    if about.rows <= MANY_ROWS:
        return None
    classes = about.classes
    if len(classes) < 2:
        raise ValueError(
            f"{type(estimator).__name__} needs two classes or more; the data contain only one class, {classes[0]!r}."
        )
    if len(classes) > 2 and estimator.scheme != "joint":
        raise ValueError(
            f"scheme={estimator.scheme!r}: rows that lie in parts are learned from by one model of all classes, 'joint'."
        )
    settings, way = estimator._settings(classes), estimator._way(estimator.memory_limit)
    told = (count, names, groups)
    return fit_parts(parts, about, told, class_names(classes), settings, way), classes


def parts_of(X: Any, y: Any, sample_weight: Any) -> Parts | None:
    """Rows that lie in parts, if they do."""
    module = type(X).__module__.split(".")[0]
    if module in ("dask", "dask_expr"):
        from ._parts_dask import DaskParts

        return DaskParts(X, y, sample_weight)
    if module == "pyspark" and hasattr(X, "mapInArrow"):
        from ._parts_spark import SparkParts

        return SparkParts(X, y, sample_weight)
    return None
