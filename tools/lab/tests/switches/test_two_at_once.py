"""Two things at once: faults that meet, and sockets of one conversation that have different ports."""

from __future__ import annotations

import re

import pytest
from paceline_lab.networks.controller import COMPONENT
from paceline_lab.networks.conversations import is_installed

from switches.steps import announce, announced, end, eventually, metered_at, path

pytestmark = pytest.mark.e2e


def test_a_link_is_cut_and_the_meters_are_gone_in_the_same_moment(onos, network, rest):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    announce(rest, "twice", source, destination, 6900, "file-download/emailattach")

    def held(way):
        one = announced(rest, "twice")
        rate = one and is_installed(one) and path(one["grant"]) == way and int(one["installed"]["rateKbps"])
        number, meters = metered_at(network, 6900), network.ofctl("dump-meters", 1)
        return rate and number and f"meter={number} " in meters and f"rate={rate} " in meters

    try:
        eventually(lambda: held([1, 3, 4]))
        network.cut("1-3")
        network.ofctl("del-meters", 1)
        eventually(lambda: held([1, 2, 4]))
    finally:
        network.mend("1-3")
        end(rest, "twice")


@pytest.mark.lasts(18)
def test_a_conversation_is_metered_by_the_ports_of_all_its_sockets(onos, network, rest):
    address, ports = network.hosts["d2"].address, (5191, 5192)
    rules = "unmatched: ignore\nrules:\n" + "".join(
        f"  - intent: file-download/emailattach\n    match: {{protocol: udp, localPort: {port}}}\n" for port in ports
    )
    rest.call("POST", f"/v1/configuration/{COMPONENT}", {"safetyNetThousandths": "1200"})
    agent = network.agent("d3", rules)
    said = None

    def meter(port):
        found = network.rules(1, f"tp_src={port}", "meter:")
        return len(found) == 1 and re.search(r"meter:(\d+)", found[0])[1]

    try:
        eventually(lambda: rest.state()["agents"] == 3)
        said = network.probe("d3", "send", *(f"n{port}:{port}:{address}:{port}:100:1000" for port in ports))
        # One conversation, one meter.
        eventually(lambda: all(found := [meter(port) for port in ports]) and len(set(found)) == 1)
        assert len([c for c in rest.conversations() if c["host"] == "d3"]) == 1
    finally:
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"safetyNetThousandths": "0"})
        if said:
            network.harvest(said)
        network.end(agent)
        eventually(lambda: rest.state()["agents"] == 2 and not [c for c in rest.conversations() if c["host"] == "d3"])
