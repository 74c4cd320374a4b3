"""What the displays have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

# Half the width of a normal interval of 95 %.
WIDTH = 1.959963984540054
COLOURS = {"main": "#1f6f8b", "second": "#d1495b", "third": "#6a994e", "pale": "#b8c4cc"}


def axes(ax: Any, width: float, height: float) -> Any:
    """The axes given, or those of a new figure."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1] if ax is None else ax


def unwrapped(estimator: Any) -> Any:
    """The fitted classifier itself, which may be the last step of a pipeline."""
    check_is_fitted(estimator)
    return unwrapped(estimator[-1]) if isinstance(estimator, Pipeline) else estimator


def names_of(estimator: Any, feature_names: Any, indices: np.ndarray) -> list[str]:
    """Names of some features; those of a pipeline's last step are what the others hand on."""
    names = feature_names
    if names is None:
        names = getattr(unwrapped(estimator), "feature_groups_", None)
    if names is None and isinstance(estimator, Pipeline) and len(estimator) > 1:
        names = estimator[:-1].get_feature_names_out()
    elif names is None:
        names = getattr(unwrapped(estimator), "feature_names_in_", None)
    return [f"x{k}" if names is None else str(names[k]) for k in indices]
