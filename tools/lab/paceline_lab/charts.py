"""Plots as SVG within a page, without a script: a point says what it is when it is pointed at, a run can be taken out."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

WIDTH, HEIGHT = 460, 280
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 30, 42
# More would only make the page heavy: a second of a minute is one of these.
MOST_POINTS = 240
LEGEND = 22
PLAIN = (
    "text{font:12px sans-serif;fill:#444}.title{font-weight:600}.middle{text-anchor:middle}.end{text-anchor:end}path{fill:none}.grid{stroke:#e6e6e6}"
    "g path{stroke-width:2}.target{stroke:#222;stroke-width:1;stroke-dasharray:2 3}circle{fill:transparent}svg{background:#fff}"
)


@dataclass(frozen=True)
class Line:
    """One run's values. `steps`: each holds until the next; `dots`: each has its own text."""

    run: str
    points: list[tuple[float, float]]
    steps: bool = False
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Bar:
    run: str
    place: str
    value: float


@dataclass
class Chart:
    title: str
    x: str
    y: str
    lines: list[Line] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    # Where a run has one of its own: across the plot at this x, or at this y.
    upright: list[tuple[str, float, str]] = field(default_factory=list)
    level: list[tuple[str, float]] = field(default_factory=list)
    # How far chance may have moved a run's value at this x: from this y to that.
    spans: list[tuple[str, float, float, float]] = field(default_factory=list)
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None

    def svg(self) -> str:
        return Drawing(self).svg()


@dataclass(frozen=True)
class Look:
    """How a line is drawn where there is no page around the plot."""

    colour: str
    label: str
    dashed: bool = False


def standalone(chart: Chart, looks: dict[str, Look]) -> str:
    """The plot as a file of its own."""
    return sheet(chart.title, [chart], looks, 1)


def sheet(title: str, charts: list[Chart], looks: dict[str, Look], columns: int) -> str:
    """Plots beside each other in one file: with their colours, and below them what these stand for, as nobody can take a run out."""
    style = PLAIN + "".join(
        f".{run} path{{stroke:{look.colour}{';stroke-dasharray:6 4' if look.dashed else ''}}}.{run} .target{{stroke:{look.colour};stroke-dasharray:2 3}}.{run} rect{{fill:{look.colour}}}"
        for run, look in looks.items()
    )
    there = {one.run for chart in charts for one in (*chart.lines, *chart.bars)}
    width, height = columns * WIDTH, -(-len(charts) // columns) * HEIGHT
    legend, at = "", LEFT
    for run, look in looks.items():
        if run in there:
            legend += group(run, f'<path d="M{at},{height + 8}h18"/>') + text(at + 22, height + 12, look.label, "legend")
            at += 34 + 7 * len(look.label)
    inner = [chart.svg().partition(">")[2].removesuffix("</svg>") for chart in charts]
    if len(charts) > 1:
        inner = [f'<g transform="translate({i % columns * WIDTH},{i // columns * HEIGHT})">{one}</g>' for i, one in enumerate(inner)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + LEGEND}" role="img" aria-label="{html.escape(title)}">'
        f"<style>{style}</style>{''.join(inner)}{legend}</svg>\n"
    )


def thinned(points: list[tuple[float, float]]) -> list[int]:
    """The places of at most so many, with the first and the last."""
    if len(points) <= MOST_POINTS:
        return list(range(len(points)))
    return sorted({round(i * (len(points) - 1) / (MOST_POINTS - 1)) for i in range(MOST_POINTS)})


def ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers between."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 8)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def cumulative(values: Iterable[float]) -> list[tuple[float, float]]:
    ordered = sorted(values)
    return [(value, (i + 1) / len(ordered)) for i, value in enumerate(ordered)]


class Drawing:
    def __init__(self, chart: Chart):
        self.chart = chart
        self.places = list(dict.fromkeys(bar.place for bar in chart.bars))
        self.runs = list(dict.fromkeys([bar.run for bar in chart.bars]))
        xs = [x for line in chart.lines for x, _ in line.points]
        ys = [y for line in chart.lines for _, y in line.points] + [bar.value for bar in chart.bars] + [y for _, y in chart.level]
        ys += [y for _, _, *ends in chart.spans for y in ends]
        self.x_low, self.x_high = chart.x_range or wide(min(xs, default=0), max(xs, default=1))
        self.y_low, self.y_high = chart.y_range or wide(min([0, *ys]) * 1.08, max(ys, default=1) * 1.08)

    def x(self, value: float) -> float:
        return LEFT + (value - self.x_low) / (self.x_high - self.x_low) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        inside = min(max(value, self.y_low), self.y_high)
        return HEIGHT - BOTTOM - (inside - self.y_low) / (self.y_high - self.y_low) * (HEIGHT - TOP - BOTTOM)

    def svg(self) -> str:
        chart = self.chart
        parts = [text(LEFT, 18, chart.title, "title"), *self.axes()]
        parts += [self.bar(bar) for bar in chart.bars]
        parts += [self.line(line) for line in chart.lines]
        parts += [group(run, f'<path d="M{self.x(x):.1f},{self.y(low):.1f}V{self.y(high):.1f}"/>') for run, x, low, high in chart.spans]
        for run, value, said in chart.upright:
            at = self.x(value)
            parts.append(group(run, f'<path class="target" d="M{at:.1f},{TOP}V{HEIGHT - BOTTOM}"/>' + spot(at, TOP + 4, f"{run}: {said}")))
        for said, value in chart.level:
            at = self.y(value)
            parts.append(f'<path class="target" d="M{LEFT},{at:.1f}H{WIDTH - RIGHT}"/>' + text(WIDTH - RIGHT, at - 4, said, "end"))
        return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(chart.title)}">{"".join(parts)}</svg>'

    def axes(self) -> list[str]:
        parts = []
        for value in ticks(self.y_low, self.y_high):
            parts.append(f'<path class="grid" d="M{LEFT},{self.y(value):.1f}H{WIDTH - RIGHT}"/>')
            parts.append(text(LEFT - 6, self.y(value) + 4, f"{value:g}", "end"))
        if self.places:
            for i, place in enumerate(self.places):
                parts.append(text(self.middle(i), HEIGHT - BOTTOM + 16, place, "middle"))
        else:
            for value in ticks(self.x_low, self.x_high):
                parts.append(text(self.x(value), HEIGHT - BOTTOM + 16, f"{value:g}", "middle"))
        parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, self.chart.x, "middle"))
        middle = (TOP + HEIGHT - BOTTOM) / 2
        parts.append(f'<text class="middle" transform="translate(13,{middle}) rotate(-90)">{html.escape(self.chart.y)}</text>')
        return parts

    def middle(self, place: int) -> float:
        return LEFT + (place + 0.5) * (WIDTH - LEFT - RIGHT) / len(self.places)

    def bar(self, bar: Bar) -> str:
        width = (WIDTH - LEFT - RIGHT) / len(self.places) * 0.8 / len(self.runs)
        left = self.middle(self.places.index(bar.place)) + (self.runs.index(bar.run) - len(self.runs) / 2) * width
        top, foot = self.y(bar.value), self.y(self.y_low)
        said = html.escape(f"{bar.place}, {bar.run}: {bar.value:.3g} {self.chart.y}".strip())
        shape = f'<rect x="{left:.1f}" y="{top:.1f}" width="{width - 2:.1f}" height="{max(foot - top, 1):.1f}"><title>{said}</title></rect>'
        return group(bar.run, shape)

    def line(self, line: Line) -> str:
        if not line.points:
            return ""
        places = [(self.x(line.points[i][0]), self.y(line.points[i][1])) for i in thinned(line.points)]
        path = f"M{places[0][0]:.1f},{self.y(0) if line.steps else places[0][1]:.1f}"
        for x, y in places:
            path += f"H{x:.1f}V{y:.1f}" if line.steps else f"L{x:.1f},{y:.1f}"
        spots = ""
        for i, (x, y) in zip(thinned(line.points), places):
            value = line.points[i]
            said = line.texts[i] if line.texts else f"{self.chart.x} {value[0]:.3g}, {self.chart.y} {value[1]:.3g}"
            spots += spot(x, y, f"{line.run}: {said}")
        return group(line.run, f'<path d="{path}"/>{spots}')


def wide(low: float, high: float) -> tuple[float, float]:
    return (low, high) if high > low else (low, low + 1)


def group(run: str, inner: str) -> str:
    return f'<g class="{html.escape(run)}">{inner}</g>'


def spot(x: float, y: float, said: str) -> str:
    """Unseen until it is pointed at."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{html.escape(said)}</title></circle>'


def text(x: float, y: float, said: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(said)}</text>'
