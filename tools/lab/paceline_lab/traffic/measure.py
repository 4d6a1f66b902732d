"""From the raw samples of one run to its figures."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, pstdev
from typing import Any, Callable, Iterable, Sequence

from . import kpi
from .mix import KINDS, Application

CALL_S = 30
CALL_PACKETS_A_SECOND = 50
# So far a report on a call may be behind what was heard of it by then.
UNJUDGED_S = 3
VOICE_PAYLOAD_BYTES = 32


@dataclass
class Samples:
    """What was recorded; all times are CLOCK_MONOTONIC of this machine."""

    window: tuple[float, float]
    records: list[dict[str, Any]] = field(default_factory=list)
    voice: list[dict[str, Any]] = field(default_factory=list)
    probe: list[dict[str, Any]] = field(default_factory=list)
    # Of each bottleneck, from left to right.
    wires: list[list[dict[str, Any]]] = field(default_factory=list)


def lines(path: Path) -> list[dict[str, Any]]:
    """Whole JSON lines only: the last may still be being written."""
    if not path.exists():
        return []
    found = []
    for line in path.read_text().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def whole_seconds(window: tuple[float, float]) -> range:
    begin, end = window
    return range(int(begin) + 1, int(end))


def calls(samples: Samples) -> Iterable[dict[str, Any]]:
    """A call is a stretch of at most 30 s of a stream that is heard in the window, judged by the packets that were sent in it."""
    seconds = whole_seconds(samples.window)
    if not seconds:
        return
    each = max(1, len(seconds) // max(1, round(len(seconds) / CALL_S)))
    streams: dict[str, dict[int, dict[str, Any]]] = defaultdict(dict)
    for bucket in samples.voice:
        if bucket["second"] in seconds:
            streams[bucket["stream"]][bucket["second"]] = bucket
    for stream, buckets in streams.items():
        for begin in range(seconds.start, seconds.stop - each + 1, each):
            loss, delay = quality([buckets[s] for s in range(begin, begin + each) if s in buckets], each)
            yield {
                "id": stream,
                "kind": "voip",
                "start": float(begin),
                "end": float(begin + each),
                "loss": loss,
                "delayMs": delay,
                "kpi": loss,
                "utility": kpi.voice(loss, delay),
                "finished": True,
            }


def quality(heard: Sequence[dict[str, Any]], seconds: int) -> tuple[float, float]:
    """Of a stream in so many seconds, of which it was heard in these: the loss, as a fraction, and the mean delay in ms."""
    if not heard:
        return 1.0, 0.0
    received = sum(b["received"] for b in heard)
    # One may have been sent a moment too late for the last of them.
    sent = max(received, heard[-1]["last"] - heard[0]["first"] + 1, CALL_PACKETS_A_SECOND * seconds - 1)
    return 1 - received / sent, mean_delay_ms(heard)


def mean_delay_ms(heard: Sequence[dict[str, Any]]) -> float:
    return sum(b["delayMs"] * b["received"] for b in heard) / sum(b["received"] for b in heard)


class Calls:
    """A hearer's file, read while it grows. Whoever was heard once still talks."""

    def __init__(self, file: Path):
        self.file = file
        self.read = 0
        # Also those that are written down already and not judged yet.
        self.streams: dict[str, deque[dict[str, Any]]] = defaultdict(lambda: deque(maxlen=CALL_S + UNJUDGED_S))
        self.begun: dict[str, int] = {}

    def hear(self, now: float) -> dict[str, tuple[float, float]]:
        """`quality` of each stream in its last seconds, as many as a call has at most. `now` is of the sender's clock."""
        with open(self.file, "rb") as file:
            file.seek(self.read)
            whole, end, _ = file.read().rpartition(b"\n")
        self.read += len(whole + end)
        for line in whole.splitlines():
            bucket = json.loads(line)
            self.streams[bucket["stream"]].append(bucket)
            # The first second of a call may be a part of one.
            self.begun.setdefault(bucket["stream"], bucket["second"] + 1)
        # A second is written down with the first packet of the next.
        end_s = int(now) - 1
        found = {}
        for one, begun in self.begun.items():
            seconds = range(max(begun, end_s - CALL_S), end_s)
            if seconds:
                found[one] = quality([b for b in self.streams[one] if b["second"] in seconds], len(seconds))
        return found


def counted(samples: Samples) -> list[dict[str, Any]]:
    """Requests that began in the window; an unfinished one only where its conversation has no other."""
    inside = begun(samples)
    seen = {r["id"] for r in inside if r["finished"]}
    return [r for r in inside if r["finished"] or r["id"] not in seen] + list(calls(samples))


def begun(samples: Samples) -> list[dict[str, Any]]:
    begin, end = samples.window
    return [r for r in samples.records if "event" not in r and begin <= r["start"] < end]


def away_at(records: Sequence[dict[str, Any]], at: float) -> set[str]:
    """Users who were away then."""
    return {r["id"] for r in records if r.get("event") == "away" and r["at"] <= at < r["until"]}


def aways(samples: Samples) -> list[dict[str, Any]]:
    """The times off that have a part in the window, each cut to that."""
    begin, end = samples.window
    there = [r for r in samples.records if r.get("event") == "away" and r["at"] < end and r["until"] > begin]
    return [{**r, "at": max(begin, r["at"]), "until": min(end, r["until"])} for r in there]


def starved(silent: list[str], window: tuple[float, float]) -> list[dict[str, Any]]:
    """Conversations that got nothing at all for as long as was measured are as badly off as can be, and not left out."""
    return [{"id": one, "kind": one.rpartition("-")[0], "start": window[0], "utility": kpi.LEAST, "finished": False} for one in silent]


def conversations(requests: list[dict[str, Any]]) -> dict[str, list[float]]:
    by_id: dict[str, list[float]] = defaultdict(list)
    for request in requests:
        by_id[request["id"]].append(request["utility"])
    return dict(by_id)


def tail(utilities: list[float]) -> float:
    """The 10 % tail: nine of ten requests are at least this good."""
    return kpi.quantile(utilities, 0.1)


def between(samples: list[dict[str, Any]], window: tuple[float, float]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The last counters before the window and the first after it: nothing inside is missed."""
    before = [s for s in samples if s["monotonic"] <= window[0]]
    after = [s for s in samples if s["monotonic"] >= window[1]]
    return (before[-1] if before else samples[0], after[0] if after else samples[-1])


def carried(samples: Samples) -> dict[str, Any]:
    """What the bottlenecks did: packets of all of them, the mean of their rates, the longest queue. A packet is offered to each that it meets."""
    begin, end = samples.window
    links = [{
        **{key: last["forward"][key] - first["forward"][key] for key in ("offeredPackets", "droppedPackets", "codelDroppedPackets")},
        "linkKbps": round((last["forward"]["forwardedBytes"] - first["forward"]["forwardedBytes"]) * 8 / 1000 / (last["monotonic"] - first["monotonic"])),
        "droppedPacketsBackward": last["backward"]["droppedPackets"] - first["backward"]["droppedPackets"],
        "backlogMaxBytes": max((s["forward"]["backlogMaxSecondBytes"] for s in wire if begin < s["monotonic"] <= end + 1), default=0),
    } for wire in samples.wires for first, last in [between(wire, samples.window)]]  # fmt: skip
    together = {key: TOGETHER.get(key, sum)(link[key] for link in links) for key in links[0]}
    return {**together, **({"links": links} if len(links) > 1 else {})}


TOGETHER: dict[str, Callable[[Iterable[int]], int]] = {"linkKbps": lambda rates: round(mean(rates)), "backlogMaxBytes": max}


def payload_kbps(samples: Samples) -> float:
    """What arrived at the applications, without headers and without what came twice."""
    begin, end = samples.window
    total = 0.0
    hosts: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for record in samples.records:
        if record.get("event") == "glance":
            hosts[record.get("host", "")].append((record["at"], record["bytes"]))
    for glances in hosts.values():
        inside = [(t, b) for t, b in glances if begin - 1 <= t <= end + 1]
        if len(inside) > 1:
            (t0, b0), (t1, b1) = inside[0], inside[-1]
            total += (b1 - b0) * 8 / 1000 / (t1 - t0)
    seconds = whole_seconds(samples.window)
    if seconds:
        packets = sum(b["received"] for b in samples.voice if b["second"] in seconds)
        total += packets * VOICE_PAYLOAD_BYTES * 8 / 1000 / len(seconds)
    return total


def round_trips(samples: Samples) -> list[float]:
    begin, end = samples.window
    return [t for line in samples.probe if begin <= line["second"] < end for t in line["roundTripMs"]]


def spread(values: list[float]) -> dict[str, float] | None:
    if not values:
        return None
    return {"p50": round(kpi.quantile(values, 0.5), 3), "p95": round(kpi.quantile(values, 0.95), 3)}


def of_far(users: list[Application], tails: dict[str, float]) -> dict[str, Any]:
    """Users that cross as many bottlenecks as each other, and those of each type."""
    types = {name: [tails[one.id] for one in users if one.kind == name] for name in KINDS}
    return {
        "conversations": len(users),
        "tail": round(mean(tails[one.id] for one in users), 3),
        "types": {name: round(mean(of), 3) for name, of in types.items() if of},
    }


def summary(
    mode: str, samples: Samples, applications: list[Application], targets: dict[str, float] | None
) -> dict[str, Any]:
    """
    One entry of result.json's runs.

    Of a type, `tail` is the mean over its conversations of the utility that nine of ten of their requests reach, and `clientSd` the
    greatest standard deviation of one conversation's requests: Sieber et al. 2020, figures 11 and 9g.
    """
    requests = counted(samples)
    uncounted = len(begun(samples)) - sum(request["kind"] != "voip" for request in requests)
    heard_of = {request["id"] for request in requests}
    away = aways(samples)
    # Who was away for a part of the window may have asked for nothing in the rest.
    absent = sorted({one["id"] for one in away} - heard_of)
    silent = sorted(a.id for a in applications if a.id not in heard_of and a.id not in absent)
    requests += starved(silent, samples.window)
    by_conversation = conversations(requests)
    window = samples.window
    seconds = whole_seconds(window)
    jitter = [b["jitterMs"] for b in samples.voice if b["second"] in seconds]
    tails = {one: tail(values) for one, values in by_conversation.items()}
    run: dict[str, Any] = {"mode": mode}
    if samples.wires and all(samples.wires):
        run |= carried(samples)
    run["rttMs"] = spread(round_trips(samples))
    run["jitterMs"] = spread(jitter)
    run["goodputKbps"] = round(payload_kbps(samples))
    if tails:
        run["minUtility"] = round(min(tails.values()), 3)
        run["meanUtility"] = round(sum(sum(v) / len(v) for v in by_conversation.values()) / len(by_conversation), 3)
        run["worstConversation"] = min(tails, key=lambda one: tails[one])
    if targets:
        run["minTarget"] = round(min(targets.values()), 3)
    run["silentConversations"] = silent
    # Unfinished, of users who have finished others.
    run["uncounted"] = uncounted
    if away:
        off_s = sum(one["until"] - one["at"] for one in away)
        run["onOff"] = {
            "timesOff": len(away), "closed": sum(one["closed"] for one in away), "absent": absent,
            "offPercent": round(100 * off_s / ((window[1] - window[0]) * sum(a.kind != "voip" for a in applications)), 1),
        }  # fmt: skip
    lengths = sorted({a.links for a in applications})
    if len(lengths) > 1:
        # By how many bottlenecks their users cross.
        far = {count: [a for a in applications if a.links == count and a.id in tails] for count in lengths}
        run["byLinks"] = {str(count): of_far(users, tails) for count, users in far.items() if users}
    run["types"] = {}
    for name in KINDS:
        ids = [a.id for a in applications if a.kind == name]
        heard = [one for one in ids if one in by_conversation]
        if not ids:
            continue
        values = [u for one in heard for u in by_conversation[one]]
        wanted = [targets[one] for one in ids if one in targets] if targets else []
        entry: dict[str, Any] = {"conversations": len(ids), "requests": len(values)}
        if values:
            entry["median"] = round(kpi.quantile(values, 0.5), 3)
            entry["p10"] = round(kpi.quantile(values, 0.1), 3)
            entry["mean"] = round(sum(values) / len(values), 3)
            entry["tail"] = round(sum(tails[one] for one in heard) / len(heard), 3)
            entry["clientSd"] = round(max(pstdev(by_conversation[one]) for one in heard), 3)
            entry["fIndex"] = round(kpi.fairness([sum(by_conversation[o]) / len(by_conversation[o]) for o in heard]), 4)
            entry["unfinished"] = sum(1 for r in requests if r["kind"] == name and not r["finished"])
        else:
            entry.update(median=None, p10=None, mean=None, tail=None, clientSd=None, fIndex=None, unfinished=0)
        entry["target"] = round(sum(wanted) / len(wanted), 3) if wanted else None
        run["types"][name] = entry
    return run


def add_delays(run: dict[str, Any], samples: Samples, promised_ms: dict[str, float]) -> None:
    """To a run's entry: what calls took one way in the window, in ms, means; and of those that were promised a delay, by how much they took more."""
    seconds = whole_seconds(samples.window)
    streams: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for bucket in samples.voice:
        if bucket["second"] in seconds:
            streams[bucket["stream"]].append(bucket)
    took = {one: mean_delay_ms(heard) for one, heard in streams.items()}
    if not took:
        return
    run["callsMs"] = {"oneWay": round(mean(took.values()), 2)}
    if promised := {one: promised_ms[one] for one in took if one in promised_ms}:
        beyond = mean(took[one] - most for one, most in promised.items())
        run["callsMs"] |= {"promised": round(mean(promised.values()), 2), "beyond": round(beyond, 2)}


def add_experienced(run: dict[str, Any], utilities: dict[str, float], alarms: list[dict[str, Any]]) -> None:
    """To a run's entry: what the controller made of the users' last reports, each by its user's name, and whom it is alarmed about."""
    for name, entry in run["types"].items():
        values = [utility for one, utility in utilities.items() if one.rpartition("-")[0] == name]
        entry["experienced"] = round(mean(values), 3) if values else None
    run["reportingUsers"] = len(utilities)
    run["experienceAlarms"] = [{key: one[key] for key in ("conversation", "likelyCause", "sentence")} for one in alarms]


def link_use(samples: Samples) -> list[tuple[float, float, float]]:
    """Of the first bottleneck, per second: time since the window began, Mbit/s forwarded, kilobytes queued at most."""
    begin, end = samples.window
    points = []
    wire = samples.wires[0] if samples.wires else []
    for before, after in zip(wire, wire[1:]):
        if before["monotonic"] < begin - 1 or after["monotonic"] > end + 1 or after["monotonic"] <= before["monotonic"]:
            continue
        bits = (after["forward"]["forwardedBytes"] - before["forward"]["forwardedBytes"]) * 8
        points.append(
            (
                after["monotonic"] - begin,
                bits / 1e6 / (after["monotonic"] - before["monotonic"]),
                after["forward"]["backlogMaxSecondBytes"] / 1000,
            )
        )
    return points
