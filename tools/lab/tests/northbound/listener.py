"""A client that listens to an event stream of RESTCONF, in the namespace of an ONOS."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import threading
from collections.abc import Iterator
from typing import Any

from paceline_lab.networks.space import entered

RESTCONF = "/onos/paceline/restconf"


class Listener(threading.Thread):
    """Collects what is told until the server ends it, or close."""

    def __init__(self, namespace: str, stream: str, user: str = "onos:rocks") -> None:
        super().__init__(daemon=True)
        self.told: list[Any] = []
        self.ended = threading.Event()
        headers = {"Authorization": "Basic " + base64.b64encode(user.encode()).decode(), "Accept": "text/event-stream"}
        with entered(namespace):
            self.connection = http.client.HTTPConnection("127.0.0.1", 8181, timeout=60)
            self.connection.request("GET", f"{RESTCONF}/streams/{stream}", headers=headers)
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        self.status = self.answer.status
        self.type = self.answer.headers.get_content_type()

    @classmethod
    @contextlib.contextmanager
    def inside(cls, namespace: str, stream: str, user: str = "onos:rocks") -> Iterator[Listener]:
        listener = cls(namespace, stream, user)
        listener.start()
        try:
            yield listener
        finally:
            with contextlib.suppress(OSError):
                listener.socket.shutdown(2)
            listener.join()
            listener.connection.close()

    def run(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            for line in self.answer:
                if line.startswith(b"data: "):
                    self.told.append(json.loads(line[len(b"data: ") :])["ietf-restconf:notification"])
        self.ended.set()

    def of(self, name: str) -> list[Any]:
        """What was told under this name, without the envelope."""
        return [one[name] for one in self.told if name in one]
