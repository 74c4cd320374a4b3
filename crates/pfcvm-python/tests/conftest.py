"""What the tests share."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification


@pytest.fixture(scope="session")
def data():
    """120 samples, 8 features, 3 of which tell the classes apart."""
    return make_classification(
        120, 8, n_informative=3, n_redundant=0, class_sep=1.5, shuffle=False, random_state=3
    )


@pytest.fixture(scope="session")
def real():
    """Reads a real data set of two classes, or skips the test."""
    folder = os.environ.get("PFCVM_DATA")

    def read(name: str):
        if folder is None:
            pytest.skip("PFCVM_DATA is not set")
        path = Path(folder) / name
        if not path.exists():
            pytest.skip(f"{path} is not there")
        return path

    return read


@pytest.fixture(scope="session")
def rng():
    return np.random.default_rng(7)
