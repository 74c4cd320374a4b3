"""Tables as they are: words, truth values, dates, gaps and groups of columns."""

import datetime
import json
import pickle

import numpy as np
import pandas as pd
import pfcvm
import polars as pl
import pyarrow as pa
import pytest
from pfcvm import PFCVMClassifier, PFCVMPanelClassifier, UnseenLevelsWarning, load_model
from sklearn.base import clone

# How a fit ends is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

ROWS = 200
NAMES = ["colour", "shape", "lucky", "weight", "count", "seen", "noise"]


def drawn():
    """Columns as lists with None for gaps, and classes that the colour and the weight tell apart."""
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue", "violet"], ROWS)
    weight = rng.normal(size=ROWS).round(3)
    score = np.isin(colour, ["red", "blue"]) * 2.0 - 1.0 + weight + 0.3 * rng.normal(size=ROWS)
    days = rng.integers(0, 800, ROWS)
    columns = {
        "colour": colour.tolist(),
        "shape": rng.choice(["round", "square", "long"], ROWS).tolist(),
        "lucky": (rng.random(ROWS) < 0.5).tolist(),
        "weight": weight.tolist(),
        "count": rng.integers(0, 9, ROWS).tolist(),
        "seen": [datetime.datetime(2023, 1, 1) + datetime.timedelta(int(day)) for day in days],
        "noise": rng.normal(size=ROWS).round(3).tolist(),
    }
    for name in ("colour", "shape", "weight", "count", "seen"):
        for row in rng.choice(ROWS, 20, replace=False):
            columns[name][row] = None
    return columns, np.where(score > 0, "yes", "no")


def in_pandas(columns):
    return pd.DataFrame(
        {
            "colour": columns["colour"],
            "shape": pd.Categorical(columns["shape"]),
            "lucky": columns["lucky"],
            "weight": columns["weight"],
            "count": pd.array(columns["count"], dtype="Int64"),
            "seen": pd.to_datetime(columns["seen"]),
            "noise": columns["noise"],
        }
    )


def in_polars(columns):
    frame = pl.DataFrame(columns, strict=False)
    return frame.with_columns(pl.col("shape").cast(pl.Categorical))


def in_arrow(columns):
    table = pa.table(columns)
    place = table.column_names.index("shape")
    return table.set_column(place, "shape", table.column("shape").dictionary_encode())


def in_objects(columns):
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})


@pytest.fixture(scope="module")
def table():
    columns, y = drawn()
    return in_pandas(columns), y


@pytest.fixture(scope="module")
def fitted(table):
    return PFCVMClassifier().fit(*table)


CLASSIFIERS = [
    PFCVMClassifier(),
    PFCVMPanelClassifier(3, members=10),
    pfcvm.RVMClassifier(),
    pfcvm.WSVMClassifier("linear"),
]


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_every_library_gives_the_same_bits(clf, table, tmp_path):
    X, y = table
    columns, _ = drawn()
    first = clone(clf).fit(X, y)
    expected = first.decision_function(X)
    frames = [in_polars(columns), in_arrow(columns), in_objects(columns)]
    frames.append(pl.DataFrame(columns, strict=False))
    for at, frame in enumerate(frames):
        other = clone(clf).fit(frame, y)
        assert other.feature_names_in_.tolist() == NAMES
        for new in (frame, X):
            np.testing.assert_array_equal(other.decision_function(new), expected)
        if hasattr(clf, "save_model"):
            paths = [tmp_path / f"{at}-{k}.json" for k in range(2)]
            first.save_model(paths[0])
            other.save_model(paths[1])
            assert paths[0].read_bytes() == paths[1].read_bytes()


def test_variables_are_selected(fitted, table):
    X, y = table
    assert set(fitted.get_feature_names_out()) == {"colour", "weight"}
    assert fitted.n_features_in_ == 7 and fitted.feature_importances_.shape == (7,)
    assert np.flatnonzero(fitted.feature_importances_).tolist() == [0, 3]
    assert fitted.score(X, y) > 0.85
    assert not hasattr(fitted, "coef_") and "colour" in fitted.summary()


def test_the_order_of_rows_does_not_matter(fitted, table, rng):
    X, y = table
    order = rng.permutation(ROWS)
    turned = X.iloc[order].reset_index(drop=True)
    # Categories in another order, and one that nobody has.
    turned["shape"] = turned["shape"].cat.set_categories(["square", "flat", "round", "long"])
    other = PFCVMClassifier().fit(turned, y[order])
    np.testing.assert_array_equal(other.predict_proba(X), fitted.predict_proba(X))


def test_only_needed_columns_are_looked_at(fitted, table):
    X, _ = table
    expected = fitted.predict_proba(X)
    needed = X[fitted.get_feature_names_out()]
    np.testing.assert_array_equal(fitted.predict_proba(needed), expected)
    np.testing.assert_array_equal(fitted.predict_proba(pa.table(needed)), expected)
    np.testing.assert_array_equal(fitted.predict_proba(X.assign(noise="a word")), expected)


def test_columns_are_kept_as_they_are(fitted, table):
    X, _ = table
    fitted = clone(fitted).fit(*table)
    chosen = fitted.set_output(transform="pandas").transform(X)
    pd.testing.assert_frame_equal(chosen, X[["colour", "weight"]])
    chosen = fitted.set_output(transform="polars").transform(in_polars(drawn()[0]))
    assert chosen.equals(in_polars(drawn()[0])[["colour", "weight"]])
    assert fitted.set_output(transform="default").transform(X).shape == (ROWS, 2)


def test_words_that_are_new_are_gaps(fitted, table):
    X, _ = table
    gaps, new = X.copy(), X.copy()
    gaps.loc[:4, "colour"] = None
    new.loc[:4, "colour"] = ["mauve", "pink", "mauve", "teal", "Red"]
    with pytest.warns(UnseenLevelsWarning, match=r"^5 cells .*\('colour': 5\)"):
        said = fitted.predict_proba(new)
    np.testing.assert_array_equal(said, fitted.predict_proba(gaps))
    # What files have for gaps, and blanks that they do not have, are no news.
    new.loc[:4, "colour"] = ["", "NA", "?", "null", " nan "]
    np.testing.assert_array_equal(fitted.predict_proba(new), said)
    spaced = X.assign(colour=X["colour"].map(lambda word: f" {word}", na_action="ignore"))
    np.testing.assert_array_equal(fitted.predict_proba(spaced), fitted.predict_proba(X))


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_gaps_in_arrays(clf, data, rng):
    X, y = data
    X = X.copy()
    X[rng.random(X.shape) < 0.1] = np.nan
    fitted = clone(clf).fit(X, y)
    assert fitted.score(X, y) > 0.7
    expected = fitted.decision_function(X)
    frame = pd.DataFrame(X)
    objects = frame.astype(object).where(frame.notna(), None).to_numpy()
    for other in (objects, X.astype(object), frame.astype("Float64")):
        np.testing.assert_array_equal(clone(clf).fit(other, y).decision_function(other), expected)
    infinite = X.copy()
    infinite[3, 2] = np.inf
    for wrong in (infinite, infinite.astype(object)):
        with pytest.raises(ValueError, match="contains infinity"):
            clone(clf).fit(wrong, y)
        with pytest.raises(ValueError, match="contains infinity"):
            fitted.predict(wrong)


def test_a_column_of_gaps_is_constant(table, fitted):
    X, y = table
    for nothing in (np.nan, None, pd.NaT):
        wide = X.assign(empty=nothing)
        other = PFCVMClassifier().fit(wide, y)
        np.testing.assert_array_equal(other.predict_proba(wide), fitted.predict_proba(X))


def test_rows_without_a_class_are_refused(table):
    X, y = table
    missing = y.astype(object)
    missing[3] = np.nan
    with pytest.raises(ValueError, match="Input.* contains NaN"):
        PFCVMClassifier().fit(X, missing)


def test_arrays_of_words(table, fitted):
    X, y = table
    array = X.astype(object).where(X.notna(), None).to_numpy()
    other = PFCVMClassifier().fit(array, y)
    np.testing.assert_array_equal(other.predict_proba(array), fitted.predict_proba(X))
    assert other.selected_features_.tolist() == [0, 3]
    lists = X[["colour", "noise"]].dropna()
    words = PFCVMClassifier("linear").fit(lists.to_numpy().tolist(), y[lists.index])
    frame = PFCVMClassifier("linear").fit(lists, y[lists.index])
    np.testing.assert_array_equal(
        words.predict_proba(lists.to_numpy().tolist()), frame.predict_proba(lists)
    )


def test_columns_are_called_words(table):
    X, y = table
    plain = X[["count", "weight", "noise"]].astype(float)
    expected = PFCVMClassifier(categorical_features=["count"]).fit(plain, y).predict_proba(plain)
    for listed in ([0], [True, False, False], np.array([-3])):
        clf = PFCVMClassifier(categorical_features=listed).fit(plain, y)
        np.testing.assert_array_equal(clf.predict_proba(plain), expected)
        array = plain.to_numpy()
        clf = PFCVMClassifier(categorical_features=listed).fit(array, y)
        np.testing.assert_array_equal(clf.predict_proba(array), expected)
    as_category = plain.astype({"count": "Int64"}).astype({"count": "category"})
    np.testing.assert_array_equal(
        PFCVMClassifier().fit(as_category, y).predict_proba(plain), expected
    )
    assert (PFCVMClassifier().fit(plain, y).predict_proba(plain) != expected).any()
    with pytest.raises(ValueError, match="could not convert string to float"):
        PFCVMClassifier(categorical_features=None).fit(X, y)
    for wrong, message in [
        ("auto", "must be 'from_dtype'"),
        (["colours"], "no column 'colours'"),
        ([7], "7 is no column of 7"),
        ([True], "1 truth values for 7 columns"),
        ([1.5], "names, positions"),
    ]:
        with pytest.raises(ValueError, match=message):
            PFCVMClassifier(categorical_features=wrong).fit(X, y)


@pytest.mark.parametrize("clf", CLASSIFIERS[:2], ids=lambda clf: type(clf).__name__)
def test_groups_are_selected_whole(clf, data, tmp_path):
    X, y = data
    frame = pd.DataFrame(X, columns=[f"{side}{k}" for k in range(4) for side in "ab"])
    groups = {f"{side}{k}": f"pair {k}" for k in range(3) for side in "ab"}
    fitted = clone(clf).set_params(feature_groups=groups).fit(frame, y)
    assert fitted.feature_groups_.tolist() == ["pair 0", "pair 1", "pair 2", "a3", "b3"]
    assert {0, 1} <= set(fitted.selected_features_.tolist())
    assert fitted.n_features_in_ == 8
    assert {"a0", "b0", "a1", "b1"} <= set(fitted.get_feature_names_out())
    importance = fitted.feature_importances_
    assert importance.shape == (8,) and importance[0] == importance[1] > 0
    assert len(fitted.false_alarm_) == len(fitted.selected_features_)
    assert "pair 0" in fitted.certain_feature_names_out()
    expected = fitted.predict_proba(frame)
    needed = frame[fitted.get_feature_names_out()]
    np.testing.assert_array_equal(fitted.predict_proba(needed), expected)
    listed = [groups.get(name) for name in frame.columns]
    for given in (listed, {at: group for at, group in enumerate(listed) if group}):
        other = clone(clf).set_params(feature_groups=given).fit(frame, y)
        np.testing.assert_array_equal(other.predict_proba(frame), expected)
    fitted.save_model(tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict_proba(frame), expected)
    assert again.feature_groups == [*[f"pair {k // 2}" for k in range(6)], "a3", "b3"]
    np.testing.assert_array_equal(clone(again).fit(frame, y).predict_proba(frame), expected)
    for wrong, message in [
        ({"a9": "g"}, "no column 'a9'"),
        (["g"], "a list of 8"),
        ({"a0": "b0"}, "name of a column that is not in it"),
    ]:
        with pytest.raises(ValueError, match=message):
            clone(clf).set_params(feature_groups=wrong).fit(frame, y)


def test_methods_of_numbers_take_groups(data):
    X, y = data
    groups = [0, 0, 1, 1, 2, 2, 3, 3]
    clf = pfcvm.WSVMClassifier("linear", feature_groups=groups).fit(X, y)
    support = clf.get_support()
    assert (support[::2] == support[1::2]).all() and support[:4].all()
    assert clf.transform(X).shape[1] == support.sum()
    assert np.isfinite(clf.decision_function(X)).all()
    selector = pfcvm.FisherSelector(2, feature_groups=groups).fit(X, y)
    assert set(selector.feature_groups_) == {"0", "1", "2", "3"}
    assert selector.transform(X).shape[1] == 2 * len(selector.selected_features_)


def test_selectors_take_tables(table):
    X, y = table
    selector = pfcvm.MRMRSelector(2).fit(X, y)
    assert "colour" in selector.get_feature_names_out()


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_pickles(clf, table):
    X, y = table
    fitted = clone(clf).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.decision_function(X), fitted.decision_function(X))
    with pytest.warns(UnseenLevelsWarning, match="^200 cells"):
        again.predict(X.assign(colour="mauve"))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("clf", CLASSIFIERS[:2], ids=lambda clf: type(clf).__name__)
def test_files_keep_kinds_and_levels(clf, classes, table, tmp_path):
    X, y = table
    y = y if classes == 2 else np.where(X["noise"] > 0.6, "maybe", y)
    fitted = clone(clf).fit(X, y)
    fitted.save_model(tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    assert again.feature_names_in_.tolist() == NAMES and again.n_features_in_ == 7
    assert again.categorical_features == ["colour", "shape", "lucky"]
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    np.testing.assert_array_equal(clone(again).fit(X, y).predict_proba(X), again.predict_proba(X))
    kinds = {
        one["name"]: one["kind"] for one in json.loads((tmp_path / "m.json").read_text())["columns"]
    }
    assert kinds["colour"] == kinds["shape"] == kinds["lucky"] == "words"
    assert (kinds["seen"], kinds["weight"]) == ("date", "number")


@pytest.mark.parametrize("panel", [False, True], ids=["single", "panel"])
def test_the_program_has_the_same_model(panel, table, program, tmp_path):
    X, y = table
    clf = (PFCVMPanelClassifier(3) if panel else PFCVMClassifier()).fit(X, y)
    clf.save_model(tmp_path / "python.json", label="label")
    X.assign(label=y).to_csv(tmp_path / "data.csv", index=False)
    options = ["--panel", 3] if panel else []
    model = tmp_path / "program.json"
    program("fit", tmp_path / "data.csv", "--model", model, "--label", "label", *options)
    assert (tmp_path / "python.json").read_bytes() == model.read_bytes()
    new = X.copy()
    new.loc[:3, "colour"] = ["mauve", None, "pink", "red"]
    new.loc[2:6, "weight"] = np.nan
    new.to_csv(tmp_path / "new.csv", index=False)
    program("predict", tmp_path / "python.json", tmp_path / "new.csv", "--out", tmp_path / "p.csv")
    said = pd.read_csv(tmp_path / "p.csv")
    with pytest.warns(UnseenLevelsWarning, match="^2 cells"):
        expected = clf.predict_proba(new)[:, 1]
    np.testing.assert_allclose(said["probability"], expected, rtol=0, atol=1e-12)


def test_many_levels(table, rng):
    """Customers' names: thousands of levels, none of them often."""
    X, y = table
    many = pd.DataFrame(
        {
            "customer": pd.Categorical([f"customer {k}" for k in rng.integers(0, 5000, 3000)]),
            "weight": rng.normal(size=3000),
        }
    )
    y = many["weight"] > 0
    clf = PFCVMClassifier("linear").fit(many, y)
    assert clf.get_feature_names_out().tolist() == ["weight"]


def test_batches_of_words(fitted, table):
    X, y = table
    batches = pa.table(X).to_batches(max_chunksize=64)
    scored = pa.Table.from_batches(pfcvm.score_batches(batches, fitted)).to_pandas()
    np.testing.assert_array_equal(scored["probability"], fitted.predict_proba(X)[:, 1])


def test_the_bound_takes_tables(fitted, table):
    assert fitted.generalization_bound(*table)["total"] > 0


def test_the_display_names_groups(data):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from pfcvm.plot import FeatureWeightsDisplay

    X, y = data
    clf = PFCVMClassifier(feature_groups=["g", "g", "h", "h", "i", "i", "j", "j"]).fit(X, y)
    for show in ("importance", "weights"):
        display = FeatureWeightsDisplay.from_estimator(clf, show=show)
        assert {"g", "h"} <= set(display.names)
