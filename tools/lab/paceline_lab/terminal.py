"""What the operator sees while it runs: what is going on, how long it still takes, how the users fare."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class Terminal:
    def __init__(self, out: TextIO = sys.stderr, every_s: float = 5, name: str = "demo"):
        """Each line begins with the command's name."""
        self.name = name
        self.out = out
        self.every_s = every_s if not out.isatty() else 0.5
        self.last = 0.0
        self.width = 0

    def step(self, text: str) -> None:
        self.clear()
        print(f"{self.name}: {text}", file=self.out, flush=True)
        self.last = 0.0

    def progress(self, text: str) -> None:
        """One line that replaces itself on a terminal, and comes now and then elsewhere."""
        now = time.monotonic()
        if now - self.last < self.every_s:
            return
        self.last = now
        if self.out.isatty():
            self.out.write("\r" + text.ljust(self.width))
            self.width = len(text)
            self.out.flush()
        else:
            print(f"{self.name}:   {text}", file=self.out, flush=True)

    def clear(self) -> None:
        if self.out.isatty() and self.width:
            self.out.write("\r" + " " * self.width + "\r")
            self.width = 0
