"""Data for the chapters of the handbook.

    python3 example.py NAME

writes the table of a chapter into this folder: the real one where the environment variable
PFCVM_DATA names the folder of the data sets, else a look-alike that is drawn, and says which.
Needs nothing but Python.
"""

import csv
import gzip
import os
import random
import sys
from pathlib import Path


def rows_of(path):
    open_it = gzip.open if path.suffix == ".gz" else open
    with open_it(path, "rt", newline="") as file:
        return list(csv.reader(file))


def write(name, rows):
    with open(name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def genes(data):
    """Golub's leukemias: 72 people, 7129 probes, AML or ALL."""
    if data:
        rows = rows_of(data / "leukemia/data.csv.gz")
        kinds = {"1": "AML", "-1": "ALL"}
        return write("genes.csv", [rows[0]] + [[*row[:-1], kinds[row[-1]]] for row in rows[1:]])
    draw = random.Random(1)
    table = [[f"gene_{k}" for k in range(800)] + ["label"]]
    for row in range(60):
        shift = 1.5 if row % 2 else 0.0
        values = [draw.gauss(shift if k < 12 else 0.0, 1.0) for k in range(800)]
        table.append([f"{value:.4f}" for value in values] + [["ALL", "AML"][row % 2]])
    return write("genes.csv", table)


def eeg(data):
    """Recordings of people with and without a history of alcoholism, one stimulus shown: five
    bands at 61 places of the head, several trials of each of 16 people."""
    if data:
        rows = rows_of(data / "eeg_alcoholism_de/data.csv.gz")
        about = rows_of(data / "eeg_alcoholism_de/samples.csv")
        person, condition = about[0].index("subject"), about[0].index("condition")
        kinds = {"1": "alcoholic", "-1": "control"}
        table = [["person"] + rows[0]]
        for row, known in zip(rows[1:], about[1:]):
            if known[condition] == "S1 obj":
                table.append([known[person], *row[:-1], kinds[row[-1]]])
        return write("eeg.csv", table)
    draw = random.Random(2)
    places = [f"P{k}" for k in range(12)]
    bands = ["theta", "alpha", "beta"]
    table = [["person"] + [f"{band}_{place}" for band in bands for place in places] + ["label"]]
    for person in range(10):
        own = [draw.gauss(0.0, 0.7) for _ in range(36)]
        for _ in range(16):
            shift = 1.2 if person % 2 else 0.0
            values = [draw.gauss(own[k] + (shift if k % 12 < 2 else 0.0), 1.0) for k in range(36)]
            name = "alcoholic" if person % 2 else "control"
            table.append([f"person{person}"] + [f"{value:.4f}" for value in values] + [name])
    return write("eeg.csv", table)


def clinic(data):
    """Hepatitis: 155 people, words and numbers, 167 gaps; who lived."""
    if data:
        text = (data / "tables/hepatitis.arff").read_text()
        return Path("clinic.arff").write_text(text)
    draw = random.Random(3)
    lines = ["@relation lookalike", "@attribute AGE numeric", "@attribute SEX {male,female}"]
    lines += [f"@attribute SIGN_{k} {{no,yes}}" for k in range(6)]
    lines += ["@attribute BILIRUBIN numeric", "@attribute Class {DIE,LIVE}", "@data"]
    for _ in range(150):
        signs = [draw.random() < 0.4 for _ in range(6)]
        bilirubin = draw.lognormvariate(0.2, 0.6)
        ill = 1.6 * signs[0] + 1.4 * signs[1] + 0.8 * bilirubin + draw.gauss(0.0, 0.8)
        cells = [str(draw.randint(15, 80)), draw.choice(["male", "female"])]
        cells += ["yes" if sign else "no" for sign in signs] + [f"{bilirubin:.2f}"]
        cells = ["?" if draw.random() < 0.06 else cell for cell in cells]
        lines.append(",".join(cells + ["DIE" if ill > 2.9 else "LIVE"]))
    return Path("clinic.arff").write_text("\n".join(lines) + "\n")


def cells(data):
    """Nuclei of breast tumours (WDBC): 569 of them, 30 measurements, malignant or benign."""
    if data:
        rows = rows_of(data / "wdbc/data.csv")
        kinds = {"1": "malignant", "-1": "benign"}
        return write("cells.csv", [rows[0]] + [[*row[:-1], kinds[row[-1]]] for row in rows[1:]])
    return blobs("cells.csv", 300, 4, ["benign", "malignant"])


def three(data):
    """Three small sets that everybody knows: sonar, ionosphere, and the nuclei."""
    for name in ["sonar", "ionosphere", "wdbc"]:
        if data:
            write(f"{name}.csv", rows_of(data / name / "data.csv"))
        else:
            blobs(f"{name}.csv", 120, len(name), ["-1", "1"])


def blobs(name, size, seed, classes):
    draw = random.Random(seed)
    table = [[f"x{k}" for k in range(12)] + ["label"]]
    for row in range(size):
        values = [draw.gauss(1.2 if k < 4 and row % 2 else 0.0, 1.0) for k in range(12)]
        table.append([f"{value:.4f}" for value in values] + [classes[row % 2]])
    write(name, table)


if __name__ == "__main__":
    known = {"genes": genes, "eeg": eeg, "clinic": clinic, "cells": cells, "three": three}
    if len(sys.argv) != 2 or sys.argv[1] not in known:
        sys.exit(f"name one of {', '.join(known)}")
    folder = os.environ.get("PFCVM_DATA")
    known[sys.argv[1]](Path(folder) if folder else None)
    if not folder:
        print("PFCVM_DATA is not set: this is a look-alike, and its figures are other ones", file=sys.stderr)
