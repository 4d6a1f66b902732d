"""Paceline at work in the lab: ONOS with the application, host agents, and what they promise and install."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

from ..checkout import ONOSCTL, ROOT, app_archive
from ..errors import Missing
from ..machine.ledger import CONTROL_NICE, Ledger, feed, prefer_session, run
from ..networks.controller import COMPONENT, Controller
from ..networks.conversations import is_installed
from ..networks.own_ovs import wait_until_true
from ..networks.topology import Host
from ..terminal import Terminal
from ..traffic.mix import KINDS, Application
from .account import Account
from .admissions import Admissions
from .agents import Agents
from .variants import LIGHT_LOAD, Variant, intents

if TYPE_CHECKING:
    from .network import Bottleneck, Network

# The optimising compiler of a JVM that has just started takes a quarter of a processor for minutes; the switches need it.
FLAGS = "-XX:TieredStopAtLevel=1"
# Not the one of `tools/paceline up`, which keeps its policy.
RUN_DIRECTORY = ROOT / ".run/demo"
PORTS = {6653: "OpenFlow", 8181: "REST", 8101: "ONOS's console", 9876: "ONOS's cluster", 9559: "host agents"}
GRANT_S = 60.0
REHEARSAL_ENDS_S = 10.0
# ONOS 2.5 listens on every address. For the time of the run only this machine and the lab's hosts reach it.
TABLE = "paceline_lab"
DOOR = f"""
table inet {TABLE} {{
  chain in {{
    type filter hook input priority filter; policy accept;
    iifname "lo" accept
    iifname "m-pl*" tcp dport 9559 accept
    iifname "m-switches" tcp dport 6653 accept
    tcp dport {{ {", ".join(map(str, PORTS))} }} drop
  }}
}}
"""
# What the controller has as the host of a conversation that no agent has told it of.
FOUND = "found"


def onosctl(command: str) -> list[str]:
    return [sys.executable, str(ONOSCTL), command, f"--run-dir={RUN_DIRECTORY}"]


def listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Management:
    def __init__(
        self, ledger: Ledger, terminal: Terminal, agents: str = "server", headroom: float | None = None, lend: float = 0
    ):
        """Headroom and what may be lent are in percent; without a headroom the application keeps its own."""
        self.where = agents
        self.headroom = headroom
        self.lend = lend
        self.ledger = ledger
        self.terminal = terminal
        self.controller = Controller()
        self.agents: Agents | None = None
        self.variant = Variant()
        # What is wrong in a variant, put right again; the last first. Each may be done twice: what has failed may have been done.
        self.undo: list[Callable[[], Any]] = []
        self.applications: list[Application] = []
        self.found: dict[str, dict[str, Any]] = {}
        self.first: dict[str, dict[str, Any]] = {}

    @staticmethod
    def refuse_busy_ports() -> None:
        busy = [f"{port} ({what})" for port, what in PORTS.items() if listening(port)]
        if busy:
            raise Missing(
                f"something listens already on port {', '.join(busy)}. Maybe a controller runs: tools/paceline down"
            )

    def start_controller(self) -> None:
        archive = app_archive()
        self.terminal.step("starting ONOS with the Paceline application (half a minute)")
        self.ledger.note("undo", ["nft", "delete", "table", "inet", TABLE])
        feed(DOOR, "nft", "-f", "-")
        self.ledger.note("undo", [*onosctl("down"), "--forget"])
        log = self.ledger.folder / "onosctl.log"
        with open(log, "wb") as out:
            process = subprocess.Popen(
                [*onosctl("up"), "--fresh", "--app", str(archive)],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT, start_new_session=True,
                env={**os.environ, "JAVA_TOOL_OPTIONS": FLAGS},
            )  # fmt: skip
            self.ledger.note_process(process.pid)
            began = time.monotonic()
            while process.poll() is None:
                time.sleep(0.5)
                self.terminal.progress(f"ONOS starts, {time.monotonic() - began:.0f} s so far")
        if process.returncode != 0:
            raise Missing(f"ONOS does not start: {log.read_text(errors='replace').strip()[-600:]}")
        # It is a session of its own, so what its starter is preferred by says nothing about it.
        prefer_session(json.loads(run(*onosctl("status"), "--json"))["pid"], CONTROL_NICE)

    def adopt(self, network: Network, applications: list[Application]) -> None:
        """Waits until ONOS has seen the network and tells it what the bottlenecks are."""
        self.network = network
        self.applications = applications
        self.terminal.step("waiting for ONOS to see the switches and what is between them")
        wait_until_true(lambda: set(network.devices) <= set(self.controller.devices()), "the switches' arrival at ONOS", 90, every_s=0.5)
        wait_until_true(lambda: {tuple(way.split("-")) for _, way in network.ways()} <= self.controller.links(), "the links' discovery by ONOS", 90, every_s=0.5)
        wanted: dict[str, str] = {}
        if self.headroom is not None:
            wanted["usableThousandths"] = str(1000 - round(self.headroom * 10))
        if self.lend:
            wanted["lendThousandths"] = str(round(self.lend * 10))
        if wanted:
            self.controller.call("POST", f"/v1/configuration/{COMPONENT}", wanted)
        self.tell_of_links(Variant())

    def tell_of_links(self, variant: Variant) -> None:
        """What each bottleneck is, but for what is wrong in this variant."""
        settings = told_of(self.network.bottleneck, variant)
        self.controller.configure({"links": {way: {"paceline": settings} for _, way in self.network.ways()}})

    def begin(self, variant: Variant = Variant()) -> None:
        """From here on, until `end`: agents on all servers, but for what is wrong in this variant."""
        self.put_right()
        self.variant = variant
        if told_of(self.network.bottleneck, variant) != told_of(self.network.bottleneck, Variant()):
            self.undo.append(lambda: self.tell_of_links(Variant()))
            self.tell_of_links(variant)
        for name, value in variant.settings:
            self.undo.append(lambda name=name: self.controller.call("DELETE", f"/paceline/v1/settings/{name}"))
            self.controller.call("PUT", f"/paceline/v1/settings/{name}", {"value": value})
        if variant.tables:
            tree = self.controller.get("/paceline/v1/intents")
            self.undo.append(lambda: self.controller.call("PUT", "/paceline/v1/intents", tree))
            self.controller.call("PUT", "/paceline/v1/intents", with_rates(tree, variant.tables))
        if variant.found:
            self.undo.append(self.find_no_flows)
            self.find_flows()
        self.start_agents(tuple(host for index, host in enumerate(self.network.servers) if index != variant.without_agent))

    def end(self) -> None:
        """Nobody is managed any more; the controller stays, and believes again what is so, also where an agent does not stop."""
        agents, self.agents = self.agents, None
        try:
            self.put_right()
        finally:
            if agents:
                self.stop_agents(agents)

    def put_right(self) -> None:
        """What fails is tried again before the next run: that must not have another's variant."""
        while self.undo:
            self.undo[-1]()
            self.undo.pop()

    def start_agents(self, servers: tuple[Host, ...]) -> None:
        named = intents(self.applications, self.variant)
        misnamed = [(one, named[one.id]) for one in self.applications if named[one.id] != KINDS[one.kind].intent]
        hosts = servers + (self.network.clients if self.where == "both" else ())
        self.agents = agents = Agents(self.network, hosts, self.ledger.folder, self.controller, misnamed)
        self.terminal.step(f"starting {len(hosts)} host agents")
        agents.start()
        wait_until_true(lambda: agents.alive() and self.controller.state()["agents"] >= len(hosts), "the agents' attachment to the controller", 90, every_s=0.5)

    def reporting(self) -> dict[str, dict[str, str]]:
        """Where users report to agents, and under which intents: those that the agents' rules name, also where these are wrong."""
        return {"agents": self.agents.application_sockets(), "intents": intents(self.applications, self.variant)} if self.agents else {}

    def stop_agents(self, agents: Agents) -> None:
        self.terminal.step("stopping the host agents")
        agents.stop()
        wait_until_true(lambda: self.controller.state()["agents"] == 0, "the agents' departure from the controller", 90, every_s=0.5)

    def find_flows(self) -> None:
        """Switches find the conversations of hosts without an agent, by their ports, and hold them by meters."""
        self.name_flows([{"name": kind.name, "intent": kind.intent, "match": {"protocol": kind.protocol, "localPort": kind.port}} for kind in KINDS.values()])

    def find_no_flows(self) -> None:
        self.name_flows([])
        wait_until_true(lambda: not [one for one in self.controller.conversations() if one["host"] == FOUND], "the end of what was found", 120, every_s=0.5)

    def name_flows(self, rules: list[dict[str, Any]]) -> None:
        self.controller.call("PUT", "/paceline/v1/naming-rules", {"rules": rules})

    def rehearse(self, everybody_opens_once: Callable[[], None]) -> None:
        """A controller and agents that have just started would be slow with their first conversations: their code is cold."""
        for _ in range(2):
            everybody_opens_once()
            until = time.monotonic() + REHEARSAL_ENDS_S
            while (left := self.controller.conversations()) and time.monotonic() < until:
                time.sleep(0.5)
            if left:
                # They harm nobody: their users come back to them.
                names = ", ".join(f"{one['host']} {one['intent']} to {one['remoteAddress']}" for one in left[:3])
                self.terminal.step(f"{len(left)} conversations outlive the rehearsal, among them {names}")

    def matched(self) -> dict[str, dict[str, Any]]:
        """The controller's conversations by our applications: server, device and intent name one."""
        named = intents(self.applications, self.variant)
        wanted = {(a.address, named[a.id]): a.id for a in self.applications}
        found = {}
        for one in self.controller.conversations():
            if name := wanted.get((one.get("remoteAddress"), one.get("intent"))):
                found[name] = one
        return found

    def wait_for_grants(self, live: Callable[[], str], away: Callable[[], set[str]]) -> None:
        """Until the kernel of every sender has the rate that the plan grants, but for users who are away, and those of whom nobody knows."""
        managed = {one.id for one in self.applications if self.variant.manages(one)}
        until = time.monotonic() + GRANT_S
        while True:
            self.found = self.matched()
            granted = {name for name, one in self.found.items() if is_installed(one)}
            missing = sorted(managed - granted - away())
            if not missing:
                self.first = self.found
                return
            if time.monotonic() > until:
                raise RuntimeError(
                    f"{len(missing)} of {len(managed)} conversations have no rate installed after {GRANT_S:g} s, "
                    f"among them {', '.join(missing[:5])}"
                )
            self.terminal.progress(f"managed: {len(granted)} of {len(managed)} conversations granted; {live()}")
            time.sleep(1)

    def remember(self) -> None:
        """What holds when the measurement ends, while every conversation is still open."""
        self.found = self.matched() or self.found

    def admissions(self) -> Admissions:
        """Of who comes and goes from now on, for as long as it runs."""
        return Admissions(self.matched, time.time() * 1000)

    def account(self) -> Account:
        """Of the way from the servers to the users across the one bottleneck, for as long as it runs."""
        return Account(self.controller.conversations, lambda one: crosses(one, *self.network.devices))

    def targets(self) -> dict[str, float]:
        return {name: one["grant"]["utility"] for name, one in self.found.items() if one.get("grant")}

    def promised_ms(self) -> dict[str, float]:
        """The delay that each one's utility was promised for, at most."""
        return {name: one["grant"]["delayMs"] for name, one in self.found.items() if one.get("grant")}

    def experienced(self) -> dict[str, float]:
        """What the users' reports are worth to the controller, of those that reported lately."""
        for name, one in self.matched().items():
            if name in self.found and "experienced" in one:
                self.found[name]["experienced"] = one["experienced"]
        return {name: one["experienced"]["utility"] for name, one in self.found.items() if "utility" in one.get("experienced", {})}

    def experience_alarms(self) -> list[dict[str, Any]]:
        """Users who lastingly experience less than was promised."""
        return [one for one in self.controller.get("/paceline/v1/alarms")["alarms"] if one["kind"] == "experience"]

    def bound(self) -> dict[str, Any] | None:
        """The highest least utility that any plan could give to who talks now, whether the checker proves it, and how long solving took; None if it is not found."""
        try:
            tried = self.controller.call("POST", "/paceline/v1/solve/present?method=auto")
            return {"leastUtility": round(tried["solution"]["upperBound"]["theta1"], 3), "proved": tried["certificate"]["leastUtility"] == "proved", "solveMs": round(tried["elapsedMs"], 3)}
        except (RuntimeError, KeyError, TypeError):
            return None

    def grant_times_ms(self) -> list[float]:
        """From a conversation's first packet to its first rate in the kernel, by the agents' and controller's clock."""
        return [
            one["timesMs"]["installed"] - one["timesMs"]["firstSeen"]
            for one in self.first.values()
            if "installed" in one.get("timesMs", {})
        ]

    def keep_record(self, folder: Path) -> None:
        """What was promised and installed, and what users experienced at last, beside the samples."""
        (folder / "conversations.json").write_text(json.dumps(self.found, indent=1, sort_keys=True) + "\n")


def crosses(conversation: dict[str, Any], left: str, right: str) -> bool:
    path = conversation["grant"]["path"]
    return (left, right) in zip(path, path[1:])


def told_of(bottleneck: Bottleneck, variant: Variant) -> dict[str, Any]:
    """Of each bottleneck, as network configuration: rates in kbit/s, delays in ms."""
    kbps, idle = bottleneck.bits_per_second // 1000, bottleneck.delay_ms
    told: dict[str, Any] = {"capacityKbps": kbps * (100 + variant.capacity) // 100, "delayMs": idle}
    if not variant.told_load_delay_ms:
        return told
    return {**told, "usageKbps": [0, round(LIGHT_LOAD * kbps), kbps], "delayMs": [idle, idle, idle + variant.told_load_delay_ms]}


def with_rates(tree: dict[str, Any], percent: int) -> dict[str, Any]:
    """An intent tree of which each utility function asks for so many percent more throughput, or less."""
    scaled = {
        name: {**table, "throughputKbps": [rate * (100 + percent) / 100 for rate in table["throughputKbps"]]} for name, table in tree["utilityFunctions"].items()
    }  # fmt: skip
    return {**tree, "utilityFunctions": scaled}
