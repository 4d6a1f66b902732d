"""What somebody's flood costs others: the same measured in turn without it and with it, and by how much it is more.

The machine is not the same from one minute to the next, so that each round without the flood is compared with the one
beside it. How far chance may have moved the ratio is said by the bootstrap: pairs of rounds are drawn anew with replacement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..traffic import kpi

QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
CONFIDENCE, RESAMPLES, SEED = 0.95, 1_000, 1
# The clocks' resolution: no ratio is taken of less.
LEAST_MS = 0.001


@dataclass
class Compared:
    """Milliseconds, a list a round; the rounds of both with the same number are beside each other."""

    quiet: list[list[float]] = field(default_factory=list)
    flooded: list[list[float]] = field(default_factory=list)

    def ratio(self, share: float) -> float:
        """Of the quantiles of all rounds together. ValueError where nothing was measured."""
        quiet, flooded = (kpi.quantile([value for pair in self.pairs() for value in pair[side]], share) for side in (0, 1))
        return flooded / max(quiet, LEAST_MS)

    def interval(self, share: float) -> list[float] | None:
        """Where the ratio is with 95 % confidence; of one pair of rounds there is none."""
        pairs = self.pairs()
        if len(pairs) < 2:
            return None
        # Not for those who only ask for help.
        import numpy as np

        dice = np.random.default_rng(SEED)
        sides = [[np.array(pair[side]) for pair in pairs] for side in (0, 1)]
        drawn = []

        def nearest(rounds: list[Any]) -> float:
            values = np.concatenate(rounds)
            place = round(share * (len(values) - 1))
            return float(np.partition(values, place)[place])

        for _ in range(RESAMPLES):
            those = dice.integers(len(pairs), size=len(pairs))
            quiet, flooded = (nearest([side[one] for one in those]) for side in sides)
            drawn.append(flooded / max(quiet, LEAST_MS))
        beyond = (1 - CONFIDENCE) / 2
        return [round(float(end), 3) for end in np.quantile(drawn, (beyond, 1 - beyond))]

    def pairs(self) -> list[tuple[list[float], list[float]]]:
        return [(quiet, flooded) for quiet, flooded in zip(self.quiet, self.flooded) if quiet and flooded]

    def claim(self, name: str, quantile: str, most: float, why: str) -> dict[str, Any]:
        """That the quantile grows by no more than this factor. Of the ratio, and not of its interval's end."""
        share = QUANTILES[quantile]
        measured = self.ratio(share)
        found = {
            "name": name, "reference": 1.0, "target": most, "measured": round(measured, 3), "unit": "times",
            "interval": self.interval(share), "repeats": len(self.pairs()), "holds": measured <= most,
        }  # fmt: skip
        return found if found["holds"] else {**found, "why": why}

    def to_json(self) -> dict[str, Any]:
        return {"rounds": len(self.pairs()), "quiet": summary(self.quiet), "flooded": summary(self.flooded), "msQuiet": self.quiet, "msFlooded": self.flooded}


def summary(rounds: Sequence[Sequence[float]]) -> dict[str, float]:
    values = [value for one in rounds for value in one]
    return {"samples": len(values), **{name: round(kpi.quantile(values, share), 3) for name, share in QUANTILES.items()}, "most": max(values)}


def rows(title: str, compared: Compared) -> list[str]:
    """A line for each quantile, without the flood and with it."""
    quiet, flooded = summary(compared.quiet), summary(compared.flooded)
    lines = [f"{title}: {len(compared.pairs())} rounds each, {quiet['samples']:.0f} without and {flooded['samples']:.0f} with the flood"]
    for name, share in QUANTILES.items():
        low_high = compared.interval(share)
        spread = f"   {low_high[0]:.2f} .. {low_high[1]:.2f}" if low_high else ""
        lines.append(f"  {name}   {quiet[name]:8.1f} ms   {flooded[name]:8.1f} ms   ratio {compared.ratio(share):5.2f}{spread}")
    return lines
