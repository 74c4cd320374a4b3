"""Fits of rows that lie in parts anywhere, by sums over them: nothing is fetched but what rows say together.

An engine has parts, each of some pieces (`Piece`) in their order, and does work where they lie: ``ask(work, add)`` gives what
``add`` makes of what ``work(part, pieces)`` says of each, ``columns`` being those that are looked at. `_parts_dask` and
`_parts_spark` are such engines. The first pass sketches the columns and the labels; every other one takes a question of the
driver to the rows. What is done there is in `_pieces`; all else is done here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from sklearn.utils.validation import validate_data

from . import _table
from ._input import names as class_names
from ._pfcvm import MANY_ROWS, Driver, Engine, Listener
from ._pieces import CHANGED, Piece, Sketch, answer, put_together, said_together, sketch


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
        add: Callable[[Iterable[Any]], Any],
        columns: list[int] | None,
    ) -> Any:
        """What ``add`` makes of what ``work`` says of each part, in their order."""

    def gathered(self) -> tuple[Any, Any, Any]:
        """All rows, labels and weights, in this process."""


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
