"""What ONOS is told of mininet's links."""

from paceline_lab.networks.mininet_nodes import link_settings


def test_rate_and_delay_are_told_in_onoss_units():
    assert link_settings({"bw": 10, "delay": "5ms"}) == {"capacityKbps": 10_000, "delayMs": 5}
    assert link_settings({"bw": 0.5}) == {"capacityKbps": 500}
    assert link_settings({"delay": "1.5s"}) == {"delayMs": 1500}
    assert link_settings({"delay": "200us"}) == link_settings({"delay": "200"}) == {"delayMs": 0.2}


def test_of_a_link_that_is_as_its_ports_say_nothing_is_told():
    assert link_settings({}) == {}
    assert link_settings({"bw": None, "delay": None}) == {}
