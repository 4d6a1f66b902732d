"""The shell of a running ONOS, over ssh as an operator has it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .space import inside

SSH = ("ssh", "-p", "8101", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
       "-o", "PreferredAuthentications=password")  # fmt: skip


def login(directory: Path, password: str = "rocks") -> dict[str, str]:
    """The environment in which ssh finds a password; it is written into a file of the directory."""
    script = directory / password
    script.write_text(f"#!/bin/sh\necho {password}\n")
    script.chmod(0o700)
    return {**os.environ, "TERM": "xterm", "SSH_ASKPASS": str(script), "SSH_ASKPASS_REQUIRE": "force"}


def say(namespace: str, environment: dict[str, str], command: str, sent: str = "", user: str = "onos") -> str:
    """Runs one command; what it prints."""
    done = subprocess.run(
        inside(namespace, *SSH, f"{user}@127.0.0.1", command),
        env=environment, input=sent, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr
