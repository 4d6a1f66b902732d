"""How many TCP packets come to a host out of order, as RFC 4737 counts them.

    python3 -m paceline_lab.networks.reordering [INTERFACE]

Counts all packets with TCP data that come to the interface (eth0), until SIGTERM; then it prints one JSON line with a list of
flows. Prints "listening" when it begins. Needs root.

A packet is reordered if it begins before the next one that is expected (section 3.3). What was sent again is not a late packet
but another one: it comes late because the first was lost. TCP's timestamps tell both apart (RFC 7323). A sender sends
something again only after it has heard of what came behind the gap, so its timestamp is newer than that of the packet that
made the gap. A late packet's is not: it was sent before that one. A timestamp is a millisecond, so the round trip has to be
longer than that. What has arrived before is a duplicate, and counts nowhere else (section 3.1).
"""

from __future__ import annotations

import argparse
import json
import signal
import socket
import struct
import threading
from dataclasses import asdict, dataclass
from typing import Any

# linux/if_ether.h, linux/if_packet.h and asm-generic/socket.h.
ETH_P_IP, SOL_PACKET, PACKET_STATISTICS, SO_RCVBUFFORCE = 0x0800, 263, 6, 33
BUFFER_BYTES = 32 << 20
# Ethernet, IPv4 and TCP with all their options.
HEADERS_BYTES = 14 + 60 + 60
# Of a full frame. Where the kernel puts frames together, one packet is several of these.
SEGMENT_BYTES = 1448
SYN, TIMESTAMPS = 0x02, 8
AROUND = 1 << 32


@dataclass(frozen=True)
class Segment:
    """One packet with TCP data, or the SYN before all data. `stamp` is the sender's (TSval); None where it says none."""

    source: str
    source_port: int
    target_port: int
    sequence: int
    size: int
    is_first: bool
    stamp: int | None


@dataclass
class Gap:
    """Bytes that had not come when the packet behind them came; `stamp` is that packet's."""

    begin: int
    end: int
    stamp: int


@dataclass
class Count:
    """Of one flow, in packets."""

    packets: int = 0
    reordered: int = 0
    # Lost, sent again, and come by then.
    retransmitted: int = 0
    duplicates: int = 0


def after(one: int, other: int) -> int:
    """How far behind another a number of 32 bits is, which begin anew at 0; negative: how far before."""
    return (one - other + AROUND // 2) % AROUND - AROUND // 2


class Flow:
    def __init__(self) -> None:
        self.count = Count()
        # Counted on beyond 32 bits.
        self.expected: int | None = None
        self.gaps: list[Gap] = []

    def took(self, segment: Segment) -> None:
        if segment.is_first:
            self.expected, self.gaps = segment.sequence + 1, []
        if not segment.size:
            return
        if segment.stamp is None:
            raise ValueError(
                f"The packets of {segment.source}:{segment.source_port} have no TCP timestamps, so that what was sent again cannot be told. "
                "Maybe set net.ipv4.tcp_timestamps to 1 on both hosts."
            )
        packets = -(-segment.size // SEGMENT_BYTES)
        self.count.packets += packets
        if self.expected is None:
            self.expected = segment.sequence
        begin = self.expected + after(segment.sequence, self.expected % AROUND)
        end = begin + segment.size
        if begin >= self.expected:
            if begin > self.expected:
                self.gaps.append(Gap(self.expected, begin, segment.stamp))
            self.expected = end
            return
        self.expected = max(self.expected, end)
        filled = [gap for gap in self.gaps if gap.begin < end and begin < gap.end]
        if not filled:
            self.count.duplicates += packets
        elif any(after(segment.stamp, gap.stamp) > 0 for gap in filled):
            self.count.retransmitted += packets
        else:
            self.count.reordered += packets
        for gap in filled:
            self.gaps.remove(gap)
            self.gaps += [Gap(*part, gap.stamp) for part in ((gap.begin, begin), (end, gap.end)) if part[0] < part[1]]


def parsed(frame: bytes) -> Segment | None:
    """Of an Ethernet frame, of which only the headers are needed; None where it is no first or full packet of TCP data in IPv4."""
    if len(frame) < 34 or frame[12:14] != b"\x08\x00" or frame[23] != socket.IPPROTO_TCP or struct.unpack_from("!H", frame, 20)[0] & 0x1FFF:
        return None
    ip_bytes = (frame[14] & 0x0F) * 4
    tcp = 14 + ip_bytes
    if len(frame) < tcp + 20:
        return None
    source_port, target_port, sequence = struct.unpack_from("!HHI", frame, tcp)
    tcp_bytes = (frame[tcp + 12] >> 4) * 4
    size = struct.unpack_from("!H", frame, 16)[0] - ip_bytes - tcp_bytes
    is_first = bool(frame[tcp + 13] & SYN)
    if size <= 0 and not is_first:
        return None
    return Segment(socket.inet_ntoa(frame[26:30]), source_port, target_port, sequence, size, is_first, stamp(frame[tcp + 20 : tcp + tcp_bytes]))


def stamp(options: bytes) -> int | None:
    at = 0
    while at + 1 < len(options) and options[at] != 0:
        if options[at] == 1:
            at += 1
            continue
        if options[at] == TIMESTAMPS and at + 10 <= len(options):
            return struct.unpack_from("!I", options, at + 2)[0]
        # A length of less than its own two bytes is none.
        at += max(2, options[at + 1])
    return None


class Watch:
    """All flows that come to an interface."""

    def __init__(self, interface: str):
        self.flows: dict[tuple[str, int, int], Flow] = {}
        self.frames = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        # A processor that others need must not make packets seem lost.
        self.frames.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES)
        self.frames.bind((interface, ETH_P_IP))

    def run(self, ended: threading.Event) -> dict[str, Any]:
        self.frames.settimeout(0.1)
        while not ended.is_set():
            try:
                frame, (*_, kind, _, _) = self.frames.recvfrom(HEADERS_BYTES)
            except TimeoutError:
                continue
            if kind != socket.PACKET_OUTGOING and (segment := parsed(frame)):
                self.flows.setdefault((segment.source, segment.source_port, segment.target_port), Flow()).took(segment)
        _, missed = struct.unpack("II", self.frames.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))
        return {
            # What the kernel had no room for here, though its receiver had it.
            "missed": missed,
            "flows": [
                {"from": source, "fromPort": source_port, "toPort": target_port, **asdict(flow.count)}
                for (source, source_port, target_port), flow in self.flows.items()
            ],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interface", nargs="?", default="eth0")
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    watch = Watch(parser.parse_args().interface)
    print("listening", flush=True)
    print(json.dumps(watch.run(ended)), flush=True)


if __name__ == "__main__":
    main()
