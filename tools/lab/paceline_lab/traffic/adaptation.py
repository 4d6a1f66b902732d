"""How an adaptive video client chooses the quality of its next segment, from nothing but its own downloads.

The conventional throughput-based strategy (Li et al. 2014, algorithm 1), as the paper's clients used it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Sequence


def film(segments: int, seed: int, deviation: float = 0.2) -> tuple[float, ...]:
    """Relative sizes of a film's segments, mean 1: quiet scenes need fewer bytes than busy ones at any quality."""
    dice = random.Random(seed)
    sizes = [max(0.3, dice.gauss(1, deviation)) for _ in range(segments)]
    return tuple(size * segments / sum(sizes) for size in sizes)


@dataclass(frozen=True)
class Ladder:
    """The qualities of one video: average bit rates in kbit/s, segment length and playback buffer in seconds."""

    kbps: tuple[int, ...]
    segment_s: float
    buffer_s: float
    shape: tuple[float, ...]

    def __post_init__(self) -> None:
        if list(self.kbps) != sorted(set(self.kbps)) or not self.kbps:
            raise ValueError(f"The bit rates {self.kbps} must rise. Maybe sort them.")
        if self.segment_s <= 0 or self.buffer_s < self.segment_s or not self.shape:
            raise ValueError(
                f"A buffer of {self.buffer_s} s must hold a segment of {self.segment_s} s, and a view has at least one."
            )

    @property
    def segments(self) -> int:
        return len(self.shape)

    def segment_bytes(self, level: int, index: int) -> int:
        return round(self.kbps[level] * 1000 / 8 * self.segment_s * self.shape[index])

    def nominal_kilobits(self, level: int) -> float:
        """What the playlist says of a segment: clients know the average, not the size."""
        return self.kbps[level] * self.segment_s

    def highest_below(self, kbps: float) -> int:
        return max((i for i, rate in enumerate(self.kbps) if rate <= kbps), default=0)


# The seeds are those with which a client alone on a paced link sees the qualities that the paper measured with its
# film (tests/test_adaptation.py holds them to the measurements).
VOD = Ladder((486, 944, 1389, 1847, 2291, 2750), segment_s=4, buffer_s=60, shape=film(15, seed=32))
LIVE = Ladder((572, 1103, 1625, 2145, 2660, 3172), segment_s=1, buffer_s=10, shape=film(60, seed=49))


# The first two segments' throughput is mostly the connection's start, so the level is chosen after the third.
BEFORE_CHOICE = 3


@dataclass
class Conventional:
    """Smooths the measured throughput and keeps a margin before it goes up, none before it goes down.

    The weight of a new sample grows with the time it took, so that long downloads count for more.
    """

    ladder: Ladder
    weight_per_s: float = 0.2
    margin: float = 0.15
    level: int = 0
    smoothed_kbps: float | None = None
    levels: list[int] = field(default_factory=list)

    def downloaded(self, seconds: float) -> int:
        """Takes one finished segment into account and returns the level of the next."""
        self.levels.append(self.level)
        sample = self.ladder.nominal_kilobits(self.level) / max(seconds, 1e-6)
        if self.smoothed_kbps is None:
            self.smoothed_kbps = sample
        else:
            self.smoothed_kbps += min(1.0, seconds * self.weight_per_s) * (sample - self.smoothed_kbps)
        if len(self.levels) >= BEFORE_CHOICE:
            up = self.ladder.highest_below(self.smoothed_kbps * (1 - self.margin))
            down = self.ladder.highest_below(self.smoothed_kbps)
            self.level = up if self.level < up else min(self.level, down)
        return self.level

    def now(self) -> Sequence[int]:
        """The level that tells how the user fares at present; none before the client has chosen one by what it measured."""
        return self.levels[BEFORE_CHOICE:][-1:]

    def view(self) -> Sequence[int]:
        """The levels that count: a client knows nothing yet when it asks for the first."""
        return self.levels[1:]


@dataclass
class Playback:
    """The playback buffer: tells how long to wait before the next segment may be fetched, and counts stalls."""

    ladder: Ladder
    buffered_s: float = 0.0
    playing: bool = False
    stalled_s: float = 0.0

    def passed(self, seconds: float) -> None:
        if not self.playing:
            return
        if seconds > self.buffered_s:
            self.stalled_s += seconds - self.buffered_s
            self.buffered_s = 0.0
        else:
            self.buffered_s -= seconds

    def arrived(self) -> None:
        self.buffered_s += self.ladder.segment_s
        self.playing = True

    def wait_s(self) -> float:
        """Until one more segment fits into the buffer."""
        return max(0.0, self.buffered_s + self.ladder.segment_s - self.ladder.buffer_s)
