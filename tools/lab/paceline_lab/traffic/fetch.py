"""A small HTTP/1.1 client for measuring: persistent connections, bodies counted and thrown away.

The kernel is asked (SO_RCVLOWAT) to wake this process only when a good part of a body has come, not for every paced
packet: 100 Mbit/s of many paced streams are 8,000 packets a second, and the machine has other work.
"""

from __future__ import annotations

import asyncio
import socket

WAKE_BYTES = 48 * 1024


class Broken(Exception):
    """The connection ended or the answer was no file."""


class Connection(asyncio.BufferedProtocol):
    total_bytes = 0  # of bodies, over all connections of this process

    def __init__(self) -> None:
        self.buffer = bytearray(256 * 1024)
        self.head = b""
        self.expected = self.received = 0
        self.in_body = False
        self.done: asyncio.Future[None] | None = None
        self.transport: asyncio.Transport | None = None
        self.wake = 1

    @classmethod
    async def open(cls, local: str, host: str, port: int) -> "Connection":
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(cls, host, port, local_addr=(local, 0))
        return connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.socket: socket.socket = transport.get_extra_info("socket")
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.local_port: int = self.socket.getsockname()[1]

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        if self.done and not self.done.done():
            self.done.set_exception(Broken(str(error or "closed by the server")))

    @property
    def usable(self) -> bool:
        return self.transport is not None and not self.transport.is_closing()

    def close(self) -> None:
        if self.transport:
            self.transport.abort()

    async def get(self, path: str, first: int = -1, last: int = -1) -> int:
        """Fetches a file, or its bytes from first to last; returns how many came."""
        if not self.usable or self.transport is None:
            raise Broken("the connection is closed")
        self.head, self.expected, self.received, self.in_body = b"", 0, 0, False
        self.done = asyncio.get_running_loop().create_future()
        part = f"Range: bytes={first}-{last}\r\n" if first >= 0 else ""
        self.set_wake(1)
        self.transport.write(f"GET {path} HTTP/1.1\r\nHost: lab\r\n{part}\r\n".encode())
        await self.done
        return self.received

    def set_wake(self, size: int) -> None:
        size = max(1, min(WAKE_BYTES, size))
        if size != self.wake:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, size)
            self.wake = size

    def get_buffer(self, hint: int) -> bytearray:
        return self.buffer

    def buffer_updated(self, count: int) -> None:
        if self.done is None or self.done.done():
            return
        if not self.in_body:
            self.head += bytes(self.buffer[:count])
            end = self.head.find(b"\r\n\r\n")
            if end < 0:
                return
            lines = self.head[:end].split(b"\r\n")
            if lines[0].split(b" ")[1] not in (b"200", b"206"):
                self.done.set_exception(Broken(lines[0].decode(errors="replace")))
                return
            for line in lines:
                if line.lower().startswith(b"content-length:"):
                    self.expected = int(line.split(b":")[1])
            self.in_body = True
            self.received = len(self.head) - end - 4
            Connection.total_bytes += self.received
        else:
            self.received += count
            Connection.total_bytes += count
        if self.received >= self.expected:
            self.done.set_result(None)
        else:
            self.set_wake(self.expected - self.received)
