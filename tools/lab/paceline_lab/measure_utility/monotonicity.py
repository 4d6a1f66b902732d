"""Whether what was measured is monotone: more throughput is never worse, and more delay never better.

Any two places of one delay, and any two of one throughput, are compared by the means that were measured. The noise is that
of the repeats; where a place has none, that of all places from the fit. The share of false ones among what is said to break
the rule is at most 5 %, however the comparisons depend on each other (Benjamini and Yekutieli 2001).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from .fit import single_noise
from .samples import Samples

FALSE_SHARE = 0.05


@dataclass(frozen=True)
class Break:
    """From `first` to `second`, each a rate in kbit/s and a delay in ms, the second should not be worse and is, by so much."""

    first: tuple[float, float]
    second: tuple[float, float]
    by: float
    p: float


@dataclass(frozen=True)
class Verdict:
    compared: int
    breaks: tuple[Break, ...]


def judge(samples: Samples, surface: np.ndarray) -> Verdict:
    """`surface` is the fit at the samples' axes; the greatest break comes first."""
    means, counts = samples.means(), samples.counts()
    alone = sum(len(values) == 1 for values in samples.utilities.values())
    pooled = single_noise(samples, surface) ** 2

    def variance(place: tuple[int, int]) -> tuple[float, int]:
        """Of the mean, and its degrees of freedom."""
        values = samples.utilities[place]
        if len(values) > 1:
            return float(np.var(values, ddof=1)) / len(values), len(values) - 1
        return pooled, max(1, alone)

    asked: list[tuple[tuple[int, int], tuple[int, int], float, float]] = []
    for better, worse in pairs(counts):
        by = means[worse] - means[better]
        if by <= 0:
            asked.append((worse, better, float(by), 1.0))
            continue
        (v1, n1), (v2, n2) = variance(better), variance(worse)
        total = v1 + v2
        # Welch's test; two that never vary differ for sure.
        p = 0.0 if total == 0 else float(stats.t.sf(by / math.sqrt(total), total**2 / (v1**2 / n1 + v2**2 / n2)))
        asked.append((worse, better, float(by), p))
    if not asked:
        return Verdict(0, ())
    adjusted = stats.false_discovery_control([p for *_, p in asked], method="by")

    def at(place: tuple[int, int]) -> tuple[float, float]:
        return samples.rates_kbps[place[0]], samples.delays_ms[place[1]]

    found = [Break(at(a), at(b), by, p) for (a, b, by, p), q in zip(asked, adjusted) if q <= FALSE_SHARE and by > 0]
    return Verdict(len(asked), tuple(sorted(found, key=lambda one: -one.by)))


def pairs(counts: np.ndarray):  # type: ignore[no-untyped-def]
    """The place that should be at least as good, and the other, of all that were measured in one row or column."""
    rates, delays = counts.shape
    for j in range(delays):
        for low, high in itertools.combinations([i for i in range(rates) if counts[i, j]], 2):
            yield (high, j), (low, j)
    for i in range(rates):
        for low, high in itertools.combinations([j for j in range(delays) if counts[i, j]], 2):
            yield (i, low), (i, high)
