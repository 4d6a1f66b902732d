"""UDP flows of known rates on one host, opened and closed by words on stdin, and who counts what arrives of them.

    python3 -m paceline_lab.soak.flows send FILE
    python3 -m paceline_lab.soak.flows receive FILE PORT ...

A sender reads a JSON line for each change: {"open": LOCAL_PORT, "to": [ADDRESS, PORT], "kbps": [[SECONDS, KBPS], ...]} or
{"close": LOCAL_PORT}. A flow goes through its rates again and again. Four times a second each appends a JSON line to its
file, with the moment by CLOCK_MONOTONIC: a sender what each flow has tried to send so far, a receiver what has come of
each of which anything has come since its last line. Both count bytes of frames, and end at SIGTERM; a sender also at the end of its stdin.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import selectors
import signal
import socket
import sys
import time
from dataclasses import dataclass, field
from typing import IO, Any

PAYLOAD, FRAME = bytes(1000), 1042
SAYS_S, TICK_S = 0.25, 0.01
# Linux' name for what root may set beyond the machine's limit; Python has none.
SO_RCVBUFFORCE = 33
# Enough that a sender that waits for a processor leaves no rate unused, and little to send after its end.
SEND_BUFFER, RECEIVE_BUFFER = 32_768, 8_000_000
# What is due for longer than that is not made up for.
BACKLOG_S = 0.5


class Ended(Exception):
    pass


def end(*_: object) -> None:
    raise Ended


@dataclass
class Flow:
    made: socket.socket
    kbps: list[tuple[float, float]]
    begun: float
    tried: int = 0
    owed: float = 0.0
    # The length of one round through its rates.
    round_s: float = field(init=False)

    def __post_init__(self) -> None:
        self.round_s = sum(seconds for seconds, _ in self.kbps)

    def rate(self, now: float) -> float:
        place = (now - self.begun) % self.round_s
        for until, (_, rate) in zip(itertools.accumulate(seconds for seconds, _ in self.kbps), self.kbps):
            if place < until:
                return rate
        return self.kbps[-1][1]

    def go_on(self, now: float, since_s: float) -> None:
        """What the own kernel does not take was tried all the same: there was something to send."""
        bytes_a_second = self.rate(now) * 125
        self.owed = min(self.owed + bytes_a_second * since_s, max(bytes_a_second * BACKLOG_S, FRAME))
        while self.owed >= FRAME:
            self.owed -= FRAME
            self.tried += FRAME
            try:
                self.made.send(PAYLOAD)
            except (BlockingIOError, ConnectionRefusedError):
                # The queue is full: what is due besides would find no room either.
                frames = int(self.owed // FRAME)
                self.owed -= frames * FRAME
                self.tried += frames * FRAME
            except OSError:
                pass  # there is no way for the moment


def change(flows: dict[int, Flow], line: str) -> None:
    asked = json.loads(line)
    if "close" in asked:
        flows.pop(asked["close"]).made.close()
        return
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    made.bind(("", asked["open"]))
    made.connect(tuple(asked["to"]))
    made.setblocking(False)
    flows[asked["open"]] = Flow(made, [tuple(part) for part in asked["kbps"]], time.monotonic())


def send(said: IO[str]) -> None:
    flows: dict[int, Flow] = {}
    last = says_at = time.monotonic()
    with selectors.DefaultSelector() as waiting, contextlib.suppress(Ended):
        waiting.register(sys.stdin, selectors.EVENT_READ)
        while True:
            for _ in waiting.select(max(0.0, last + TICK_S - time.monotonic())):
                # One line at a time, so that none waits in a buffer that the selector does not see.
                if not (line := read_line()):
                    return
                change(flows, line)
            now = time.monotonic()
            for flow in flows.values():
                flow.go_on(now, now - last)
            last = now
            if now >= says_at:
                say(said, tried={port: flow.tried for port, flow in flows.items()})
                says_at = max(says_at + SAYS_S, now)


def read_line() -> str:
    line = bytearray()
    while (one := sys.stdin.buffer.raw.read(1)) not in (b"", b"\n"):  # type: ignore[attr-defined]
        line += one
    return line.decode()


def receive(said: IO[str], ports: list[int]) -> None:
    got: dict[str, int] = {}
    # Of whom something has come since the last line: those that have ended would make every line longer.
    fresh: set[str] = set()
    frame = bytearray(2048)
    with selectors.DefaultSelector() as waiting, contextlib.ExitStack() as stack, contextlib.suppress(Ended):
        for port in ports:
            ears = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            ears.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER)
            ears.bind(("", port))
            ears.setblocking(False)
            waiting.register(ears, selectors.EVENT_READ)
        print("listening", flush=True)
        says_at = time.monotonic()
        while True:
            for key, _ in waiting.select(max(0.0, says_at - time.monotonic())):
                with contextlib.suppress(BlockingIOError):
                    for _ in range(64):
                        count, (address, port) = key.fileobj.recvfrom_into(frame)  # type: ignore[union-attr]
                        name = f"{address}:{port}"
                        got[name] = got.get(name, 0) + count + FRAME - len(PAYLOAD)
                        fresh.add(name)
            if time.monotonic() >= says_at:
                say(said, got={name: got[name] for name in fresh})
                fresh.clear()
                says_at = max(says_at + SAYS_S, time.monotonic())


def say(said: IO[str], **counted: Any) -> None:
    said.write(json.dumps({"at": time.monotonic(), **counted}) + "\n")
    said.flush()


def main() -> None:
    signal.signal(signal.SIGTERM, end)
    with open(sys.argv[2], "w") as said:
        if sys.argv[1] == "receive":
            receive(said, list(map(int, sys.argv[3:])))
        else:
            send(said)
    # Whoever ends it a moment later has nothing to end any more.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


if __name__ == "__main__":
    main()
