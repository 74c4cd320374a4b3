"""What the tests share."""

import os
import subprocess
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
    """Reads a real data set, or skips the test."""
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


@pytest.fixture(scope="session")
def program():
    """The program, if `cargo xtask test` or the user says where it is."""
    path = os.environ.get("PFCVM_PROGRAM")
    if path is None:
        pytest.skip("PFCVM_PROGRAM does not name the program")

    def run(*words):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def waveform(program, tmp_path_factory):
    """Three classes, drawn by the program."""
    file = tmp_path_factory.mktemp("waveform") / "waveform.csv"
    program("generate", "waveform-three", "--n", 180, "--seed", 5, "--out", file)
    table = pd.read_csv(file)
    return file, table.drop(columns="label"), table["label"].to_numpy()
