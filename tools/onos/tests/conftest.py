"""One ONOS on ports of its own and one small network for all tests."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from onos_runtime.rest import Rest  # noqa: E402

from onos_driver import OPENFLOW, REST, Onosctl  # noqa: E402
from onos_network import Network  # noqa: E402


@pytest.fixture(scope="session")
def onosctl(tmp_path_factory):
    assert os.geteuid() == 0, "These tests make network namespaces. Maybe run them as root."
    control = Onosctl(tmp_path_factory.mktemp("onos") / "home")
    up = control("up")
    try:
        assert up.returncode == 0, up.stderr
        yield control
    finally:
        down = control("down")
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
    assert Network.leftovers() == []


@pytest.fixture(scope="session")
def rest(onosctl):
    return Rest(REST)
