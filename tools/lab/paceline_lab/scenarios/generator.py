"""Programmed traffic: one rate after the other, without a pause between them, over UDP or over TCP.

    python3 -m paceline_lab.scenarios.generator udp|tcp ADDRESS:PORT --from PORT --dscp D --at T --interval S KBPS ...
    python3 -m paceline_lab.scenarios.generator udp ADDRESS:PORT --sockets N --at T --interval S KBPS ...
    python3 -m paceline_lab.scenarios.generator sink PORT

`--at` is when the first interval begins, by CLOCK_MONOTONIC, which all namespaces of a machine share; from the program's
own start until then the first rate is sent already. Rates are of frames on the link. Datagrams are numbered from 0 by
their first eight bytes. Sockets, each with a port of its own, take turns: the rate is that of all of them together. A sender
ends by itself after its last interval. A sink takes whatever comes over UDP or TCP until SIGTERM, and says `listening` once it does.

Over TCP the application writes at this rate. What TCP does not take for longer than a moment is never written, as with
a live source: else an interval's rate would be sent in the next.
"""

from __future__ import annotations

import argparse
import contextlib
import select
import signal
import socket
import struct
import time
from dataclasses import dataclass

# A frame of Ethernet without checksum: 14 bytes, IPv4 20, UDP 8 or TCP 20 with timestamps 12.
UDP_PAYLOAD, UDP_FRAME = 1000, 1042
TCP_PAYLOAD, TCP_FRAME = 1448, 1514
# The most that is behind: more is not made up for.
BACKLOG_S = 0.25
SEND_BUFFER = 32_768


@dataclass(frozen=True)
class Program:
    """What is to be sent when."""

    at: float
    interval_s: float
    kbps: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.kbps or min(self.kbps) <= 0:
            raise ValueError(f"The rates ({', '.join(map(str, self.kbps))}) must be positive, one for each interval.")
        if self.interval_s <= 0:
            raise ValueError(f"The interval ({self.interval_s} s) must be positive.")

    @property
    def end(self) -> float:
        return self.at + self.interval_s * len(self.kbps)

    def rate_at(self, moment: float) -> float:
        """In kbit/s; before the first interval, the first's."""
        place = int((moment - self.at) // self.interval_s)
        return self.kbps[min(max(place, 0), len(self.kbps) - 1)]


class Due:
    """How many frames are due, with the part of a frame that is left over."""

    def __init__(self, program: Program, frame_bytes: int, begin: float):
        self.program = program
        self.frame_bytes = frame_bytes
        self.moment = begin
        self.owed = 0.0

    def frames(self, now: float) -> int:
        """Until now; a rate that changed in the meantime counts for its own part."""
        edges = [self.program.at + i * self.program.interval_s for i in range(1, len(self.program.kbps))]
        for until in [*(edge for edge in edges if self.moment < edge < now), now]:
            self.owed += self.program.rate_at(self.moment) * 125 * (until - self.moment) / self.frame_bytes
            self.moment = until
        most = self.program.rate_at(now) * 125 * BACKLOG_S / self.frame_bytes
        self.owed = min(self.owed, max(most, 1.0))
        return int(self.owed)

    def sent(self, frames: int) -> None:
        self.owed -= frames

    def next(self) -> float:
        """When one more is due."""
        return self.moment + max(0.0, 1 - self.owed) * self.frame_bytes / (self.program.rate_at(self.moment) * 125)


def send_udp(made: list[socket.socket], program: Program) -> None:
    payload = bytearray(UDP_PAYLOAD)
    due, number = Due(program, UDP_FRAME, time.monotonic()), 0
    while (now := time.monotonic()) < program.end:
        for _ in range(due.frames(now)):
            struct.pack_into("!Q", payload, 0, number)
            one = made[number % len(made)]
            number += 1
            try:
                one.send(payload)
            except (BlockingIOError, ConnectionRefusedError):
                pass  # held back by the own kernel, or nobody listens yet: lost, as on any link
            due.sent(1)
        time.sleep(max(0.0, due.next() - time.monotonic()))


def send_tcp(made: socket.socket, program: Program) -> None:
    due = Due(program, TCP_FRAME, time.monotonic())
    payload = memoryview(bytes(TCP_PAYLOAD))
    left = 0
    while (now := time.monotonic()) < program.end:
        for _ in range(due.frames(now)):
            try:
                # What was taken in part is completed first, so that segments stay whole.
                taken = made.send(payload[TCP_PAYLOAD - left :] if left else payload)
                left = (left or TCP_PAYLOAD) - taken
            except BlockingIOError:
                break
            if left == 0:
                due.sent(1)
        wait = max(0.0, due.next() - time.monotonic())
        if wait == 0.0:
            select.select([], [made], [], 0.05)
        else:
            time.sleep(wait)


def opened(kind: str, target: str, port: int, dscp: int) -> socket.socket:
    """From this port, or from any where it is 0."""
    address, remote = target.rsplit(":", 1)
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
    made.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, dscp << 2)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(("", port))
    if kind == "tcp":
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.connect((address, int(remote)))
    made.setblocking(False)
    return made


def send(kind: str, target: str, port: int, sockets: int, dscp: int, program: Program) -> None:
    with contextlib.ExitStack() as stack:
        made = [stack.enter_context(opened(kind, target, port and port + number, dscp)) for number in range(sockets)]
        if kind == "udp":
            send_udp(made, program)
        else:
            send_tcp(made[0], program)


def sink(port: int) -> None:
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("", port))
    server = socket.create_server(("", port))
    open_sockets = [datagrams, server]
    print("listening", flush=True)
    while True:
        for ready in select.select(open_sockets, [], [])[0]:
            if ready is server:
                open_sockets.append(server.accept()[0])
            elif ready is datagrams:
                ready.recv(2048)
            else:
                try:
                    gone = not ready.recv(65536)
                except ConnectionResetError:
                    gone = True
                if gone:
                    open_sockets.remove(ready)
                    ready.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    roles = parser.add_subparsers(dest="role", required=True)
    for kind in ("udp", "tcp"):
        sender = roles.add_parser(kind)
        sender.add_argument("target")
        sender.add_argument("--from", dest="port", type=int, default=0)
        if kind == "udp":
            sender.add_argument("--sockets", type=int)
        sender.set_defaults(sockets=1)
        sender.add_argument("--dscp", type=int, default=0)
        sender.add_argument("--at", type=float, required=True)
        sender.add_argument("--interval", type=float, required=True)
        sender.add_argument("kbps", type=float, nargs="+")
    roles.add_parser("sink").add_argument("port", type=int)
    got = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if got.role == "sink":
        sink(got.port)
    else:
        send(got.role, got.target, got.port, got.sockets, got.dscp, Program(got.at, got.interval, tuple(got.kbps)))


if __name__ == "__main__":
    main()
