"""Writes the classes of the catalogue, from the list of methods in the installed package.

    python crates/pfcvm-python/catalogue.py

To be run when a method or a setting has changed; a test compares what is there with what this
would write.
"""

from pathlib import Path

from pfcvm._documentation import Parameter, catalogue, parameters

MODULE = Path(__file__).parent / "python" / "pfcvm" / "_catalogue.py"
HEAD = '''"""The classes of the catalogue. Written by `catalogue.py` from the list of methods."""

from __future__ import annotations

from typing import Any

from ._base import Probabilities, Selecting
from ._method import Filter, MaybeProbabilities, MethodClassifier

__all__ = [
{names}]
'''
# The method itself and panels have classes of their own, which can do more.
OTHERS = {"pfcvm-lp", "pfcvm-panel"}
# What is no abbreviation.
WORDS = {"fisher": "Fisher", "laplacian": "Laplacian", "trc": "TraceRatio"}


def class_name(entry: dict) -> str:
    name = WORDS.get(entry["name"], entry["name"].replace("-", "").upper())
    return name + ("Classifier" if entry["role"] == "classifier" else "Selector")


def bases(entry: dict) -> str:
    if entry["role"] != "classifier":
        return "Filter"
    always = all(setting["key"] != "probability" for setting in entry["settings"])
    kinds = ["Selecting"] if entry["selects_features"] else []
    kinds += ["Probabilities" if always else "MaybeProbabilities", "MethodClassifier"]
    return ", ".join(kinds)


def stated(parameter: Parameter) -> str:
    default = parameter.default
    shown = f'"{default}"' if isinstance(default, str) else repr(default)
    return f"        {parameter.name}: {parameter.annotation} = {shown},\n"


def written(entry: dict) -> str:
    first, *others = parameters(entry)
    lines = [
        f"\n\nclass {class_name(entry)}({bases(entry)}):\n",
        f'    _method = "{entry["name"]}"\n\n',
        "    def __init__(\n        self,\n",
        stated(first),
        *(["        *,\n"] if others else []),
        *map(stated, others),
        "    ) -> None:\n",
        *(f"        self.{one.name} = {one.name}\n" for one in [first, *others]),
    ]
    return "".join(lines)


def module() -> str:
    """The whole module."""
    entries = [entry for name, entry in catalogue().items() if name not in OTHERS]
    names = "".join(f'    "{name}",\n' for name in sorted(map(class_name, entries)))
    return HEAD.replace("{names}", names) + "".join(map(written, entries))


if __name__ == "__main__":
    MODULE.write_text(module())
