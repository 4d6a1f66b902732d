"""Who listens where, read from /proc: no tool needed, and no connection made."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_LISTEN = "0A"


@dataclass(frozen=True)
class Listener:
    port: int
    pid: int | None
    program: str | None

    def __str__(self) -> str:
        if self.pid is None:
            return "a process that this user may not see"
        return f"process {self.pid} ({self.program})"


def listening_inodes() -> dict[int, set[str]]:
    """The socket inodes that listen on each TCP port of this network namespace."""
    found: dict[int, set[str]] = {}
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[3] == _LISTEN:
                port = int(fields[1].rsplit(":", 1)[1], 16)
                found.setdefault(port, set()).add(fields[9])
    return found


def listener_on(port: int) -> Listener | None:
    """Who listens on the port, or None where nobody does."""
    inodes = listening_inodes().get(port)
    if not inodes:
        return None
    wanted = {f"socket:[{inode}]" for inode in inodes}
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            if any(os.readlink(fd) in wanted for fd in (process / "fd").iterdir()):
                program = (process / "comm").read_text().strip()
                return Listener(port, int(process.name), program)
        except OSError:
            continue  # Gone in the meantime, or another user's.
    return Listener(port, None, None)
