"""Runs of a small network as a table, a page with plots, and result.json."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from ..charts import Bar, Chart, Line
from . import sheets
from .smallnet_figures import ADAPTIVE, CONTROLLED, TABLE_3, UNCONTROLLED, Run, root

TITLE = "Small networks without a controller"
HOST_COLOURS = {"a": "#1f6fb2", "b": "#c0504d", "c": "#5b8c3a"}
COLOURS = {UNCONTROLLED: "#c0504d", CONTROLLED: "#1f6fb2", ADAPTIVE: "#5b8c3a", "root": "#7a5195", "paper": "#b8860b"}


def write(folder: Path, result: dict[str, Any]) -> None:
    sheets.write(folder, result, {"report.html": page(result), "report.md": markdown(result)})


def named(run: Run) -> str:
    words = [run.get("protocol", ""), run["mode"], f"B {run['B']} alpha {run['alpha']}" if "B" in run else "", "alone" if run.get("alone") else ""]
    return " ".join(word for word in words if word)


def table(result: dict[str, Any]) -> str:
    rows = [
        f"{'':10}{'run':24}{'hosts send, kbit/s':>22}{'load':>7}{'off':>8}{'settled':>9}{'swing':>8}{'total':>7}{'goodput':>9}{'dropped':>9}"
        f"{'ping':>9}{'idle':>7} ms{'>150':>8}"
    ]
    before = ""
    for run in result["runs"]:
        head, before = run["experiment"] if run["experiment"] != before else "", run["experiment"]
        if "error" in run:
            rows.append(f"{head:10}{named(run):24} failed: {run['error']}")
            continue
        if "phases" in run:
            rows.append(f"{head:10}{named(run):24} right again after: " + "; ".join(f"{one['name']} {seconds(one['rightAfterS'])}" for one in run["phases"]))
            continue
        rates = " ".join(f"{rate:.0f}" for rate in run["kbps"].values())
        total = f"{run['totalSwingPercent']:5.1f} %" if "totalSwingPercent" in run else f"{'':7}"
        had = f"{run['offPercent']:6.1f} %{seconds(run['settledS']):>9}{run['swingPercent']:6.1f} %{total}" if "offPercent" in run else f"{'':32}"
        link = f"{run['loadOfLink']:7.3f}" if "loadOfLink" in run else f"{'':7}"
        dropped = f"{run['droppedPackets']:9}" if "droppedPackets" in run else f"{'':9}"
        good = f"{run['goodputOfTotal']:9.3f}" if "goodputOfTotal" in run else f"{'':9}"
        more = {"downloadKbps": "download", "togetherKbps": "together"}
        said = "".join(f"   {word} {run[key]:.0f} kbit/s" for key, word in more.items() if key in run)
        rows.append(
            f"{head:10}{named(run):24}{rates:>22}{link}{had}{good}{dropped}"
            f"{run['ping']['meanMs']:9.1f}{run['idlePing']['meanMs']:7.1f}   {run['latePingPercent']:6.1f} %{said}"
        )
    return "\n".join(rows)


def seconds(value: float | None) -> str:
    return "never" if value is None else f"{value:.1f} s"


def settings(result: dict[str, Any]) -> str:
    return (
        f"{result['settlesS']:g} s to settle, then {result['seconds']:g} s measured. Rates are of frames. Load: of the link. Off: the host whose part is "
        "farthest from its weight's. Settled: from then on no part is off by more than 5 % in any 5 s. Swing: how far a host's rate in 2 s is from its mean "
        "at most; total: the same of all together. Goodput: what applications received, of what hosts sent. In scenario 2 rates are of payload that arrived, "
        "in 1:6-down of frames that the router sends to a host."
    )


def markdown(result: dict[str, Any]) -> str:
    return sheets.markdown(TITLE, result, settings(result), [sheets.fenced(table(result))], pictures=True)


def page(result: dict[str, Any]) -> str:
    runs = [run for run in result["runs"] if "error" not in run]
    experiments = dict.fromkeys((run["experiment"], run.get("protocol", "")) for run in runs)
    sections = "".join(
        f"<h2>{html.escape(' '.join(filter(None, (name, protocol))))}</h2><div class='plots'>{''.join(chart.svg() for chart in drawn)}</div>"
        for name, protocol in experiments
        if (drawn := charts(name, [run for run in runs if (run["experiment"], run.get("protocol", "")) == (name, protocol)]))
    )
    head = f"""<p>{html.escape(settings(result))}</p>
<p>Plots show the last repeat. Point at a line or a bar to read its value.</p>"""
    return sheets.page(TITLE, result, {**HOST_COLOURS, **COLOURS}, [*HOST_COLOURS, *COLOURS], head, sections, [table(result)])


def charts(name: str, runs: list[Run]) -> list[Chart]:
    last = list({named(run): run for run in runs}.values())
    if name == "table-3":
        return [of_table(last), *of_pings(last)]
    return [*(rates(run) for run in last if "overTime" in run), *of_pings(last)]


def rates(run: Run) -> Chart:
    """As figures 6 and 8."""
    chart = Chart(named(run), "s", "kbit/s", level=[("link", run["linkKbps"])] if "linkKbps" in run else [])
    chart.lines = [Line(host, [(moment, rate) for moment, rate in found]) for host, found in run["overTime"].items()]
    return chart


def of_pings(runs: list[Run]) -> list[Chart]:
    """One run of each mode: with the paper's B and alpha, where there are several."""
    chart = Chart("ping", "s", "ms")
    for run in runs:
        if "pingOverTime" in run and not run.get("alone") and (run.get("B", 5), run.get("alpha", 1)) == (5, 1):
            chart.lines.append(Line(run["mode"], [(moment, trip) for moment, trip in run["pingOverTime"]]))
    return [chart] if chart.lines else []


def of_table(runs: list[Run]) -> Chart:
    chart = Chart("T/C of table 3", "B, alpha", "", y_range=(0.7, 1.0))
    for run in runs:
        if "B" in run:
            place = f"{run['B']}, {run['alpha']}"
            known = {CONTROLLED: run["utilisation"], "root": root(run["B"], run["alpha"]), "paper": TABLE_3[run["B"], run["alpha"]]}
            chart.bars += [Bar(name, place, value) for name, value in known.items()]
    return chart
