"""What a Java process holds."""

from __future__ import annotations

import os
import re
import subprocess


def jcmd(pid: int, *words: str) -> str:
    return subprocess.run(["jcmd", str(pid), *words], capture_output=True, text=True, check=True, timeout=120).stdout


def heap_bytes(pid: int) -> int:
    """Without what only waits to be collected: it is collected for this, twice, as the first time only frees what refers to more."""
    for _ in range(2):
        histogram = jcmd(pid, "GC.class_histogram")
    return int(re.search(r"^Total +\d+ +(\d+)", histogram, re.MULTILINE)[1])  # type: ignore[index]


def threads(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))
