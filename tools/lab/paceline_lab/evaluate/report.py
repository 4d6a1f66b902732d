"""An evaluation's figures as text, a page with plots by size, and result.json."""

from __future__ import annotations

import html
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import claims as claim_table
from ..charts import Chart, Line
from ..checkout import commit
from ..demo.report import COLOURS, NAMES, NOTABLE_UTILITY, cell, choices, headed, lines, number, rivals_said, style
from ..demo.variants import GROWS, GROWS_TOLD, MANAGED, MANAGED_RUNS, VARIANTS
from .asked import EvaluateOptions
from .busy import QUIET_PERCENT
from .claims import claims
from .figures import BY_LINKS, DELAYS, FIGURES, LEAST, MEAN, ON_OFF, OPTIONAL, Figure, Run, figures_of
from .result import Measured, by_size, verdict
from .statistics import Estimate

UTILITY_RANGE = (1.0, 5.0)
# Of the plot's width.
APART = 0.008


def made_of(options: EvaluateOptions, runs: list[Run]) -> dict[str, Any]:
    measured = Measured(runs)
    whole = [run for run in runs if "error" not in run]
    base = min((run["baseRttMs"] for run in whole), default=0.0)
    return {
        "scenario": "evaluate", "sizes": list(options.sizes), "seeds": list(options.seeds), "repeats": options.repeats, "seconds": options.seconds,
        "bottlenecks": options.bottlenecks, "bottleneckKbps": options.bottleneck.bits_per_second // 1000, "bufferBytes": options.bottleneck.fifo_bytes,
        **({"onOff": options.on_off.to_json()} if options.on_off else {}),
        "baseRttMs": base, "command": options.command,
        "made": {"at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit(), "commits": sorted({run["commit"] for run in whole})},
        "busyRuns": sum(run["othersPercent"] > QUIET_PERCENT for run in whole),
        "runs": runs, "bySize": by_size(measured), "claims": claims(measured, base, options.bottlenecks),
    }  # fmt: skip


def write(folder: Path, result: dict[str, Any]) -> None:
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / "report.html").write_text(page(result))
    (folder / "report.md").write_text(markdown(result))


# -- as text


def table(result: dict[str, Any]) -> str:
    rows = [row for one in result["bySize"] for row in size_table(one)]
    failed = [f"{run['applications']} users, seed {run['seed']}, repeat {run['repeat']}, {run['mode']}: failed: {run['error']}" for run in result["runs"] if "error" in run]
    return "\n".join([*rows, *(line for one in failed for line in lines(one, "  "))])


def size_table(one: dict[str, Any]) -> list[str]:
    """Means of all blocks, then what managed has more or less, with intervals."""
    known = [figure for figure in figures_of([one]) if figure.head]
    rows = means(f"{one['applications']} users", one, [figure for figure in known if figure not in OPTIONAL])
    for title, figures in (("across", BY_LINKS), ("delays", DELAYS if {GROWS, GROWS_TOLD} & one["modes"].keys() else ()), ("on and off", ON_OFF)):
        if columns := [figure for figure in known if figure in figures]:
            rows += means(title, one, columns)
    for mode, estimates in one["managedLess"].items():
        if LEAST in estimates:
            rows += lines(f"  managed less {mode}: least {difference(estimates[LEAST])}; mean {difference(estimates[MEAN])}", "  ")
    return [*rows, ""]


def means(title: str, one: dict[str, Any], columns: list[Figure]) -> list[str]:
    # The longest name, and a space.
    first = max(map(len, (title, *one["modes"]))) + 1
    rows = [f"{title:{first}}" + "".join(f"{figure.head:>{width(figure)}}" for figure in columns)]
    for mode, estimates in one["modes"].items():
        rows.append(f"{mode:{first}}" + "".join(f"{number((estimates.get(figure.name) or {}).get('mean'), figure.digits):>{width(figure)}}" for figure in columns))
    return rows


def width(figure: Figure) -> int:
    return max(6, len(figure.head) + 1)


def read(estimate: dict[str, Any]) -> Estimate:
    interval = estimate.get("interval")
    return Estimate(estimate["mean"], estimate["blocks"], tuple(interval) if interval else None, estimate.get("confidence", 0.0))


def difference(estimate: dict[str, Any]) -> str:
    found = read(estimate)
    return f"{found.mean:+.3f}{interval(found, '+.3f')}, {verdict(found)}"


def interval(found: Estimate, form: str) -> str:
    return "" if found.interval is None else f" ({format(found.interval[0], form)} .. {format(found.interval[1], form)})"


def conclusion(result: dict[str, Any]) -> list[str]:
    """For each size managed beside the best rival, and who loses by it; what it rests on; and at last how much of what was asked holds."""
    said = []
    for one in result["bySize"]:
        parts = [
            f"{name} {number(one['modes'][MANAGED][key]['mean'])}, best rival {one['bestRival'][key]} {number(one['modes'][one['bestRival'][key]][key]['mean'])}: "
            f"{difference(one['managedLess'][one['bestRival'][key]][key])}"
            for key, name in ((LEAST, "least utility"), (MEAN, "mean utility"))
            if key in one["bestRival"]
        ]
        if parts:
            won = [f"{title} ({rival} by {more:.2f})" for title, rival, more in won_types(one)]
            better = f" A rival serves better: {', '.join(won)}." if won else " No rival serves a type better."
            said.append(f"{one['applications']} users, {blocks(one)}: {'. '.join(parts)}.{better}")
    said += cautions(result)
    failing = sum(not claim["holds"] for claim in result["claims"])
    if result["claims"]:
        said.append(f"{len(result['claims']) - failing} of {len(result['claims'])} claims hold.")
    return [line for text in said for line in lines(text, "  ")] or ["No run came to an end."]


def won_types(one: dict[str, Any]) -> list[tuple[str, str, float]]:
    """Types in which a rival is surely ahead of managed by more than is chance from run to run, who is it the most, and by how much."""
    found = []
    for kind, title in NAMES.items():
        behind = {}
        for mode, estimates in one["managedLess"].items():
            if mode in MANAGED_RUNS or f"utility-{kind}" not in estimates:
                continue
            less = read(estimates[f"utility-{kind}"])
            if less.mean <= -NOTABLE_UTILITY and (less.interval is None or less.interval[1] < 0):
                behind[mode] = -less.mean
        if behind:
            most = max(behind, key=lambda mode: behind[mode])
            found.append((title, most, behind[most]))
    return found


def blocks(one: dict[str, Any]) -> str:
    count = max((estimates[MEAN]["blocks"] for estimates in one["modes"].values() if MEAN in estimates), default=0)
    return f"{count} block{'s' if count != 1 else ''}"


def cautions(result: dict[str, Any]) -> list[str]:
    said = []
    runs = [run for run in result["runs"] if "error" not in run]
    if result["busyRuns"]:
        said.append(
            f"{result['busyRuns']} of {len(runs)} runs began while other programs used more than {QUIET_PERCENT:g} % of the processors: these are a busy machine's figures."
        )
    if alarms := Counter(alarm["likelyCause"] for run in runs for alarm in run.get("experienceAlarms", [])):
        causes = ", ".join(f"{cause}: {count}" for cause, count in sorted(alarms.items()))
        said.append(f"Users experienced lastingly less than was promised, by the controller's alarms and their likely causes ({causes}).")
    left: Counter[str] = Counter()
    for run in runs:
        left[run["mode"]] += run.get("uncounted", 0)
    if +left:
        said.append(f"Unfinished requests count nothing where their users have finished others: {', '.join(f'{count} of {mode}' for mode, count in sorted((+left).items()))}.")
    sure = [estimate["confidence"] for one in result["bySize"] for figures in one["managedLess"].values() for estimate in figures.values() if "confidence" in estimate]
    if sure and min(sure) < 0.95:
        said.append(f"Few blocks: intervals are all that the blocks had, which is {100 * min(sure):.0f} % and not 95. More --repeats, with the same command otherwise, add to them.")
    elif not sure and runs:
        said.append("One block of each size says nothing of chance. More --repeats, with the same command otherwise, add to it.")
    if len(result["made"]["commits"]) > 1:
        said.append(f"The runs are of {len(result['made']['commits'])} versions: {', '.join(result['made']['commits'])}.")
    return said


def markdown(result: dict[str, Any]) -> str:
    parts = [
        f"# Managed against what one would pick instead, on {network(result)}",
        f"    {result['command']}",
        about(result),
        "\n\n".join(unwrapped(conclusion(result))),
        f"```\n{table(result)}\n```",
    ]
    if result["claims"]:
        parts.append(f"```\n{claim_table.table(result['claims'])}\n```")
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def network(result: dict[str, Any]) -> str:
    rate = f"{result['bottleneckKbps'] / 1000:g} Mbit/s"
    return rate if result["bottlenecks"] == 1 else f"{result['bottlenecks']} links in a row, {rate} each"


def about(result: dict[str, Any]) -> str:
    runs = [run for run in result["runs"] if "error" not in run]
    made = result["made"]
    come_and_go = "; users are on for {:g} s and away for {:g} s, in the mean".format(*result["onOff"]) if "onOff" in result else ""
    when = ", at ".join(part for part in (made["at"][:10], ", ".join(made["commits"])) if part)
    return (
        f"{len(runs)} runs of {result['seconds']:g} s on {network(result)}{come_and_go}; round trip {result['baseRttMs']:g} ms when idle; {when}. Figures are means of all blocks; "
        "a block is one of each run with the same users and draws. Intervals: bootstrap by blocks."
    )


# -- as a page


def page(result: dict[str, Any]) -> str:
    modes = list(dict.fromkeys(mode for one in result["bySize"] for mode in one["modes"]))
    plots = "".join(
        f"<h2>{html.escape(title)}</h2><div class='plots'>{''.join(chart.svg() for chart in charts)}</div>"
        for title, charts in (("What each has", by_figure(result)), ("What managed has more than each rival", ahead(result)))
    )
    failures = "".join(
        f"<p><strong>{run['applications']} users, {html.escape(run['mode'])} failed: {html.escape(run['error'])}</strong></p>" for run in result["runs"] if "error" in run
    )
    title = "Paceline against what one would pick instead"
    said = "".join(f"<p>{html.escape(' '.join(line.split()))}</p>" for line in unwrapped(conclusion(result)))
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style(COLOURS)}</style>
<h1>{title}</h1>
<strong>{said}</strong>{failures}<p>{html.escape(about(result))}</p>{rivals_said([{"mode": mode} for mode in modes])}{variants_said(modes)}
<p>Point at a dot to read its value; an upright stroke is its interval.</p>
{choices(modes)}
<main>{plots}</main>
<h2>All figures</h2>{''.join(figures_table(one) for one in result["bySize"])}
<h2>What it sets out to show</h2>{claims_table(result)}
<p>Utility is from 1 (bad) to 5 (excellent). Of a type it is the mean over its users of what nine of ten of their requests reach. The same
figures are in result.json, every single request in the files of the folder runs.</p></html>
"""


def variants_said(modes: list[str]) -> str:
    said = "; ".join(f"{mode}: {VARIANTS[mode].says}" for mode in modes if mode in VARIANTS)
    return f"<p>Managed too, but not as usual: {html.escape(said)}.</p>" if said else ""


def unwrapped(said: list[str]) -> list[str]:
    """A page breaks lines by itself."""
    whole: list[str] = []
    for line in said:
        if line.startswith("  ") and whole:
            whole[-1] += line[1:]
        else:
            whole.append(line)
    return whole


def by_figure(result: dict[str, Any]) -> list[Chart]:
    return [charted(result, figure, "modes", UTILITY_RANGE if is_utility(figure) else None) for figure in figures_of(result["bySize"])]


def ahead(result: dict[str, Any]) -> list[Chart]:
    return [charted(result, figure, "managedLess", None) for figure in FIGURES if figure.name in (LEAST, MEAN)]


def is_utility(figure: Figure) -> bool:
    return figure.name in (LEAST, MEAN) or figure.name.startswith("utility-")


def charted(result: dict[str, Any], figure: Figure, of: str, y_range: tuple[float, float] | None) -> Chart:
    """A figure over the number of users, a line for each mode."""
    sizes = [one["applications"] for one in result["bySize"]]
    chart = Chart(figure.title, "users", figure.unit or ("utility" if is_utility(figure) else ""), y_range=y_range)
    chart.x_range = (0, max(sizes, default=1) * 1.05)
    points: dict[str, list[tuple[float, float]]] = {}
    texts: dict[str, list[str]] = {}
    for one in result["bySize"]:
        for place, (mode, estimates) in enumerate(one[of].items()):
            if figure.name in estimates:
                found = read(estimates[figure.name])
                # A little beside each other, that no interval hides another.
                x = one["applications"] + (place - len(one[of]) / 2) * APART * max(sizes)
                points.setdefault(mode, []).append((x, found.mean))
                texts.setdefault(mode, []).append(f"{one['applications']} users: {found.mean:.{figure.digits + 1}f}{interval(found, f'.{figure.digits + 1}f')} {figure.unit}".strip())
                if found.interval:
                    chart.spans.append((mode, x, *found.interval))
    chart.lines = [Line(mode, points[mode], texts=texts[mode]) for mode in points]
    return chart


def figures_table(one: dict[str, Any]) -> str:
    """All figures of a size, a line each, with its interval. A rival that is surely better than managed is green, one that is worse red."""
    modes = list(one["modes"])
    rows = []
    for figure in figures_of([one]):
        cells = ""
        for mode in modes:
            estimate = one["modes"][mode].get(figure.name)
            shown = "-" if estimate is None else f"{number(estimate['mean'], figure.digits)}{interval(read(estimate), f'.{figure.digits}f')}"
            cells += cell(mode, shown, told(one, mode, figure))
        rows.append(f"<tr><th>{html.escape(f'{figure.title}, {figure.unit}' if figure.unit else figure.title)}</th>{cells}</tr>")
    return f"<h3>{one['applications']} users, {blocks(one)}</h3>" + headed(("", *modes), rows)


def told(one: dict[str, Any], mode: str, figure: Figure) -> str:
    """Of a rival: whether managed is better for sure, or it is."""
    estimate = one["managedLess"].get(mode, {}).get(figure.name)
    if estimate is None or not (interval := estimate.get("interval")):
        return ""
    low, high = interval if figure.more else (-interval[1], -interval[0])
    return "worse" if low > 0 else "better" if high < 0 else ""


def claims_table(result: dict[str, Any]) -> str:
    rows = []
    for claim in result["claims"]:
        holds, *cells = claim_table.row(claim)
        rows.append(
            f"<tr><th>{html.escape(claim['name'])}</th>" + cell("", holds, "better" if claim["holds"] else "worse")
            + "".join(cell(head, text) for head, text in zip(claim_table.HEADS[2:], cells[1:])) + cell("why", claim.get("why", "")) + "</tr>"
        )  # fmt: skip
    return headed(("claim", "", *claim_table.HEADS[2:], "why"), rows)
