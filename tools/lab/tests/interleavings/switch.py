"""A switch that speaks OpenFlow 1.3 to a real ONOS over TCP, and whose connection ends where a test says.

It keeps rules and meters as a switch does: a rule replaces its like, one that leads to a meter that is not there is
refused, and a meter takes the rules that lead to it along. Of frames it knows what ONOS needs to find links and hosts.
Matches and instructions are kept as they came.
"""

from __future__ import annotations

import contextlib
import enum
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

HEADER = struct.Struct("!BBHI")
VERSION = 4


class Kind(enum.IntEnum):
    """Of messages."""

    HELLO, ERROR, ECHO, ECHO_REPLY = 0, 1, 2, 3
    FEATURES, FEATURES_REPLY, GET_CONFIG, CONFIG, SET_CONFIG = 5, 6, 7, 8, 9
    PACKET_IN, FLOW_REMOVED, PACKET_OUT, FLOW_MOD, MULTIPART, MULTIPART_REPLY = 10, 11, 13, 14, 18, 19
    BARRIER, BARRIER_REPLY, ROLE, ROLE_REPLY, METER_MOD = 20, 21, 24, 25, 29


class About(enum.IntEnum):
    """Of questions that may have answers in several parts."""

    DESCRIPTION, FLOWS, PORTS, QUEUES, GROUPS, GROUP_DESCRIPTIONS = 0, 1, 4, 5, 6, 7
    METERS, METER_CONFIGS, METER_FEATURES, TABLE_FEATURES, PORT_DESCRIPTIONS = 9, 10, 11, 12, 13


FLOW = struct.Struct("!QQBBHHHIIIHxx")
FLOW_STATS = struct.Struct("!HBxIIHHHHxxxxQQQ")
REMOVED = struct.Struct("!QHBBIIHHQQ")
METER = struct.Struct("!HHI")
METER_STATS = struct.Struct("!IH6xIQQII")
ADD, DELETE = 0, 2  # of meters; of rules only the first is the same
DELETE_ALIKE, DELETE_STRICT, SEND_FLOW_REMOVED = 3, 4, 1
METER_MOD_FAILED, METER_EXISTS, INVALID_METER, UNKNOWN_METER = 12, 1, 2, 3
BAD_REQUEST, BAD_TYPE, BAD_MULTIPART = 1, 1, 2
ALL, CONTROLLER, FLOOD, NO_BUFFER = 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFB, 0xFFFFFFFF
OUTPUT, APPLY_ACTIONS, THROUGH_METER = 0, 4, 6
IN_PORT, ETHERNET_TO, ETHERNET_FROM, ETHERNET_TYPE = 0, 3, 4, 5
HOST_PORT, LINK_PORT = 1, 2
# ONOS ends a connection where it has not noticed yet that the one before is over.
SOON_S = 0.05
WRITES = (Kind.FLOW_MOD, Kind.METER_MOD, Kind.BARRIER)
RULES_AT_MOST, METERS_AT_MOST = 10_000, 1000


@dataclass
class Rule:
    priority: int
    match: bytes
    instructions: bytes
    cookie: int
    flags: int
    since: float = field(default_factory=time.monotonic)

    def meter(self) -> int | None:
        return next((struct.unpack("!I", body)[0] for kind, body in parts(self.instructions) if kind == THROUGH_METER), None)

    def takes(self, port: int, frame: bytes) -> bool:
        """Of frames that are not IP: what it asks of others it says nothing of these."""
        has = {IN_PORT: struct.pack("!I", port), ETHERNET_TO: frame[:6], ETHERNET_FROM: frame[6:12], ETHERNET_TYPE: frame[12:14]}
        return all(kind in has and masked(has[kind], mask) == masked(value, mask) for kind, value, mask in conditions(self.match))

    def outputs(self) -> list[int]:
        return [port for kind, body in parts(self.instructions) if kind == APPLY_ACTIONS for port in outputs(body[4:])]


def parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """What follows type and length, of instructions and of actions."""
    while data:
        kind, length = struct.unpack_from("!HH", data)
        yield kind, data[4:length]
        data = data[length:]


def outputs(actions: bytes) -> list[int]:
    return [struct.unpack_from("!I", body)[0] for kind, body in parts(actions) if kind == OUTPUT]


def conditions(match: bytes) -> Iterator[tuple[int, bytes, bytes | None]]:
    """Each field's number, value and mask."""
    at, end = 4, struct.unpack_from("!H", match, 2)[0]
    while at < end:
        _, kind, length = struct.unpack_from("!HBB", match, at)
        value = match[at + 4 : at + 4 + length]
        at += 4 + length
        yield (kind >> 1, value[: length // 2], value[length // 2 :]) if kind & 1 else (kind >> 1, value, None)


def masked(value: bytes, mask: bytes | None) -> bytes:
    return value if mask is None else bytes(one & other for one, other in zip(value, mask, strict=True))


def padded(length: int) -> int:
    return length + 7 & ~7


class Then(enum.Enum):
    """What becomes of the message at which a connection ends."""

    LOST = "is lost"
    DONE = "is done and answered"


@dataclass(frozen=True)
class Fault:
    """At one message of an order, of those that write and of the barriers behind them, counted from 0."""

    at: int
    then: Then
    forgets: bool
    away_s: float = 0.0
    both: bool = False

    def __str__(self) -> str:
        who = "both switches gone" if self.both else "gone"
        return f"message {self.at} {self.then.value}, {who} for {self.away_s:g} s, tables {'lost' if self.forgets else 'kept'}"


class Script:
    """Counts the messages of an order at all of its switches, and has its fault happen once."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.messages: list[str] = []
        self.fault: Fault | None = None

    def begin(self, fault: Fault | None = None) -> None:
        with self.lock:
            self.messages, self.fault = [], fault

    def comes(self, what: str) -> Fault | None:
        self.messages.append(what)
        if self.fault and len(self.messages) == self.fault.at + 1:
            fault, self.fault = self.fault, None
            return fault
        return None


class ScriptedSwitch:
    """Close it. `connect` opens a connection to the controller."""

    def __init__(self, number: int, script: Script, connect: Callable[[], socket.socket]):
        self.number = number
        self.peer: ScriptedSwitch | None = None
        self.rules: list[Rule] = []
        self.meters: dict[int, tuple[int, bytes]] = {}
        self._script = script
        self._connect = connect
        self._connection: socket.socket | None = None
        self._away_s = SOON_S
        self._closed = threading.Event()
        self._number = 0
        self._thread = threading.Thread(target=self._live, name=f"switch-{number:x}", daemon=True)
        self._thread.start()

    @property
    def id(self) -> str:
        return f"of:{self.number:016x}"

    def close(self) -> None:
        self._closed.set()
        with self._script.lock, contextlib.suppress(OSError):
            if self._connection:
                self._connection.shutdown(socket.SHUT_RDWR)
        self._thread.join(30)

    def holds(self) -> tuple[list[tuple[int, str, str]], list[str]]:
        """Rules and meters, without what is another one each time: a meter's number is what it does."""
        with self._script.lock:
            does = {meter: f"{flags}:{bands.hex()}" for meter, (flags, bands) in self.meters.items()}
            rules = [(r.priority, r.match.hex(), " ".join(said(kind, body, does) for kind, body in parts(r.instructions))) for r in self.rules]
            return sorted(rules), sorted(does.values())

    def rates(self) -> list[int]:
        """Of all meters, in kbit/s."""
        with self._script.lock:
            return sorted(struct.unpack_from("!I", bands, 4)[0] for _, bands in self.meters.values())

    def hear(self, port: int, frame: bytes) -> None:
        """A frame comes in."""
        with self._script.lock:
            rule = max((r for r in self.rules if r.takes(port, frame)), key=lambda r: r.priority, default=None)
            if rule:
                self._out(rule.outputs(), port, frame, rule.cookie)

    # Its life

    def _live(self) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(OSError, EOFError), contextlib.closing(self._connect()) as connection:
                self._serve(connection)
            with self._script.lock:
                self._connection = None
                away, self._away_s = self._away_s, SOON_S
            self._closed.wait(away)

    def _serve(self, connection: socket.socket) -> None:
        """Until either end or the script ends it."""
        with self._script.lock:
            if self._closed.is_set():
                return
            self._connection = connection
            self._send(Kind.HELLO, b"")
        with connection.makefile("rb") as stream:
            while True:
                header = exactly(stream, HEADER.size)
                _, kind, length, number = HEADER.unpack(header)
                body = exactly(stream, length - HEADER.size)
                with self._script.lock:
                    if self._connection is None:
                        return  # gone with the other: what was under way is lost
                    fault = self._script.comes(named(self.number, kind, body)) if kind in WRITES else None
                    if not fault or fault.then is Then.DONE:
                        self._do(kind, number, body, header + body)
                    if fault:
                        self._go(fault)
                        if fault.both and self.peer:
                            self.peer._go(fault)
                if fault:
                    # What was answered arrives, and what comes until the other end has closed, too, is lost.
                    connection.settimeout(10)
                    while stream.read(1 << 16):
                        pass
                    return

    def _go(self, fault: Fault) -> None:
        if fault.forgets:
            self.rules, self.meters = [], {}
        self._away_s = fault.away_s
        if self._connection:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_WR)
            self._connection = None

    def _send(self, kind: int, body: bytes, number: int | None = None) -> None:
        if self._connection:
            if number is None:
                number = self._number = self._number + 1
            with contextlib.suppress(OSError):  # its own thread sees that, too
                self._connection.sendall(HEADER.pack(VERSION, kind, HEADER.size + len(body), number) + body)

    def _refuse(self, kind: int, code: int, number: int, message: bytes) -> None:
        self._send(Kind.ERROR, struct.pack("!HH", kind, code) + message, number)

    # What it is told

    def _do(self, kind: int, number: int, body: bytes, message: bytes) -> None:
        match kind:
            case Kind.HELLO | Kind.ERROR | Kind.ECHO_REPLY | Kind.SET_CONFIG:
                pass
            case Kind.ECHO:
                self._send(Kind.ECHO_REPLY, body, number)
            case Kind.FEATURES:
                self._send(Kind.FEATURES_REPLY, struct.pack("!QIBBxxII", self.number, 0, 1, 0, 0x1, 0), number)
            case Kind.GET_CONFIG:
                self._send(Kind.CONFIG, struct.pack("!HH", 0, 0xFFFF), number)
            case Kind.BARRIER:
                self._send(Kind.BARRIER_REPLY, b"", number)
            case Kind.ROLE:
                self._send(Kind.ROLE_REPLY, body, number)
            case Kind.PACKET_OUT:
                self._packet_out(body)
            case Kind.FLOW_MOD:
                self._write_rule(body, number, message)
            case Kind.METER_MOD:
                self._write_meter(body, number, message)
            case Kind.MULTIPART:
                self._ask(body, number, message)
            case _:
                self._refuse(BAD_REQUEST, BAD_TYPE, number, message)

    def _packet_out(self, body: bytes) -> None:
        _, port, length = struct.unpack_from("!IIH", body)
        self._out(outputs(body[16 : 16 + length]), port, body[16 + length :], 0)

    def _out(self, ports: list[int], port: int, frame: bytes, cookie: int) -> None:
        for one in ports:
            if one == CONTROLLER:
                match = struct.pack("!HHII4x", 1, 12, 0x80000004, port)
                self._send(Kind.PACKET_IN, struct.pack("!IHBBQ", NO_BUFFER, len(frame), 1, 0, cookie) + match + b"\0\0" + frame)
            elif self.peer and (one == LINK_PORT or one == FLOOD and port != LINK_PORT):
                self.peer.hear(LINK_PORT, frame)

    def _write_rule(self, body: bytes, number: int, message: bytes) -> None:
        cookie, _, _, command, _, _, priority, _, _, _, flags = FLOW.unpack_from(body)
        match_end = FLOW.size + padded(struct.unpack_from("!H", body, FLOW.size + 2)[0])
        rule = Rule(priority, body[FLOW.size : match_end], body[match_end:], cookie, flags)
        like = [r for r in self.rules if (r.priority, r.match) == (priority, rule.match)]
        if command == ADD:
            if rule.meter() not in (None, *self.meters):
                self._refuse(METER_MOD_FAILED, INVALID_METER, number, message)
                return
            self.rules = [r for r in self.rules if r not in like] + [rule]
        elif command == DELETE_STRICT:
            self._remove(like)
        elif command == DELETE_ALIKE and rule.match[:4] == struct.pack("!HH", 1, 4):
            self._remove(self.rules)
        else:
            self._refuse(BAD_REQUEST, BAD_TYPE, number, message)

    def _remove(self, rules: list[Rule]) -> None:
        self.rules = [r for r in self.rules if r not in rules]
        for r in rules:
            if r.flags & SEND_FLOW_REMOVED:
                self._send(Kind.FLOW_REMOVED, REMOVED.pack(r.cookie, r.priority, 2, 0, *lasting(r.since), 0, 0, 0, 0) + r.match)

    def _write_meter(self, body: bytes, number: int, message: bytes) -> None:
        command, flags, meter = METER.unpack_from(body)
        if command == DELETE:
            for gone in list(self.meters) if meter == ALL else [meter]:
                self.meters.pop(gone, None)
                self._remove([r for r in self.rules if r.meter() == gone])
        elif (command == ADD) == (meter in self.meters):
            self._refuse(METER_MOD_FAILED, METER_EXISTS if command == ADD else UNKNOWN_METER, number, message)
        else:
            self.meters[meter] = (flags, body[METER.size :])

    # What it is asked

    def _ask(self, body: bytes, number: int, message: bytes) -> None:
        kind = struct.unpack_from("!H", body)[0]
        match kind:
            case About.DESCRIPTION:
                answer = struct.pack("!256s256s256s32s256s", b"Paceline", b"scripted", b"1", b"1", f"{self.number:x}".encode())
            case About.FLOWS:
                answer = b"".join(map(flow_stats, self.rules))
            case About.PORTS:
                answer = b"".join(struct.pack("!I4x12QII", port, *[0] * 12, 1, 0) for port in (HOST_PORT, LINK_PORT))
            case About.QUEUES | About.GROUPS | About.GROUP_DESCRIPTIONS:
                answer = b""
            case About.METERS:
                answer = b"".join(self._meter_stats(meter) for meter in self.meters)
            case About.METER_CONFIGS:
                answer = b"".join(struct.pack("!HHI", 8 + len(bands), flags, meter) + bands for meter, (flags, bands) in self.meters.items())
            case About.METER_FEATURES:
                answer = struct.pack("!IIIBBxx", METERS_AT_MOST, 1 << 1, 0xF, 1, 0)
            case About.TABLE_FEATURES:
                answer = struct.pack("!HB5x32sQQII", 64, 0, b"", 0, 0, 0, RULES_AT_MOST)
            case About.PORT_DESCRIPTIONS:
                answer = b"".join(self._port(port) for port in (HOST_PORT, LINK_PORT))
            case _:
                self._refuse(BAD_REQUEST, BAD_MULTIPART, number, message)
                return
        self._send(Kind.MULTIPART_REPLY, struct.pack("!HH4x", kind, 0) + answer, number)

    def _meter_stats(self, meter: int) -> bytes:
        bands = len(self.meters[meter][1]) // 16
        led = sum(rule.meter() == meter for rule in self.rules)
        return METER_STATS.pack(meter, METER_STATS.size + 16 * bands, led, 0, 0, 1, 0) + bytes(16 * bands)

    def _port(self, port: int) -> bytes:
        address = struct.pack("!HHH", 0x0200, self.number & 0xFFFF, port)
        gigabit = 1 << 5
        return struct.pack("!I4x6s2x16s8I", port, address, f"p{port}".encode(), 0, 1 << 2, gigabit, gigabit, gigabit, 0, 1_000_000, 1_000_000)


def exactly(stream, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def named(switch: int, kind: int, body: bytes) -> str:
    at = f"at {switch:x}"
    if kind == Kind.FLOW_MOD:
        _, _, _, command, _, _, priority, *_ = FLOW.unpack_from(body)
        return f"{('add', 'modify', 'modify', 'delete', 'delete')[command]} a rule of {priority} {at}"
    if kind == Kind.METER_MOD:
        return f"{('add', 'modify', 'delete')[METER.unpack_from(body)[0]]} a meter {at}"
    return f"barrier {at}"


def said(kind: int, body: bytes, meters: dict[int, str]) -> str:
    return f"meter({meters[struct.unpack('!I', body)[0]]})" if kind == THROUGH_METER else f"{kind}:{body.hex()}"


def lasting(since: float) -> tuple[int, int]:
    now = time.monotonic() - since
    return int(now), int(now % 1 * 1e9)


def flow_stats(rule: Rule) -> bytes:
    length = FLOW_STATS.size + len(rule.match) + len(rule.instructions)
    return FLOW_STATS.pack(length, 0, *lasting(rule.since), rule.priority, 0, 0, rule.flags, rule.cookie, 0, 0) + rule.match + rule.instructions
