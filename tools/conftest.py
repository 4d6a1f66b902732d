"""How end-to-end tests go side by side: each process has a network and a /run of its own, and so ports and names of its own."""

from __future__ import annotations

import collections
import ctypes
import os

import pytest
from paceline_lab.machine import net_namespaces
from paceline_lab.machine.ledger import run

CLONE_NEWNS, CLONE_NEWNET = 0x00020000, 0x40000000
# How long a test lasts that says nothing by the marker `lasts`: a guess, to order the groups.
USUALLY_S = 5
# What programs of the tests expect to find in it.
FOLDERS = ("/run/netns", "/run/lock", "/run/openvswitch", "/run/sshd")


def pytest_configure(config):
    # An ONOS of the tests lives for minutes: half of its processor time would go to compiling what it then hardly runs.
    os.environ.setdefault("EXTRA_JAVA_OPTS", "-XX:TieredStopAtLevel=1")
    if hasattr(config, "workerinput") and os.geteuid() == 0:
        own_network()


def own_network():
    """Interfaces, ports, and what has a name below /run, as network namespaces and sockets: nobody else sees this process's."""
    unshare(CLONE_NEWNS)
    run("mount", "--make-rprivate", "/")
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    for folder in FOLDERS:
        os.makedirs(folder)
    # The machine's own is wanted yet, for what can be set only there.
    net_namespaces.MACHINE.touch()
    run("mount", "--bind", "/proc/self/ns/net", str(net_namespaces.MACHINE))
    unshare(CLONE_NEWNET)
    run("ip", "link", "set", "lo", "up")


def unshare(what):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(what) != 0:
        raise OSError(ctypes.get_errno(), "This process can have no network of its own. Maybe run without -n.")


def pytest_make_parametrize_id(val, argname):
    """Processes that go side by side must find the same tests: what gzip or a key's maker gives is another one in each."""
    if isinstance(val, bytes) and not (val.isascii() and val.decode().isprintable()):
        raise pytest.UsageError(f"{argname}={val[:12]!r}: bytes that nobody can read make no name of a test. Maybe name the cases: ids=[…].")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """
    Tests that share a running ONOS go one after the other: those of a package, or of a file that is in none or has an ONOS
    of its own. Whoever lasts longest begins, so that at the end no process waits for another. Who ends ONOS is its folder's last.
    """
    groups = {item: together(item) for item in items}
    seconds = collections.Counter()
    for item, group in groups.items():
        lasts = item.get_closest_marker("lasts")
        seconds[group] += lasts.args[0] if lasts else USUALLY_S
        if group:
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: (-seconds[groups[item]] if groups[item] else 0, item.get_closest_marker("ends_onos") is not None))


def together(item) -> str | None:
    if not item.get_closest_marker("e2e"):
        return None
    package = item.path.parent
    shared = (package / "__init__.py").exists() and not hasattr(item.module, "onos")
    return str(package if shared else item.path)
