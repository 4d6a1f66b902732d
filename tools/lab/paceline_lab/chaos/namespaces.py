"""Network namespaces that a run makes, and whether it leaves any. Others of the machine have theirs beside it."""

from __future__ import annotations

from pathlib import Path

from ..machine.ledger import namespace_of

NAMED, PROCESSES = Path("/run/netns"), Path("/proc")


class Namespaces:
    """Those of a space and of its hosts, SPACE-HOST, that were not there before."""

    def __init__(self, space: str, named: Path = NAMED):
        self._space = space
        self._named = named
        self._before = self._now()
        self._made: dict[int, str] = {}

    def _now(self) -> dict[int, str]:
        found = [path for path in self._named.glob(f"{self._space}*") if path.name.partition("-")[0] == self._space]
        return {path.stat().st_ino: path.name for path in found}

    def _since(self) -> dict[int, str]:
        return {number: name for number, name in self._now().items() if number not in self._before}

    def note(self) -> None:
        """That the run has made by now; without a name one goes on for as long as somebody is in it."""
        self._made.update(self._since())

    def left(self) -> list[str]:
        names = [f"the network namespace {name} is left" for name in sorted(self._since().values())]
        inside = {int(path.name): self._made.get(namespace_of(path.name) or 0) for path in PROCESSES.glob("[0-9]*")}
        return names + [f"the process {pid} is left in the network namespace {name}" for pid, name in sorted(inside.items()) if name]
