"""From what users have to what the compiled half takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, validate_data

# Values of a sparse matrix that are made dense at a time.
BLOCK_VALUES = 4_000_000


def training_data(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    least_features: int = 1,
    two_classes: bool = False,
) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray | None]:
    """Checked ``X``, the classes, the place of each row's class among them, and weights."""
    X, y = validate_data(
        estimator,
        X,
        y,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
        ensure_min_samples=2,
        ensure_min_features=least_features,
    )
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y", raise_unknown=True)
    if kind not in ("binary", "multiclass"):
        raise ValueError(f"y must hold one class for each sample, and is {kind}.")
    classes, index = np.unique(y, return_inverse=True)
    if two_classes and len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}."
        )
    if len(classes) < 2:
        raise ValueError(
            f"{type(estimator).__name__} needs two classes or more; the data contain only one class, {classes[0]!r}."
        )
    if sample_weight is not None:
        sample_weight = _check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
        if not sample_weight.any():
            raise ValueError("Sample weights must contain at least one non-zero number.")
    return X, classes, index.astype(np.int64), sample_weight


def new_data(estimator: Any, X: Any) -> Any:
    """Checked rows to predict."""
    return validate_data(
        estimator, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
    )


def is_sparse(X: Any) -> bool:
    """Whether ``X`` is a matrix or an array of SciPy's sparse kinds."""
    return sparse.issparse(X)


def blocks(X: Any) -> Iterator[Any]:
    """The rows of ``X``, dense; a sparse matrix comes in blocks of bounded size."""
    if not is_sparse(X):
        yield X
        return
    step = max(1, BLOCK_VALUES // max(1, X.shape[1]))
    for start in range(0, X.shape[0], step):
        yield X[start : start + step].toarray()


def dense(X: Any) -> np.ndarray:
    """All of ``X`` as one dense matrix, in the order the compiled half uses."""
    if not is_sparse(X):
        return X
    out = np.empty(X.shape, dtype=X.dtype, order="F")
    start = 0
    for block in blocks(X):
        out[start : start + len(block)] = block
        start += len(block)
    return out


def second(codes: np.ndarray) -> np.ndarray:
    """Which rows are of the second of two classes."""
    return np.ascontiguousarray(codes == 1)


def names(classes: np.ndarray) -> list[str]:
    """Classes as they are called in files and in words."""
    return [str(label) for label in classes.tolist()]


def class_factors(class_weight: Any, classes: np.ndarray) -> list[float] | None:
    """The factors of the classes that ``class_weight`` states, if it states any."""
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return None
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight={class_weight!r}: it must be None, 'balanced' or a dictionary from classes "
            "to numbers."
        )
    known = {label: at for at, label in enumerate(classes.tolist())}
    factors = [1.0] * len(classes)
    for label, factor in class_weight.items():
        if label not in known:
            raise ValueError(
                f"class_weight: {label!r} is no class of the data; the classes are {list(known)}."
            )
        factors[known[label]] = float(factor)
    return factors


def class_weights_text(class_weight: Any, classes: np.ndarray) -> str:
    """Weights of classes as the compiled half reads them."""
    factors = class_factors(class_weight, classes)
    if factors is not None and len(classes) == 2:
        return f"{factors[0]!r},{factors[1]!r}"
    if factors is not None:
        return "equal"  # they go with the samples
    return "equal" if class_weight is None else "balanced"


def weights_by_class(
    class_weight: Any,
    classes: np.ndarray,
    positive: np.ndarray,
    weights: np.ndarray | None,
    relative: bool = False,
) -> np.ndarray | None:
    """Weights of samples times those of their classes; ``relative``: in sum as they were."""
    factors = class_factors(class_weight, classes)
    if class_weight is None:
        return weights
    plain = np.ones(len(positive)) if weights is None else weights
    if factors is None:
        total = plain.sum()
        in_classes = plain[~positive].sum(), plain[positive].sum()
        if min(in_classes) == 0:
            raise ValueError(
                "A class has no sample with a weight above 0; there is only one class."
            )
        factors = [total / (2 * in_classes[0]), total / (2 * in_classes[1])]
    weighted = plain * np.where(positive, factors[1], factors[0])
    return weighted * (plain.sum() / weighted.sum()) if relative else weighted


def number(name: str, value: Any) -> float:
    """A finite number."""
    value = float(value)
    if not np.isfinite(value):
        raise ValueError(f"{name}={value}: it must be a finite number.")
    return value


def seed(random_state: Any) -> int:
    """A seed for the compiled half."""
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state={random_state}: it must not be negative.")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
