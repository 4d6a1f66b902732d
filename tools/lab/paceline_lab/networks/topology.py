"""What a network is to be: switches by number, links with rate, delay and buffer, hosts. `emulated_network` builds it."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    a: int
    b: int
    delay_ms: float
    mbit: float
    # What waits for the link at each end, at most.
    fifo_bytes: int = 200_000

    @property
    def name(self) -> str:
        return f"{self.a}-{self.b}"


@dataclass(frozen=True)
class Host:
    """At a switch. Its MAC and its management link are by its number, and so are its addresses, unless it is given one."""

    name: str
    # From 1 to 254.
    number: int
    switch: int
    address: str = ""
    # Of its IPv4 network, from 1 to 30; that of IPv6 is always 64.
    prefix: int = 24
    # Beside an `address` only; none where it has no IPv6.
    address6: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.number <= 254:
            raise ValueError(f"The number ({self.number}) of the host {self.name} must be from 1 to 254, as its MAC and its addresses are made of it. Maybe 1.")
        if not 1 <= self.prefix <= 30:
            raise ValueError(f"The prefix ({self.prefix}) of the host {self.name} must be from 1 to 30, so that others have room. Maybe 24.")
        if self.address6 and not self.address:
            raise ValueError(f"The host {self.name} has an IPv6 address ({self.address6}) and none of IPv4. Maybe give it both, or neither.")
        self._check("IPv4", ipaddress.IPv4Address, self.address, "10.1.0.1")
        self._check("IPv6", ipaddress.IPv6Address, self.address6, "fd00:1::1")
        if not self.address:
            object.__setattr__(self, "address", f"10.20.0.{self.number}")
            object.__setattr__(self, "address6", f"fd00:20::{self.number}")

    def _check(self, kind: str, parse: Callable[[str], object], address: str, like: str) -> None:
        try:
            if address:
                parse(address)
        except ValueError:
            raise ValueError(f"The address ({address}) of the host {self.name} is no {kind} address. Maybe {like}.") from None

    @property
    def network(self) -> str:
        return str(ipaddress.ip_interface(f"{self.address}/{self.prefix}").network)

    @property
    def neighbour(self) -> str:
        """The highest address of its network that is not its own, whether another host has it or not."""
        network = ipaddress.ip_network(self.network)
        return next(address for address in (str(network[-2]), str(network[-3])) if address != self.address)

    @property
    def mac(self) -> str:
        return f"02:00:00:00:20:{self.number:02x}"

    @property
    def management(self) -> str:
        """The controller, as this host sees it."""
        return f"172.31.{self.number}.1"


@dataclass(frozen=True)
class Topology:
    switches: int
    links: tuple[Link, ...]
    hosts: tuple[Host, ...]
    first: int = 1

    def numbers(self) -> range:
        return range(self.first, self.first + self.switches)


def device(switch: int) -> str:
    return f"of:{switch:016x}"


# A diamond (1-2-4 is quick, 1-3-4 slow and wide) and, apart from it, a ring of five (5-6 is quick, the way round slow).
DIAMOND_AND_RING = Topology(
    9,
    (
        Link(1, 2, 2, 3), Link(2, 4, 2, 3), Link(1, 3, 40, 30), Link(3, 4, 40, 30),
        Link(5, 6, 3, 3), Link(6, 7, 20, 30), Link(7, 8, 20, 30), Link(8, 9, 20, 30), Link(9, 5, 20, 30),
    ),
    (Host("d1", 1, 1), Host("d2", 2, 4), Host("d3", 3, 1), Host("r1", 5, 5), Host("r2", 6, 6)),
)  # fmt: skip
