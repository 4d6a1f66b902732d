"""Hosts on the bridge of a router, behind one slow access link to a server outside: namespaces, a wire, and agents without a controller.

    a b c p -- router ======== server

Hosts a, b and c have agents, p has none. Hosts may be stations of an access point, by whose cell they are then on the bridge
(`tools/wireless/live_cell.py`). The link is a process (`native/wire.c`), because a chain of kernel queues lets
TCP feel the far one through its socket buffer. All is in a namespace of its own, and nothing of it is left.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..checkout import LAB, ROOT
from ..machine.ledger import CONTROL_NICE
from ..machine.processes import reap
from ..networks import agents, cables
from ..networks.hosts import Hosts
from ..networks.own_ovs import last_words, wait_until_true
from ..networks.space import Space, inside, remove_namespace

HOSTS, WATCHER = ("a", "b", "c"), "p"
LAN, OUTSIDE = "10.31.1.", "10.31.2."
SERVER, ROUTER = OUTSIDE + "2", LAN + "1"
GROUP, GROUP_PORT = "239.255.80.76", 9561
ENDS_S = 20.0
# Of the access point, on the bridge; and the program that is its cell, with the simulator's own Python.
AIR = "air0"
CELL = ROOT / "tools/wireless/live_cell.py"
SIMULATOR = ROOT / ".run/ns3/bin/python3"
# By its destination port: uploads, of which each host has one receiver, p2p and video, and what the server sends.
UPLOAD, P2P, VIDEO, DOWNLOAD = 7001, 7101, 7201, 7301
PORTS = 99
RULES = f"""\
rules:
  - {{intent: upload/bulk, match: {{remotePort: "{UPLOAD}-{UPLOAD + PORTS}"}}}}
  - {{intent: p2p/torrent, match: {{remotePort: "{P2P}-{P2P + PORTS}"}}}}
  - {{intent: video/live, match: {{remotePort: "{VIDEO}-{VIDEO + PORTS}"}}}}
  - {{intent: download/film, match: {{localPort: "{DOWNLOAD}-{DOWNLOAD + PORTS}"}}}}
"""
# Where the way down is what hosts share.
RULES_OF_RECEIVERS = f"""\
  - {{intent: p2p/torrent, direction: in, match: {{localPort: "{P2P}-{P2P + PORTS}"}}}}
  - {{intent: video/live, direction: in, match: {{localPort: "{VIDEO}-{VIDEO + PORTS}"}}}}
"""


@dataclass(frozen=True)
class Access:
    """What the link is. Its slow way's queue is a FIFO that takes so long to empty; the other way has ten times as much."""

    up_kbps: int
    down_kbps: int
    queue_s: float
    round_trip_s: float = 0.03
    # Hosts that are not on the bridge by a cable but through the air of an access point, each with its association rate in Mbit/s.
    stations: tuple[tuple[str, int], ...] = ()

    def is_slow_down(self) -> bool:
        return self.down_kbps < self.up_kbps

    def slow_kbps(self) -> int:
        """Of the way that agents share."""
        return min(self.up_kbps, self.down_kbps)

    def queue_bytes(self) -> tuple[int, int]:
        """Up, and down."""
        slow = round(self.slow_kbps() * 125 * self.queue_s)
        return (10 * slow, slow) if self.is_slow_down() else (slow, 10 * slow)


@dataclass(frozen=True)
class Peers:
    """What an agent's file says of its peers; `more` are lines under `peers`, such as `B: 3`."""

    weights: str
    more: tuple[str, ...] = ()
    key: str = "k"
    # How far its clock, which a loop's periods are measured by, is ahead of the others'.
    clock_ahead_s: int = 0


class AccessLink(Hosts):
    def __init__(self, space: Space):
        super().__init__(space)
        self.access: Access | None = None
        self._wire: subprocess.Popen[Any] | None = None
        self._cell: subprocess.Popen[Any] | None = None
        self._stations: list[str] = []

    def open(self) -> "AccessLink":
        try:
            self._build()
            return self
        except BaseException:
            self.close()
            raise

    def _build(self) -> None:
        self.inside("ip", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
        self.inside("ip", "address", "add", f"{ROUTER}/24", "dev", "br0")
        self.inside("ip", "link", "set", "br0", "addrgenmode", "none", "up")
        self.inside("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        for host in (*HOSTS, WATCHER):
            self._add_host(self.port(host), host)
            self._join(host)
            self.host(host, "nft", "add table inet lab; add chain inet lab out { type filter hook output priority 0; };"
                      f" add rule inet lab out udp dport {GROUP_PORT} counter")  # fmt: skip
        self._add_host("w-server", "server")
        here = inside(self.space.namespace)
        cables.cable(here, "wan", here, "w-router", self.space.namespace)
        self.inside("ip", "address", "add", f"{OUTSIDE}1/24", "dev", "wan")
        self.host("server", "ip", "address", "add", f"{SERVER}/24", "dev", "eth0")
        self.host("server", "ip", "route", "add", "default", "via", f"{OUTSIDE}1")

    def _add_host(self, near: str, host: str) -> None:
        name = self.namespace(host)
        self.space.add_namespace(name)
        # What a run has learnt of a path is nothing that the next one knows.
        self.host(host, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/tcp_no_metrics_save")
        cables.cable(inside(self.space.namespace), near, inside(name), "eth0", name)

    def _join(self, host: str, by: str | None = None) -> None:
        """It is in the router's network by this port of the bridge."""
        self.inside("ip", "link", "set", by or self.port(host), "master", "br0")
        self.host(host, "ip", "address", "add", f"{self.address(host)}/24", "dev", "eth0")
        self.host(host, "ip", "route", "add", "default", "via", ROUTER)

    def _associate(self, stations: tuple[tuple[str, int], ...]) -> None:
        """Those who were stations have their cables again; these leave theirs."""
        if self._cell:
            self.end(self._cell)
            self._cell = None
        while self._stations:
            host = self._stations.pop()
            cables.cable(inside(self.space.namespace), self.port(host), inside(self.namespace(host)), "eth0", self.namespace(host))
            self._join(host)
        if not stations:
            return
        for host, _ in stations:
            self.inside("ip", "link", "delete", self.port(host))
            self._stations.append(host)
        words = [word for host, mbps in stations for word in ("--station", f"{self.namespace(host)}:eth0:{mbps}")]
        said = self.directory / "cell.log"
        with open(said, "wb") as log:
            self._cell = self.popen(str(SIMULATOR), str(CELL), "--access-point", AIR, *words, nice=CONTROL_NICE, stdout=log, stderr=subprocess.STDOUT)
        cell = self._cell
        wait_until_true(lambda: cell.poll() is not None or "carrying" in said.read_text(), "the cell of the access point", 120, log=said)
        if cell.poll() is not None:
            raise RuntimeError(f"the cell of the access point ended (code {cell.returncode}){last_words(said)}")
        for host, _ in stations:
            self._join(host, AIR)

    # What is where

    @staticmethod
    def port(host: str) -> str:
        """The router's, to this host."""
        return f"h-{host}"

    @staticmethod
    def address(host: str) -> str:
        return f"{LAN}{10 + (*HOSTS, WATCHER).index(host)}"

    # Doing

    def become(self, access: Access) -> None:
        """The link begins anew as this one, with its counters."""
        if self._wire:
            self.end(self._wire)
        self._associate(access.stations)
        stats = self.directory / "wire.jsonl"
        stats.unlink(missing_ok=True)
        self.access = access
        one_way_ms = access.round_trip_s / 2 * 1e3
        up_bytes, down_bytes = access.queue_bytes()
        words = cables.wire(
            "w-router", "w-server", access.up_kbps * 1000, one_way_ms, "--fifo", str(up_bytes),
            "--rate-back", str(access.down_kbps * 1000), "--fifo-back", str(down_bytes), stats=stats,
        )  # fmt: skip
        said = self.directory / "wire.log"
        with open(said, "wb") as log:
            self._wire = self.popen(*words, stdout=log, stderr=subprocess.STDOUT)
        cables.wait_until_it_counts(self._wire, stats, said)

    def carried(self) -> list[dict[str, Any]]:
        """The link's counters, once a second since it began."""
        return list(map(json.loads, (self.directory / "wire.jsonl").read_text().splitlines()))

    def plug(self, host: str, is_in: bool) -> None:
        """Whether what the host says reaches the others, and what they say reaches it."""
        self.inside("ip", "link", "set", self.port(host), "up" if is_in else "down")

    def agents(self, wanted: dict[str, Peers]) -> dict[str, subprocess.Popen[Any]]:
        """Returns when all of them share the link."""
        started = {host: self._agent(host, peers) for host, peers in wanted.items()}
        for host, process in started.items():
            said = self.directory / host / "agent.log"
            wait_until_true(lambda: process.poll() is not None or "sharing" in said.read_text(), f"the sharing of {host}'s agent", 60)
            if process.poll() is not None:
                raise RuntimeError(f"the agent on {host} ended (code {process.returncode}): {said.read_text()[-600:]}")
        return started

    def _agent(self, host: str, peers: Peers) -> subprocess.Popen[Any]:
        assert self.access
        folder = self.directory / host
        folder.mkdir(exist_ok=True)
        key = folder / "peers.key"
        key.write_text(peers.key * 32)
        key.chmod(0o600)
        (folder / "rules.yaml").write_text(RULES + (RULES_OF_RECEIVERS if self.access.is_slow_down() else ""))
        lines = [
            f"hostId: {host}", "rules: rules.yaml", "interfaces: [eth0]", "restartGrace: 1s", f"newcomersRate: {self.access.up_kbps}kbit",
            "peers:", "  keyFile: peers.key", f"  links: [{{{self._shared(host)}}}]",
            f"  weights: {peers.weights}", *(f"  {line}" for line in peers.more),
        ]  # fmt: skip
        config = folder / "agent.yaml"
        config.write_text("\n".join(lines) + "\n")
        ahead = str(peers.clock_ahead_s)
        # Linux before 6 moves the clocks of children only.
        clock = ("unshare", "--time", "--monotonic", ahead, "--boottime", ahead) if peers.clock_ahead_s else ()
        with open(folder / "agent.log", "wb") as log:
            return self.popen(*clock, *agents.command(config), host=host, nice=CONTROL_NICE, stdout=log, stderr=subprocess.STDOUT)

    def _shared(self, host: str) -> str:
        """The link that this host's agent shares with its peers, as its file says it."""
        assert self.access
        if host in (rates := dict(self.access.stations)):
            return f"name: wifi, air: basic, association: {rates[host]}mbit"
        way = "name: downlink, direction: in" if self.access.is_slow_down() else "name: uplink"
        return f"{way}, capacity: {self.access.slow_kbps()}kbit"

    def status(self, host: str) -> str:
        """What `paceline-agent status` says on a host."""
        return self.host(host, *agents.java(), "status", check=False)

    def hear(self, each_other: bool) -> None:
        """Whether hosts reach each other. The access link they reach in any case."""
        for host in HOSTS:
            self.inside("bridge", "link", "set", "dev", self.port(host), "isolated", "off" if each_other else "on")

    def announced_bytes(self, host: str) -> int:
        """What its agents have told their peers so far, with the headers of IP and UDP."""
        listed = json.loads(self.host(host, "nft", "-j", "list", "chain", "inet", "lab", "out"))["nftables"]
        return next(part["counter"]["bytes"] for each in listed for part in each.get("rule", {}).get("expr", ()) if "counter" in part)

    def left_behind(self, host: str) -> list[str]:
        """What agents that have ended should have taken with them."""
        traces: dict[str, Callable[[], bool]] = {
            "htb": lambda: "htb" in self.host(host, "tc", "qdisc", "show", "dev", "eth0"),
            "nftables": lambda: "paceline" in self.host(host, "nft", "list", "tables"),
            "multicast": lambda: GROUP in self.host(host, "ip", "maddress", "show", "dev", "eth0"),
        }
        return [f"{host}: {name}" for name, is_there in traces.items() if is_there()]

    def end(self, process: subprocess.Popen[Any]) -> None:
        process.terminate()
        reap(process, ENDS_S)
        if process in self._processes:
            self._processes.remove(process)

    def close(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in reversed(list(self._processes)):
            self.end(process)
        for host in (*HOSTS, WATCHER, "server"):
            remove_namespace(self.namespace(host))
        shutil.rmtree(self.directory, ignore_errors=True)


def environment() -> dict[str, str]:
    """Of the lab's programs on its hosts."""
    return {**os.environ, "PYTHONPATH": str(LAB)}
