"""Two narrow links in a row that conversations of three schemes cross at once, while all of that changes.

    a1, c1 -- 1 ==== 2 ==== 3 -- b1
              a2, c2 /

Hosts a1 and a2 have agents; c1 and c2 have none, so that meters at their switches hold them. All send to b1, so whatever
leaves 1 crosses both links. On each host a flow of each kind sends all the time; others come and go.
"""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from ..networks.conversations import is_installed
from ..networks.emulated_network import EmulatedNetwork
from ..networks.installed import Meters, PacingClasses, Tables
from ..networks.loads import udp_packet
from ..networks.own_ovs import wait_until_true
from ..networks.space import Onos, entered
from ..networks.topology import Host, Link, Topology
from ..scenarios.counters import counted
from . import guarantees
from .guarantees import Split, Table
from .judge import Entitlement, FlowRecord, Sample

FIRST, SECOND = "1-2", "2-3"
SHARED = Topology(
    3,
    (Link(1, 2, 2, 10), Link(2, 3, 2, 20)),
    (Host("a1", 1, 1), Host("c1", 2, 1), Host("a2", 3, 2), Host("c2", 4, 2), Host("b1", 5, 3)),
)  # fmt: skip
AGENTS, ANNOUNCED, RECEIVER = ("a1", "a2"), ("c1", "c2"), "b1"
LINKS = {"a1": (FIRST, SECOND), "c1": (FIRST, SECOND), "a2": (SECOND,), "c2": (SECOND,)}
CAPACITY_KBPS = {link.name: link.mbit * 1000 for link in SHARED.links}
UTILITY, CLASSES, RESERVATIONS = SCHEMES = "utility-fair", "service-classes", "adaptive-reservations"
V1 = "/paceline/v1"
FAIR, GUESTS, RESERVED = "even", "guests", "reserved"
BOOKED = f"{RESERVED}/booked"
# As the application has them unless set.
USABLE, DIVIDED, EPSILON = 0.96, 0.95, 0.3
FIRST_PORT, SEEN_S, HELD_S = 20_000, 90.0, 15.0
# Whoever is new for longer has been left out, and counts.
NEW_S = 2.0
# The HTB class from which conversations borrow (the agent's ClassIds), its rate where it bounds nobody, and its name here.
POOL, NO_POOL_KBPS, POOLED = 0xFFFD, 10_000_000.0, "pool"
# A plan, its rates' way down and up again, and what counters lag behind, beside the period that a scheme measures for.
FOLLOWS_S = 3.0


@dataclass(frozen=True)
class Kind:
    scheme: str
    intent: str
    # By which agents tell it.
    port: int
    # What it tries to send: seconds and kbit/s, again and again.
    kbps: tuple[tuple[float, float], ...]


def always(kbps: float) -> tuple[tuple[float, float], ...]:
    return ((1.0, kbps),)


KINDS = {
    "even": Kind(UTILITY, FAIR, 7001, always(2000)),
    "voice": Kind(UTILITY, "voip/g729.1", 7002, always(300)),
    "gold": Kind(CLASSES, f"{GUESTS}/gold", 7011, always(2500)),
    "silver": Kind(CLASSES, f"{GUESTS}/silver", 7012, always(2000)),
    "bronze": Kind(CLASSES, f"{GUESTS}/bronze", 7013, always(1500)),
    # Uses little of its share, so that its class has a lower part.
    "quiet": Kind(CLASSES, f"{GUESTS}/silver", 7014, ((6.0, 100.0), (4.0, 1500.0))),
    "board": Kind(RESERVATIONS, f"{RESERVED}/board", 7021, always(1800)),
    # Lends, and has its own again.
    "now-and-then": Kind(RESERVATIONS, f"{RESERVED}/desk", 7022, ((18.0, 900.0), (9.0, 60.0))),
    "desk": Kind(RESERVATIONS, f"{RESERVED}/desk", 7023, always(900)),
    "rest": Kind(RESERVATIONS, RESERVED, 7024, always(800)),
    "booked": Kind(RESERVATIONS, BOOKED, 7025, always(1200)),
}  # fmt: skip
# On each host, all the time: of each scheme at least one that always has more to send.
STAYS = ("even", "gold", "bronze", "board", "now-and-then", "rest")
WEIGHTS = {f"{GUESTS}/gold": 3, f"{GUESTS}/silver": 2, f"{GUESTS}/bronze": 1}
RESERVES = {f"{RESERVED}/board": (800, 5), f"{RESERVED}/desk": (400, 2)}
# Its own utility function: worth more with each step, and less the more there is.
STEPS = (50, 100, 150, 200, 300, 400, 600, 800, 1200, 1600, 2400)
WORTH = (1.0, 1.7, 2.1, 2.4, 2.8, 3.1, 3.5, 3.8, 4.2, 4.6, 5.0)
TABLES = {"even": Table(tuple(zip(map(float, STEPS), WORTH))), "voice": Table(((100.0, 4.9),))}
# What an operator changes, and to what; the first of each is what a run begins with.
SETTINGS: dict[str, tuple[int, ...]] = {
    "adaptiveThousandths": (500, 350, 400, 600), "serviceClassThousandths": (500, 300, 400, 600, 700),
    "classAlphaThousandths": (1000, 500, 2000, 5000), "classGammaThousandths": (500, 0, 1000), "classBetaThousandths": (250, 0, 1000),
    "classDeltaThousandths": (0, 250, 500), "classPeriodSeconds": (5, 2, 15), "classSplits": (1, 0, 2),
    "adaptivePeriodSeconds": (2, 1, 4), "adaptiveGrowthThousandths": (2000, 1500, 4000), "adaptiveHeadroomThousandths": (100, 60, 300),
}  # fmt: skip


@dataclass
class Flow:
    name: str
    kind: Kind
    host: str
    port: int
    # When it began to send; None before it is held to a rate.
    opened: float | None = None
    ends: float = float("inf")
    gone: float = float("inf")
    came: float = field(default_factory=time.monotonic)

    @property
    def links(self) -> tuple[str, ...]:
        return LINKS[self.host]


class SharedLinks:
    def __init__(self, network: EmulatedNetwork, onos: Onos, out: Path, seed: int, schemes: tuple[str, ...]):
        self.network, self.onos, self.rest = network, onos, onos.rest
        self.draws = random.Random(seed)
        self.out = out.resolve()
        self.schemes = schemes
        self.ports = count(FIRST_PORT)
        # Those that are here; and all that there were, of whom the controller may still speak.
        self.flows: dict[str, Flow] = {}
        self.ever: dict[str, Flow] = {}
        self.settings = {name: values[0] for name, values in SETTINGS.items()}
        self.weights = dict(WEIGHTS)
        # Those of whom a plan has said something.
        self.planned: set[str] = set()
        self.booked: str | None = None
        self.asked: list[tuple[float, str]] = []
        self.refused = 0
        self.programs: dict[str, subprocess.Popen[str]] = {}
        self.classes: dict[str, PacingClasses] = {}
        self.meters: dict[int, Meters] = {}
        self.began = time.monotonic()

    # Building

    def build(self) -> None:
        self.network.connect()
        self.network.wait_until_seen(self.rest, SEEN_S)
        for name, value in [*self.settings.items(), ("versionsKept", 10), ("changesKept", 10)]:
            self.set(name, value)
        self.rest.call("PUT", f"{V1}/intents", self.policy(self.rest.get(f"{V1}/intents")))
        rules = "".join(f"  - intent: {kind.intent}\n    match: {{protocol: udp, remotePort: {kind.port}}}\n    group: socket\n" for kind in KINDS.values())
        for host in AGENTS:
            self.network.agent(host, "unmatched: ignore\nrules:\n" + rules)
        wait_until_true(lambda: self.rest.state()["agents"] == len(AGENTS), "the agents' arrival", 60)
        listening = self.program(RECEIVER, "receive", *(str(kind.port) for kind in KINDS.values()))
        assert listening.stdout and listening.stdout.readline() == "listening\n"
        for host in LINKS:
            self.program(host, "send")
        self.classes = {host: PacingClasses(self.network.namespace(host), "eth0") for host in AGENTS}
        self.meters = {switch: Meters(self.network.directory / f"s{switch}.mgmt") for switch in (1, 2)}
        self.tables = Tables(self.network.directory)
        self.began = time.monotonic()
        for host in LINKS:
            for kind in STAYS:
                if KINDS[kind].scheme in self.schemes:
                    self.come(kind, host)

    @staticmethod
    def policy(now: dict[str, Any]) -> dict[str, Any]:
        """What is there, and a branch for each scheme."""
        nodes: dict[str, dict[str, Any]] = {
            FAIR: {"utilityFunction": FAIR}, GUESTS: {"scheme": CLASSES}, RESERVED: {"scheme": RESERVATIONS}, BOOKED: {},
            **{intent: {"classWeight": weight} for intent, weight in WEIGHTS.items()},
            **{intent: {"minimumRateKbps": kbps, "priority": priority} for intent, (kbps, priority) in RESERVES.items()},
        }  # fmt: skip
        named = [{"class": path.partition("/")[0], **({"intent": path.partition("/")[2]} if "/" in path else {}), **node} for path, node in nodes.items()]
        table = {"throughputKbps": STEPS, "delayMs": [0, 1000], "utility": [[worth, worth] for worth in WORTH]}
        return {"utilityFunctions": {**now.get("utilityFunctions", {}), FAIR: table}, "intents": [*now["intents"], *named]}

    def program(self, host: str, role: str, *words: str) -> subprocess.Popen[str]:
        made = self.network.module("paceline_lab.soak.flows", role, str(self.out / f"{role}-{host}.jsonl"), *words, host=host, stdin=subprocess.PIPE)
        self.programs[host] = made
        return made

    # Who comes and goes

    def come(self, kind: str, host: str, seconds: float = float("inf")) -> None:
        port = next(self.ports)
        flow = Flow(f"{host}-{port}", KINDS[kind], host, port, ends=time.monotonic() + seconds)
        self.flows[flow.name] = self.ever[flow.name] = flow
        if host in AGENTS:
            self.open(flow)
            return
        self.rest.call("POST", f"{V1}/conversations", {
            "id": flow.name, "intent": flow.kind.intent, "localAddress": self.network.hosts[host].address, "protocol": "udp", "localPort": port,
            "remoteAddress": self.target, "remotePort": flow.kind.port,
        })  # fmt: skip

    @property
    def target(self) -> str:
        return self.network.hosts[RECEIVER].address

    def open(self, flow: Flow) -> None:
        self.say(flow.host, {"open": flow.port, "to": [self.target, flow.kind.port], "kbps": flow.kind.kbps})
        flow.opened = time.monotonic()

    def go(self, flow: Flow) -> None:
        if flow.opened:
            self.say(flow.host, {"close": flow.port})
        if flow.host in ANNOUNCED:
            self.rest.call("DELETE", f"{V1}/conversations/announced/{flow.name}")
        flow.gone = time.monotonic()
        del self.flows[flow.name]

    def say(self, host: str, what: dict[str, Any]) -> None:
        stdin = self.programs[host].stdin
        assert stdin
        stdin.write(json.dumps(what) + "\n")
        stdin.flush()

    def let_go(self, now: float) -> None:
        for flow in [one for one in self.flows.values() if one.ends <= now]:
            self.go(flow)

    # What operators ask for

    def ask(self) -> None:
        what = self.draws.choice(("setting", "setting", "setting", "weight", "priority", "rate", "booking"))
        intent = self.draws.choice(list(RESERVES))
        if what == "setting":
            name = self.draws.choice(list(SETTINGS))
            self.set(name, self.draws.choice(SETTINGS[name]))
            says = f"{name} {self.settings[name]}"
        elif what == "weight":
            of_class = self.draws.choice(list(WEIGHTS))
            self.weights[of_class] = self.draws.randint(1, 6)
            self.patch(of_class, classWeight=self.weights[of_class])
            says = f"{of_class} weight {self.weights[of_class]}"
        elif what == "priority":
            says = f"{intent} priority {self.patch(intent, priority=self.draws.randint(1, 9))}"
        elif what == "rate":
            says = f"{intent} minimum rate {self.patch(intent, minimumRateKbps=RESERVES[intent][0] * self.draws.choice((75, 100, 125)) // 100)}"
        else:
            says = self.book()
        self.asked.append((time.monotonic(), says))

    def set(self, name: str, value: int) -> None:
        self.rest.call("PUT", f"{V1}/settings/{name}", {"value": str(value)})
        if name in SETTINGS:
            self.settings[name] = value

    def patch(self, intent: str, **what: int) -> int:
        self.rest.call("PATCH", f"{V1}/intents/{intent}", what)
        return next(iter(what.values()))

    def book(self) -> str:
        """By name and time, or gives back what was booked."""
        if self.booked:
            with contextlib.suppress(RuntimeError):  # it may be over by itself
                self.rest.call("DELETE", f"{V1}/reservations/{self.booked}")
            self.booked = None
            return "booking given back"
        wish = {"intent": BOOKED, "from": self.network.hosts[self.draws.choice(list(LINKS))].address, "to": self.target,
                "rateKbps": self.draws.choice((300, 600, 900)), "durationSeconds": 120, "adaptive": self.draws.random() < 0.5, "commit": True}  # fmt: skip
        try:
            self.booked = self.rest.call("POST", f"{V1}/reservations", wish)["id"]
        except RuntimeError as problem:
            if ": 409 " not in str(problem):
                raise
            self.refused += 1
            return "booking refused"
        return f"booking of {wish['rateKbps']} kbit/s"

    def unheld(self) -> tuple[list[str], int]:
        """Of those without an agent who were here for long enough: whom no meter held by then, and how many they are in all."""
        now = time.monotonic()
        long = [flow for flow in self.ever.values() if flow.host in ANNOUNCED and min(flow.gone, now) - flow.came > HELD_S]
        return [flow.name for flow in long if flow.opened is None or flow.opened - flow.came > HELD_S], len(long)

    # What is seen

    def sample(self) -> tuple[Sample, dict[str, Any]]:
        """With what the controller says of each flow, for whoever looks into it."""
        with entered(self.network.space.namespace):
            at, counters = time.monotonic(), counted(Path("/proc/thread-self/net/dev").read_text())
        may_send, at_once = self.may_send()
        plan, said = self.rest.get(f"{V1}/plan"), self.said()
        self.planned.update(name for name, one in said.items() if one["state"] != "seen")
        self.begin_those_who_are_held(said)
        sent = {link: counters[self.network.near_end(switch, link)][1] for link, switch in ((FIRST, 1), (SECOND, 2))}
        granted: Counter[str] = Counter(dict.fromkeys(CAPACITY_KBPS, 0.0))  # type: ignore[arg-type]
        for one, kbps in [*((g["conversation"], g["rateKbps"]) for g in plan["grants"]), *((u["conversation"], u.get("heldToKbps", 0)) for u in plan["unserved"])]:
            for link in LINKS.get(one.removeprefix("announced/").partition("/")[0].partition("-")[0], ()):
                granted[link] += kbps
        sample = Sample(at - self.began, sent, may_send, dict(granted), at_once, self.entitled(said))
        details = {name: [one.get("grant", {}).get("rateKbps"), one.get("installed", {}).get("rateKbps"), one["state"], one.get("code"),
                          one.get("reservation"), one.get("subClass")] for name, one in said.items()}  # fmt: skip
        return sample, details

    def said(self) -> dict[str, dict[str, Any]]:
        """What the controller says of flows that there are or were."""
        found = {f"{one['id'].partition('-')[0] if one['host'] == 'announced' else one['host']}-{one['localPort']}": one for one in self.rest.conversations()}
        return {name: one for name, one in found.items() if name in self.ever}

    def begin_those_who_are_held(self, said: dict[str, dict[str, Any]]) -> None:
        """Whoever has no agent sends once a meter holds it: before that it would be nobody's traffic."""
        for flow in [one for one in self.flows.values() if one.opened is None]:
            if flow.name in said and is_held(said[flow.name]):
                self.open(flow)

    def may_send(self) -> tuple[dict[str, float], dict[str, float]]:
        """Of each link what those who send could send at a moment between two readings, as `loads` has it; and what they could at once.

        Meters and classes that hold nobody who sends do not count: those of conversations that have ended are taken back
        some seconds later. Whom nothing holds counts with what it tries. A newcomer that no plan has seen does not count
        yet: its agent lets it have a first rate, which nobody could make room for before; what links were sent counts it.
        """
        known = [flow for flow in self.flows.values() if self.is_known(flow)]
        minors = {host: of.minors() for host, of in self.classes.items()}
        first, second = self.held(known, minors), self.held(known, minors)
        sums: Counter[str] = Counter(dict.fromkeys(CAPACITY_KBPS, 0.0))  # type: ignore[arg-type]
        at_once: Counter[str] = Counter(dict.fromkeys(CAPACITY_KBPS, 0.0))  # type: ignore[arg-type]
        for host, rates in first.items():
            both = {name: min(kbps, second[host][name]) for name, kbps in rates.items() if name in second[host]}
            pool = both.pop(POOLED, 0.0)
            for link in LINKS[host]:
                sums[link] += max(sum(both.values()), pool)  # type: ignore[assignment]
                at_once[link] += sum(map(class_burst if host in AGENTS else meter_burst, both.values()))  # type: ignore[assignment]
        return dict(sums), dict(at_once)

    def is_known(self, flow: Flow) -> bool:
        """It sends, and the controller has planned for it or had the time to."""
        return flow.opened is not None and (flow.name in self.planned or time.monotonic() - flow.opened > NEW_S)

    def held(self, known: list[Flow], minors: dict[str, dict[int, int]]) -> dict[str, dict[str, float]]:
        """By host the rate of each of these flows, and of the pool from which they borrow."""
        found: dict[str, dict[str, float]] = {host: {} for host in LINKS}
        classes = {host: of.rates() for host, of in self.classes.items()}
        for flow in known:
            if flow.host in AGENTS:
                found[flow.host][flow.name] = least(flow, [classes[flow.host].get(minors[flow.host].get(flow.port, -1))])
        for host, rates in classes.items():
            pool = rates.get(POOL, 0) / 1000
            if 0 < pool < NO_POOL_KBPS:
                found[host][POOLED] = pool
        metered = [flow for flow in known if flow.host in ANNOUNCED]
        traced = self.tables.follow([self.packet(flow) for flow in metered])
        meters = {switch: of.rates() for switch, of in self.meters.items()}
        for flow, (_, passed) in zip(metered, traced, strict=True):
            found[flow.host][flow.name] = least(flow, [meters[self.network.hosts[flow.host].switch].get(meter) for meter in passed])
        return found

    def packet(self, flow: Flow) -> tuple[str, str]:
        host = self.network.hosts[flow.host]
        return f"s{host.switch}", udp_packet(host, self.network.hosts[RECEIVER], self.network.port(flow.host), flow.port, flow.kind.port)

    def entitled(self, said: dict[str, dict[str, Any]]) -> dict[str, tuple[Entitlement, ...]]:
        """Of those that send; who else the controller may still count, or counts already, lessens what the others are entitled to."""
        there = {**{name: self.ever[name] for name in said}, **self.flows}
        settings = self.settings
        split = Split(DIVIDED, settings["adaptiveThousandths"] / 1000, settings["serviceClassThousandths"] / 1000)
        room = lambda part: {link: part * kbps for link, kbps in CAPACITY_KBPS.items()}  # noqa: E731
        of = {scheme: {name: flow for name, flow in there.items() if flow.kind.scheme == scheme} for scheme in SCHEMES}
        fair = guarantees.utility_fair(
            {name: (TABLES["even" if flow.kind.intent == FAIR else "voice"], flow.links) for name, flow in of[UTILITY].items()}, room(split.of_utility()), EPSILON
        )
        alpha, gamma = settings["classAlphaThousandths"] / 1000, settings["classGammaThousandths"] / 1000
        equal = guarantees.equal_shares(
            {name: (self.weights[flow.kind.intent], flow.links) for name, flow in of[CLASSES].items()}, room(split.of_classes()), alpha
        )
        part = guarantees.lower_part(gamma, settings["classSplits"])
        reserved = {name: said.get(name, {}).get("reservation", {}).get("rateKbps", 0.0) for name in of[RESERVATIONS]}
        rest = guarantees.best_effort({name: flow.links for name, flow in of[RESERVATIONS].items() if not reserved[name]}, room(split.of_adaptive()))
        measured_s, adaptive_s = float(settings["classPeriodSeconds"]), float(settings["adaptivePeriodSeconds"])
        found: dict[str, tuple[Entitlement, ...]] = {}
        for name, flow in self.flows.items():
            if flow.opened is None:
                continue
            if flow.kind.scheme == UTILITY:
                found[name] = (Entitlement(UTILITY, fair[name], FOLLOWS_S),)
            elif flow.kind.scheme == CLASSES:
                found[name] = (Entitlement(CLASSES, part * equal[name], FOLLOWS_S), Entitlement("equal share", equal[name], 2 * measured_s + FOLLOWS_S))
            elif reserved[name]:
                found[name] = (Entitlement(RESERVATIONS, reserved[name], adaptive_s + FOLLOWS_S),)
            else:
                found[name] = (Entitlement("best effort", rest[name], FOLLOWS_S),)
        return found

    # The end

    def stop(self) -> dict[str, FlowRecord]:
        """What each flow has tried to send, and what has come of it."""
        for name in list(self.flows):
            self.go(self.flows[name])
        for of in (self.tables, *self.classes.values(), *self.meters.values()):
            of.close()
        for program in self.programs.values():
            assert program.stdin
            program.stdin.close()
            self.network.end(program)
        return self.records()

    def records(self) -> dict[str, FlowRecord]:
        records = {name: FlowRecord() for name in self.ever}
        for host in LINKS:
            for moment, tried in self.lines("send", host, "tried"):
                for port, total in tried.items():
                    records[f"{host}-{port}"].tried.add(moment, total)
        came = self.lines("receive", RECEIVER, "got")
        moments = [moment for moment, _ in came]
        for name, flow in self.ever.items():
            if flow.opened is not None:
                address, total = f"{self.network.hosts[flow.host].address}:{flow.port}", 0
                for moment, got in came[bisect_left(moments, flow.opened - self.began - 1) : bisect_right(moments, flow.gone - self.began + FOLLOWS_S)]:
                    total = got.get(address, total)
                    records[name].arrived.add(moment, total)
        return records

    def lines(self, role: str, host: str, what: str) -> list[tuple[float, dict[str, int]]]:
        read = map(json.loads, (self.out / f"{role}-{host}.jsonl").read_text().splitlines())
        return [(line["at"] - self.began, line[what]) for line in read]


def meter_burst(kbps: float) -> float:
    """In kbit, as `DropMeters` gives it."""
    return max(25.0, kbps / 8)


def class_burst(kbps: float) -> float:
    """In kbit, as `HtbClass` has it: 1600 bytes, or 2 ms."""
    return max(12.8, kbps / 500)


def least(flow: Flow, bits: list[int | None]) -> float:
    """In kbit/s, of what holds it; of whom nothing holds what it tries."""
    return min((rate / 1000 for rate in bits if rate is not None), default=max(kbps for _, kbps in flow.kind.kbps))


def is_held(said: dict[str, Any]) -> bool:
    """To its rate, or to the little that one has who is not served."""
    return bool(said.get("installed", {}).get("rateKbps")) and (is_installed(said) or "grant" not in said)
