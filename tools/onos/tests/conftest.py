"""One ONOS on ports of its own and one small network for all tests."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time

import pytest
from onos_driver import OPENFLOW, REST_PORT, ROOM, SPACE, Onosctl, RestInside
from paceline_lab.machine.ledger import run
from paceline_lab.networks.emulated_network import EmulatedNetwork
from paceline_lab.networks.space import Space
from paceline_lab.networks.topology import Host, Link, Topology

# h1 - s1 - s2 - h2
PAIR = Topology(2, (Link(1, 2, 0, 1000),), (Host("h1", 1, 1), Host("h2", 2, 2)))


@pytest.fixture(scope="package")
def space():
    assert os.geteuid() == 0, "These tests make network namespaces. Maybe run them as root."
    # Outside: Maven may have to load something.
    subprocess.run([sys.executable, ROOM / "onosctl.py", "build"], check=True)
    with contextlib.closing(Space(SPACE)) as made:
        yield made
    assert not [line for line in run("ip", "netns", "list").splitlines() if line.startswith(SPACE)]


@pytest.fixture(scope="package")
def onosctl(space, tmp_path_factory):
    control = Onosctl(tmp_path_factory.mktemp("onos") / "home")
    up = control("up")
    try:
        assert up.returncode == 0, up.stderr
        yield control
    finally:
        down = control("down", "--forget")
    assert down.returncode == 0, down.stderr
    assert not control.run_directory.exists()


@pytest.fixture(scope="package")
def network(space, onosctl):
    with contextlib.closing(EmulatedNetwork(space, PAIR, OPENFLOW).open()) as built:
        built.connected_at = time.monotonic()
        built.connect()
        yield built


@pytest.fixture(scope="package")
def rest(onosctl):
    return RestInside(REST_PORT)
