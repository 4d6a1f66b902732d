"""Programs whose traffic is that of an application, light ones: a server that serves until SIGTERM, and a client that prints
a JSON line with its KPIs each time it has some, until it is ended. Both are on one machine, and so on one clock.

    python3 -m paceline_lab.measure_utility.traffic call-talk|call-hear|camera|watch|desktop-serve|desktop|bulk-serve|upload|download LOCAL REMOTE

A call is 50 packets a second of 160 bytes (G.711) in RTP. A camera sends 15 frames a second over TCP, 2 Mbit/s, every 30th
whole and the others changes. A desktop answers each key by a changed part of its screen. A bulk transfer goes as fast as it
may, for two seconds at least; what counts is the second half, when it has found its speed.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable

CALL_PORT, CAMERA_PORT, DESKTOP_PORT, BULK_PORT = 5004, 5540, 3389, 873

SPEECH_BYTES, PACKET_S = 160, 0.02
# Of what a phone keeps before it plays: a packet later than that is as good as lost. And what lies before it: a packet's speech.
JITTER_BUFFER_S, PACKETISATION_S = 0.04, 0.02
WINDOW_S = 3.0
# Nobody talks over a line that is later than that.
LATEST_S = 1.0
RTP = struct.Struct("!BBHIIIQ")

FRAME_S, GROUP, GROUPS, CAMERA_BITS_PER_SECOND = 1 / 15, 30, 2, 2_000_000
# A whole frame is so many times as large as one of changes.
WHOLE_TO_CHANGE = 8
FRAME = struct.Struct("!IQI")
# What a camera has may wait so long for its line: what is sent then still comes in time.
MAY_WAIT_S = 0.5
# Of Linux's struct tcp_info: the bytes that wait in the socket, and those that arrive in a second.
TCP_WAITING = struct.Struct("144xI12xQ")

EVENT_BYTES, UPDATE_BYTES, EVENT_PAUSE_S = 60, 30_000, 0.3

BULK_BYTES, BULK_S = 32_768, 2.0
BULK = struct.Struct("!cQ")


def tell(**kpis: float) -> None:
    print(json.dumps({name: round(value, 6) for name, value in kpis.items()}), flush=True)


# A call


def call_talk(local: str, remote: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
        mouth.bind((local, CALL_PORT))
        mouth.setblocking(False)
        began, number = time.monotonic(), 0
        while True:
            time.sleep(max(0.0, began + number * PACKET_S - time.monotonic()))
            head = RTP.pack(0x80, 0, number & 0xFFFF, number * SPEECH_BYTES, 1, number, time.monotonic_ns())
            try:
                # What a phone has no room for, or what nobody hears yet, is lost.
                mouth.sendto(head + bytes(SPEECH_BYTES - 12), (remote, CALL_PORT))
            except OSError:
                pass
            number += 1


def call_hear(local: str, remote: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind((local, CALL_PORT))
        window = Window()
        while True:
            if select.select([ear], [], [], 0.1)[0]:
                *_, number, sent_ns = RTP.unpack(ear.recv(2048)[: RTP.size])
                window.heard(number, sent_ns / 1e9, time.monotonic())
            window.close(time.monotonic())


class Window:
    """Some seconds of a call, by the talker's clock: what of it was heard, and how late."""

    def __init__(self) -> None:
        self.opened = time.monotonic()
        self.first: int | None = None
        self.begins_at = self.opened
        self.settled = False
        self.transits: dict[int, float] = {}

    def heard(self, number: int, sent: float, now: float) -> None:
        if self.first is None or number < self.first:
            # Only what is sent from now on is of this place: what waits from before tells of another.
            if sent < self.opened:
                return
            self.first, self.begins_at = number, sent
        self.transits[number] = now - sent

    def close(self, now: float) -> None:
        if now < self.begins_at + WINDOW_S + LATEST_S:
            return
        size = round(WINDOW_S / PACKET_S)
        first = self.first
        transits = [] if first is None else [t for n, t in self.transits.items() if first <= n < first + size and t <= LATEST_S]
        soonest = min(transits, default=LATEST_S)
        played = sum(transit <= soonest + JITTER_BUFFER_S for transit in transits)
        # The first finds the line as it was before: a queue that is only filling, or two hosts that have yet to find each other.
        if self.settled:
            tell(loss=1 - played / size, delayMs=1000 * (soonest + JITTER_BUFFER_S + PACKETISATION_S))
        self.settled = True
        if first is not None:
            self.first, self.begins_at = first + size, self.begins_at + WINDOW_S
            self.transits = {n: t for n, t in self.transits.items() if n >= self.first}
        else:
            self.begins_at += WINDOW_S


# A camera


def camera(local: str, remote: str) -> None:
    serve(local, CAMERA_PORT, film)


def film(to: socket.socket) -> None:
    change = CAMERA_BITS_PER_SECOND / 8 * FRAME_S * GROUP / (GROUP - 1 + WHOLE_TO_CHANGE)
    began, number = time.monotonic(), 0
    while True:
        captured = began + number * FRAME_S
        time.sleep(max(0.0, captured - time.monotonic()))
        # A camera whose line does not keep up leaves frames out, and does not fall behind: else one that is just as fast as
        # the camera would be late for long after each pause of the machine.
        if time.monotonic() - captured + waits_s(to.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_WAITING.size)) <= MAY_WAIT_S:
            size = round(change * (1 if number % GROUP else WHOLE_TO_CHANGE))
            to.sendall(FRAME.pack(number, round(captured * 1e9), size) + bytes(size))
        number += 1


def waits_s(tcp_info: bytes) -> float:
    """How long what a socket has not sent yet will wait, by the rate at which the line took what was before it."""
    waiting, bytes_per_second = TCP_WAITING.unpack(tcp_info)
    return waiting / bytes_per_second if bytes_per_second else 0.0


def watch(local: str, remote: str) -> None:
    with connected(local, remote, CAMERA_PORT) as line:
        in_time: set[int] = set()
        # Whole groups: else some samples would have one more of the frames that take long than others.
        size, first, latest = GROUPS * GROUP, 0, LATEST_S
        began: float | None = None
        while True:
            number, captured_ns, length = FRAME.unpack(exactly(line, FRAME.size))
            swallow(line, length)
            now, captured = time.monotonic(), captured_ns / 1e9
            began = captured - number * FRAME_S if began is None else began
            if now - captured <= latest:
                in_time.add(number)
            while now > began + (first + size) * FRAME_S + latest:
                # While a connection begins it is slower than it stays.
                if first:
                    tell(framesInTime=len([n for n in in_time if first <= n < first + size]) / size)
                first += size


# A remote desktop


def desktop_serve(local: str, remote: str) -> None:
    def draw(to: socket.socket) -> None:
        while True:
            exactly(to, EVENT_BYTES)
            to.sendall(bytes(UPDATE_BYTES))

    serve(local, DESKTOP_PORT, draw)


def desktop(local: str, remote: str) -> None:
    with connected(local, remote, DESKTOP_PORT) as line:
        number = 0
        while True:
            began = time.monotonic()
            line.sendall(bytes(EVENT_BYTES))
            swallow(line, UPDATE_BYTES)
            # The first one opens the connection's window, as logging in does.
            if number:
                tell(responseS=time.monotonic() - began)
            number += 1
            time.sleep(EVENT_PAUSE_S)


# Bulk


def bulk_serve(local: str, remote: str) -> None:
    def transfer(with_client: socket.socket) -> None:
        while True:
            what, size = BULK.unpack(exactly(with_client, BULK.size))
            if what == b"d":
                with_client.sendall(bytes(size))
            else:
                with_client.sendall(struct.pack("!d", second_half_s(with_client, size)))

    serve(local, BULK_PORT, transfer)


def second_half_s(line: socket.socket, size: int) -> float:
    swallow(line, size // 2)
    half = time.monotonic()
    swallow(line, size - size // 2)
    return time.monotonic() - half


def upload(local: str, remote: str) -> None:
    bulk(local, remote, upload_s)


def upload_s(line: socket.socket, size: int) -> float:
    line.sendall(BULK.pack(b"u", size) + bytes(size))
    return float(struct.unpack("!d", exactly(line, 8))[0])


def download(local: str, remote: str) -> None:
    bulk(local, remote, download_s)


def download_s(line: socket.socket, size: int) -> float:
    line.sendall(BULK.pack(b"d", size))
    return second_half_s(line, size)


def bulk(local: str, remote: str, half_s: Callable[[socket.socket, int], float]) -> None:
    size = BULK_BYTES
    with connected(local, remote, BULK_PORT) as line:
        while True:
            seconds = half_s(line, size)
            if seconds < BULK_S / 2:
                size *= 2
                continue
            tell(goodputKbps=(size - size // 2) * 8 / 1000 / seconds)


# Sockets


def serve(local: str, port: int, each: Callable[[socket.socket], None]) -> None:
    def until_it_ends(line: socket.socket) -> None:
        try:
            with line:
                each(line)
        except OSError:
            pass  # the client has ended

    with socket.create_server((local, port)) as ears:
        while True:
            line, _ = ears.accept()
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=until_it_ends, args=(line,), daemon=True).start()


def connected(local: str, remote: str, port: int) -> socket.socket:
    line = socket.create_connection((remote, port), timeout=60, source_address=(local, 0))
    line.settimeout(None)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def exactly(line: socket.socket, size: int) -> bytes:
    got = b""
    while len(got) < size:
        piece = line.recv(size - len(got))
        if not piece:
            raise ConnectionError("the other end has closed the connection")
        got += piece
    return got


def swallow(line: socket.socket, size: int) -> None:
    while size > 0:
        piece = line.recv(min(size, 65536))
        if not piece:
            raise ConnectionError("the other end has closed the connection")
        size -= len(piece)


ROLES: dict[str, Callable[[str, str], None]] = {
    "call-talk": call_talk, "call-hear": call_hear, "camera": camera, "watch": watch, "desktop-serve": desktop_serve, "desktop": desktop,
    "bulk-serve": bulk_serve, "upload": upload, "download": download,
}  # fmt: skip

if __name__ == "__main__":
    role, local_address, remote_address = sys.argv[1:]
    ROLES[role](local_address, remote_address)
