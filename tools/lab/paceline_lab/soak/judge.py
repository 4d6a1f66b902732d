"""What samples of shared links show: whether a link was sent more than it carries, and whether a flow starved.

A flow is judged in windows that follow each other. Its guarantee in a window is the least that it was entitled to from some
time before it, within which a scheme may follow what changed, to its end. A window counts where the flow tried to send
more than that guarantee in each second of all this time. So nobody is judged who did not ask.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scipy import stats

from ..scenarios.counters import Series

WINDOW_S = 5.0
# The shortest time that counts as a second.
SECOND_S = 0.95
# No scheme may take longer to follow a change than this.
LONGEST_S = 45.0
# Pacing rounds down, meters count in full milliseconds, and a frame more or less may fall into a window.
HAD, FRAMES = 0.95, 3
FRAME_KBIT = 1042 * 8 / 1000
SHOWN = 3


@dataclass(frozen=True)
class Entitlement:
    """What a flow is guaranteed at some moment, in kbit/s, and within how many seconds of a change or of asking it has that."""

    guarantee: str
    kbps: float
    within_s: float


@dataclass(frozen=True)
class Sample:
    at: float
    # Bytes that have left the switch's port to each link so far.
    sent: Mapping[str, int]
    # In kbit/s, of each link: what hosts' kernels and meters let those send over it of whom the controller could know, and what
    # the plan grants.
    may_send: Mapping[str, float]
    granted: Mapping[str, float]
    # In kbit, of each link: what these kernels and meters let through at once, beside their rates.
    at_once: Mapping[str, float]
    # By flow.
    entitled: Mapping[str, tuple[Entitlement, ...]]


@dataclass
class FlowRecord:
    """What one flow tried to send, and what arrived, in bytes so far."""

    tried: Series = field(default_factory=Series)
    arrived: Series = field(default_factory=Series)


@dataclass(frozen=True)
class Window:
    flow: str
    guarantee: str
    begin: float
    end: float
    kbps: float
    had_kbps: float

    @property
    def starved(self) -> bool:
        return self.had_kbps < HAD * self.kbps - FRAMES * FRAME_KBIT / (self.end - self.begin)

    def __str__(self) -> str:
        return f"{self.flow} had {self.had_kbps:.0f} of {self.kbps:.0f} kbit/s from {self.begin:.1f} s to {self.end:.1f} s"


@dataclass(frozen=True)
class Load:
    """Of one link between two samples."""

    link: str
    begin: float
    end: float
    kbps: float


def loads(samples: list[Sample]) -> list[Load]:
    """Of each second, or longer where samples were late; two that are closer are not held against each other, for a link may be sent a burst."""
    found: list[Load] = []
    for link in samples[0].sent if samples else ():
        one = samples[0]
        for two in samples[1:]:
            if two.at - one.at >= SECOND_S:
                found.append(Load(link, one.at, two.at, (two.sent[link] - one.sent[link]) / 125 / (two.at - one.at)))
                one = two
    return found


def windows(samples: list[Sample], records: Mapping[str, FlowRecord]) -> list[Window]:
    times = [sample.at for sample in samples]
    entitled: dict[tuple[str, str], list[tuple[float, Entitlement]]] = {}
    for sample in samples:
        for flow, many in sample.entitled.items():
            for one in many:
                entitled.setdefault((flow, one.guarantee), []).append((sample.at, one))
    return [window for (flow, _), over_time in entitled.items() if flow in records for window in of_flow(flow, over_time, records[flow], times)]


def of_flow(flow: str, over_time: list[tuple[float, Entitlement]], record: FlowRecord, times: list[float]) -> Iterator[Window]:
    """One after the other, from the moment at which it is known."""
    begin, last = over_time[0][0], over_time[-1][0]
    while (end := begin + WINDOW_S) <= last:
        within_s = max((one.within_s for at, one in over_time if begin - LONGEST_S <= at <= end), default=0.0)
        since = begin - within_s
        then = [one for at, one in over_time if since <= at <= end]
        # Whoever was not entitled all the time, such as one whose reservation was admitted just now, is not judged yet.
        always = len(then) == bisect_right(times, end) - bisect_left(times, since)
        kbps = min((one.kbps for one in then), default=0.0)
        if always and kbps > 0 and asked(record.tried, since, end, kbps):
            yield Window(flow, then[0].guarantee, begin, end, kbps, record.arrived.kbps(begin, end))
        begin = end


def asked(tried: Series, since: float, until: float, kbps: float) -> bool:
    moments = [since + n for n in range(int(until - since))]
    return bool(tried.at) and tried.at[0] <= since and until <= tried.at[-1] and all(tried.kbps(at, at + 1) >= kbps for at in moments)


# Claims


def of_links(samples: list[Sample], capacities: Mapping[str, float], usable: float) -> list[dict[str, Any]]:
    found = loads(samples)
    claims = []
    for link, capacity in capacities.items():
        mine = [one for one in found if one.link == link]
        above = [f"{one.kbps:.0f} of {capacity:.0f} kbit/s from {one.begin:.1f} s to {one.end:.1f} s" for one in mine if one.kbps > capacity]
        claims.append(none_of(f"link {link}: seconds in which more left the switch's port than the link carries", above, len(mine)))
        claims.append(at_most(f"link {link}: most that left the switch's port within a second", [one.kbps / capacity for one in mine], 1.0))
        may = [one.may_send[link] / capacity for one in samples]
        claims.append(at_most(f"link {link}: most that hosts and meters let those send whom a plan could know", may, usable))
        claims.append(at_most(f"link {link}: most that a plan grants", [one.granted[link] / capacity for one in samples], usable))
    return claims


def of_queues(
    samples: list[Sample], capacities: Mapping[str, float], waiting: Mapping[str, list[tuple[float, int]]], dropped: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Of what is shorter than a second. Senders whose rates fit a link make it queue for no longer than it takes to carry all that
    they may send at once (Cruz 1991, network calculus); more has waited where rates did not fit for a while."""
    claims = []
    for link, capacity in capacities.items():
        longest = max((count * 8 / capacity for _, count in waiting[link]), default=0.0)
        allowed = max((one.at_once[link] / capacity * 1000 for one in samples), default=0.0)
        holds = bool(samples) and bool(waiting[link]) and longest <= allowed
        claim = {"name": f"link {link}: longest that its queue was, beside what all may send at once", "reference": None, "target": round(allowed, 1),
                 "measured": round(longest, 1), "unit": "ms", "repeats": len(waiting[link]), "holds": holds}  # fmt: skip
        claims.append(claim if holds else {**claim, "why": "more than rates and bursts allow was sent for a while, or nothing was counted"})
        lost = dropped[link]
        claim = {"name": f"link {link}: packets that it dropped", "reference": None, "target": 0, "measured": lost, "unit": "", "repeats": 1, "holds": lost == 0}
        claims.append(claim if not lost else {**claim, "why": "its queue was full"})
    return claims


def of_flows(found: list[Window], guarantees: Mapping[str, str]) -> list[dict[str, Any]]:
    """`guarantees` says of each, by its name, what its claim is called. One of which no window counted shows nothing, and so does not hold."""
    claims = []
    for guarantee, says in guarantees.items():
        mine = [window for window in found if window.guarantee == guarantee]
        starved = sorted((one for one in mine if one.starved), key=lambda one: one.had_kbps / one.kbps)
        claims.append(none_of(says, list(map(str, starved)), len(mine)))
    return claims


def none_of(name: str, found: list[str], of: int) -> dict[str, Any]:
    """That none of so many is of this kind: the part that is, in percent, with its exact 95 % interval (Clopper and Pearson 1934)."""
    if not of:
        return {"name": name, "reference": None, "target": 0, "measured": None, "unit": "%", "repeats": 0, "holds": False, "why": "nothing was to be judged"}
    low, high = stats.binomtest(len(found), of).proportion_ci(0.95)
    claim = {"name": name, "reference": None, "target": 0, "measured": round(100 * len(found) / of, 3), "unit": "%",
             "interval": [round(100 * low, 3), round(100 * high, 3)], "repeats": of, "holds": not found}  # fmt: skip
    return claim if not found else {**claim, "why": f"{len(found)} of {of}: " + "; ".join(found[:SHOWN]) + (" ..." if len(found) > SHOWN else "")}


def at_most(name: str, parts: list[float], target: float) -> dict[str, Any]:
    """The greatest of these parts of a link, in percent."""
    greatest = max(parts, default=0.0)
    # A millionth for what is rounded on the way.
    holds = bool(parts) and greatest <= target + 1e-6
    claim = {"name": name, "reference": None, "target": round(100 * target, 2), "measured": round(100 * greatest, 2), "unit": "% of the link",
             "repeats": len(parts), "holds": holds}  # fmt: skip
    return claim if holds else {**claim, "why": f"{sum(part > target + 1e-6 for part in parts)} of {len(parts)} samples are above"}
