"""What switches count on links, how often they are asked, how much each link carries beside what is granted, and an alarm where one drops.

The alarm stands for half a minute after the last drop. The files of this folder before this one want none, and those after it do not mind.
"""

from __future__ import annotations

import re

import pytest
from paceline_lab.networks.topology import device

from controller.office import ask
from switches.steps import eventually

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"
PORT = 6801
# What the switch's queue lets through to a2, and what is sent to it.
QUEUE_KBPS, SENT_PACKETS, PAYLOAD = 2000, 500, 1000
FRAME = PAYLOAD + 42


def link(onos, start, end):
    return next(one for one in onos.rest.get(f"{V1}/links")["links"] if one["from"] == start and one["to"] == end)


def test_links_show_what_switches_count_and_one_that_drops_is_an_alarm(onos, network, talking):
    a2 = network.hosts["a2"]
    node = onos.rest.get(f"{V1}/links")["hosts"][a2.address]
    between, last = (device(2), device(1)), (device(1), node)
    assert ask(onos, "PUT", f"{V1}/settings/counterSeconds", {"value": 0})[0] == 400
    assert ask(onos, "PUT", f"{V1}/settings/counterSeconds", {"value": 1})[0] == 200
    network.vsctl(
        "set", "port", "h-a2", "qos=@slow", "--", "--id=@slow", "create", "qos", "type=linux-htb", f"other-config:max-rate={QUEUE_KBPS * 1000}"
    )  # fmt: skip
    heard = network.probe("a2", "receive", str(PORT))
    said = network.probe("b1", "send", f"flood:{PORT}:{a2.address}:{PORT}:{SENT_PACKETS}:{PAYLOAD}")
    try:
        sent = SENT_PACKETS * FRAME * 8 / 1000

        def is_carried(one):
            """All that is sent, read once a second."""
            enough = one.get("smoothedKbps", 0) > 0.5 * sent and 0.9 * sent < one["measuredKbps"] < 1.1 * sent
            return enough and 500 < one["measuredOverMs"] < 2500 and one["droppedPackets"] == 0

        carried = eventually(lambda: is_carried(one := link(onos, *between)) and one)
        assert carried["utilisation"] == pytest.approx(carried["smoothedKbps"] / carried["capacityKbps"], abs=0.001)
        assert carried["grantedKbps"] == 0, "nobody manages it"
        eventually(lambda: link(onos, *last).get("droppedPackets", 0) > 0)
        eventually(lambda: 0 < link(onos, *last).get("measuredKbps", 0) < 1.1 * QUEUE_KBPS)
        # On a busy machine other ports may drop, too.
        where = {"from": last[0], "to": last[1]}
        (alarm,) = eventually(lambda: [one for one in onos.rest.get(f"{V1}/alarms")["alarms"] if one["kind"] == "drops" and one["link"] == where])
        assert "packets (" in alarm["sentence"] and "paceline:links" in alarm["sentence"]
        plan = ask(onos, "GET", "/paceline/restconf/data/paceline-plan:plan", accept="application/yang-data+json")[1]["paceline-plan:plan"]
        assert f"{last[0]} -> {last[1]}" in [one["link"] for one in plan["link-alarm"]]
        metrics = ask(onos, "GET", f"{V1}/metrics", accept="text/plain")[1]
        (dropped,) = re.findall(rf'^paceline_link_dropped_packets_total{{from="{last[0]}",.*,to="{last[1]}",.*}} (\S+)$', metrics, re.M)
        assert 0 < float(dropped) <= link(onos, *last)["droppedPacketsEver"]
        assert re.search(r'^paceline_alarms\{kind="drops"\} [1-9]', metrics, re.M)

        # Queues may be read more often than the ports that they are of: both changes hold at once.
        for value in (-1, 31):
            status, refused = ask(onos, "PUT", f"{V1}/settings/queueCounterSeconds", {"value": value})
            assert status == 400 and f"({value})" in refused["detail"] and "0 to go by counterSeconds" in refused["detail"], refused
        assert ask(onos, "PUT", f"{V1}/settings/queueCounterSeconds", {"value": 1})[0] == 200
        assert ask(onos, "PUT", f"{V1}/settings/counterSeconds", {"value": 30})[0] == 200
        before = link(onos, *last)

        def drops_of_the_same_reading():
            """Once in 30 s the port is read, too, and then it begins anew."""
            nonlocal before
            earlier, before = before, link(onos, *last)
            same = ("measuredAtMs", "measuredKbps", "measuredOverMs")
            return before["droppedPacketsEver"] > earlier["droppedPacketsEver"] and [before[one] for one in same] == [earlier[one] for one in same]

        eventually(drops_of_the_same_reading)
    finally:
        network.harvest(said)
        network.harvest(heard)
        network.vsctl("clear", "port", "h-a2", "qos", "--", "--all", "destroy", "qos", "--", "--all", "destroy", "queue")
        for setting in ("counterSeconds", "queueCounterSeconds"):
            ask(onos, "DELETE", f"{V1}/settings/{setting}")
