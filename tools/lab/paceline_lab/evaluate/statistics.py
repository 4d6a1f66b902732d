"""
How far chance may have moved a mean: the bootstrap's interval, by blocks.

A block is one of each run with the same users and draws; of a difference it has one value, so that what all runs of a block have
in common is no part of the interval. Blocks are drawn anew with replacement, and the interval is of the drawn means' percentiles.
With few values such an interval is too narrow; it is expanded by the t distribution's quantile and the root of n/(n-1)
(Hesterberg 2015, "What Teachers Should Know about the Bootstrap", the expanded percentile interval).

No interval goes beyond the values that there are. That of n values holds the median of what they are drawn from with a
probability of at most 1 - 2^(1-n), so that fewer than six cannot give 95 %: the confidence says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np
from scipy.stats import bootstrap, norm, t

CONFIDENCE, RESAMPLES, SEED = 0.95, 9_999, 1
DIGITS = 4


@dataclass(frozen=True)
class Estimate:
    """Of one value there is no interval, and no confidence."""

    mean: float
    blocks: int
    interval: tuple[float, float] | None
    confidence: float

    def to_json(self) -> dict[str, object]:
        made: dict[str, object] = {"mean": self.mean, "blocks": self.blocks}
        return made if self.interval is None else {**made, "interval": list(self.interval), "confidence": self.confidence}


def estimate(values: Sequence[float]) -> Estimate:
    """ValueError where there is none."""
    if not values:
        raise ValueError("Nothing was measured, so nothing can be estimated. Maybe leave the figure out.")
    count = len(values)
    interval = resampled(values) if count > 1 else None
    return Estimate(round(mean(values), DIGITS), count, interval, round(min(CONFIDENCE, 1 - 2.0 ** (1 - count)), DIGITS))


def resampled(values: Sequence[float]) -> tuple[float, float]:
    low = high = values[0]
    if min(values) < max(values):
        found = bootstrap(
            (np.array(values),), np.mean, n_resamples=RESAMPLES, confidence_level=expanded(len(values)), method="percentile", rng=np.random.default_rng(SEED)
        ).confidence_interval
        low, high = found.low, found.high
    return round(float(low), DIGITS), round(float(high), DIGITS)


def expanded(count: int) -> float:
    """The confidence of percentiles that have the asked one with so few values."""
    beyond = norm.cdf(-math.sqrt(count / (count - 1)) * t.ppf((1 + CONFIDENCE) / 2, count - 1))
    return float(1 - 2 * beyond)
