"""What one would pick instead of Paceline: another queue at the bottleneck, or another congestion control."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .ovs import Missing

AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


@dataclass(frozen=True)
class Rival:
    """What the bottleneck's queue and the hosts' congestion control are in its run."""

    queue: str = "fifo"
    congestion_control: str = "cubic"
    says: str = ""


BEST_EFFORT = Rival()
RIVALS = {
    "fq-codel": Rival(queue="fq-codel", says="FlowQueue-CoDel at the bottleneck: shares and short queues for flows"),
    "per-user": Rival(queue="per-user", says="a queue like CAKE's: shares for users, and short queues for their flows"),
    "bbr": Rival(congestion_control="bbr", says="a FIFO at the bottleneck, and BBR instead of CUBIC at the hosts"),
}


def at_run(mode: str) -> Rival:
    """What the network is in a run of this mode: who is not a rival has best effort's."""
    return RIVALS.get(mode, BEST_EFFORT)


def require(modes: tuple[str, ...]) -> None:
    """The queues are the lab's own; a congestion control is the kernel's."""
    for mode in modes:
        require_congestion_control(at_run(mode).congestion_control)


def require_congestion_control(name: str, available: Path = AVAILABLE) -> None:
    if name not in available.read_text().split() and shutil.which("modprobe"):
        subprocess.run(["modprobe", "--quiet", f"tcp_{name}"], check=False, capture_output=True)
    if name not in (there := available.read_text().split()):
        raise Missing(
            f"this kernel has no congestion control {name}, only {', '.join(there)}. Maybe leave out --rival {name}"
        )
