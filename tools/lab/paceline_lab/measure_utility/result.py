"""What a measurement leaves: the table in the project's format, and beside it how it came about."""

from __future__ import annotations

import hashlib
import html
import importlib.metadata
import json
import math
import os
import platform
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np

from ..checkout import ROOT
from ..demo.report import style
from ..traffic.kpi import LEAST, MOST
from .fit import Table, at_samples, fit, resampled
from .models import Model
from .monotonicity import Verdict, judge
from .samples import Samples, half_width

# The greatest breaks of the rule; how many there are stands beside them.
SHOWN_BREAKS = 10
LIBRARIES = ("numpy", "scipy")


@dataclass(frozen=True)
class Nearness:
    """How far a table is from a published one at that one's places, and where it is farthest (kbit/s, ms).

    Also how far each of them is from the samples.
    """

    mean: float
    most: float
    at: tuple[float, float]
    within_a_tenth: float
    samples_mean: float
    samples_most: float
    published_samples_mean: float
    published_samples_most: float


@dataclass(frozen=True)
class Result:
    samples: Samples
    table: Table
    verdict: Verdict


def made_of(samples: Samples, rates_kbps: Sequence[float], delays_ms: Sequence[float], seed: int) -> Result:
    return Result(samples, fit(samples, rates_kbps, delays_ms, seed), judge(samples, at_samples(samples)))


def nearness(samples: Samples, published: dict[str, Any]) -> Nearness:
    rates, delays = published["throughputKbps"], published["delayMs"]
    theirs = np.array(published["utility"])
    off = np.abs(fit(samples, rates, delays, draws=1).utility - theirs)
    i, j = np.unravel_index(off.argmax(), off.shape)
    there = resampled(theirs, rates, delays, samples.rates_kbps, samples.delays_ms)
    from_samples = [float(of(np.abs(table - samples.means()))) for table in (at_samples(samples), there) for of in (np.nanmean, np.nanmax)]
    return Nearness(float(off.mean()), float(off.max()), (rates[i], delays[j]), float((off <= 0.1).mean()), *from_samples)


def document(intent: str, model: Model, source: str, table: Table) -> dict[str, Any]:
    """As the catalogue has it, and as UtilityFunctionJson reads it."""
    above, _, name = intent.partition("/")
    return {
        "class": above, "intent": name, "kpi": f"{', '.join(model.kpis)}; model {model.name}: {model.source}", "source": source,
        "throughputKbps": rounded(table.rates_kbps), "delayMs": rounded(table.delays_ms), "utility": [rounded(row) for row in table.utility],
    }  # fmt: skip


def rounded(values: Any) -> list[float]:
    return [round(float(value), 6) for value in values]


def provenance(command: str) -> dict[str, Any]:
    return {
        "command": command, "version": version(), "at": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "kernel": platform.release(),
        "machine": platform.machine(), "processors": os.cpu_count(), "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in LIBRARIES},
    }  # fmt: skip


def version() -> str:
    found = re.search("<revision>(.*)</revision>", (ROOT / "pom.xml").read_text())
    return found[1] if found else "unknown"


def report(intent: str, model: Model, result: Result, came: dict[str, Any], near: Nearness | None) -> dict[str, Any]:
    """Everything but the table."""
    samples, table = result.samples, result.table
    return {
        "intent": intent, "model": {"name": model.name, "kpis": model.kpis, "source": model.source}, "provenance": came,
        "interval": {"confidence": 0.95, "method": "bootstrap of the fit", "low": [rounded(row) for row in table.low], "high": [rounded(row) for row in table.high]},
        "monotone": {"compared": result.verdict.compared, "broken": len(result.verdict.breaks),
                     "breaks": [asdict(one) for one in result.verdict.breaks[:SHOWN_BREAKS]]},
        "published": None if near is None else asdict(near),
        "places": [
            {"throughputKbps": samples.rates_kbps[i], "delayMs": samples.delays_ms[j], "utility": round(sum(values) / len(values), 6),
             "repeats": len(values), "halfWidth": None if math.isinf(half_width(values)) else round(half_width(values), 6)}
            for (i, j), values in sorted(samples.utilities.items())
        ],
    }  # fmt: skip


def write(out: Path, table: dict[str, Any], said: dict[str, Any]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "utility.json").write_text(json.dumps(table) + "\n")
    (out / "measurement.json").write_text(json.dumps(said, indent=1) + "\n")
    (out / "utility.svg").write_text(picture(table, said))
    (out / "index.html").write_text(page(table, said))


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


WIDTH, HEIGHT, LEFT, TOP, BOTTOM, SCALE = 480, 320, 60, 26, 44, 70


def picture(table: dict[str, Any], said: dict[str, Any]) -> str:
    """The table by colours, over axes as they are; a dot where it was measured."""
    rates, delays, utility = table["throughputKbps"], table["delayMs"], table["utility"]

    def along(values: list[float], begin: float, end: float):  # type: ignore[no-untyped-def]
        low, high = values[0], values[-1]
        return lambda value: begin if high <= low else begin + (min(max(value, low), high) - low) / (high - low) * (end - begin)

    x, y = along(rates, LEFT, WIDTH - SCALE), along(delays, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11" role="img" aria-label="utility of {html.escape(said["intent"])}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/><text x="{LEFT}" y="16" font-size="13">{html.escape(said["intent"])}</text>',
    ]
    for i, rate in enumerate(rates):
        left, right = x(middle(rates, i - 1)), x(middle(rates, i))
        for j, delay in enumerate(delays):
            top, foot = y(middle(delays, j)), y(middle(delays, j - 1))
            shade = f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(right - left, 1) + 0.3:.1f}" height="{max(foot - top, 1) + 0.3:.1f}" fill="{colour(utility[i][j])}">'
            parts.append(f"{shade}<title>{rate:g} kbit/s, {delay:g} ms: {utility[i][j]:.2f}</title></rect>")
    for place in said["places"]:
        parts.append(f'<circle cx="{x(place["throughputKbps"]):.1f}" cy="{y(place["delayMs"]):.1f}" r="1.6" fill="black"/>')
    for rate in (rates[0], rates[len(rates) // 2], rates[-1]):
        parts.append(f'<text x="{x(rate):.1f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{rate:.0f}</text>')
    for delay in (delays[0], delays[len(delays) // 2], delays[-1]):
        parts.append(f'<text x="{LEFT - 6}" y="{y(delay) + 4:.1f}" text-anchor="end">{delay:.0f}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - SCALE) / 2}" y="{HEIGHT - 10}" text-anchor="middle">throughput, kbit/s</text>')
    parts.append(f'<text transform="translate(14,{(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">delay, ms</text>')
    for step in range(5):
        top = HEIGHT - BOTTOM - (step + 1) * (HEIGHT - BOTTOM - TOP) / 5
        parts.append(f'<rect x="{WIDTH - 50}" y="{top:.1f}" width="16" height="{(HEIGHT - BOTTOM - TOP) / 5:.1f}" fill="{colour(step + 1)}"/>')
        parts.append(f'<text x="{WIDTH - 28}" y="{top + 26:.1f}">{step + 1}</text>')
    return "".join(parts) + "</svg>\n"


def middle(values: list[float], i: int) -> float:
    """Between this place and the next; before the first, and after the last, the end itself."""
    return values[0] if i < 0 else values[-1] if i + 1 >= len(values) else (values[i] + values[i + 1]) / 2


def colour(utility: float) -> str:
    """From dark (1) to bright (5), told apart also without colours."""
    share = (utility - LEAST) / (MOST - LEAST)
    low, high = (68, 1, 84), (253, 231, 37)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high))


def width(place: dict[str, Any]) -> str:
    return "" if place["halfWidth"] is None else f"{place['halfWidth']:.2f}"


def page(table: dict[str, Any], said: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td>{one['throughputKbps']:g}</td><td>{one['delayMs']:g}</td><td>{one['utility']:.2f}</td><td>{one['repeats']}</td><td>{width(one)}</td></tr>"
        for one in said["places"]
    )
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Paceline: utility of {html.escape(said["intent"])}</title>
<style>{style({})} circle{{fill:#000}}</style>
<h1>Utility of {html.escape(said["intent"])}</h1>
<p>{html.escape(table["kpi"])}</p>
<p>{html.escape(table["source"])}</p>
{picture(table, said)}
<p>{said["monotone"]["compared"]} comparisons of what was measured; {said["monotone"]["broken"]} say for sure that more throughput or less delay was worse.</p>
<table><tr><th>kbit/s</th><th>ms</th><th>utility</th><th>repeats</th><th>± (95 %)</th></tr>{rows}</table></html>
"""
