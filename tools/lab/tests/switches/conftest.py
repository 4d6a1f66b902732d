"""One ONOS with the application and one network with several ways, in namespaces, for all tests of this folder."""

from __future__ import annotations

import pytest
from paceline_lab.networks.emulated_network import running_network
from paceline_lab.networks.space import running_onos
from paceline_lab.networks.topology import DIAMOND_AND_RING

from switches.steps import eventually

# By the sender's port: what a conversation is.
INTENTS = {5022: "remote-terminal/sshadmin", 5004: "voip/g729.1", 5080: "file-download/emailattach"}
# A hundred more, of each in turn.
MANY = range(5100, 5200)


@pytest.fixture(scope="package")
def onos(tmp_path_factory):
    with running_onos("plx", tmp_path_factory.mktemp("onos") / "home") as runs:
        yield runs


@pytest.fixture(scope="package")
def network(onos):
    with running_network(onos, DIAMOND_AND_RING) as built:
        named = {port: intent for start, intent in INTENTS.items() for port in range(start, start + 8)}
        named |= {port: list(INTENTS.values())[number % 3] for number, port in enumerate(MANY)}
        # Others send what is nobody's on purpose.
        rules = "unmatched: ignore\nrules:\n" + "".join(
            f"  - intent: {intent}\n    match: {{protocol: udp, localPort: {port}}}\n    group: socket\n"
            for port, intent in named.items()
        )
        for host in ("d1", "r1"):
            built.agent(host, rules)
        eventually(lambda: onos.rest.state()["agents"] == 2)
        yield built


@pytest.fixture(scope="package")
def rest(onos):
    return onos.rest
