"""What is done where rows lie, whatever engine does it: NumPy and the compiled half are all that it needs.

Workers import this and what it imports, and nothing else of the package.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from . import _table
from ._pfcvm import Listener, together

# Rows that are turned into numbers at once: what a part takes beside its own rows.
BLOCK_ROWS = 8192
# Answers that are put together in one, where they lie.
AT_ONCE = 16
# Of these so many at a time, one after the other: rows that are drawn take megabytes.
AT_A_TIME = 4
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


def put_together(sketches: Iterable[Sketch]) -> Sketch:
    """What several parts hold."""
    sketches = list(sketches)
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
    # Whole numbers and texts are classes; whether anything else is, scikit-learn says, which workers do without otherwise.
    if len(y) and y.dtype.kind not in "biuU" and not (y.dtype.kind == "f" and _are_whole(y)):
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(y)
    return y


def _are_whole(y: np.ndarray) -> bool:
    return bool((np.isfinite(y) & (np.trunc(y) == y)).all())


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


def said_together(said: Iterable[Said]) -> Said:
    """What several parts say, in their order: one is taken after the other, and none of them is kept."""
    marks: dict[int, tuple[int, int]] = {}

    def answers() -> Iterator[bytes]:
        for one in said:
            marks.update(one.marks)
            if one.answer is not None:
                yield one.answer

    return Said(together(answers()), marks)


def weighed(weights: Any) -> np.ndarray | None:
    """Weights of some rows as numbers."""
    return None if weights is None else np.asarray(weights, dtype=np.float64).reshape(-1)


def dense(x: Any) -> np.ndarray:
    """An array of a part as it is looked at."""
    if hasattr(x, "toarray"):
        raise ValueError(
            "parts that are sparse matrices are not learned from; make them dense with map_blocks, or hand over "
            "one sparse matrix."
        )
    return np.asarray(x)
