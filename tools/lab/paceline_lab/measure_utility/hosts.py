"""Two hosts and a line between them that has the throughput and the delay of one place of the grid.

    server (eth0) === wire (delay, both ways) === (eth0) client

The throughput is held where Paceline holds it: at the sending host, by an HTB class that its sockets feel. So nothing is
dropped and no queue grows in the network. The other direction has no limit. What a host sends are whole frames of a wire,
and these are what the throughput counts.
"""

from __future__ import annotations

import subprocess
from typing import Any

from ..machine.ledger import Ledger
from ..networks import cables
from ..networks.hosts import Hosts
from ..networks.space import LedgerSpace, inside
from ..networks.topology import Host

NAMESPACE = "paceline-utility"
SERVER, CLIENT = "10.9.0.1", "10.9.0.2"
TO_CLIENT, TO_SERVER = "to-client", "to-server"
# As the agent's: what leaves at once, so that a timer that is late loses nothing.
BURST_S, LEAST_BURST = 0.002, 1600


class TwoHosts(Hosts):
    """Of a run with a ledger, which undoes it."""

    space: LedgerSpace

    def __init__(self, ledger: Ledger, limited: str):
        """`limited` is the direction that has the grid's throughput."""
        # They are at no switch.
        self.server, self.client = Host("server", 1, 0, SERVER), Host("client", 2, 0, CLIENT)
        super().__init__(LedgerSpace(NAMESPACE, ledger), (self.server, self.client))
        self.servers, self.clients = (self.server,), (self.client,)
        self.limited = limited
        self.wire: subprocess.Popen[Any] | None = None

    def start(self) -> None:
        for name, host in self.hosts.items():
            namespace = self.namespace(name)
            self.space.add_namespace(namespace)
            cables.cable(inside(NAMESPACE), f"h-{name}", inside(namespace), "eth0", namespace)
            self.host(name, "ip", "address", "add", f"{host.address}/{host.prefix}", "dev", "eth0")
            # Over a short way TCP hands 64 kB at once to the queue, which HTB lets go as one: an answer would be there at once.
            self.host(name, "ip", "link", "set", "eth0", "gso_max_segs", "1")

    def become(self, rate_kbps: float, delay_ms: float) -> None:
        """What waits from before is gone, and so is what the hosts remember of each other."""
        if self.wire:
            self.end(self.wire)
        sender = (self.server if self.limited == TO_CLIENT else self.client).name
        for name in self.hosts:
            self.host(name, "tc", "qdisc", "delete", "dev", "eth0", "root", check=False)
            self.use_congestion_control(name, "cubic")
        burst = max(LEAST_BURST, round(rate_kbps * 1000 / 8 * BURST_S))
        self.host(sender, "tc", "qdisc", "add", "dev", "eth0", "root", "handle", "1:", "htb", "default", "1")
        self.host(sender, "tc", "class", "add", "dev", "eth0", "parent", "1:", "classid", "1:1", "htb", "rate", f"{round(rate_kbps * 1000)}bit",
                  "burst", str(burst), "cburst", str(burst), "quantum", "1514")  # fmt: skip
        stats = self.directory / "wire.jsonl"
        stats.unlink(missing_ok=True)
        words = cables.wire("h-server", "h-client", 0, delay_ms, stats=stats)
        self.wire = self.popen(*words, stdout=subprocess.DEVNULL, stderr=self.log("wire"))
        cables.wait_until_it_counts(self.wire, stats, self.directory / "wire.log")
