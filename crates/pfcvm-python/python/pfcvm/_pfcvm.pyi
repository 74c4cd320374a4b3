from os import PathLike
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Engine",
    "Machine",
    "__version__",
    "methods",
    "ranking",
    "select",
    "stability",
    "threads",
]
__version__: str

_Rows = NDArray[np.float64] | NDArray[np.float32]
_Vector = NDArray[np.float64]

@final
class Engine:
    def __new__(cls, state: bytes) -> Engine: ...
    def __getnewargs__(self) -> tuple[bytes]: ...
    @staticmethod
    def fit(
        x: _Rows,
        positive: NDArray[np.bool_],
        weights: _Vector | None,
        settings: str,
        algorithm: str,
        memory_limit_mib: int | None,
        parallel: bool,
    ) -> Engine: ...
    @staticmethod
    def fit_panel(
        x: _Rows,
        positive: NDArray[np.bool_],
        weights: _Vector | None,
        settings: str,
        parallel: bool,
    ) -> Engine: ...
    def predict(self, x: _Rows, kept_only: bool = False) -> tuple[_Vector, _Vector, _Vector]: ...
    def describe(self) -> str: ...
    def write(
        self,
        path: str | PathLike[str],
        classes: list[str],
        feature_names: list[str] | None,
        label: str | None,
    ) -> None: ...
    def onnx(self, classes: list[str], feature_names: list[str] | None, float32: bool) -> bytes: ...
    @staticmethod
    def read(path: str | PathLike[str]) -> tuple[Engine, list[str], list[str], bool]: ...

@final
class Machine:
    def __new__(cls, state: bytes) -> Machine: ...
    def __getnewargs__(self) -> tuple[bytes]: ...
    @staticmethod
    def fit(
        method: str, x: _Rows, positive: NDArray[np.bool_], weights: _Vector | None
    ) -> Machine: ...
    def predict(self, x: _Rows) -> tuple[_Vector, _Vector | None, _Vector | None]: ...
    def describe(self) -> str: ...

def select(
    method: str, x: _Rows, positive: NDArray[np.bool_], weights: _Vector | None
) -> list[int]: ...
def ranking(
    scores: list[list[float]], higher_is_better: bool, alpha: float, against_one: bool
) -> str: ...
def stability(subsets: list[list[int]], features: int, confidence: float) -> str: ...
def methods() -> str: ...
def threads() -> int: ...
