"""Hosts of a network, each a namespace; what runs on them and beside them."""

from __future__ import annotations

import contextlib
import shlex
import subprocess
from collections.abc import Iterable
from typing import IO, Any

from ..machine.ledger import HOST_NICE, run
from ..machine.processes import reap
from .space import Space, inside
from .topology import Host

# Agents take their pacing along when they end.
ENDS_S = 60.0


class Hosts:
    """A base of the lab's networks."""

    def __init__(self, space: Space, hosts: Iterable[Host] = ()):
        self.space = space
        self.hosts = {host.name: host for host in hosts}
        self.directory = space.folder()
        self._processes: list[subprocess.Popen[Any]] = []

    def namespace(self, host: str) -> str:
        return f"{self.space.namespace}-{host}"

    def inside(self, *words: str) -> str:
        return run(*inside(self.space.namespace, *words))

    def entering(self, host: str) -> list[str]:
        """The words that enter a host's network."""
        return inside(self.namespace(host))

    def host(self, name: str, *words: str, check: bool = True) -> str:
        return run(*self.entering(name), *words, check=check)

    def popen(self, *words: str, host: str | None = None, nice: int = HOST_NICE, **more: Any) -> subprocess.Popen[Any]:
        """On a host, or beside them. Nothing keeps the operator's terminal: it would outlive a run that is killed."""
        where = self.space.namespace if host is None else self.namespace(host)
        process = subprocess.Popen(inside(where, *words), **{"stdin": subprocess.DEVNULL, "start_new_session": True, **more})
        self.space.note_process(process.pid, nice)
        # A network may outlive many runs, and with a process that has ended its pipes would stay open.
        for ended in [one for one in self._processes if one.returncode is not None]:
            self._forget(ended)
        self._processes.append(process)
        return process

    def log(self, name: str) -> IO[bytes]:
        return open(self.directory / f"{name}.log", "ab")

    def use_congestion_control(self, host: str, name: str) -> None:
        """Whatever opens from now on has it. A machine's default cannot be changed inside a namespace; a route's can."""
        one = self.hosts[host]
        self.host(host, "ip", "route", "replace", one.network, "dev", "eth0", "proto", "kernel", "scope", "link", "src", one.address, "congctl", name)
        # A kernel remembers of a destination how much it could send there, and begins with that.
        self.host(host, "ip", "tcp_metrics", "flush")

    def end(self, process: subprocess.Popen[Any]) -> None:
        process.terminate()
        by_itself = reap(process, ENDS_S)
        self._forget(process)
        if not by_itself:
            raise RuntimeError(f"`{shlex.join(map(str, process.args))}` did not end within {ENDS_S:g} s of being told to, and was killed.")

    def _forget(self, process: subprocess.Popen[Any]) -> None:
        with contextlib.suppress(ValueError):
            self._processes.remove(process)
