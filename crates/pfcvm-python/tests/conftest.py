"""What the tests share."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
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
        found = [path for path in (Path(folder) / name).glob("data.csv*")]
        if not found:
            pytest.skip(f"there is no {name} in the data folder")
        table = pd.read_csv(found[0])
        return table.drop(columns="label").to_numpy(dtype=float), table["label"].to_numpy()

    return read


@pytest.fixture(scope="session")
def rng():
    return np.random.default_rng(7)
