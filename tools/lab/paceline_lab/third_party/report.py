"""What programs of third parties got as a table, claims, a short report, and result.json."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean
from typing import Any

from .. import claims as shown
from ..repeats import interval

# Of the link, where a program is alone; of what its plan grants and lends it, beside users; of their round trip, 95 %.
ALONE, SHARE, ROUND_TRIP_MS = 95.0, 95.0, 1.0

Turn = dict[str, Any]


def claims(result: dict[str, Any]) -> list[dict[str, Any]]:
    made = []
    for (users, program), turns in grouped(result).items():
        if not users:
            rates = [100 * one["kbps"] / result["bottleneckKbps"] for one in turns]
            made.append(claim(f"{program}, alone: of the link", ALONE, rates, "%", mean(rates) >= ALONE, "what the plan granted and lent is in the table"))
            continue
        where = f"{program} beside {users} users"
        shares = [100 * one["kbps"] / one["shareKbps"] for one in turns if one["shareKbps"]]
        if shares:
            made.append(claim(f"{where}: of its plan's share", SHARE, shares, "%", mean(shares) >= SHARE, "it did not send what it was granted and lent"))
        trips = [one["rttMs"] - one["rttWithoutMs"] for one in turns if one["rttMs"] and one["rttWithoutMs"]]
        if trips:
            made.append(claim(f"{where}: round trip, 95 %, above without it", ROUND_TRIP_MS, trips, "ms", mean(trips) <= ROUND_TRIP_MS, "packets waited, in a queue or for a processor of this machine (its load is in result.json)"))
    return made


def claim(name: str, target: float, values: list[float], unit: str, holds: bool, why: str) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, "reference": None, "target": target, "measured": round(mean(values), 2), "unit": unit, "repeats": len(values), "holds": holds}
    if spread := interval(values):
        found["interval"] = spread
    return found if holds else {**found, "why": why}


def grouped(result: dict[str, Any]) -> dict[tuple[int, str], list[Turn]]:
    groups: dict[tuple[int, str], list[Turn]] = {}
    for one in result["turns"]:
        groups.setdefault((one["users"], one["program"]), []).append(one)
    return groups


def table(result: dict[str, Any]) -> str:
    rows = [f"{'users':>6}  {'program':12}{'kbit/s':>9}{'granted, lent':>15}{'link':>9}{'round trip':>12}{'without':>10}{'dropped':>9}"]
    for (users, program), turns in grouped(result).items():
        def of(name: str) -> list[float]:
            return [one[name] for one in turns if one.get(name) is not None]

        rows.append(
            f"{users:6}  {program:12}{mean(of('kbps')):9.0f}{said(of('shareKbps'), 15, 0)}{mean(of('linkKbps')):9.0f}"
            f"{said(of('rttMs'), 9, 2)} ms{said(of('rttWithoutMs'), 7, 2)} ms{sum(of('droppedPackets')):9.0f}"
        )
    return "\n".join(rows)


def said(values: list[float], width: int, digits: int) -> str:
    return f"{mean(values):{width}.{digits}f}" if values else " " * (width - 1) + "-"


def markdown(result: dict[str, Any]) -> str:
    made = result["made"]
    return "\n\n".join((
        "# Programs of third parties on a managed host",
        f"    {result['command']}",
        f"{result['bottleneckKbps'] / 1000:g} Mbit/s, {result['baseRttMs']:g} ms when idle; turns of {result['seconds']:g} s, {result['repeats']} of each, the mean. "
        f"Rates are of frames, as the link counts them. {made['at'][:10]}, at {made['commit']}.",
        f"```\n{table(result)}\n```",
        f"```\n{shown.table(result['claims'])}\n```",
    )) + "\n"  # fmt: skip


def write(folder: Path, result: dict[str, Any]) -> None:
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / "report.md").write_text(markdown(result))
