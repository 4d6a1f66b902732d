"""Two users' downloads, and a third who asks for little now and then; both ends. It runs in the other kernel, with what Python has.

    traffic.py serve                              until it is ended; then the smoothed round trips of its downloads, as one JSON object
    traffic.py use SERVER ONE FOUR ASKING WARM_UP_S SECONDS
"""

from __future__ import annotations

import json
import selectors
import signal
import socket
import struct
import sys
import time
from typing import Any

DOWNLOADS, REQUESTS = 5090, 5091
# One user has one connection, the other four.
STREAMS = (1, 4)
REQUEST_BYTES, REQUEST_EVERY_S = 20_000, 0.25
SAMPLE_EVERY_S = 0.05
# Of TCP_INFO: tcpi_rtt, in us.
RTT_AT, INFO_BYTES = 68, 128


def listener(port: int) -> socket.socket:
    made = socket.create_server(("", port), backlog=64)
    made.setblocking(False)
    return made


def serve() -> None:
    running = True

    def end(number: int, frame: Any) -> None:
        nonlocal running
        running = False

    signal.signal(signal.SIGTERM, end)
    waiting = selectors.DefaultSelector()
    for port in (DOWNLOADS, REQUESTS):
        waiting.register(listener(port), selectors.EVENT_READ, port)
    much, little = memoryview(bytes(1 << 16)), bytes(REQUEST_BYTES)
    downloads: list[socket.socket] = []
    trips: list[list[float]] = []
    print("listening", flush=True)
    next_sample = time.monotonic()
    while running:
        for key, _ in waiting.select(max(0.0, next_sample - time.monotonic())):
            one: socket.socket = key.fileobj  # type: ignore[assignment]
            if key.data is None:
                try:
                    one.send(much)
                except BlockingIOError:
                    pass
                except OSError:
                    waiting.unregister(one)
                    downloads.remove(one)
                    one.close()
                continue
            connection, _ = one.accept()
            if key.data == REQUESTS:
                # A send buffer holds it whole.
                connection.sendall(little)
                connection.close()
                continue
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"cubic")
            connection.setblocking(False)
            downloads.append(connection)
            waiting.register(connection, selectors.EVENT_WRITE, None)
        if (now := time.monotonic()) >= next_sample:
            next_sample = now + SAMPLE_EVERY_S
            for connection in downloads:
                said = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)
                trips.append([now, struct.unpack_from("I", said, RTT_AT)[0] / 1000])
    print(json.dumps({"roundTrips": trips}), flush=True)


def use(server: str, one: str, four: str, asking: str, warm_up_s: float, seconds: float) -> None:
    """What each download had in the measured time, in bytes, by user; how long each request took, in ms; when it was measured."""
    waiting = selectors.DefaultSelector()
    received: list[tuple[str, list[int]]] = []
    for address, streams in zip((one, four), STREAMS):
        for _ in range(streams):
            connection = socket.create_connection((server, DOWNLOADS), source_address=(address, 0))
            connection.setblocking(False)
            received.append((address, [0]))
            waiting.register(connection, selectors.EVENT_READ, received[-1][1])
    began = time.monotonic() + warm_up_s
    end = began + seconds
    before: list[int] = []
    asked: list[tuple[float, float]] = []
    next_request = time.monotonic()
    while (now := time.monotonic()) < end:
        if not before and now >= began:
            before, began = [count[0] for _, count in received], now
            print("measuring", flush=True)
        if now >= next_request:
            next_request += REQUEST_EVERY_S
            request = socket.socket()
            request.setblocking(False)
            request.bind((asking, 0))
            request.connect_ex((server, REQUESTS))
            waiting.register(request, selectors.EVENT_READ, now)
        for key, _ in waiting.select(max(0.0, min(next_request, end) - time.monotonic())):
            connection = key.fileobj  # type: ignore[assignment]
            if isinstance(key.data, list):
                key.data[0] += len(connection.recv(1 << 18))
            elif not connection.recv(1 << 16):
                waiting.unregister(connection)
                connection.close()
                asked.append((key.data, time.monotonic()))
    ended = time.monotonic()
    bytes_of: dict[str, list[int]] = {one: [], four: []}
    for (address, count), already in zip(received, before):
        bytes_of[address].append(count[0] - already)
    requests = [(done - start) * 1000 for start, done in asked if start >= began]
    print(json.dumps({"began": began, "ended": ended, "bytes": [bytes_of[one], bytes_of[four]], "requestMs": requests}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve()
    else:
        use(*sys.argv[2:6], *map(float, sys.argv[6:8]))
