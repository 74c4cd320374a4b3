"""The same data give the same model here and in the program, to the byte of its file."""

import numpy as np
import pandas as pd
import pytest
from pfcvm import PFCVMClassifier, PFCVMPanelClassifier

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

WEIGHTS = {
    "equal": lambda classes: None,
    "balanced": lambda classes: "balanced",
    "given": lambda classes: {label: 1.0 + 0.75 * at for at, label in enumerate(classes)},
}


def table(classes, repeated):
    """Rows of so many classes; with ``repeated``, some come twice or thrice, out of order."""
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(45 * classes, 6)).round(3)
    y = np.arange(len(X)) % classes
    X[:, 0] += 1.5 * y
    X[:, 1] -= 1.0 * (y == 1)
    rows = np.arange(len(X))
    if repeated:
        rows = rng.permutation(np.r_[rows, rows[::3], rows[::9], rows[5:20]])
    frame = pd.DataFrame(X[rows], columns=list("abcdef"))
    return frame, np.array(["left", "middle", "right"])[y[rows]]


@pytest.mark.parametrize("repeated", [False, True], ids=["plain", "repeated"])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("panel", [False, True], ids=["single", "panel"])
def test_the_same_file(panel, classes, weights, repeated, program, tmp_path):
    X, y = table(classes, repeated)
    clf = PFCVMPanelClassifier(3) if panel else PFCVMClassifier()
    clf.set_params(class_weight=WEIGHTS[weights](np.unique(y)))
    clf.fit(X, y).save_model(tmp_path / "python.json", label="label")
    X.assign(label=y).to_csv(tmp_path / "data.csv", index=False)
    options = ["--panel", 3] if panel else []
    if weights == "given":
        options += ["--class-weights", ",".join(map(str, clf.class_weight.values()))]
    else:
        options += ["--class-weights", weights]
    model = tmp_path / "program.json"
    program("fit", tmp_path / "data.csv", "--model", model, "--label", "label", *options)
    assert (tmp_path / "python.json").read_bytes() == model.read_bytes()


@pytest.mark.parametrize("clf", [PFCVMClassifier(), PFCVMPanelClassifier(3, members=10)], ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_order_repetitions_and_weights_are_one(classes, clf, rng):
    """Rows in any order, as copies or with weights: the same bits."""
    X, y = table(classes, repeated=False)
    weights = rng.integers(0, 3, len(y))
    order = rng.permutation(len(y))
    expected = clf.fit(X, y, sample_weight=weights).predict_proba(X)
    copies = np.repeat(np.arange(len(y)), weights)
    for rows in (copies, rng.permutation(copies)):
        np.testing.assert_array_equal(clf.fit(X.iloc[rows], y[rows]).predict_proba(X), expected)
    clf.fit(X.iloc[order], y[order], sample_weight=weights[order])
    np.testing.assert_array_equal(clf.predict_proba(X), expected)
    # A companion: without weights it is another model.
    assert (clf.fit(X, y).predict_proba(X) != expected).any()
