from collections.abc import Iterable
from os import PathLike
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Driver",
    "Engine",
    "Listener",
    "MANY_ROWS",
    "Machine",
    "__version__",
    "methods",
    "price",
    "price_lengths",
    "ranking",
    "read_model",
    "select",
    "stability",
    "threads",
    "together",
]
__version__: str
# Above so many rows a fit goes by sums over them.
MANY_ROWS: int

_Rows = NDArray[np.float64] | NDArray[np.float32]
_Vector = NDArray[np.float64]
_Table = NDArray[np.float64]
# Columns of words by place: the different texts of each, whose places are its cells.
_Texts = list[tuple[int, list[str]]]
# Columns of words, columns of dates, the name of each column's feature.
_Described = tuple[_Texts, list[int], list[str] | None]
# Of a sparse matrix: rows, where each column begins, rows and values of the written cells.
_Written = tuple[int, NDArray[np.int64], NDArray[np.int64], _Vector]
# Rows, places of their classes, names of these, weights of rows, names of columns, what these hold.
_Samples = tuple[
    _Rows | _Written,
    NDArray[np.int64],
    list[str],
    _Vector | None,
    list[str] | None,
    _Described | None,
]
# Places of classes, probabilities of classes, decision values and variances of machines.
_Said = tuple[NDArray[np.int64], _Table, _Table, _Table]

# MiB at most, several threads, a line for each iteration, rows that are kept to learn on from.
_Way = tuple[int | None, bool, bool, int | None]

@final
class Engine:
    def __new__(cls, state: bytes) -> Engine: ...
    def __getnewargs__(self) -> tuple[bytes]: ...
    @staticmethod
    def fit(samples: _Samples, scheme: str, settings: str, way: _Way) -> Engine: ...
    @staticmethod
    def fit_panel(samples: _Samples, scheme: str, settings: str, way: _Way) -> Engine: ...
    def predict(self, x: _Rows, words: _Texts) -> tuple[_Said, list[int]]: ...
    def novelty(self, x: _Rows, words: _Texts) -> _Vector | None: ...
    def suggest(self, x: _Rows, words: _Texts, count: int) -> list[tuple[int, float]]: ...
    def update(
        self, samples: _Samples, half_life: float | None, way: _Way
    ) -> tuple[Engine, list[str]]: ...
    def describe(self) -> str: ...
    def effects(self) -> str: ...
    def summary(self) -> str: ...
    def bound(
        self,
        x: _Rows,
        words: _Texts,
        positive: NDArray[np.bool_],
        parameters: tuple[float, float, float, float],
    ) -> str: ...
    def write(
        self, path: str | PathLike[str], label: str | None, labels_are_text: bool
    ) -> None: ...
    def onnx(self, float32: bool) -> bytes: ...

@final
class Driver:
    def __new__(
        cls,
        columns: tuple[int, list[str] | None, _Described, list[list[int]]],
        classes: list[str],
        rows: int,
        settings: str,
        way: _Way,
    ) -> Driver: ...
    def question(self) -> bytes | None: ...
    def doing(self) -> str: ...
    def take(self, said: bytes) -> None: ...
    def finish(self) -> Engine: ...

@final
class Listener:
    def __new__(cls, question: bytes) -> Listener: ...
    def columns(self) -> list[int]: ...
    def hear(
        self,
        first: int,
        x: _Rows,
        words: _Texts,
        codes: NDArray[np.int64],
        weights: _Vector | None,
    ) -> None: ...
    def said(self) -> bytes | None: ...

@final
class Machine:
    def __new__(cls, state: bytes) -> Machine: ...
    def __getnewargs__(self) -> tuple[bytes]: ...
    @staticmethod
    def fit(method: str, samples: _Samples, scheme: str) -> Machine: ...
    def predict(self, x: _Rows, words: _Texts) -> tuple[_Said, list[int]]: ...
    def describe(self) -> str: ...

def read_model(
    path: str | PathLike[str], checked: bool
) -> tuple[Engine, bool, list[str] | None]: ...
def select(method: str, samples: _Samples) -> list[int]: ...
def price(
    losses: list[list[float]],
    wrong: list[list[float]],
    groups: list[int] | None,
    trained: float,
) -> str: ...
def price_lengths(kept: int) -> list[int]: ...
def ranking(
    scores: list[list[float]], higher_is_better: bool, alpha: float, against_one: bool
) -> str: ...
def stability(subsets: list[list[int]], features: int, confidence: float) -> str: ...
def methods() -> str: ...
def threads() -> int: ...
def together(said: Iterable[bytes]) -> bytes | None: ...
