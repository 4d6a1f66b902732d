"""Host agents in the lab's hosts."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .ledger import CONTROL_NICE, feed
from .mix import KINDS, Application
from .ovs import Missing
from .processes import reap
from .topology import Host

if TYPE_CHECKING:
    from .controller import Controller
    from .network import Network

ROOT = Path(__file__).resolve().parents[3]
# As the agent's README says to start it.
FLAGS = ("-Xms16m", "-Xmn8m", "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
# As its package does with an archive of its classes.
SHARED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0", "-Xlog:all=off", "-Xlog:all=warning:stderr")
STOPS_S = 60.0
CERTIFICATES = ROOT / "tools/certificates"
JAR = ROOT / "host-agent-java/agent/target/paceline-agent.jar"


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


def java(jar: Path = JAR) -> list[str]:
    """With the archive of its classes, which its build has made beside it."""
    archive = jar.with_suffix(".jsa")
    shared = (f"-XX:SharedArchiveFile={archive}", *SHARED) if archive.exists() else ()
    return ["java", *FLAGS, *shared, "-jar", str(jar)]


def command(config: Path, jar: Path = JAR) -> list[str]:
    return [*java(jar), "run", "--config", str(config)]


def settings(certificates: Path, host: str, controller: str, *interfaces: str) -> str:
    """What an agent.yaml says, but for the rules; the host's certificate is made for it."""
    return f"controller: {controller}:9559\nhostId: {host}\ninterfaces: [{', '.join(interfaces)}]\n" + certified(certificates, host)


def enrolled(rest: Controller, host: str, controller: str, directory: Path, entering: Sequence[str]) -> str:
    """
    Enrols a host as an operator does: a token by this controller's admin, and a key that is made on the host and stays in its directory.
    What its agent.yaml then needs: controller, hostId, tls. `entering` enters its network, in which the controller has this address.
    """
    said = feed(rest.enrolment_token(host), *entering, *java(), "enrol", "--controller", controller, "--directory", str(directory), "-")
    return said.partition("\n")[2]


def certified(directory: Path, host: str) -> str:
    """Makes the host's certificate there; what its agent.yaml says of it."""
    made = subprocess.run([str(CERTIFICATES), str(directory), host], capture_output=True, text=True)
    if made.returncode != 0:
        raise RuntimeError(f"no certificate for the host {host}: {made.stderr.strip()}")
    return f"tls: {{authority: {directory}/ca.pem, certificate: {directory}/{host}.pem, key: {directory}/{host}.key}}\n"


def rules_text(server: str, client: str, misnamed: Sequence[tuple[Application, str]] = ()) -> str:
    """Sockets are named by their server's port; which end that is, local or remote, depends on whose rules these are."""
    lines = ["rules:"]
    for one, intent in misnamed:
        kind = KINDS[one.kind]
        lines += [f"  - intent: {intent}", f"    match: {{protocol: {kind.protocol}, {server}Port: {kind.port}, {client}Address: {one.address}}}"]
    for kind in KINDS.values():
        lines += [f"  - intent: {kind.intent}", f"    match: {{protocol: {kind.protocol}, {server}Port: {kind.port}}}"]
    return "\n".join(lines) + "\n"
