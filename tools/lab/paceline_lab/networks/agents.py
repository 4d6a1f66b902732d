"""Host agents in the lab's hosts."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..checkout import ROOT
from ..machine.ledger import feed

if TYPE_CHECKING:
    from .controller import Controller

# As the agent's README says to start it.
FLAGS = ("-Xms16m", "-Xmn8m", "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
# As its package does with an archive of its classes.
SHARED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0", "-Xlog:all=off", "-Xlog:all=warning:stderr")
CERTIFICATES = ROOT / "tools/certificates"
JAR = ROOT / "host-agent-java/agent/target/paceline-agent.jar"


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
