"""The committed files in SEED's layout say to SciPy what the tests of the Rust reader expect."""
import unittest
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from make_seed_files import LABELS, clip_values, count_up, kinds

FOLDER = Path(__file__).parent.parent / "crates/pfcvm-io/tests/seed"


class SeedFiles(unittest.TestCase):
    def test_labels(self):
        np.testing.assert_array_equal(loadmat(FOLDER / "features/label.mat")["label"], [LABELS])

    def test_sessions(self):
        names = ["1_20131027", "2_20140404", "10_20131130"]
        for session, name in enumerate(names, 1):
            found = loadmat(FOLDER / f"features/{name}.mat", mat_dtype=True)
            for clip in range(1, 16):
                array = found[f"de_LDS{clip}"]
                self.assertEqual(array.dtype.newbyteorder("="), np.float64)
                np.testing.assert_array_equal(array, clip_values(session, clip))

    def test_kinds(self):
        for name in ("kinds.mat", "kinds_packed.mat"):
            found = loadmat(FOLDER / name)
            self.assertLessEqual(set(kinds()), set(found))
            for variable in ("double", "single", "int8", "uint16", "int64"):
                np.testing.assert_array_equal(found[variable], count_up(float, 3, 2, 2))


if __name__ == "__main__":
    unittest.main()
