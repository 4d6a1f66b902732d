"""The machine's Open vSwitch, for mininet: used where it runs, started for the time of the run where it does not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from ..errors import Missing
from ..machine.ledger import SWITCH_NICE, Ledger, prefer, run
from ..machine.processes import started_at
from ..machine.settings import SOCKET_BUFFERS

RUN = Path("/var/run/openvswitch")
SCHEMA = Path("/usr/share/openvswitch/vswitch.ovsschema")
FEW_THREADS = ("other_config:n-handler-threads=1", "other_config:n-revalidator-threads=1")


def runs() -> bool:
    if not (RUN / "db.sock").exists():
        return False
    return subprocess.run(["ovs-vsctl", "--timeout=60", "show"], capture_output=True).returncode == 0


def require() -> None:
    for program in ("ovs-vsctl", "ovs-ofctl", "ovsdb-server", "ovs-vswitchd", "ovsdb-tool"):
        if not shutil.which(program):
            raise Missing(f"Open vSwitch is not installed ({program} is missing). Maybe: apt-get install openvswitch-switch")


def ensure(ledger: Ledger) -> None:
    require()
    ledger.hold_machine_settings(SOCKET_BUFFERS)
    if runs():
        return
    RUN.mkdir(parents=True, exist_ok=True)
    database = ledger.folder / "ovs.db"
    run("ovsdb-tool", "create", str(database), str(SCHEMA))
    run(
        "ovsdb-server", str(database), f"--remote=punix:{RUN}/db.sock", f"--pidfile={RUN}/ovsdb-server.pid",
        f"--log-file={ledger.folder}/ovsdb-server.log", "--detach", "--no-chdir",
    )  # fmt: skip
    note(ledger, "ovsdb-server")
    run("ovs-vsctl", "--timeout=60", "--no-wait", "init")
    run("ovs-vsctl", "--timeout=60", "--no-wait", "set", "Open_vSwitch", ".", *FEW_THREADS)
    run(
        "ovs-vswitchd", f"unix:{RUN}/db.sock", f"--pidfile={RUN}/ovs-vswitchd.pid",
        f"--log-file={ledger.folder}/ovs-vswitchd.log", "--detach", "--no-chdir", "-vconsole:off",
    )  # fmt: skip
    note(ledger, "ovs-vswitchd")
    if not runs():
        raise Missing(f"Open vSwitch does not start. Maybe see {ledger.folder}/ovs-vswitchd.log")


def note(ledger: Ledger, daemon: str) -> None:
    pid = int((RUN / f"{daemon}.pid").read_text())
    prefer(pid, SWITCH_NICE)
    ledger.content["ovs"] = [*(ledger.content["ovs"] or []), [pid, started_at(pid)]]
    ledger.write()
