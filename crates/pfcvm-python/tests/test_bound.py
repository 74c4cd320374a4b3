"""The bound on errors."""

import numpy as np
import pytest
from pfcvm import PFCVMClassifier


def test_the_parts_add_up(data):
    X, y = data
    clf = PFCVMClassifier().fit(X, y)
    bound = clf.generalization_bound(X, y)
    parts = bound["margin_loss"] + bound["complexity"] + bound["confidence"]
    assert bound["total"] == parts
    assert bound["divergence"] > 0
    assert clf.generalization_bound(X, y) == bound
    wide = clf.generalization_bound(X, y, margin=2.0)
    assert wide["complexity"] == pytest.approx(bound["complexity"] / 2)


@pytest.mark.parametrize(
    "wrong", [{"delta": 0}, {"delta": 1}, {"margin": 0}, {"ratio": 1}, {"floor": -1}]
)
def test_parameters_out_of_range_are_refused(data, wrong):
    X, y = data
    clf = PFCVMClassifier().fit(X, y)
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} = .* is out of range"):
        clf.generalization_bound(X, y, **wrong)


def test_other_classes_are_refused(data):
    X, y = data
    clf = PFCVMClassifier().fit(X, y)
    with pytest.raises(ValueError, match="classes of the fit"):
        clf.generalization_bound(X, np.where(y == y[0], 7, 8))
    three = PFCVMClassifier().fit(X, y + (X[:, 0] > 1))
    with pytest.raises(ValueError, match="two classes"):
        three.generalization_bound(X, y + (X[:, 0] > 1))


@pytest.mark.filterwarnings("ignore::pfcvm.NothingFoundWarning")
def test_where_nothing_was_found_the_bound_is_finite(data):
    X, y = data[0], np.random.default_rng(2).permutation(data[1])
    clf = PFCVMClassifier().fit(X, y)
    assert clf.nothing_found_
    bound = clf.generalization_bound(X, y)
    assert all(np.isfinite(value) for value in bound.values())
