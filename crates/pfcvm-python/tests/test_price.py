"""What a short list costs."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from pfcvm import PFCVMClassifier, PFCVMPanelClassifier, SVMClassifier, list_price, load_model
from pfcvm.plot import PriceDisplay
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

matplotlib.use("agg")


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
def test_no_list_is_longer_than_asked(data, kernel, tmp_path):
    clf = PFCVMClassifier(kernel, size=2).fit(*data)
    assert 1 <= len(clf.selected_features_) <= 2
    assert clf.settings_["size"] == 2
    clf.save_model(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").size == 2


def test_three_classes_have_one_short_list(data):
    X, _ = data
    y = np.digitize(X[:, 0] - X[:, 1], [-0.8, 0.8])
    assert len(PFCVMClassifier("linear", size=1).fit(X, y).selected_features_) == 1


def test_a_price_is_the_loss_of_the_splits(data):
    """The same by scikit-learn, fit by fit."""
    X, y = data
    found = list_price(PFCVMClassifier("linear"), X, y, sizes=[2], cv=StratifiedKFold(3))
    assert found.sizes == [0, 2, None]
    losses, counts = [], []
    for train, test in StratifiedKFold(3).split(X, y):
        clf = PFCVMClassifier("linear", size=2).fit(X[train], y[train])
        p = clf.predict_proba(X[test])[np.arange(len(test)), y[test]]
        losses.extend(-np.log(p))
        counts.append(len(clf.selected_features_))
    assert found.log_loss[1] == pytest.approx(np.mean(losses))
    # Nadeau and Bengio: 120 rows are tested by parts of 80.
    error = np.std(losses, ddof=1) / np.sqrt(len(losses)) * np.sqrt(1 + 120 / 80)
    assert found.log_loss_error[1] == pytest.approx(error)
    assert found.features[1] == pytest.approx(np.mean(counts))
    assert found.log_loss[0] == pytest.approx(log_loss(y, np.full(len(y), y.mean())), abs=1e-3)
    assert found.difference[found.best] == 0


def test_as_many_are_suggested_as_matter(data):
    found = list_price(PFCVMClassifier("linear"), *data)
    assert found.suggested_size == 3
    rng = np.random.default_rng(3)
    noise = list_price(PFCVMClassifier("linear"), rng.normal(size=(90, 5)), np.arange(90) % 2)
    assert noise.suggested_size == 0


def test_groups_frames_and_pipelines(data):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    pipe = make_pipeline(MinMaxScaler(), PFCVMClassifier("linear"))
    plain = list_price(pipe, frame, y, sizes=[1, 3], cv=3)
    assert plain.features[1] <= 1 and plain.features[2] <= 3
    twice, groups = np.repeat(np.arange(120), 2), np.repeat(np.arange(120), 2)
    grouped = list_price(
        pipe, frame.iloc[twice], y[twice], sizes=[1], cv=GroupKFold(3), groups=groups
    )
    rows = list_price(pipe, frame.iloc[twice], y[twice], sizes=[1], cv=GroupKFold(3).split(
        twice, y[twice], groups
    ))  # fmt: skip
    np.testing.assert_allclose(grouped.log_loss, rows.log_loss)
    # Every row is there twice: over groups the error is larger by the root of 2.
    ratio = grouped.log_loss_error[1:] / rows.log_loss_error[1:]
    np.testing.assert_allclose(ratio, np.sqrt(2), rtol=0.01)


def test_a_panel_has_a_price_and_others_have_none(data):
    X, y = data
    found = list_price(PFCVMPanelClassifier(size=4, members=4), X, y, sizes=[1], cv=2)
    assert found.sizes == [0, 1, None] and found.features[2] <= 4
    with pytest.raises(ValueError, match="has no parameter `size`"):
        list_price(SVMClassifier(), X, y)
    with pytest.raises(ValueError, match="must not be negative"):
        list_price(PFCVMClassifier("linear"), X, y, sizes=[-1])
    with pytest.raises(ValueError, match="size = 0"):
        PFCVMClassifier(size=0).fit(X, y)


def test_the_display_marks_what_is_suggested(data):
    X, y = data
    display = PriceDisplay.from_estimator(PFCVMClassifier("linear"), X, y, sizes=[1, 3], cv=3)
    words = display.ax_.get_legend().get_texts()[0].get_text()
    size = display.price.suggested_size
    assert words == f"suggested: {'all that are kept' if size is None else size}"
    assert display.ax_.get_ylabel().startswith("log loss")
