"""What the demonstration sets out to show, from one result: held against best effort, and against a fair queue where that ran, too."""

from __future__ import annotations

from typing import Any

# Of best effort's goodput, above the idle round trip, and of calls.
GOODPUT, ROUND_TRIP_MS, JITTER_MS = 0.98, 3.0, 0.9
# Above a queue that is fair to users.
MEAN_UTILITY = 0.05
ONE_RUN = "one run, without an interval"


def claims(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Empty where nothing was managed, or nothing was measured to compare it with."""
    runs = {run["mode"]: run for run in result["runs"] if "error" not in run and run.get("rttMs")}
    managed, best, fair = runs.get("managed"), runs.get("best-effort"), runs.get("per-user")
    if not managed or "droppedPackets" not in managed:
        return []
    users = f"{result['applications']} users, managed"
    made = [
        most(f"{users}: packets dropped", 0, managed["droppedPackets"], "packets", "the link was sent more than it carries"),
        most(f"{users}: round trip, 95 %", result["baseRttMs"] + ROUND_TRIP_MS, managed["rttMs"]["p95"], "ms", "a queue built"),
    ]
    if managed.get("jitterMs"):
        made.append(most(f"{users}: jitter of calls, 95 %", JITTER_MS, managed["jitterMs"]["p95"], "ms", "packets met in a queue"))
    if best:
        made.append(
            least(f"{users}: goodput of best effort's", 100 * GOODPUT, 100 * managed["goodputKbps"] / best["goodputKbps"], "%", where(managed))
        )
    if fair and "meanUtility" in managed and "meanUtility" in fair:
        queue = "a queue that is fair to users"
        made += [
            least(f"{users}: mean utility above {queue}", MEAN_UTILITY, managed["meanUtility"] - fair["meanUtility"], "", where(managed)),
            least(f"{users}: least utility above {queue}", 0, managed["minUtility"] - fair["minUtility"], "", where(managed)),
        ]
    return made


def most(name: str, target: float, measured: float, unit: str, why: str) -> dict[str, Any]:
    return claim(name, target, measured, unit, measured <= target, why)


def least(name: str, target: float, measured: float, unit: str, why: str) -> dict[str, Any]:
    return claim(name, target, measured, unit, measured >= target, why)


def claim(name: str, target: float, measured: float, unit: str, holds: bool, why: str) -> dict[str, Any]:
    found = {"name": name, "reference": None, "target": round(target, 3), "measured": round(measured, 3), "unit": unit, "holds": holds, "repeats": 1}
    return found if holds else {**found, "why": f"{why} ({ONE_RUN})"}


def where(managed: dict[str, Any]) -> str:
    """The two greatest parts of the link that nobody used."""
    account = managed.get("account")
    if not account:
        return "the run has no account of the link"
    parts = {
        "headroom": account["headroomKbps"],
        "granted or lent and not sent": sum(account["unusedKbps"].values()) - account["lentTwiceKbps"] - account["borrowedKbps"],
        "granted and lent to nobody": account["noTakerKbps"],
    }
    greatest = sorted(parts.items(), key=lambda part: -part[1])[:2]
    return "of the link, " + ", ".join(f"{kbps / 1000:.1f} Mbit/s were {name}" for name, kbps in greatest)
