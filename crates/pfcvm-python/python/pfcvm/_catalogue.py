"""The classes of the catalogue. Written by `catalogue.py` from the list of methods."""

from __future__ import annotations

from typing import Any

from ._base import Probabilities, Selecting
from ._method import Filter, MaybeProbabilities, MethodClassifier

__all__ = [
    "EPCVMClassifier",
    "FSNMSelector",
    "FisherSelector",
    "IRSFMClassifier",
    "JCFOClassifier",
    "L1SVMClassifier",
    "LaplacianSelector",
    "MPMClassifier",
    "MRMRSelector",
    "PCVMClassifier",
    "PFCVMEMClassifier",
    "RSFMClassifier",
    "RVMClassifier",
    "SMPMClassifier",
    "SVMClassifier",
    "TraceRatioSelector",
    "WSVMClassifier",
]


class PFCVMEMClassifier(Selecting, Probabilities, MethodClassifier):
    _method = "pfcvm-em"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: str | float = "auto",
        shape: float = 0.0,
        rate: float = 0.0,
        class_weight: Any = None,
        standardise: bool = True,
        max_basis: int = 2000,
        max_iter: int = 500,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.shape = shape
        self.rate = rate
        self.class_weight = class_weight
        self.standardise = standardise
        self.max_basis = max_basis
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class RVMClassifier(Probabilities, MethodClassifier):
    _method = "rvm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: str | float = "auto",
        algorithm: str = "fast",
        bias: bool = True,
        class_weight: Any = None,
        standardise: bool = True,
        max_basis: int = 2000,
        max_iter: int = 10000,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.algorithm = algorithm
        self.bias = bias
        self.class_weight = class_weight
        self.standardise = standardise
        self.max_basis = max_basis
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class PCVMClassifier(Probabilities, MethodClassifier):
    _method = "pcvm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: str | float = "auto",
        learn_width: bool = True,
        restarts: int = 3,
        class_weight: Any = None,
        standardise: bool = True,
        max_basis: int = 2000,
        max_iter: int = 500,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.learn_width = learn_width
        self.restarts = restarts
        self.class_weight = class_weight
        self.standardise = standardise
        self.max_basis = max_basis
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class EPCVMClassifier(Probabilities, MethodClassifier):
    _method = "epcvm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: str | float = "auto",
        algorithm: str = "batch",
        truncation: str = "exact",
        class_weight: Any = None,
        standardise: bool = True,
        max_basis: int = 2000,
        max_iter: int = 2000,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.algorithm = algorithm
        self.truncation = truncation
        self.class_weight = class_weight
        self.standardise = standardise
        self.max_basis = max_basis
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class JCFOClassifier(Selecting, Probabilities, MethodClassifier):
    _method = "jcfo"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: str | float = "auto",
        sample_rate: float = 0.5,
        feature_rate: float = 1.0,
        class_weight: Any = None,
        standardise: bool = True,
        max_basis: int = 2000,
        max_iter: int = 500,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.sample_rate = sample_rate
        self.feature_rate = feature_rate
        self.class_weight = class_weight
        self.standardise = standardise
        self.max_basis = max_basis
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class RSFMClassifier(Selecting, Probabilities, MethodClassifier):
    _method = "rsfm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: str | float = "auto",
        class_weight: Any = None,
        standardise: bool = True,
        max_basis: int = 2000,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.class_weight = class_weight
        self.standardise = standardise
        self.max_basis = max_basis
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class IRSFMClassifier(Selecting, Probabilities, MethodClassifier):
    _method = "irsfm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: str | float = "auto",
        class_weight: Any = None,
        standardise: bool = True,
        max_basis: int = 2000,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.class_weight = class_weight
        self.standardise = standardise
        self.max_basis = max_basis
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class SVMClassifier(MaybeProbabilities, MethodClassifier):
    _method = "svm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        C: float = 1.0,
        gamma: str | float = "scale",
        class_weight: Any = None,
        standardise: bool = True,
        probability: bool | str = False,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight
        self.standardise = standardise
        self.probability = probability
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class L1SVMClassifier(Selecting, MaybeProbabilities, MethodClassifier):
    _method = "l1svm"

    def __init__(
        self,
        C: float = 1.0,
        *,
        class_weight: Any = None,
        standardise: bool = True,
        probability: bool | str = False,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.C = C
        self.class_weight = class_weight
        self.standardise = standardise
        self.probability = probability
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class WSVMClassifier(Selecting, MaybeProbabilities, MethodClassifier):
    _method = "wsvm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        C: float = 1.0,
        gamma: str | float = "scale",
        class_weight: Any = None,
        standardise: bool = True,
        probability: bool | str = False,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight
        self.standardise = standardise
        self.probability = probability
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class MPMClassifier(MaybeProbabilities, MethodClassifier):
    _method = "mpm"

    def __init__(
        self,
        kernel: str = "linear",
        *,
        gamma: str | float = "scale",
        ridge: float = 0.01,
        standardise: bool = True,
        probability: bool | str = False,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.ridge = ridge
        self.standardise = standardise
        self.probability = probability
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class SMPMClassifier(MaybeProbabilities, MethodClassifier):
    _method = "smpm"

    def __init__(
        self,
        kernel: str = "linear",
        *,
        gamma: str | float = "scale",
        clusters: str | int = "auto",
        ridge: float = 0.01,
        standardise: bool = True,
        probability: bool | str = False,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "one-vs-one",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.clusters = clusters
        self.ridge = ridge
        self.standardise = standardise
        self.probability = probability
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state


class FisherSelector(Filter):
    _method = "fisher"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups


class LaplacianSelector(Filter):
    _method = "laplacian"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        neighbours: int = 5,
        width: str | float = "auto",
        supervised: bool = False,
        standardise: bool = True,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.neighbours = neighbours
        self.width = width
        self.supervised = supervised
        self.standardise = standardise
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups


class MRMRSelector(Filter):
    _method = "mrmr"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        scheme: str = "mid",
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.scheme = scheme
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups


class TraceRatioSelector(Filter):
    _method = "trc"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        standardise: bool = False,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.standardise = standardise
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups


class FSNMSelector(Filter):
    _method = "fsnm"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        gamma: float = 1.0,
        standardise: bool = True,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.gamma = gamma
        self.standardise = standardise
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
