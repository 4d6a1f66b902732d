"""From what an application measured to what its user notices: the paper's models M, all clipped to [1, 5].

Sieber et al. 2020, section 4.2. Times are seconds, delays milliseconds, losses fractions of one.
"""

from __future__ import annotations

import math
from typing import Sequence

LEAST, MOST = 1.0, 5.0

# Casas et al. 2013, figure 5a: opinion scores of typing in a remote session over the response time.
TYPING_SCORES = ((0.0, 4.3), (0.05, 4.22), (0.15, 3.65), (0.2, 3.6), (0.35, 2.95), (0.5, 2.6))
TYPING_BEST = 4.3

# Sun and Ifeachor 2006, equation 10 and table II for G.729; packet loss in percent.
SPEECH_BEST = 3.65
SPEECH_TABLED_MS = 500.0
SPEECH_TANGENT = 2.63e-3


def clipped(utility: float) -> float:
    return min(MOST, max(LEAST, utility))


def scaled(score: float, best: float) -> float:
    """An opinion score from 1 to `best` as a utility from 1 to 5."""
    return clipped((score - 1) * 4 / (best - 1) + 1)


def web(page_load_s: float) -> float:
    """Egger et al. 2012, search task.

    The paper's text stretches this score by 4/3.6, but its published utility table, which the plan promises from, holds
    the score itself (tests/test_kpi.py: the measured load times give the table so, and are up to 0.4 above it
    otherwise). Promise and measurement must use one scale: the table's.
    """
    if page_load_s <= 0:
        return MOST
    return clipped(-0.88 * math.log(page_load_s) + 4.72)


def download(time_s: float) -> float:
    """Egger et al. 2012, download of 10 MB."""
    if time_s <= 0:
        return MOST
    return clipped(-1.68 * math.log(time_s) + 9.61)


def video(levels: Sequence[int], worst: int = 0, best: int = 5) -> float:
    """The mean quality level of a view. `levels` are indexes, one a segment."""
    if not levels:
        raise ValueError("A view of no segments has no quality. Maybe wait for its second segment.")
    mean = sum(levels) / len(levels)
    return clipped((mean - worst) / (best - worst) * 4 + 1)


def ssh(response_s: float) -> float:
    """Piecewise linear through the scores, and on along the last piece until the utility is 1 (at 1.2 s)."""
    points = TYPING_SCORES
    if response_s <= 0:
        return MOST
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if response_s <= x1 or (x1, y1) == points[-1]:
            return scaled(y0 + (y1 - y0) * (response_s - x0) / (x1 - x0), TYPING_BEST)
    raise AssertionError("the last piece has no end")


def voice(loss: float, delay_ms: float) -> float:
    """Beyond the delays of the utility table the polynomial would rise again: there on along its tangent without loss."""
    x, y = loss * 100, min(delay_ms, SPEECH_TABLED_MS)
    score = (
        3.61
        - 0.13 * x
        + 1.22e-3 * y
        + 3.76e-3 * x**2
        - 2.29e-5 * y**2
        + 4.71e-6 * x * y
        - 5.16e-5 * x**3
        + 2.54e-8 * y**3
        + 1.28e-7 * x * y**2
        - 4.43e-8 * x**2 * y
    )
    return scaled(score - SPEECH_TANGENT * (delay_ms - y), SPEECH_BEST)


def fairness(utilities: Sequence[float]) -> float:
    """The F-index of Hossfeld et al.: 1 where all have the same utility, 0 where half has 1 and half has 5."""
    if not utilities:
        raise ValueError("No utilities, no fairness.")
    mean = sum(utilities) / len(utilities)
    deviation = math.sqrt(sum((u - mean) ** 2 for u in utilities) / len(utilities))
    return 1 - 2 * deviation / (MOST - LEAST)


def quantile(values: Sequence[float], share: float) -> float:
    """With linear interpolation between the order statistics."""
    if not values:
        raise ValueError("No values, no quantile.")
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = math.ceil(place)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
