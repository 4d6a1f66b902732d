"""Users who are away now and then: exponentially distributed times on and off, drawn by a seed, so that all runs of a block have the same."""

from __future__ import annotations

import random
from dataclasses import dataclass

# Of the times off: in the others connections stay open, as of a page that nobody looks at.
CLOSES = 0.5


@dataclass(frozen=True)
class OnOff:
    """Means, in s."""

    on_s: float
    off_s: float

    def to_json(self) -> list[float]:
        return [self.on_s, self.off_s]


@dataclass(frozen=True)
class Away:
    """For so many s; the application ends when it begins, or waits with its connections open."""

    seconds: float
    closes: bool


class Turns:
    """
    One user's. What it does when its time on is over, it ends first; with its next time off it waits for that. So the times on are
    longer than drawn, by more for those who are served slowly, and a starved user is never away.
    """

    def __init__(self, means: OnOff, seed: str, now: float):
        """`now` and all other times are of one clock, in s. The user is on."""
        self._means = means
        self._dice = random.Random(seed)
        self._until = now + self._drawn(means.on_s)

    def _drawn(self, mean_s: float) -> float:
        return self._dice.expovariate(1 / mean_s)

    def away(self, now: float) -> Away | None:
        """What begins now; None where the user stays."""
        if now < self._until:
            return None
        away = Away(self._drawn(self._means.off_s), self._dice.random() < CLOSES)
        self._until = now + away.seconds + self._drawn(self._means.on_s)
        return away
