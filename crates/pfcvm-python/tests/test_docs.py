"""Docstrings: their form, and their examples."""

import doctest
import inspect
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import pfcvm
import pfcvm.plot
import pytest

NAMES = [name for name in pfcvm.__all__ if not name.startswith("__")]
NAMES += [f"plot.{name}" for name in pfcvm.plot.__all__]


# A fit that uses up its iterations is a fit.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", NAMES)
def test_examples_run(name):
    thing = attrgetter(name)(pfcvm)
    tests = [test for test in doctest.DocTestFinder().find(thing, name) if test.examples]
    assert tests, f"{name} has no example"
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name.endswith(("Classifier", "Selector"))]
)
def test_every_parameter_is_documented_with_its_default(name):
    made = getattr(pfcvm, name)
    text = inspect.getdoc(made)
    signature = inspect.signature(made.__init__)
    for parameter in list(signature.parameters.values())[1:]:
        default = parameter.default
        shown = f'"{default}"' if isinstance(default, str) else repr(default)
        lines = [line for line in text.splitlines() if line.startswith(f"{parameter.name} : ")]
        assert lines and lines[0].endswith(f"default={shown}"), parameter.name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_numpydoc_form(name):
    validate = pytest.importorskip("numpydoc.validate").validate
    # Those that ask for more sections, or for another style of sentence.
    other_taste = {
        "GL01",
        "GL02",
        "GL03",
        "EX01",
        "SA01",
        "SA04",
        "ES01",
        "SS05",
        "SS06",
        "RT03",
        "PR06",
        "PR08",
        "PR09",
    }
    found = [error for error in validate(f"pfcvm.{name}")["errors"] if error[0] not in other_taste]
    assert not found


def test_stubs_are_those_of_the_module():
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "pfcvm._pfcvm"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_hold(tmp_path):
    pytest.importorskip("mypy")
    options = ["--ignore-missing-imports", "--disallow-untyped-defs", "-p", "pfcvm"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (Path(pfcvm.__file__).parent / "py.typed").exists()


def test_types_reach_the_user(tmp_path):
    """What a type checker says of a user's program."""
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(
        "import pfcvm\n"
        "reveal_type(pfcvm.PFCVMClassifier().fit([[0.0]], [1]))\n"
        "reveal_type(pfcvm.RVMClassifier(gamma=0.5).fit([[0.0]], [1]).predict([[0.0]]))\n"
        "reveal_type(pfcvm.FisherSelector(3).fit([[0.0]], [1]))\n"
        "pfcvm.RVMClassifier(bias='no')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", "user.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    first, second, third, fourth, *_ = done.stdout.splitlines()
    assert "pfcvm._classifier.PFCVMClassifier" in first
    assert "ndarray" in second
    assert "pfcvm._catalogue.FisherSelector" in third
    assert "incompatible type" in fourth and "bool" in fourth


@pytest.mark.parametrize("words", [("format", "--check"), ("check",)], ids=str)
def test_form(words):
    pytest.importorskip("ruff")
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "ruff", *words, "--quiet", "crates/pfcvm-python"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
