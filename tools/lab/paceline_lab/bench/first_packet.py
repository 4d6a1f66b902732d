"""How soon a conversation is paced after its first packet, and how soon its share is another's after its end.

On a real ONOS with real agents, over the demo's network. Users open one after the other, as users do, and fetch a piece
now and then or all they can; then some end one by one, and half of the rest at once. At last some open and end in rounds,
without and with agents that flood the controller.
"""

from __future__ import annotations

import json
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from ..demo.lab import require_programs
from ..demo.managed import RUN_DIRECTORY, Management
from ..demo.network import Bottleneck, Network
from ..demo.services import Services
from ..demo.traffic import client_command, start_words, write_settings
from ..machine.ledger import Ledger
from ..networks.agents import FLAGS, JAR, certified
from ..networks.conversations import is_installed
from ..networks.own_ovs import wait_until_true
from ..options import FirstPacketOptions
from ..terminal import Terminal
from ..traffic import kpi
from ..traffic.mix import KINDS, PREFIX, Application, even_mix
from .flooded import Compared, rows

# What nginx serves as fast as it is let, and of which 300 fit: video's least rate is 750 kbit/s.
FETCHED = ("web", "dl")
BOTTLENECK = Bottleneck(100_000_000, 1_000_000, 5.0)
STAGES = (("firstSeen", "seen by the agent"), ("reported", "known to the controller"), ("planned", "planned"),
          ("installed", "its rate read back"))  # fmt: skip
SINGLE_ENDS = 10
SETTLE_S = 30.0
# Those who stay had less before; all of it they need not get, for a type rises by whole steps.
SHARE_KEPT = 0.8
FLOODING = Path(__file__).with_name("FloodingAgents.java")
FLOODERS, ROUND = 10, 100
# After whoever else runs on the machine: flooding hosts have processors of their own.
FLOODERS_NICE = 19
# Of the time that it takes when nobody floods.
TARGET_FLOODED = 2.0


def run(options: FirstPacketOptions) -> int:
    require_programs()
    terminal = Terminal()
    ledger = Ledger.open()
    try:
        Management.refuse_busy_ports()
        options.out.mkdir(parents=True, exist_ok=True)
        measurement = FirstPacket(options, terminal, ledger)
        result = measurement.run()
    finally:
        terminal.step("cleaning up")
        ledger.undo()
    (options.out / "first-packet.json").write_text(json.dumps(result, indent=1) + "\n")
    print(table(result), flush=True)
    return 0


class FirstPacket:
    def __init__(self, options: FirstPacketOptions, terminal: Terminal, ledger: Ledger):
        self.options = options
        self.terminal = terminal
        self.ledger = ledger
        self.applications = even_mix(options.conversations, FETCHED)
        self.management = Management(ledger, terminal)
        self.opened: dict[str, float] = {}
        self.closed: list[float] = []
        self.broken: list[str] = []
        self.paced: dict[str, dict[str, Any]] = {}
        self.clients: dict[int, subprocess.Popen[bytes]] = {}

    def run(self) -> dict[str, Any]:
        management = self.management
        management.start_controller()
        self.terminal.step("building the network")
        self.network = Network(self.ledger, BOTTLENECK, managed=True)
        self.network.start(self.applications)
        services = Services(self.network, self.ledger.folder)
        services.start()
        management.adopt(self.network, self.applications)
        management.begin()
        self.terminal.step("rehearsing: every user opens once, unmeasured")
        files = write_settings(self.network, services, self.applications, 1, 0)
        management.rehearse(lambda: self.network.check(files, client_command()))
        self.ledger.release_machine_settings()
        self.start_clients()
        openings = self.open_all()
        self.terminal.step(f"95 % of conversations were paced within {kpi.quantile(openings['installed'], 0.95):.0f} ms")
        ends = [self.end([self.applications[-1 - i]]) for i in range(min(SINGLE_ENDS, len(self.applications) - 2))]
        left = self.applications[: len(self.applications) - len(ends)]
        ending = left[1::4] + left[2::4]  # kinds alternate: half of each
        half = self.end(ending)
        flooded = self.flooding([a for a in left if a not in ending]) if self.options.flood_rounds else {}
        return {
            **flooded,
            "scenario": "first-packet",
            "conversations": self.options.conversations,
            "ratePerSecond": self.options.rate,
            "pauseSeconds": self.options.pause_s,
            "agents": len(self.network.servers),
            "broken": self.broken,
            "msFromConnect": openings,
            "msFromEndToOthersRates": {"oneByOne": ends, "halfAtOnce": half},
        }

    def start_clients(self) -> None:
        for index, host in enumerate(self.network.clients):
            mine = [
                {"id": a.id, "address": a.address, "server": a.server_address, "port": KINDS[a.kind].port,
                 "atS": number / self.options.rate}
                for number, a in enumerate(self.applications) if a.client == index
            ]  # fmt: skip
            file = self.ledger.folder / f"openers-{host.name}.json"
            file.write_text(json.dumps({"pauseS": self.options.pause_s, "conversations": mine}))
            log = self.network.log(f"openers-{host.name}")
            process = self.network.popen(
                *start_words("traffic.openers"), str(file), host=host.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
            self.clients[index] = process
            threading.Thread(target=self.read, args=(process,), daemon=True).start()

    def read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout
        for line in process.stdout:
            record = json.loads(line)
            if "id" in record:
                self.opened[record["id"]] = record["openedUnixS"]
            elif "closedUnixS" in record:
                self.closed.append(record["closedUnixS"])
            else:
                self.broken.append(f"{record['broken']}: {record['why']}")

    def say(self, client: int, words: str) -> None:
        stdin = self.clients[client].stdin
        assert stdin
        stdin.write(f"{words}\n".encode())
        stdin.flush()

    def open_all(self) -> dict[str, list[float]]:
        count = len(self.applications)
        self.terminal.step(f"{count} conversations open, {self.options.rate:g} a second")
        for client in self.clients:
            self.say(client, "begin")
        until = time.monotonic() + count / self.options.rate + 1
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(0.5, left))
            self.terminal.progress(f"{len(self.opened)} of {count} opened, {left:.0f} s left")
        self.paced = self.settle({a.id for a in self.applications}, 0.0)[1]
        times: dict[str, list[float]] = {name: [] for name, _ in STAGES}
        for one, conversation in self.paced.items():
            for name in times:
                times[name].append(round(conversation["timesMs"][name] - self.opened[one] * 1000, 1))
        return times

    def end(self, ending: list[Application]) -> float:
        """Milliseconds from the last socket's close to the last higher rate of those who stay."""
        before = self.settle(set(self.paced), 0.0)[1]
        staying = set(before) - {a.id for a in ending}
        self.closed.clear()
        self.terminal.step(f"{len(ending)} of {len(before)} conversations end")
        for client in {a.client for a in ending}:
            self.say(client, "close " + " ".join(a.id for a in ending if a.client == client))
        share = sum(one["grant"]["rateKbps"] for one in before.values())
        at, self.paced = self.settle(staying, SHARE_KEPT * share)
        return round((at - max(self.closed)) * 1000)

    def flooding(self, left: list[Application]) -> dict[str, Any]:
        """From first packet to rate, by rounds; who is not paced in time counts with all of that time."""
        self.close(left)
        agents = FloodingAgents(self.network)
        compared, sent = {name: Compared() for name, _ in STAGES}, 0
        agents.start()
        try:
            for number in range(self.options.flood_rounds + 1):
                self.terminal.step(f"{ROUND} open and end, and as many beside {FLOODERS} agents that flood: {number} of {self.options.flood_rounds} rounds")
                quiet = self.round()
                before = agents.say("flood")
                try:
                    flooded = self.round()
                finally:
                    after = agents.say("rest")
                # The first of both is not measured, as Java compiles what runs often.
                if number:
                    for name, both in compared.items():
                        both.quiet.append(quiet[name])
                        both.flooded.append(flooded[name])
                    sent += after - before
        finally:
            agents.stop()
        why = "the controller takes more messages of some agents than leave it time for those of others; see flood"
        name = f"first packet to rate beside {FLOODERS} agents that flood"
        paced = compared["installed"]
        return {
            "flood": {"agents": FLOODERS, "messages": sent, "stages": {name: both.to_json() for name, both in compared.items()}},
            "claims": [paced.claim(f"{name}, {title}", quantile, TARGET_FLOODED, why) for quantile, title in (("p50", "median"), ("p95", "95 %"))],
        }

    def round(self) -> dict[str, list[float]]:
        """Milliseconds from connect() to each stage."""
        applications = self.applications[:ROUND]
        self.opened.clear()
        for client in {a.client for a in applications}:
            self.say(client, "begin " + " ".join(a.id for a in applications if a.client == client))
        until = time.monotonic() + len(applications) / self.options.rate + SETTLE_S
        times: dict[str, dict[str, float]] = {}
        while len(times) < len(applications) and time.monotonic() < until:
            time.sleep(0.2)
            for one, conversation in self.management.matched().items():
                if "installed" in conversation["timesMs"] and one in self.opened:
                    times[one] = {name: round(at - self.opened[one] * 1000, 1) for name, at in conversation["timesMs"].items()}
        self.close(applications)
        return {name: [times[a.id][name] if a.id in times else SETTLE_S * 1000 for a in applications] for name, _ in STAGES}

    def close(self, applications: list[Application]) -> None:
        for client in {a.client for a in applications}:
            self.say(client, "close " + " ".join(a.id for a in applications if a.client == client))
        wait_until_true(lambda: not self.management.matched(), "the end of all conversations", SETTLE_S, every_s=0.5)

    def settle(self, names: set[str], least_kbps: float) -> tuple[float, dict[str, dict[str, Any]]]:
        """When exactly these are known, share at least this, and every kernel has what the plan grants."""
        until = time.monotonic() + SETTLE_S
        while time.monotonic() < until:
            at = time.time()
            found = self.management.matched()
            granted = sum(one["grant"]["rateKbps"] for one in found.values() if one.get("grant"))
            if set(found) == names and granted >= least_kbps and all(is_installed(one) for one in found.values()):
                return at, found
            time.sleep(0.05)
        unpaced = sorted(one for one in names if one not in found or not is_installed(found[one]))
        raise RuntimeError(
            f"after {SETTLE_S:g} s the controller knows {len(found)} conversations instead of {len(names)}; without "
            f"their rate: {', '.join(unpaced[:5]) or 'none'}; granted {granted:.0f} kbit/s of {least_kbps:.0f} kbit/s"
        )


class FloodingAgents:
    """All of them one process on a client's host, with an address each, which the controller knows."""

    def __init__(self, network: Network):
        self.network = network
        self.host = network.clients[0]

    def start(self) -> None:
        words = []
        for number in range(1, FLOODERS + 1):
            name, address = f"flood{number}", f"10.0.31.{number}"
            certified(RUN_DIRECTORY / "tls", name)
            self.network.host(self.host.name, "ip", "address", "add", f"{address}/{PREFIX}", "dev", "eth0")
            # A question, even one that nobody answers, makes its asker known.
            self.network.host(self.host.name, "ping", "-c1", "-W1", "-I", address, self.host.neighbour, check=False)
            words += [name, address]
        self.process = self.network.popen(
            "java", *FLAGS, "-cp", str(JAR), str(FLOODING), self.host.management, str(RUN_DIRECTORY / "tls"), self.network.servers[0].address, *words,
            host=self.host.name, nice=FLOODERS_NICE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.network.log("flooding"),
        )  # fmt: skip
        self.say("rest")

    def say(self, command: str) -> int:
        """How many messages were sent until then."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{command}\n".encode())
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the flooding agents ended: {(self.network.directory / 'flooding.log').read_text(errors='replace')[-600:]}")
        return int(answer)

    def stop(self) -> None:
        self.network.end(self.process)


def table(result: dict[str, Any]) -> str:
    lines = [
        f"{result['conversations']} conversations, {result['ratePerSecond']:g} a second, "
        + (f"64 kB each {result['pauseSeconds']:g} s" if result["pauseSeconds"] else "sending all they can")
        + f", {result['agents']} agents; ms after the user's connect():",
        f"{'':26}{'p50':>8}{'p95':>8}{'worst':>8}",
    ]
    for name, title in STAGES:
        times = result["msFromConnect"][name]
        lines.append(f"{title:26}{kpi.quantile(times, 0.5):8.0f}{kpi.quantile(times, 0.95):8.0f}{max(times):8.0f}")
    ends = result["msFromEndToOthersRates"]
    if ends["oneByOne"]:
        lines.append(
            f"One ends, {len(ends['oneByOne'])} times: the others' higher rates are installed after "
            f"{kpi.quantile(ends['oneByOne'], 0.5):.0f} ms (median), at most {max(ends['oneByOne']):.0f} ms."
        )
    lines.append(f"Half end at once: {ends['halfAtOnce']:.0f} ms.")
    if flood := result.get("flood"):
        for name, title in STAGES:
            both = flood["stages"][name]
            lines += rows(f"{title}, beside {flood['agents']} agents that flood", Compared(both["msQuiet"], both["msFlooded"]))
        lines.append(f"The flooding agents sent {flood['messages']} messages.")
    if result["broken"]:
        lines.append(f"Connections that broke: {len(result['broken'])}, the first: {result['broken'][0]}")
    installed = result["msFromConnect"]["installed"]
    lines.append(f"95 % of conversations are paced within {kpi.quantile(installed, 0.95):.0f} ms.")
    return "\n".join(lines)
