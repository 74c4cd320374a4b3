"""How far a model's effects are from partial dependence at the rows it learned from.

    python reference/effects.py PFCVM DATA.csv...

fits each file with the program, takes `effects` from `inspect --json`, and computes partial dependence by
itself from the model file and the training rows. Beside that: the same with all other features at their centre, and
at the kept samples. Tables of numbers and two classes only.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def errors(program, data):
    """The number of features and samples, and how far each of three ways is off."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "model.json")
        subprocess.run([program, "fit", data, "--model", path], check=True, capture_output=True)
        stored = json.loads(pathlib.Path(path).read_text())
        told = subprocess.run([program, "inspect", path, "--json"], check=True, capture_output=True)
    effects = json.loads(told.stdout)["effects"]["columns"]
    model = stored["machines"][0]["fitted"]["model"]
    names = [stored["feature_names"][at] for at in model["features"]]
    with open(data, newline="") as file:
        rows = list(csv.reader(file))
    places = [rows[0].index(name) for name in names]
    x = np.array([[float(row[at]) for at in places] for row in rows[1:]])
    centre, scale = (np.array(model["scaler"][key])[model["positions"]] for key in ("centre", "scale"))
    x = (x - centre) / scale
    values = model["sample_values"]
    z = np.array(values["values"]).reshape(values["cols"], values["rows"]).T
    theta, weights = np.array(model["feature_weights"]), np.array(model["sample_weights"])
    signed = weights[1:] * np.array(model["sample_signs"])

    def decision(rows):
        return weights[0] + np.exp(-((rows[:, None] - z) ** 2 * theta).sum(2)) @ signed

    def curve(rows, feature, at):
        def mean(value):
            changed = rows.copy()
            changed[:, feature] = value
            return decision(changed).mean()

        return np.array([mean(value) for value in at]) - mean(0.0)

    squares = np.zeros(4)
    for effect in effects:
        k = names.index(effect["name"])
        at = (np.array(effect["values"]) - centre[k]) / scale[k]
        truth = curve(x, k, at)
        ways = [curve(np.zeros((1, len(names))), k, at), curve(z, k, at), np.array(effect["effect"])]
        squares += [(truth**2).sum()] + [((way - truth) ** 2).sum() for way in ways]
    return len(names), len(z), *np.sqrt(squares[1:] / squares[0])


if __name__ == "__main__":
    print("data                 features  samples  at the centre  at the samples  told")
    for file in sys.argv[2:]:
        features, samples, *off = errors(sys.argv[1], file)
        print(f"{pathlib.Path(file).stem:20} {features:8} {samples:8} {off[0]:14.2f} {off[1]:15.2f} {off[2]:5.2f}")
