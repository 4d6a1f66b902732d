"""HNTES's experiments as a table, a short report, and result.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .. import claims


def write(folder: Path, result: dict[str, Any]) -> None:
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / "report.md").write_text(markdown(result))


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


def markdown(result: dict[str, Any]) -> str:
    made = result.get("made", {})
    parts = [
        "# Elephants: HNTES's experiments",
        f"    {result.get('command', '')}",
        f"{result['bottleneckKbps'] / 1000:g} Mbit/s for the paper's 10 Gbit/s, a buffer of {result['bufferBytes']} bytes (as long as the paper's), runs of "
        f"{result['seconds']:g} s (the paper: {result['paperSeconds']}). {made.get('at', '')[:10]}, at {made.get('commit', '')}.",
        f"```\n{table(result)}\n```",
    ]
    if result.get("claims"):
        parts.append(f"```\n{claims.table(result['claims'])}\n```")
    return "\n\n".join(part.rstrip() for part in parts) + "\n"
