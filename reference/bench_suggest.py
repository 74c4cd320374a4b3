"""Which rows to label next: labels needed for the error of 200 labels that were drawn, and a picture of the curves.

    PFCVM_DATA=DIR python reference/bench_suggest.py PROGRAM [--sets NAME,NAME] [--draws 100..107] [--pool 600]
        [--records FILE] [--picture FILE.svg] [--report]

Of a draw the first rows are the pool, the next (at most 1000) are tested on. Ten rows of each class have labels at the
start; 20 more get one at a time, those that `pfcvm suggest` names or the next of the draw, and `pfcvm fit` learns from all so
far, as it comes. Where a model has nothing to suggest, rows are drawn. Labels needed: where the mean curve of errors first
falls below the mean error of 200 drawn labels, between two points on the line through them. Draws below 100 are for choosing.
"""
import argparse
import csv
import io
import tempfile
from html import escape
from pathlib import Path

import numpy as np

from learning_sets import Program, Records, draws, marks, of_each, short, shuffled, write

SETS = "waveform,twonorm,banana,image,wdbc,eeg"
START, STEP, MOST, TEST = 10, 20, 200, 1000
COLOURS = {"drawn": "#7f8c8d", "suggested": "#c0392b"}


def suggested(program, x, count):
    write(program.folder / "pool.csv", x)
    rows = csv.DictReader(io.StringIO(program.run("suggest", "m.json", "pool.csv", "--count", count)))
    return [int(row["row"]) for row in rows]


def curve(program, x, y, pool, how):
    """Errors after so many labels."""
    test = slice(pool, pool + TEST)
    known = list(of_each(y[:pool], START))
    found = []
    while True:
        program.fit(x[known], y[known])
        found.append((len(known), *marks(y[test], program.probability(x[test]))))
        if len(known) >= MOST:
            return found
        taken = set(known)
        rest = np.array([row for row in range(pool) if row not in taken])
        picked = rest[suggested(program, x[rest], STEP)].tolist() if how == "suggested" else []
        drawn = [row for row in rest.tolist() if row not in set(picked)]
        known += (picked + drawn)[:STEP]


def means(records, options, name, how):
    """The mean curve over the draws that both ways have, and how many these are."""
    own = lambda way: {one["draw"]: one["curve"] for one in records.all
                       if one["set"] == name and one["how"] == way and one["draw"] in draws(options.draws)}
    common = set(own("drawn")) & set(own("suggested"))
    curves = np.array([own(how)[draw] for draw in sorted(common)])
    return (curves.mean(axis=0), len(common)) if len(common) else (None, 0)


def needed(mean, target):
    """Labels after which errors are at most the target; nothing if never."""
    for at, (labels, _, errors) in enumerate(mean):
        if errors <= target:
            if at == 0:
                return labels
            before, _, more = mean[at - 1]
            return before + (labels - before) * (more - target) / (more - errors)
    return None


def report(options, records):
    print("| | draws | error of 200 drawn | labels until drawn ones reach it | until suggested ones do | share of 200 |")
    print("|---|---|---|---|---|---|")
    shares = []
    for name in options.sets.split(","):
        drawn, count = means(records, options, name, "drawn")
        if not count:
            continue
        target = drawn[-1][2]
        labels = needed(means(records, options, name, "suggested")[0], target)
        shares.append((labels or MOST) / MOST)
        told = f"{labels:.0f} | {100 * labels / MOST:.0f} %" if labels else "never | over 100 %"
        print(f"| {name} | {count} | {short(target)} | {needed(drawn, target):.0f} | {told} |")
    print(f"| mean | | | | | {100 * np.mean(shares):.0f} % |")


def picture(options, records):
    """A panel for each set: errors against labels, drawn and suggested."""
    wide, high, gap, columns = 230, 150, 50, 3
    parts = []
    names = [name for name in options.sets.split(",") if means(records, options, name, "drawn")[1]]
    for at, name in enumerate(names):
        left, top = 50 + at % columns * (wide + gap), 55 + at // columns * (high + 70)
        both = {how: means(records, options, name, how)[0] for how in COLOURS}
        most = max(mean[:, 2].max() for mean in both.values())
        across = lambda labels: left + wide * (labels - 2 * START) / (MOST - 2 * START)
        up = lambda errors: top + high * (1 - errors / most)
        parts.append(f'<text x="{left + wide / 2}" y="{top - 8}" text-anchor="middle" font-size="13">{escape(name)}</text>')
        for share in (0, 0.5, 1):
            y = up(share * most)
            parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + wide}" y2="{y:.1f}" stroke="#ddd"/>')
            parts.append(f'<text x="{left - 5}" y="{y + 4:.1f}" text-anchor="end">{100 * share * most:.0f} %</text>')
        for labels in (20, 80, 140, 200):
            parts.append(f'<text x="{across(labels):.1f}" y="{top + high + 15}" text-anchor="middle">{labels}</text>')
        target = up(both["drawn"][-1][2])
        parts.append(f'<line x1="{left}" y1="{target:.1f}" x2="{left + wide}" y2="{target:.1f}" stroke="#7f8c8d" stroke-dasharray="4 3"/>')
        for how, colour in COLOURS.items():
            points = " ".join(f"{across(labels):.1f},{up(errors):.1f}" for labels, _, errors in both[how])
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for at, (how, colour) in enumerate(COLOURS.items()):
        parts.append(f'<line x1="{50 + 130 * at}" y1="16" x2="{74 + 130 * at}" y2="16" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{80 + 130 * at}" y="20">{how}</text>')
    parts.append('<text x="320" y="20">errors on new rows against labelled rows; dashed: 200 drawn</text>')
    width, height = 50 + columns * (wide + gap), 55 + -(-len(names) // columns) * (high + 70)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11" fill="#222">',
        "<title>Errors against labels, suggested and drawn</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--draws", default="100..107")
    parser.add_argument("--pool", type=int, default=600)
    parser.add_argument("--records", type=Path, default=Path("suggest.jsonl"))
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    records = Records(options.records)
    for draw in [] if options.report else draws(options.draws):
        for name in options.sets.split(","):
            x, y = shuffled(name, draw)
            for how in COLOURS:
                if not records.has(set=name, draw=draw, how=how):
                    with tempfile.TemporaryDirectory() as folder:
                        pool = min(options.pool, len(y) - 200)
                        found = curve(Program(options.program, folder), x, y, pool, how)
                    records.add(set=name, draw=draw, how=how, curve=found)
    report(options, records)
    if options.picture:
        options.picture.write_text(picture(options, records))


if __name__ == "__main__":
    main()
