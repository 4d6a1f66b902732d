"""Counters of interfaces over time: how much went in and out of each, exact, from the kernel's own."""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

from ..networks.space import entered


@dataclass
class Series:
    """What was counted until when; between two samples, in proportion."""

    at: list[float] = field(default_factory=list)
    total: list[int] = field(default_factory=list)

    def add(self, moment: float, count: int) -> None:
        self.at.append(moment)
        self.total.append(count)

    def until(self, moment: float) -> float:
        place = bisect_right(self.at, moment)
        if place == 0 or not self.at:
            return float(self.total[0]) if self.total else 0.0
        if place == len(self.at):
            return float(self.total[-1])
        share = (moment - self.at[place - 1]) / (self.at[place] - self.at[place - 1])
        return self.total[place - 1] + share * (self.total[place] - self.total[place - 1])

    def kbps(self, begin: float, end: float) -> float:
        return (self.until(end) - self.until(begin)) / 125 / (end - begin)


def over_time(series: Series, at: float, end: float) -> list[list[float]]:
    """A rate a second, from the start of the traffic on."""
    return [[float(i + 1), round(series.kbps(at + i, at + i + 1), 1)] for i in range(int(end - at))]


def counted(text: str) -> dict[str, tuple[int, int]]:
    """Bytes received and sent of each interface, from /proc/net/dev."""
    found = {}
    for line in text.splitlines()[2:]:
        name, figures = line.split(":", 1)
        words = figures.split()
        found[name.strip()] = (int(words[0]), int(words[8]))
    return found


class Sampler:
    """Of these interfaces of a network namespace, until it is stopped."""

    def __init__(self, namespace: str, interfaces: list[str], every_s: float = 0.05):
        self.namespace = namespace
        self.received = {name: Series() for name in interfaces}
        self.sent = {name: Series() for name in interfaces}
        self.every_s = every_s
        self._problem = ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> "Sampler":
        self._thread.start()
        return self

    def stop(self) -> None:
        """
        Raises a RuntimeError where something was not there to be counted until now. A run that is interrupted takes its interfaces
        down without a word to this, and says all there is to say itself.
        """
        self._stop.set()
        self._thread.join()
        if self._problem:
            raise RuntimeError(self._problem)

    def _run(self) -> None:
        try:
            with entered(self.namespace):
                self._sample()
        except OSError as problem:
            self._problem = f"the counters of the namespace {self.namespace} cannot be read: {problem}"

    def _sample(self) -> None:
        due = time.monotonic()
        while True:
            text = Path("/proc/thread-self/net/dev").read_text()
            now = time.monotonic()
            found = counted(text)
            gone = sorted(self.received.keys() - found.keys())
            if gone:
                self._problem = f"the namespace {self.namespace} has no interface {', '.join(gone)}, so that nothing counts there."
                return
            for name in self.received:
                self.received[name].add(now, found[name][0])
                self.sent[name].add(now, found[name][1])
            due = max(due + self.every_s, now)
            if self._stop.wait(due - now):
                return
