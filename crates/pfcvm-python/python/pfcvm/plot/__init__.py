"""Displays in the manner of scikit-learn: data first, pictures on demand.

Each display has ``from_…`` class methods that compute and draw, and ``plot`` that draws again,
on other axes or with other options. matplotlib is needed only here.
"""

from ._calibration import CalibrationDisplay
from ._classes import ClassImportanceDisplay
from ._convergence import ConvergenceDisplay
from ._critical import CriticalDifferenceDisplay
from ._effects import EffectsDisplay
from ._frequencies import SelectionFrequencyDisplay
from ._price import PriceDisplay
from ._weights import FeatureWeightsDisplay

__all__ = [
    "CalibrationDisplay",
    "ClassImportanceDisplay",
    "ConvergenceDisplay",
    "CriticalDifferenceDisplay",
    "EffectsDisplay",
    "FeatureWeightsDisplay",
    "PriceDisplay",
    "SelectionFrequencyDisplay",
]
