"""From what was sent and received in HNTES's experiments to figures: what elephants carried, and what others felt of them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, pstdev
from typing import TYPE_CHECKING, Any

from .aqos_figures import claim
from .counters import Series, over_time

if TYPE_CHECKING:
    from .elephants import Experiment

# A full frame of Ethernet without checksum, and what it carries of TCP.
FRAME_BYTES, PAYLOAD_BYTES = 1514, 1448
# What an elephant that just began, and those before it, take to find their rates.
SETTLED = 0.2
CALM_S, CALM_STEP_S = 0.5, 0.1
# What waited while the split was another one is gone, and counted.
DRAIN_S = 0.5
# The port counts 24 bytes of Ethernet more a frame than the sender does.
MARGIN = 1.05
# Of a datagram: its frame on the link.
DATAGRAM_BYTES = 1042
MANAGED = "paceline"

Run = dict[str, Any]


@dataclass(frozen=True)
class Clock:
    """When which part of a run is, from 0 to 1."""

    at: float
    seconds: float

    def part(self, begin: float, end: float) -> tuple[float, float]:
        return self.at + begin * self.seconds, self.at + end * self.seconds

    @property
    def end(self) -> float:
        return self.at + self.seconds


def trips(text: str, offset_s: float) -> list[tuple[float, float]]:
    """Of `ping -D`: when each answer came by CLOCK_MONOTONIC, which is the time of day and this offset, and after how many milliseconds."""
    return [(float(moment) + offset_s, float(trip)) for moment, trip in re.findall(r"\[([0-9.]+)\].* time=([0-9.]+) ms", text)]


def between(found: list[tuple[float, float]], begin: float, end: float) -> list[float]:
    at = [moment for moment, _ in found]
    return [trip for _, trip in found[bisect_left(at, begin) : bisect_right(at, end)]]


def of_trips(found: list[float]) -> Run:
    ordered = sorted(found)
    return {
        "answers": len(found),
        "meanMs": round(mean(found), 3),
        "deviationMs": round(pstdev(found), 3),
        "p95Ms": round(ordered[int(0.95 * (len(ordered) - 1))], 3),
        "maxMs": round(ordered[-1], 3),
    }


def jain(rates: list[float]) -> float:
    return round(sum(rates) ** 2 / (len(rates) * sum(rate * rate for rate in rates)), 4)


def series(at: list[float], total: list[int]) -> Series:
    return Series(list(at), list(total))


def lost_percent(received: Run, begin: float, end: float) -> float:
    """Of the datagrams that should have come then."""
    got, expected = (series(received["at"], received[name]) for name in ("datagrams", "datagramsExpected"))
    wanted = expected.until(end) - expected.until(begin)
    return round(100 * (1 - (got.until(end) - got.until(begin)) / wanted), 3) if wanted else 0.0


def summary(experiment: Experiment, first_port: int, clock: Clock, received: dict[str, Run], told: list[Run], pings: list[tuple[float, float]]) -> Run:
    """Rates are of frames on the link, in kbit/s."""
    arrived = received["w"]
    elephants, whole = [], []
    for number, (one, sender) in enumerate(zip(experiment.elephants, told)):
        port = str(first_port + 2 * number)
        counted = series(arrived["at"], arrived["bytes"][port])
        begin, end = clock.part(one.begin, one.end)
        whole.append(counted)
        elephants.append(
            {
                "kbps": round(frames_kbps(counted, begin + SETTLED * (end - begin), end), 1),
                "known": one.known,
                "far": one.far,
                **sender,
                "outOfOrder": arrived["segments"][port]["outOfOrder"],
                "arrived": arrived["segments"][port]["arrived"],
            }
        )
    # While all are there.
    together = clock.part(max(one.begin for one in experiment.elephants), min(one.end for one in experiment.elephants))
    settled = (together[0] + SETTLED * (together[1] - together[0]), together[1])
    rates = [frames_kbps(one, *settled) for one in whole]
    found: Run = {
        "elephants": elephants,
        "togetherKbps": [round(rate, 1) for rate in rates],
        "jain": jain(rates),
        "idlePing": of_trips(between(pings, 0, clock.at)),
        "ping": of_trips(between(pings, *settled)),
        "pingOverTime": [[round(moment - clock.at, 2), trip] for moment, trip in pings if moment >= clock.at][::5],
        "overTime": {f"elephant-{number}": over_time(frames(one), clock.at, clock.end) for number, one in enumerate(whole, 1)},
    }
    if experiment.udp_percent:
        found["udpLostPercent"] = lost_percent(received["v"], *clock.part(0, 1))
        found["udpLostLaterPercent"] = lost_percent(received["v"], *clock.part(0.5, 1))
        got = series(received["v"]["at"], [DATAGRAM_BYTES * count for count in received["v"]["datagrams"]])
        found["udpKbps"] = round(got.kbps(clock.at, clock.end), 1)
        found["overTime"]["datagrams"] = over_time(got, clock.at, clock.end)
    return found


def of_order(experiment: Experiment, first_port: int, order: Run) -> Run:
    """How many packets of each elephant were reordered (RFC 4737), and how many of those that nobody knew."""
    flows = {flow["fromPort"]: flow for flow in order["flows"]}
    each = [flows[first_port + 2 * number] for number in range(len(experiment.elephants))]
    found: Run = {"reordered": [one["reordered"] for one in each], "packetsNotSeen": order["missed"]}
    moved = [one for one, elephant in zip(each, experiment.elephants) if not elephant.known]
    if moved:
        single = sum(one["packets"] - one["duplicates"] for one in moved)
        # Whatever the watch had no room for may have been reordered.
        found["movedReorderedPercent"] = round(100 * (sum(one["reordered"] for one in moved) + order["missed"]) / single, 4)
    return found


def of_growth(
    experiment: Experiment, clock: Clock, received: Run, pings: list[tuple[float, float]], splits: list[tuple[float, float]], link_kbps: float
) -> Run:
    """Of datagrams that grow while elephants take all there is: how soon the split has followed, and what is lost from then on."""
    percents = experiment.udp_percent
    if len(set(percents)) < 2:
        return {}
    begin, end = clock.part(percents.index(max(percents)) / len(percents), 1)
    found: Run = {
        "udpLostFromGrowthPercent": lost_percent(received, begin, end),
        "othersKbps": [[round(moment - clock.at, 2), round(others)] for moment, others in splits],
    }
    followed = next((moment for moment, others in splits if moment >= begin and others >= MARGIN * max(percents) / 100 * link_kbps), None)
    if followed is not None and followed + DRAIN_S < end:
        since = followed + DRAIN_S
        found |= {
            "followedAfterS": round(followed - begin, 2),
            "udpLostSincePercent": lost_percent(received, since, end),
            "pingSince": of_trips(between(pings, since, end)),
        }
    return found


def of_unknown(
    experiment: Experiment, first_port: int, clock: Clock, arrived: Run, pings: list[tuple[float, float]], apart: list[float], crossing_bytes: int
) -> Run:
    """Of the elephant that nobody knew: how long after its crossing it was led apart, and how long after that a ping was as on the idle link."""
    for number, one in enumerate(experiment.elephants):
        if one.known:
            continue
        counted = arrived["bytes"][str(first_port + 2 * number)]
        crossed = next((moment for moment, total in zip(arrived["at"], counted) if total >= crossing_bytes), None)
        idle = mean(between(pings, 0, clock.at))
        begin, end = clock.part(one.begin, one.end)
        since = apart[0] if apart else begin
        return {
            "movedAfterS": round(apart[0] - crossed, 2) if apart and crossed else None,
            "calmAfterS": calm_after_s(pings, since, end, idle + 1),
        }
    return {}


def frames(bytes_received: Series) -> Series:
    """What arrived of TCP's payload, as full frames of the link."""
    return Series(bytes_received.at, [round(count * FRAME_BYTES / PAYLOAD_BYTES) for count in bytes_received.total])


def frames_kbps(bytes_received: Series, begin: float, end: float) -> float:
    return frames(bytes_received).kbps(begin, end)


def calm_after_s(pings: list[tuple[float, float]], begin: float, end: float, most_ms: float) -> float | None:
    """How long after `begin` the mean of half a second is at most this for the first time, and stays so. None: never."""
    found = None
    moment = begin
    while moment + CALM_S <= end:
        there = between(pings, moment, moment + CALM_S)
        if not there or mean(there) > most_ms:
            found = None
        elif found is None:
            found = moment - begin
        moment += CALM_STEP_S
    return None if found is None else round(found, 2)


def claims(result: Run) -> list[Run]:
    """What the issue asks of Paceline, and what the paper has; of each congestion control."""
    found: dict[tuple[str, str], list[Run]] = {}
    for run in result["runs"]:
        if run["mode"] == MANAGED and "error" not in run:
            # What never came took the whole run, and more.
            never = {name: result["seconds"] for name in ("movedAfterS", "calmAfterS") if run.get(name, 0) is None}
            found.setdefault((run["experiment"], run["congestionControl"]), []).append({**run, **never})
    return [
        one
        for (experiment, congestion), runs in found.items()
        for one in (claim(f"elephants, experiment {experiment}, {congestion}: {says}", reference, target, of(runs), unit, holds, why)
                    for says, reference, target, of, unit, holds, why in ASKED.get(experiment, ()))
        if one
    ]  # fmt: skip


def at_most(measured: float, target: float) -> bool:
    return measured <= target


def at_least(measured: float, target: float) -> bool:
    return measured >= target


def above_idle(runs: list[Run]) -> list[float]:
    return [round(run["ping"]["meanMs"] - run["idlePing"]["meanMs"], 3) for run in runs]


def above_idle_since(runs: list[Run]) -> list[float]:
    return [round(run["pingSince"]["meanMs"] - run["idlePing"]["meanMs"], 3) for run in runs if "pingSince" in run]


def of_what_is_left(runs: list[Run]) -> list[float]:
    return [run["togetherKbps"][0] / (run["linkKbps"] - run["udpKbps"]) for run in runs]


def all_of(name: str) -> Callable[[list[Run]], list[float]]:
    return lambda runs: [run[name] for run in runs if run.get(name) is not None]


def deviations(runs: list[Run]) -> list[float]:
    return [run["ping"]["deviationMs"] for run in runs]


CALM = ("a ping's mean above the idle link's", 0.2, 1.0, above_idle, "ms", at_most, "elephants were not kept apart from it at every moment")
STEADY = ("a ping's standard deviation", 0.3, 0.5, deviations, "ms", at_most, "its own queue was not always empty")
FAIR = ("Jain's index of two elephants", 0.97, 0.97, all_of("jain"), "", at_least, "they did not have the same while both were there")
LEFT = ("an elephant's throughput, of what datagrams leave", 0.923, 0.9, of_what_is_left, "", at_least, "part of the link was idle")
# Of the issue: name, the paper's figure, what is asked, how it is taken from the runs, unit, when it holds, why it does not.
ASKED = {
    "2": (CALM, STEADY),
    "3": (LEFT, CALM),
    "4": (LEFT, CALM),
    "5": (FAIR, CALM),
    "5-far": (FAIR, CALM),
    "6": (
        ("datagrams lost once the split has followed", 39.0, 0.0, all_of("udpLostSincePercent"), "%", at_most, "their part was smaller than what they send"),
        ("a ping's mean above the idle link's, from then on", None, 1.0, above_idle_since, "ms", at_most, "datagrams waited"),
    ),
    "7": (
        ("an unknown elephant is led apart after its crossing", None, 3.0, all_of("movedAfterS"), "s", at_most, "it was found later"),
        ("packets of an elephant that is led apart while it runs, reordered", None, 0.1, all_of("movedReorderedPercent"), "%", at_most,
         "what came behind them on its way was quicker"),
        ("a ping is as on the idle link and 1 ms after that", None, 3.0, all_of("calmAfterS"), "s", at_most, "its queue was not empty yet"),
    ),
}  # fmt: skip
