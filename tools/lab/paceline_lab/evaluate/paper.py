"""
The figures 5 and 8 to 13 of Sieber et al. 2020, and the paper's numbers beside ours; 8 to 13 are drawn of an evaluation's runs.

Figure 5, the way to a utility function, is of the paper's recorded samples and our fit. Of our own measurements only tables are kept.

Requests of one size are those of figures 8 and 9: 80 users, as the paper has it, or the most that there are. Several runs of that
size are put together. The other figures are over the number of users, each value a mean of the runs.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median, pstdev
from typing import Any

from ..charts import Chart, Line, Look, cumulative, standalone
from ..checkout import LAB, ROOT
from ..demo.lab import BEST_EFFORT
from ..demo.report import COLOURS, NAMES, number
from ..demo.variants import MANAGED
from ..measure_utility.fit import at_samples
from ..measure_utility.models import MODELS
from ..measure_utility.result import nearness
from ..measure_utility.samples import Samples, recorded
from ..traffic import measure
from ..traffic.mix import KINDS
from .figures import Run, dropped_percent, of_type, within
from .result import Measured
from .statistics import estimate
from .store import Planned, Store

FOLDER, PAGE, WIDTH = "paper", "README.md", 120
PAPER_USERS = 80
TARGET = "target"
BEST_95, MANAGED_95 = f"{BEST_EFFORT}-95", f"{MANAGED}-95"
MODES = {
    BEST_EFFORT: Look(COLOURS[BEST_EFFORT], "best effort"),
    MANAGED: Look(COLOURS[MANAGED], "managed"),
    TARGET: Look("#222222", "target", dashed=True),
    BEST_95: Look(COLOURS[BEST_EFFORT], "best effort, 95 %", dashed=True),
    MANAGED_95: Look(COLOURS[MANAGED], "managed, 95 %", dashed=True),
}
TYPES = {
    "web": Look("#c0504d", "web"), "dl": Look("#b8860b", "download"), "vod": Look("#5b8c3a", "video"), "live": Look("#1f6fb2", "live"),
    "ssh": Look("#7a5195", "ssh"), "voip": Look("#666666", "VoIP"),
}  # fmt: skip
# In the paper's order.
SIX, FIVE = ("vod", "live", "ssh", "web", "dl", "voip"), ("vod", "live", "ssh", "web", "dl")
UTILITY = (1.0, 5.0)
RECORDED, PUBLISHED = LAB / "tests/measured/web.csv", ROOT / "intents-json/src/main/resources/org/paceline/json/catalogue/web.json"
# Of figure 5, which are recorded.
DELAYS_MS = {0: Look("#1f6fb2", "0 ms"), 100: Look("#b8860b", "100 ms"), 240: Look("#c0504d", "240 ms")}
# Of the paper's program: for each application, and beside them. Ours is `tools/paceline solve --method milp`, with tables of 30 rates
# and 30 delays; the paper tells only of applications.
PAPER = "paper"
SIZES = {"variables": {PAPER: (2889, 0), MANAGED: (962, 2)}, "constraints": {PAPER: (86, 0), MANAGED: (69, 1)}}
PROGRAMS = {MANAGED: Look(COLOURS[MANAGED], "here"), PAPER: Look("#222222", "the paper", dashed=True)}


@dataclass(frozen=True)
class Pooled:
    """The requests, calls among them, of all runs of a size and mode; and what was promised to each type."""

    requests: list[dict[str, Any]]
    targets: dict[str, float]
    # Of each run, each user's standard deviation of utility, by type.
    deviations: dict[str, list[float]]

    def utilities(self, kind: str) -> list[float]:
        return [one["utility"] for one in self.requests if one["kind"] == kind]

    def mbit(self, kind: str) -> list[float]:
        """What a request had on average, from its begin to its end."""
        whole = [one for one in self.requests if one["kind"] == kind and one.get("bytes") and one["end"] > one["start"]]
        return [one["bytes"] * 8e-6 / (one["end"] - one["start"]) for one in whole]


def pooled(store: Store, runs: dict[Planned, Run], size: int, mode: str) -> Pooled:
    requests: list[dict[str, Any]] = []
    deviations: dict[str, list[float]] = {kind: [] for kind in KINDS}
    targets: dict[str, list[float]] = {}
    for planned, entry in runs.items():
        if planned.mode != mode or planned.block.size != size:
            continue
        samples = store.samples(planned)
        of_run = measure.counted(samples) + measure.starved(entry.get("silentConversations", []), samples.window)
        requests += of_run
        for one, utilities in measure.conversations(of_run).items():
            # One request deviates from nothing.
            if len(utilities) > 1:
                deviations[one.rpartition("-")[0]].append(pstdev(utilities))
        for kind, figures in entry["types"].items():
            if figures.get("target") is not None:
                targets.setdefault(kind, []).append(figures["target"])
    return Pooled(requests, {kind: estimate(values).mean for kind, values in targets.items()}, deviations)


@dataclass(frozen=True)
class Row:
    """A number of the paper's text, and the same of the runs."""

    what: str
    paper: str
    here: str


@dataclass(frozen=True)
class Section:
    figure: str
    title: str
    charts: dict[str, Chart]
    looks: dict[str, Look]
    rows: list[Row]


def write(folder: Path, store: Store, runs: dict[Planned, Run], about: str, command: str) -> bool:
    """Into a folder of their own there, in the place of those of an earlier time; False where best effort or managed is missing. Raises Unusable."""
    measured = Measured(list(runs.values()))
    both = [size for size in measured.sizes() if {BEST_EFFORT, MANAGED} <= set(measured.modes(size))]
    out = folder / FOLDER
    for earlier in (*out.glob("figure-*.svg"), out / PAGE):
        earlier.unlink(missing_ok=True)
    if not both:
        return False
    out.mkdir(exist_ok=True)
    size = PAPER_USERS if PAPER_USERS in both else max(both)
    best, managed = (pooled(store, runs, size, mode) for mode in (BEST_EFFORT, MANAGED))
    sections = [
        figure_5(), figure_8(size, best, measured), figure_9(size, best, managed), figure_10(measured, both), figure_11(measured, both),
        figure_12(measured, both), figure_13(measured, both),
    ]  # fmt: skip
    for section in sections:
        for name, chart in section.charts.items():
            (out / f"figure-{name}.svg").write_text(standalone(chart, section.looks))
    (out / PAGE).write_text(page(sections, about, command))
    return True


def page(sections: list[Section], about: str, command: str) -> str:
    parts = ["# The figures of Sieber et al. 2020, of our runs", f"    {command}", textwrap.fill(about, WIDTH)]
    for section in sections:
        parts.append(f"## Figure {section.figure}: {section.title}")
        parts.append("\n".join(f"![Figure {name}: {chart.title}](figure-{name}.svg)" for name, chart in section.charts.items()))
        parts.append("\n".join(["| | the paper | here |", "|---|---|---|", *(f"| {row.what} | {row.paper} | {row.here} |" for row in section.rows)]))
    return "\n\n".join(parts) + "\n"


# -- a utility function


def figure_5() -> Section:
    model = MODELS["web"]
    lines = recorded(RECORDED, model)
    samples = Samples.of((rate, delay, utility) for rate, delay, _, utility in lines)
    fitted = at_samples(samples)
    of: dict[str, Callable[[int], list[tuple[float, float]]]] = {
        "5a": lambda ms: sorted((rate / 1000, kpis["pageLoadS"]) for rate, delay, kpis, _ in lines if delay == ms),
        "5b": lambda ms: sorted((rate / 1000, utility) for rate, delay, _, utility in lines if delay == ms),
        "5c": lambda ms: [(rate / 1000, float(fitted[i, samples.delays_ms.index(ms)])) for i, rate in enumerate(samples.rates_kbps)],
    }
    charts = {
        "5a": Chart("Web pages: what was measured", "Mbit/s", "s"),
        "5b": Chart("Web pages: what a model makes of it", "Mbit/s", "utility", y_range=UTILITY),
        "5c": Chart("Web pages: the utility function", "Mbit/s", "utility", y_range=UTILITY),
    }
    for name, chart in charts.items():
        chart.lines = [Line(delay_name(ms), of[name](ms)) for ms in DELAYS_MS]
    near = nearness(samples, json.loads(PUBLISHED.read_text()))
    rows = [
        Row("places of the grid", "30 throughputs, 30 delays", f"{len(samples.rates_kbps)} and {len(samples.delays_ms)} were recorded"),
        Row("utility function off the samples, mean and at most", f"{near.published_samples_mean:.3f}, {near.published_samples_most:.3f}", f"{near.samples_mean:.3f}, {near.samples_most:.3f}"),
    ]
    looks = {delay_name(ms): look for ms, look in DELAYS_MS.items()}
    return Section("5", "from measurements to a utility function, of the samples that the paper has recorded", charts, looks, rows)


def delay_name(ms: int) -> str:
    return f"delay-{ms}"


# -- one size


def distribution(title: str, of: dict[str, list[float]], x: str, **ranges: Any) -> Chart:
    chart = Chart(title, x, "share", y_range=(0, 1), **ranges)
    chart.lines = [Line(run, cumulative(values), steps=True) for run, values in of.items() if values]
    return chart


def figure_8(size: int, best: Pooled, measured: Measured) -> Section:
    utilities = {kind: best.utilities(kind) for kind in SIX}
    rates = {kind: best.mbit(kind) for kind in FIVE}
    charts = {
        "8a": distribution(f"Best effort, {size} users: throughput of requests", rates, "Mbit/s"),
        "8b": distribution(f"Best effort, {size} users: utility of requests", utilities, "utility", x_range=UTILITY),
    }
    dropped = measured.values(size, BEST_EFFORT, dropped_percent)
    waited = measured.values(size, BEST_EFFORT, lambda run: trip - run["baseRttMs"] if (trip := within("rttMs", "p50")(run)) is not None else None)
    rows = [
        Row("packets dropped", "4 %", f"{of_mean(dropped)} %"),
        Row("time in the queue", "80 ms", f"{of_mean(waited, 0)} ms"),
        Row("web pages: throughput, median", "3.9 Mbit/s", f"{of_median(rates['web'], 1)} Mbit/s"),
        Row("live video: throughput", "below 1 Mbit/s", f"{of_median(rates['live'], 1)} Mbit/s, median"),
    ]
    for kind, paper in (("web", "3.8"), ("vod", "2.1"), ("live", "1.3 to 1.4"), ("ssh", "3.7"), ("voip", "4.9")):
        rows.append(Row(f"{NAMES[kind]}: utility, median", paper, of_median(utilities[kind])))
    return Section("8", f"requests of {size} users, best effort", charts, TYPES, rows)


def figure_9(size: int, best: Pooled, managed: Pooled) -> Section:
    charts, rows = {}, []
    gains = {"live": "+3.1", "vod": "+2.0", "ssh": "+1.0", "dl": "+0.4", "web": "-1.3", "voip": "none"}
    for letter, kind in zip("abcdef", SIX):
        chart = distribution(f"{NAMES[kind]}, {size} users", {BEST_EFFORT: best.utilities(kind), MANAGED: managed.utilities(kind)}, "utility", x_range=UTILITY)
        if kind in managed.targets:
            chart.upright.append((MANAGED, managed.targets[kind], f"target {managed.targets[kind]:.2f}"))
        charts[f"9{letter}"] = chart
        if best.utilities(kind) and managed.utilities(kind):
            rows.append(Row(f"{NAMES[kind]}: median above best effort's", gains[kind], f"{median(managed.utilities(kind)) - median(best.utilities(kind)):+.2f}"))
    charts["9g"] = distribution(f"Best effort, {size} users: standard deviation of a user", {kind: best.deviations[kind] for kind in SIX}, "utility")
    for kind, paper in (("dl", "0.64"), ("ssh", "0.41"), ("web", "0.25")):
        rows.append(Row(f"{NAMES[kind]}: a user's standard deviation, best effort, median", paper, of_median(best.deviations[kind])))
    most = max((one for of in managed.deviations.values() for one in of), default=None)
    rows.append(Row("a user's standard deviation of any type, managed, at most", "0.05", number(most)))
    return Section("9", f"{size} users, best effort and managed", charts, MODES | TYPES, rows)


# -- over the number of users


def over(measured: Measured, sizes: list[int], title: str, unit: str, of: dict[str, tuple[str, Callable[[Run], float | None]]], y_range: Any = None) -> Chart:
    """Each line's runs of a mode, and what is taken of them."""
    chart = Chart(title, "users", unit, x_range=(0, max(sizes) * 1.05), y_range=y_range)
    for name, (mode, value) in of.items():
        points = [(float(size), estimate(values).mean) for size in sizes if (values := measured.values(size, mode, value))]
        if points:
            chart.lines.append(Line(name, points, texts=[f"{size:g} users: {mean:.2f} {unit}".strip() for size, mean in points]))
    return chart


def figure_10(measured: Measured, sizes: list[int]) -> Section:
    def spread(name: str) -> dict[str, tuple[str, Callable[[Run], float | None]]]:
        return {
            BEST_EFFORT: (BEST_EFFORT, within(name, "p50")), BEST_95: (BEST_EFFORT, within(name, "p95")),
            MANAGED: (MANAGED, within(name, "p50")), MANAGED_95: (MANAGED, within(name, "p95")),
        }  # fmt: skip

    charts = {
        "10a": over(measured, sizes, "Packets dropped at the link", "%", {BEST_EFFORT: (BEST_EFFORT, dropped_percent), MANAGED: (MANAGED, dropped_percent)}),
        "10b": over(measured, sizes, "Round trip", "ms", spread("rttMs")),
        "10c": over(measured, sizes, "Jitter of calls", "ms", spread("jitterMs")),
    }
    idle = estimate([run["baseRttMs"] for size in sizes for mode in (BEST_EFFORT, MANAGED) for run in measured.runs(size, mode)]).mean
    rows = [
        Row("packets dropped, best effort", "0.5 to 7.1 % (of calls)", f"{ends(charts['10a'], BEST_EFFORT)} %"),
        Row("packets dropped, managed", "0", f"{ends(charts['10a'], MANAGED)} %"),
        Row("round trip, best effort, median", "53 to 79 ms", f"{ends(charts['10b'], BEST_EFFORT, 0)} ms, of which {idle:.1f} when idle"),
        Row("round trip, managed, median", "0.9 to 1.1 ms", f"{ends(charts['10b'], MANAGED, 1)} ms, of which {idle:.1f} when idle"),
        Row("round trip, managed, 95 %", "1.5 to 2.4 ms", f"{ends(charts['10b'], MANAGED_95, 1)} ms, of which {idle:.1f} when idle"),
        Row("jitter of calls, managed, 95 %", "below 0.9 ms", f"{ends(charts['10c'], MANAGED_95)} ms"),
    ]
    return Section("10", "loss, round trip and jitter", charts, MODES, rows)


def figure_11(measured: Measured, sizes: list[int]) -> Section:
    charts = {}
    for letter, kind in zip("abcde", FIVE):
        of = {BEST_EFFORT: (BEST_EFFORT, of_type(kind, "tail")), MANAGED: (MANAGED, of_type(kind, "tail")), TARGET: (MANAGED, of_type(kind, "target"))}
        charts[f"11{letter}"] = over(measured, sizes, f"{NAMES[kind]}: what nine of ten requests reach", "utility", of, UTILITY)
    gains = Chart("Managed above best effort", "users", "utility", x_range=(0, max(sizes) * 1.05))
    for kind in FIVE:
        points = [(float(size), estimate(more).mean) for size in sizes if (more := measured.ahead(size, BEST_EFFORT, of_type(kind, "tail")))]
        gains.lines.append(Line(kind, points, texts=[f"{size:g} users: {mean:+.2f}" for size, mean in points]))
    charts["11f"] = gains
    least = {BEST_EFFORT: (BEST_EFFORT, lambda run: run.get("minUtility")), MANAGED: (MANAGED, lambda run: run.get("minUtility")), TARGET: (MANAGED, lambda run: run.get("minTarget"))}
    charts["11g"] = over(measured, sizes, "The worst-off", "utility", least, UTILITY)
    rows = [
        Row(f"{NAMES['vod']}: the most above best effort", "3.1 (120 users)", greatest(gains, "vod")),
        Row(f"{NAMES['live']}: the most above best effort", "3.4 (60 to 70 users)", greatest(gains, "live")),
        Row(f"{NAMES['ssh']}: the most above best effort", "2.1 (120 users)", greatest(gains, "ssh")),
        Row(f"{NAMES['dl']}: the most above best effort", "close to 1.0 (from 100 users on)", greatest(gains, "dl")),
        Row(f"{NAMES['web']}: the most below best effort", "0.9 (90 users)", greatest(gains, "web", -1)),
        Row("a type off its target, managed, at most", "0.5; 0.2 but for live video", farthest(measured, sizes)),
        Row("the worst-off, managed, up to 80 users", "3.0 or more", lowest(charts["11g"], MANAGED, PAPER_USERS)),
        Row("the worst-off off their target, at most", "0.1", off_target(charts["11g"])),
    ]
    return Section("11", "utility by the number of users", charts, MODES | TYPES, rows)


def figure_12(measured: Measured, sizes: list[int]) -> Section:
    charts = {}
    for letter, kind in zip("abcde", FIVE):
        of = {mode: (mode, of_type(kind, "fIndex")) for mode in (BEST_EFFORT, MANAGED)}
        charts[f"12{letter}"] = over(measured, sizes, f"{NAMES[kind]}: F-index", "F", of, (0.5, 1.0))
    low = {mode: [(kind, point) for letter, kind in zip("abcde", FIVE) for line in charts[f"12{letter}"].lines if line.run == mode for point in line.points] for mode in (BEST_EFFORT, MANAGED)}
    rows = [Row("F-index of a type, managed, at least", "0.98", least_of(low[MANAGED]))]
    for kind, paper in (("live", "0.70 (44 users)"), ("vod", "0.77 (55 users)")):
        rows.append(Row(f"{NAMES[kind]}: F-index, best effort, at least", paper, least_of([(one, point) for one, point in low[BEST_EFFORT] if one == kind], named=False)))
    return Section("12", "fairness between users of a type", charts, MODES, rows)


def figure_13(measured: Measured, sizes: list[int]) -> Section:
    charts = {"13a": over(measured, sizes, "Time to solve, at the controller", "ms", {MANAGED: (MANAGED, within("bound", "solveMs"))})}
    for letter, (what, programs) in zip("bc", SIZES.items(), strict=True):
        chart = Chart(f"The paper's program: {what}", "users", "thousands", x_range=(0, max(sizes) * 1.05))
        for whose, (each, beside) in programs.items():
            counts = [each * size + beside for size in sizes]
            points = [(float(size), count / 1000) for size, count in zip(sizes, counts, strict=True)]
            chart.lines.append(Line(whose, points, texts=[f"{size} users: {count:,} {what}" for size, count in zip(sizes, counts, strict=True)]))
        charts[f"13{letter}"] = chart
    rows = [Row("time to solve, at most", "66.2 s (110 users)", slowest(charts["13a"]))]
    rows += [Row(f"{what} for each application, as a program", f"{programs[PAPER][0]:,}", f"{programs[MANAGED][0]:,}") for what, programs in SIZES.items()]
    return Section("13", "the problem's size, and the time to solve it", {name: chart for name, chart in charts.items() if chart.lines}, PROGRAMS, rows)


# -- numbers as text


def of_mean(values: list[float], digits: int = 2) -> str:
    return number(estimate(values).mean if values else None, digits)


def of_median(values: list[float], digits: int = 2) -> str:
    return number(median(values) if values else None, digits)


def points_of(chart: Chart, run: str) -> list[tuple[float, float]]:
    return next((line.points for line in chart.lines if line.run == run), [])


def ends(chart: Chart, run: str, digits: int = 2) -> str:
    """From the fewest users to the most."""
    said = [number(value, digits) for _, value in points_of(chart, run)]
    return " to ".join(dict.fromkeys((said[0], said[-1]))) if said else "-"


def users(value: float, at: float, digits: int = 2) -> str:
    return f"{number(value, digits)} ({at:g} users)"


def greatest(chart: Chart, run: str, sign: int = 1) -> str:
    points = points_of(chart, run)
    at, value = max(points, key=lambda point: sign * point[1], default=(0.0, None))
    return "-" if value is None else users(sign * value, at)


def slowest(chart: Chart) -> str:
    at, value = max(points_of(chart, MANAGED), key=lambda point: point[1], default=(0.0, None))
    return "these runs do not say" if value is None else f"{value:.1f} ms ({at:g} users)"


def lowest(chart: Chart, run: str, up_to: int) -> str:
    at, value = min((point for point in points_of(chart, run) if point[0] <= up_to), key=lambda point: point[1], default=(0.0, None))
    return "-" if value is None else users(value, at)


def off_target(chart: Chart) -> str:
    targets = dict(points_of(chart, TARGET))
    at, value = max(((size, abs(had - targets[size])) for size, had in points_of(chart, MANAGED) if size in targets), key=lambda point: point[1], default=(0.0, None))
    return "-" if value is None else users(value, at)


def farthest(measured: Measured, sizes: list[int]) -> str:
    def off(kind: str) -> Callable[[Run], float | None]:
        tail, target = of_type(kind, "tail"), of_type(kind, TARGET)
        return lambda run: None if None in (had := tail(run), told := target(run)) else had - told

    found = [(abs(mean := estimate(values).mean), mean, kind, size) for kind in SIX for size in sizes if (values := measured.values(size, MANAGED, off(kind)))]
    if not found:
        return "-"
    _, mean, kind, size = max(found)
    return f"{mean:+.2f} ({NAMES[kind]}, {size} users)"


def least_of(points: list[tuple[str, tuple[float, float]]], named: bool = True) -> str:
    kind, (at, value) = min(points, key=lambda one: one[1][1], default=("", (0.0, None)))
    if value is None:
        return "-"
    return f"{number(value, 3)} ({NAMES[kind] + ', ' if named else ''}{at:g} users)"
