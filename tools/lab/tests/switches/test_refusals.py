"""A real switch refuses what it has no room for: who is concerned is told, and served when there is room again."""

from __future__ import annotations

import pytest

from switches.hoard import no_meter_left
from switches.steps import announce, announced, end, eventually, limits, metered_at, metered_kbps, ports_are_metered

pytestmark = pytest.mark.e2e
FULL = "The switch (of:0000000000000001) refused a meter: OUT_OF_METERS"


@pytest.fixture(autouse=True)
def metered(network):
    """Who takes all meters leaves none to ports that have theirs not yet; they have them again when there is room."""
    eventually(lambda: ports_are_metered(network, *network.topology.numbers()), 120)
    yield
    eventually(lambda: ports_are_metered(network, *network.topology.numbers()), 120)


def is_metered(network, rest, one):
    """Whether the switch has a meter of the rate that it is said to have: others may come and go, so that it is another one than before."""
    rate = int(metered_kbps(rest, one))
    return rate and f"rate={rate} burst_size={max(rate // 8, 25)}" in network.ofctl("dump-meters", 1)


def alarms(rest):
    """Of the robbed one; what ports drop on a busy machine is an alarm, too."""
    return [one for one in rest.get("/paceline/v1/alarms")["alarms"] if one.get("conversation") == "announced/robbed"]


def test_a_meter_that_a_switch_refuses_is_told_with_its_reason_and_made_when_there_is_room(onos, network, rest):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    announce(rest, "first", source, destination, 6600, "file-download/emailattach")
    eventually(lambda: is_metered(network, rest, "first"))
    try:
        with no_meter_left(network):
            announce(rest, "second", source, destination, 6601, "file-download/emailattach")
            # The reason is there as soon as the switch says it; the share is taken back with the next plan.
            refused = eventually(lambda: (c := announced(rest, "second")) and FULL in c.get("reason", "") and c["state"] == "unserved" and c)
            assert "grant" not in refused, "a share that nobody enforces is no grant"
            eventually(lambda: not any(network.rules(switch, "tp_dst=6601") for switch in (1, 2, 3, 4)))
            # Who has one keeps it.
            eventually(lambda: is_metered(network, rest, "first"))
        eventually(lambda: metered_kbps(rest, "second") and network.rules(1, "tp_dst=6601", "meter:"))
    finally:
        end(rest, "first")
        end(rest, "second")
    eventually(lambda: not limits(network, 1))


def test_a_meter_that_cannot_be_put_back_is_an_alarm_until_it_can(onos, network, rest):
    announce(rest, "robbed", network.hosts["d3"].address, network.hosts["d2"].address, 6602, "file-download/emailattach")
    eventually(lambda: is_metered(network, rest, "robbed"))
    try:
        eventually(lambda: metered_at(network, 6602))
        with no_meter_left(network) as take_one_more:

            def is_robbed():
                at = metered_at(network, 6602)
                if at is None:
                    # Its rule is just being written again.
                    return False
                network.ofctl("del-meter", 1, f"meter={at}")
                try:
                    take_one_more()
                except RuntimeError as full:
                    # The controller was quicker and has put it back.
                    if "OUT_OF_METERS" not in str(full):
                        raise
                    return False
                return True

            eventually(is_robbed)
            eventually(lambda: any("refuses it" in one["sentence"] for one in alarms(rest)))
        eventually(lambda: is_metered(network, rest, "robbed") and metered_at(network, 6602))
        eventually(lambda: alarms(rest) == [])
    finally:
        end(rest, "robbed")
    eventually(lambda: not limits(network, 1))
