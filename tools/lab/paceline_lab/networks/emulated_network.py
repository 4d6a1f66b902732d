"""Builds networks: Open vSwitch switches in a namespace, links with rate and delay, hosts.

Open vSwitch is of the network's own (userspace datapath, its own database), so that nothing outside is touched.
Every link between switches is a process (`native/wire.c`), every host a namespace with a management link of its own.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..checkout import LAB
from ..machine.ledger import run
from ..machine.processes import reap
from ..machine.settings import SOCKET_BUFFERS
from . import agents, cables
from .hosts import Hosts
from .own_ovs import OwnOpenVSwitch, wait_until_true
from .space import Onos, Space, inside, remove_namespace
from .topology import Host, Link, Topology, device

HOST_PORT, LINK_PORT = 1, 100
BACKOFF_MS = 1_000


class EmulatedNetwork(Hosts):
    # Where the controller is, as the switches see it.
    controller = "127.0.0.1"

    def __init__(self, space: Space, topology: Topology, openflow_port: int = 6653):
        super().__init__(space, topology.hosts)
        self.topology = topology
        self.openflow_port = openflow_port
        self.links = {link.name: link for link in topology.links}
        self._wires: dict[str, subprocess.Popen[Any]] = {}
        self.agents: dict[str, subprocess.Popen[Any]] = {}
        self.down: set[str] = set()
        self.ovs = OwnOpenVSwitch(self.directory, self.popen)

    def open(self) -> "EmulatedNetwork":
        try:
            self.space.hold_machine_settings(SOCKET_BUFFERS)
            self.ovs.start()
            for switch in self.topology.numbers():
                self._add_switch(switch)
            for port, link in enumerate(self.topology.links, LINK_PORT):
                self._add_link(link, port)
            for port, host in enumerate(self.topology.hosts, HOST_PORT):
                self._add_host(host, port)
            for name in self.links:
                self._await_wire(name)
        except BaseException:
            self.close()
            raise
        return self

    # What is where

    def port(self, name: str) -> int:
        """The number of the port to a link or host, the same at both ends of a link."""
        if name in self.links:
            return LINK_PORT + list(self.links).index(name)
        return HOST_PORT + list(self.hosts).index(name)

    def ways(self) -> list[tuple[Link, str]]:
        """Of each link both directions, as ONOS calls them."""
        return [
            (link, "-".join(f"{device(end)}/{self.port(link.name)}" for end in ends)) for link in self.topology.links for ends in ((link.a, link.b), (link.b, link.a))
        ]

    def settings(self, capacity_kbps: float | None = None, **delays_ms: float) -> dict[str, Any]:
        """The network configuration that tells ONOS of the links; `_1_2=60` tells another delay of link 1-2, and
        `capacity_kbps` of no link more than that."""
        links = {}
        for link, way in self.ways():
            delay = delays_ms.get("_" + link.name.replace("-", "_"), link.delay_ms)
            kbps = min(link.mbit * 1000, capacity_kbps or link.mbit * 1000)
            links[way] = {"paceline": {"capacityKbps": kbps, "delayMs": delay}}
        return {"links": links}

    # Building

    def _add_switch(self, switch: int) -> None:
        self.vsctl(
            "add-br", f"s{switch}", "--", "set", "bridge", f"s{switch}", f"datapath_type={self.ovs.datapath}", "protocols=OpenFlow13",
            "fail_mode=secure", f"other-config:datapath-id={switch:016x}", f"other-config:dp-desc=s{switch}",
            "other-config:disable-in-band=true",
        )  # fmt: skip

    def _add_link(self, link: Link, port: int) -> None:
        here = inside(self.space.namespace)
        for near, far in ((link.a, link.b), (link.b, link.a)):
            cables.cable(here, f"l{near}-{far}", here, f"w{near}-{far}", self.space.namespace)
            self._add_port(near, f"l{near}-{far}", port)
        self._start_wire(link)

    def _start_wire(self, link: Link, *options: str) -> None:
        words = cables.wire(f"w{link.a}-{link.b}", f"w{link.b}-{link.a}", link.mbit * 1e6, link.delay_ms, "--fifo", str(link.fifo_bytes),
                            *options, stats=self.counters(link.name))  # fmt: skip
        with open(self._wire_log(link.name), "wb") as log:
            self._wires[link.name] = self.popen(*words, stdout=log, stderr=subprocess.STDOUT)

    def _await_wire(self, name: str) -> None:
        cables.wait_until_it_counts(self._wires[name], self.counters(name), self._wire_log(name))

    def _wire_log(self, name: str) -> Path:
        return self.directory / f"wire-{name}.out"

    def counters(self, name: str) -> Path:
        """Into which the link counts."""
        return self.directory / f"wire-{name}.jsonl"

    def change_wire(self, name: str, *options: str) -> None:
        """Begins anew with these options of the wire in the place of its own; its counters, too, begin anew."""
        self.end(self._wires[name])
        self.counters(name).unlink(missing_ok=True)
        self._start_wire(self.links[name], *options)
        self._await_wire(name)

    def _add_port(self, switch: int, interface: str, port: int) -> None:
        self.vsctl("add-port", f"s{switch}", interface, "--", "set", "interface", interface, f"ofport_request={port}")

    def _add_host(self, host: Host, port: int) -> None:
        self._add_host_itself(host)
        self._add_port(host.switch, f"h-{host.name}", port)

    def _add_host_itself(self, host: Host) -> None:
        self.space.add_namespace(self.namespace(host.name))
        self._plug_in(host)
        self._manage(host)
        self.host(host.name, "ip", "link", "set", "eth0", "address", host.mac, "up")
        self.host(host.name, "ip", "address", "add", f"{host.address}/{host.prefix}", "dev", "eth0")
        if host.address6:
            self.host(host.name, "ip", "address", "add", f"{host.address6}/64", "dev", "eth0", "nodad")

    def _plug_in(self, host: Host) -> None:
        name = self.namespace(host.name)
        cables.cable(inside(self.space.namespace), f"h-{host.name}", inside(name), "eth0", name)

    def _manage(self, host: Host) -> None:
        name = self.namespace(host.name)
        cables.management_link(self.space.beside_controller(), f"m-{host.name}", inside(name), name, host.management)

    def connect(self, *switches: int) -> None:
        for switch in switches or self.topology.numbers():
            # By default a switch that was not answered for a while tries again only each eight seconds.
            name = f"s{switch}"
            self.vsctl("set-controller", name, f"tcp:{self.controller}:{self.openflow_port}", "--", "set", "controller", name, f"max_backoff={BACKOFF_MS}")

    def stand_alone(self) -> None:
        """Switches that no controller tells what to do learn who is where, as others do; there must be one way only."""
        for switch in self.topology.numbers():
            self.ofctl("add-flow", switch, "actions=NORMAL")

    def disconnect(self, switch: int) -> None:
        self.vsctl("del-controller", f"s{switch}")

    def wait_until_seen(self, rest: Any, seconds: float = 180) -> None:
        """Until ONOS has every switch, link and host, and the links' settings."""
        wait_until_true(lambda: len(rest.devices()) == self.topology.switches, "the switches' arrival at ONOS", seconds)
        wait_until_true(lambda: len(rest.links()) == 2 * len(self.links), "the links' discovery", seconds)
        rest.configure(self.settings())
        wait_until_true(lambda: self._hosts_known(rest), "the hosts' discovery", seconds)

    def _hosts_known(self, rest: Any) -> bool:
        known = rest.get("/paceline/v1/links")["hosts"]
        missing = [host for host in self.topology.hosts if host.address not in known]
        for host in missing:  # A question, even one that nobody answers, makes its asker known.
            self.host(host.name, "ping", "-c1", "-W1", host.neighbour, check=False)
        return not missing

    # Doing

    def vsctl(self, *words: str) -> str:
        return self.ovs.vsctl(*words)

    def ofctl(self, command: str, switch: int, *words: str) -> str:
        return self.ovs.ofctl(command, f"s{switch}", *words)

    def rules(self, switch: int, *containing: str) -> list[str]:
        lines = self.ofctl("dump-flows", switch, "--no-names").splitlines()
        return [line for line in lines if "actions=" in line and all(part in line for part in containing)]

    def cut(self, name: str) -> None:
        """Both ends lose their carrier, as of a cable that is pulled."""
        self.down.add(name)
        self._ends(name, "down")

    def mend(self, name: str) -> None:
        self._ends(name, "up")
        self.down.discard(name)

    def _ends(self, name: str, state: str) -> None:
        link = self.links[name]
        self.inside("sh", "-c", f"ip link set w{link.a}-{link.b} {state}; ip link set w{link.b}-{link.a} {state}")

    def near_end(self, switch: int, name: str) -> str:
        """The interface of a switch's port to a link."""
        link = self.links[name]
        return f"l{link.a}-{link.b}" if link.a == switch else f"l{link.b}-{link.a}"

    def carried(self, name: str) -> dict[str, Any]:
        """The link's own counters since its start, from a to b and back; up to a second old."""
        lines = self._counted(name)
        return json.loads(lines[-1]) if lines else {}

    def _counted(self, name: str) -> list[str]:
        """What the link has said each second, in full lines: its last one it may just be writing."""
        return self.counters(name).read_text().rpartition("\n")[0].splitlines()

    def drops(self, name: str, since: float) -> list[int]:
        """How many packets the link dropped from a to b in each second since then."""
        counted = [line["forward"]["droppedPackets"] for line in map(json.loads, self._counted(name)) if line["monotonic"] > since]
        return [after - before for before, after in itertools.pairwise(counted)]

    def waiting(self, name: str, since: float) -> list[tuple[float, int]]:
        """The most bytes that waited in the link from a to b in each second since then, with the second's end."""
        lines = map(json.loads, self._counted(name))
        return [(line["monotonic"], line["forward"]["backlogMaxSecondBytes"]) for line in lines if line["monotonic"] > since]

    def backlog(self, name: str, since: float) -> int:
        """The most bytes that waited in the link from a to b since then."""
        return max(count for _, count in self.waiting(name, since))

    def agent_settings(self, host: str, host_id: str) -> str:
        """Of an agent on the host that says to be this one, but for its rules."""
        return agents.settings(self.space.tls, host_id, self.hosts[host].management, "eth0")

    def agent(self, host: str, rules: str, more: str = "", jar: Path = agents.JAR, **started: Any) -> subprocess.Popen[Any]:
        """
        With these rules; `more` of its agent.yaml, such as what applications may say. How it is started, as Popen has it.
        The space must have certificates of its ONOS.
        """
        (self.directory / f"rules-{host}.yaml").write_text(rules)
        config = self.directory / f"agent-{host}.yaml"
        config.write_text(self.agent_settings(host, host) + f"rules: rules-{host}.yaml\n{more}")
        with open(self.directory / f"agent-{host}.log", "ab") as log:
            self.agents[host] = self.popen(*agents.command(config, jar), host=host, stdout=log, stderr=subprocess.STDOUT, **started)
        return self.agents[host]

    def ports(self, switch: int) -> list[str]:
        """A switch's interfaces to links and hosts."""
        ends = [self.near_end(switch, name) for name, link in self.links.items() if switch in (link.a, link.b)]
        return ends + [f"h-{host.name}" for host in self.topology.hosts if host.switch == switch]

    def switch_agent(self, host_id: str, *switches: int) -> subprocess.Popen[Any]:
        """
        An agent beside the switches, of these or of all, that divides their ports where their operator lets it.
        The space must have certificates of its ONOS.
        """
        config = self.directory / f"agent-{host_id}.yaml"
        parts = "".join(f"  - {{device: '{device(one)}', ports: [{', '.join(self.ports(one))}]}}\n" for one in switches or self.topology.numbers())
        config.write_text(f"controller: {self.controller}:9559\nhostId: {host_id}\n{agents.certified(self.space.tls, host_id)}switches:\n{parts}")
        with open(self.directory / f"agent-{host_id}.log", "ab") as log:
            return self.popen(*agents.command(config), stdout=log, stderr=subprocess.STDOUT)

    def probe(self, host: str, role: str, *words: str) -> subprocess.Popen[str]:
        """See `probe`; end it with `harvest`."""
        options = [word for word in words if word.startswith("--")]
        rest = [word for word in words if not word.startswith("--")]
        process = self.module("paceline_lab.networks.probe", *options, role, *rest, host=host)
        if role == "receive":
            assert process.stdout and process.stdout.readline() == "listening\n"
        return process

    def module(self, name: str, *words: str, host: str, **started: Any) -> subprocess.Popen[str]:
        """One of the lab's own programs on a host; end it with `harvest` where it prints JSON. How it is started besides, as Popen has it."""
        env = {**os.environ, "PYTHONPATH": str(LAB)}
        return self.popen(sys.executable, "-m", name, *words, host=host, stdout=subprocess.PIPE, text=True, env=env, **started)

    def harvest(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        process.terminate()
        out = process.communicate(timeout=60)[0]
        self._forget(process)
        return json.loads(out)

    def close(self) -> None:
        # From its end to its begin; what fails on the way keeps nothing from being removed.
        with contextlib.ExitStack() as rest:
            rest.callback(shutil.rmtree, self.directory, ignore_errors=True)
            rest.callback(self.space.release_machine_settings)
            for link in self.topology.links:
                for near, far in ((link.a, link.b), (link.b, link.a)):
                    rest.callback(run, *inside(self.space.namespace, "ip", "link", "delete", f"l{near}-{far}"), check=False)
            for host in self.topology.hosts:
                rest.callback(remove_namespace, self.namespace(host.name))
            for process in self._processes:
                rest.callback(reap, process)
            for process in reversed(self._processes):
                process.terminate()


@contextlib.contextmanager
def running_network(onos: Onos, topology: Topology, seconds: float = 180) -> Iterator[EmulatedNetwork]:
    """Built beside this ONOS and known to it, with all switches, links and hosts; nothing of it is left afterwards."""
    with contextlib.closing(EmulatedNetwork(onos.space, topology).open()) as network:
        network.connect()
        network.wait_until_seen(onos.rest, seconds)
        yield network
