"""Model files, between Python and the program."""

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pfcvm import PFCVMClassifier, PFCVMPanelClassifier, load_model

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CLASSIFIERS = [
    PFCVMClassifier(),
    PFCVMClassifier("linear", class_weight={"no": 1.0, "yes": 2.5}),
    PFCVMClassifier("poly", degree=3, class_weight="balanced", start={"feature_weight": 0.1}),
    PFCVMClassifier(algorithm="paper"),
    PFCVMPanelClassifier(5, members=10, random_state=3),
]


@pytest.fixture
def table(data):
    X, y = data
    frame = pd.DataFrame(X, columns=[f"gene {k}" for k in range(8)])
    return frame, np.array(["no", "yes"])[y]


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=str)
def test_there_and_back(clf, table, tmp_path):
    X, y = table
    fitted = clf.fit(X, y)
    fitted.save_model(tmp_path / "m.json")
    read = load_model(tmp_path / "m.json")
    assert type(read) is type(fitted)
    assert read.scheme == fitted.scheme
    np.testing.assert_array_equal(read.predict_proba(X), fitted.predict_proba(X))
    np.testing.assert_array_equal(read.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(read.feature_names_in_, fitted.feature_names_in_)
    np.testing.assert_array_equal(read.selected_features_, fitted.selected_features_)
    # The parameters read make the same model again.
    again = read.fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))


def test_a_weighted_fit_can_be_stored(data, tmp_path):
    """Its rows are in an order of their own."""
    X, y = data
    clf = PFCVMClassifier(samples="dense").fit(X, y, sample_weight=1.0 + np.arange(120) % 3)
    clf.save_model(tmp_path / "m.json")
    read = load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(read.predict_proba(X), clf.predict_proba(X))
    np.testing.assert_array_equal(read.selected_samples_, clf.selected_samples_)


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1],
        [-1.0, 2.0],
        [False, True],
        ["a", "b"],
        ["0", "1"],
        ["False", "True"],
        ["1", "1.0"],
    ],
    ids=str,
)
def test_labels_come_back_with_their_type(data, labels, tmp_path):
    X, y = data
    clf = PFCVMClassifier().fit(X, np.asarray(labels)[y])
    clf.save_model(tmp_path / "m.json")
    read = load_model(tmp_path / "m.json")
    assert read.classes_.tolist() == labels and read.classes_.dtype == clf.classes_.dtype
    assert not hasattr(read, "feature_names_in_")


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=str)
def test_the_program_predicts_the_same_bits(clf, table, tmp_path, program):
    X, y = table
    clf.fit(X, y).save_model(tmp_path / "m.json", label="y")
    X.assign(y=y).to_csv(tmp_path / "data.csv", index=False)
    rows = list(
        csv.DictReader(program("predict", tmp_path / "m.json", tmp_path / "data.csv").splitlines())
    )
    mean, variance = clf.latent_mean_and_variance(X)
    np.testing.assert_array_equal([float(row["decision"]) for row in rows], mean)
    np.testing.assert_array_equal([float(row["variance"]) for row in rows], variance)
    np.testing.assert_array_equal(
        [float(row["probability"]) for row in rows], clf.predict_proba(X)[:, 1]
    )
    assert [row["label"] for row in rows] == clf.predict(X).tolist()


@pytest.mark.parametrize("options", [(), ("--kernel", "linear"), ("--panel", "3")])
def test_a_model_of_the_program_is_read(options, table, tmp_path, program):
    X, y = table
    X.assign(y=y).to_csv(tmp_path / "data.csv", index=False)
    program("fit", tmp_path / "data.csv", "--model", tmp_path / "m.json", *options)
    clf = load_model(tmp_path / "m.json")
    rows = program("predict", tmp_path / "m.json", tmp_path / "data.csv", "--json").splitlines()
    rows = [json.loads(row) for row in rows]
    np.testing.assert_array_equal([row["probability"] for row in rows], clf.predict_proba(X)[:, 1])
    assert [row["label"] for row in rows] == clf.predict(X).tolist()
    # Plain data give the same model here and there, to the bit.
    again = clf.fit(X, y)
    np.testing.assert_array_equal(
        [row["probability"] for row in rows], again.predict_proba(X)[:, 1]
    )


OLDER = Path(__file__).parents[2] / "pfcvm-cli" / "tests" / "models"


@pytest.mark.parametrize("name", ["schema-1", "schema-3-panel", "schema-4-three"])
def test_older_files_do_not_say_how_sure_they_are(name):
    clf = load_model(OLDER / f"{name}.json")
    assert clf.nothing_found_ is None and clf.certain_features_ is None
    assert clf.false_alarm_ is None
    np.testing.assert_array_equal(clf.feature_importances_, clf.feature_shares_)
    assert clf.feature_shares_.sum() == pytest.approx(1.0)


def test_refusals(data, tmp_path):
    X, y = data
    clf = PFCVMClassifier().fit(X, np.array(["", "b"])[y])
    with pytest.raises(ValueError, match="without a name"):
        clf.save_model(tmp_path / "m.json")
    assert not (tmp_path / "m.json").exists()
    clf = PFCVMClassifier().fit(X, y)
    with pytest.raises(OSError, match="cannot be written"):
        clf.save_model(tmp_path / "no folder" / "m.json")
    with pytest.raises(ValueError, match="cannot be read"):
        load_model(tmp_path / "nothing.json")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ValueError, match="not a pfcvm model"):
        load_model(tmp_path / "text")
    clf.save_model(tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text()
    (tmp_path / "m.json").write_text(text[: len(text) // 2])
    with pytest.raises(ValueError, match="cut off"):
        load_model(tmp_path / "m.json")
    (tmp_path / "m.json").write_text(text.replace('"classes":["0","1"]', '"classes":["a","b"]'))
    with pytest.raises(ValueError, match="checked=False"):
        load_model(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json", checked=False).classes_.tolist() == ["a", "b"]


def test_classes_that_are_one_number_stay_two(data, tmp_path):
    """Also in a file that does not say that its classes are text."""
    X, y = data
    PFCVMClassifier().fit(X, y).save_model(tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text()
    (tmp_path / "m.json").write_text(text.replace('"classes":["0","1"]', '"classes":["1","1.0"]'))
    assert load_model(tmp_path / "m.json", checked=False).classes_.tolist() == ["1", "1.0"]
