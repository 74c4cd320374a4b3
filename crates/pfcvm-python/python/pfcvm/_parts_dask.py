"""Dask arrays and frames as parts: their chunks and partitions, each asked by whoever has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, reduce
from typing import Any

import dask
import numpy as np
from dask.base import is_dask_collection

from ._pieces import AT_A_TIME, AT_ONCE, Piece, dense, weighed


def _one(
    work: Any, columns: list[int] | None, roles: list[str | None], part: int, x: Any, *beside: Any
) -> Any:
    """What work says of a chunk or a partition. Labels and weights are columns of these names, or beside it."""
    if hasattr(x, "iloc"):
        y, weights = (given if role is None else x[role] for role, given in zip(roles, beside))
        # Columns where they are: a frame without the labels would be a copy.
        values: Any = [x.iloc[:, at] for at, name in enumerate(x.columns) if name not in roles]
    else:
        y, weights = beside
        values = dense(x) if columns is None else dense(x)[:, columns]
    if len(x) != len(y) or (weights is not None and len(weights) != len(y)):
        raise ValueError(
            f"part {part} has {len(x)} rows and {len(y)} labels: X, y and weights must be parted alike."
        )
    return work(part, [Piece(values, np.asarray(y), weighed(weights))])


def _added(add: Callable[[Iterable[Any]], Any], said: list[Any]) -> Any:
    return add(said)


def _cut(said: list[Any], count: int) -> list[list[Any]]:
    return [said[at : at + count] for at in range(0, len(said), count)]


class DaskParts:
    """A Dask array with labels, or a Dask frame with labels or the name of their column."""

    about = "the Dask collection"

    def __init__(self, X: Any, y: Any, sample_weight: Any) -> None:
        self.is_frame = hasattr(X, "map_partitions") and hasattr(X, "columns")
        if not self.is_frame and getattr(X, "ndim", None) != 2:
            raise ValueError("X must be a Dask array of two dimensions or a Dask data frame.")
        self.roles = [one if isinstance(one, str) else None for one in (y, sample_weight)]
        roles = [one for one in self.roles if one is not None]
        if roles and not self.is_frame:
            raise ValueError(f"{roles[0]!r} is a name, but the columns of an array have none.")
        for name in roles:
            if name not in X.columns:
                raise ValueError(f"there is no column {name!r}.")
        if not self.is_frame:
            # All columns of a row in one chunk.
            X = X.rechunk({1: -1}) if len(X.chunks[1]) > 1 else X
        self.X, self.y, self.sample_weight = X, y, sample_weight
        if self.is_frame:
            self.names = [name for name in X.columns if name not in roles]
            self.n_columns, self.head = len(self.names), X._meta[self.names]
        else:
            self.n_columns = X.shape[1]
            self.head = np.empty((1, self.n_columns))
        self.split: dict[str, list[Any]] = {}

    def ask(
        self,
        work: Callable[[int, Iterable[Piece]], Any],
        add: Callable[[Iterable[Any]], Any],
        columns: list[int] | None,
    ) -> Any:
        X = self.X
        if self.is_frame:
            # Only what is asked for is read.
            wanted = self.names if columns is None else [self.names[at] for at in columns]
            X = X[wanted + [role for role in self.roles if role is not None]]
        xs = list(np.ravel(X.to_delayed()))
        ys, weights = self._beside("y", xs), self._beside("sample_weight", xs)
        # A key of its own: it goes once to each worker, not with each part.
        held = dask.delayed(work, pure=False, traverse=False)
        task = dask.delayed(_one, pure=False, traverse=False)
        said = [
            task(held, columns, self.roles, part, *one)
            for part, one in enumerate(zip(xs, ys, weights))
        ]
        added = partial(dask.delayed(_added, pure=False), add)
        while len(said) > 1:
            said = [
                reduce(lambda all, more: added([all, *more]), _cut(group[1:], AT_A_TIME), group[0])
                for group in _cut(said, AT_ONCE)
            ]
        (found,) = dask.compute(said[0], optimize_graph=True)
        return found

    def _beside(self, name: str, xs: list[Any]) -> list[Any]:
        """Labels or weights of each part."""
        given = getattr(self, name)
        if given is None or isinstance(given, str):
            return [None] * len(xs)
        if name in self.split:
            return self.split[name]
        if is_dask_collection(given):
            if not self.is_frame and hasattr(given, "rechunk") and not np.isnan(given.shape[0]):
                given = given.reshape(-1) if given.ndim == 2 and given.shape[1] == 1 else given
                if not any(np.isnan(self.X.chunks[0])):
                    given = self._same_rows(name, given).rechunk({0: self.X.chunks[0]})
            found = list(np.ravel(given.to_delayed()))
            if len(found) != len(xs):
                raise ValueError(
                    f"X has {len(xs)} parts and {name} has {len(found)}: they must be parted alike."
                )
        else:
            # In this process: cut as the parts are.
            lengths = dask.compute(*[dask.delayed(len)(x) for x in xs])
            values = np.asarray(given)
            if len(values) != sum(lengths):
                raise ValueError(f"X has {sum(lengths)} rows and {name} has {len(values)}.")
            ends = np.cumsum(lengths)
            found = [dask.delayed(values[end - n : end]) for n, end in zip(lengths, ends)]
        self.split[name] = found
        return found

    def _same_rows(self, name: str, given: Any) -> Any:
        if given.shape[0] != self.X.shape[0]:
            raise ValueError(f"X has {self.X.shape[0]} rows and {name} has {given.shape[0]}.")
        return given

    def gathered(self) -> tuple[Any, Any, Any]:
        X, *beside = dask.compute(self.X, self.y, self.sample_weight)
        y, weights = (X[one] if isinstance(one, str) else one for one in beside)
        return X[self.names] if self.is_frame else X, np.asarray(y), weighed(weights)
