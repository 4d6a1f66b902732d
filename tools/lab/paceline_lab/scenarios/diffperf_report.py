"""DiffPerf's scenarios as a table, a short report, and result.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .. import claims


def write(folder: Path, result: dict[str, Any]) -> None:
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / "report.md").write_text(markdown(result))


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
    if views:
        rows += ["", f"{'run':34}{'buffer':>9}{'QoE':>9}{'a view':>8}{'least':>9}{'kbit/s':>8}{'stalled':>9}{'start':>7}{'dropped':>9}"]
    for run in views:
        gamma = f", gamma {run['gamma']:g}" if "gamma" in run else ""
        name = f"{run['mode']}" + (f" over {run['congestionControl']}{gamma}" if gamma else "")
        rows.append(
            f"{name:34}{run['bufferMs']:6g} ms{run['qoe']:9.0f}{run['qoeMean']:8.1f}{run['qoeLeast']:9.1f}{run['bitrateMeanKbps']:8}"
            f"{run['stalledMeanS']:7.1f} s{run['startupMeanS']:5.1f} s{run['droppedPackets']:9}"
        )
    rows += [f"{run['mode']}: failed: {run['error']}" for run in result["runs"] if "error" in run]
    return "\n".join(rows)


def markdown(result: dict[str, Any]) -> str:
    made = result.get("made", {})
    parts = [
        "# Service classes: DiffPerf's scenarios 1 and 2",
        f"    {result.get('command', '')}",
        f"{result['clients']} clients on {result['bottleneckKbps'] / 1000:g} Mbit/s (the paper: {result['paperClients']} on 50, so each has as much), films of "
        f"{result['seconds']:g} s (the paper: {result['paperSeconds']}), seed {result['seed']}; buffers take as long to empty as the paper's before 120 Mbit/s. "
        f"{made.get('at', '')[:10]}, at {made.get('commit', '')}.",
        f"```\n{table(result)}\n```",
    ]
    if result.get("claims"):
        parts.append(f"```\n{claims.table(result['claims'])}\n```")
    return "\n\n".join(part.rstrip() for part in parts) + "\n"
