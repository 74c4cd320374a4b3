from os import PathLike
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Engine",
    "Machine",
    "MulticlassEngine",
    "MulticlassMachine",
    "__version__",
    "methods",
    "ranking",
    "read_model",
    "select",
    "stability",
    "threads",
]
__version__: str

_Rows = NDArray[np.float64] | NDArray[np.float32]
_Vector = NDArray[np.float64]
_Table = NDArray[np.float64]
# Rows, places of their classes, names of these, weights of rows, factors of classes.
_Samples = tuple[_Rows, NDArray[np.int64], list[str], _Vector | None, list[float] | None]

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
    def bound(
        self,
        x: _Rows,
        positive: NDArray[np.bool_],
        parameters: tuple[float, float, float, float],
    ) -> str: ...
    def write(
        self,
        path: str | PathLike[str],
        classes: list[str],
        feature_names: list[str] | None,
        label: str | None,
    ) -> None: ...
    def onnx(self, classes: list[str], feature_names: list[str] | None, float32: bool) -> bytes: ...

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

@final
class MulticlassEngine:
    def __new__(cls, state: bytes) -> MulticlassEngine: ...
    def __getnewargs__(self) -> tuple[bytes]: ...
    @staticmethod
    def fit(
        samples: _Samples,
        scheme: str,
        settings: str,
        algorithm: str,
        memory_limit_mib: int | None,
        parallel: bool,
    ) -> MulticlassEngine: ...
    @staticmethod
    def fit_panel(
        samples: _Samples, scheme: str, settings: str, parallel: bool
    ) -> MulticlassEngine: ...
    def predict(self, x: _Rows, kept_only: bool = False) -> tuple[NDArray[np.int64], _Table]: ...
    def latent(self, x: _Rows, kept_only: bool = False) -> tuple[_Table, _Table]: ...
    def describe(self) -> str: ...
    def write(
        self,
        path: str | PathLike[str],
        classes: list[str],
        feature_names: list[str] | None,
        label: str | None,
    ) -> None: ...
    def onnx(self, classes: list[str], feature_names: list[str] | None, float32: bool) -> bytes: ...

@final
class MulticlassMachine:
    def __new__(cls, state: bytes) -> MulticlassMachine: ...
    def __getnewargs__(self) -> tuple[bytes]: ...
    @staticmethod
    def fit(
        method: str,
        samples: _Samples,
        scheme: str,
        factors: list[float] | None,
        balanced: bool,
        relative: bool,
    ) -> MulticlassMachine: ...
    def predict(self, x: _Rows) -> tuple[NDArray[np.int64], _Table]: ...
    def latent(self, x: _Rows) -> tuple[_Table, _Table]: ...
    def describe(self) -> str: ...

def read_model(
    path: str | PathLike[str],
) -> tuple[Engine | MulticlassEngine, list[str], list[str], bool]: ...
def select(
    method: str, x: _Rows, positive: NDArray[np.bool_], weights: _Vector | None
) -> list[int]: ...
def ranking(
    scores: list[list[float]], higher_is_better: bool, alpha: float, against_one: bool
) -> str: ...
def stability(subsets: list[list[int]], features: int, confidence: float) -> str: ...
def methods() -> str: ...
def threads() -> int: ...
