"""Brings one ONOS up and down; remembers it in its run directory."""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from . import assembly, certificates, home
from .archive import Archive
from .errors import OnosError, StartedByHalf
from .failures import boot_failure, fatal_log_line, has_framework_errors, log_length, missed_a_feature, refused_activation, started_by_half
from .ports import listener_on, listening_inodes
from .process import ProcessId
from .progress import Progress
from .rest import Rest
from .settings import Settings

_STOP_GRACE_SECONDS = 20.0
# Its own are made known beside its start.
_FEATURES_SECONDS = 5.0
# Two in a row were seen, on a machine with five times the work that it can do.
_MORE_STARTS = 3
# Three to four times what a start takes. Whatever holds it up then, another one is the better bet.
_PATIENCE = 120.0
# After an error of the framework itself. Whoever had some was not up after four minutes, either.
_PATIENCE_WITH_ERRORS = 60.0


def _held(folder: Path) -> int:
    """The folder, open and locked. Another onosctl that has just ended may have removed it in between: then it is made once more."""
    while True:
        with contextlib.suppress(FileNotFoundError), contextlib.ExitStack() as failed:
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder, os.O_RDONLY)
            failed.callback(os.close, handle)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as busy:
                raise OnosError(f"Another onosctl is at work below {folder}. Maybe wait until it is done.") from busy
            if os.path.samestat(os.fstat(handle), os.stat(folder)):
                failed.pop_all()
                return handle


class Runtime:
    """The ONOS of one run directory."""

    def __init__(self, settings: Settings, progress: Progress) -> None:
        self._settings = settings
        self._progress = progress

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """One onosctl at a time works on a run directory; the lock leaves no file behind."""
        parent = self._settings.run_directory.parent
        handle = _held(parent)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                parent.rmdir()  # Only where nothing is left in it.
            os.close(handle)

    def _rest(self) -> Rest:
        return Rest(self._settings.rest_port, self._settings.password())

    # What is running

    def recorded(self) -> dict | None:
        try:
            return json.loads(self._settings.pid_file.read_text())
        except (OSError, ValueError):
            return None

    def process(self) -> ProcessId | None:
        """Our ONOS where it lives: the recorded pid, start time and command line must all agree."""
        record = self.recorded()
        if record is None or "pid" not in record:
            return None
        process = ProcessId(record["pid"], record["start_ticks"])
        ours = f"-Dkaraf.base={self._settings.karaf_base} "
        return process if process.is_alive() and ours in process.command_line() else None

    def _remember(self, **changes: object) -> None:
        record = {**(self.recorded() or {}), **changes}
        draft = self._settings.pid_file.with_suffix(".new")
        draft.write_text(json.dumps(record, indent=2) + "\n")
        draft.replace(self._settings.pid_file)

    # Up

    def up(self, archives: list[Archive], timeout: float) -> str:
        process = self.process()
        if process is not None:
            return self._up(process, archives, timeout)
        with assembly.turn(self._progress, _PATIENCE):
            return self._up(None, archives, timeout)

    def _up(self, process: ProcessId | None, archives: list[Archive], timeout: float) -> str:
        started = process is None
        # What was never up is begun anew.
        resume = not self._settings.fresh and (self.recorded() or {}).get("ready", False)
        if process is None:
            process = self._start(resume)
        else:
            self._require_same_ports()
            if self._settings.fresh:
                raise OnosError(
                    f"ONOS already runs from {self._settings.run_directory}, so it cannot start anew. Maybe take it down first: down --forget."
                )
        try:
            process = self._wait_or_start_again(process, resume, timeout) if started else self._wait_until_ready(process, timeout)
            said = self._install_all(archives, timeout)
            self._remember(ready=True)
        except KeyboardInterrupt:
            if started:
                self.down(forget=not resume)
            raise
        except OnosError:
            # Up means up with all that was asked for. The logs stay until the next up or down.
            if started:
                (self.process() or process).stop(_STOP_GRACE_SECONDS)
            raise
        settings = self._settings
        state = "is up" if started else "was already up"
        return "\n".join(said + [
            f"ONOS {state} after {self._progress.seconds():.0f} s: process {process.pid}, "
            f"{process.resident_megabytes()} MB, REST http://127.0.0.1:{settings.rest_port}/onos/v1 "
            f"({'onos/rocks' if settings.password() == 'rocks' else 'user onos'}), console ssh -p {settings.ssh_port} onos@127.0.0.1, OpenFlow port {settings.openflow_port}."
        ])

    def _install_all(self, archives: list[Archive], timeout: float) -> list[str]:
        ours = any(archive.name == certificates.APPLICATION for archive in archives)
        if ours and certificates.make(self._settings):
            certificates.tell(self._rest(), self._settings)
        said = [self._install(archive, timeout) for archive in archives]
        return said + ([certificates.advice(self._settings)] if ours else [])

    def _require_same_ports(self) -> None:
        running = (self.recorded() or {}).get("ports", {})
        if running != self._settings.ports():
            raise OnosError(
                f"ONOS already runs from {self._settings.run_directory} with ports {running}. "
                "Maybe take it down first, or give another --run-dir."
            )

    def _start(self, resume: bool) -> ProcessId:
        for name, port in self._settings.ports().items():
            holder = listener_on(port)
            if holder is not None:
                raise OnosError(
                    f"Port {port}, wanted for {name}, is already in use by {holder}. "
                    f"Maybe stop that, or choose another port with --{name}-port."
                )
        java = assembly.find_java()
        installed = (self.recorded() or {}).get("installed", {}) if resume else {}
        home.clear(self._settings, self._settings.stored if resume else ())
        self._progress.show("Laying an ONOS home")
        home.lay(self._settings)
        if certificates.end(self._settings) is not None:
            # Before the application reads it.
            certificates.make(self._settings)
        with open(self._settings.console_file, "wb") as console:
            child = subprocess.Popen(
                home.command(self._settings, java),
                cwd=self._settings.karaf_base,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "ONOS_IP": "127.0.0.1"},
            )
        process = ProcessId.of(child.pid)
        if process is None:
            raise OnosError(boot_failure(self._settings, "ONOS's Java ended at once"))
        self._remember(
            pid=process.pid, start_ticks=process.start_ticks, ports=self._settings.ports(), installed=installed, ready=resume
        )
        return process

    def _wait_or_start_again(self, process: ProcessId, resume: bool, timeout: float) -> ProcessId:
        """ONOS sometimes starts by half, and then never answers: another start helps."""
        patience = min(timeout, _PATIENCE)
        for _ in range(_MORE_STARTS):
            try:
                return self._wait_until_ready(process, timeout, patience)
            except StartedByHalf as half:
                self._progress.show(f"{half.why}; starting again")
                process.stop(_STOP_GRACE_SECONDS)
                process = self._start(resume)
                # The machine may be so slow.
                patience = timeout
        return self._wait_until_ready(process, timeout)

    def _wait_until_ready(self, process: ProcessId, timeout: float, patience: float = float("inf")) -> ProcessId:
        """With patience for so long, after which another start is to be tried if there is time left for one."""
        rest = self._rest()
        began = time.monotonic()
        deadline = began + timeout
        end = began + (patience if patience < timeout else float("inf"))
        troubled = False
        while True:
            missing = _missing(rest, self._settings.ports())
            if missing is None:
                self._progress.clear()
                return process
            self._progress.show(f"Starting ONOS: {missing}")
            if not process.is_alive():
                raise OnosError(boot_failure(self._settings, "ONOS ended while it started"))
            why = started_by_half(self._settings)
            if why is not None:
                raise StartedByHalf(why, boot_failure(self._settings, why))
            if not troubled and has_framework_errors(self._settings):
                troubled = True
                end = min(end, time.monotonic() + _PATIENCE_WITH_ERRORS)
            if time.monotonic() > end:
                why = "ONOS does not come up" + (", bundles of it have failed" if troubled else "")
                raise StartedByHalf(why, boot_failure(self._settings, why))
            fatal = fatal_log_line(self._settings)
            if fatal is not None:
                raise OnosError(boot_failure(self._settings, "ONOS cannot start"))
            if time.monotonic() > deadline:
                raise OnosError(
                    boot_failure(self._settings, f"ONOS was not ready after {timeout:.0f} s ({missing})")
                )
            time.sleep(0.5)

    def _install(self, archive: Archive, timeout: float) -> str:
        rest = self._rest()
        self._progress.show(f"Installing {archive.name}")
        state = rest.applications().get(archive.name)
        installed = (self.recorded() or {}).get("installed", {})
        if state is not None and installed.get(archive.name) == archive.digest:
            if state != "ACTIVE":
                rest.activate(archive.name)
            self._wait_until_active(rest, archive, timeout, log_length(self._settings))
            said = f"{archive.name} was already installed."
        else:
            if state is not None:
                self._progress.show(f"Replacing {archive.name} by {archive.path.name}")
                rest.remove(archive.name)
            self._post(rest, archive, timeout)
            self._remember(installed={**installed, archive.name: archive.digest})
            said = f"{archive.name} is installed" + (" anew." if state else ".")
        self._progress.clear()
        return said

    def _post(self, rest: Rest, archive: Archive, timeout: float) -> None:
        """Installs it, or leaves nothing of it where ONOS or its bundles refuse."""
        for tries_left in (1, 0):
            since = log_length(self._settings)
            try:
                rest.install(archive.path)
                self._wait_until_active(rest, archive, timeout, since)
                return
            except OnosError as refusal:
                with contextlib.suppress(OnosError, OSError):
                    rest.remove(archive.name)
                if not (tries_left and missed_a_feature(self._settings, since)):
                    raise OnosError(boot_failure(self._settings, str(refusal), since)) from refusal
                self._progress.show(f"ONOS did not know a feature that {archive.name} needs; trying once more")
                time.sleep(_FEATURES_SECONDS)

    def _wait_until_active(self, rest: Rest, archive: Archive, timeout: float, since: int) -> None:
        deadline = time.monotonic() + timeout
        while True:
            if rest.is_healthy(archive.name):
                absent = [c for c in archive.web_contexts if not rest.has_context(c)]
                missing = f"web pages at {absent[0]}" if absent else None
            else:
                missing = "components"
            if missing is None:
                return
            self._progress.show(f"Waiting for the {missing} of {archive.name}")
            if refused_activation(self._settings, archive.name, since):
                raise OnosError(f"ONOS cannot activate {archive.name}")
            if time.monotonic() > deadline:
                raise OnosError(f"{archive.name} was not active after {timeout:.0f} s ({missing})")
            time.sleep(0.5)

    # Down and status

    def down(self, forget: bool, now: bool = False) -> str:
        """Stops it, by force where it is to be now; what it has stored stays for the next up, unless it is to be forgotten."""
        process = self.process()
        if process is None:
            found = self._settings.run_directory.exists()
            kept = self._put_away(forget)
            return "ONOS was not running" + (kept or ("; its leftovers are removed." if found else "."))
        politely = process.stop(
            0 if now else _STOP_GRACE_SECONDS, lambda: self._progress.show(f"Stopping ONOS (process {process.pid})")
        )
        self._progress.clear()
        if process.is_alive():
            raise OnosError(f"Process {process.pid} does not end. Maybe it is another user's.")
        kept = self._put_away(forget)
        return f"ONOS is down after {self._progress.seconds():.0f} s" + (
            "" if politely or now else "; it had to be ended by force"
        ) + (kept or "; nothing of it is left.")

    def _put_away(self, forget: bool) -> str:
        """Removes all but what the next up goes on with, and says so; nothing where all is removed."""
        record = self.recorded() or {}
        kept = [path for path in self._settings.stored if path.exists()] if record.get("ready") and not forget else []
        home.clear(self._settings, kept)
        if not kept:
            return ""
        self._remember(installed=record.get("installed", {}), ready=True)
        return (
            f". Its policy, settings, users and certificates stay in {self._settings.run_directory} for the next up; "
            "`down --forget` removes them."
        )

    def status(self) -> dict:
        process = self.process()
        if process is None:
            return {"running": False}
        record = self.recorded() or {}
        rest = Rest(record["ports"]["rest"], self._settings.password())
        missing = _missing(rest, record["ports"])
        return {
            "running": True,
            "ready": missing is None,
            "missing": missing,
            "pid": process.pid,
            "megabytes": process.resident_megabytes(),
            "ports": record["ports"],
            "certificateEnds": (ends := certificates.end(self._settings)) and ends.isoformat(),
            "certificate": ends and certificates.shown(ends, datetime.datetime.now(datetime.timezone.utc), self._settings),
            "applications": {
                name: rest.applications().get(name, "ABSENT") for name in record.get("installed", {})
            },
        }


def _missing(rest: Rest, ports: dict[str, int]) -> str | None:
    """What ONOS still lacks, or None once it truly answers."""
    listening = listening_inodes()
    if ports["rest"] not in listening:
        return "waiting for its web server"
    if rest.get("/applications") is None:
        return "waiting for its REST to answer"
    nodes = (rest.get("/cluster") or {}).get("nodes", [])
    if [node.get("status") for node in nodes] != ["READY"]:
        return "waiting for its components to be active"
    if ports["openflow"] not in listening:
        return f"waiting for OpenFlow port {ports['openflow']}"
    return None
