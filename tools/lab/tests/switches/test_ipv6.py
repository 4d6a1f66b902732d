"""Conversations of IPv6: led, marked and metered as those of IPv4 are."""

from __future__ import annotations

import signal
import time

import pytest
from paceline_lab.networks.controller import COMPONENT
from paceline_lab.networks.conversations import is_installed

from switches.steps import announce, announced, conversations, end, eventually, figures, known, path, settled, steady

pytestmark = pytest.mark.e2e
PORTS = {"ssh": 5028, "bulk": 5087}
SLOW_MS = 80


def test_conversations_of_ipv6_take_the_way_that_was_granted_and_are_metered(onos, network, rest, capsys):
    eventually(lambda: known(network, rest, "d1", "d2", "d3"))
    source, address = network.hosts["d3"].address6, network.hosts["d2"].address6
    heard = network.probe("d2", "receive", *map(str, PORTS.values()), "6900")
    shapes = {"ssh": (20, 100), "bulk": (300, 1000)}
    said = [network.probe("d1", "send", *(f"{n}:{p}:{address}:{p}:{shapes[n][0]}:{shapes[n][1]}" for n, p in PORTS.items()))]
    announce(rest, "flood6", source, address, 6900, "file-download/emailattach")
    try:
        eventually(lambda: (one := announced(rest, "flood6")) and is_installed(one))
        said.append(network.probe("d3", "send", f"flood:6900:{address}:6900:1500:1000"))
        # What was sent before the plan drains meanwhile.
        steady(lambda: settled(rest, address, PORTS.values()) and [path(conversations(rest, address)[port]["grant"]) for port in PORTS.values()])
        heard.send_signal(signal.SIGUSR1)
        began = time.monotonic()
        time.sleep(2)
        # Now, for a newcomer may first have had a part of it.
        granted = int(announced(rest, "flood6")["installed"]["rateKbps"])
        grants = {name: conversations(rest, address)[port]["grant"] for name, port in PORTS.items()}
        metered = network.rules(1, f"ipv6_src={source},ipv6_dst={address}", "tp_dst=6900", "meter:")
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": "34"})
        eventually(lambda: len(network.rules(1, f"ipv6_dst={address}", "set_field:34->ip_dscp")) == 4)  # of three, and of fragments
        # A sender's own mark is taken away.
        eventually(lambda: network.rules(1, "priority=11,ipv6", "nw_tos=136", "set_field:0->ip_dscp"))
    finally:
        # First, for what is ended is metered no more.
        for each in said:
            network.harvest(each)
        seconds = time.monotonic() - began
        arrived = network.harvest(heard)
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": "0"})
        end(rest, "flood6")
    with capsys.disabled():
        print("\nIPv6", grants, {port: figures(one) for port, one in arrived.items()}, end="")
    assert path(grants["ssh"]) == [1, 2, 4] and arrived["5028"]["leastMs"] < SLOW_MS
    assert path(grants["bulk"]) == [1, 3, 4] and arrived["5087"]["p50Ms"] >= SLOW_MS
    assert len(metered) == 1
    # With the headers of UDP, IPv6 and Ethernet. It sends more than twice as much as anybody is granted.
    assert arrived["6900"]["lost"] > 0
    assert arrived["6900"]["received"] * (1000 + 62) * 8 / 1000 <= 1.5 * granted * seconds
    eventually(lambda: not network.rules(1, f"ipv6_src={source}") and not network.rules(1, "ip_dscp"))
