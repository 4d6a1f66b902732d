"""AQoS's network: ten hosts, six switches, two ingress switches, one link that all flows cross.

    QoS1 QoS2 BE -- 1 \\             / 5 -- their sinks
                       3 ======== 4
         QoS3 QoS4 -- 2 /             \\ 6 -- their sinks

The paper's figure 3 is lost in its text: which sources share an ingress switch is this lab's choice. Its table I gives QoS3
and BE the same sink, its text one to each flow; here each has its own.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from ..networks.emulated_network import EmulatedNetwork
from ..networks.topology import Host, Link, Topology
from .draws import BEST_EFFORT, BOTTLENECK_KBPS, Experiment

SOURCES = {"QoS1": 1, "QoS2": 1, BEST_EFFORT: 1, "QoS3": 2, "QoS4": 2}
SINKS = {"QoS1": 5, "QoS2": 5, BEST_EFFORT: 5, "QoS3": 6, "QoS4": 6}
NARROW = "3-4"
LINK_MBIT, HOST_MBIT = BOTTLENECK_KBPS / 1000, 3
DELAY_MS = 1.0
# A tenth of a second of the link. Each of the classes' queues holds as much.
BUFFER_BYTES = 62_500
# Each flow's packets carry its queue of table II, whoever looks at it.
DSCP = {1: 10, 2: 18, 3: 0}
PORT = 7000


def source(flow: str) -> str:
    return f"s{flow.lower()}"


def sink(flow: str) -> str:
    return f"d{flow.lower()}"


def six_switches() -> Topology:
    links = tuple(Link(a, b, DELAY_MS, LINK_MBIT) for a, b in ((1, 3), (2, 3), (3, 4), (4, 5), (4, 6)))
    ends = [*((source(flow), at) for flow, at in SOURCES.items()), *((sink(flow), at) for flow, at in SINKS.items())]
    return Topology(6, links, tuple(Host(name, number, at) for number, (name, at) in enumerate(ends, 1)))


class Bottleneck(EmulatedNetwork):
    """Forwards by its own rules for the rivals; a controller may take it over, and give it back."""

    def open(self) -> "Bottleneck":
        super().open()
        try:
            everybody = self.topology.hosts
            for host in everybody:
                for words in (
                    "qdisc add dev eth0 root handle 1: htb default 1",
                    f"class add dev eth0 parent 1: classid 1:1 htb rate {HOST_MBIT}mbit ceil {HOST_MBIT}mbit burst 3028 cburst 3028",
                ):
                    self.host(host.name, "tc", *words.split())
                for other in everybody:
                    if other is not host:
                        self.host(host.name, "ip", "neigh", "replace", other.address, "lladdr", other.mac, "dev", "eth0", "nud", "permanent")
            return self
        except BaseException:
            self.close()
            raise

    def forget(self) -> None:
        """Switches without rules, without meters and without a controller."""
        for switch in self.topology.numbers():
            self.disconnect(switch)
            self.ofctl("del-flows", switch)
            self.ofctl("del-meters", switch)

    def forward(self, meters_kbps: dict[str, float]) -> None:
        """Everybody reaches everybody by the only way; these flows pass a drop meter at their first switch."""
        for switch in self.topology.numbers():
            for host in self.topology.hosts:
                self.ofctl("add-flow", switch, f"priority=10,ip,nw_dst={host.address},actions=output:{self.next_port(switch, host)}")
        for number, (flow, kbps) in enumerate(meters_kbps.items(), 1):
            first, target = SOURCES[flow], self.hosts[sink(flow)]
            # A burst of an eighth of a second, as the application gives its own.
            band = f"type=drop,rate={int(kbps)},burst_size={max(25, int(kbps / 8))}"
            self.ofctl("add-meter", first, f"meter={number},kbps,burst,bands={band}")
            match = f"priority=20,ip,nw_src={self.hosts[source(flow)].address},nw_dst={target.address}"
            self.ofctl("add-flow", first, f"{match},actions=meter:{number},output:{self.next_port(first, target)}")

    def next_port(self, switch: int, host: Host) -> int:
        if host.switch == switch:
            return self.port(host.name)
        return self.port(self._next_link(switch, host.switch).name)

    def _next_link(self, switch: int, target: int) -> Link:
        """Of the only way there is, found from its end."""
        waiting, seen = deque([target]), {target}
        while waiting:
            here = waiting.popleft()
            for link in self.topology.links:
                if here in (link.a, link.b):
                    other = link.a if link.b == here else link.b
                    if other == switch:
                        return link
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
        raise ValueError(f"There is no way from switch {switch} to switch {target}.")

    def share_by(self, weights: str | None) -> None:
        """A FIFO at the narrow link, or a queue for each class of DSCPs."""
        queue = ("--queue", "weighted", "--weights", weights) if weights else ("--queue", "fifo")
        self.change_wire(NARROW, "--fifo", str(BUFFER_BYTES), *queue)

    def narrow_counters(self) -> dict[str, Any]:
        return self.carried(NARROW)["forward"]


def by_class(one: Experiment) -> str:
    """Three queues, as table II has them."""
    first, second, rest = (f"{one.queues[number]:g}" for number in (1, 2, 3))
    return f"{DSCP[1]}:{first},{DSCP[2]}:{second},{rest}"


def qos_and_best_effort(one: Experiment) -> str:
    """Two queues: all of QoS, and the rest."""
    return f"{DSCP[1]}+{DSCP[2]}:{one.queues[1] + one.queues[2]:g},{one.queues[3]:g}"


def reserved_meters(one: Experiment) -> dict[str, float]:
    return {flow.name: flow.reserved for flow in one.qos if flow.reserved is not None}


def all_meters(one: Experiment) -> dict[str, float]:
    """Best effort has its share of the beginning."""
    meters = reserved_meters(one)
    return {**meters, BEST_EFFORT: BOTTLENECK_KBPS - sum(meters.values())}
