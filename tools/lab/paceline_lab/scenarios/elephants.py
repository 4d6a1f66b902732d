"""HNTES's experiments (Yan et al. 2013), scaled: a ping and datagrams beside elephants, over a router's disciplines and over Paceline.

           e1 e2 u p -- 1 ======== 2 -- w v q

Elephants go from e1 and e2 to w, datagrams from u to v, pings from p to q. The paper's link of 10 Gbit/s is one of 50 Mbit/s
here, a 200th; its buffer holds as long a time (0.1 s), its round trip without a queue is as long (2 ms), and all parts of
the link are as the paper has them.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from ..checkout import LAB, commit
from ..demo import rivals
from ..networks.controller import COMPONENT, Controller
from ..networks.emulated_network import EmulatedNetwork
from ..networks.own_ovs import wait_until_true
from ..networks.space import Onos, Space
from ..networks.topology import Host, Link, Topology, device
from ..options import ElephantOptions
from ..terminal import Terminal
from . import elephant_figures, elephant_report
from .staging import staged

NAMESPACE = "plh"
NARROW, LINK_KBPS, DELAY_MS = "1-2", 50_000, 1.0
BUFFER_BYTES = 625_000
SINK, PORT = "w", 7000
SOURCES, SINKS = ("e1", "e2", "u", "p"), (SINK, "v", "q")
# What the elephants' packets carry behind their first switch.
DSCP = 10
# A tenth of the link, as the paper; of its 31 kB at once a 200th were less than a frame.
POLICED = f"{LINK_KBPS * 100},3028"
# Of the elephant with the longer way.
FAR_MS, FAR_ADDRESS = 50.0, "10.20.0.200"
WARM_UP_S = 2.0
# Paceline's: a branch of elephants, and one whose conversations may turn out to be.
BULK, FILES = "replication", "file-download"
DIVIDER = "divider"
# Who sends so much within so long is an elephant: 3.2 Mbit/s, below what a download is granted.
CROSSING_MEGABYTES, CROSSING_S = 2, 5
GRANT_S = 30.0
V1 = "/paceline/v1"
PING_S = 0.02


@dataclass(frozen=True)
class Elephant:
    """One greedy TCP connection; moments are parts of the run."""

    host: str
    begin: float
    end: float
    # 50 ms farther away than the others.
    far: bool = False
    # Whether who classifies packets knows its addresses.
    known: bool = True


@dataclass(frozen=True)
class Experiment:
    """`udp_percent` is of the link, each for an equal part of the run."""

    says: str
    modes: tuple[str, ...]
    elephants: tuple[Elephant, ...]
    udp_percent: tuple[float, ...] = ()


EXPERIMENTS = {
    "2": Experiment(
        "a ping beside four elephants", ("one-queue", "two-queues"),
        (Elephant("e2", 0, 1), Elephant("e2", 0.1, 0.8), Elephant("e1", 0.2, 0.7), Elephant("e1", 0.3, 0.6)),
    ),
    "3": Experiment("an elephant beside datagrams, policed to a scavenger or not",
                    ("two-queues", "scavenger-1", "scavenger-20"), (Elephant("e1", 0, 1),), (30,)),
    "4": Experiment("an elephant beside datagrams, policed by WRED or not", ("two-queues", "wred"), (Elephant("e1", 0, 1),), (30,)),
    "5": Experiment("two elephants", ("two-queues", "wred"), (Elephant("e2", 0, 1), Elephant("e1", 0.25, 0.75))),
    "5-far": Experiment("two elephants, one 50 ms farther away", ("two-queues", "wred"), (Elephant("e2", 0, 1), Elephant("e1", 0.25, 0.75, far=True))),
    "6": Experiment("datagrams that grow beyond their part", ("split-80-20",), (Elephant("e1", 0, 1),), (10, 10, 30, 30, 30, 30)),
    "7": Experiment(
        "an elephant that nobody knows yet", ("one-queue", "two-queues"), (Elephant("e1", 0.1, 1), Elephant("e2", 0.25, 0.6, known=False)), (30,)
    ),
}  # fmt: skip
# The wire's queue in each mode.
DISCIPLINES = {
    "one-queue": ("--queue", "fifo"),
    "two-queues": ("--queue", "profiled", "--weights", f"{DSCP}:60,40"),
    "split-80-20": ("--queue", "profiled", "--weights", f"{DSCP}:80,20"),
    "scavenger-1": ("--queue", "profiled", "--weights", f"{DSCP}:59,40", "--police", POLICED, "--scavenger", "1"),
    "scavenger-20": ("--queue", "profiled", "--weights", f"{DSCP}:30,50", "--police", POLICED, "--scavenger", "20"),
    "wred": ("--queue", "profiled", "--weights", f"{DSCP}:60,40", "--police", POLICED),
}


def two_switches() -> Topology:
    ends = [*((name, 1) for name in SOURCES), *((name, 2) for name in SINKS)]
    return Topology(2, (Link(1, 2, DELAY_MS, LINK_KBPS / 1000),), tuple(Host(name, number, at) for number, (name, at) in enumerate(ends, 1)))


class Router(EmulatedNetwork):
    """Two switches; what shares the link between them is chosen for each run."""

    def __init__(self, space: Space):
        super().__init__(space, two_switches())

    def open(self) -> "Router":
        super().open()
        try:
            self.host(SINK, "ip", "address", "add", f"{FAR_ADDRESS}/24", "dev", "eth0")
            for host in self.topology.hosts:
                for other in self.topology.hosts:
                    if other is not host:
                        self._knows(host.name, other.address, other.mac)
                self._knows(host.name, FAR_ADDRESS, self.hosts[SINK].mac)
            return self
        except BaseException:
            self.close()
            raise

    def others_kbps(self) -> float:
        """What others than elephants have of the narrow link's port, by the kernel's word; 0 where it is one queue."""
        for line in self.inside("tc", "class", "show", "dev", self.near_end(1, NARROW)).splitlines():
            if found := re.match(r"class htb ace1:3 .* rate (\d+(?:\.\d+)?)([KMG]?)bit", line):
                return float(found[1]) * {"": 1e-3, "K": 1, "M": 1e3, "G": 1e6}[found[2]]
        return 0.0

    def is_known(self, rest: Controller, address: str) -> bool:
        """Whether the controller knows it. A question that nobody answers makes its asker known."""
        known = address in rest.get(f"{V1}/links")["hosts"]
        if not known:
            self.host(SINK, "ping", "-c1", "-W0.1", "-I", address, "10.20.0.250", check=False)
        return known

    def _knows(self, host: str, address: str, mac: str) -> None:
        self.host(host, "ip", "neigh", "replace", address, "lladdr", mac, "dev", "eth0", "nud", "permanent", check=False)

    def share_by(self, mode: str) -> None:
        discipline = DISCIPLINES.get(mode, DISCIPLINES["one-queue"])
        self.change_wire(NARROW, "--fifo", str(BUFFER_BYTES), "--delays", f"{FAR_ADDRESS}={round((DELAY_MS + FAR_MS) * 1000)}", *discipline)

    def forward(self, known: set[str]) -> None:
        """By itself, without a controller; elephants are known by their addresses."""
        for switch in self.topology.numbers():
            self.ofctl("del-flows", switch)
            for host in self.topology.hosts:
                out = self.port(host.name if host.switch == switch else NARROW)
                for address in (host.address, *((FAR_ADDRESS,) if host.name == SINK else ())):
                    self.ofctl("add-flow", switch, f"priority=10,ip,nw_dst={address},actions=output:{out}")
        for name in known:
            self.ofctl("add-flow", 1, f"priority=20,tcp,nw_src={self.hosts[name].address},tp_dst={PORT},actions=set_field:{DSCP}->ip_dscp,output:{self.port(NARROW)}")


def of_this_kernel(options: ElephantOptions) -> ElephantOptions:
    """Of several congestion controls those that the kernel has: one that is missing keeps nobody from seeing the others."""
    there = tuple(name for name in options.congestion_controls if rivals.has_congestion_control(name))
    if not there:
        rivals.require_congestion_control(options.congestion_controls[0])
    return replace(options, congestion_controls=there, missing=tuple(name for name in options.congestion_controls if name not in there))


def run(options: ElephantOptions) -> int:
    options = of_this_kernel(options)
    options.out.mkdir(parents=True, exist_ok=True)
    return staged(NAMESPACE, options.managed, "seven hosts, two switches, 50 Mbit/s between them", Router,
                  lambda terminal, network, onos, _: Elephants(options, terminal, network, onos).run())  # fmt: skip


class Elephants:
    def __init__(self, options: ElephantOptions, terminal: Terminal, network: Router, onos: Onos | None):
        self.options = options
        self.terminal = terminal
        self.network = network
        self.onos = onos
        self.runs: list[dict[str, Any]] = []
        self.number = 0
        self.running: list[subprocess.Popen[Any]] = []
        # When who was not known is led apart, and what others had of the narrow link's port when.
        self.apart: dict[str, float] = {}
        self.splits: list[tuple[float, float]] = []
        self.made = {"at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit()}

    def run(self) -> int:
        options = self.options
        if options.missing:
            self.terminal.step(f"left out: {', '.join(options.missing)}, which this kernel has not")
        for repeat in range(options.repeats if options.rivals else 0):
            for congestion in options.congestion_controls:
                for name in options.experiments:
                    for mode in EXPERIMENTS[name].modes:
                        self.once(name, mode, congestion, repeat)
        if self.onos:
            self.manage(self.onos)
        for repeat in range(options.repeats if self.onos else 0):
            for congestion in options.congestion_controls:
                for name in options.experiments:
                    self.once(name, elephant_figures.MANAGED, congestion, repeat)
        result = self.result()
        result["claims"] = elephant_figures.claims(result)
        elephant_report.write(options.out, result)
        print(elephant_report.table(result))
        print(f"\nReport: {options.out}/report.html, or report.md; what it shows: tools/paceline claims {options.out}/result.json", flush=True)
        return 1 if any("error" in run for run in self.runs) else 0

    def once(self, name: str, mode: str, congestion: str, repeat: int) -> None:
        options, experiment = self.options, EXPERIMENTS[name]
        self.number += 1
        self.terminal.step(f"experiment {name}, {experiment.says}: {mode}, {congestion}" + (f" ({repeat + 1} of {options.repeats})" if options.repeats > 1 else ""))
        entry: dict[str, Any] = {"experiment": name, "mode": mode, "congestionControl": congestion, "repeat": repeat}
        self.running = []
        first = PORT + 100 * self.number
        self.network.share_by(mode)
        try:
            if mode == elephant_figures.MANAGED:
                with self.announced(experiment, first) as look:
                    entry |= self.measure(experiment, congestion, first, look)
            else:
                self.network.forward({one.host for one in experiment.elephants if one.known})
                entry |= self.measure(experiment, congestion, first, lambda: None)
        except RuntimeError as problem:
            entry["error"] = str(problem)
            self.terminal.step(f"failed: {problem}")
        finally:
            for process in self.running:
                self.network.end(process)
        self.runs.append(entry)
        (options.out / "result.json").write_text(json.dumps(self.result(), indent=1) + "\n")

    # Paceline

    def manage(self, onos: Onos) -> None:
        """The controller takes over, with an agent beside the switches."""
        rest, network = onos.rest, self.network
        self.terminal.step("the controller takes over, with an agent beside the switches that divides their ports")
        for switch in network.topology.numbers():
            network.ofctl("del-flows", switch)
        network.connect()
        network.wait_until_seen(rest)
        wait_until_true(lambda: network.is_known(rest, FAR_ADDRESS), "the discovery of the receiver's second address", 60, every_s=0.5)
        # The lab's capacity is exact.
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"usableThousandths": "993", "reserveThousandths": "0"})
        rest.configure({"devices": {device(switch): {"paceline": {"queueAgent": DIVIDER}} for switch in network.topology.numbers()}})
        network.switch_agent(DIVIDER)
        wait_until_true(lambda: all("queues" in one for one in rest.get(f"{V1}/switches")["switches"]), "the agent beside the switches", 90, every_s=0.5)
        settings = {"counterSeconds": 1, "elephantBranches": FILES, "elephantMegabytes": CROSSING_MEGABYTES, "elephantSeconds": CROSSING_S}
        for name, value in settings.items():
            rest.call("PUT", f"{V1}/settings/{name}", {"value": value})
        rest.call("PUT", f"{V1}/intents/{BULK}", {"scheme": "elephant-isolation"})

    @contextlib.contextmanager
    def announced(self, experiment: Experiment, first: int) -> Iterator[Callable[[], None]]:
        """Their senders have no agents. What is yielded looks when those that nobody knew are led apart."""
        assert self.onos
        rest = self.onos.rest
        hosts = self.network.hosts
        for number, one in enumerate(experiment.elephants):
            rest.call("POST", f"{V1}/conversations", {
                "id": f"elephant-{number}", "intent": BULK if one.known else f"{FILES}/emailattach", "protocol": "tcp", "localPort": first + 2 * number,
                "remotePort": PORT, "localAddress": hosts[one.host].address, "remoteAddress": FAR_ADDRESS if one.far else hosts[SINK].address,
            })  # fmt: skip
        known = [f"elephant-{number}" for number, one in enumerate(experiment.elephants) if one.known]
        unknown = [f"elephant-{number}" for number, one in enumerate(experiment.elephants) if not one.known]
        self.apart, self.splits = {}, []

        def look() -> None:
            self.splits.append((time.monotonic(), self.network.others_kbps()))
            if missing := [name for name in unknown if name not in self.apart]:
                now, free = time.monotonic(), self.let_go()
                self.apart |= {name: now for name in missing if name in free}

        try:
            wait_until_true(lambda: set(known) <= self.let_go(), "the ways of the elephants", GRANT_S, every_s=0.5)
            yield look
        finally:
            for number in range(len(experiment.elephants)):
                with contextlib.suppress(RuntimeError):
                    rest.call("DELETE", f"{V1}/conversations/announced/elephant-{number}")

    def let_go(self) -> set[str]:
        """Those that are led apart, and whom nobody holds."""
        assert self.onos
        return {one["id"] for one in self.onos.rest.conversations() if one.get("installed", {}).get("paced") is False}

    # Runs

    def measure(self, experiment: Experiment, congestion: str, first: int, look: Callable[[], None]) -> dict[str, Any]:
        network, seconds = self.network, self.options.seconds
        receivers = {name: self.program("bulk", "receive", str(PORT), host=name) for name in (SINK, "v")}
        for process in receivers.values():
            assert process.stdout
            if process.stdout.readline() != "listening\n":
                raise RuntimeError("a receiver does not listen")
        watch = network.module("paceline_lab.networks.reordering", host=SINK)
        self.running.append(watch)
        assert watch.stdout
        if watch.stdout.readline() != "listening\n":
            raise RuntimeError("nobody watches the order of packets")
        at = time.monotonic() + WARM_UP_S
        clock = elephant_figures.Clock(at, seconds)
        senders = []
        for number, one in enumerate(experiment.elephants):
            begin, end = clock.part(one.begin, one.end)
            target = FAR_ADDRESS if one.far else network.hosts[SINK].address
            senders.append(
                self.program("bulk", "send", f"{target}:{PORT}", f"--from={first + 2 * number}", f"--congestion={congestion}", f"--at={begin}", f"--until={end}",
                             host=one.host)
            )  # fmt: skip
        if experiment.udp_percent:
            rates = [str(percent / 100 * LINK_KBPS) for percent in experiment.udp_percent]
            self.program("generator", "udp", f"{network.hosts['v'].address}:{PORT}", f"--at={at}", f"--interval={seconds / len(rates)}", *rates, host="u")
        answers = network.directory / "ping.out"
        with open(answers, "w") as out:
            self.running.append(network.popen("ping", "-n", "-D", "-i", str(PING_S), network.hosts["q"].address, host="p", stdout=out))
        while (left := clock.end - time.monotonic()) > 0:
            time.sleep(min(0.2, left))
            look()
            self.terminal.progress(f"{max(0.0, clock.end - time.monotonic()):.0f} s left")
        told = [self.told(process) for process in senders]
        # What waits in the buffer still arrives.
        time.sleep(0.3)
        received = {name: self.told(process, end=True) for name, process in receivers.items()}
        order = self.told(watch, end=True)
        pings = elephant_figures.trips(answers.read_text(), time.monotonic() - time.time())
        link = network.carried(NARROW)["forward"]
        return {
            "offeredPackets": link["offeredPackets"],
            "droppedPackets": link["droppedPackets"],
            "linkKbps": LINK_KBPS,
            **elephant_figures.summary(experiment, first, clock, received, told, pings),
            **elephant_figures.of_order(experiment, first, order),
            **elephant_figures.of_unknown(experiment, first, clock, received[SINK], pings, list(self.apart.values()), CROSSING_MEGABYTES * 1_000_000),
            **elephant_figures.of_growth(experiment, clock, received["v"], pings, self.splits, LINK_KBPS),
        }

    def program(self, name: str, *words: str, host: str) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(LAB)}
        process = self.network.popen(sys.executable, "-m", f"paceline_lab.scenarios.{name}", *words, host=host, env=environment,
                                     stdout=subprocess.PIPE, text=True)  # fmt: skip
        self.running.append(process)
        return process

    def told(self, process: subprocess.Popen[str], end: bool = False) -> dict[str, Any]:
        """What a program prints at its end."""
        if end:
            process.terminate()
        out = process.communicate(timeout=60)[0]
        self.running.remove(process)
        self.network.end(process)
        if not out:
            raise RuntimeError("a sender or a receiver broke off")
        return json.loads(out.splitlines()[-1])

    def result(self) -> dict[str, Any]:
        options = self.options
        return {
            "scenario": "elephants",
            "seconds": options.seconds,
            "paperSeconds": 200,
            "bottleneckKbps": LINK_KBPS,
            "bufferBytes": BUFFER_BYTES,
            "command": options.command,
            "made": self.made,
            "missingCongestionControls": list(options.missing),
            "runs": self.runs,
        }
