"""One ONOS on ports of its own and one small network for all tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from onos_driver import OPENFLOW, REST_PORT, ROOM, Onosctl, RestInside  # noqa: E402
from onos_network import Network, Space  # noqa: E402


@pytest.fixture(scope="session")
def space():
    assert os.geteuid() == 0, "These tests make network namespaces. Maybe run them as root."
    # Outside: Maven may have to load something.
    subprocess.run([sys.executable, ROOM / "onosctl.py", "build"], check=True)
    made = Space()
    try:
        yield made
    finally:
        made.close()
    assert Network.leftovers() == []


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def network(onosctl):
    built = Network(OPENFLOW)
    built.open()
    try:
        built.connected_at = time.monotonic()
        built.connect()
        yield built
    finally:
        built.close()


@pytest.fixture(scope="session")
def rest(onosctl):
    return RestInside(REST_PORT)
