"""
What Open vSwitch loses when meters are changed under load, without any controller.

A thousand changes: PACELINE_METER_CHANGES=1000 tools/paceline test test_meter_changes.py
"""

from __future__ import annotations

import contextlib
import os
import time

import pytest
from paceline_lab.networks.emulated_network import EmulatedNetwork
from paceline_lab.networks.space import Space
from paceline_lab.networks.topology import Host, Link, Topology

from switches.hops import LOADS, alternating, nothing_lost_that_nobody_dropped, said

pytestmark = pytest.mark.e2e

CHANGES = int(os.environ.get("PACELINE_METER_CHANGES", "40"))
# With changes, and as many without.
SPELLS = max(2, CHANGES // 250)
# In a second the senders have used up the burst that a meter lets through; a spell lasts longer than that on a fast machine, too.
PAUSE_S = 0.03
PORTS = list(range(6900, 6901 + LOADS))
DIAMOND = Topology(4, (Link(1, 2, 2, 3), Link(2, 4, 2, 3), Link(1, 3, 40, 30), Link(3, 4, 40, 30)), (Host("d2", 2, 4), Host("d3", 3, 1)))


@pytest.fixture
def network():
    with contextlib.closing(Space("plchange")) as space, contextlib.closing(EmulatedNetwork(space, DIAMOND).open()) as made:
        made.host("d3", "ip", "neighbour", "replace", made.hosts["d2"].address, "lladdr", made.hosts["d2"].mac, "dev", "eth0")
        for switch, out in ((3, "3-4"), (4, "d2")):
            made.ofctl("add-flow", switch, f"priority=10,udp,actions=output:{made.port(out)}")
        for number, port in enumerate(PORTS, 1):
            made.ofctl("add-meter", 1, meter(number, 4_500))
            made.ofctl("add-flow", 1, f"priority=10,udp,tp_dst={port},actions=meter:{number},output:{made.port('1-3')}")
        yield made


def meter(number, kbps):
    """As the application orders it."""
    return f"meter={number},kbps,burst,stats,band=type=drop,rate={kbps},burst_size={kbps // 8}"


@pytest.mark.lasts(35)
def test_meters_that_are_changed_under_load_lose_nothing_by_that(network, capsys):
    def change():
        for turn in range(CHANGES // SPELLS):
            for number in range(1, len(PORTS) + 1):
                network.ofctl("mod-meter", 1, meter(number, 3_500 if turn % 2 == 0 else 4_500))
                time.sleep(PAUSE_S)

    spells = alternating(network, PORTS, change, SPELLS)
    with capsys.disabled():
        print("\n" + "\n".join(map(said, spells)))
    for one in spells:
        nothing_lost_that_nobody_dropped(one)
    # A meter that is changed lets a full burst through again: who changes it five times a second may hold nobody.
    assert all(one["hops"][0]["metered"] > 0 for one in spells if one["kind"] == "none"), "meters hold the others"
