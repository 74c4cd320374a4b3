"""scikit-learn's own checks, for every estimator, with no expected failure."""

import pfcvm
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

ESTIMATORS = [
    getattr(pfcvm, name)() for name in pfcvm.__all__ if name.endswith(("Classifier", "Selector"))
]

# The other kernels and settings go through the same code; these change what is checked.
VARIANTS = [
    pfcvm.PFCVMClassifier("linear"),
    pfcvm.PFCVMClassifier("poly", samples="dense"),
    pfcvm.PFCVMClassifier(samples="frozen", standardise=False),
    pfcvm.PFCVMClassifier(algorithm="paper"),
    pfcvm.PFCVMClassifier(goal="accuracy"),
    pfcvm.MPMClassifier("rbf"),
]


@pytest.mark.filterwarnings("ignore")  # the checks look at warnings themselves
@parametrize_with_checks(ESTIMATORS + VARIANTS)
def test_check(estimator, check):
    check(estimator)


def test_all_estimators_are_there():
    assert len(ESTIMATORS) == 19
