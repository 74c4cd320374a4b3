"""From what users have to what the compiled half takes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import _safe_indexing, check_array, check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    _check_sample_weight,
    _get_feature_names,
    _num_samples,
    validate_data,
)

from . import _table

# Values of a sparse matrix that are made dense at a time.
BLOCK_VALUES = 4_000_000
# What is checked of rows, in a fit and in a prediction. NaN is a gap.
ROWS: dict[str, Any] = {
    "accept_sparse": "csr",
    "dtype": [np.float64, np.float32],
    "ensure_all_finite": "allow-nan",
}
# What the compiled half is told of columns: texts of words, places of dates, names of features.
Described = tuple[list[tuple[int, list[str]]], list[int], "list[str] | None"]


def training_data(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    least_features: int = 1,
    two_classes: bool = False,
    reset: bool = True,
) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray | None, Described | None]:
    """Checked ``X``, the classes, the place of each row's class among them (-1: it has none), weights,
    and what the columns hold beside numbers (None: nothing). Without ``reset`` the columns must be those
    of the samples before, and one class is enough."""
    y, open_rows = with_gaps_filled(y, getattr(estimator, "unlabelled", None))
    least: dict[str, Any] = {
        "ensure_min_samples": 2 if reset else 1,
        "ensure_min_features": least_features,
    }
    words, dates = [], []
    check_sparse(X)
    table = training_table(estimator, X)
    if table is None:
        X, y = validate_data(estimator, X, y, **ROWS, **least, reset=reset)
    else:
        # Names and number of columns.
        validate_data(estimator, X, skip_check_array=True, reset=reset)
        X, y = check_X_y(table.rows, y, **ROWS, **least, estimator=estimator)
        words, dates = table.words, table.dates
    known = getattr(estimator, "feature_names_in_", None)
    known = None if known is None else known.tolist()
    grouped = _table.groups(estimator.feature_groups, known, X.shape[1])
    described = (words, dates, grouped) if words or dates or grouped else None
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y", raise_unknown=True)
    if kind not in ("binary", "multiclass"):
        raise ValueError(f"y must hold one class for each sample, and is {kind}.")
    classes, codes = np.unique(y, return_inverse=True)
    if two_classes and len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}."
        )
    if len(classes) < 2 and reset:
        raise ValueError(
            f"{type(estimator).__name__} needs two classes or more; the data contain only one class, {classes[0]!r}."
        )
    codes = codes.astype(np.int64)
    if open_rows is not None:
        codes[open_rows] = -1
    if sample_weight is not None:
        sample_weight = counts(sample_weight, X)
    return X, classes, codes, sample_weight, described


def with_gaps_filled(y: Any, unlabelled: Any) -> tuple[Any, np.ndarray | None]:
    """``y`` with a class in place of what stands for none, and which samples those are (None: there is
    nothing that does)."""
    if unlabelled is None or y is None:
        return y, None
    cells = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    if cells.ndim != 1:
        return y, None
    gap = isinstance(unlabelled, float) and np.isnan(unlabelled)
    # A gap is what is missing, or differs from itself.
    is_open = [
        cell is None or type(cell).__name__ in ("NAType", "NaTType") or bool(cell != cell)
        if gap
        else bool(cell == unlabelled)
        for cell in cells.tolist()
    ]
    open_rows = np.array(is_open, dtype=bool)
    labelled = cells[~open_rows]
    if not len(labelled):
        raise ValueError(
            f"every sample is without a label: y is {unlabelled!r} everywhere, which `unlabelled` names."
        )
    if not open_rows.any():
        return y, open_rows
    classes = labelled.tolist()
    filled = np.array([classes[0] if one else cell for one, cell in zip(is_open, cells.tolist())])
    whole = gap and filled.dtype.kind == "f" and (filled == filled.astype(np.int64)).all()
    # Numbers that only a gap made fractions.
    return (filled.astype(np.int64) if whole else filled), open_rows


def training_table(estimator: Any, X: Any) -> _table.Table | None:
    """``X`` column by column, where some are not numbers; None: all are."""
    columns, features = _table.columns_of(X), estimator.categorical_features
    if columns is None:
        if features is None or isinstance(features, str) and features == "from_dtype":
            return None
        columns = _table.numbers(check_array(X, **ROWS, estimator=estimator, input_name="X"))
    known = _get_feature_names(X)
    known = None if known is None else known.tolist()
    words = _table.categorical(features, known, len(columns))
    if not any(words) and all(map(_table.is_plain, columns)):
        return None
    return _table.table(columns, words)


def counts(sample_weight: Any, X: Any) -> np.ndarray:
    """Checked weights of samples. They count rows, so that their sum matters."""
    weights: np.ndarray = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    rows, total = np.count_nonzero(weights), weights.sum()
    if rows == 0:
        raise ValueError("Sample weights must contain at least one non-zero number.")
    if total < rows / 2:
        warnings.warn(
            f"sample_weight counts samples: {rows} samples that sum to {total:.4g} are learned from "
            f"as {total:.4g} samples would be. Multiply the weights so that they sum to the number "
            "of samples if only their ratios are meant.",
            UserWarning,
            stacklevel=4,
        )
    return weights


def new_data(
    estimator: Any, X: Any, support: np.ndarray | None, needed: np.ndarray | None, words: set[int]
) -> tuple[Any, list[tuple[int, list[str]]]]:
    """Checked rows to predict: the needed columns alone (None: all), ascending; and the texts of
    those that hold words.

    An array has all columns. A data frame may have all columns of the fit, or exactly the selected
    ones (``support``), in any order; what is in others does not matter. A model that found nothing
    needs none; one for accuracy needs more than the selected ones, and takes exactly those it needs.
    """
    check_sparse(X)
    if needed is not None and support is not None and not np.isin(needed, support).all():
        support = needed
    known, named = getattr(estimator, "feature_names_in_", None), _get_feature_names(X)
    # Of a frame without columns scikit-learn says that it has no names.
    none_needed = needed is not None and known is not None and len(needed) == 0
    if none_needed and hasattr(X, "columns") and len(X.columns) == 0:
        return np.empty((_num_samples(X), 0)), []
    if needed is None or support is None or known is None or named is None:
        columns = _table.columns_of(X)
        if columns is None:
            X = validate_data(estimator, X, **ROWS, reset=False)
        else:
            validate_data(estimator, X, reset=False, skip_check_array=True)
        every = range(estimator.n_features_in_) if needed is None else needed
        if columns is not None and not len(every):
            return np.empty((_num_samples(X), 0)), []
        if columns is not None:
            return _new_columns(estimator, [columns[at] for at in every], every, words)
        if not words.isdisjoint(every):
            columns = _table.numbers(X)
            return _new_columns(estimator, [columns[at] for at in every], every, words)
        return X if len(every) == X.shape[1] else X[:, needed], []
    selected = known[support].tolist()
    if len(named) != len(selected) or set(named) != set(selected):
        validate_data(estimator, X, reset=False, skip_check_array=True)
    if not len(needed):
        return np.empty((_num_samples(X), 0)), []
    cut = _safe_indexing(X, known[needed].tolist(), axis=1)
    columns = _table.columns_of(cut)
    if columns is None or (words.isdisjoint(needed) and all(map(_table.is_plain, columns))):
        return check_array(cut, **ROWS, estimator=estimator, input_name="X"), []
    return _new_columns(estimator, columns, needed, words)


def _new_columns(
    estimator: Any, columns: list[Any], places: Any, words: set[int]
) -> tuple[np.ndarray, list[tuple[int, list[str]]]]:
    """Columns of a prediction, read as those of the fit at these places were."""
    table = _table.table(columns, [int(at) in words for at in places])
    rows = check_array(table.rows, **ROWS, estimator=estimator, input_name="X")
    return rows, table.words


def check_sparse(X: Any) -> None:
    """Refuses a sparse matrix whose lists do not go together: SciPy's own code trusts them, and reads
    and writes beyond its memory where they lie."""
    try:
        if sparse.issparse(X) and X.format in ("csr", "csc", "bsr"):
            X.check_format(full_check=True)
        elif sparse.issparse(X) and X.format == "coo" and X.nnz:
            for places, size in zip(X.coords, X.shape):
                if places.min() < 0 or places.max() >= size:
                    raise ValueError(f"an index lies beyond {size}")
                if len(places) != len(X.data):
                    raise ValueError("there are more or fewer indices than values")
    except ValueError as error:
        raise ValueError(f"the sparse matrix is malformed: {error}; build it anew.") from None


def blocks(X: Any) -> Iterator[Any]:
    """The rows of ``X``, dense; a sparse matrix comes in blocks of bounded size."""
    if not sparse.issparse(X):
        yield X
        return
    step = max(1, BLOCK_VALUES // max(1, X.shape[1]))
    for start in range(0, X.shape[0], step):
        yield X[start : start + step].toarray()


def handed(X: Any) -> Any:
    """``X`` as the compiled half takes it to learn from: a dense matrix as it is, of a sparse one
    the written cells, column after column."""
    if not sparse.issparse(X):
        return X
    columns = X.tocsc(copy=True)
    columns.sum_duplicates()
    starts, places = columns.indptr.astype(np.int64), columns.indices.astype(np.int64)
    return X.shape[0], starts, places, columns.data.astype(np.float64)


def dense(X: Any) -> np.ndarray:
    """All of ``X`` as one dense matrix, in the order the compiled half uses."""
    if not sparse.issparse(X):
        return X
    out = np.empty(X.shape, dtype=X.dtype, order="F")
    start = 0
    for block in blocks(X):
        out[start : start + len(block)] = block
        start += len(block)
    return out


def names(classes: np.ndarray) -> list[str]:
    """Classes as they are called in files and in words."""
    return [str(label) for label in classes.tolist()]


def labels(names: list[str], are_text: bool = False) -> np.ndarray:
    """Classes with their type, from what they are called."""
    if are_text:
        return np.array(names)
    if set(names) == {"False", "True"}:
        return np.array([name == "True" for name in names])
    kinds = (
        (int, r"[+-]?\d{1,18}"),
        (float, r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?"),
    )
    for kind, form in kinds:
        if all(re.fullmatch(form, name, re.I) for name in names):
            numbers = np.array([kind(name) for name in names])
            # "1" and "1.0" are two texts, but one number.
            return numbers if len(set(numbers.tolist())) == len(names) else np.array(names)
    return np.array(names)


def class_weights(class_weight: Any, classes: np.ndarray) -> str | list[float]:
    """``equal``, ``balanced``, or a factor for each class."""
    if class_weight is None:
        return "equal"
    if isinstance(class_weight, str) and class_weight == "balanced":
        return "balanced"
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
