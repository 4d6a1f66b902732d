"""Processes known by pid and start time, so that a reused pid is never mistaken for ours."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ProcessId:
    """A pid alone may belong to somebody else tomorrow; with its start time it cannot."""

    pid: int
    start_ticks: int

    @staticmethod
    def of(pid: int) -> ProcessId | None:
        stat = _stat(pid)
        return None if stat is None else ProcessId(pid, int(stat[19]))

    def is_alive(self) -> bool:
        stat = _stat(self.pid)
        if stat is None or int(stat[19]) != self.start_ticks:
            return False
        # A zombie holds nothing any more, and whoever started it will reap it; but where only its first thread is one, the
        # others still hold its files and ports.
        threads = int(stat[17])
        return stat[0] != "Z" or threads > 1

    def command_line(self) -> str:
        try:
            raw = Path(f"/proc/{self.pid}/cmdline").read_bytes()
        except OSError:
            return ""
        return raw.replace(b"\0", b" ").decode(errors="replace")

    def resident_megabytes(self) -> int:
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE") // (1024 * 1024)

    def stop(self, grace_seconds: float, on_wait=lambda: None) -> bool:
        """Ends it politely, then by force; True where it went politely."""
        for number, seconds in ((signal.SIGTERM, grace_seconds), (signal.SIGKILL, 60.0)):
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return True
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                _reap(self.pid)
                if not self.is_alive():
                    return number == signal.SIGTERM
                on_wait()
                time.sleep(0.1)
        return False


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on: the name before it may hold anything."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None


def _reap(pid: int) -> None:
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass  # Started by an earlier onosctl: init reaps it.
