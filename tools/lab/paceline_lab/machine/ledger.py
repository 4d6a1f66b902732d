"""Everything a run makes outside its own files, written down before it is made, so that it can be undone.

The ledger is a file: a run that was killed leaves it behind, and the next run undoes what it says before it starts.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import settings as machine_settings
from .processes import started_at

FOLDER = Path("/run/paceline-lab")
KEPT_ENDS_S = 60
# Hosts of a real network do not share a processor with this machine's other work, and switches even less.
# The controller has a machine of its own in a real network, and an agent is the first to run on its host.
HOST_NICE, CONTROL_NICE, SWITCH_NICE = -10, -12, -18


class Busy(Exception):
    """Another run is going on."""


def namespace_of(pid: int | str) -> int | None:
    try:
        return os.stat(f"/proc/{pid}/ns/net").st_ino
    except OSError:
        return None


def run(*words: str, check: bool = True, timeout: float = 120) -> str:
    return feed("", *words, check=check, timeout=timeout)


def feed(text: str, *words: str, check: bool = True, timeout: float = 120) -> str:
    done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=timeout)
    if check and done.returncode != 0:
        raise RuntimeError(f"`{' '.join(words)}` failed: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout


def prefer(pid: int, nice: int) -> None:
    """Before other work of the machine. Where the kernel shares by session first, a nice value alone says nothing."""
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            os.setpriority(os.PRIO_PROCESS, int(thread), nice)
        Path(f"/proc/{pid}/autogroup").write_text(str(nice))
    except OSError:
        pass  # a machine that allows neither only has noisier figures


def prefer_session(pid: int, nice: int) -> None:
    """The same for a program whose threads have nice values of their own, which are kept where the kernel shares by session first."""
    try:
        shares = Path("/proc/sys/kernel/sched_autogroup_enabled").read_text().strip() == "1"
        if shares:
            Path(f"/proc/{pid}/autogroup").write_text(str(nice))
    except OSError:
        shares = False
    if not shares:
        prefer(pid, nice)


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Two runs that begin together would both undo what an earlier one left, and each take the ledger for its own."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


class Ledger:
    def __init__(self, folder: Path = FOLDER):
        self.folder = folder
        self.file = folder / "ledger.json"
        self.content: dict[str, Any] = {
            "runner": [os.getpid(), started_at(os.getpid())],
            "processes": [],
            "namespaces": [],
            "bridges": [],
            "links": [],
            "settings_holder": None,
            "undo": [],
            "ovs": None,
            "kept": [],
        }
        self._undone = False

    @classmethod
    def open(cls, folder: Path = FOLDER) -> "Ledger":
        """Undoes what an earlier run left, ends one that was only kept to look at, or says that one still runs."""
        ledger = cls(folder)
        old = ledger.other()
        if old.get("kept"):
            # It opens the ledger to clean up by itself; what it does not manage in time is undone below.
            ledger.end([tuple(old["runner"])], polite_s=KEPT_ENDS_S)
        with one_at_a_time(folder.parent):
            if other := ledger.other():
                pid = other["runner"][0]
                raise Busy(f"another demo runs (process {pid}). Maybe wait for it, or stop it with: kill {pid}")
            if ledger.file.exists():
                left = cls(folder)
                left.content.update(json.loads(ledger.file.read_text()))
                left.undo()
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o755)
            ledger.write()
        return ledger

    def other(self) -> dict[str, Any]:
        """What a run of another process has written that goes on; else nothing."""
        try:
            old: dict[str, Any] = json.loads(self.file.read_text())
        except FileNotFoundError:
            return {}
        pid, began = old["runner"]
        return old if began is not None and started_at(pid) == began and pid != os.getpid() else {}

    def write(self) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(self.content))
        new.replace(self.file)

    def note(self, kind: str, what: Any) -> None:
        self.content[kind].append(what)
        self.write()

    def note_process(self, pid: int, nice: int = HOST_NICE) -> None:
        self.note("processes", [pid, started_at(pid)])
        prefer(pid, nice)

    def hold_machine_settings(self, settings: dict[str, str]) -> None:
        """Until the end of the run, or release_machine_settings."""
        holder = f"{os.getpid()} {self.folder}"
        self.content["settings_holder"] = holder
        self.write()
        machine_settings.hold(settings, holder)

    def release_machine_settings(self) -> None:
        if self.content["settings_holder"]:
            machine_settings.release(self.content["settings_holder"])
            self.content["settings_holder"] = None
            self.write()

    def undo(self) -> None:
        """
        What was interrupted is safe to repeat. Once all is undone, nothing more: numbers, names and the folder may be others' by then.
        Processes first: one that is just starting something must not go on.
        """
        # An interrupt that led here was heard and is not to be repeated.
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._undone:
            return
        self.end_processes()
        for words in reversed(self.content["undo"]):
            try:
                subprocess.run(words, capture_output=True, timeout=120)
            except (OSError, subprocess.TimeoutExpired):
                pass
        bridges = self.content["bridges"]
        if bridges and shutil.which("ovs-vsctl"):
            for bridge in bridges:
                subprocess.run(["ovs-vsctl", "--timeout=60", "--if-exists", "del-br", bridge], capture_output=True)
        for link in self.content["links"]:
            subprocess.run(["ip", "link", "del", link], capture_output=True)
        if self.content["ovs"] and shutil.which("ovs-vsctl"):
            self.end_open_vswitch()
        self.release_machine_settings()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._undone = True

    def end_open_vswitch(self) -> None:
        listed = subprocess.run(["ovs-vsctl", "--timeout=60", "list-br"], capture_output=True, text=True)
        if listed.returncode == 0 and listed.stdout.strip():
            return  # somebody else uses it by now
        self.end([tuple(one) for one in self.content["ovs"]], polite_s=5)

    def end_processes(self) -> None:
        self.end([*(tuple(one) for one in self.content["processes"]), *self.in_namespaces()], polite_s=6)
        # One of them may have started another after it was listed.
        for _ in range(10):
            if not (late := self.in_namespaces()):
                return
            self.end(late, polite_s=1)

    def in_namespaces(self) -> list[tuple[int, str | None]]:
        namespaces = set(self.content["namespaces"]) - {namespace_of("self")}
        return [(int(entry), started_at(int(entry))) for entry in os.listdir("/proc") if entry.isdigit() and namespace_of(entry) in namespaces]

    @staticmethod
    def end(targets: list[tuple[int, str | None]], polite_s: float) -> None:
        def alive() -> list[int]:
            for pid, _ in targets:
                try:
                    os.waitpid(pid, os.WNOHANG)
                except (ChildProcessError, OSError):
                    pass
            return [pid for pid, began in targets if began is not None and started_at(pid) == began]

        for which, patience in ((signal.SIGTERM, polite_s), (signal.SIGKILL, 3)):
            for pid in alive():
                try:
                    os.kill(pid, which)
                except ProcessLookupError:
                    pass
            until = time.monotonic() + patience
            while alive() and time.monotonic() < until:
                time.sleep(0.05)
