"""Agents of the demo's hosts, and their rules."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..checkout import ROOT
from ..errors import Missing
from ..machine.ledger import CONTROL_NICE
from ..machine.processes import reap
from ..networks.agents import JAR, command, enrolled
from ..networks.topology import Host
from ..traffic.mix import KINDS, Application

if TYPE_CHECKING:
    from ..networks.controller import Controller
    from .network import Network

STOPS_S = 60.0


class Agents:
    def __init__(self, network: Network, hosts: Sequence[Host], folder: Path, rest: Controller, misnamed: Sequence[tuple[Application, str]] = ()):
        """On hosts that enrol at this controller. Some applications may have another intent than their type's."""
        if not JAR.exists():
            raise Missing(f"the host agent is not built (no {JAR.relative_to(ROOT)}). Maybe: tools/paceline setup")
        self.network = network
        self.hosts = hosts
        self.folder = folder
        self.rest = rest
        self.misnamed = misnamed
        self.processes: list[tuple[Host, subprocess.Popen[Any]]] = []

    def start(self) -> None:
        for host in self.hosts:
            log = self.network.log(f"agent-{host.name}")
            process = self.network.popen(*command(self.configure(host)), host=host.name, nice=CONTROL_NICE, stdout=log, stderr=subprocess.STDOUT)
            self.processes.append((host, process))

    def configure(self, host: Host) -> Path:
        rules = self.folder / f"rules-{host.name}.yaml"
        here, there = ("local", "remote") if host in self.network.servers else ("remote", "local")
        rules.write_text(rules_text(here, there, self.misnamed))
        config = self.folder / f"agent-{host.name}.yaml"
        config.write_text(
            f"interfaces: [eth0]\nrules: {rules.name}\napplications: {{socket: {self.application_socket(host)}}}\n{self.enrolled(host)}"
        )
        return config

    def enrolled(self, host: Host) -> str:
        """See `enrolled`; once for all agents that a host has in this folder, one after the other."""
        file = self.folder / f"enrolled-{host.name}.yaml"
        if not file.exists():
            file.write_text(enrolled(self.rest, host.name, host.management, file.with_suffix(""), self.network.entering(host.name)))
        return file.read_text()

    def application_socket(self, host: Host) -> Path:
        """Where applications report to the agent of this host."""
        return self.folder / f"agent-{host.name}.sock"

    def application_sockets(self) -> dict[str, str]:
        """Of all, by their hosts' addresses."""
        return {host.address: str(self.application_socket(host)) for host in self.hosts}

    def alive(self) -> bool:
        for host, process in self.processes:
            if process.poll() is not None:
                log = (self.folder / f"agent-{host.name}.log").read_text(errors="replace").strip()
                raise RuntimeError(f"the agent on {host.name} ended (code {process.returncode}): {log[-600:]}")
        return True

    def stop(self) -> None:
        """In good order: what they paced is left as it was before them."""
        for _, process in self.processes:
            process.terminate()
        for host, process in self.processes:
            if not reap(process, STOPS_S):
                raise RuntimeError(f"the agent on {host.name} does not stop within {STOPS_S:g} s")
        self.processes.clear()


def rules_text(server: str, client: str, misnamed: Sequence[tuple[Application, str]] = ()) -> str:
    """Sockets are named by their server's port; which end that is, local or remote, depends on whose rules these are."""
    lines = ["rules:"]
    for one, intent in misnamed:
        kind = KINDS[one.kind]
        lines += [f"  - intent: {intent}", f"    match: {{protocol: {kind.protocol}, {server}Port: {kind.port}, {client}Address: {one.address}}}"]
    for kind in KINDS.values():
        lines += [f"  - intent: {kind.intent}", f"    match: {{protocol: {kind.protocol}, {server}Port: {kind.port}}}"]
    return "\n".join(lines) + "\n"
