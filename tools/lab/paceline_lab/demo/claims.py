"""What the demonstration sets out to show, from one result: held against best effort, and against a fair queue where that ran, too."""

from __future__ import annotations

from statistics import mean
from typing import Any, Callable

from ..repeats import interval

# Of best effort's goodput, above the idle round trip, and of calls.
GOODPUT, ROUND_TRIP_MS, JITTER_MS = 0.98, 3.0, 0.9
# From a conversation's first packet to its rate in the kernel.
FIRST_RATE_MS = 50.0
# Above a queue that is fair to users; the least one's, too, where there are more users than it can serve.
MEAN_UTILITY, LEAST_UTILITY, CROWDED = 0.05, 1.0, 80

# Why packets are dropped.
TOO_MUCH = "the link was sent more than it carries, or at once what a machine that paused had held back"

Run = dict[str, Any]


def claims(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Empty where nothing was managed, or nothing was measured to compare it with. What is compared is of the same repeat."""
    runs = [run for run in result.get("repeats") or result["runs"] if "error" not in run and run.get("rttMs")]
    managed = {run.get("repeat", 0): run for run in runs if run["mode"] == "managed" and "droppedPackets" in run}
    if not managed:
        return []
    users = result["applications"]
    base = result["baseRttMs"]

    def beside(mode: str, figure: Callable[[Run, Run], float]) -> list[float]:
        """The figure of each repeat in which both were measured, the managed run first."""
        others = {run.get("repeat", 0): run for run in runs if run["mode"] == mode}
        return [figure(run, others[k]) for k, run in managed.items() if k in others and "meanUtility" in others[k]]

    def alone(*names: str) -> list[float]:
        found = []
        for run in managed.values():
            value: Any = run
            for name in names:
                value = (value or {}).get(name)
            if value is not None:
                found.append(value)
        return found

    unused = where(list(managed.values()))
    queue = "a queue that is fair to users"
    dropped = [max(alone("droppedPackets"))]
    made = [
        most("packets dropped", 0, dropped, "packets", TOO_MUCH),
        most("round trip, 95 %", base + ROUND_TRIP_MS, alone("rttMs", "p95"), "ms", "a queue built"),
        most("jitter of calls, 95 %", JITTER_MS, alone("jitterMs", "p95"), "ms", "packets met in a queue"),
        most("first packet to rate, 95 %", FIRST_RATE_MS, alone("grantMs", "p95"), "ms", "see timesMs in conversations.json: reported, planned, installed"),
        least(
            "goodput of best effort's", 100 * GOODPUT,
            beside("best-effort", lambda run, best: 100 * run["goodputKbps"] / best["goodputKbps"]), "%", unused,
        ),
        least(
            f"mean utility above {queue}", MEAN_UTILITY,
            beside("per-user", lambda run, fair: run["meanUtility"] - fair["meanUtility"]), "", unused,
        ),
        least(
            f"least utility above {queue}", LEAST_UTILITY if users >= CROWDED else 0,
            beside("per-user", lambda run, fair: run["minUtility"] - fair["minUtility"]), "", unused,
        ),
    ]  # fmt: skip
    repeats = len(managed)
    return [{**one, "name": f"{users} users, managed: {one['name']}", "repeats": repeats} for one in made if one]


def most(name: str, target: float, values: list[float], unit: str, why: str) -> dict[str, Any] | None:
    return claim(name, target, values, unit, why, lambda measured: measured <= target)


def least(name: str, target: float, values: list[float], unit: str, why: str) -> dict[str, Any] | None:
    return claim(name, target, values, unit, why, lambda measured: measured >= target)


def claim(
    name: str, target: float, values: list[float], unit: str, why: str, holds: Callable[[float], bool]
) -> dict[str, Any] | None:
    """Of the mean of the repeats; none where nothing was measured."""
    if not values:
        return None
    found = {"name": name, "reference": None, "target": round(target, 3), "measured": round(mean(values), 3), "unit": unit}
    found["holds"] = holds(mean(values))
    if spread := interval(values):
        found["interval"] = spread
    return found if found["holds"] else {**found, "why": why}


def where(runs: list[Run]) -> str:
    """What of the link nobody used, the greater part first."""
    accounts = [run["account"] for run in runs if run.get("account")]
    if not accounts:
        return "the run has no account of the link"
    parts = {
        "headroom": [a["headroomKbps"] for a in accounts],
        "not sent by who might, nor borrowed": [
            sum(a["unusedKbps"].values()) + a["noTakerKbps"] - a["lentTwiceKbps"] - a["borrowedKbps"] for a in accounts
        ],
    }
    greatest = sorted(((mean(kbps), name) for name, kbps in parts.items()), reverse=True)
    return "of the link, " + ", ".join(f"{kbps / 1000:.1f} Mbit/s were {name}" for kbps, name in greatest)
