"""What one would pick instead of Paceline: another queue at the bottleneck, or another congestion control."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import Missing
from ..traffic.mix import KINDS
from .variants import LIGHT_LOAD, MANAGED_RUNS

AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")
# The service class that RFC 4594 (section 2.3) has for each kind of application, by its DSCP: telephony, operations, broadcast video,
# multimedia streaming, low-latency data, high-throughput data. Most urgent first.
DSCPS = {"voip": 46, "ssh": 16, "live": 24, "vod": 26, "web": 18, "dl": 10}
# What is not IP goes with what is most urgent: without ARP nobody is found, and without LLDP no link.
NETWORK_CONTROL = 48
# Of the link, in percent, as an administrator would divide it who knows what there is and not how many of each: calls and terminals
# have more than they need, video two fifths, and what has no mark a little.
SHARES = {"voip": 5, "ssh": 5, "live": 20, "vod": 20, "web": 25, "dl": 20}
UNMARKED_SHARE = 5
MARKS = "paceline_lab_marks"


@dataclass(frozen=True)
class Rival:
    """
    What the bottleneck's queue and the hosts' congestion control are in its run; whether hosts mark what they send; and by how much
    the bottleneck's delay grows with its load, in ms at a full link.
    """

    queue: str = "fifo"
    congestion_control: str = "cubic"
    says: str = ""
    marks: bool = False
    load_delay_ms: float = 0.0

    @property
    def load_delay(self) -> list[str]:
        """As the wire reads it."""
        return ["--load-delay", f"{LIGHT_LOAD:g},{self.load_delay_ms * 1000:g}"] if self.load_delay_ms else []

    def weights(self, bits_per_second: int) -> str:
        """Of the queue's classes at a link of this rate, in kbit/s and in the order of their urgency, as the wire reads them."""
        rates = [f"{DSCPS[kind]}:{round(bits_per_second * share / 100_000)}" for kind, share in SHARES.items()]
        return f"{NETWORK_CONTROL}+" + ",".join([*rates, str(round(bits_per_second * UNMARKED_SHARE / 100_000))])


BEST_EFFORT = Rival()
RIVALS = {
    "fq-codel": Rival(queue="fq-codel", says="FlowQueue-CoDel at the bottleneck: shares and short queues for flows"),
    "per-user": Rival(queue="per-user", says="a queue like CAKE's: shares for users, and short queues for their flows"),
    "bbr": Rival(congestion_control="bbr", says="a FIFO at the bottleneck, and BBR instead of CUBIC at the hosts"),
    "htb": Rival(queue="htb", marks=True, says="a rate for each type of application at the bottleneck, which lends what it leaves to others, and short queues for its flows"),
    "dscp": Rival(queue="priority", marks=True, says="strict priority of types at the bottleneck, by the DSCPs of RFC 4594: calls, terminals, video, web, downloads"),
}


def marking() -> str:
    """
    nftables: what a host sends has the DSCP of its type of application, in both directions. Once more is the same.

    Echoes are operations, as RFC 4594 has it: the round trip that is measured is that of somebody who sends little.
    """
    ports = [f"{kind.protocol} {side} {kind.port} ip dscp set {DSCPS[kind.name]}" for kind in KINDS.values() for side in ("sport", "dport")]
    rules = "\n".join(f"    {rule}" for rule in [*ports, f"ip protocol icmp ip dscp set {DSCPS['ssh']}"])
    return f"{unmarking()}table ip {MARKS} {{\n  chain out {{\n    type filter hook postrouting priority mangle;\n{rules}\n  }}\n}}\n"


def unmarking() -> str:
    return f"table ip {MARKS}\ndelete table ip {MARKS}\n"


def at_run(mode: str) -> Rival:
    """What the network is in a run of this mode: who is not a rival has best effort's, but for what a variant's links are."""
    variant = MANAGED_RUNS.get(mode)
    return replace(BEST_EFFORT, load_delay_ms=variant.load_delay_ms) if variant else RIVALS.get(mode, BEST_EFFORT)


def require(modes: tuple[str, ...]) -> None:
    """The queues are the lab's own; a congestion control is the kernel's."""
    for mode in modes:
        require_congestion_control(at_run(mode).congestion_control)


def has_congestion_control(name: str, available: Path = AVAILABLE) -> bool:
    """Of those that are modules, a kernel says only which it has loaded."""
    if name not in available.read_text().split() and shutil.which("modprobe"):
        subprocess.run(["modprobe", "--quiet", f"tcp_{name}"], check=False, capture_output=True)
    return name in available.read_text().split()


def require_congestion_control(name: str, available: Path = AVAILABLE) -> None:
    if not has_congestion_control(name, available):
        raise Missing(
            f"this kernel has no congestion control {name}, only {', '.join(available.read_text().split())}. Maybe leave out the rival {name}"
        )
