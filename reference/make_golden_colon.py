"""Write the golden file of scikit-learn's SVC on the colon data, which are not part of the repository.

    PFCVM_DATA=DIR python make_golden_colon.py OUT_DIR    (the repository's crates/pfcvm-methods/tests/golden)

Support vectors and decisions on the rows themselves, on standardised features. Floats are written so that they read
back to the same bits.
"""
import json
import os
import sys
from pathlib import Path

import numpy as np
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC


def fit(z, y, kernel, c):
    model = SVC(kernel=kernel, C=c, gamma="scale").fit(z, y)
    return {"kernel": kernel, "c": c, "support": np.sort(model.support_).tolist(),
            "decisions": model.decision_function(z).tolist()}


def main(out_dir):
    table = np.loadtxt(Path(os.environ["PFCVM_DATA"]) / "colon" / "data.csv.gz", delimiter=",", skiprows=1)
    z, y = StandardScaler().fit_transform(table[:, :-1]), table[:, -1]
    fits = [fit(z, y, kernel, c) for kernel in ("rbf", "linear") for c in (0.001, 1.0, 10.0)]
    about = "scikit-learn's SVC on the colon data, standardised."
    text = json.dumps({"about": about, "fits": fits}, separators=(",", ":"))
    (Path(out_dir) / "colon.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2 or "PFCVM_DATA" not in os.environ:
        raise SystemExit(__doc__)
    main(sys.argv[1])
