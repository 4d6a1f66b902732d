"""Another kernel, as a process of this one, with this machine's files: Debian's Linux in user mode, which has what this machine's kernel may lack."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ..checkout import ROOT
from ..errors import Missing
from ..machine.ledger import run

PROGRAM = "linux.uml"
# Its first process, and what lets it run on newer processors; the agent's tests use the same.
KIT = ROOT / "host-agent-java/agent/src/test/uml"


def require() -> None:
    for program, package in ((PROGRAM, "user-mode-linux"), ("gcc", "gcc libc6-dev")):
        if not shutil.which(program):
            raise Missing(f"{program} is not installed. Maybe: apt-get install {package}")


def words(directory: Path, memory_mb: int, *devices: str) -> list[str]:
    """
    What boots it and runs the script `command` in this directory, whose exit code is in `exit` afterwards. All that the script starts
    ends with it. The directory must not be below /run, where the other kernel has files of its own.
    """
    boot = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", PROGRAM, "rootfstype=hostfs", "rootflags=/", "rw"]
    boot += [f"mem={memory_mb}M", "con=null", "con0=null,fd:1", "quiet", f"init={KIT / 'init'}", f"WORK={directory}"]
    return [*boot, *devices]


def environment(directory: Path) -> dict[str, str]:
    preload = directory / "xstate.so"
    run("gcc", "-O2", "-shared", "-fPIC", "-o", str(preload), str(KIT / "xstate.c"))
    return {**os.environ, "LD_PRELOAD": str(preload), "TMPDIR": "/dev/shm"}
