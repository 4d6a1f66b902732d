"""Somebody who types commands into OpenSSH on a terminal: a JSON line with how long each answer took.

    python3 -m paceline_lab.real_programs.keyboard LOCAL REMOTE SSH_WORD ...

Each key is a packet of its own, as on any terminal, and the far shell echoes it. What counts is the time from the return
key until the command's last word is on the screen.
"""

from __future__ import annotations

import itertools
import json
import os
import pty
import select
import subprocess
import sys
import time

from ..traffic.mix import KINDS

COMMANDS = ("uptime", "date", "ls -la /")
# A good typist's ten keys a second, and what the lab's users pause between commands.
KEY_S, PAUSE_S, PATIENCE_S = 0.1, 0.5, 60.0


class Screen:
    """What has come on a terminal. What is typed is echoed, so that a mark must not be among what is typed."""

    def __init__(self, terminal: int):
        self.terminal = terminal
        self.shown = b""

    def until(self, mark: bytes, patience_s: float = PATIENCE_S) -> None:
        """Forgets all up to the mark. Raises RuntimeError where it does not come."""
        end = time.monotonic() + patience_s
        while mark not in self.shown:
            left = end - time.monotonic()
            if left <= 0 or not self.read(left):
                raise RuntimeError(f"the terminal has not shown {mark!r} within {patience_s:g} s, but {self.shown[-200:]!r}")
        self.shown = self.shown.split(mark, 1)[1]

    def read(self, patience_s: float) -> bool:
        if not select.select([self.terminal], [], [], patience_s)[0]:
            return False
        try:
            piece = os.read(self.terminal, 65536)
        except OSError:
            piece = b""  # a terminal whose program has ended
        self.shown += piece
        return bool(piece)


def marked(command: str, number: int) -> tuple[str, bytes]:
    """A command whose last word the shell makes, so that its echo does not have it."""
    return f"{command}; echo done-$(({number} + 0))-", f"done-{number}-".encode()


def typed(screen: Screen, text: str) -> None:
    for key in text:
        os.write(screen.terminal, key.encode())
        # The echo is read meanwhile: a terminal that nobody reads from stops.
        end = time.monotonic() + KEY_S
        while (left := end - time.monotonic()) > 0:
            screen.read(left)


def main(local: str, remote: str, *ssh: str) -> None:
    here, there = pty.openpty()
    words = [*ssh, "-tt", "-b", local, "-p", str(KINDS["ssh"].port), f"root@{remote}", "exec env PS1='ready> ' /bin/sh -i"]
    with subprocess.Popen(words, stdin=there, stdout=there, stderr=there):
        os.close(there)
        screen = Screen(here)
        screen.until(b"ready> ")
        for number in itertools.count():
            text, mark = marked(COMMANDS[number % len(COMMANDS)], number)
            typed(screen, text)
            began = time.monotonic()
            os.write(here, b"\r")
            screen.until(mark)
            print(json.dumps({"responseS": round(time.monotonic() - began, 6)}), flush=True)
            time.sleep(PAUSE_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
