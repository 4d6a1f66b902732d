"""
Plans that change under traffic, and what switches hold of them.

A thousand changed rates: PACELINE_RATE_CHANGES=1000 tools/paceline test test_changes.py
"""

from __future__ import annotations

import os
import signal
import time

import pytest

from switches.hops import LOADS, alternating, nothing_lost_that_nobody_dropped, said
from switches.steps import (
    announce,
    announced,
    conversations,
    end,
    eventually,
    figures,
    lasting_kbps,
    limits,
    metered_at,
    metered_kbps,
    path,
    settled,
)

pytestmark = pytest.mark.e2e

CHANGES = 100
RATE_CHANGES = int(os.environ.get("PACELINE_RATE_CHANGES", "20"))
# With changes, and as many without.
SPELLS = max(2, RATE_CHANGES // 100)
# Of the wide link, in thousandths: each of its six senders has less than so much of its 30 Mbit/s, or more.
LESS, MORE, BETWEEN_KBPS = 700, 900, 3900
COMPONENT = "org.paceline.onos.PacelineComponent"


@pytest.fixture(autouse=True)
def nothing_announced(rest):
    yield
    for one in rest.conversations():
        if one["host"] == "announced":
            end(rest, one["id"])


@pytest.mark.lasts(39)
def test_a_hundred_plan_changes_lose_nothing_of_others_and_hardly_anything_of_who_moves(onos, network, rest, capsys):
    address = network.hosts["d2"].address
    ports = {"moved": 5023, "stays": 5082}
    heard = network.probe("d2", "receive", *map(str, ports.values()))
    said = network.probe("d1", "send", f"moved:5023:{address}:5023:100:60", f"stays:5082:{address}:5082:300:1000")
    try:
        eventually(lambda: settled(rest, address, ports.values()))
        heard.send_signal(signal.SIGUSR1)
        versions = set()
        for change in range(CHANGES):
            slow = change % 2 == 0
            rest.configure(network.settings(_1_2=150 if slow else 2))
            expected = [1, 3, 4] if slow else [1, 2, 4]
            eventually(lambda: path(conversations(rest, address)[5023]["grant"]) == expected)
            versions.add(rest.state()["planVersion"])
            # A solver that gets no processor in its time may have led it another way, until it has solved once more.
            eventually(lambda: path(conversations(rest, address)[5082]["grant"]) == [1, 3, 4])
        assert len(versions) == CHANGES
    finally:
        rest.configure(network.settings())
        network.harvest(said)
        time.sleep(0.5)
        arrived = network.harvest(heard)
    with capsys.disabled():
        print("\nmoved", figures(arrived["5023"]), "\nstays", figures(arrived["5082"]), end="")
    # A change that loses some makes a hole each time, so about a hundred; a pause of a busy machine makes one.
    assert arrived["5082"]["holes"] <= CHANGES // 10
    assert arrived["5023"]["holes"] <= CHANGES // 10
    assert arrived["5023"]["leastMs"] < 80 <= arrived["5023"]["p99Ms"], "it took both ways"


def test_a_sender_without_an_agent_is_held_by_a_meter_at_its_first_switch_wherever_its_way_leads(onos, network, rest, capsys):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    announce(rest, "flood", source, destination, 6000, "file-download/emailattach")
    granted = lasting_kbps(rest, "flood")
    one = announced(rest, "flood")
    meters = network.ofctl("dump-meters", 1)
    assert f"type=drop rate={granted} burst_size={granted // 8}" in meters
    assert len(network.rules(1, "tp_dst=6000", "meter:")) == 1
    assert path(one["grant"]) == [1, 3, 4] and network.rules(1, "tp_dst=6000", "meter:", f"output:{network.port('1-3')}")
    heard = network.probe("d2", "receive", "6000")
    said = network.probe("d3", "send", f"flood:6000:{destination}:6000:1500:1000")
    eventually(lambda: network.carried("3-4").get("forward", {}).get("forwardedPackets", 0) > 500)
    heard.send_signal(signal.SIGUSR1)
    began = time.monotonic()
    time.sleep(3)
    sent = network.harvest(said)["flood"]
    arrived = network.harvest(heard)["6000"]
    seconds = time.monotonic() - began
    with capsys.disabled():
        print("\nmetered", granted, "kbit/s;", sent, figures(arrived), end="")
    assert arrived["lost"] > 0
    # It sends more than twice as much as anybody is granted.
    assert arrived["bytes"] * 8 / 1000 <= 1.5 * granted * seconds

    def meters_of_first():
        return next(s for s in rest.get("/paceline/v1/switches")["switches"] if s["id"].endswith("1"))["meters"]

    eventually(lambda: (said := meters_of_first())["used"] == 1 and said["held"] > 0)
    end(rest, "flood")
    eventually(lambda: not network.rules(1, "tp_dst=6000") and not limits(network, 1))


@pytest.mark.lasts(45)
def test_a_rate_that_changes_again_and_again_under_load_changes_one_meter_and_loses_nothing(onos, network, rest, capsys):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    steady, *loads = names = ["steady", *(f"load{number}" for number in range(LOADS))]
    ports = dict(zip(names, range(6900, 6900 + len(names)), strict=True))

    def usable(thousandths):
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"usableThousandths": str(thousandths)})

    def rate():
        return int(metered_kbps(rest, steady))

    def is_wide(name):
        return path((announced(rest, name) or {}).get("grant", {"path": []})) == [1, 3, 4]

    others = 0

    def change(times):
        nonlocal others
        for _ in range(times):
            before, meter = rate(), eventually(lambda: metered_at(network, ports[steady]))
            usable(LESS if before > BETWEEN_KBPS else MORE)
            eventually(lambda: rate() not in (0, before))
            # While its rule is written anew there may be none, or two.
            others += eventually(lambda: metered_at(network, ports[steady])) != meter

    usable(MORE)
    for name in names:
        announce(rest, name, source, destination, ports[name], "file-download/emailattach")
    eventually(lambda: all(is_wide(name) and metered_kbps(rest, name) > BETWEEN_KBPS for name in names))
    try:
        spells = alternating(network, list(ports.values()), lambda: change(RATE_CHANGES // SPELLS), SPELLS)
    finally:
        usable(960)
        for name in names:
            end(rest, name)
    with capsys.disabled():
        print(f"\n{RATE_CHANGES} changed rates, {others} of them not where the meter is")
        print("\n".join(map(said, spells)))
    # A switch that does not answer within 900 ms, as on a machine that is busy, gets a new meter.
    assert others <= RATE_CHANGES // 10
    for one in spells:
        nothing_lost_that_nobody_dropped(one)


def test_conversations_of_a_pair_share_their_rules(onos, network, rest):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    names = [f"many{number}" for number in range(6)]
    for number, name in enumerate(names):
        announce(rest, name, source, destination, 6100 + number, "file-download/emailattach")
    eventually(lambda: all(metered_kbps(rest, n) for n in names))
    match = f"nw_src={source},nw_dst={destination}"

    def is_shared():
        wide = [n for n in names if path(announced(rest, n)["grant"]) == [1, 3, 4]]
        fragments = network.rules(1, match, "tp_src=0,tp_dst=0", "meter:")
        return len(wide) >= 4 and len(fragments) == 1 and len(network.rules(3, match)) <= 1 + len(names) - len(wide)

    eventually(lambda: len(network.rules(1, match)) == 7)  # and fragments pass a meter
    eventually(is_shared)
    for name in names:
        end(rest, name)
    eventually(lambda: not any(network.rules(switch, match) for switch in (1, 2, 3, 4)))


def test_a_meter_beyond_a_switchs_quota_is_refused_with_the_reason(onos, network, rest):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    devices = {"devices": {"of:0000000000000001": {"paceline": {"maxMeters": 1}}}}
    rest.configure(devices)
    announce(rest, "first", source, destination, 6200, "file-download/emailattach")
    eventually(lambda: metered_kbps(rest, "first"))
    announce(rest, "second", source, destination, 6201, "file-download/emailattach")
    eventually(lambda: "may meter 1 conversations and does" in (announced(rest, "second") or {}).get("reason", ""))
    end(rest, "second")
    end(rest, "first")
    rest.call("DELETE", "/v1/network/configuration/devices/of:0000000000000001/paceline")
