"""`pfcvm update` killed while it writes: the model is the old one or the new one, to the byte.

    python reference/kill_update.py PROGRAM [--kills 60] [--within 0.012]

Waits until the unfinished file beside the model has bytes, then for a random moment of at most so many seconds, and sends
SIGKILL; writing and renaming take about that long.
"""
import argparse
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--within", type=float, default=0.012)
    options = parser.parse_args()
    program, rng = str(options.program.resolve()), random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        run = lambda *words: subprocess.run([program, *words], cwd=folder, check=True, capture_output=True)
        place = lambda name: Path(folder) / name
        run("generate", "waveform", "--n", "400", "--seed", "1", "--out", "a.csv")
        run("generate", "waveform", "--n", "60", "--seed", "2", "--out", "b.csv")
        run("fit", "a.csv", "--model", "old.json", "--keep-rows", "--certainty", "off")
        run("update", "old.json", "b.csv", "--model", "new.json")
        old, new = place("old.json").read_bytes(), place("new.json").read_bytes()
        known = {"a.csv", "b.csv", "old.json", "new.json", "m.json"}
        counts = {"old": 0, "new": 0, "broken": 0, "ended before the kill": 0}
        for _ in range(options.kills):
            place("m.json").write_bytes(old)
            words = [program, "update", "m.json", "b.csv", "--model", "m.json"]
            child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while child.poll() is None and not begun(folder, known):
                pass
            moment = time.perf_counter() + rng.random() * options.within
            while time.perf_counter() < moment:
                pass
            child.send_signal(signal.SIGKILL)
            counts["ended before the kill"] += child.wait() == 0
            found = place("m.json").read_bytes()
            counts["old" if found == old else "new" if found == new else "broken"] += 1
            for name in set(os.listdir(folder)) - known:
                place(name).unlink()
        print(counts)


def begun(folder, known):
    """Whether a file that is not known has bytes."""
    try:
        return any(os.path.getsize(Path(folder) / name) for name in set(os.listdir(folder)) - known)
    except OSError:
        return False


if __name__ == "__main__":
    main()
