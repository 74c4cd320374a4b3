"""Displays: what they show, and that they draw on anything."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

matplotlib.use("agg")
import matplotlib.pyplot as plt
from pfcvm import (
    PFCVMClassifier,
    PFCVMPanelClassifier,
    load_model,
    rank_methods,
    selection_stability,
)
from pfcvm.plot import (
    CalibrationDisplay,
    ClassImportanceDisplay,
    ConvergenceDisplay,
    CriticalDifferenceDisplay,
    EffectsDisplay,
    FeatureWeightsDisplay,
    SelectionFrequencyDisplay,
)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture
def clf(data):
    X, y = data
    return PFCVMClassifier().fit(X, y)


def marks(display):
    """Rows of the filled and of the empty marks."""
    points = [container[0] for container in display.ax_.containers]
    return [
        {y for one in points if (one.get_mfc() == "white") == empty for y in one.get_ydata()}
        for empty in (False, True)
    ]


def test_effects_are_lines_with_bands(data):
    X, y = data
    names = list("abcdefgh")
    clf = PFCVMClassifier(kernel="linear").fit(X, y)
    display = EffectsDisplay.from_estimator(clf, feature_names=names)
    # The most important one first.
    assert {one["name"] for one in display.effects} == {names[k] for k in clf.selected_features_}
    assert len(display.axes_) == len(clf.selected_features_)
    for one in display.effects:
        slope = clf.coef_[0, one["index"]]
        values = np.array(one["values"])
        np.testing.assert_allclose(one["effect"], slope * (values - values[10]), atol=1e-9)
        assert one["shape"] == ("rises" if slope > 0 else "falls")
    assert display.axes_[0].get_ylabel() == f"log odds of {clf.classes_[1]}"
    several = EffectsDisplay(
        [{"name": "w", "words": [["a"], ["b", None]], "effect": [1, -1], "deviation": [0, 0]}]
    )
    assert [t.get_text() for t in several.plot().axes_[0].get_xticklabels()] == ["a", "b, gap"]


def test_importance_is_the_headline(clf, data, tmp_path):
    names = list("abcdefgh")
    for made in (clf, PFCVMPanelClassifier(4, members=10).fit(*data)):
        display = FeatureWeightsDisplay.from_estimator(made, feature_names=names)
        order = np.argsort(-made.importance_, kind="stable")
        assert display.names == [names[k] for k in made.selected_features_[order]]
        np.testing.assert_array_equal(display.weights, made.importance_[order])
        np.testing.assert_array_equal(display.lower, made.importance_interval_[order, 0])
        np.testing.assert_array_equal(display.upper, made.importance_interval_[order, 1])
        certain = set(np.array(names)[made.certain_features_])
        filled, empty = marks(display)
        count = len(display.names)
        assert {display.names[count - 1 - y] for y in filled} == certain
        assert len(filled) + len(empty) == count
        assert "held-out" in display.ax_.get_xlabel()
    with pytest.raises(ValueError, match="'importance' or 'weights'"):
        FeatureWeightsDisplay.from_estimator(clf, show="worth")


def test_what_is_not_known_is_not_marked(data):
    X, y = data
    clf = PFCVMClassifier(certainty="off").fit(X, y)
    display = FeatureWeightsDisplay.from_estimator(clf)
    assert display.certain is None and display.ax_.get_legend() is None
    assert display.axis_label == "weight in the kernel"
    with pytest.raises(ValueError, match="show='weights'"):
        FeatureWeightsDisplay.from_estimator(clf, show="importance")


def test_more_classes_have_means(data):
    X, y = data
    clf = PFCVMClassifier(scheme="one-vs-one").fit(X, y + (X[:, 0] > 1))
    display = FeatureWeightsDisplay.from_estimator(clf)
    of_selected = np.sort(clf.feature_importances_[clf.selected_features_])
    np.testing.assert_array_equal(display.weights, of_selected[::-1])
    assert display.ax_.get_xlabel().startswith("mean importance")
    shares = FeatureWeightsDisplay.from_estimator(clf, show="weights").weights
    assert shares.sum() == pytest.approx(1.0)


def test_classes_that_are_learned_at_once(data, clf):
    X, y = data
    names, classes = list("abcdefgh"), np.array(["low", "middle", "high"])
    of_three = PFCVMClassifier().fit(X, classes[y + (X[:, 0] > 1)])
    display = ClassImportanceDisplay.from_estimator(of_three, feature_names=names)
    order = np.argsort(-of_three.importance_, kind="stable")
    assert display.names == [names[k] for k in of_three.selected_features_[order]]
    assert display.classes == of_three.classes_.tolist()
    np.testing.assert_array_equal(display.importance, of_three.class_importance_[order])
    shown = display.ax_.images[0].get_array()
    np.testing.assert_array_equal(shown, display.importance)
    # A ring at the largest of each row that has one.
    rings = display.ax_.get_lines()[0]
    best = {
        row: values.argmax() for row, values in enumerate(display.importance) if values.max() > 0
    }
    assert dict(zip(rings.get_ydata(), rings.get_xdata())) == best
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == display.names
    importance = FeatureWeightsDisplay.from_estimator(of_three)
    np.testing.assert_array_equal(importance.weights, of_three.importance_[order])
    np.testing.assert_array_equal(importance.lower, of_three.importance_interval_[order, 0])
    weights = FeatureWeightsDisplay.from_estimator(of_three, show="weights")
    assert weights.axis_label == "weight in the kernel"
    assert ConvergenceDisplay.from_estimator(of_three).trace is of_three.trace_
    effects = EffectsDisplay.from_estimator(of_three, machine=1)
    assert effects.axes_[0].get_ylabel() == f"decision value of {of_three.classes_[1]}"
    for other in (clf, PFCVMClassifier(scheme="one-vs-rest").fit(X, y + (X[:, 0] > 1))):
        with pytest.raises(ValueError, match="scheme='joint'"):
            ClassImportanceDisplay.from_estimator(other)
    nothing = ClassImportanceDisplay([], ["a", "b", "c"], np.zeros((0, 3))).plot()
    assert "no feature" in nothing.ax_.texts[0].get_text()
    nothing.figure_.canvas.draw()


@pytest.mark.filterwarnings("ignore::pfcvm.NothingFoundWarning")
@pytest.mark.parametrize("made", [PFCVMClassifier, PFCVMPanelClassifier])
def test_displays_of_nothing(made, data):
    X, y = data[0], np.random.default_rng(2).permutation(data[1])
    clf = made().fit(X, y)
    assert clf.nothing_found_
    for show in (None, "importance", "weights"):
        display = FeatureWeightsDisplay.from_estimator(clf, show=show)
        assert display.names == [] and "no feature" in display.ax_.texts[0].get_text()
    CalibrationDisplay.from_estimator(clf, X, y)
    ConvergenceDisplay.from_estimator(clf)
    found = selection_stability(made(), X, y, cv=3)
    assert not SelectionFrequencyDisplay.from_stability(found).ax_.patches
    display.figure_.canvas.draw()


def test_weights(clf, data):
    display = FeatureWeightsDisplay.from_estimator(
        clf, show="weights", feature_names=list("abcdefgh")
    )
    heaviest = np.argmax(clf.feature_weights_)
    assert display.names[0] == "abcdefgh"[heaviest]
    assert (display.lower >= 0).all() and (display.upper > display.weights).all()
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == display.names
    _, ax = plt.subplots()
    assert display.plot(ax=ax).ax_ is ax
    panel = PFCVMPanelClassifier(4, members=10).fit(*data)
    assert (FeatureWeightsDisplay.from_estimator(panel, show="weights").lower < 0).any()


def test_convergence(clf, tmp_path):
    display = ConvergenceDisplay.from_estimator(clf)
    line = display.ax_.get_lines()[0]
    np.testing.assert_array_equal(line.get_ydata(), clf.trace_["log_evidence"])
    clf.save_model(tmp_path / "m.json")
    with pytest.raises(ValueError, match="no trace"):
        ConvergenceDisplay.from_estimator(load_model(tmp_path / "m.json"))


def test_calibration(clf, data):
    X, y = data
    display = CalibrationDisplay.from_estimator(clf, X, y, n_bins=5)
    assert display.counts.tolist() == [24] * 5
    assert (display.lower <= display.observed + 1e-12).all() and (
        display.upper >= display.observed - 1e-12
    ).all()
    # Wilson's interval for 0 of 10, from its formula by hand: z² / (n + z²).
    zero = CalibrationDisplay.from_predictions(np.zeros(10, bool), np.full(10, 0.1), n_bins=1)
    assert zero.lower[0] == pytest.approx(0, abs=1e-12)
    assert zero.upper[0] == pytest.approx(3.841458820694124 / 13.841458820694124)
    with pytest.raises(ValueError, match="as many"):
        CalibrationDisplay.from_predictions([True], [0.1, 0.2])


def test_ranks_are_those_of_scipy(rng):
    scores = pd.DataFrame(rng.random((14, 4)).round(1) + [0, 0.2, 0.4, 0.5], columns=list("ABCD"))
    found = rank_methods(scores)
    ranks = stats.rankdata(-scores.to_numpy(), axis=1)
    np.testing.assert_allclose(found.average_ranks, ranks.mean(0))
    assert found.p_value == pytest.approx(stats.friedmanchisquare(*scores.to_numpy().T).pvalue)
    q = stats.studentized_range.ppf(0.95, 4, np.inf) / np.sqrt(2)
    assert found.critical_difference == pytest.approx(q * np.sqrt(4 * 5 / (6 * 14)), rel=1e-6)
    display = CriticalDifferenceDisplay.from_scores(scores)
    texts = " ".join(text.get_text() for text in display.ax_.texts)
    assert (
        all(name in texts for name in scores.columns)
        and f"{found.critical_difference:.2f}" in texts
    )
    with pytest.raises(ValueError, match="nemenyi"):
        rank_methods(scores, post_hoc="other")
    with pytest.raises(ValueError):
        rank_methods([[0.5, float("nan")], [0.1, 0.2]])


def test_frequencies(data):
    X, y = data
    found = selection_stability(
        PFCVMClassifier("linear"), pd.DataFrame(X, columns=list("abcdefgh")), y
    )
    counts = np.zeros(8)
    for subset in found.subsets:
        counts[subset] += 1
    np.testing.assert_allclose(found.frequencies, counts / 20)
    display = SelectionFrequencyDisplay.from_stability(found)
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert widths == sorted(widths, reverse=True)
    assert "stability" in display.ax_.get_title(loc="left")


def test_stability_is_the_published_measure(data):
    """Nogueira's measure, written out in NumPy."""
    X, y = data
    found = selection_stability(PFCVMClassifier("linear", false_positive_rate=0.2), X, y, cv=6)
    Z = np.zeros((6, 8))
    for row, subset in enumerate(found.subsets):
        Z[row, subset] = 1
    share, size = Z.mean(0), Z.sum(1).mean()
    expected = 1 - (6 / 5 * share * (1 - share)).mean() / (size / 8 * (1 - size / 8))
    assert found.stability == pytest.approx(expected)


def test_displays_take_a_pipeline(data):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    pipe = make_pipeline(SelectKBest(k=5), MinMaxScaler(), PFCVMClassifier()).fit(frame, y)
    display = FeatureWeightsDisplay.from_estimator(pipe)
    assert display.names and set(display.names) <= set(pipe[:-1].get_feature_names_out())
    assert {"a", "b"} <= set(display.names)
    assert CalibrationDisplay.from_estimator(pipe, frame, y).name == "PFCVMClassifier"
    trace = ConvergenceDisplay.from_estimator(pipe).trace
    assert trace is pipe[-1].trace_
    alone = make_pipeline(PFCVMClassifier()).fit(frame, y)
    assert set(FeatureWeightsDisplay.from_estimator(alone).names) <= set("abcdefgh")
    with pytest.raises(NotFittedError):
        FeatureWeightsDisplay.from_estimator(make_pipeline(PFCVMClassifier()))
