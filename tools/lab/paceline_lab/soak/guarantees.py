"""What each scheme guarantees a flow on links that all schemes share, from the papers' formulas and the settings alone.

Nothing here asks the controller, but for whose reservation was admitted. Rates are in kbit/s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Links = tuple[str, ...]
# Whoever is silent counts as reaching so much of an equal share of its class, and best effort has so much of each link of its scheme.
LEAST_REACHED, BEST_EFFORT = 0.05, 0.02
# Between two flows of classes, whatever their weights and alpha.
GREATEST_RATIO = 1000.0


@dataclass(frozen=True)
class Split:
    """The arbiter's, as its settings have it. Fixed rates and elephants are not here."""

    # Of a link's capacity what plans divide.
    divided: float
    adaptive: float
    classes: float

    def of_adaptive(self) -> float:
        return self.divided * self.adaptive

    def of_classes(self) -> float:
        """Whatever the schemes before it take."""
        return self.divided * (1 - self.adaptive) * self.classes

    def of_utility(self) -> float:
        return self.divided * (1 - self.adaptive) * (1 - self.classes)


@dataclass(frozen=True)
class Table:
    """A utility function at the delay of its flow's way: rates that ascend, and what they are worth."""

    steps: tuple[tuple[float, float], ...]

    def least(self, utility: float) -> float | None:
        """The first rate that is worth so much."""
        return next((rate for rate, worth in self.steps if worth >= utility - 1e-9), None)


def utility_fair(flows: Mapping[str, tuple[Table, Links]], room: Mapping[str, float], epsilon: float) -> dict[str, float]:
    """The rate from which on each is worth theta less epsilon; theta is the greatest utility that all can have at once within the room."""
    levels = sorted({worth for table, _ in flows.values() for _, worth in table.steps})

    def fits(level: float) -> bool:
        rates = {name: table.least(level) for name, (table, _) in flows.items()}
        # Whose table ends below the level has its end.
        return within({name: rates[name] or flows[name][0].steps[-1][0] for name in flows}, {name: links for name, (_, links) in flows.items()}, room)

    reached = [level for level in levels if fits(level)]
    if not reached:
        return dict.fromkeys(flows, 0.0)
    return {name: table.least(min(reached[-1], table.steps[-1][1]) - epsilon) or 0.0 for name, (table, _) in flows.items()}


def within(rates: Mapping[str, float], links: Mapping[str, Links], room: Mapping[str, float]) -> bool:
    sums: Counter[str] = Counter()
    for name, rate in rates.items():
        for link in links[name]:
            sums[link] += rate  # type: ignore[assignment]
    return all(load <= room[link] + 1e-6 for link, load in sums.items())


def equal_shares(flows: Mapping[str, tuple[float, Links]], room: Mapping[str, float], alpha: float) -> dict[str, float]:
    """Of each flow of a class of this weight its part of the tightest of its links: X_s / n_s of DiffPerf, and no less on more links than one."""
    greatest = max((weight for weight, _ in flows.values()), default=1.0)
    weights = {name: max(1 / GREATEST_RATIO, (weight / greatest) ** (1 / alpha)) for name, (weight, _) in flows.items()}
    return tightest({name: links for name, (_, links) in flows.items()}, weights.__getitem__, room)


def lower_part(gamma: float, splits: int) -> float:
    """Of an equal share, what a flow of the lowest sub-class has at least."""
    return max((1 - gamma) ** splits, LEAST_REACHED)


def best_effort(flows: Mapping[str, Links], room: Mapping[str, float]) -> dict[str, float]:
    """Beside reservations."""
    return tightest(flows, lambda _: 1.0, {link: BEST_EFFORT * kbps for link, kbps in room.items()})


def tightest(flows: Mapping[str, Links], weight: Callable[[str], float], room: Mapping[str, float]) -> dict[str, float]:
    """Weighted max-min sharing gives each flow at least its part of one of its links, by weights (Bertsekas and Gallager 1992, 6.5.2)."""
    sums: Counter[str] = Counter()
    for name, links in flows.items():
        for link in links:
            sums[link] += weight(name)  # type: ignore[assignment]
    return {name: least(room[link] * weight(name) / sums[link] for link in links) for name, links in flows.items()}


def least(values: Iterable[float]) -> float:
    return min(values, default=0.0)
