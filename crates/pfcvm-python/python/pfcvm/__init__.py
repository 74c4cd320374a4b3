"""Sparse Bayesian classifiers that select features and samples together.

The estimators behave as scikit-learn's own: they clone, pickle, go into pipelines and searches, take
data frames, and say what they refuse in one sentence. All of the work is done in Rust, on all
threads, without Python's lock; Ctrl-C interrupts it.

====================================  =============================================================
`PFCVMClassifier`                     the method itself: features and samples selected together
`PFCVMPanelClassifier`                a short list of features for far more features than samples
`RVMClassifier`, `PCVMClassifier`,    relatives that keep few samples
`EPCVMClassifier`
`PFCVMEMClassifier`,                  relatives that select features as well
`JCFOClassifier`, `RSFMClassifier`,
`IRSFMClassifier`
`SVMClassifier`, `L1SVMClassifier`,   support vector machines; the last two select features
`WSVMClassifier`
`MPMClassifier`, `SMPMClassifier`     minimax probability machines
`FisherSelector`,                     filters: features in an order
`LaplacianSelector`, `MRMRSelector`,
`TraceRatioSelector`, `FSNMSelector`
`NothingFoundWarning`                 no feature does better than chance
`UnseenLevelsWarning`                 words that the training data did not have
`TwoClassMachine`                     what is known of one machine of a classifier
`load_model`                          a model file, written by `save_model` or by the program
`selection_stability`                 how often features are selected again, on any joblib backend
`list_price`                          what a short list costs, length by length
`rank_methods`                        scores of methods on data sets: ranks, tests, who differs
`score_batches`                       predictions for Arrow record batches, for Dask and Spark
`pfcvm.plot`                          displays
====================================  =============================================================
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._pfcvm import __version__

if TYPE_CHECKING:
    from ._base import NothingFoundWarning, UnseenLevelsWarning
    from ._catalogue import (
        EPCVMClassifier,
        FisherSelector,
        FSNMSelector,
        IRSFMClassifier,
        JCFOClassifier,
        L1SVMClassifier,
        LaplacianSelector,
        MPMClassifier,
        MRMRSelector,
        PCVMClassifier,
        PFCVMEMClassifier,
        RSFMClassifier,
        RVMClassifier,
        SMPMClassifier,
        SVMClassifier,
        TraceRatioSelector,
        WSVMClassifier,
    )
    from ._classifier import PFCVMClassifier
    from ._machines import TwoClassMachine
    from ._model_file import load_model
    from ._panel import PFCVMPanelClassifier
    from ._price import ListPrice, list_price
    from ._scoring import score_batches
    from ._study import Ranking, SelectionStability, rank_methods, selection_stability

__all__ = [
    "EPCVMClassifier",
    "FSNMSelector",
    "FisherSelector",
    "IRSFMClassifier",
    "JCFOClassifier",
    "L1SVMClassifier",
    "LaplacianSelector",
    "ListPrice",
    "MPMClassifier",
    "MRMRSelector",
    "NothingFoundWarning",
    "PCVMClassifier",
    "PFCVMClassifier",
    "PFCVMEMClassifier",
    "PFCVMPanelClassifier",
    "RSFMClassifier",
    "RVMClassifier",
    "Ranking",
    "SMPMClassifier",
    "SVMClassifier",
    "SelectionStability",
    "TraceRatioSelector",
    "TwoClassMachine",
    "UnseenLevelsWarning",
    "WSVMClassifier",
    "__version__",
    "list_price",
    "load_model",
    "rank_methods",
    "score_batches",
    "selection_stability",
]
# Where names are, of those that are not in the catalogue.
_PLACES = {
    "ListPrice": "_price",
    "NothingFoundWarning": "_base",
    "PFCVMClassifier": "_classifier",
    "PFCVMPanelClassifier": "_panel",
    "Ranking": "_study",
    "SelectionStability": "_study",
    "TwoClassMachine": "_machines",
    "UnseenLevelsWarning": "_base",
    "list_price": "_price",
    "load_model": "_model_file",
    "rank_methods": "_study",
    "score_batches": "_scoring",
    "selection_stability": "_study",
}


def __getattr__(name: str) -> Any:
    # Not before it is asked for: what only answers for its rows, in a cluster, does without scikit-learn.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_PLACES.get(name, '_catalogue')}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
