"""The little of ONOS's REST that starting it needs."""

from __future__ import annotations

import base64
import json
import time
import urllib.error
import urllib.request
from pathlib import Path

from .errors import OnosError
from .settings import LOOPBACK

_REMOVAL_SECONDS = 20.0


class Rest:
    """Answers of ONOS at one port of the loopback."""

    def __init__(self, port: int, password: str = "rocks") -> None:
        """As the user onos."""
        self._authorization = "Basic " + base64.b64encode(f"onos:{password}".encode()).decode()
        self._root = f"http://{LOOPBACK}:{port}/onos/v1"
        # A proxy of the environment has no business between us and our own loopback.
        self._open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

    def call(
        self, method: str, path: str, body: bytes | None = None,
        content_type: str = "application/json", timeout: float = 10,
    ) -> tuple[int, bytes]:
        """Status and body; OSError where nobody answers."""
        request = urllib.request.Request(self._root + path, data=body, method=method)
        request.add_header("Authorization", self._authorization)
        if body is not None:
            request.add_header("Content-Type", content_type)
        try:
            with self._open(request, timeout=timeout) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, refusal.read()

    def get(self, path: str, timeout: float = 10) -> dict | None:
        """The answer, or None where there is no good one yet."""
        try:
            status, body = self.call("GET", path, timeout=timeout)
            return json.loads(body) if status == 200 else None
        except (OSError, ValueError):
            return None

    def applications(self) -> dict[str, str]:
        """State of each installed application by name."""
        answer = self.get("/applications") or {"applications": []}
        return {app["name"]: app["state"] for app in answer["applications"]}

    def install(self, oar: Path) -> str:
        """Installs and activates an archive unchanged; the name of its application."""
        # A removal goes on for a moment after ONOS has answered it; until then there is a conflict.
        deadline = time.monotonic() + _REMOVAL_SECONDS
        while True:
            try:
                status, body = self.call(
                    "POST", "/applications?activate=true", oar.read_bytes(),
                    "application/octet-stream", timeout=120,
                )
            except OSError as failure:
                raise OnosError(f"ONOS stopped answering while it took {oar}: {failure}.") from failure
            if status != 409 or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        if status == 200:
            return json.loads(body)["name"]
        raise OnosError(
            f"ONOS refused {oar} with HTTP {status}: {_message(body)}. Maybe its build is broken, or it needs what this ONOS lacks"
        )

    def activate(self, name: str) -> None:
        status, body = self.call("POST", f"/applications/{name}/active", b"", timeout=120)
        if status != 200:
            raise OnosError(f"ONOS could not activate {name} (HTTP {status}): {_message(body)}.")

    def remove(self, name: str) -> None:
        status, body = self.call("DELETE", f"/applications/{name}", timeout=120)
        if status not in (200, 204):
            raise OnosError(f"ONOS could not remove {name} (HTTP {status}): {_message(body)}.")
        deadline = time.monotonic() + _REMOVAL_SECONDS
        while name in self.applications() and time.monotonic() < deadline:
            time.sleep(0.2)

    def is_healthy(self, name: str) -> bool:
        """Whether every component of the application is active."""
        if self.applications().get(name) != "ACTIVE":
            return False
        health = self.get(f"/applications/{name}/health")
        return health is not None and health.get("message") == "ready"

    def has_context(self, path: str) -> bool:
        """Whether a web bundle answers there: it asks for a login, where an absent one is not found."""
        request = urllib.request.Request(self._root.removesuffix("/onos/v1") + path)
        try:
            with self._open(request, timeout=10) as response:
                return response.status != 404
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code != 404
        except OSError:
            return False


def _message(body: bytes) -> str:
    try:
        return str(json.loads(body).get("message", ""))
    except ValueError:
        return body.decode(errors="replace")[:300].strip() or "no reason given"
