"""From the repeats of a run to its figures: the mean of each, and how far chance may have moved it."""

from __future__ import annotations

from statistics import mean, stdev
from typing import Any

# Two-sided 95 % quantiles of Student's t by degrees of freedom, one less than there are repeats.
STUDENT_T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
MOST = len(STUDENT_T) + 1
# What is added up over the repeats, since one packet in one of them must not be rounded away.
ADDED = ("offeredPackets", "droppedPackets", "codelDroppedPackets", "droppedPacketsBackward", "requests", "unfinished", "samples")


def together(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One entry a mode, in the order in which they first ran; a repeat that failed stays an entry of its own."""
    modes = dict.fromkeys(run["mode"] for run in runs)
    whole = {mode: [run for run in runs if run["mode"] == mode and "error" not in run] for mode in modes}
    return [joined(entries) for entries in whole.values() if entries] + [run for run in runs if "error" in run]


def joined(entries: list[Any], name: str = "") -> Any:
    """Figures are the mean of those repeats that have one; words and lists are the first's."""
    known = [entry for entry in entries if entry is not None]
    first = known[0] if known else None
    if first is None or isinstance(first, (str, list, bool)):
        return first
    if isinstance(first, dict):
        names = dict.fromkeys(key for entry in known for key in entry)
        return {key: joined([entry.get(key) for entry in known], key) for key in names if key != "repeat"}
    if name in ADDED:
        return sum(known)
    return round(mean(known), 4)


def interval(values: list[float]) -> list[float] | None:
    """Where the mean is with 95 % confidence, by Student's t; one value has none."""
    if len(values) < 2:
        return None
    half = STUDENT_T[len(values) - 1] * stdev(values) / len(values) ** 0.5
    return [round(mean(values) - half, 3), round(mean(values) + half, 3)]
