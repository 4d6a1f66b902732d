"""A web server that takes webhooks, in the namespace of an ONOS; and the waiting for what it is told."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from paceline_lab.networks.space import entered


@dataclass(frozen=True)
class Message:
    id: str
    at: int
    signature: str
    body: bytes

    @property
    def said(self) -> Any:
        return json.loads(self.body)

    def is_signed_with(self, key: bytes) -> bool:
        """As Standard Webhooks 1.0 has it."""
        signed = f"{self.id}.{self.at}.".encode() + self.body
        return self.signature == "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


class Receiver(ThreadingHTTPServer):
    """Answers 503 where a message comes for the first time, unless it is willing, and to all while it is closed."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.closed = False
        self.willing = False
        self.messages: list[Message] = []

    @classmethod
    @contextlib.contextmanager
    def inside(cls, namespace: str) -> Iterator[Receiver]:
        with entered(namespace):
            server = cls()
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            yield server
        finally:
            server.shutdown()
            serving.join()
            server.server_close()

    def of(self, kind: str) -> list[Message]:
        return [one for one in self.messages if one.said["type"] == kind]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/paceline"


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        head = self.headers
        body = self.rfile.read(int(head["Content-Length"]))
        message = Message(head["webhook-id"], int(head["webhook-timestamp"]), head["webhook-signature"], body)
        known = message.id in [one.id for one in self.server.messages]
        self.server.messages.append(message)
        self.send_response(204 if (known or self.server.willing) and not self.server.closed else 503)
        self.end_headers()

    def log_message(self, *words: Any) -> None:
        pass
