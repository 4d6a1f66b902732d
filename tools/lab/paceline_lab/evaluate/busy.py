"""How much of this machine's processors is in use, so that the figures of a busy machine are marked as such."""

from __future__ import annotations

import time
from pathlib import Path

STAT = Path("/proc/stat")
# Among user, nice, system, idle, iowait and so on.
IDLE, IO_WAIT = 3, 4
LASTS_S, TRIES = 1.0, 3
# Of the processors: what others may use in a quiet run.
QUIET_PERCENT = 20.0


def busy_percent(seconds: float = LASTS_S, tries: int = TRIES, stat: Path = STAT) -> float:
    """
    Of all processors, for so long from now on. What a hypervisor gives to others counts, too.

    The least of so many tries, since what has just ended of ours may take a moment; the first that is quiet is enough.
    """
    least = 100.0
    for _ in range(tries):
        before = times(stat)
        time.sleep(seconds)
        least = min(least, share(before, times(stat)))
        if least <= QUIET_PERCENT:
            break
    return least


def times(stat: Path) -> list[int]:
    return [int(word) for word in stat.read_text().splitlines()[0].split()[1:9]]


def share(before: list[int], after: list[int]) -> float:
    passed = [b - a for a, b in zip(before, after)]
    whole = sum(passed)
    return round(100 * (whole - passed[IDLE] - passed[IO_WAIT]) / whole, 1) if whole else 0.0
