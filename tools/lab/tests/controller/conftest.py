"""One ONOS with the application, two switches and an agent, in namespaces, for all tests of this folder."""

from __future__ import annotations

import pytest
from paceline_lab.networks.emulated_network import running_network
from paceline_lab.networks.space import running_onos
from paceline_lab.networks.topology import Host, Link, Topology

from controller.office import FILES, RULES, VOICE
from switches.steps import eventually, settled

OFFICE = Topology(2, (Link(1, 2, 5, 30),), (Host("a1", 11, 1), Host("a2", 12, 1), Host("b1", 13, 2)))


@pytest.fixture(scope="package")
def onos(tmp_path_factory):
    with running_onos("plc", tmp_path_factory.mktemp("onos") / "home") as runs:
        yield runs


@pytest.fixture(scope="package")
def network(onos):
    with running_network(onos, OFFICE) as built:
        yield built


@pytest.fixture(scope="package")
def talking(onos, network):
    """The agent on a1, with a call and a transfer to b1 that go on; all as granted."""
    address = network.hosts["b1"].address
    network.agent("a1", RULES)
    network.probe("b1", "receive", str(VOICE), str(FILES))
    network.probe("a1", "send", f"voice:{VOICE}:{address}:{VOICE}:50:60", f"files:{FILES}:{address}:{FILES}:200:1000")
    eventually(lambda: settled(onos.rest, address, [VOICE, FILES]))
    return address
