"""Numbered, stamped UDP packets: what was lost, and how long each was on its way.

    python3 -m paceline_lab.networks.probe send [--seconds S] [--dscp D] NAME:SOURCE_PORT:ADDRESS:PORT:PACKETS_PER_S:BYTES ...
    python3 -m paceline_lab.networks.probe receive PORT ...

Both go on until SIGTERM (or S seconds) and then print JSON; SIGUSR1 makes a receiver forget what arrived so far. Sender and receiver share one machine and so one clock.
`BYTES` counts the UDP payload.
"""

from __future__ import annotations

import argparse
import json
import select
import signal
import socket
import struct
import sys
import time
from dataclasses import dataclass, field
from typing import Any

HEADER = struct.Struct("!QQ")
# Longer than between two packets of any sender here.
PAUSE_NS = 50_000_000
ending = forgetting = False


def end(*_: Any) -> None:
    global ending
    ending = True


def forget(*_: Any) -> None:
    global forgetting
    forgetting = True


@dataclass
class Flow:
    name: str
    socket: socket.socket
    interval_ns: int
    payload: bytes
    due_ns: int = 0
    sent: int = 0
    refused: int = 0

    @staticmethod
    def parse(text: str, dscp: int) -> "Flow":
        name, source, rest = text.split(":", 2)
        address, port, rate, size = rest.rsplit(":", 3)  # an address of IPv6 has colons, too
        if ":" in address:
            made = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, dscp << 2)
        else:
            made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            made.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, dscp << 2)
        made.bind(("", int(source)))
        made.connect((address, int(port)))
        made.setblocking(False)
        return Flow(name, made, round(1e9 / float(rate)), bytes(int(size) - HEADER.size))

    def send(self, now_ns: int) -> None:
        try:
            self.socket.send(HEADER.pack(self.sent, now_ns) + self.payload)
            self.sent += 1
        except (BlockingIOError, ConnectionRefusedError):
            self.refused += 1  # held back by the sender's own kernel, or nobody listens yet
        self.due_ns += self.interval_ns


def send(flows: list[Flow], seconds: float) -> dict[str, Any]:
    start = time.monotonic_ns()
    for number, flow in enumerate(flows):
        flow.due_ns = start + number * flow.interval_ns // max(1, len(flows))
    until = start + round(seconds * 1e9)
    while not ending:
        now = time.monotonic_ns()
        if now >= until:
            break
        for flow in flows:
            while flow.due_ns <= now:
                flow.send(time.monotonic_ns())
        time.sleep(max(0.0, (min(flow.due_ns for flow in flows) - time.monotonic_ns()) / 1e9))
    return {f.name: {"sent": f.sent, "refused": f.refused, "seconds": (time.monotonic_ns() - start) / 1e9} for f in flows}


@dataclass
class Arrivals:
    delays_ms: list[float] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    bytes: int = 0
    duplicates: int = 0
    longest_gap_ms: float = 0.0
    pauses: list[tuple[float, float]] = field(default_factory=list)
    last_ns: int = 0

    def add(self, packet: bytes) -> None:
        now = time.monotonic_ns()
        number, sent_ns = HEADER.unpack_from(packet)
        if number in self.numbers:
            self.duplicates += 1
            return
        self.numbers.add(number)
        self.bytes += len(packet)
        self.delays_ms.append((now - sent_ns) / 1e6)
        if self.last_ns:
            self.longest_gap_ms = max(self.longest_gap_ms, (now - self.last_ns) / 1e6)
            if now - self.last_ns > PAUSE_NS:
                self.pauses.append((self.last_ns / 1e9, now / 1e9))
        self.last_ns = now

    def lost(self) -> int:
        """Between the first and the last that arrived."""
        return max(self.numbers) - min(self.numbers) + 1 - len(self.numbers) if self.numbers else 0

    def holes(self) -> int:
        """In how many places some are missing: a pause of the machine makes one, however many it costs."""
        return sum(number + 1 not in self.numbers for number in self.numbers) - 1 if self.numbers else 0

    def summary(self) -> dict[str, Any]:
        ordered = sorted(self.delays_ms)

        def quantile(q: float) -> float | None:
            return round(ordered[min(len(ordered) - 1, int(q * len(ordered)))], 3) if ordered else None

        return {
            "received": len(self.numbers), "first": min(self.numbers, default=None), "lost": self.lost(), "holes": self.holes(), "bytes": self.bytes, "duplicates": self.duplicates,
            "gapMs": round(self.longest_gap_ms, 1), "leastMs": quantile(0), "p50Ms": quantile(0.5),
            "p95Ms": quantile(0.95), "p99Ms": quantile(0.99), "pauses": self.pauses,
        }  # fmt: skip


def take(ready: socket.socket, arrivals: Arrivals) -> None:
    try:
        while True:
            arrivals.add(ready.recv(2048))
    except BlockingIOError:
        pass


def receive(ports: list[int]) -> dict[str, Any]:
    global forgetting
    arrivals: dict[int, Arrivals] = {}
    waiting: dict[socket.socket, Arrivals] = {}
    for port in ports:
        made = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        made.bind(("", port))
        made.setblocking(False)
        waiting[made] = arrivals[port] = Arrivals()
    print("listening", flush=True)
    while not ending:
        if forgetting:
            forgetting = False
            for port, (made, _) in zip(ports, list(waiting.items())):
                waiting[made] = arrivals[port] = Arrivals()
        for ready in select.select(list(waiting), [], [], 0.1)[0]:
            take(ready, waiting[ready])
    # What came before the end, and waited for a processor.
    for made, one in waiting.items():
        take(made, one)
    return {str(port): one.summary() for port, one in arrivals.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--dscp", type=int, default=0)
    parser.add_argument("role", choices=("send", "receive"))
    parser.add_argument("what", nargs="+")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGUSR1, forget)
    if options.role == "send":
        answer = send([Flow.parse(one, options.dscp) for one in options.what], options.seconds)
    else:
        answer = receive([int(one) for one in options.what])
    json.dump(answer, sys.stdout)
    print(flush=True)


if __name__ == "__main__":
    main()
