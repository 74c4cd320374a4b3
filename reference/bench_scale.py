"""How time, memory and log loss grow with rows and with columns: `pfcvm fit` beside HistGradientBoosting.

python reference/bench_scale.py PROGRAM FOLDER [--rows N,N] [--columns M,M] [--stream N] [--json FILE] [--picture FILE.svg]
python reference/bench_scale.py --from FILE.json,FILE.json [--json FILE] [--picture FILE.svg]


Data are waveforms (classes 0 and 1 of the UCI labelling: 19 of the first 21 columns say something), 40 columns unless
columns are what grows: then more columns of noise. Every row of the table is one run: seconds, peak memory, log loss on
100,000 fresh rows beside that of who knows how the rows were made, features kept. Parquet files are written part by part
and read by the program itself; the peer gets arrays in memory, with its default settings. What was measured by several runs is put
together by `--from`.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PART = 200_000
TEST_ROWS = 100_000
TEST_SEED = 1_000_003


def waves():
    """The three base waves of the UCI labelling."""
    at = np.arange(1, 22)
    wave = lambda peak: np.maximum(6.0 - np.abs(at - peak), 0.0)
    return wave(7), wave(15), wave(11)


def waveforms(rows, seed, columns=40):
    """Rows and classes."""
    rng = np.random.default_rng(seed)
    first, second, third = waves()
    y = rng.integers(0, 2, rows)
    u = rng.uniform(size=(rows, 1))
    x = rng.normal(size=(rows, columns))
    x[:, :21] += u * first + (1 - u) * np.where(y[:, None] == 0, second, third)
    return x, y


def bayes(x):
    """The probability of class 1 for who knows how the rows were made, by quadrature over u."""
    first, second, third = waves()
    nodes, weights = np.polynomial.legendre.leggauss(40)
    nodes, weights = (nodes + 1) / 2, weights / 2
    logs = []
    for other in (second, third):
        means = nodes[:, None] * first + (1 - nodes[:, None]) * other
        # The squares of x are the same for both classes.
        terms = x[:, :21] @ means.T - 0.5 * (means**2).sum(1) + np.log(weights)
        most = terms.max(1, keepdims=True)
        logs.append(most[:, 0] + np.log(np.exp(terms - most).sum(1)))
    return 1 / (1 + np.exp(logs[0] - logs[1]))


def log_loss(y, p):
    p = np.clip(p, 1e-300, 1 - 1e-16)
    return float(-np.mean(np.where(y == 1, np.log(p), np.log1p(-p))))


def write(path, rows, seed, columns):
    """A Parquet file, part by part."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [f"x{k + 1}" for k in range(columns)]
    schema = pa.schema([(name, pa.float64()) for name in names] + [("class", pa.int64())])
    part = max(1, min(PART, 8_000_000 // columns))
    with pq.ParquetWriter(path, schema) as out:
        for at, first in enumerate(range(0, rows, part)):
            x, y = waveforms(min(part, rows - first), [seed, at], columns)
            arrays = [pa.array(x[:, k]) for k in range(columns)] + [pa.array(y)]
            out.write_table(pa.Table.from_arrays(arrays, schema=schema))


def watched(command):
    """What a program says, how it ended, its seconds, CPU-seconds and peak MiB.

    The peak is asked of the kernel while it runs: what `wait4` says is never below what the caller had when it started it."""
    begin, peak = time.monotonic(), 0.0
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        while True:
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
            if done:
                break
            try:
                text = Path(f"/proc/{child.pid}/status").read_text()
                peak = max(peak, *(int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith("VmHWM")), 0.0)
            except OSError:
                pass
            time.sleep(0.02)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    return said, child.returncode, time.monotonic() - begin, usage.ru_utime + usage.ru_stime, peak


def ours(program, folder, path, test, options):
    """Seconds, peak MiB, log loss and features of one run of the program."""
    model = folder / "model.json"
    command = [program, "fit", path, "--label", "class", "--model", model, "--json", *options]
    out, code, seconds, cpu, mib = watched(command)
    if code != 0:
        return {"seconds": seconds, "failed": True}
    about = json.loads(out)
    said = subprocess.run([program, "predict", model, test], check=True, capture_output=True, text=True).stdout
    p = np.array([float(line.split(",")[1]) for line in said.splitlines()[1:]])
    return {"seconds": seconds, "cpu": cpu, "mib": mib, "log_loss": p,
            "features": len(about["selected_features"])}


def peer(rows, seed, columns, x_test, y_test):
    """The same of HistGradientBoosting, in a process of its own."""
    code = (f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import bench_scale as b, json, time\n"
            f"from sklearn.ensemble import HistGradientBoostingClassifier as H; import resource\n"
            f"x, y = b.waveforms({rows}, {seed}, {columns}); t = time.monotonic(); h = H().fit(x, y)\n"
            f"s = time.monotonic() - t; xt, yt = b.waveforms(b.TEST_ROWS, b.TEST_SEED, {columns})\n"
            "u = resource.getrusage(resource.RUSAGE_SELF)\n"
            "print(json.dumps([s, b.log_loss(yt, h.predict_proba(xt)[:, 1]), u.ru_maxrss / 1024, u.ru_utime + u.ru_stime]))")
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    seconds, loss, mib, cpu = json.loads(said)
    return {"seconds": seconds, "log_loss": loss, "mib": mib, "cpu": cpu, "features": columns}


def exponent(sizes, seconds):
    """The slope of the logarithm of (CPU) seconds over that of sizes, from the second point on."""
    if len(sizes) < 3:
        return None
    return float(np.polyfit(np.log(sizes[1:]), np.log(seconds[1:]), 1)[0])


def picture(whole):
    """CPU-seconds over rows and over columns, both axes by powers of ten: what does not hang on how busy the machine is."""
    width, height, left, top = 300, 220, 55, 40
    parts = []
    for at, (title, key) in enumerate([("rows", "rows"), ("columns", "columns")]):
        runs = [run for run in whole if run["grows"] == key and "cpu" in run and not run.get("failed")]
        if not runs:
            continue
        x0 = left + at * (width + 80)
        xs = [math.log10(run[key]) for run in runs]
        ys = [math.log10(run["cpu"]) for run in runs]
        low, high = math.floor(min(xs)), math.ceil(max(xs))
        bottom, ceiling = math.floor(min(ys)), max(math.ceil(max(ys)), math.floor(min(ys)) + 1)
        across = lambda v: x0 + width * (v - low) / max(high - low, 1)
        up = lambda v: top + height * (1 - (v - bottom) / (ceiling - bottom))
        parts.append(f'<text x="{x0 + width / 2}" y="{top - 15}" text-anchor="middle" font-size="13">CPU-seconds over {title}</text>')
        for v in range(low, high + 1):
            parts.append(f'<line x1="{across(v):.1f}" x2="{across(v):.1f}" y1="{top}" y2="{top + height}" stroke="#ddd"/>')
            parts.append(f'<text x="{across(v):.1f}" y="{top + height + 16}" text-anchor="middle">10^{v}</text>')
        for v in range(bottom, ceiling + 1):
            parts.append(f'<line x1="{x0}" x2="{x0 + width}" y1="{up(v):.1f}" y2="{up(v):.1f}" stroke="#ddd"/>')
            parts.append(f'<text x="{x0 - 6}" y="{up(v) + 4:.1f}" text-anchor="end">10^{v}</text>')
        for method, colour in (("ours", "#c0392b"), ("ours, streamed", "#e67e22"), ("HistGradientBoosting", "#2980b9")):
            own = [(a, b) for a, b, run in zip(xs, ys, runs) if run["method"] == method]
            if not own:
                continue
            points = " ".join(f"{across(a):.1f},{up(b):.1f}" for a, b in own)
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts += [f'<circle cx="{across(a):.1f}" cy="{up(b):.1f}" r="3.5" fill="{colour}"/>' for a, b in own]
            parts.append(f'<text x="{across(own[-1][0]) - 6:.1f}" y="{up(own[-1][1]) - 8:.1f}" text-anchor="end" fill="{colour}">{method}</text>')
    size = (left + 2 * (width + 80), top + height + 40)
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" font-family="sans-serif" font-size="11" fill="#222">',
                      "<title>CPU-seconds of a fit over rows and over columns</title>",
                      f'<rect width="{size[0]}" height="{size[1]}" fill="white"/>', *parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path, nargs="?")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--from", dest="measured", default="")
    numbers = lambda text: [int(float(part)) for part in text.split(",") if part]
    parser.add_argument("--rows", type=numbers, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--stream", type=numbers, default=[1_000_000, 10_000_000])
    parser.add_argument("--columns", type=numbers, default=[100, 1000, 10_000, 31_623])
    parser.add_argument("--rows-of-columns", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    args = parser.parse_args()
    whole = [run for name in args.measured.split(",") if name for run in json.loads(Path(name).read_text())]
    if not whole:
        measure(args, whole)
    tell_growth(whole)
    if args.json:
        args.json.write_text(json.dumps(whole, indent=1) + "\n")
    if args.picture:
        args.picture.write_text(picture(whole))


def measure(args, whole):
    """One run after the other."""
    args.folder.mkdir(parents=True, exist_ok=True)
    program = args.program.resolve()

    def run(grows, rows, columns, method, options, best):
        path, test = args.folder / f"train-{rows}-{columns}.parquet", args.folder / f"test-{columns}.csv"
        x_test, y_test = waveforms(TEST_ROWS if columns <= 100 else 2000, TEST_SEED, columns)
        if not path.exists():
            write(path, rows, args.seed, columns)
        if not test.exists():
            header = ",".join(f"x{k + 1}" for k in range(columns))
            np.savetxt(test, x_test, delimiter=",", header=header, comments="", fmt="%.6g")
        found = ours(program, args.folder, path, test, [*options, "--threads", str(args.threads)])
        if "log_loss" in found:
            found["log_loss"] = log_loss(y_test, found["log_loss"])
        found.update(grows=grows, rows=rows, columns=columns, method=method, best=log_loss(y_test, bayes(x_test)))
        tell(found)
        whole.append(found)

    def tell(found):
        shown = {key: (round(value, 4) if isinstance(value, float) else value) for key, value in found.items()}
        print(json.dumps(shown), flush=True)

    for rows in args.rows:
        run("rows", rows, 40, "ours", [], None)
        if not args.no_peer:
            x_test, y_test = waveforms(TEST_ROWS, TEST_SEED)
            found = peer(rows, args.seed, 40, x_test, y_test)
            found.update(grows="rows", rows=rows, columns=40, method="HistGradientBoosting")
            tell(found)
            whole.append(found)
    for rows in args.stream:
        run("rows", rows, 40, "ours, streamed", ["--stream"], None)
    for columns in args.columns:
        # One method at all sizes: by default the kernel, and then a panel, follow from how many columns there are.
        run("columns", args.rows_of_columns, columns, "ours", ["--kernel", "linear"], None)


def tell_growth(whole):
    """Exponents, from the second size on."""
    for grows in ("rows", "columns"):
        for method in ("ours", "ours, streamed"):
            own = [run for run in whole if run["grows"] == grows and run["method"] == method]
            own = [run for run in own if not run.get("failed")]
            for key, what in (("seconds", "seconds"), ("cpu", "CPU-seconds")):
                slope = exponent([run[grows] for run in own], [run[key] for run in own])
                if slope is not None:
                    print(f"{method}: {what} grow as {grows}^{slope:.2f} from the second size on")


if __name__ == "__main__":
    main()
