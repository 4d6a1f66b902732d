"""Says on the terminal what is going on and for how long."""

from __future__ import annotations

import sys
import time


class Progress:
    """One line that is rewritten on a terminal, and one line per change where output is a file."""

    def __init__(self, quiet: bool = False) -> None:
        self.started = time.monotonic()
        self._quiet = quiet
        self._shown = ""
        self._on_terminal = sys.stderr.isatty()

    def seconds(self) -> float:
        return time.monotonic() - self.started

    def show(self, what: str) -> None:
        if self._quiet:
            return
        if self._on_terminal:
            print(f"\r\033[K{what} ({self.seconds():.0f} s)", end="", file=sys.stderr, flush=True)
        elif what != self._shown:
            print(f"{what} ({self.seconds():.0f} s)", file=sys.stderr, flush=True)
        self._shown = what

    def clear(self) -> None:
        if self._shown and self._on_terminal and not self._quiet:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._shown = ""
