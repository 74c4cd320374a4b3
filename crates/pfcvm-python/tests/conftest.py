"""What the tests share."""

import os
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="session")
def data():
    """120 samples, 8 features, the first 3 of which tell the classes apart."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 8))
    y = (X[:, :3] @ [1.5, -1.5, 1.0] + 0.7 * rng.normal(size=120) > 0).astype(int)
    return X, y


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
