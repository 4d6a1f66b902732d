"""The paper's network: two OpenFlow switches, a narrow link between them, servers left and clients right.

    plsrv1..3 --- 1 === wire (rate, FIFO, delay) === 2 --- plcli1..3

Or three such links in a row, each with a server host before it and a client host behind:

    plsrv1 --- 1 === wire === 2 === wire === 3 === wire === 4 --- plcli3
                    plsrv2, plcli1     plsrv3, plcli2

A server apart, plsrv4, is beside plsrv1 where some of the applications have it.

Every host also has a management link of its own to this machine, so that agents reach the controller out of band; so have
the switches, which are in a namespace.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ..machine.ledger import Ledger, feed
from ..networks import cables
from ..networks.emulated_network import EmulatedNetwork
from ..networks.space import LedgerSpace, inside
from ..networks.topology import Host, Link, Topology, device
from ..traffic.mix import APART, HOSTS, PREFIX, Application, client_address, client_name, server_address, server_name
from .rivals import BEST_EFFORT, Rival, marking, unmarking

NAMESPACE = "paceline-demo"
# The switches' end on this machine of their link to the controller; hosts have numbers after it.
SWITCHES_LINK, SWITCHES_NUMBER = "m-switches", 100


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


def in_a_row(bottleneck: Bottleneck, count: int, apart: bool = False) -> Topology:
    """With so many of the same bottleneck, from left to right: servers, of which one may be apart, then clients."""
    links = tuple(
        Link(left, left + 1, bottleneck.delay_ms, bottleneck.bits_per_second / 1e6, bottleneck.fifo_bytes) for left in range(1, count + 1)
    )
    # At the left end of which of the bottlenecks a server is, and at whose right end a client.
    lefts = [min(index + 1, count) for index in range(HOSTS)]
    at = {**dict(enumerate(lefts)), **({APART: lefts[0]} if apart else {})}
    servers = [Host(server_name(index), SWITCHES_NUMBER + 1 + index, left, server_address(index), PREFIX) for index, left in at.items()]
    clients = [
        Host(client_name(index), SWITCHES_NUMBER + 1 + len(at) + index, left + 1, client_address(index, 0), PREFIX) for index, left in enumerate(lefts)
    ]
    return Topology(count + 1, links, (*servers, *clients))


class Network(EmulatedNetwork):
    """Of a run with a ledger, which undoes it."""

    space: LedgerSpace
    controller = f"172.31.{SWITCHES_NUMBER}.1"

    def __init__(self, ledger: Ledger, bottleneck: Bottleneck, managed: bool, bottlenecks: int = 1, apart: bool = False):
        super().__init__(LedgerSpace(NAMESPACE, ledger), in_a_row(bottleneck, bottlenecks, apart))
        self.bottleneck = bottleneck
        self.managed = managed
        self.servers, self.clients = self.topology.hosts[:-HOSTS], self.topology.hosts[-HOSTS:]

    @property
    def devices(self) -> list[str]:
        """The switches, from left to right, as the controller calls them."""
        return [device(number) for number in self.topology.numbers()]

    @property
    def farthest(self) -> tuple[Host, Host]:
        """A client and a server with all bottlenecks between them."""
        return self.clients[len(self.links) - 1], self.servers[0]

    @property
    def wire_stats(self) -> list[Path]:
        """Into which the bottlenecks count, from left to right."""
        return [self.counters(name) for name in self.links]

    def start(self, applications: list[Application]) -> None:
        self.open()
        if self.managed:
            self.space.ledger.note("links", SWITCHES_LINK)
            cables.management_link([], SWITCHES_LINK, inside(NAMESPACE), NAMESPACE, self.controller)
            self.connect()
        else:
            self.stand_alone()
        for host in self.topology.hosts:
            self.use_congestion_control(host.name, BEST_EFFORT.congestion_control)
        for application in applications:
            self.host(self.clients[application.client].name, "ip", "address", "add", f"{application.address}/{PREFIX}", "dev", "eth0")

    def _manage(self, host: Host) -> None:
        # Named, too: a namespace with a connection that still says goodbye outlives its processes.
        self.space.ledger.note("links", f"m-{host.name}")
        super()._manage(host)

    def become(self, rival: Rival) -> None:
        """What opens from now on has this queue and this congestion control, and knows nothing of what was before."""
        weights = rival.weights(self.bottleneck.bits_per_second)
        for name in self.links:
            self.change_wire(name, "--queue", rival.queue, "--weights", weights, *rival.load_delay)
        for host in self.topology.hosts:
            self.use_congestion_control(host.name, rival.congestion_control)
            feed(marking() if rival.marks else unmarking(), *inside(self.namespace(host.name), "nft", "-f", "-"))

    def check(self, settings: list[Path], python: list[str]) -> list[str]:
        """The conversations that cannot open a connection."""
        failing: list[str] = []
        asked = [
            self.popen(*python, "check", str(file), host=host.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for host, file in zip(self.clients, settings)
        ]
        for host, process in zip(self.clients, asked):
            out, error = process.communicate(timeout=120)
            if process.returncode != 0:
                raise RuntimeError(f"the check on {host.name} failed: {error.decode()[-400:]}")
            failing += json.loads(out)
        return failing

    def close(self) -> None:
        self.space.close()
