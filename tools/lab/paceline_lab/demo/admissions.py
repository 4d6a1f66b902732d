"""What is promised to users who come and go, second by second, and when those who came back had their rate."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, Callable

from ..traffic.measure import spread, tail
from .account import EverySecond


class Admissions(EverySecond):
    """Asks once a second for the controller's conversations, by user."""

    def __init__(self, ask: Callable[[], dict[str, dict[str, Any]]], since_ms: float):
        """Who was first seen after `since_ms`, of the agents' clock, has come back."""
        super().__init__()
        self._ask = ask
        self._since_ms = since_ms
        self._promised: dict[str, list[float]] = defaultdict(list)
        self._delays_ms: dict[str, float] = {}
        # Of each that came back; and how often it was seen without a rate.
        self._rate_after_ms: dict[tuple[str, float], float] = {}
        self._waiting: Counter[tuple[str, float]] = Counter()

    def ask(self) -> None:
        for user, one in self._ask().items():
            if grant := one.get("grant"):
                self._promised[user].append(grant["utility"])
                self._delays_ms[user] = grant["delayMs"]
            times = one.get("timesMs", {})
            if (seen := times.get("firstSeen", 0)) > self._since_ms:
                if "installed" in times:
                    self._rate_after_ms[user, seen] = times["installed"] - seen
                else:
                    self._waiting[user, seen] += 1

    def targets(self) -> dict[str, float]:
        """What nine of ten of a user's seconds promised, as nine of ten requests are what it got."""
        return {user: tail(utilities) for user, utilities in self._promised.items()}

    def promised_ms(self) -> dict[str, float]:
        """The delay that each one's utility was promised for at last, at most."""
        return self._delays_ms

    def returns(self) -> dict[str, Any]:
        """How many conversations came back, how many of them were there for a second or more and never had a rate, and after how many ms the others had it."""
        waited = [one for one, times in self._waiting.items() if times > 1 and one not in self._rate_after_ms]
        return {"count": len(self._rate_after_ms.keys() | self._waiting), "withoutRate": len(waited), "ms": spread(list(self._rate_after_ms.values()))}
