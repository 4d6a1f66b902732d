"""Small networks without a controller (Gkantsidis et al. 2009), scaled: hosts share an access link by weights, each with an agent.

What each experiment is, is in the lab's README. Agents are real and know each other by one key; no ONOS runs, and no
controller. Each experiment runs without agents first, then with them, in one network.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..checkout import ROOT, commit
from ..errors import Missing
from ..networks.agents import JAR
from ..networks.space import Space
from ..options import SmallNetOptions
from ..terminal import Terminal
from . import smallnet_figures, smallnet_report
from .access_link import DOWNLOAD, HOSTS, P2P, SERVER, SIMULATOR, UPLOAD, VIDEO, WATCHER, Access, AccessLink, Peers, environment
from .counters import Sampler
from .elephant_figures import between, of_trips, trips
from .smallnet_figures import ADAPTIVE, CONTROLLED, TABLE_3, UNCONTROLLED, WEIGHTED, Run

NAMESPACE = "pls"
SCENARIO_2 = "--scenario smallnet --experiments scenario-2"
PROGRAMS = {"java": "openjdk-17-jre-headless", "bridge": "iproute2", "ethtool": "ethtool", "ping": "iputils-ping", "nft": "nftables", "unshare": "util-linux"}
# A peer is believed after two announcements; then nothing happens for some seconds, and a ping knows the idle link.
IDLE_S, SETTLES_S = 6.0, 10.0
# A virtual queue that adapts does so over a minute.
ADAPTS_S = 60.0
# Of an event in the experiment of comings and goings, the ten seconds to settle included.
PHASE_S = 20.0
PING_S = 0.1
# What is measured ends before its traffic does, by more than the second between two of the link's counters.
TAIL_S = 1.5
STOPS_S = 20.0
# Until what was left for a next agent is gone, too.
PAUSE_S = 3.0
# What each host that sends datagrams offers, of the link.
OFFERED = 1.2
TORRENTS = 210
HOUR_S = 3600
# The paper's access link is one of 8 Mbit/s and 512 kbit/s; its experiment on utilisation has 100 kB/s.
FAST = Access(8_000, 40_000, 0.5)
SLOW = Access(800, 8_000, 0.5)
DSL = Access(512, 8_000, 0.5)
# Scenario 3 as it was: what comes down is shared.
DOWN = Access(40_000, 8_000, 0.5)
# Scenario 2: a is near its access point and b is far; the link behind it is never full.
NEAR_AND_FAR = Access(100_000, 100_000, 0.1, stations=(("a", 54), ("b", 12)))
# What the adaptive queue of that scenario lets all use of the air.
AIR_USED = "utilisation: 0.95"


@dataclass(frozen=True)
class Flow:
    """What one host sends, or receives; moments are seconds after the first begins."""

    host: str
    port: int
    connections: int = 1
    protocol: str = "tcp"
    begin: float = 0.0
    down: bool = False


@dataclass(frozen=True)
class Setting:
    """One run: who sends what, and what the agents' files say; without `peers` there are none."""

    access: Access
    flows: tuple[Flow, ...]
    peers: dict[str, Peers] = field(default_factory=dict)
    # The parts that hosts are to have.
    wanted: dict[str, float] = field(default_factory=dict)
    # Besides what all have to settle.
    more_to_settle_s: float = 0.0


def parts(weights: dict[str, float]) -> dict[str, float]:
    return {host: weight / sum(weights.values()) for host, weight in weights.items()}


def uploads(hosts: tuple[str, ...], protocol: str = "tcp") -> tuple[Flow, ...]:
    """One begins a second after the other, as in the paper."""
    return tuple(Flow(host, UPLOAD + number, 1, protocol, float(number)) for number, host in enumerate(hosts))


def weighted(name: str, protocol: str) -> Setting:
    if name in ("1:6", "1:6-down"):
        both, down = Peers("{p2p: 1, video: 6}"), name == "1:6-down"
        flows = (Flow("a", P2P, TORRENTS, protocol, down=down), Flow("b", VIDEO, 1, protocol, 1.0, down))
        return Setting(DOWN if down else FAST, flows, {"a": both, "b": both}, parts({"a": 1, "b": 6}))
    weights = dict(zip(HOSTS, map(float, name.split(":"))))
    return Setting(FAST, uploads(tuple(weights), protocol), {host: Peers(f"{{upload: {one:g}}}") for host, one in weights.items()}, parts(weights))


def equal_uploads(*more: str) -> Setting:
    return Setting(SLOW, uploads(HOSTS), {host: Peers("{upload: 1}", more) for host in HOSTS}, parts(dict.fromkeys(HOSTS, 1.0)))


def downloads(alone: bool) -> Setting:
    """A download to a, and uploads of b and c. Acknowledgements use what they need of their weight; the rest of it is the uploads'."""
    flows = (Flow("a", DOWNLOAD, down=True), *(() if alone else (Flow("b", UPLOAD), Flow("c", UPLOAD + 1))))
    return Setting(DSL, flows, {host: Peers("{upload: 1, download: 4}") for host in HOSTS})


def stations(protocol: str, *more: str) -> Setting:
    flows = uploads(("a", "b"), protocol)
    peers = {host: Peers(f"{{upload: {weight}}}", more) for host, weight in (("a", 3), ("b", 1))}
    return Setting(NEAR_AND_FAR, flows, peers, parts({"a": 3.0, "b": 1.0}))


def run(options: SmallNetOptions) -> int:
    for program, package in PROGRAMS.items():
        if not shutil.which(program):
            raise Missing(f"{program} is not installed. Maybe: apt-get install {package}")
    if not JAR.exists():
        raise Missing(f"the host agent is not built (no {JAR.relative_to(ROOT)}). Maybe: tools/paceline setup")
    if "scenario-2" in options.experiments and not SIMULATOR.exists():
        raise Missing(f"the simulator of wireless cells is not there (no {SIMULATOR.relative_to(ROOT)}). Maybe: tools/paceline demo {SCENARIO_2}")
    options.out.mkdir(parents=True, exist_ok=True)
    terminal = Terminal()
    terminal.step("building the network: three hosts with agents, a router, one slow access link")
    with contextlib.ExitStack() as stack:
        space = stack.enter_context(contextlib.closing(Space(NAMESPACE)))
        network = stack.enter_context(contextlib.closing(AccessLink(space)))
        network.open()
        try:
            return SmallNet(options, terminal, network).run()
        except BaseException:
            # An interrupt that led here was heard and is not to be repeated.
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise


class SmallNet:
    def __init__(self, options: SmallNetOptions, terminal: Terminal, network: AccessLink):
        self.options = options
        self.terminal = terminal
        self.network = network
        self.runs: list[Run] = []
        self.running: list[subprocess.Popen[Any]] = []
        self.made = {"at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit()}

    def run(self) -> int:
        for repeat in range(self.options.repeats):
            for name in self.options.experiments:
                for more, setting in self.settings(name):
                    self.once(name, repeat, more, setting)
        result = self.result()
        result["claims"] = smallnet_figures.claims(result)
        smallnet_report.write(self.options.out, result)
        print(smallnet_report.table(result))
        print(f"\nReport: {self.options.out}/report.html, or report.md; what it shows: tools/paceline claims {self.options.out}/result.json", flush=True)
        return 1 if any("error" in run for run in self.runs) else 0

    def settings(self, name: str) -> Iterator[tuple[Run, Setting]]:
        """Of an experiment, in their order; those without agents alternate with those that have them."""
        options = self.options
        with_agents: list[tuple[Run, Setting]] = []
        without: list[tuple[Run, Setting]] = []
        if name in WEIGHTED:
            # Datagrams are held by who sends them alone (the paper's note 5).
            for protocol in ("tcp",) if name == "1:6-down" else options.protocols:
                setting = weighted(name, protocol)
                without.append(({"mode": UNCONTROLLED, "protocol": protocol}, setting))
                with_agents.append(({"mode": CONTROLLED, "protocol": protocol}, setting))
        elif name == "table-3":
            without.append(({"mode": UNCONTROLLED}, equal_uploads()))
            for sharpness, alpha in TABLE_3:
                with_agents.append(({"mode": CONTROLLED, "B": sharpness, "alpha": alpha}, equal_uploads(f"B: {sharpness}", f"alpha: {alpha}")))
            with_agents.append(({"mode": ADAPTIVE}, replace(equal_uploads("utilisation: 0.99"), more_to_settle_s=ADAPTS_S)))
        elif name == "scenario-2":
            for protocol in options.protocols:
                without.append(({"mode": UNCONTROLLED, "protocol": protocol}, stations(protocol)))
                with_agents.append(({"mode": CONTROLLED, "protocol": protocol}, stations(protocol)))
                # Acknowledgements from beyond the link are in the air, too, and nobody counts them: TCP needs the room that is left else.
                if protocol == "udp":
                    with_agents.append(({"mode": ADAPTIVE, "protocol": protocol}, replace(stations(protocol, AIR_USED), more_to_settle_s=ADAPTS_S)))
        elif name == "figure-9":
            without += [({"mode": UNCONTROLLED, "alone": True}, downloads(True)), ({"mode": UNCONTROLLED}, downloads(False))]
            with_agents.append(({"mode": CONTROLLED}, downloads(False)))
        else:
            with_agents.append(({"mode": CONTROLLED}, replace(weighted("1:2:3", "tcp"), wanted={})))
        none = [(more, replace(setting, peers={})) for more, setting in without] if options.uncontrolled else []
        some = with_agents if options.controlled else []
        if len(none) == len(some):
            yield from (one for pair in zip(none, some) for one in pair)
        else:
            yield from none + some

    def once(self, name: str, repeat: int, more: Run, setting: Setting) -> None:
        options = self.options
        said = ", ".join(f"{key} {value}" if key in ("B", "alpha") else "alone" if key == "alone" else str(value) for key, value in more.items())
        self.terminal.step(f"{name}: {said}" + (f" ({repeat + 1} of {options.repeats})" if options.repeats > 1 else ""))
        entry: Run = {"experiment": name, **more, "repeat": repeat}
        self.running = []
        try:
            self.network.become(setting.access)
            entry |= self.changes(setting) if name == "churn" else self.in_the_air(setting) if setting.access.stations else self.measure(setting)
        except RuntimeError as problem:
            entry["error"] = str(problem)
            self.terminal.step(f"failed: {problem}")
        finally:
            for process in reversed(self.running):
                self.network.end(process)
        self.runs.append(entry)
        (options.out / "result.json").write_text(json.dumps(self.result(), indent=1) + "\n")

    # Runs

    def measure(self, setting: Setting) -> Run:
        """By the router's ports: frames that hosts send, or that go to those who share the way down."""
        network = self.network
        sampler = self.watch()
        course = self.course(setting, WATCHER)
        link = network.carried()
        sampler.stop()
        access, down = setting.access, setting.access.is_slow_down()
        shared = {flow.host: one for flow, one in course.arrived.items() if flow.down == down}
        carried = {host: (sampler.sent if down else sampler.received)[network.port(host)] for host in shared}
        return {
            "linkKbps": access.slow_kbps(),
            **smallnet_figures.of_parts(carried, setting.wanted, course.at, course.settled, course.end),
            **smallnet_figures.of_goodput(carried, shared, access.slow_kbps(), course.settled, course.end),
            **smallnet_figures.of_link(link, "backward" if down else "forward", course.at, course.settled, course.end, access.slow_kbps()),
            **({"downloadKbps": round(sampler.sent[network.port("a")].kbps(course.settled, course.end), 1)} if len(shared) < len(setting.flows) else {}),
            **course.found,
        }  # fmt: skip

    def in_the_air(self, setting: Setting) -> Run:
        """By what arrives: a station's interface counts frames that its queue loses. The ping is a station's, beside its own upload."""
        course = self.course(setting, setting.flows[0].host)
        arrived = {flow.host: one for flow, one in course.arrived.items()}
        return {**smallnet_figures.of_stations(arrived, setting.wanted, course.at, course.settled, course.end), **course.found}

    def course(self, setting: Setting, pings: str) -> "Course":
        """All flows from the first to the last, and what a ping by this host, and the agents, have felt of them."""
        receivers = {flow: self.receiver(flow) for flow in setting.flows}
        agents = self.agents(setting.peers)
        answers = self.ping(pings)
        at = time.monotonic() + IDLE_S
        settled = at + max(flow.begin for flow in setting.flows) + SETTLES_S + setting.more_to_settle_s
        end = settled + self.options.seconds
        senders = {flow: self.sender(flow, at + flow.begin, end + TAIL_S) for flow in setting.flows}
        self.wait(settled)
        before = self.costs(agents)
        self.wait(end)
        costs = before.until(self.costs(agents))
        told = {flow: self.told(process) for flow, process in senders.items()}
        arrived = {flow: self.told(process, end=True) for flow, process in receivers.items()}
        found = trips(answers.read_text(), time.monotonic() - time.time())
        return Course(at, settled, end, arrived, {
            "lengthS": round(end - at, 1),
            "segments": {flow.host: one for flow, one in told.items() if one},
            "idlePing": of_trips(between(found, 0, at)),
            "ping": of_trips(between(found, settled, end)),
            "latePingPercent": smallnet_figures.late_percent(between(found, settled, end)),
            "pingOverTime": [[round(moment - at, 2), trip] for moment, trip in found if at <= moment <= end],
            **costs,
        })  # fmt: skip

    def changes(self, setting: Setting) -> Run:
        """Hosts go, come, are cut off, have another key and another clock. `c` is the one that most of it happens to."""
        network, peers = self.network, setting.peers
        for flow in setting.flows:
            self.receiver(flow)
        agents = self.agents(peers)
        sampler = self.watch()
        time.sleep(IDLE_S)
        flows = {flow.host: flow for flow in setting.flows}
        begun = time.monotonic()
        forever = begun + HOUR_S
        senders = {host: self.sender(flow, begun, forever) for host, flow in flows.items()}
        everybody = parts(dict(zip(HOSTS, (1.0, 2.0, 3.0))))
        phases: list[tuple[str, dict[str, float], float, float]] = []

        def phase(name: str, wanted: dict[str, float]) -> None:
            at = time.monotonic()
            self.terminal.step(f"churn: {name}")
            self.wait(at + PHASE_S)
            phases.append((name, wanted, at, time.monotonic()))

        def leave(host: str, how: signal.Signals) -> None:
            for process in (agents[host], senders[host]):
                process.send_signal(how)
                process.wait(STOPS_S)
                self.running.remove(process)

        def join(host: str, peer: Peers, sends: bool = True) -> None:
            agents[host] = self.agents({host: peer})[host]
            if sends:
                senders[host] = self.sender(flows[host], time.monotonic(), forever)

        phase("three hosts begin at once", everybody)
        leave("c", signal.SIGKILL)
        phase("one host is killed", parts({"a": 1.0, "b": 2.0}))
        join("c", peers["c"])
        phase("one host joins", everybody)
        network.hear(each_other=False)
        phase("nobody hears anybody", {})
        network.hear(each_other=True)
        phase("the split network is healed", everybody)
        network.plug("a", False)
        phase("one host is cut off", parts({"b": 2.0, "c": 3.0}))
        network.plug("a", True)
        phase("it is back", everybody)
        leave("c", signal.SIGTERM)
        join("c", replace(peers["c"], key="x"), sends=False)
        phase("one host has another key", parts({"a": 1.0, "b": 2.0}))
        status = network.status("a")
        agents["c"].terminate()
        agents["c"].wait(STOPS_S)
        self.running.remove(agents["c"])
        join("c", replace(peers["c"], clock_ahead_s=HOUR_S))
        phase("one host's clock is an hour ahead", everybody)
        for process in [*senders.values(), *agents.values()]:
            network.end(process)
            self.running.remove(process)
        time.sleep(PAUSE_S)
        sampler.stop()
        sent = {host: sampler.received[network.port(host)] for host in HOSTS}
        return {
            "linkKbps": setting.access.up_kbps,
            "phases": [
                {"name": name, "atS": round(at - begun, 1), "lengthS": round(end - at, 1), "wanted": wanted,
                 "rightAfterS": smallnet_figures.settled_after(sent, wanted, at, end)} for name, wanted, at, end in phases if wanted
            ],
            "leftBehind": [trace for host in HOSTS for trace in network.left_behind(host)],
            "otherKeyIgnored": int(found[1]) if (found := re.search(r"(\d+) made with another key", status)) else 0,
            "overTime": {host: smallnet_figures.over_time(series, begun, phases[-1][3]) for host, series in sent.items()},
        }  # fmt: skip

    # What runs

    def agents(self, wanted: dict[str, Peers]) -> dict[str, subprocess.Popen[Any]]:
        started = self.network.agents(wanted)
        self.running += started.values()
        return started

    def watch(self) -> Sampler:
        """Of the router's ports: what each host has sent, and what went to it."""
        network = self.network
        return Sampler(network.space.namespace, [network.port(host) for host in HOSTS], 0.1).start()

    def ping(self, host: str) -> Path:
        """To the far end of the link."""
        answers = self.network.directory / "ping.out"
        with open(answers, "w") as out:
            self.running.append(self.network.popen("ping", "-n", "-D", "-i", str(PING_S), SERVER, host=host, stdout=out))
        return answers

    def receiver(self, flow: Flow) -> subprocess.Popen[str]:
        process = self.program(flow.host if flow.down else "server", "bulk", "receive", str(flow.port))
        assert process.stdout
        if process.stdout.readline() != "listening\n":
            raise RuntimeError("a receiver does not listen")
        return process

    def sender(self, flow: Flow, at: float, until: float) -> subprocess.Popen[str]:
        where, target = ("server", self.network.address(flow.host)) if flow.down else (flow.host, SERVER)
        to = f"{target}:{flow.port}"
        if flow.protocol == "udp":
            offered = self.offered(flow.host)
            # It would send from its own start on.
            wait = max(0.0, at - time.monotonic())
            return self.program(where, "generator", "udp", to, f"--sockets={flow.connections}", f"--at={at}", f"--interval={until - at}", str(offered), before=("sh", "-c", f'sleep {wait:.2f}; exec "$@"', "-"))
        return self.program(where, "bulk", "send", to, f"--connections={flow.connections}", f"--at={at}", f"--until={until}")

    def offered(self, host: str) -> float:
        """In kbit/s, by who sends datagrams: of the link, or of a station's rate, more than it carries."""
        assert self.network.access
        return OFFERED * self.network.access.up_kbps if host not in (rates := dict(self.network.access.stations)) else 600.0 * rates[host]

    def program(self, host: str, name: str, *words: str, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        process = self.network.popen(*before, sys.executable, "-m", f"paceline_lab.scenarios.{name}", *words, host=host, env=environment(),
                                     stdout=subprocess.PIPE, text=True)  # fmt: skip
        self.running.append(process)
        return process

    def told(self, process: subprocess.Popen[str], end: bool = False) -> Run:
        """What a program prints at its end; nothing of a sender of datagrams."""
        if end:
            process.terminate()
        out = process.communicate(timeout=60)[0]
        self.running.remove(process)
        self.network.end(process)
        if process.returncode != 0:
            raise RuntimeError("a sender or a receiver broke off")
        return json.loads(out.splitlines()[-1]) if out.strip() else {}

    def costs(self, agents: dict[str, subprocess.Popen[Any]]) -> "Costs":
        return Costs(time.monotonic(), {host: cpu_seconds(one) for host, one in agents.items()}, {host: self.network.announced_bytes(host) for host in agents})

    def wait(self, until: float) -> None:
        while (left := until - time.monotonic()) > 0:
            self.terminal.progress(f"{left:.0f} s left")
            time.sleep(min(0.5, left))

    def result(self) -> dict[str, Any]:
        options = self.options
        return {
            "scenario": "smallnet",
            "seconds": options.seconds,
            "settlesS": SETTLES_S,
            "command": options.command,
            "made": self.made,
            "runs": self.runs,
        }


@dataclass(frozen=True)
class Course:
    """When the first flow of a run began, when all had settled, and when it ended; what arrived of each by then, and what else was found."""

    at: float
    settled: float
    end: float
    arrived: dict[Flow, Run]
    found: Run


@dataclass(frozen=True)
class Costs:
    """What each agent has taken of a processor, and told its peers, up to a moment."""

    moment: float
    cpu_s: dict[str, float]
    announced: dict[str, int]

    def until(self, later: "Costs") -> Run:
        seconds = later.moment - self.moment
        return {
            "cpuPercent": {host: smallnet_figures.percent((cpu - self.cpu_s[host]) / seconds) for host, cpu in later.cpu_s.items()},
            "announcedBytes": {host: round((count - self.announced[host]) / seconds, 1) for host, count in later.announced.items()},
        }


def cpu_seconds(process: subprocess.Popen[Any]) -> float:
    """Of this process, and of those of its children that have ended."""
    words = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
