"""AQoS's experiments as a table, a page with plots, and result.json."""

from __future__ import annotations

import html
from pathlib import Path
from statistics import mean
from typing import Any

from ..charts import Bar, Chart, Line
from ..options import ADAPTIVE
from . import sheets
from .aqos_figures import Run, gain_percent, groups

TITLE = "Adaptive reservations: AQoS's experiments"
COLOURS = {"queues": "#b8860b", "static-meters": "#c0504d", "hybrid": "#7a5195", ADAPTIVE: "#1f6fb2"}
SAYS = {
    "queues": "three queues at the narrow link by table II, each with its least rate, work-conserving (deficit round robin)",
    "static-meters": "a drop meter for each flow at its first switch: QoS at its reservation, best effort at its share of the beginning",
    "hybrid": "two queues at the narrow link, QoS and best effort, and the same meters for QoS",
    ADAPTIVE: "Paceline with the scheme adaptive-reservations; senders announced over REST and held by meters at their first switches",
}


def write(folder: Path, result: dict[str, Any]) -> None:
    sheets.write(folder, result, {"report.html": page(result), "report.md": markdown(result)})


def means(repeats: list[dict[str, Run]], figure: str) -> dict[str, float]:
    modes = dict.fromkeys(mode for runs in repeats for mode in runs)
    return {mode: mean(runs[mode][figure] for runs in repeats if mode in runs) for mode in modes}


def table(result: dict[str, Any]) -> str:
    rows = [f"{'':10}{'run':15}{'QoS':>8}{'BE':>8}{'total':>8}{'dropped':>9}{'adaptive carries more QoS':>28}"]
    for protocol, percent, repeats in groups(result):
        qos, best, total, dropped = (means(repeats, name) for name in ("qosKbps", "bestEffortKbps", "totalKbps", "droppedPackets"))
        for place, mode in enumerate(qos):
            gain = f"{gain_percent(qos[ADAPTIVE], qos[mode]):+.1f} %" if ADAPTIVE in qos and mode != ADAPTIVE else ""
            head = f"{protocol} {percent} %" if place == 0 else ""
            rows.append(f"{head:10}{mode:15}{qos[mode]:8.0f}{best[mode]:8.0f}{total[mode]:8.0f}{dropped[mode]:9.0f}{gain:>28}")
    rows += [f"{run['protocol']} {run['bestEffortPercent']} % {run['mode']}: failed: {run['error']}" for run in result["runs"] if "error" in run]
    return "\n".join(rows)


def idle_table(result: dict[str, Any]) -> str:
    """Where the rest went: what the link could have carried and did not, and who was let have what it was not offered."""
    rows = [f"{'idle, kbit/s':25}{'1st second':>12}{'2nd':>8}{'later':>8}{'sum':>8}   held beyond what was offered"]
    for protocol, percent, repeats in groups(result):
        for mode in dict.fromkeys(mode for runs in repeats for mode in runs):
            found = [runs[mode] for runs in repeats if mode in runs]
            parts = [mean(run["idleKbps"][part] for run in found) for part in ("firstSecond", "secondSecond", "later")]
            flows = [flow for flow in found[0]["heldUnusedKbps"] if all(flow in run["heldUnusedKbps"] for run in found)]
            held = ", ".join(f"{flow} {mean(run['heldUnusedKbps'][flow] for run in found):.0f}" for flow in flows)
            head = f"{protocol} {percent} %"
            rows.append(f"{head:10}{mode:15}{parts[0]:12.0f}{parts[1]:8.0f}{parts[2]:8.0f}{sum(parts):8.0f}   {held}".rstrip())
    return "\n".join(rows)


def settings(result: dict[str, Any]) -> str:
    repeats = len({run["repeat"] for run in result["runs"]})
    scaled = f"ten intervals of {result['intervalSeconds']:g} s instead of the paper's {result['paperIntervalSeconds']} s" if (
        result["intervalSeconds"] != result["paperIntervalSeconds"]
    ) else "ten intervals of 20 s, as in the paper"  # fmt: skip
    tried = ", ".join(f"{percent} %: number {', '.join(map(str, tries))}" for percent, tries in result["drawsTried"].items())
    drawn = f"the first that allow the paper's own gains ({tried})" if result["draws"] == "as-told" else "the seed's first"
    return (
        f"{scaled}, seed {result['seed']}, {repeats} {'repeats' if repeats > 1 else 'run'} of each; rates in kbit/s of frames. "
        f"Draws: {drawn}."
    )


def markdown(result: dict[str, Any]) -> str:
    return sheets.markdown(TITLE, result, settings(result), [sheets.fenced(table(result)), sheets.fenced(idle_table(result))])


def page(result: dict[str, Any]) -> str:
    found = groups(result)
    modes = [mode for mode in COLOURS if any(mode in runs for _, _, repeats in found for runs in repeats)]
    sections = "".join(
        f"<h2>{protocol.upper()}, {percent} % best effort</h2><div class='plots'>{''.join(chart.svg() for chart in charts(result, repeats))}</div>"
        for protocol, percent, repeats in found
    )
    said = "".join(f"<li><b>{mode}</b>: {html.escape(SAYS[mode])}</li>" for mode in modes)
    head = f"""<p>{html.escape(settings(result))}</p><ul>{said}</ul>
<p>Plots show the last repeat. Point at a line or a bar to read its value.</p>"""
    return sheets.page(TITLE, result, COLOURS, modes, head, sections, [table(result), idle_table(result)])


def charts(result: dict[str, Any], repeats: list[dict[str, Run]]) -> list[Chart]:
    last = repeats[-1]
    seconds = result["intervalSeconds"]
    first = next(iter(last.values()))
    qos = [name for name, flow in first["flows"].items() if flow["reservedKbps"] is not None]
    whole = Chart("QoS that arrives", "s", "kbit/s")
    offered = [sum(first["flows"][name]["offeredKbps"][i] for name in qos) for i in range(len(first["flows"][qos[0]]["offeredKbps"]))]
    for mode, run in last.items():
        whole.lines.append(Line(mode, stairs([sum(run["flows"][name]["egressKbps"][i] for name in qos) for i in range(len(offered))], seconds), steps=True))
    whole.level = [("link", result["bottleneckKbps"])]
    gains = Chart("QoS and best effort", "", "kbit/s")
    for mode, run in last.items():
        gains.bars += [Bar(mode, "QoS", run["qosKbps"]), Bar(mode, "BE", run["bestEffortKbps"]), Bar(mode, "total", run["totalKbps"])]
    found = [whole, gains]
    for name, flow in first["flows"].items():
        chart = Chart(f"{name} that arrives", "s", "kbit/s")
        if flow["reservedKbps"] is not None:
            chart.level = [("reserved", flow["reservedKbps"])]
        chart.lines = [Line(mode, stairs(run["flows"][name]["egressKbps"], seconds), steps=True) for mode, run in last.items()]
        found.append(chart)
    return found


def stairs(values: list[float], seconds: float) -> list[tuple[float, float]]:
    """Each holds for its interval."""
    return [(i * seconds, value) for i, value in enumerate(values)] + [(len(values) * seconds, values[-1])]
