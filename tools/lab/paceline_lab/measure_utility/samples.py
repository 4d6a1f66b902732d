"""What was measured: utilities by throughput and delay, with as many repeats as there were."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import stats

from ..errors import Unusable
from .models import Model

# Of a recorded measurement: kbit/s, and ms one way. Those with cfg_ are the paper's own (tum-lkn/appaware).
RATE, DELAY = ("throughputKbps", "rateKbps", "cfg_server_maxrate_kbit"), ("delayMs", "cfg_delay")
# The columns that hold a KPI, and what one of theirs is in its unit.
COLUMNS = {
    "pageLoadS": {"pageLoadS": 1.0, "pageLoadMs": 1e-3, "webc_mean_levEnd": 1e-3},
    "downloadS": {"downloadS": 1.0, "webdlc_mean": 1.0},
    "meanLevel": {"meanLevel": 1.0, "mean_ql_mean": 1.0},
    "responseS": {"responseS": 1.0, "sshc_mean": 1.0},
}


@dataclass(frozen=True)
class Samples:
    """Axes that rise, and at each pair of indexes that was measured its utilities."""

    rates_kbps: tuple[float, ...]
    delays_ms: tuple[float, ...]
    utilities: dict[tuple[int, int], tuple[float, ...]]

    @classmethod
    def of(cls, points: Iterable[tuple[float, float, float]]) -> Samples:
        """From triples of kbit/s, ms and utility, in any order."""
        found: dict[tuple[float, float], list[float]] = {}
        for rate, delay, utility in points:
            found.setdefault((rate, delay), []).append(utility)
        if not found:
            raise Unusable("Nothing was measured. Maybe the file has only a head.")
        rates, delays = sorted({rate for rate, _ in found}), sorted({delay for _, delay in found})
        at = {(rates.index(rate), delays.index(delay)): tuple(values) for (rate, delay), values in found.items()}
        return cls(tuple(rates), tuple(delays), at)

    @property
    def repeats(self) -> int:
        return sum(map(len, self.utilities.values()))

    def means(self) -> np.ndarray:
        """By rate and delay; not a number where nothing was measured."""
        return self._each(lambda values: sum(values) / len(values), math.nan)

    def counts(self) -> np.ndarray:
        return self._each(len, 0.0)

    def _each(self, of, otherwise: float) -> np.ndarray:  # type: ignore[no-untyped-def]
        matrix = np.full((len(self.rates_kbps), len(self.delays_ms)), otherwise)
        for place, values in self.utilities.items():
            matrix[place] = of(values)
        return matrix


def half_width(values: tuple[float, ...] | list[float], confidence: float = 0.95) -> float:
    """Of the interval of the mean, by Student's t; infinite for a single value, which says nothing of its spread."""
    if len(values) < 2:
        return math.inf
    return float(stats.t.ppf((1 + confidence) / 2, len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values)))


def read(file: Path, model: Model) -> Samples:
    """A recorded measurement. Raises Unusable."""
    return Samples.of((rate, delay, utility) for rate, delay, _, utility in recorded(file, model))


def recorded(file: Path, model: Model) -> list[tuple[float, float, dict[str, float], float]]:
    """From a CSV with a column of rates, one of delays, and the model's KPIs: kbit/s, ms, the KPIs and their utility of each line. Raises Unusable."""
    with open(file, newline="") as lines:
        table = csv.DictReader(lines)
        have = table.fieldnames or []
        rate, delay = column(file, have, RATE), column(file, have, DELAY)
        wanted = [(name, column(file, have, COLUMNS.get(name, {name: 1.0}))) for name in model.kpis]
        return [point(file, table.line_num, row, rate, delay, wanted, model) for row in table]


def column(file: Path, have: Iterable[str], names: Iterable[str]) -> str:
    for name in names:
        if name in have:
            return name
    raise Unusable(f"The file {file} has no column {' or '.join(names)}. Maybe rename one of {', '.join(have)}.")


def point(
    file: Path, line: int, row: dict[str, str], rate: str, delay: str, wanted: list[tuple[str, str]], model: Model
) -> tuple[float, float, dict[str, float], float]:
    try:
        sample = {name: float(row[column]) * COLUMNS.get(name, {}).get(column, 1.0) for name, column in wanted}
        return float(row[rate]), float(row[delay]), sample, model.utility(sample)
    except (TypeError, ValueError) as problem:
        raise Unusable(f"Line {line} of {file}: {problem}") from None
