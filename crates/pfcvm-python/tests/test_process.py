"""Interrupts, threads, forks, pickles."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pfcvm
import pytest
from pfcvm import JCFOClassifier, PFCVMClassifier, PFCVMPanelClassifier
from sklearn.base import clone

CLASSIFIERS = [getattr(pfcvm, name)() for name in pfcvm.__all__ if name.endswith("Classifier")]

# Takes far longer than the test, whatever the machine. Says when the fit is inside the compiled half.
ENDLESS = """
import numpy as np, os, signal, sys, threading, time
from pfcvm import {name}

# A shell that starts something in the background has it ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

def watch(main):
    while sys._current_frames()[main].f_code.co_name != "_learn":
        time.sleep(0.01)
    print("begins", flush=True)

def works():
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{{task}}/comm") as name:
                if name.read() == "pfcvm\\n":
                    return True
        except OSError:
            pass  # it ended meanwhile
    return False

threading.Thread(target=watch, args=(threading.get_ident(),), daemon=True).start()
rng = np.random.default_rng(0)
X = rng.normal(size=({rows}, 300)); y = (X[:, 0] + rng.normal(size={rows}) > 0)
try:
    {name}({arguments}).fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    # The thread of the fit ends by itself, in the middle of what it does.
    while works():
        time.sleep(0.01)
    print("over", flush=True)
    sys.exit(7)
print("done", flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are looked for as Linux lists them")
@pytest.mark.parametrize(
    "name, rows, arguments",
    [
        ("PFCVMClassifier", 4000, "samples='dense'"),
        ("JCFOClassifier", 2000, ""),
        ("WSVMClassifier", 4000, ""),
        ("SVMClassifier", 6000, "C=1000"),
        ("RVMClassifier", 2000, "algorithm='batch'"),
    ],
)
def test_ctrl_c_interrupts_at_once(name, rows, arguments):
    code = ENDLESS.format(name=name, rows=rows, arguments=arguments)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begins\n"
    child.send_signal(signal.SIGINT)
    begin = time.monotonic()
    assert child.stdout.readline() == "interrupted\n"
    raised = time.monotonic() - begin
    assert child.stdout.readline() == "over\n"
    child.communicate(timeout=60)
    assert child.returncode == 7
    # How long it took is shown with -s, not asserted: machines differ.
    print(
        f"{name}: raised {raised:.2f} s after Ctrl-C, over {time.monotonic() - begin:.2f} s after it"
    )


def test_python_goes_on_while_a_fit_runs(data):
    X = np.random.default_rng(0).normal(size=(1500, 60))
    y = X[:, 0] + X[:, 1] ** 2 > 1
    fit = threading.Thread(target=PFCVMClassifier(samples="dense").fit, args=(X, y))
    ticks = 0
    fit.start()
    while fit.is_alive():
        ticks += 1
        time.sleep(0.005)
    assert ticks > 5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_copies_predict_the_same_bits(clf, data, tmp_path):
    X, y = data
    fitted = clone(clf).fit(X, y)
    expected = fitted.latent_mean_and_variance(X)
    joblib.dump(fitted, tmp_path / "model.joblib")
    for other in (
        pickle.loads(pickle.dumps(fitted)),
        copy.deepcopy(fitted),
        copy.copy(fitted),
        joblib.load(tmp_path / "model.joblib"),
    ):
        np.testing.assert_array_equal(other.latent_mean_and_variance(X), expected)
        if hasattr(fitted, "predict_proba"):
            np.testing.assert_array_equal(other.predict_proba(X), fitted.predict_proba(X))


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_joblib(backend, data):
    X, y = data
    expected = PFCVMClassifier().fit(X, y).predict_proba(X)
    with joblib.parallel_config(backend, n_jobs=2):
        fitted = joblib.Parallel()(joblib.delayed(PFCVMClassifier().fit)(X, y) for _ in range(3))
    for clf in fitted:
        np.testing.assert_array_equal(clf.predict_proba(X), expected)


def _fit_and_predict(answers, X, y):
    answers.put(PFCVMClassifier().fit(X, y).predict_proba(X))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(data):
    X, y = data
    expected = PFCVMClassifier().fit(X, y).predict_proba(X)  # the threads are there now
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_fit_and_predict, args=(answers, X, y))
    child.start()
    np.testing.assert_array_equal(answers.get(timeout=60), expected)
    child.join(60)


def test_threads_do_not_change_a_bit(data):
    X, y = data
    code = (
        "import sys, pickle; from pfcvm import PFCVMClassifier, PFCVMPanelClassifier\n"
        "X, y = pickle.load(sys.stdin.buffer)\n"
        "made = [c.fit(X, y).predict_proba(X) for c in (PFCVMClassifier(), PFCVMPanelClassifier(members=10))]\n"
        "sys.stdout.buffer.write(pickle.dumps(made))"
    )
    answers = [
        subprocess.run(
            [sys.executable, "-c", code],
            input=pickle.dumps((X, y)),
            capture_output=True,
            check=True,
            env={**os.environ, "RAYON_NUM_THREADS": count},
        ).stdout
        for count in ("1", "2", "5")
    ]
    assert answers[0] == answers[1] == answers[2]


def test_what_is_no_state_is_refused():
    for kind in (pfcvm._pfcvm.Engine, pfcvm._pfcvm.Machine):
        for state in (b"", b"{}", b"[1, 2]"):
            with pytest.raises(ValueError):
                kind(state)


def test_two_of_a_kind_are_the_same(data):
    X, y = data
    for make in (PFCVMClassifier, PFCVMPanelClassifier, JCFOClassifier):
        a, b = make().fit(X, y), make().fit(X, y)
        np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
