"""What senders and switches hold at this moment, asked of them over connections that stay open: no program is started.

Pacing classes are asked of the host's kernel (netlink), meters of the switch (OpenFlow 1.3), and what the switch does with
a packet of Open vSwitch itself (`ofproto/trace`, which looks it up in the tables as they are).
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..machine.ledger import run
from .space import entered, inside

ATTRIBUTE = struct.Struct("=HH")
MESSAGE = struct.Struct("=IHHII")
TC_MESSAGE = struct.Struct("=BxxxiIII")
NEW_CLASS, GET_CLASS, DONE, ERROR, DUMP_REQUEST = 40, 42, 3, 2, 0x301
OPTIONS, HTB_PARAMETERS = 2, 1
RATE_AT = 8

OPENFLOW = struct.Struct("!BBHI")
VERSION, HELLO, ECHO, ECHO_REPLY, MULTIPART, MULTIPART_REPLY, METER_CONFIG, ALL_METERS = 4, 0, 2, 3, 18, 19, 10, 0xFFFFFFFF
KBPS = 1


def attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + ATTRIBUTE.size <= len(data):
        length, kind = ATTRIBUTE.unpack_from(data, at)
        yield kind & 0x3FFF, data[at + ATTRIBUTE.size : at + length]
        at += max(length + 3 & ~3, ATTRIBUTE.size)


class PacingClasses:
    """The HTB classes of one interface in a namespace."""

    def __init__(self, namespace: str, interface: str):
        self.namespace = namespace
        with entered(namespace):
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
            self._index = socket.if_nametoindex(interface)
        self._socket.settimeout(5)

    def rates(self) -> dict[int, int]:
        """In bit/s, by the classes' minor numbers. So few come in one answer, which the kernel gives while nobody can change them."""
        self._socket.send(MESSAGE.pack(MESSAGE.size + TC_MESSAGE.size, GET_CLASS, DUMP_REQUEST, 1, 0) + TC_MESSAGE.pack(0, self._index, 0, 0, 0))
        found: dict[int, int] = {}
        while True:
            answer = self._socket.recv(1 << 16)
            at = 0
            while at < len(answer):
                length, kind, _, _, _ = MESSAGE.unpack_from(answer, at)
                if kind == DONE:
                    return found
                if kind == ERROR:
                    raise RuntimeError(f"the kernel refused to show the classes in {self.namespace}")
                if kind == NEW_CLASS:
                    self._read(answer[at + MESSAGE.size : at + length], found)
                at += length + 3 & ~3

    @staticmethod
    def _read(message: bytes, found: dict[int, int]) -> None:
        handle = TC_MESSAGE.unpack_from(message)[2]
        for kind, options in attributes(message[TC_MESSAGE.size :]):
            for inner, value in attributes(options) if kind == OPTIONS else ():
                if inner == HTB_PARAMETERS:
                    found[handle & 0xFFFF] = 8 * struct.unpack_from("=I", value, RATE_AT)[0]

    def minors(self) -> dict[int, int]:
        """The class of each UDP socket that has one of its own, by its local port: what the agent's nftables map says."""
        listed = json.loads(run(*inside(self.namespace, "nft", "-j", "list", "map", "inet", "paceline", "exact4")))
        elements = next(each["map"].get("elem", []) for each in listed["nftables"] if "map" in each)
        return {key["concat"][2]: int(minor.split(":")[1], 16) for key, minor in elements if key["concat"][0] in ("udp", 17)}

    def close(self) -> None:
        self._socket.close()


class Meters:
    """Those of one switch."""

    def __init__(self, path: Path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(5)
        self._socket.connect(str(path))
        self._socket.sendall(OPENFLOW.pack(VERSION, HELLO, OPENFLOW.size, 0))

    def rates(self) -> dict[int, int]:
        """In bit/s; without those that count packets."""
        body = struct.pack("!HH4xI4x", METER_CONFIG, 0, ALL_METERS)
        self._socket.sendall(OPENFLOW.pack(VERSION, MULTIPART, OPENFLOW.size + len(body), 1) + body)
        found: dict[int, int] = {}
        while True:
            kind, number, body = self._message()
            if kind == ECHO:
                self._socket.sendall(OPENFLOW.pack(VERSION, ECHO_REPLY, OPENFLOW.size + len(body), number) + body)
            elif kind == MULTIPART_REPLY:
                at, more = 8, struct.unpack_from("!HH", body)[1]
                while at < len(body):
                    length, flags, meter = struct.unpack_from("!HHI", body, at)
                    if length > 8 and flags & KBPS:  # of its one band
                        found[meter] = 1000 * struct.unpack_from("!HHI", body, at + 8)[2]
                    at += length
                if not more:
                    return found
            elif kind != HELLO:
                raise RuntimeError(f"the switch answered with a message of type {kind} when asked for its meters")

    def _message(self) -> tuple[int, int, bytes]:
        _, kind, length, number = OPENFLOW.unpack(self._exactly(OPENFLOW.size))
        return kind, number, self._exactly(length - OPENFLOW.size)

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self._socket.recv(count - len(data))
            if not part:
                raise RuntimeError("the switch closed the connection")
            data += part
        return data

    def close(self) -> None:
        self._socket.close()


class Tables:
    """The rules of all switches of one Open vSwitch."""

    def __init__(self, directory: Path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(5)
        self._socket.connect(str(next(directory.glob("ovs-vswitchd.*.ctl"))))
        self._decoder = json.JSONDecoder()

    def follow(self, packets: list[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
        """Where each packet, told as bridge and flow, leaves its switch, and through which meters; all asked at once."""
        requests = [{"id": n, "method": "ofproto/trace", "params": list(packet)} for n, packet in enumerate(packets)]
        self._socket.sendall("".join(map(json.dumps, requests)).encode())
        return [self._done(answer) for answer in self._answers(len(packets))]

    def _answers(self, count: int) -> list[str]:
        answers: list[Any] = []
        text = ""
        while len(answers) < count:
            part = self._socket.recv(1 << 16).decode()
            if not part:
                raise RuntimeError("Open vSwitch closed the connection")
            text += part
            with contextlib.suppress(json.JSONDecodeError):  # half an answer: the rest comes
                while text:
                    answer, end = self._decoder.raw_decode(text)
                    answers.append(answer)
                    text = text[end:].lstrip()
        for answer in answers:
            if answer["error"]:
                raise RuntimeError(f"ofproto/trace: {answer['error']}")
        return [answer["result"] for answer in sorted(answers, key=lambda each: each["id"])]

    @staticmethod
    def _done(trace: str) -> tuple[list[int], list[int]]:
        outputs, meters = ([int(n) for n in re.findall(rf"^ +{what}:(\d+)$", trace, re.M)] for what in ("output", "meter"))
        return outputs, meters

    def close(self) -> None:
        self._socket.close()
