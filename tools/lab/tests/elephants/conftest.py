"""One ONOS, a network with two ways, an agent that divides all ports of its switches and one that names what a1 sends, for all tests of this folder."""

from __future__ import annotations

import pytest
from paceline_lab.networks.emulated_network import running_network
from paceline_lab.networks.space import running_onos
from paceline_lab.networks.topology import Host, Link, Topology, device

from controller.office import ask
from switches.steps import eventually

V1 = "/paceline/v1"
# By 2 and by 3, as wide and nearly as quick.
TWO_WAYS = Topology(
    4,
    (Link(1, 2, 2, 30), Link(2, 4, 2, 30), Link(1, 3, 5, 30), Link(3, 4, 5, 30)),
    # The smallest prefix of each side's hosts has none of the other side.
    (Host("a1", 1, 1), Host("a2", 2, 1), Host("b1", 4, 4), Host("b2", 5, 4)),
)
DIVIDER = "divider"
# Of a branch of elephants, and of one whose conversations may turn out to be.
BACKUP, FILES = 5090, 5091
# As the latter, for a test that needs one that no flow has had before.
FRESH = (5100, 5199)
# Of the same branch, from a process that can be told to pause.
PAUSING = 5092
RULES = f"""
unmatched: ignore
rules:
  - intent: backup
    match: {{protocol: tcp, localPort: {BACKUP}}}
    group: socket
  - intent: backup
    match: {{protocol: tcp, localPort: {PAUSING}}}
    group: socket
  - intent: file-download/emailattach
    match: {{protocol: tcp, localPort: "{FILES},{FRESH[0]}-{FRESH[1]}"}}
    group: socket
"""


@pytest.fixture(scope="package")
def onos(tmp_path_factory):
    with running_onos("ple", tmp_path_factory.mktemp("onos") / "home") as runs:
        yield runs


@pytest.fixture(scope="package")
def network(onos):
    with running_network(onos, TWO_WAYS) as built:
        yield built


@pytest.fixture(scope="package")
def divided(onos, network):
    """With the agent beside the switches, which their operator lets divide their ports, and the one on a1."""
    onos.rest.configure({"devices": {device(s): {"paceline": {"queueAgent": DIVIDER}} for s in network.topology.numbers()}})
    network.switch_agent(DIVIDER)
    eventually(lambda: all("queues" in one for one in onos.rest.get(f"{V1}/switches")["switches"]))
    assert ask(onos, "PUT", f"{V1}/settings/counterSeconds", {"value": 1})[0] == 200
    assert ask(onos, "PUT", f"{V1}/intents/backup", {"scheme": "elephant-isolation"})[0] == 201
    network.agent("a1", RULES)
    return network
