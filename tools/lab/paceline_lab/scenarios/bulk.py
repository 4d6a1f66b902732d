"""Elephants and what they trample on: greedy TCP, and who receives TCP and numbered datagrams.

    python3 -m paceline_lab.scenarios.bulk send ADDRESS:PORT --from PORT --connections N --congestion NAME --at T --until T
    python3 -m paceline_lab.scenarios.bulk receive PORT

A sender ends by itself and prints one JSON line of what TCP says of its connections: segments sent, sent again, and found
reordered. A receiver takes whatever comes over TCP, and datagrams whose first eight bytes count them (`generator` sends
such), until SIGTERM; then it prints what had arrived when. Moments are those of CLOCK_MONOTONIC, which all namespaces of a
machine share.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import selectors
import signal
import socket
import struct
import time
from typing import Any

SAMPLE_S = 0.1
BLOCK = 65_536
# Places in Linux' struct tcp_info (include/uapi/linux/tcp.h).
TOTAL_RETRANS, DATA_SEGS_IN, DATA_SEGS_OUT, REORD_SEEN, RCV_OOOPACK = 100, 152, 156, 220, 224


def tcp_info(made: socket.socket, *places: int) -> list[int]:
    raw = made.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    return [struct.unpack_from("I", raw, place)[0] for place in places]


def send(target: str, port: int, connections: int, congestion: str, at: float, until: float) -> dict[str, int]:
    """From this port on, or from any where it is 0."""
    address, remote = target.rsplit(":", 1)
    time.sleep(max(0.0, at - time.monotonic()))
    with contextlib.ExitStack() as stack:
        waiting = stack.enter_context(selectors.DefaultSelector())
        opened = []
        for number in range(connections):
            made = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, congestion.encode())
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(("", port and port + number))
            made.setblocking(False)
            made.connect_ex((address, int(remote)))
            waiting.register(made, selectors.EVENT_WRITE)
            opened.append(made)
        block = bytes(BLOCK)
        # A queue may be full: what cannot be written by then is not.
        while time.monotonic() < until:
            for key, _ in waiting.select(0.2):
                with contextlib.suppress(BlockingIOError):
                    key.fileobj.send(block)  # type: ignore[union-attr]
        told = [tcp_info(made, DATA_SEGS_OUT, TOTAL_RETRANS, REORD_SEEN) for made in opened]
        for made in opened:
            # What waits is not wanted any more.
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sent, again, reordered = map(sum, zip(*told))
    return {"segments": sent, "retransmitted": again, "reordered": reordered}


class Receiver:
    """What arrived when: of each TCP connection bytes by its sender's port, of datagrams how many and how many there should be."""

    def __init__(self, port: int):
        self.waiting = selectors.DefaultSelector()
        self.server = socket.create_server(("", port), backlog=512)
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("", port))
        for one in (self.server, self.datagrams):
            one.setblocking(False)
            self.waiting.register(one, selectors.EVENT_READ)
        self.bytes: dict[int, int] = {}
        self.segments: dict[int, list[int]] = {}
        self.got = self.expected = 0
        self.samples: list[tuple[float, dict[int, int], int, int]] = []
        self.ended = False

    def run(self) -> dict[str, Any]:
        due = time.monotonic()
        while not self.ended:
            for key, _ in self.waiting.select(max(0.0, due - time.monotonic())):
                self._ready(key.fileobj, key.data)  # type: ignore[arg-type]
            if time.monotonic() >= due:
                self.samples.append((time.monotonic(), dict(self.bytes), self.got, self.expected))
                due += SAMPLE_S
        return {
            "at": [moment for moment, *_ in self.samples],
            "bytes": {port: [found.get(port, 0) for _, found, *_ in self.samples] for port in self.bytes},
            "datagrams": [got for *_, got, _ in self.samples],
            "datagramsExpected": [expected for *_, expected in self.samples],
            "segments": {port: {"arrived": arrived, "outOfOrder": late} for port, (arrived, late) in self.segments.items()},
        }

    def _ready(self, one: socket.socket, port: int | None) -> None:
        if one is self.server:
            made, (_, port) = one.accept()
            made.setblocking(False)
            self.bytes[port] = 0
            self.waiting.register(made, selectors.EVENT_READ, port)
        elif one is self.datagrams:
            for _ in range(64):
                try:
                    number = struct.unpack_from("!Q", one.recv(2048))[0]
                except BlockingIOError:
                    return
                self.got += 1
                self.expected = max(self.expected, number + 1)
        elif port is not None:
            self._read(one, port)

    def _read(self, one: socket.socket, port: int) -> None:
        try:
            taken = len(one.recv(4 * BLOCK))
            self.segments[port] = tcp_info(one, DATA_SEGS_IN, RCV_OOOPACK)
        except ConnectionResetError:
            taken = 0
        self.bytes[port] += taken
        if not taken:
            self.waiting.unregister(one)
            one.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    roles = parser.add_subparsers(dest="role", required=True)
    sender = roles.add_parser("send")
    sender.add_argument("target")
    sender.add_argument("--from", dest="port", type=int, default=0)
    sender.add_argument("--connections", type=int, default=1)
    sender.add_argument("--congestion", default="cubic")
    sender.add_argument("--at", type=float, required=True)
    sender.add_argument("--until", type=float, required=True)
    roles.add_parser("receive").add_argument("port", type=int)
    got = parser.parse_args()
    if got.role == "send":
        print(json.dumps(send(got.target, got.port, got.connections, got.congestion, got.at, got.until)), flush=True)
        return
    receiver = Receiver(got.port)

    def end(*_: Any) -> None:
        receiver.ended = True

    signal.signal(signal.SIGTERM, end)
    print("listening", flush=True)
    print(json.dumps(receiver.run()), flush=True)


if __name__ == "__main__":
    main()
