"""The paper's network in mininet: two OpenFlow switches, a narrow link between them, servers left and clients right.

    plsrv1..3 --- pls1 === wire (rate, FIFO, delay) === pls2 --- plcli1..3

Or three such links in a row, each with a server host before it and a client host behind:

    plsrv1 --- pls1 === wire === pls2 === wire === pls3 === wire === pls4 --- plcli3
                       plsrv2, plcli1     plsrv3, plcli2

Every host also has a management link of its own to this machine, so that agents reach the controller out of band.
"""

from __future__ import annotations

import json
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from . import ovs
from .ledger import HOST_NICE, Ledger, feed, namespace_of, run
from .mix import HOSTS, PREFIX, Application, client_address, client_name, server_address, server_name
from .rivals import BEST_EFFORT, Rival, marking, unmarking
from .topology import device

# Of a switch, to the one at its right and at its left.
TO_RIGHT, TO_LEFT = 10, 11


@dataclass(frozen=True)
class Bottleneck:
    bits_per_second: int
    fifo_bytes: int
    delay_ms: float

    def __post_init__(self) -> None:
        if self.bits_per_second < 1_000_000:
            raise ValueError(
                f"The bottleneck ({self.bits_per_second} bit/s) is too narrow to carry anything. Maybe 100mbit."
            )
        if self.fifo_bytes < 2 * 1514:
            raise ValueError(f"The FIFO ({self.fifo_bytes} bytes) must hold two frames. Maybe 1000000.")
        if not 0 <= self.delay_ms <= 1000:
            raise ValueError(f"The delay ({self.delay_ms} ms) must be from 0 to 1000 ms.")


@dataclass
class Host:
    name: str
    pid: int
    interface: str
    address: str
    # The other end of its link.
    port: str = ""

    def command(self, *words: str) -> list[str]:
        """Only the network is the host's: its processes see the same files and cgroups as everybody."""
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", "--", *words]


class Network:
    def __init__(self, ledger: Ledger, bottleneck: Bottleneck, native: Path, controller: tuple[str, int] | None, bottlenecks: int = 1):
        """With so many of the same bottleneck in a row."""
        self.ledger = ledger
        self.bottleneck = bottleneck
        self.native = native
        self.controller = controller
        self.bottlenecks = bottlenecks
        self.servers: list[Host] = []
        self.clients: list[Host] = []
        # From left to right.
        self.wires: list[subprocess.Popen[bytes]] = []
        self.wire_stats: list[Path] = []
        self.rivals = 0

    @property
    def devices(self) -> list[str]:
        """The switches, from left to right, as the controller calls them."""
        return [device(number) for number in range(1, self.bottlenecks + 2)]

    @property
    def links(self) -> list[tuple[str, str]]:
        """The ports at the bottlenecks' ends, from left to right."""
        return [(f"{left}/{TO_RIGHT}", f"{right}/{TO_LEFT}") for left, right in zip(self.devices, self.devices[1:])]

    @property
    def farthest(self) -> tuple[Host, Host]:
        """A client and a server with all bottlenecks between them."""
        return self.clients[self.bottlenecks - 1], self.servers[0]

    def start(self, applications: list[Application]) -> None:
        try:
            from mininet.log import setLogLevel
            from mininet.net import Mininet
            from mininet.node import OVSSwitch, RemoteController
        except ImportError:
            raise ovs.Missing("mininet is not installed. Maybe: apt-get install mininet") from None
        ovs.ensure(self.ledger)
        setLogLevel("error")
        # Its initialisation raises the whole machine's limits for good; this network needs none of that.
        Mininet.inited = True

        def switch(name: str, **more: Any) -> Any:
            mode = "secure" if self.controller else "standalone"
            return OVSSwitch(name, datapath="user", protocols="OpenFlow13", failMode=mode, **more)

        bridges = [switch_name(number) for number in range(len(self.devices))]
        for bridge in bridges:
            self.ledger.note("bridges", bridge)
        net = Mininet(controller=None, switch=switch, autoSetMacs=True, waitConnected=False, build=False)
        if self.controller:
            net.addController(RemoteController("plc0", ip=self.controller[0], port=self.controller[1]))
        switches = [net.addSwitch(bridge, dpid=str(number)) for number, bridge in enumerate(bridges, 1)]
        try:
            for index in range(HOSTS):
                # Before which of the bottlenecks its server is, and behind which its client.
                place = min(index, self.bottlenecks - 1)
                for side, name, address, hosts in (
                    (switches[place], server_name(index), server_address(index), self.servers),
                    (switches[place + 1], client_name(index), client_address(index, 0), self.clients),
                ):
                    host = net.addHost(name, ip=f"{address}/{PREFIX}")
                    self.ledger.note("namespaces", namespace_of(host.pid))
                    # Named, too: a namespace with a connection that still says goodbye outlives its processes.
                    port = f"{side.name}-eth{index + 1}"
                    self.ledger.note("links", port)
                    net.addLink(host, side, port2=index + 1)
                    hosts.append(Host(name, host.pid, f"{name}-eth0", address, port))
        finally:
            # mininet keeps Python objects of these; what they stand for is in the ledger.
            self.mininet = net
        self.start_wire_ends()
        net.build()
        net.start()
        self.join_wires()
        for number, host in enumerate([*self.servers, *self.clients]):
            self.dress(host, number)
        for application in applications:
            client = self.clients[application.client]
            run(*client.command("ip", "addr", "add", f"{application.address}/{PREFIX}", "dev", client.interface))

    def start_wire_ends(self) -> None:
        for end in (end for number in range(self.bottlenecks) for end in wire_ends(number)):
            self.ledger.note("links", f"{end}a")
            run("ip", "link", "add", f"{end}a", "type", "veth", "peer", "name", f"{end}b")
            for interface in (f"{end}a", f"{end}b"):
                plain_frames([], interface)
                run("ip", "link", "set", interface, "up")

    def join_wires(self) -> None:
        for number in range(self.bottlenecks):
            left, right = wire_ends(number)
            for bridge, interface, port in ((switch_name(number), f"{left}a", TO_RIGHT), (switch_name(number + 1), f"{right}a", TO_LEFT)):
                run("ovs-vsctl", "--timeout=60", "add-port", bridge, interface, "--", "set", "interface", interface, f"ofport_request={port}")
        self.start_wires(BEST_EFFORT)

    def start_wires(self, rival: Rival) -> None:
        """Each writes counters of its own, so that no run's begin with those of another."""
        for stats in self.wire_stats:
            # They were read when their run ended, and are memory of this machine.
            stats.unlink(missing_ok=True)
        self.rivals += 1
        self.wire_stats = [self.ledger.folder / f"wire-{self.rivals}-{number + 1}.jsonl" for number in range(self.bottlenecks)]
        self.wires = [self.start_wire(number, rival, stats) for number, stats in enumerate(self.wire_stats)]
        until = time.monotonic() + 60
        while not all(stats.exists() for stats in self.wire_stats):
            if any(wire.poll() is not None for wire in self.wires) or time.monotonic() > until:
                raise RuntimeError(f"the wire does not come up. Maybe see {self.ledger.folder / 'wire.log'}")
            time.sleep(0.01)

    def start_wire(self, number: int, rival: Rival, stats: Path) -> subprocess.Popen[bytes]:
        left, right = wire_ends(number)
        words = [
            str(self.native / "wire"), "--a", f"{left}b", "--b", f"{right}b", "--rate", str(self.bottleneck.bits_per_second),
            "--fifo", str(self.bottleneck.fifo_bytes), "--delay-us", str(self.bottleneck.delay_ms * 1000),
            "--queue", rival.queue, "--weights", rival.weights(self.bottleneck.bits_per_second), *rival.load_delay,
            "--stats", str(stats),
        ]  # fmt: skip
        wire = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log("wire"), start_new_session=True)
        self.ledger.note_process(wire.pid)
        return wire

    def become(self, rival: Rival) -> None:
        """What opens from now on has this queue and this congestion control, and knows nothing of what was before."""
        self.stop_wires()
        self.start_wires(rival)
        for host in [*self.servers, *self.clients]:
            self.route(host, rival.congestion_control)
            feed(marking() if rival.marks else unmarking(), *host.command("nft", "-f", "-"))
            # A kernel remembers of a destination how much it could send there, and begins with that.
            run(*host.command("ip", "tcp_metrics", "flush"))

    def dress(self, host: Host, number: int) -> None:
        """Plain frames, CUBIC, and the management link. Only what a real host would have."""
        inside = host.command()
        plain_frames(inside, host.interface)
        plain_frames([], host.port)
        self.route(host, BEST_EFFORT.congestion_control)
        outer = f"plm{number + 1}"
        self.ledger.note("links", outer)
        run("ip", "link", "add", outer, "type", "veth", "peer", "name", "mgmt0", "netns", str(host.pid))
        run("ip", "link", "set", outer, "addrgenmode", "none")
        run("ip", "addr", "add", f"{management_address(number)}/30", "dev", outer)
        run("ip", "link", "set", outer, "up")
        run(*inside, "ip", "addr", "add", f"172.30.{number + 1}.2/30", "dev", "mgmt0")
        run(*inside, "ip", "link", "set", "mgmt0", "up")

    def route(self, host: Host, congestion_control: str) -> None:
        """The machine's default congestion control cannot be changed inside a namespace; a route's can."""
        run(*host.command(), "ip", "route", "replace", f"10.0.0.0/{PREFIX}", "dev", host.interface, "proto", "kernel",
            "scope", "link", "src", host.address, "congctl", congestion_control)  # fmt: skip

    def log(self, name: str) -> IO[bytes]:
        """No process keeps the operator's terminal or pipe: it would outlive a demo that is killed."""
        return open(self.ledger.folder / f"{name}.log", "ab")

    def popen(self, host: Host, words: list[str], nice: int = HOST_NICE, **more: Any) -> subprocess.Popen[Any]:
        process = subprocess.Popen(host.command(*words), start_new_session=True, **more)
        self.ledger.note_process(process.pid, nice)
        return process

    def check(self, settings: list[Path], python: list[str]) -> list[str]:
        """The conversations that cannot open a connection."""
        failing: list[str] = []
        asked = [
            self.popen(host, [*python, "check", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for host, file in zip(self.clients, settings)
        ]
        for host, process in zip(self.clients, asked):
            out, error = process.communicate(timeout=120)
            if process.returncode != 0:
                raise RuntimeError(f"the check on {host.name} failed: {error.decode()[-400:]}")
            failing += json.loads(out)
        return failing

    def stop_wires(self) -> None:
        for wire in self.wires:
            if wire.poll() is None:
                wire.send_signal(signal.SIGTERM)
                wire.wait(60)


def switch_name(number: int) -> str:
    """From left to right, from 0."""
    return f"pls{number + 1}"


def wire_ends(number: int) -> tuple[str, str]:
    """Of the bottleneck with this number, from left to right, from 0."""
    return f"plw{2 * number + 1}", f"plw{2 * number + 2}"


def management_address(number: int) -> str:
    return f"172.30.{number + 1}.1"


def plain_frames(inside: list[str], interface: str) -> None:
    """No offloads: what leaves a host are the frames that a wire carries, with their checksums."""
    run(*inside, "ethtool", "-K", interface, "tx", "off", "rx", "off", "tso", "off", "gso", "off", "gro", "off", check=False)
    run(*inside, "ip", "link", "set", interface, "addrgenmode", "none", check=False)
