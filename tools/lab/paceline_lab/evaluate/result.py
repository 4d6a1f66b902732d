"""From the runs' entries to figures by size, with what managed is ahead of each rival, and intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..demo.lab import BEST_EFFORT
from ..demo.variants import MANAGED, MANAGED_RUNS
from .figures import FIGURES, LEAST, MEAN, Run
from .statistics import Estimate, estimate


class Measured:
    """All runs that came to an end, by block."""

    def __init__(self, runs: Sequence[Run]):
        self._blocks: dict[tuple[int, int, int], dict[str, Run]] = {}
        for run in runs:
            if "error" not in run:
                self._blocks.setdefault((run["applications"], run["seed"], run["repeat"]), {})[run["mode"]] = run

    def sizes(self) -> list[int]:
        return sorted({size for size, _, _ in self._blocks})

    def modes(self, size: int) -> list[str]:
        """Best effort first, and managed last."""
        there = {mode for (at, _, _), runs in self._blocks.items() if at == size for mode in runs}
        return sorted(there, key=lambda mode: (mode == MANAGED, mode in MANAGED_RUNS, mode != BEST_EFFORT, mode))

    def runs(self, size: int, mode: str) -> list[Run]:
        return [runs[mode] for runs in self._of(size) if mode in runs]

    def values(self, size: int, mode: str, of: Callable[[Run], float | None]) -> list[float]:
        return [value for run in self.runs(size, mode) if (value := of(run)) is not None]

    def beside(self, size: int, mode: str, of: Callable[[Run, Run], float | None], first: str = MANAGED) -> list[float]:
        """Of each block that has both: the managed run first, or another one."""
        return [value for runs in self._of(size) if mode in runs and first in runs and (value := of(runs[first], runs[mode])) is not None]

    def ahead(self, size: int, mode: str, of: Callable[[Run], float | None], first: str = MANAGED) -> list[float]:
        """Managed, or another one, less this one, of each block that has both."""
        return self.beside(size, mode, lambda one, other: None if None in (a := of(one), b := of(other)) else a - b, first)

    def best_rival(self, size: int, of: Callable[[Run], float | None]) -> str | None:
        """Whose mean is the greatest of those that stand beside a managed run."""
        means = {mode: estimate(values).mean for mode in self.modes(size) if mode not in MANAGED_RUNS and self.ahead(size, mode, of) and (values := self.values(size, mode, of))}
        return max(means, key=lambda mode: means[mode], default=None)

    def _of(self, size: int) -> list[dict[str, Run]]:
        return [runs for (at, _, _), runs in sorted(self._blocks.items()) if at == size]


def by_size(measured: Measured) -> list[dict[str, Any]]:
    found = []
    for size in measured.sizes():
        modes = measured.modes(size)
        found.append({
            "applications": size,
            "modes": {mode: estimates(lambda of, mode=mode: measured.values(size, mode, of)) for mode in modes},
            "managedLess": {mode: estimates(lambda of, mode=mode: measured.ahead(size, mode, of)) for mode in modes if mode != MANAGED and MANAGED in modes},
            "bestRival": {name: rival for name, of in ((each.name, each.of) for each in FIGURES if each.name in (LEAST, MEAN)) if (rival := measured.best_rival(size, of))},
        })  # fmt: skip
    return found


def estimates(values: Callable[[Callable[[Run], float | None]], list[float]]) -> dict[str, Any]:
    return {figure.name: estimate(there).to_json() for figure in FIGURES if (there := values(figure.of))}


def verdict(difference: Estimate) -> str:
    """What a difference of managed and a rival says, where more is better."""
    if difference.interval is None:
        return "ahead in the one run" if difference.mean > 0 else "behind in the one run" if difference.mean < 0 else "even in the one run"
    low, high = difference.interval
    return "ahead" if low > 0 else "behind" if high < 0 else "not told apart"
