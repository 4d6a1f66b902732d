"""One direction of a video conference as a browser sends it: speech, and video whose rate follows what the line carries.

    python3 -m paceline_lab.measure_utility.conference show|see LOCAL REMOTE

`show` sends until SIGTERM to whoever asks last; `see` asks, and prints a JSON line with the KPIs of each three seconds. The
control of the rate is that of WebRTC in short (draft-ietf-rmcat-gcc-02, sections 5 and 6): down to 0.85 of what arrives
when packets wait, down by half of the loss when a tenth is lost, up by 8 % a second otherwise. Until packets wait for the
first time the rate doubles each second, as browsers probe at first.

A packet's time is from when it was handed to the sender's kernel to when the receiver's has got it: neither program's own
pauses count. Packets wait where the soonest of a tenth of a second does: a queue holds up all of them, a pause a few.
"""

from __future__ import annotations

import contextlib
import math
import select
import socket
import struct
import sys
import time

from .traffic import JITTER_BUFFER_S, LATEST_S, PACKETISATION_S, WINDOW_S, tell

PORT = 3478
FRAME_S, SPEECH_S, SPEECH_BYTES, PIECE_BYTES = 1 / 25, 0.02, 80, 1200
LEAST_KBPS, FIRST_KBPS, MOST_KBPS = 50.0, 300.0, 2500.0
FEEDBACK_S, OVERUSE_S, BACK, UP_PER_S, PROBE_PER_S, MUCH_LOSS = 0.1, 0.025, 0.85, 1.08, 2.0, 0.1
# A browser plays speech so late that this share of it is there; no sooner than a phone does.
HEARD_SHARE = 0.98
# A frame that is whole later than that after it was taken is not shown.
SHOWN_S = 0.4
# Of the rate that is found: not measured.
FINDING_S = 8.0
SPEECH, VIDEO = 0, 1
# What it is, its number, the frame's number and its pieces, and when it was sent: by the clock that the kernel's stamps have,
# and by the one that nobody sets.
HEAD = struct.Struct("!BIIHQQ")
# Linux's option by which the kernel says when it has got a packet; Python has no name for it.
SO_TIMESTAMPNS, TIMESTAMP = 35, struct.Struct("qq")
# Bits that came a second, the share that was lost, and how long packets wait.
FEEDBACK = struct.Struct("!ddd")


class Control:
    """The rate of the video, kbit/s."""

    def __init__(self) -> None:
        self.kbps = FIRST_KBPS
        self.probing = True

    def hear(self, arrived_kbps: float, loss: float, waiting_s: float) -> None:
        if waiting_s > OVERUSE_S:
            self.probing = False
            self.kbps = min(self.kbps, BACK * arrived_kbps)
        elif loss > MUCH_LOSS:
            self.probing = False
            self.kbps *= 1 - 0.5 * loss
        else:
            self.kbps *= (PROBE_PER_S if self.probing else UP_PER_S) ** FEEDBACK_S
        self.kbps = min(MOST_KBPS, max(LEAST_KBPS, self.kbps))


def show(local: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind((local, PORT))
        line.setblocking(False)
        control, viewer, number, frame = Control(), None, 0, 0
        frame_at = speech_at = time.monotonic()
        while True:
            select.select([line], [], [], max(0.0, min(frame_at, speech_at) - time.monotonic()))
            with contextlib.suppress(OSError):
                while True:
                    said, whose = line.recvfrom(2048)
                    if whose != viewer:
                        control, viewer = Control(), whose
                    else:
                        control.hear(*FEEDBACK.unpack(said))
            now = time.monotonic()
            pieces: list[tuple[int, int, int]] = []
            if now >= speech_at:
                pieces.append((SPEECH, 1, SPEECH_BYTES))
                speech_at += SPEECH_S
            if now >= frame_at:
                size = max(1, round(control.kbps * 1000 / 8 * FRAME_S))
                count = -(-size // PIECE_BYTES)
                pieces += [(VIDEO, count, size // count)] * count
                frame, frame_at = frame + 1, frame_at + FRAME_S
            for kind, count, size in pieces if viewer else []:
                head = HEAD.pack(kind, number, frame, count, time.time_ns(), time.monotonic_ns())
                with contextlib.suppress(OSError):  # what the host has no room for is lost
                    line.sendto(head + bytes(max(0, size - HEAD.size)), viewer)
                number += 1


class Seen:
    """What has come since the feedback before."""

    def __init__(self) -> None:
        self.soonest_s = float("inf")
        self.highest = -1
        self.fresh()

    def fresh(self) -> None:
        self.bits, self.came, self.expected_from, self.soonest_now_s = 0, 0, self.highest, float("inf")

    def packet(self, number: int, size: int, transit_s: float) -> None:
        self.soonest_s = min(self.soonest_s, transit_s)
        self.bits += 8 * size
        self.came += 1
        self.highest = max(self.highest, number)
        self.soonest_now_s = min(self.soonest_now_s, transit_s)

    def feedback(self, seconds: float) -> bytes:
        expected = self.highest - self.expected_from
        loss = max(0.0, 1 - self.came / expected) if expected > 0 else 0.0
        said = FEEDBACK.pack(self.bits / seconds / 1000, loss, self.soonest_now_s - self.soonest_s if self.came else 0.0)
        self.fresh()
        return said


def see(local: str, remote: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind((local, PORT))
        line.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        line.connect((remote, PORT))
        line.send(FEEDBACK.pack(0, 0, 0))
        seen, asked = Seen(), time.monotonic()
        begins_at = asked + FINDING_S
        speech: list[float] = []
        frames: dict[int, tuple[int, int]] = {}
        shown_bits = 0
        while True:
            if select.select([line], [], [], max(0.0, asked + FEEDBACK_S - time.monotonic()))[0]:
                with contextlib.suppress(OSError):
                    packet, told, *_ = line.recvmsg(2048, 64)
                    kind, number, frame, count, sent_ns, monotonic_ns = HEAD.unpack(packet[: HEAD.size])
                    transit_s = (arrived_ns(told) - sent_ns) / 1e9
                    if transit_s < 0:
                        continue  # the clock was set back meanwhile: as the soonest of all it would make all others late
                    seen.packet(number, len(packet), transit_s)
                    if begins_at <= monotonic_ns / 1e9 < begins_at + WINDOW_S:
                        if kind == SPEECH:
                            speech.append(transit_s)
                        elif transit_s <= SHOWN_S + seen.soonest_s:
                            have, bits = frames.get(frame, (0, 0))
                            frames[frame] = (have + 1, bits + 8 * len(packet))
                            shown_bits += frames[frame][1] if have + 1 == count else 0
            now = time.monotonic()
            if now >= asked + FEEDBACK_S:
                with contextlib.suppress(OSError):
                    line.send(seen.feedback(now - asked))
                asked = now
            if now >= begins_at + WINDOW_S + LATEST_S:
                played, delay_s = heard(speech)
                tell(loss=max(0.0, 1 - played / round(WINDOW_S / SPEECH_S)), delayMs=1000 * delay_s, videoKbps=shown_bits / WINDOW_S / 1000)
                begins_at, speech, frames, shown_bits = now, [], {}, 0


def arrived_ns(told: list[tuple[int, int, bytes]]) -> int:
    """When the kernel got the packet, by what it tells beside it."""
    ((_, _, stamp),) = told
    seconds, ns = TIMESTAMP.unpack(stamp)
    return int(seconds * 1_000_000_000 + ns)


def heard(speech_s: list[float]) -> tuple[int, float]:
    """How many of the packets with these transits are played, and how late speech is from mouth to ear."""
    in_order = sorted(late for late in speech_s if late <= LATEST_S) or [LATEST_S]
    waits = max(in_order[0] + JITTER_BUFFER_S, in_order[math.ceil(HEARD_SHARE * len(in_order)) - 1])
    return sum(late <= waits for late in speech_s), waits + PACKETISATION_S


if __name__ == "__main__":
    role, local_address, remote_address = sys.argv[1:]
    if role == "show":
        show(local_address)
    else:
        see(local_address, remote_address)
