"""DiffPerf's scenarios as a table, a short report, and result.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..charts import Chart, Line, Look, standalone
from ..options import LOWER_MEANS, PAPER_BETA
from . import sheets
from .films import arrivals

LOOKS = {
    "plain": Look("#c60", "alone", dashed=True),
    "paceline": Look("#06c", "service-classes"),
}
CLASS_LOOKS = {"gold": Look("#a80", "gold"), "silver": Look("#777", "silver"), "bronze": Look("#a52", "bronze")}


def write(folder: Path, result: dict[str, Any]) -> None:
    betas = {f"betas-{number}.svg": standalone(beta_chart(series), LOOKS) for number, series in enumerate(result.get("byBeta") or (), 1)}
    come = {f"arrivals-{run['clients']}.svg": standalone(arrivals.chart(run), CLASS_LOOKS) for run in arrivals.whole(result)}
    sheets.write(folder, result, {"report.md": markdown(result), **betas, **come})


def beta_chart(series: dict[str, Any]) -> Chart:
    """What those have together whom each beta calls low."""
    rows = series["betas"]
    lines = [Line(which, [(row["beta"], row[f"{which}LowKbps"]) for row in rows], texts=[f"beta {row['beta']:g}, {row['low']} low, {row[f'{which}LowKbps']} kbit/s" for row in rows])
             for which in LOOKS]  # fmt: skip
    return Chart(f"Low ones, together ({over(series)})", "beta", "kbit/s", lines=lines)


def over(entry: dict[str, Any]) -> str:
    lower_mean = f", {entry['lowerMean']}" if entry.get("lowerMean", LOWER_MEANS[0]) != LOWER_MEANS[0] else ""
    return f"{entry['congestionControl']}, gamma {entry['gamma']:g}{lower_mean}"


def name(run: dict[str, Any]) -> str:
    if "gamma" not in run:
        return str(run["mode"])
    beta = f", beta {run['beta']:g}" if run.get("beta", PAPER_BETA) != PAPER_BETA else ""
    return f"{run['mode']} over {over(run)}{beta}"


def beta_table(series: dict[str, Any]) -> str:
    """Clients as they were without Paceline; rates of all that are low, and of all others, in kbit/s."""
    heads = f"{'beta':>6}{'low':>5}{'low alone':>12}{'low':>9}{'others alone':>14}{'others':>9}{'QoE a view':>12}"
    rows = [f"{row['beta']:6g}{row['low']:5}{row['plainLowKbps']:12}{row['pacelineLowKbps']:9}{row['plainOthersKbps']:14}{row['pacelineOthersKbps']:9}{row['qoeMean']:12.1f}"
            for row in series["betas"]]  # fmt: skip
    return "\n".join([heads, *rows, f"{series['congestionControl']} alone: QoE {series['plainQoeMean']:.1f} a view"])


def nearer(found: dict[str, Any]) -> str:
    distances = ", ".join(f"{distance:g} with {which}" for which, distance in found["meanDistance"].items())
    said = f"{found['nearer']} comes nearer to the paper's gains." if found["nearer"] else "Both come equally near to the paper's gains."
    return f"{said} {found['gains']} gains at gamma above 0 are off by this much on the average: {distances}."


def table(result: dict[str, Any]) -> str:
    whole = [run for run in result["runs"] if "error" not in run]
    rows = []
    shares = [run for run in whole if "alpha" in run]
    if shares:
        rows.append(f"{'alpha':>6}{'gold':>9}{'silver':>9}{'bronze':>9}{'model':>18}{'measured':>18}{'off':>8}{'worst flows':>13}")
    for run in shares:
        rates = run["perFlowKbps"]
        model, measured = (" : ".join(f"{run['ratios'][pair][what]:.2f}" for pair in ("gold/bronze", "silver/bronze")) + " : 1" for what in ("model", "measured"))
        rows.append(
            f"{run['alpha']:6g}{rates['gold']:9.0f}{rates['silver']:9.0f}{rates['bronze']:9.0f}{model:>18}{measured:>18}"
            f"{run['deviationPercent']:6.1f} %{run['flowDeviationPercent']:11.1f} %"
        )
    views = [run for run in whole if "qoe" in run]
    width = max([34, *(len(name(run)) + 1 for run in views)])
    if views:
        rows += ["", f"{'run':{width}}{'buffer':>9}{'QoE':>9}{'a view':>8}{'least':>9}{'kbit/s':>8}{'stalled':>9}{'start':>7}{'dropped':>9}"]
    for run in views:
        rows.append(
            f"{name(run):{width}}{run['bufferMs']:6g} ms{run['qoe']:9.0f}{run['qoeMean']:8.1f}{run['qoeLeast']:9.1f}{run['bitrateMeanKbps']:8}"
            f"{run['stalledMeanS']:7.1f} s{run['startupMeanS']:5.1f} s{run['droppedPackets']:9}"
        )
    rows += [f"{name(run)}: failed: {run['error']}" for run in result["runs"] if "error" in run]
    if come := arrivals.whole(result):
        rows += ["", arrivals.table(come)]
    return "\n".join(rows)


def markdown(result: dict[str, Any]) -> str:
    settings = (
        f"{result['clients']} clients on {result['bottleneckKbps'] / 1000:g} Mbit/s (the paper: {result['paperClients']} on 50, so each has as much), films of "
        f"{result['seconds']:g} s (the paper: {result['paperSeconds']}), seed {result['seed']}; buffers take as long to empty as the paper's before 120 Mbit/s."
    )
    parts = [sheets.fenced(table(result))]
    for number, series in enumerate(result.get("byBeta") or (), 1):
        parts += [f"## Betas over {over(series)}, buffer of {series['bufferMs']:g} ms", f"```\n{beta_table(series)}\n```", f"![What low ones have together](betas-{number}.svg)"]
    if come := arrivals.whole(result):
        parts += ["## Clients that come and go", f"The paper: {arrivals.PAPER_CLIENTS} on 200 Mbit/s, one a second. Each has as much here, and as many come while a film lasts.",
                  f"```\n{arrivals.table(come)}\n```", *(f"![Clients that are there](arrivals-{run['clients']}.svg)" for run in come)]  # fmt: skip
    if result.get("lowerMeans"):
        parts += ["## Which mean", nearer(result["lowerMeans"])]
    return sheets.markdown("Service classes: DiffPerf's scenarios", result, settings, parts)
