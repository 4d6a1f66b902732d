"""Processes, named for good."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any


def started_at(pid: int) -> str | None:
    """The start time of a process, in clock ticks: with its number, it names a process for good. None: it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        # A zombie holds nothing any more, and whoever started it will reap it; where only its first thread is one, others do.
        return None if fields[0] == "Z" and int(fields[17]) == 1 else fields[19]
    except (OSError, IndexError):
        return None


def reap(process: subprocess.Popen[Any], seconds: float = 10) -> bool:
    """Waits for the end of who was told to end, and kills who does not heed it. Whether it ended by itself."""
    try:
        process.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False
