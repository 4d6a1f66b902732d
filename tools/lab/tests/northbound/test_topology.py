"""The topology over RESTCONF, with switches and hosts in it."""

from __future__ import annotations

import pytest

from northbound.yang_judge import ACCEPTED, verdict
from switches.steps import eventually

pytestmark = pytest.mark.e2e

NETWORKS = "ietf-network-state:networks"
LINK = "ietf-network-topology-state:link"


def test_the_topology_names_switches_hosts_and_links_as_rfc_8345_has_it(admin, network, tmp_path):
    def seen():
        return admin.get(f"../restconf/data/{NETWORKS}").json

    # Each direction of a host's cable, and of the line between the switches.
    eventually(lambda: len(seen()[NETWORKS]["network"][0].get(LINK, [])) == 6)
    (topology,) = seen()[NETWORKS]["network"]
    nodes = {one["node-id"] for one in topology["node"]}
    assert {"of:0000000000000001", "of:0000000000000002"} < nodes and len(nodes) == 4
    ends = {(one["source"]["source-node"], one["destination"]["dest-node"]) for one in topology[LINK]}
    assert ends == {(to, source) for source, to in ends} and {node for pair in ends for node in pair} == nodes
    assert all(float(one["paceline-network:capacity"]) > 0 for one in topology[LINK])
    assert verdict("data", seen(), tmp_path) == ACCEPTED
