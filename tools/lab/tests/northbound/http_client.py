"""Paceline's REST as any HTTP client sees it."""

from __future__ import annotations

import base64
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any

from paceline_lab.networks.space import entered

ROOT = "http://127.0.0.1:8181/onos/paceline/v1/"


@dataclass(frozen=True)
class Answer:
    status: int
    type: str
    headers: Any
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    def is_problem(self, status: int) -> bool:
        return (
            self.status == status
            and self.type == "application/problem+json"
            and self.json["status"] == status
            and bool(self.json["detail"])
        )


class Client:
    def __init__(
        self, namespace: str, user: str | None, password: str = "", *, patient: bool = True, sources: Iterator[str] = repeat("")
    ) -> None:
        """A patient one waits where it is told that it sends too much. Each request comes from the next of the sources."""
        self.namespace = namespace
        self.patient = patient
        self.sources = sources
        self.authorization = user and "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """A body that is no bytes goes as JSON; a header's _ stands for -."""
        answer = self._once(method, path, body, headers)
        while self.patient and answer.status == 429:
            time.sleep(float(answer.headers["Retry-After"]))
            answer = self._once(method, path, body, headers)
        return answer

    def _once(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(urllib.parse.urljoin(ROOT, path), data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.authorization:
            request.add_header("Authorization", self.authorization)
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        with entered(self.namespace):
            try:
                with urllib.request.build_opener(_From(next(self.sources))).open(request, timeout=60) as answer:
                    return _answer(answer.status, answer)
            except urllib.error.HTTPError as refusal:
                with refusal:
                    return _answer(refusal.code, refusal)

    def get(self, path: str) -> Answer:
        return self.send("GET", path)

    def is_up(self) -> bool:
        """Whether Paceline answers: who asks while it stops may be cut off in the middle."""
        try:
            return self.get("state").status == 200
        except (OSError, http.client.HTTPException):
            return False


class _From(urllib.request.HTTPHandler):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(http.client.HTTPConnection, source_address=(self.source, 0)), request)


def _answer(status: int, answer: Any) -> Answer:
    text = answer.read().decode(errors="replace")
    return Answer(status, answer.headers.get_content_type() if text else "", answer.headers, text)
