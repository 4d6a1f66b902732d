"""What every link may be sent, at moments between two readings of all that senders and switches hold.

Two readings right after each other frame a moment. A conversation counts on a link that it was led over in both, with the
lesser of the two rates: so much it could send there at that moment, whatever changed meanwhile, and no sum is made of things
that never held together. What leads to a cut link counts on no link behind it.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from .emulated_network import EmulatedNetwork
from .installed import Meters, PacingClasses, Tables
from .topology import Host


@dataclass(frozen=True)
class Sender:
    """A conversation's packets: UDP, with one port at both ends."""

    host: Host
    to: Host
    port: int


@dataclass(frozen=True)
class Held:
    """Bits per second, infinite where nobody holds it back; and the links by which it leaves switch after switch."""

    rate: float
    way: tuple[tuple[str, int], ...]


class Reading:
    """Reads what is held of each of these conversations."""

    def __init__(self, network: EmulatedNetwork, senders: list[Sender], paced: tuple[str, ...]):
        """`paced` are the hosts with agents."""
        self._network = network
        self._senders = senders
        self._links = {network.port(name): link for name, link in network.links.items()}
        self._tables = Tables(network.directory)
        self._meters = {s: Meters(network.directory / f"s{s}.mgmt") for s in {each.host.switch for each in senders}}
        self._classes = {host: PacingClasses(network.namespace(host), "eth0") for host in paced}
        self._minors = self._class_numbers()

    def _class_numbers(self) -> dict[str, dict[int, int]]:
        """Of each port, by host; for all of these conversations' lives."""
        return {host: classes.minors() for host, classes in self._classes.items()}

    def still_knows_classes(self) -> None:
        now = self._class_numbers()
        for sender in self._senders:
            of = sender.host.name
            if of in now and now[of].get(sender.port) != self._minors[of].get(sender.port):
                raise RuntimeError(f"port {sender.port} of {of} has another class than at the beginning: what was read is void")

    def all(self) -> dict[Sender, Held]:
        ways, metered = self._walk()
        classes = {host: of.rates() for host, of in self._classes.items()}
        meters = {switch: of.rates() for switch, of in self._meters.items()}
        found = {}
        for sender in self._senders:
            name = sender.host.name
            rate: float = math.inf
            if name in classes:
                rate = classes[name].get(self._minors[name].get(sender.port, -1), math.inf)
            for switch, meter in metered[sender]:
                rate = min(rate, meters[switch].get(meter, math.inf))
            found[sender] = Held(rate, tuple(ways[sender]))
        return found

    def _walk(self) -> tuple[dict[Sender, list[tuple[str, int]]], dict[Sender, list[tuple[int, int]]]]:
        """All side by side, from switch to switch."""
        ways: dict[Sender, list[tuple[str, int]]] = {sender: [] for sender in self._senders}
        metered: dict[Sender, list[tuple[int, int]]] = {sender: [] for sender in self._senders}
        here = {sender: (sender.host.switch, self._network.port(sender.host.name)) for sender in self._senders}
        while here:
            asked = [(f"s{switch}", udp_packet(sender.host, sender.to, port, sender.port, sender.port)) for sender, (switch, port) in here.items()]
            done = dict(zip(here, self._tables.follow(asked), strict=True))
            there = {}
            for sender, (outputs, meters) in done.items():
                switch = here[sender][0]
                metered[sender] += [(switch, meter) for meter in meters if switch in self._meters]
                link = self._links.get(outputs[0]) if outputs else None
                if link and (link.name, switch) not in ways[sender]:
                    ways[sender].append((link.name, switch))
                    there[sender] = (link.b if link.a == switch else link.a, outputs[0])
            here = there
        return ways, metered

    def close(self) -> None:
        for each in (self._tables, *self._meters.values(), *self._classes.values()):
            each.close()


def udp_packet(host: Host, to: Host, in_port: int, from_port: int, to_port: int) -> str:
    """As `Tables.follow` is asked for it: one that comes in at this port of a switch."""
    return (
        f"in_port={in_port},udp,dl_src={host.mac},dl_dst={to.mac},nw_src={host.address},"
        f"nw_dst={to.address},nw_ttl=64,udp_src={from_port},udp_dst={to_port}"
    )


def at_one_moment(first: dict[Sender, Held], second: dict[Sender, Held], cut: set[str]) -> dict[tuple[str, int], float]:
    """The least that each directed link (its name and the switch that sends) may have been sent between two readings, in bit/s."""
    sums: Counter[tuple[str, int]] = Counter()
    for sender, held in first.items():
        again = second[sender]
        behind = alive(again.way, cut)
        for hop in alive(held.way, cut):
            if hop in behind:
                sums[hop] += min(held.rate, again.rate)
    return dict(sums)


def alive(way: tuple[tuple[str, int], ...], cut: set[str]) -> tuple[tuple[str, int], ...]:
    """As far as packets come."""
    dead = next((n for n, (name, _) in enumerate(way) if name in cut), len(way))
    return way[:dead]


@dataclass
class LoadWatch:
    """Beside a test, from `with` to the end of it. What it found is read after that."""

    network: EmulatedNetwork
    senders: list[Sender]
    paced: tuple[str, ...]
    # The part of a link's capacity that conversations may be sending: PlannerSettings' usableThousandths.
    usable: float = 0.96
    period_s: float = 0.1
    samples: int = 0
    changing: int = 0
    longest_ms: float = 0
    greatest: dict[tuple[str, int], float] = field(default_factory=dict)
    overloads: list[str] = field(default_factory=list)

    def __enter__(self) -> "LoadWatch":
        self._reading = Reading(self.network, self.senders, self.paced)
        self._over = threading.Event()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._watch, name="loads")
        self._thread.start()
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        self._over.set()
        self._thread.join()
        self._reading.close()
        if self._failure and kind is None:
            raise self._failure

    def _watch(self) -> None:
        try:
            while not self._over.wait(self.period_s):
                self._sample()
            self._reading.still_knows_classes()
        except Exception as failure:
            self._failure = failure

    def __str__(self) -> str:
        greatest = {f"{name} from {switch}": round(load / 1e6, 3) for (name, switch), load in sorted(self.greatest.items())}
        return (
            f"{self.samples} samples, {self.changing} while something changed, {self.longest_ms:.0f} ms for one at most; "
            f"greatest sums in Mbit/s {greatest}"
        )

    def _sample(self) -> None:
        began = time.monotonic()
        cut = set(self.network.down)
        first, second = self._reading.all(), self._reading.all()
        cut |= self.network.down
        self.samples += 1
        self.changing += first != second
        self.longest_ms = max(self.longest_ms, 1000 * (time.monotonic() - began))
        for hop, load in at_one_moment(first, second, cut).items():
            self.greatest[hop] = max(self.greatest.get(hop, 0), load)
            if load > self.usable * self.network.links[hop[0]].mbit * 1e6:
                self.overloads.append(f"{began:.3f} s: {load / 1e6:.3f} Mbit/s on {hop}, cut {sorted(cut)}: {first} then {second}")
