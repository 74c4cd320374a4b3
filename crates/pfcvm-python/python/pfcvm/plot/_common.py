"""What the displays have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

# Half the width of a normal interval of 95 %.
WIDTH = 1.959963984540054
COLOURS = {"main": "#1f6f8b", "second": "#d1495b", "third": "#6a994e", "pale": "#b8c4cc"}


def axes(ax: Any, width: float, height: float) -> Any:
    """The axes given, or those of a new figure."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1] if ax is None else ax


def names_of(estimator: Any, feature_names: Any, indices: np.ndarray) -> list[str]:
    """Names of some features."""
    names = (
        getattr(estimator, "feature_names_in_", None) if feature_names is None else feature_names
    )
    return [f"x{k}" if names is None else str(names[k]) for k in indices]
