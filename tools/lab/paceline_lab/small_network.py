"""A small network for a first look, for the ONOS that `tools/paceline up` has started.

    python3 -m paceline_lab.small_network up      # returns when everybody talks and is paced
    python3 -m paceline_lab.small_network down    # nothing of it is left

Two switches with a link of 3 Mbit/s between them. On one are the hosts ann and ben, each with an agent, on the other the host
srv. ann makes a call and an upload, ben an upload, all to srv; they go on until the network is taken down.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .agents import ROOT
from .controller import Controller
from .ledger import run
from .managed import is_installed
from .multipath import Host, Link, MultiPath, Topology
from .own_ovs import wait_until_true

NAME = "paceline"
# Where all that runs keeps its files, as in tools/paceline.
RUN = Path(os.environ.get("PACELINE_RUN", ROOT / ".run"))
FOLDER = RUN / "network"
TLS = RUN / "onos/tls"
OFFICE = Topology(2, (Link(1, 2, 5, 3),), (Host("ann", 1, 1), Host("ben", 2, 1), Host("srv", 3, 2)))
CALL, UPLOAD = 5004, 5080
RULES = f"""\
unmatched: ignore
rules:
  - intent: voip/g729.1
    match: {{protocol: udp, localPort: {CALL}}}
  - intent: file-download/emailattach
    match: {{protocol: udp, localPort: {UPLOAD}}}
"""
# Of a call, 50 small packets a second; of an upload 1.6 Mbit/s: two of these and the call are more than the link carries.
TALK = (("ann", f"call:{CALL}:%s:{CALL}:50:60"), ("ann", f"upload:{UPLOAD}:%s:{UPLOAD}:200:1000"), ("ben", f"upload:{UPLOAD}:%s:{UPLOAD + 1}:200:1000"))
READY_S = 120


class Refused(Exception):
    """What a person has to put right."""


@dataclass(frozen=True)
class Here:
    """The network namespace in which this runs, under a name; its processes are everybody's."""

    namespace: str
    tls: Path


@contextlib.contextmanager
def here() -> Iterator[Here]:
    forget()
    run("ip", "netns", "attach", NAME, str(os.getpid()))
    try:
        yield Here(NAME, TLS)
    finally:
        forget()


def forget() -> None:
    """Takes only the name away."""
    if Path(f"/run/netns/{NAME}").exists():
        run("ip", "netns", "delete", NAME)


def hold() -> None:
    """Builds it, and stays until it is told to end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    rest = Controller()
    with here() as space, contextlib.closing(MultiPath(space, OFFICE)) as network:  # type: ignore[arg-type]
        network.open()
        network.connect()
        network.wait_until_seen(rest)
        server = network.hosts["srv"].address
        network.probe("srv", "receive", str(CALL), str(UPLOAD), str(UPLOAD + 1))
        for host in ("ann", "ben"):
            network.agent(host, RULES)
            wait_until_true(lambda host=host: host in agents(rest), f"the arrival of {host}'s agent", 30)
        for number, (host, flow) in enumerate(TALK, 1):
            network.probe(host, "send", flow % server)
            wait_until_true(lambda number=number: len(rest.conversations()) == number, "a conversation", 30)
        wait_until_true(lambda: all(is_installed(one) for one in rest.conversations()), "the first plan", 30)
        (FOLDER / "ready").touch()
        while True:
            signal.pause()


def agents(rest: Controller) -> set[str]:
    return {one["host"] for one in rest.get("/paceline/v1/agents")["agents"]}


def holder() -> int | None:
    """The process that holds the network."""
    try:
        pid = int((FOLDER / "pid").read_text())
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return None
    return pid if b"paceline_lab.small_network" in words else None


def up() -> None:
    if os.geteuid() != 0:
        raise Refused("this makes network namespaces and needs root. Maybe use sudo.")
    if holder():
        raise Refused("it runs already. Maybe: tools/paceline network down")
    try:
        Controller().state()
    except RuntimeError as problem:
        raise Refused(f"no Paceline answers here ({problem}). Maybe: tools/paceline up") from None
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "ready").unlink(missing_ok=True)
    with open(FOLDER / "log", "wb") as log:
        held = subprocess.Popen(
            [sys.executable, "-m", "paceline_lab.small_network", "hold"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    (FOLDER / "pid").write_text(str(held.pid))
    until = time.monotonic() + READY_S
    while not (FOLDER / "ready").exists():
        if held.poll() is not None or time.monotonic() > until:
            held.terminate()
            held.wait()
            raise RuntimeError((FOLDER / "log").read_text()[-2000:])
        time.sleep(0.1)
    print("Two switches, a link of 3 Mbit/s; ann and ben send to srv, each with an agent. tools/paceline network down ends it.")


def down() -> None:
    pid = holder()
    if pid is None:
        print("There is no network to end.")
        return
    os.kill(pid, signal.SIGTERM)
    wait_until_true(lambda: holder() is None, "the network's end", 60)
    print("Nothing is left of the network.")


def main(words: list[str]) -> int:
    try:
        {"up": up, "down": down, "hold": hold}[words[0]]()
    except (IndexError, KeyError):
        print("usage: tools/paceline network up|down", file=sys.stderr)
        return 2
    except Refused as refusal:
        print(f"network: {refusal}", file=sys.stderr)
        return 2
    except RuntimeError as problem:
        print(f"network: failed: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
