"""Runs onosctl as a user does, and asks until ONOS has the answer."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from onos_runtime.rest import Rest
from paceline_lab.networks import space

# Of ONOS and the switches: no port or interface meets those outside.
SPACE = "pot"
ROOM = Path(__file__).resolve().parent.parent
REST_PORT, SSH, OPENFLOW, CLUSTER = 18281, 18201, 16753, 19976
PORTS = [f"--rest-port={REST_PORT}", f"--ssh-port={SSH}", f"--openflow-port={OPENFLOW}", f"--cluster-port={CLUSTER}"]


class Onosctl:
    """The command as a user runs it."""

    def __init__(self, run_directory: Path) -> None:
        self.run_directory = run_directory

    def __call__(self, command: str, *arguments: str) -> subprocess.CompletedProcess:
        line = space.inside(SPACE, sys.executable, str(ROOM / "onosctl.py"), command, f"--run-dir={self.run_directory}", *PORTS)
        return subprocess.run([*line, *arguments], capture_output=True, text=True, timeout=400, check=False)


def eventually(question, seconds: float = 60.0):
    """The first true answer; fails with the last one where there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        answer = question()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"Still {answer!r} after {seconds:.0f} s."
        time.sleep(0.1)


class RestInside(Rest):
    """Asks from within the network namespace that ONOS is in."""

    def call(self, *arguments, **named):
        # A start may do with less patience; a test ends where nobody answers.
        named["timeout"] = max(60, named.get("timeout", 0))
        with inside():
            return super().call(*arguments, **named)


def inside():
    """This thread's connections are made in the network namespace that ONOS is in."""
    return space.entered(SPACE)
