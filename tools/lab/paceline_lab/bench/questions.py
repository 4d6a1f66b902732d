"""A viewer who floods a controller with what is expensive to answer, over many connections, as fast as it lets him.

What-if of the present policy, explanations, the present problem solved again, and a problem of the viewer's own, as large as is
taken: each connection asks again as soon as it is answered, and where it is refused after the time that it is told (`Retry-After`).

Started in the controller's network with a JSON file: {"authorization", "tree", "conversation"}. Commands on standard input: `flood`,
`rest`. Each is answered by how many answers of each kind there have been, by status, once no question is open any more.
"""

from __future__ import annotations

import http.client
import json
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..checkout import ROOT

CONNECTIONS = 16
EXAMPLE = ROOT / "tools/solve/examples/m2_triangle.json"
# More are refused unread.
MOST_APPLICATIONS = 10_000


@dataclass(frozen=True)
class Question:
    kind: str
    method: str
    path: str
    body: bytes | None


def large_problem(applications: int = MOST_APPLICATIONS) -> dict[str, Any]:
    """Between three switches with a choice of ways, and room for so many applications."""
    example = json.loads(EXAMPLE.read_text())
    few = example["applications"]
    times = -(-applications // len(few))
    many = [{**one, "id": f"{one['id']}-{copy}"} for copy in range(times) for one in few][:applications]
    links = [
        {**link, "capacityKbps": link["capacityKbps"] * times, "usageKbps": [usage * times for usage in link["usageKbps"]]} for link in example["links"]
    ]  # fmt: skip
    return {**{name: value for name, value in example.items() if name != "expected"}, "name": "flood", "links": links, "applications": many}


def questions(tree: dict[str, Any], conversation: str) -> list[Question]:
    """One of each kind. `tree` is the policy to be asked about, `conversation` one that is open: HOST/ID."""
    return [
        Question("what-if", "POST", "whatif", json.dumps(tree).encode()),
        Question("a problem of his own", "POST", "solve", json.dumps(large_problem()).encode()),
        Question("explanation", "GET", f"explain/{conversation}", None),
        Question("the present problem", "POST", "solve/present?method=network", b"{}"),
    ]


class Line(Protocol):
    """A connection to REST that is kept."""

    def ask(self, question: Question) -> tuple[int, float]:
        """The status, and after how many seconds to ask again."""

    def close(self) -> None: ...


class HttpLine:
    def __init__(self, authorization: str):
        self.headers = {"Authorization": authorization, "Accept": "application/json", "Content-Type": "application/json"}
        self.line = http.client.HTTPConnection("127.0.0.1", 8181, timeout=120)

    def ask(self, question: Question) -> tuple[int, float]:
        self.line.request(question.method, f"/onos/paceline/v1/{question.path}", question.body, self.headers)
        answer = self.line.getresponse()
        answer.read()
        return answer.status, float(answer.headers.get("Retry-After", 0))

    def close(self) -> None:
        self.line.close()


class Flood:
    """`answers` counts by kind and status; status 0 where the connection broke."""

    def __init__(self, lines: Sequence[Line], asked: Sequence[Question]):
        self.lines = lines
        self.asked = asked
        self.answers: Counter[tuple[str, int]] = Counter()
        self.rests = threading.Event()
        self.threads: list[threading.Thread] = []

    def begin(self) -> None:
        self.rests.clear()
        self.threads = [threading.Thread(target=self.ask_on, args=(line, number)) for number, line in enumerate(self.lines)]
        for thread in self.threads:
            thread.start()

    def end(self) -> None:
        """Every question that was asked has been answered then."""
        self.rests.set()
        for thread in self.threads:
            thread.join()

    def ask_on(self, line: Line, first: int) -> None:
        """One question after the other, each kind in turn."""
        number = first
        while not self.rests.is_set():
            question = self.asked[number % len(self.asked)]
            try:
                status, wait_s = line.ask(question)
            except (OSError, http.client.HTTPException):
                status, wait_s = 0, 0.1
                line.close()
            self.answers[question.kind, status] += 1
            number += 1
            self.rests.wait(wait_s)
        line.close()

    def to_json(self) -> dict[str, dict[str, int]]:
        return {kind: {str(status): many for (of, status), many in sorted(self.answers.items()) if of == kind} for kind in sorted({of for of, _ in self.answers})}


def main() -> None:
    settings = json.loads(Path(sys.argv[1]).read_text())
    flood = Flood([HttpLine(settings["authorization"]) for _ in range(CONNECTIONS)], questions(settings["tree"], settings["conversation"]))
    for command in sys.stdin:
        if command.strip() == "flood":
            flood.begin()
        else:
            flood.end()
        print(json.dumps(flood.to_json()), flush=True)
    flood.end()


if __name__ == "__main__":
    main()
