"""Spark frames as parts: partitions, whose rows come as batches of Arrow and are asked where they are."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ._pieces import AT_ONCE, Piece, weighed

# What a partition says: its number, and a pickle of what was found or of what is wrong.
SCHEMA = "part long, said binary"
# Answers that are fetched as they are, at most; more are put together where they lie.
FETCHED = 64
KINDS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "string", "boolean")
DATES = ("date", "timestamp")


def _batch(part: int, said: Any) -> Any:
    import pyarrow as pa

    pickled = pa.array([pickle.dumps(said)], pa.binary())
    return pa.RecordBatch.from_arrays([pa.array([part], pa.int64()), pickled], ["part", "said"])


class _Work:
    """Work on a partition, as Spark calls it."""

    def __init__(self, work: Any, columns: list[str], label: str, weight: str | None) -> None:
        self.work, self.columns, self.label, self.weight = work, columns, label, weight

    def pieces(self, batches: Iterable[Any]) -> Iterator[Piece]:
        for batch in batches:
            y = batch.column(batch.schema.get_field_index(self.label))
            places = [batch.schema.get_field_index(name) for name in self.columns]
            weights = None
            if self.weight is not None:
                weights = batch.column(batch.schema.get_field_index(self.weight))
                weights = weighed(weights.to_numpy(zero_copy_only=False))
            y = y.to_numpy(zero_copy_only=False)
            yield Piece([batch.column(at) for at in places], y, weights)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        part = 0 if context is None else context.partitionId()
        try:
            said: Any = (None, self.work(part, self.pieces(batches)))
        except ValueError as error:
            # One sentence instead of Spark's account of where it was.
            said = (str(error), None)
        yield _batch(part, said)


class _Add:
    """What some partitions say, put together in their order, as Spark calls it."""

    def __init__(self, add: Callable[[Iterable[Any]], Any]) -> None:
        self.add = add

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        groups: dict[int, list[Any]] = {}
        for batch in batches:
            for row in batch.to_pylist():
                groups.setdefault(row["part"] // AT_ONCE, []).append(row)
        for group, rows in groups.items():
            try:
                said: Any = (None, self.add(_told(rows)))
            except ValueError as error:
                said = (str(error), None)
            yield _batch(group * AT_ONCE, said)


def _told(rows: list[Any]) -> Iterator[Any]:
    """What partitions found, in their order. None of it is kept, so that ``rows`` is empty in the end."""
    rows.sort(key=lambda row: row["part"], reverse=True)
    while rows:
        problem, found = pickle.loads(rows.pop()["said"])
        if problem is not None:
            raise ValueError(problem)
        yield found


class SparkParts:
    """A Spark frame with the name of the column of its labels, and perhaps that of its weights."""

    about = "the Spark frame"

    def __init__(self, X: Any, y: Any, sample_weight: Any) -> None:
        import pandas as pd

        for name, what in ((y, "y"), (sample_weight, "sample_weight")):
            if not isinstance(name, str) and not (name is None and what == "sample_weight"):
                raise ValueError(f"{what} must be the name of a column of the Spark frame.")
            if name is not None and name not in X.columns:
                raise ValueError(f"there is no column {name!r}.")
        kinds = dict(X.dtypes)
        self.names = [name for name in X.columns if name not in (y, sample_weight)]
        for name in self.names:
            if not kinds[name].startswith((*KINDS, *DATES)):
                raise ValueError(
                    f"column {name!r} holds {kinds[name]}, which is neither number, word, truth value nor date; "
                    "leave it out, or part it into columns."
                )
        self.X, self.y, self.sample_weight = X, y, sample_weight
        self.n_columns = len(self.names)
        self.head = pd.DataFrame({name: [] for name in self.names}, dtype=float)
        self.n_parts = 0

    def ask(
        self,
        work: Callable[[int, Iterable[Piece]], Any],
        add: Callable[[Iterable[Any]], Any],
        columns: list[int] | None,
    ) -> Any:
        wanted = self.names if columns is None else [self.names[at] for at in columns]
        # Only what is asked for is read.
        quoted = [f"`{name.replace('`', '``')}`" for name in wanted]
        beside = [name for name in (self.y, self.sample_weight) if name is not None]
        rows = self.X.select(*quoted, *[f"`{name.replace('`', '``')}`" for name in beside])
        said = rows.mapInArrow(_Work(work, wanted, self.y, self.sample_weight), SCHEMA)
        if self.n_parts > FETCHED:
            groups = said.selectExpr("part", "said", f"part div {AT_ONCE} as `group`")
            some = max(1, self.n_parts // AT_ONCE)
            said = groups.repartition(some, "group").drop("group").mapInArrow(_Add(add), SCHEMA)
        told = said.collect()
        self.n_parts = max(self.n_parts, len(told))
        return add(_told(told))

    def gathered(self) -> tuple[Any, Any, Any]:
        frame = self.X.toPandas()
        weights = None if self.sample_weight is None else weighed(frame[self.sample_weight])
        return frame[self.names], np.asarray(frame[self.y]), weights
