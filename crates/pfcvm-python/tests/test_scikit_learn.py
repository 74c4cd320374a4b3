"""Inside scikit-learn's own machinery."""

import numpy as np
import pandas as pd
import pytest
from pfcvm import (
    FisherSelector,
    L1SVMClassifier,
    MPMClassifier,
    MRMRSelector,
    PCVMClassifier,
    PFCVMClassifier,
    RVMClassifier,
)
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_pipeline_selects_then_classifies(data):
    X, y = data
    pipe = make_pipeline(MinMaxScaler(), PFCVMClassifier(), LogisticRegression()).fit(X, y)
    assert pipe[:-1].transform(X).shape[1] == len(pipe[1].selected_features_)
    assert pipe.score(X, y) > 0.75
    filtered = make_pipeline(FisherSelector(3), PCVMClassifier()).fit(X, y)
    assert filtered[-1].n_features_in_ == 3 and filtered.score(X, y) > 0.75


def test_grid_search(data):
    X, y = data
    pipe = make_pipeline(MRMRSelector(), RVMClassifier())
    grid = {"mrmrselector__n_features_to_select": [1, 3], "rvmclassifier__gamma": [0.01, 0.3]}
    search = GridSearchCV(pipe, grid, scoring="neg_log_loss", cv=3).fit(X, y)
    assert search.best_params_["mrmrselector__n_features_to_select"] == 3
    own = GridSearchCV(PFCVMClassifier(), {"kernel": ["rbf", "linear"]}, cv=3, n_jobs=2).fit(X, y)
    assert own.best_score_ > 0.75


def test_scores_and_predictions_of_folds(data):
    X, y = data
    scores = cross_validate(PFCVMClassifier(), X, y, scoring=["roc_auc", "neg_brier_score"])
    assert (scores["test_roc_auc"] > 0.7).all()
    p = cross_val_predict(PFCVMClassifier(), X, y, method="predict_proba")
    decision = cross_val_predict(PFCVMClassifier(), X, y, method="decision_function")
    np.testing.assert_array_equal(p[:, 1] > 0.5, decision > 0)


def test_calibration(data):
    X, y = data
    for clf in (PFCVMClassifier(), L1SVMClassifier(), MPMClassifier()):
        calibrated = CalibratedClassifierCV(clf, cv=3).fit(X, y)
        assert calibrated.predict_proba(X).shape == (120, 2)
        assert calibrated.score(X, y) > 0.75


def test_permutation_importance_agrees_with_what_was_selected(data):
    X, y = data
    clf = PFCVMClassifier("rbf").fit(X, y)
    found = permutation_importance(clf, X, y, n_repeats=5, random_state=0)
    outside = np.setdiff1d(np.arange(8), clf.selected_features_)
    np.testing.assert_array_equal(found.importances[outside], 0.0)
    assert (found.importances_mean[clf.selected_features_] > 0).all()


def test_set_output_through_a_pipeline(data):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcdefgh")).assign(kind=np.where(X[:, 4] > 0, "u", "v"))
    encode = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["kind"]),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    pipe = make_pipeline(encode, PFCVMClassifier()).set_output(transform="pandas").fit(frame, y)
    kept = pipe.transform(frame)
    assert isinstance(kept, pd.DataFrame)
    assert {"a", "b"} <= set(kept.columns) <= {*"abcdefgh", "kind_u", "kind_v"}
    sparse = make_pipeline(OneHotEncoder(), PFCVMClassifier()).fit(frame[["kind"]], X[:, 4] > 0)
    assert sparse.score(frame[["kind"]], X[:, 4] > 0) == 1.0


@pytest.mark.parametrize("clf", [PFCVMClassifier(), PFCVMClassifier("linear"), L1SVMClassifier()])
def test_importance_for_others(clf, data):
    X, y = data
    chosen = SelectFromModel(clf, threshold=1e-12).fit(X, y)
    np.testing.assert_array_equal(chosen.get_support(), chosen.estimator_.get_support())
    weighed = chosen.estimator_.feature_importances_
    assert (weighed >= 0).all() and set(np.argsort(weighed)[-2:]) == {0, 1}
    ranked = RFE(clf, n_features_to_select=2).fit(X, y)
    assert set(np.flatnonzero(ranked.support_)) == {0, 1}


def test_ensembles(data):
    X, y = data
    members = [("a", PFCVMClassifier()), ("b", RVMClassifier())]
    for clf in (
        VotingClassifier(members, voting="soft"),
        StackingClassifier(members, cv=3),
        BaggingClassifier(PFCVMClassifier(), n_estimators=3, random_state=0),
    ):
        assert cross_val_score(clf, X, y, cv=3).mean() > 0.7


def test_weights_are_routed(data):
    from sklearn import config_context

    X, y = data
    weights = np.where(y == 1, 3.0, 1.0)
    with config_context(enable_metadata_routing=True):
        pipe = make_pipeline(MinMaxScaler(), PFCVMClassifier().set_fit_request(sample_weight=True))
        a = pipe.fit(X, y, sample_weight=weights)
    b = make_pipeline(MinMaxScaler(), PFCVMClassifier()).fit(
        X, y, pfcvmclassifier__sample_weight=weights
    )
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(X))
