"""What Open vSwitch does when a meter is changed: why links can be sent more for a moment than rates say."""

from __future__ import annotations

import contextlib
import re
import sys

import pytest
from paceline_lab.networks.emulated_network import EmulatedNetwork
from paceline_lab.networks.own_ovs import wait_until_true
from paceline_lab.networks.space import Space
from paceline_lab.networks.topology import Host, Link, Topology

pytestmark = pytest.mark.e2e

HOSTS = (Host("a1", 1, 1), Host("b1", 2, 1))
FRAMES, SIZE, BURST_KBIT = 40, 1042, 100
SEND = "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); [s.sendto(bytes(1000), ({address!r}, 9)) for _ in range({frames})]"


@pytest.fixture
def network():
    with (
        contextlib.closing(Space("plrefill")) as space,
        contextlib.closing(EmulatedNetwork(space, Topology(2, (Link(1, 2, 5, 30),), HOSTS)).open()) as made,
    ):
        yield made


def passed(network):
    """Of so many frames at once, at a rate that lets another one through only after eight seconds."""
    network.host("a1", sys.executable, "-c", SEND.format(address=HOSTS[1].address, frames=FRAMES))
    wait_until_true(lambda: counted(network)[0] == FRAMES, "the frames' arrival at the meter", 60)
    tried, dropped = counted(network)
    return tried - dropped


def counted(network):
    """What came to the meter, and what it dropped, since it was made or changed."""
    said = network.ofctl("meter-stats", 1)
    return [int(re.search(pattern, said)[1]) for pattern in (r"packet_in_count:(\d+)", r"\n *0: *\n? *packet_count:(\d+)")]


def test_a_meter_that_is_changed_lets_a_full_burst_through_again(network):
    meter = f"meter=1,kbps,burst,stats,band=type=drop,rate=1,burst_size={BURST_KBIT}"
    network.stand_alone()
    network.host("a1", "ip", "neighbour", "replace", HOSTS[1].address, "lladdr", HOSTS[1].mac, "dev", "eth0")
    network.ofctl("add-meter", 1, meter)
    network.ofctl("add-flow", 1, "priority=65000,udp,actions=meter:1,NORMAL")
    burst = BURST_KBIT * 1000 // 8 // SIZE
    assert burst <= passed(network) <= burst + 2
    network.ofctl("mod-meter", 1, meter)
    assert burst <= passed(network) <= burst + 2
