"""ONOS as its operator sees it: over REST."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from typing import Any

REST = "http://127.0.0.1:8181/onos"
# What ONOS has the application's settings under.
COMPONENT = "org.paceline.onos.PacelineComponent"


class Refused(RuntimeError):
    """What was asked for is not done."""


class Controller:
    def __init__(self, base: str = REST, user: str = "onos", password: str = "rocks"):
        self.base = base
        self.authorization = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def call(self, method: str, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": self.authorization,
                "Accept": "application/json",
                # ONOS refuses a content type where there is no content.
                **({} if body is None else {"Content-Type": "application/json"}),
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
                # ONOS's way to say that it took only a part of a configuration.
                if answer.status == 207:
                    raise RuntimeError(f"the controller takes not all of {method} {path}: {text.decode(errors='replace')[:400]}")
        except urllib.error.HTTPError as problem:
            detail = problem.read().decode(errors="replace").strip()[:400]
            raise Refused(f"the controller refuses {method} {path}: {problem.code} {detail}") from None
        except OSError as problem:
            raise RuntimeError(f"the controller does not answer {method} {path}: {problem}") from None
        return json.loads(text) if text.strip() else None

    def enrolment_token(self, host: str) -> str:
        """By which this host may enrol once."""
        return str(self.call("POST", "/paceline/v1/enrolment-tokens", {"host": host})["token"])

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def devices(self) -> list[str]:
        return [d["id"] for d in self.get("/v1/devices")["devices"] if d.get("available")]

    def links(self) -> set[tuple[str, str]]:
        found = self.get("/v1/links")["links"]
        return {
            (f"{one['src']['device']}/{one['src']['port']}", f"{one['dst']['device']}/{one['dst']['port']}")
            for one in found
            if one.get("state", "ACTIVE") == "ACTIVE"
        }

    def configure(self, settings: dict[str, Any]) -> None:
        self.call("POST", "/v1/network/configuration", settings)

    def state(self) -> dict[str, Any]:
        return self.get("/paceline/v1/state")

    def conversations(self) -> list[dict[str, Any]]:
        return self.get("/paceline/v1/conversations")["conversations"]
