"""A network namespace with an ONOS of its own: whatever else runs on the machine, neither meets the other."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..checkout import ONOSCTL, app_archive
from ..machine import net_namespaces
from ..machine import settings as machine_settings
from ..machine.ledger import CONTROL_NICE, Ledger, prefer, prefer_session, run
from .controller import Controller
from .own_ovs import wait_until_true

# For ONOS to start, once more where it has started by half, or to stop.
PATIENCE_S = 400


def inside(namespace: str, *words: str) -> list[str]:
    """Only the network is the namespace's: its processes see the same files and cgroups as everybody."""
    return ["nsenter", f"--net=/run/netns/{namespace}", "--", *words]


def entered(namespace: str) -> contextlib.AbstractContextManager[None]:
    return net_namespaces.entered(Path("/run/netns", namespace))


class ControllerInside(Controller):
    """ONOS's REST, asked from within the namespace that ONOS is in."""

    def __init__(self, namespace: str):
        super().__init__()
        self.namespace = namespace

    def call(self, method: str, path: str, body: Any = None) -> Any:
        with entered(self.namespace):
            return super().call(method, path, body)


class Space:
    """
    The namespace, with the controller in it, and those of its hosts, NAME-HOST. What a killed run left of them, and runs in them, is
    cleared first; only the folders of its networks stay. Close it, and nothing of it is left.
    """

    # The certificates of the controller, once there is one in it (`Onos`). Agents of others enrol.
    tls: Path

    def __init__(self, namespace: str):
        if "-" in namespace:
            # Its hosts would be taken for those of another.
            raise ValueError(f'The name of a space ({namespace}) must have no "-", after which hosts are named. Maybe {namespace.replace("-", "")}.')
        self.namespace = namespace
        self._clear()
        self.add_namespace(namespace)

    def _clear(self) -> None:
        for host in Path("/run/netns").glob(f"{self.namespace}-*"):
            remove_namespace(host.name)
        remove_namespace(self.namespace)

    def add_namespace(self, name: str) -> None:
        remove_namespace(name)
        run("ip", "netns", "add", name)
        run(*inside(name, "ip", "link", "set", "lo", "up"))

    def beside_controller(self) -> list[str]:
        """The words that enter the controller's network."""
        return inside(self.namespace)

    def folder(self) -> Path:
        """For what a network in it writes, which removes it."""
        return Path(tempfile.mkdtemp(prefix="paceline-network-"))

    def note_process(self, pid: int, nice: int) -> None:
        """It runs in this namespace, or in one that was added."""
        prefer(pid, nice)

    def hold_machine_settings(self, settings: dict[str, str]) -> None:
        machine_settings.hold(settings, self._holder())

    def release_machine_settings(self) -> None:
        machine_settings.release(self._holder())

    def _holder(self) -> str:
        return f"{os.getpid()} {self.namespace}"

    def close(self) -> None:
        self._clear()


class LedgerSpace(Space):
    """
    Beside the machine's own controller, which runs outside. All that is made is in a ledger before it is made: so even what a run
    leaves that was killed is undone by the next one, and nothing else has to close this.
    """

    def __init__(self, namespace: str, ledger: Ledger):
        self.namespace, self.ledger = namespace, ledger
        self.add_namespace(namespace)

    def add_namespace(self, name: str) -> None:
        self.ledger.note("undo", ["ip", "netns", "delete", name])
        super().add_namespace(name)
        # Nothing has begun in it yet.
        self.ledger.note("namespaces", Path("/run/netns", name).stat().st_ino)

    def beside_controller(self) -> list[str]:
        return []

    def folder(self) -> Path:
        return self.ledger.folder

    def note_process(self, pid: int, nice: int) -> None:
        self.ledger.note_process(pid, nice)

    def hold_machine_settings(self, settings: dict[str, str]) -> None:
        self.ledger.hold_machine_settings(settings)

    def release_machine_settings(self) -> None:
        self.ledger.release_machine_settings()

    def close(self) -> None:
        self.ledger.undo()


def remove_namespace(name: str) -> None:
    if not Path(f"/run/netns/{name}").exists():
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        pids = run("ip", "netns", "pids", name).split()
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), number)
        until = time.monotonic() + 5
        while pids and run("ip", "netns", "pids", name).split() and time.monotonic() < until:
            time.sleep(0.05)
    run("ip", "netns", "delete", name)


class Onos:
    """Real ONOS with the application, in a namespace."""

    def __init__(self, space: Space, run_directory: Path):
        self.space = space
        self.run_directory = run_directory
        space.tls = run_directory / "tls"
        self.rest = ControllerInside(space.namespace)
        self._archive = app_archive()

    def up(self, *words: str) -> None:
        self._ctl("up", "--app", str(self._archive), *words)
        # Switches in user space take a processor each where nobody holds their traffic, and ONOS would not be heard for seconds.
        prefer_session(self.pid(), CONTROL_NICE)

    def upgrade(self) -> None:
        """As an operator does: another archive in the place of the one that runs, which has the same classes here."""
        # Not below the run directory, which a start after a crash clears.
        other = self.run_directory.parent / f"upgrade-{time.monotonic_ns()}.oar"
        shutil.copy(app_archive(), other)
        with zipfile.ZipFile(other, "a") as archive:
            archive.comment = other.name.encode()
        former, self._archive = self._archive, other
        self.up()
        if former != app_archive():
            former.unlink()

    def down(self, *words: str) -> None:
        self._ctl("down", *words)

    def kill(self) -> None:
        """As a power cut ends it; its port is free then."""
        os.kill(self.pid(), signal.SIGKILL)
        listeners = inside(self.space.namespace, "ss", "-Hltn", "sport = :8181")
        wait_until_true(lambda: not run(*listeners), "the end of ONOS")

    def pid(self) -> int:
        return int(json.loads((self.run_directory / "onos.json").read_text())["pid"])

    def log(self) -> str:
        return (self.run_directory / "karaf/data/log/karaf.log").read_text(errors="replace")

    def _ctl(self, command: str, *words: str) -> None:
        try:
            done = subprocess.run(
                inside(self.space.namespace, sys.executable, str(ONOSCTL), command, f"--run-dir={self.run_directory}", *words),
                capture_output=True, text=True, timeout=PATIENCE_S,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"onosctl {command} has not ended within {PATIENCE_S} s. Maybe this machine has too much to do.") from None
        if done.returncode != 0:
            raise RuntimeError(f"onosctl {command} failed: {done.stderr.strip()[-2000:]}")


@contextlib.contextmanager
def running_onos(namespace: str, run_directory: Path, *words: str) -> Iterator[Onos]:
    """Up, in a namespace of its own, by onosctl with these words; nothing of either is left afterwards."""
    if os.geteuid() != 0:
        raise PermissionError(f"Only root can make the network namespace ({namespace}). Maybe use sudo.")
    with contextlib.closing(Space(namespace)) as space:
        onos = Onos(space, run_directory)
        try:
            onos.up(*words)
            yield onos
        finally:
            # In good order it would take seconds, to write down what is forgotten.
            onos.down("--forget", "--now")
