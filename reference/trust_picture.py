"""The picture of `bench_trust.py`, as SVG: noise called certain against power, and how often noise is a find.

Peers are circles, ours diamonds, drawn last.
"""
from html import escape

from trust_designs import FORMS, named
from trust_report import is_ours, mean

COLOURS = {
    "ours rbf": "#c0392b", "ours linear": "#e67e22", "ours panel": "#8e44ad", "L1 logistic": "#2980b9",
    "stability": "#16a085", "knockoffs 0.1": "#7f8c8d", "knockoffs 0.2": "#34495e", "Boruta": "#6b8e23",
}
WIDTH, HEIGHT, LEFT, TOP = 250, 210, 50, 40
INSET, LEGEND_STEP = 10, 110
MOST_NOISE = 0.32
TITLES = {"linear": "Sums of features", "quadratic": "Squares", "xor": "Products of pairs"}


def picture(whole):
    designs = whole["designs"]
    panels = [form for form in FORMS if any(named(name).form == form for name in designs)]
    noise = [name for name in designs if named(name).is_noise]
    methods = [method for method in COLOURS if any(method in rows for rows in designs.values())]
    parts = []
    for at, form in enumerate(panels):
        inside = [rows for name, rows in designs.items() if named(name).form == form]
        parts += panel(LEFT + at * (WIDTH + 60), TITLES[form], inside, methods)
    if noise:
        parts += bars(LEFT + len(panels) * (WIDTH + 60), [designs[name] for name in noise], methods)
    width = LEFT + max((len(panels) + bool(noise)) * (WIDTH + 60), len(methods) * LEGEND_STEP)
    parts += legend(methods)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HEIGHT + 90}" font-family="sans-serif" '
        'font-size="11" fill="#222">',
        "<title>Noise called certain against power, by method</title>",
        f'<rect width="{width}" height="{TOP + HEIGHT + 90}" fill="white"/>', *parts, "</svg>", "",
    ])


def across(x, noise):
    """Square roots spread the small shares, where the differences are."""
    return x + INSET + (WIDTH - INSET) * min(1.0, (noise / MOST_NOISE) ** 0.5)


def up(power):
    return TOP + INSET + (HEIGHT - 2 * INSET) * (1 - power)


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


def line(x1, y1, x2, y2, colour="#ddd", more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {more}/>'


def panel(x, title, designs, methods):
    yield text(x + WIDTH / 2, TOP - 15, title, more='font-size="13"')
    for power in (0, 0.25, 0.5, 0.75, 1):
        yield line(x, up(power), x + WIDTH, up(power))
        yield text(x - 5, up(power) + 4, f"{power:g}", "end")
    for noise in (0, 0.01, 0.05, 0.1, 0.2, 0.3):
        yield line(across(x, noise), TOP, across(x, noise), TOP + HEIGHT)
        yield text(across(x, noise), TOP + HEIGHT + 15, f"{100 * noise:g} %")
    yield text(x + WIDTH / 2, TOP + HEIGHT + 32, "noise called certain (large: mean, small: each design)")
    yield text(x - 32, TOP + HEIGHT / 2, "power", more=f'transform="rotate(-90 {x - 32} {TOP + HEIGHT / 2})"')
    yield line(across(x, 0.05), TOP, across(x, 0.05), TOP + HEIGHT, "#222", 'stroke-dasharray="3 3"')
    for method in sorted(methods, key=is_ours):
        rows = [rows[method] for rows in designs if method in rows and rows[method]["sets"]]
        for row in rows:
            yield dot(across(x, row["noise"]), up(row["power"]), 2.5, method, 'fill-opacity="0.45"')
        if rows:
            noise, power = mean([row["noise"] for row in rows]), mean([row["power"] for row in rows])
            yield dot(across(x, noise), up(power), 6, method, 'stroke="white"')


def dot(x, y, radius, method, more):
    paint = f'fill="{COLOURS[method]}" {more}><title>{escape(method)}</title>'
    if not is_ours(method):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {paint}</circle>'
    corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
    return f'<polygon points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}" {paint}</polygon>'


def bars(x, designs, methods):
    yield text(x + WIDTH / 2, TOP - 15, "Noise alone: sets in which something is found", more='font-size="13"')
    height = HEIGHT / len(methods)
    for share in (0, 0.25, 0.5, 0.75, 1):
        yield line(x + WIDTH * share, TOP, x + WIDTH * share, TOP + HEIGHT)
        yield text(x + WIDTH * share, TOP + HEIGHT + 15, f"{100 * share:g} %")
    for at, method in enumerate(methods):
        found = mean([1 - rows[method]["nothing_found"] for rows in designs if method in rows and rows[method]["sets"]])
        if found is None:
            continue
        y = TOP + height * (at + 0.15)
        yield (f'<rect x="{x}" y="{y:.1f}" width="{max(1.0, WIDTH * found):.1f}" height="{0.7 * height:.1f}" '
               f'fill="{COLOURS[method]}"><title>{escape(method)}: {100 * found:.0f} %</title></rect>')
    yield line(x + WIDTH * 0.05, TOP, x + WIDTH * 0.05, TOP + HEIGHT, "#222", 'stroke-dasharray="3 3"')


def legend(methods):
    for at, method in enumerate(methods):
        yield dot(LEFT + at * LEGEND_STEP, TOP + HEIGHT + 62, 5, method, "")
        yield text(LEFT + at * LEGEND_STEP + 10, TOP + HEIGHT + 66, method, "start")
