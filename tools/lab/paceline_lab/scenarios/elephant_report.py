"""HNTES's experiments as a table, a page with plots, and result.json."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from ..charts import Chart, Line
from . import sheets
from .elephant_figures import MANAGED, Run

TITLE = "Elephants: HNTES's experiments"
COLOURS = {
    "one-queue": "#c0504d", "two-queues": "#b8860b", "split-80-20": "#8c564b", "scavenger-1": "#7a5195", "scavenger-20": "#b07aa1", "wred": "#5b8c3a",
    MANAGED: "#1f6fb2",
}  # fmt: skip
# By what crosses the link; the last is the part of it that its port keeps for all but elephants.
FLOW_COLOURS = {
    "elephant-1": "#0072b2", "elephant-2": "#e69f00", "elephant-3": "#009e73", "elephant-4": "#cc79a7", "datagrams": "#666666", "others-part": "#222222",
}  # fmt: skip
SAYS = {
    "one-queue": "one FIFO for all",
    "two-queues": "elephants and all others have 60 and 40 % of the link and of its buffer, and use what the others leave; nobody is policed",
    "split-80-20": "the same, 80 and 20 %",
    "scavenger-1": "elephants are policed to a tenth of the link; what is beyond it has a third queue of 1 %",
    "scavenger-20": "the same, with a third queue of 20 %",
    "wred": "the same policer; what is beyond it is dropped with the part of the elephants' queue that is full",
    MANAGED: "Paceline with the scheme elephant-isolation, and an agent beside the switches that divides their ports",
}


def write(folder: Path, result: dict[str, Any]) -> None:
    sheets.write(folder, result, {"report.html": page(result), "report.md": markdown(result)})


def table(result: dict[str, Any]) -> str:
    rows = [
        f"{'':8}{'run':24}{'elephants, kbit/s':>22}{'Jain':>7}{'again':>7}{'disorder':>10}{'reordered':>11}{'ping':>8}{'sd':>7}{'idle':>7} ms"
        f"{'UDP lost':>10}{'later':>8}"
    ]
    before = ""
    for run in result["runs"]:
        head = run["experiment"] if run["experiment"] != before else ""
        before = run["experiment"]
        name = f"{run['mode']}, {run['congestionControl']}"
        if "error" in run:
            rows.append(f"{head:8}{name:24} failed: {run['error']}")
            continue
        rates = " ".join(f"{one['kbps']:.0f}" for one in run["elephants"])
        again, late = (sum(one[what] for one in run["elephants"]) for what in ("retransmitted", "outOfOrder"))
        udp = f"{run['udpLostPercent']:8.2f} %{run['udpLostLaterPercent']:6.2f} %" if "udpLostPercent" in run else ""
        rows.append(
            f"{head:8}{name:24}{rates:>22}{run['jain']:7.3f}{again:7}{late:10}{sum(run['reordered']):11}{run['ping']['meanMs']:8.2f}{run['ping']['deviationMs']:7.2f}"
            f"{run['idlePing']['meanMs']:7.2f}   {udp}"
        )
    return "\n".join(rows)


def settings(result: dict[str, Any]) -> str:
    missing = result.get("missingCongestionControls", [])
    return (
        f"{result['bottleneckKbps'] / 1000:g} Mbit/s for the paper's 10 Gbit/s, a buffer of {result['bufferBytes']} bytes (as long as the paper's), runs of "
        f"{result['seconds']:g} s (the paper: {result['paperSeconds']})." + (f" Left out, for the kernel has not: {', '.join(missing)}." if missing else "")
    )


def markdown(result: dict[str, Any]) -> str:
    return sheets.markdown(TITLE, result, settings(result), [sheets.fenced(table(result))], pictures=True)


def page(result: dict[str, Any]) -> str:
    # Of repeats the last one.
    runs = {(run["experiment"], run["congestionControl"], run["mode"]): run for run in result["runs"] if "error" not in run}
    sections = "".join(
        f"<h2>Experiment {experiment}, {congestion}</h2><div class='plots'>{''.join(chart.svg() for chart in drawn)}</div>"
        for experiment, congestion in dict.fromkeys((experiment, congestion) for experiment, congestion, _ in runs)
        if (drawn := charts([run for key, run in runs.items() if key[:2] == (experiment, congestion)]))
    )
    modes = [mode for mode in COLOURS if any(run["mode"] == mode for run in runs.values())]
    said = "".join(f"<li><b>{mode}</b>: {html.escape(SAYS[mode])}</li>" for mode in modes)
    head = f"""<p>{html.escape(settings(result))}</p><ul>{said}</ul>
<p>Plots show the last repeat: a ping over each router and over Paceline, then what crosses the link in each run, in kbit/s of frames. "others-part" is
the part of the link that its port keeps for all but elephants, where the run followed it. Point at a line to read its value.</p>"""
    return sheets.page(TITLE, result, {**COLOURS, **FLOW_COLOURS}, [*modes, *FLOW_COLOURS], head, sections, [table(result)])


def charts(runs: list[Run]) -> list[Chart]:
    """Of one experiment, in each mode."""
    pings = Chart("ping", "s", "ms", [Line(run["mode"], points(run["pingOverTime"])) for run in runs])
    return [pings, *(rates(run) for run in runs if "overTime" in run)]


def rates(run: Run) -> Chart:
    chart = Chart(run["mode"], "s", "kbit/s", [Line(name, points(found)) for name, found in run["overTime"].items()], level=[("link", run["linkKbps"])])
    # 0 is a port that is not divided.
    if kept := [(moment, rate) for moment, rate in points(run.get("othersKbps", [])) if rate > 0]:
        chart.lines.append(Line("others-part", kept, steps=True))
    return chart


def points(found: list[list[float]]) -> list[tuple[float, float]]:
    return [(x, y) for x, y in found]
