"""What the lab's networks are made of: cables with the frames of a wire, links to the controller, and wires with a rate and a delay.

Words `inside` enter the network namespace in which a command is run; without any it is the machine's own.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..machine import native
from ..machine.ledger import run
from .own_ovs import last_words, wait_until_true

MANAGEMENT = "mgmt0"
Words = Sequence[str]


def plain_frames(inside: Words, interface: str) -> None:
    """No offloads: what leaves a host are the frames that a wire carries, with their checksums."""
    run(*inside, "ethtool", "-K", interface, "tx", "off", "rx", "off", "tso", "off", "gso", "off", "gro", "off", check=False)
    run(*inside, "ip", "link", "set", interface, "addrgenmode", "none", check=False)


def cable(inside: Words, near: str, far_inside: Words, far: str, namespace: str) -> None:
    """A veth pair with plain frames, of which the far end is in the namespace of this name, or of the process with this number."""
    run(*inside, "ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", namespace)
    for where, interface in ((inside, near), (far_inside, far)):
        plain_frames(where, interface)
        run(*where, "ip", "link", "set", interface, "up")


def management_link(inside: Words, near: str, far_inside: Words, namespace: str, controller: str) -> None:
    """
    A link beside the network, as `MANAGEMENT` in the namespace: an agent must reach its controller whatever the network does.
    The controller has this address there; the link is a /30 of its own.
    """
    run(*inside, "ip", "link", "add", near, "type", "veth", "peer", "name", MANAGEMENT, "netns", namespace)
    address_management_link(inside, near, far_inside, controller)


def address_management_link(inside: Words, near: str, far_inside: Words, controller: str) -> None:
    for where, interface, address in ((inside, near, controller), (far_inside, MANAGEMENT, f"{controller[:-1]}2")):
        run(*where, "ip", "link", "set", interface, "addrgenmode", "none", "up")
        run(*where, "ip", "address", "add", f"{address}/30", "dev", interface)


def wire(a: str, b: str, bits_per_second: float, delay_ms: float, *options: str, stats: Path | None = None) -> list[str]:
    """The words that start a wire between two interfaces; without a rate (0) it only delays. It counts into the file, a line a second."""
    words = [str(native.build() / "wire"), "--a", a, "--b", b, "--rate", str(bits_per_second), "--delay-us", str(delay_ms * 1000)]
    return [*words, *(("--stats", str(stats)) if stats else ()), *options]


def wait_until_it_counts(process: subprocess.Popen[Any], stats: Path, log: Path | None = None) -> None:
    """From then on it carries what is sent. It says into the log why it does not."""
    wait_until_true(lambda: stats.exists() or process.poll() is not None, f"the wire that counts into {stats}", log=log)
    if process.poll() is not None:
        raise RuntimeError(f"the wire that counts into {stats} ended (code {process.returncode}){last_words(log)}")
