"""Somebody who takes all meters of a switch, so that it really refuses the next one (OFPMMFC_OUT_OF_METERS)."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
from collections.abc import Callable, Iterator
from typing import Any

HELLO, ERROR, ECHO_REQUEST, BARRIER_REQUEST, BARRIER_REPLY, METER_MOD = 0, 1, 2, 20, 21, 29
BRIDGE = "hoard"


@contextlib.contextmanager
def no_meter_left(network: Any) -> Iterator[Callable[[], str]]:
    """All bridges of Open vSwitch's userspace datapath share its meters: a bridge that leads nowhere takes what is left.
    What it gives takes one more, that somebody has given back."""
    network.vsctl("add-br", BRIDGE, "--", "set", "bridge", BRIDGE, "datapath_type=netdev", "protocols=OpenFlow13", "fail_mode=secure")
    try:
        most = int(re.search(r"max_meter:(\d+)", network.ovs.ofctl("meter-features", BRIDGE))[1])
        _take(str(network.directory / f"{BRIDGE}.mgmt"), most)
        yield lambda: network.ovs.ofctl("add-meter", BRIDGE, f"meter={most},kbps,band=type=drop,rate=1000")
    finally:
        network.vsctl("del-br", BRIDGE)


def _take(switch: str, most: int) -> None:
    """Over OpenFlow, since a call of ovs-ofctl a meter would take an hour."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(switch)
        connection.sendall(struct.pack("!BBHI", 4, HELLO, 8, 0))
        answers = connection.makefile("rb")
        _next(answers, HELLO)
        refused = 0
        # A few at a time: neither side may wait for the other with both buffers full.
        for first in range(1, most + 1, 1000):
            numbers = range(first, min(first + 1000, most + 1))
            barrier = struct.pack("!BBHI", 4, BARRIER_REQUEST, 8, 0)
            connection.sendall(b"".join(map(_meter, numbers)) + barrier)
            refused += _next(answers, BARRIER_REPLY)
        assert refused > 0, "the last ones must be refused: others have meters, too"


def _meter(number: int) -> bytes:
    """Adds a meter that drops what is beyond 1000 kbit/s."""
    band = struct.pack("!HHIII", 1, 16, 1000, 0, 0)
    return struct.pack("!BBHI", 4, METER_MOD, 32, number) + struct.pack("!HHI", 0, 1, number) + band


def _next(answers: Any, wanted: int) -> int:
    """Reads up to the wanted message; how many errors came before it."""
    errors = 0
    while True:
        _, kind, length, _ = struct.unpack("!BBHI", answers.read(8))
        answers.read(length - 8)
        errors += kind == ERROR
        if kind == wanted:
            return errors
