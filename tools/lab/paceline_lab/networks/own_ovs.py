"""An Open vSwitch of its own: daemons in a namespace, with their own database and sockets."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..machine.ledger import SWITCH_NICE, run
from .ovs import FEW_THREADS, SCHEMA


class OwnOpenVSwitch:
    """
    What it writes is below `directory`, and whoever made that removes it. Start it while the machine's settings are
    `machine_settings.SOCKET_BUFFERS`, until its switches have their ports.
    """

    # Switches forward in user space.
    datapath = "netdev"

    def __init__(self, directory: Path, popen: Callable[..., Any]):
        self.directory = directory
        self._popen = popen
        self._env = {**os.environ, **{f"OVS_{name}DIR": str(directory) for name in ("RUN", "LOG", "DB")}}

    def start(self) -> None:
        database, socket = self.directory / "conf.db", self.directory / "db.sock"
        run("ovsdb-tool", "create", str(database), str(SCHEMA))
        self._daemon("ovsdb-server", str(database), f"--remote=punix:{socket}")
        wait_until_true(socket.exists, "ovsdb-server", log=self.directory / "ovsdb-server.out")
        self.vsctl("--no-wait", "init")
        self.vsctl("--no-wait", "set", "Open_vSwitch", ".", *FEW_THREADS)
        self._daemon("ovs-vswitchd", f"unix:{socket}")
        self.vsctl("show")

    def _daemon(self, program: str, *words: str) -> None:
        path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin") or program
        with open(self.directory / f"{program}.out", "wb") as log:
            self._popen(path, *words, env=self._env, stdout=log, stderr=subprocess.STDOUT, cwd=self.directory, nice=SWITCH_NICE)

    def vsctl(self, *words: str) -> str:
        return self._call("ovs-vsctl", "--timeout=60", f"--db=unix:{self.directory}/db.sock", *words)

    def ofctl(self, command: str, bridge: str, *words: str) -> str:
        return self._call("ovs-ofctl", "-O", "OpenFlow13", command, f"unix:{self.directory}/{bridge}.mgmt", *words)

    def counter(self, name: str) -> int:
        """One of `ovs-appctl coverage/show`, of all switches since the start."""
        control = next(self.directory.glob("ovs-vswitchd.*.ctl"))
        return int(self._call("ovs-appctl", "--timeout=60", "-t", str(control), "coverage/read-counter", name))

    def _call(self, *words: str) -> str:
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, env=self._env)
        if done.returncode != 0:
            raise RuntimeError(f"`{' '.join(words)}` failed: {done.stderr.strip()[-500:]}")
        return done.stdout


def wait_until_true(true: Callable[[], bool], what: str, seconds: float = 60, log: Path | None = None, every_s: float = 0.1) -> None:
    """An answer that fails on the way is an answer not yet there. `log` is of the program that is waited for."""
    until = time.monotonic() + seconds
    last: Exception | None = None
    while True:
        try:
            if true():
                return
            last = None
        except (RuntimeError, KeyError) as problem:
            last = problem
        if time.monotonic() > until:
            raise RuntimeError(f"{what} did not happen within {seconds:g} s" + (f" ({last})" if last else "") + last_words(log))
        time.sleep(every_s)


def last_words(log: Path | None) -> str:
    """What a program said last, for the end of a sentence: where a network fails to open, its logs are removed with it."""
    said = log.read_text(errors="replace").strip()[-600:] if log and log.exists() else ""
    return f": {said}" if said else ""
