"""What can be broken besides: ONOS's disk, agents' wall clocks, and the way between the two."""

from __future__ import annotations

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
    """A wire is between each agent's host and ONOS, so that their way can be long."""

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

    def _way_ends(self, host: str) -> tuple[str, str]:
        return f"c-{host}", f"d-{host}"

    def lengthen(self, host: str, delay_ms: float) -> None:
        """The way between a host's agent and ONOS, each way. What is on it is lost."""
        if host in self._ways:
            self.end(self._ways.pop(host))
        near, far = self._way_ends(host)
        with open(self.directory / f"way-{host}.out", "ab") as log:
            self._ways[host] = self.popen(*cables.wire(near, far, 1e9, delay_ms, "--fifo", "10000000"), stdout=log, stderr=subprocess.STDOUT)

    def carry(self, host: str, state: str) -> None:
        """Whether its management link has a carrier at both ends: `up` or `down`."""
        self.inside("sh", "-c", "; ".join(f"ip link set {end} {state}" for end in self._way_ends(host)))

    def close(self) -> None:
        super().close()
        for host in AGENTS:
            run(*inside(self.space.namespace, "ip", "link", "delete", f"m-{host}"), check=False)


class BreakableWorld(World):
    network: BreakableNetwork

    def __init__(self, network: BreakableNetwork, onos: Onos, disk: Disk, clocks: Clocks):
        super().__init__(network, onos)
        self.disk = disk
        self.clocks = clocks

    def environment(self, host: str) -> dict[str, str]:
        return self.clocks.environment(host)
