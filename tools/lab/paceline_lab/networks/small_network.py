"""A small network for a first look, for the ONOS that `tools/paceline up` has started.

    python3 -m paceline_lab.networks.small_network up      # returns when everybody talks and is paced; harmless where it runs
    python3 -m paceline_lab.networks.small_network down    # nothing of it is left

Two switches with a link of 3 Mbit/s between them. On one are the hosts ann and ben, each with an agent, on the other the host
srv. ann makes a call and an upload, ben shows a video, all to srv; they go on until the network is taken down.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..checkout import ROOT
from ..machine.ledger import run
from .agents import enrolled
from .controller import Controller
from .conversations import is_installed
from .emulated_network import EmulatedNetwork
from .own_ovs import wait_until_true
from .space import Space, remove_namespace
from .topology import Host, Link, Topology

NAME = "paceline"
# Where all that runs keeps its files, as in tools/paceline.
RUN = Path(os.environ.get("PACELINE_RUN", ROOT / ".run")).absolute()
FOLDER = RUN / "network"
OFFICE = Topology(2, (Link(1, 2, 5, 3),), (Host("ann", 1, 1), Host("ben", 2, 1), Host("srv", 3, 2)))
CALL, UPLOAD, VIDEO = 5004, 5080, 5090
RULES = f"""\
rules:
  - intent: voip/g729.1
    match: {{protocol: udp, localPort: {CALL}}}
  - intent: file-download/emailattach
    match: {{protocol: udp, localPort: {UPLOAD}}}
  - intent: video-streaming/bbb
    match: {{protocol: udp, localPort: {VIDEO}}}
"""
# Of a call 50 small packets a second, of the upload 1.7 Mbit/s, of the video 2.5: together more than the link carries.
TALK = (
    ("ann", f"call:{CALL}:%s:{CALL}:50:60"),
    ("ann", f"upload:{UPLOAD}:%s:{UPLOAD}:200:1000"),
    ("ben", f"video:{VIDEO}:%s:{VIDEO}:300:1000"),
)
READY_S = 300
REFUSED = 2
END_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class Refused(Exception):
    """What a person has to put right."""


class Here(Space):
    """The network namespace in which this runs, under a name once it is attached to it; its processes are everybody's."""

    def __init__(self, namespace: str):
        self.namespace = namespace

    def close(self) -> None:
        run("ip", "netns", "delete", self.namespace)


class Office(EmulatedNetwork):
    """Its processes end with the one that holds it, however that ends. Its hosts enrol."""

    def agent_settings(self, host: str, host_id: str) -> str:
        directory = self.directory / f"enrolled-{host_id}"
        return enrolled(Controller(), host_id, self.hosts[host].management, directory, self.entering(host)) + "interfaces: [eth0]\n"

    def popen(self, *words: str, **more: Any) -> subprocess.Popen[Any]:
        prctl = ctypes.CDLL(None).prctl
        return super().popen(*words, preexec_fn=lambda: prctl(END_WITH_PARENT, signal.SIGTERM), **more)


def own_interfaces(topology: Topology) -> set[str]:
    """What a network makes in the namespace that is everybody's."""
    pairs = [pair for link in topology.links for pair in ((link.a, link.b), (link.b, link.a))]
    ends = {f"{end}{near}-{far}" for near, far in pairs for end in "lw"}
    hosts = {f"{end}-{host.name}" for host in topology.hosts for end in "hm"}
    return {"ovs-netdev"} | {f"s{number}" for number in topology.numbers()} | ends | hosts


def interfaces() -> set[str]:
    return {link["ifname"] for link in json.loads(run("ip", "-json", "link"))}


def hold() -> None:
    """Builds it, and stays until it is told to end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    own = own_interfaces(OFFICE)
    if taken := interfaces() & own:
        raise Refused(f"there are interfaces of its names already: {', '.join(sorted(taken))}. Maybe end the network that has them.")
    with contextlib.closing(Office(Here(NAME), OFFICE)) as network:
        (FOLDER / "made.json").write_text(json.dumps([str(network.directory), *sorted(own)]))
        run("ip", "netns", "attach", NAME, str(os.getpid()))
        network.open()
        talk(network)
        (FOLDER / "ready").touch()
        while True:
            signal.pause()


def talk(network: Office) -> None:
    rest = Controller()
    network.connect()
    network.wait_until_seen(rest)
    server = network.hosts["srv"].address
    network.probe("srv", "receive", str(CALL), str(UPLOAD), str(VIDEO))
    for host in ("ann", "ben"):
        network.agent(host, RULES)
        wait_until_true(lambda host=host: host in agents(rest), f"the arrival of {host}'s agent", 90)
    for number, (host, flow) in enumerate(TALK, 1):
        network.probe(host, "send", flow % server)
        wait_until_true(lambda number=number: len(rest.conversations()) == number, "a conversation", 90)
    wait_until_true(lambda: all(is_installed(one) for one in rest.conversations()), "the first plan", 90)


def agents(rest: Controller) -> set[str]:
    return {one["host"] for one in rest.get("/paceline/v1/agents")["agents"]}


def clear() -> None:
    """Whatever is left, also of one that was killed; it is safe to repeat."""
    try:
        directory, *made = json.loads((FOLDER / "made.json").read_text())
    except (OSError, ValueError):
        directory, made = None, []
    for host in OFFICE.hosts if made else ():
        remove_namespace(f"{NAME}-{host.name}")
    for interface in interfaces() & set(made):
        # Its peer may have gone with another one of them.
        run("ip", "link", "delete", interface, check=False)
    if made and Path(f"/run/netns/{NAME}").exists():
        run("ip", "netns", "delete", NAME)
    if directory:
        shutil.rmtree(directory, ignore_errors=True)
    shutil.rmtree(FOLDER, ignore_errors=True)


def holder() -> int | None:
    """The process that holds the network."""
    try:
        pid = int((FOLDER / "pid").read_text())
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return None
    return pid if b"paceline_lab.networks.small_network" in words else None


def up() -> None:
    if os.geteuid() != 0:
        raise Refused("this makes network namespaces and needs root. Maybe use sudo.")
    if holder() is None:
        start()
    wait_until_true(lambda: (FOLDER / "ready").exists() or holder() is None, "the network", READY_S)
    if holder() is None:
        raise Refused("it ended while it started. Maybe once more: tools/paceline network up")
    print("Two switches, a link of 3 Mbit/s; ann and ben send to srv, each with an agent. tools/paceline network down ends it.")


def start() -> None:
    try:
        Controller().state()
    except RuntimeError as problem:
        raise Refused(f"no Paceline answers here ({problem}). Maybe: tools/paceline up") from None
    clear()
    FOLDER.mkdir(parents=True)
    with open(FOLDER / "log", "wb") as log:
        held = subprocess.Popen(
            [sys.executable, "-m", "paceline_lab.networks.small_network", "hold"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    (FOLDER / "pid").write_text(str(held.pid))
    try:
        wait_until_true(lambda: (FOLDER / "ready").exists() or held.poll() is not None, "the network", READY_S)
        if held.poll() is not None:
            said = (FOLDER / "log").read_text().strip().removeprefix("network: ").removeprefix("failed: ")
            raise Refused(said) if held.returncode == REFUSED else RuntimeError(said[-2000:])
    except BaseException:  # an interrupt, too
        held.terminate()
        held.wait()
        clear()
        raise


def down() -> None:
    if not FOLDER.exists():
        print("There is no network to end.")
        return
    if (pid := holder()) is not None:
        os.kill(pid, signal.SIGTERM)
        wait_until_true(lambda: holder() is None, "the network's end", 60)
    clear()
    print("Nothing is left of the network.")


def main(words: list[str]) -> int:
    try:
        {"up": up, "down": down, "hold": hold}[words[0]]()
    except (IndexError, KeyError):
        print("usage: tools/paceline network up|down", file=sys.stderr)
        return 2
    except Refused as refusal:
        print(f"network: {refusal}", file=sys.stderr)
        return REFUSED
    except RuntimeError as problem:
        print(f"network: failed: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("network: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
