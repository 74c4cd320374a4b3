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
    ConvergenceDisplay,
    CriticalDifferenceDisplay,
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


def test_weights(clf, data):
    display = FeatureWeightsDisplay.from_estimator(clf, feature_names=list("abcdefgh"))
    heaviest = np.argmax(clf.feature_weights_)
    assert display.names[0] == "abcdefgh"[heaviest]
    assert (display.lower >= 0).all() and (display.upper > display.weights).all()
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == display.names
    _, ax = plt.subplots()
    assert display.plot(ax=ax).ax_ is ax
    panel = PFCVMPanelClassifier(4, members=10).fit(*data)
    assert (FeatureWeightsDisplay.from_estimator(panel).lower < 0).any()


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
