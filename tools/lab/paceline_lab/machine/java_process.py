"""What a Java process holds."""

from __future__ import annotations

import os
import re
import subprocess


def jcmd(pid: int, *words: str) -> str:
    return subprocess.run(["jcmd", str(pid), *words], capture_output=True, text=True, check=True, timeout=120).stdout


def heap(pid: int) -> dict[str, int]:
    """
    Bytes by class. Without what only waits to be collected: it is collected for this, twice, as the first time only frees what refers to more.
    """
    for _ in range(2):
        histogram = jcmd(pid, "GC.class_histogram")
    return by_class(histogram)


def by_class(histogram: str) -> dict[str, int]:
    """Of `jcmd PID GC.class_histogram`. Classes of the same name, of several loaders, are together."""
    found: dict[str, int] = {}
    for size, name in re.findall(r"^ *\d+: +\d+ +(\d+)  (\S+)", histogram, re.MULTILINE):
        found[name] = found.get(name, 0) + int(size)
    return found


def heap_bytes(pid: int) -> int:
    return sum(heap(pid).values())


def threads(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))
