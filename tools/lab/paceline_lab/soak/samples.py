"""What might grow: asked of processes, of ONOS's disk, of switches and of the hosts' kernels."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

from ..chaos.world import AGENTS, World
from ..machine import java_process
from ..networks.installed import PacingClasses

# What is asked for, in the order in which it is shown.
UNITS = {
    "ONOS: heap": "MB", "ONOS: threads": "threads", "ONOS: open files": "files", "ONOS: stores": "MB",
    **{f"agent {host}: {what}": unit for host in AGENTS for what, unit in (("heap", "MB"), ("threads", "threads"), ("open files", "files"))},
    "switches: rules": "rules", "switches: meters": "meters", "hosts: classes": "classes",
}  # fmt: skip


def sample(world: World) -> dict[str, float]:
    found = {**of_process("ONOS", world.onos.pid()), "ONOS: stores": bytes_below(world.onos.run_directory / "karaf/data/db") / 1e6}
    for host in AGENTS:
        found |= of_process(f"agent {host}", world.network.agents[host].pid)
    switches = list(world.network.topology.numbers())
    found["switches: rules"] = sum(len(world.network.rules(switch)) for switch in switches)
    found["switches: meters"] = sum(len(re.findall(r"meter=\d+ ", world.network.ofctl("dump-meters", switch))) for switch in switches)
    found["hosts: classes"] = sum(classes(world, host) for host in AGENTS)
    return found


def of_process(name: str, pid: int) -> dict[str, float]:
    # The heap first: with what is collected the files go that it held open.
    return {
        f"{name}: heap": java_process.heap_bytes(pid) / 1e6, f"{name}: threads": java_process.threads(pid), f"{name}: open files": java_process.files(pid),
    }  # fmt: skip


def bytes_below(folder: Path) -> int:
    """On the disk; a file that goes meanwhile counts nothing."""
    total = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += 512 * file.lstat().st_blocks
    return total


def classes(world: World, host: str) -> int:
    with contextlib.closing(PacingClasses(world.network.namespace(host), "eth0")) as kernel:
        return len(kernel.rates())


def most_grown(before: dict[str, int], after: dict[str, int], most: int = 12) -> dict[str, float]:
    """Classes of a heap that take more than before, in MB, the most first."""
    grown = {name: (size - before.get(name, 0)) / 1e6 for name, size in after.items()}
    return {name: round(grown[name], 2) for name in sorted(grown, key=grown.__getitem__, reverse=True)[:most] if grown[name] > 0}


def series(samples: list[dict[str, Any]], name: str) -> list[tuple[float, float]]:
    """Hours since the first, and the values."""
    return [((one["atS"] - samples[0]["atS"]) / 3600, one["values"][name]) for one in samples]
