"""What can be broken besides: ONOS's disk, agents' wall clocks, and the ways from agents and switches to ONOS."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from ..machine import native
from ..machine.ledger import run
from ..networks import cables
from ..networks.emulated_network import EmulatedNetwork
from ..networks.space import Onos, Space, inside
from ..networks.topology import Host
from .disk import Disk
from .world import AGENTS, DIAMOND, World

# Of switches' ways to ONOS: the kernel's own addresses, which it looks up at 0 by itself; and each end's table.
LOCAL_LAST, FIRST_TABLE = "100", 100


class Clocks:
    """Wall clocks of single processes, which can be stepped while these run; what they measure time by goes on."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._library = native.build() / native.CLOCK

    def environment(self, whose: str) -> dict[str, str]:
        """What a process with this clock is started with."""
        return {"LD_PRELOAD": str(self._library), "CLOCK_STEP": str(self._file(whose))}

    def step(self, whose: str, seconds: int) -> None:
        """From what the machine's says."""
        self._file(whose).write_text(str(seconds))

    def _file(self, whose: str) -> Path:
        return self._folder / f"clock-{whose}"


class BreakableNetwork(EmulatedNetwork):
    """A wire is between each agent's host and ONOS, and between each switch and ONOS, so that their way can be long."""

    def __init__(self, space: Space):
        super().__init__(space, DIAMOND)
        self._ways: dict[str, subprocess.Popen[Any]] = {}

    def _manage(self, host: Host) -> None:
        if host.name not in AGENTS:
            super()._manage(host)
            return
        near, far = self._way_ends(host.name)
        here, there = inside(self.space.namespace), self.entering(host.name)
        cables.cable(here, far, there, cables.MANAGEMENT, self.namespace(host.name))
        cables.cable(here, f"m-{host.name}", here, near, self.space.namespace)
        cables.address_management_link(here, f"m-{host.name}", there, host.management)
        self.lengthen(host.name, 0)

    def _add_switch(self, switch: int) -> None:
        super()._add_switch(switch)
        self._lead_out(switch)

    def _lead_out(self, switch: int) -> None:
        """
        A way from the switch to ONOS though both are in one namespace, in which the kernel takes every packet between two addresses of its
        own by the loopback. So whose are the way's addresses is looked up last of what is sent, and first of what comes.
        """
        name, here, space = f"s{switch}", inside(self.space.namespace), self.space.namespace
        ways, ends, addresses = self._way_ends(name), self.switch_ends(name), self._addresses(switch)
        for way, end, own in zip(ways, ends, addresses, strict=True):
            cables.cable(here, end, here, way, space)
            run(*here, "ip", "address", "add", f"{own}/32", "dev", end)
            run(*here, "sysctl", "-qw", f"net.ipv4.conf.{end}.accept_local=1", f"net.ipv4.conf.{end}.rp_filter=0", "net.ipv4.conf.all.rp_filter=0")
        if LOCAL_LAST not in run(*here, "ip", "rule", "show"):
            run(*here, "ip", "rule", "add", "priority", LOCAL_LAST, "lookup", "local")
            run(*here, "ip", "rule", "delete", "priority", "0")
        for end, own, far, other in zip(ends, addresses, reversed(ends), reversed(addresses), strict=True):
            table = str(FIRST_TABLE + list(ends).index(end) + 2 * switch)
            run(*here, "ip", "rule", "add", "priority", "10", "to", other, "iif", "lo", "lookup", table)
            run(*here, "ip", "route", "add", other, "dev", end, "src", own, "table", table)
            run(*here, "ip", "neighbour", "add", other, "lladdr", self._hardware_address(far), "dev", end, "nud", "permanent")
        self.lengthen(name, 0)

    def _hardware_address(self, interface: str) -> str:
        return str(json.loads(self.inside("ip", "-json", "link", "show", interface))[0]["address"])

    def _addresses(self, switch: int) -> tuple[str, str]:
        """The switch's own on its way to ONOS, and ONOS's."""
        return f"10.253.{switch}.1", f"10.253.{switch}.2"

    def switch_ends(self, switch: str) -> tuple[str, str]:
        """The interfaces that its way to ONOS ends at."""
        return f"o-{switch}", f"p-{switch}"

    def connect(self, *switches: int) -> None:
        for switch in switches or self.topology.numbers():
            # Each sees it elsewhere.
            self.controller = self._addresses(switch)[1]
            super().connect(switch)

    def _way_ends(self, at: str) -> tuple[str, str]:
        return f"c-{at}", f"d-{at}"

    def lengthen(self, at: str, delay_ms: float) -> None:
        """The way between a host's agent, or a switch, and ONOS, each way. What is on it is lost."""
        if at in self._ways:
            self.end(self._ways.pop(at))
        near, far = self._way_ends(at)
        with open(self.directory / f"way-{at}.out", "ab") as log:
            self._ways[at] = self.popen(*cables.wire(near, far, 1e9, delay_ms, "--fifo", "10000000"), stdout=log, stderr=subprocess.STDOUT)

    def carry(self, host: str, state: str) -> None:
        """Whether its management link has a carrier at both ends: `up` or `down`."""
        self.inside("sh", "-c", "; ".join(f"ip link set {end} {state}" for end in self._way_ends(host)))

    def close(self) -> None:
        super().close()
        ends = [f"m-{host}" for host in AGENTS] + [end for switch in self.topology.numbers() for end in self.switch_ends(f"s{switch}")]
        for end in ends:
            run(*inside(self.space.namespace, "ip", "link", "delete", end), check=False)


class BreakableWorld(World):
    network: BreakableNetwork

    def __init__(self, network: BreakableNetwork, onos: Onos, disk: Disk, clocks: Clocks):
        super().__init__(network, onos)
        self.disk = disk
        self.clocks = clocks

    def environment(self, host: str) -> dict[str, str]:
        return self.clocks.environment(host)
