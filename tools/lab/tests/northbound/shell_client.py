"""ONOS's shell over ssh, as somebody has it who sits there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

from paceline_lab.networks.shell import SSH, login
from paceline_lab.networks.space import inside

CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\x07\x0f]")


def printed(namespace, folder, command, *options, **environment):
    """The very bytes that one command prints; -tt gives it a terminal."""
    done = subprocess.run(
        inside(namespace, *SSH, *options, "onos@127.0.0.1", command),
        env=login(folder) | environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


class Terminal:
    """Somebody who sits at the shell."""

    def __init__(self, namespace, folder, user="onos", password="rocks"):
        self.keys, screen = pty.openpty()
        # Wide, that no line is broken.
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 2000, 0, 0))
        self.process = subprocess.Popen(
            inside(namespace, *SSH, "-tt", f"{user}@127.0.0.1"),
            stdin=screen, stdout=screen, stderr=screen, env=login(folder, password), start_new_session=True,
        )  # fmt: skip
        os.close(screen)
        self.seen = ""
        self.raw = ""
        self.commands = 0
        self.shows("@")

    def press(self, keys):
        self.seen = self.raw = ""
        os.write(self.keys, keys.encode())

    def shows(self, text, seconds=120):
        until = time.monotonic() + seconds
        while text not in self.seen:
            left = until - time.monotonic()
            assert left > 0, f"({text}) is not among ({self.seen})."
            if select.select([self.keys], [], [], left)[0]:
                self.raw += os.read(self.keys, 65536).decode(errors="replace")
                self.seen = CONTROLS.sub("", self.raw)

    def run(self, command):
        """What is seen of a command: itself and what it prints. A command that there is not, after it, shows where that ends."""
        self.commands += 1
        end = f"end-{self.commands}"
        self.press(f"{command}\n{end}\n")
        self.shows(f"Command not found: {end}")
        return self.seen[: self.seen.index(f"Command not found: {end}")]

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.keys)
