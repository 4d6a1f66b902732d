"""A table from samples: least squares among all that never fall with throughput and never rise with delay.

The fit is isotonic regression in two dimensions: that of one dimension in turn along rates and along delays, with
Dykstra's corrections, which converges to the least-squares solution (Dykstra and Robertson 1982). Between measured places
the table is bilinear, and beyond them as the nearest.

The intervals are the bootstrap's: the whole fit again and again. Where a place was measured more than once its values are
drawn anew, and spread by the root of n/(n-1), as few draws show too little. Where it was measured once it has the noise of
all such places (`single_noise`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import griddata
from scipy.optimize import isotonic_regression

from ..traffic.kpi import LEAST, MOST
from .samples import Samples

# What is only interpolated gives way to what was measured.
OF_INTERPOLATED = 1e-3
MOST_ROUNDS, CLOSE_ENOUGH = 500, 1e-5
DRAWS = 200
# As the published tables have.
DIGITS = 6


@dataclass(frozen=True)
class Table:
    """`utility[rate][delay]`, and the 95 % interval of each."""

    rates_kbps: tuple[float, ...]
    delays_ms: tuple[float, ...]
    utility: np.ndarray
    low: np.ndarray
    high: np.ndarray


def fit(samples: Samples, rates_kbps: Sequence[float], delays_ms: Sequence[float], seed: int = 1, draws: int = DRAWS) -> Table:
    surface, weight = at_samples(samples), weights(samples)
    utility = onto(surface, samples, rates_kbps, delays_ms)
    dice, noise = np.random.default_rng(seed), single_noise(samples, surface)
    drawn = np.array([
        onto(monotone(filled(again(samples, noise, dice), samples), weight), samples, rates_kbps, delays_ms) for _ in range(draws)
    ])  # fmt: skip
    low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
    # The draws' own middle may be a little beside the fit, which is in its interval all the same.
    return Table(tuple(rates_kbps), tuple(delays_ms), utility, np.minimum(low, utility), np.maximum(high, utility))


def single_noise(samples: Samples, surface: np.ndarray) -> float:
    """The standard deviation of what was measured once, by its distances from the fit at the samples' axes.

    The fit has used up as many degrees of freedom as it has levels (Meyer and Woodroofe 2000). 0 where none is left.
    """
    places = [place for place, values in samples.utilities.items() if len(values) == 1]
    free = len(places) - len({float(surface[place]) for place in places})
    return math.sqrt(sum((samples.utilities[place][0] - surface[place]) ** 2 for place in places) / free) if free > 0 else 0.0


def again(samples: Samples, noise: float, dice: np.random.Generator) -> np.ndarray:
    """Means as another measurement might have found them."""
    means = samples.means()
    for place, values in samples.utilities.items():
        n = len(values)
        if n > 1:
            means[place] += (dice.choice(values, n).mean() - means[place]) * math.sqrt(n / (n - 1))
        else:
            means[place] += dice.normal(0, noise)
    return np.clip(means, LEAST, MOST)


def filled(means: np.ndarray, samples: Samples) -> np.ndarray:
    """With what lies between measured places, linear in rate and delay."""
    if not np.isnan(means).any():
        return means
    known = ~np.isnan(means)
    places = np.argwhere(known)
    rates, delays = np.array(samples.rates_kbps), np.array(samples.delays_ms)
    if min(means.shape) == 1:
        along = rates if means.shape[1] == 1 else delays
        return np.interp(along, along[known.ravel()], means[known]).reshape(means.shape)
    points, wanted = np.column_stack((rates[places[:, 0]], delays[places[:, 1]])), tuple(np.meshgrid(rates, delays, indexing="ij"))
    whole = griddata(points, means[known], wanted, method="nearest", rescale=True)
    if len(places) >= 3 and np.linalg.matrix_rank(points - points[0]) == 2:
        between = griddata(points, means[known], wanted, method="linear", rescale=True)
        whole = np.where(np.isnan(between), whole, between)
    return np.where(known, means, whole)


def at_samples(samples: Samples) -> np.ndarray:
    """The fit at the samples' own axes."""
    return monotone(filled(samples.means(), samples), weights(samples))


def weights(samples: Samples) -> np.ndarray:
    counts = samples.counts()
    return np.where(counts > 0, counts, OF_INTERPOLATED)


def monotone(values: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The nearest, by weighted squares, that rises along the first axis and falls along the second; within [1, 5]."""
    present, by_rate, by_delay = values.astype(float), np.zeros(values.shape), np.zeros(values.shape)
    for _ in range(MOST_ROUNDS):
        before = present
        rising = np.column_stack([increasing(column, of) for column, of in zip((present + by_rate).T, weight.T)])
        by_rate = present + by_rate - rising
        present = np.vstack([-increasing(-row, of) for row, of in zip(rising + by_delay, weight)])
        by_delay = rising + by_delay - present
        if np.abs(present - before).max() < CLOSE_ENOUGH and np.abs(present - rising).max() < CLOSE_ENOUGH:
            break
    # What the rounds have left is below any digit that matters; a table has none of it at all.
    return strictly(np.clip(present, LEAST, MOST))


def increasing(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return isotonic_regression(values, weights=weights).x


def onto(surface: np.ndarray, samples: Samples, rates_kbps: Sequence[float], delays_ms: Sequence[float]) -> np.ndarray:
    return strictly(resampled(surface, samples.rates_kbps, samples.delays_ms, rates_kbps, delays_ms))


def resampled(table: np.ndarray, rates: Sequence[float], delays: Sequence[float], at_rates: Sequence[float], at_delays: Sequence[float]) -> np.ndarray:
    """Bilinear between the places of the table, and beyond them as the nearest."""
    by_rate = np.column_stack([np.interp(at_rates, rates, column) for column in table.T])
    return np.vstack([np.interp(at_delays, delays, row) for row in by_rate])


def strictly(values: np.ndarray) -> np.ndarray:
    return np.minimum.accumulate(np.maximum.accumulate(np.round(values, DIGITS), axis=0), axis=1)
