"""Conversations on networks with more than one way, by real packets."""

from __future__ import annotations

import signal
import time

import pytest

from switches.steps import conversations, figures, path, settled, steady

pytestmark = pytest.mark.e2e

# The slow way's delay in ms: no packet that takes it can be quicker.
SLOW = {"d": 80, "r": 80}
QUICK = {"d": [1, 2, 4], "r": [5, 6]}
WIDE = {"d": [1, 3, 4], "r": [5, 9, 8, 7, 6]}


@pytest.mark.parametrize(("sender", "receiver"), [("d1", "d2"), ("r1", "r2")], ids=["diamond", "ring"])
def test_terminals_and_calls_go_the_quick_way_and_downloads_the_wide_one(onos, network, rest, sender, receiver, capsys):
    address = network.hosts[receiver].address
    ports = {"ssh": 5022, "voip": 5004, "bulk": 5080, "bulk2": 5081}
    heard = network.probe(receiver, "receive", *map(str, ports.values()))
    shapes = {"ssh": (20, 100), "voip": (50, 60), "bulk": (300, 1000), "bulk2": (300, 1000)}
    said = network.probe(
        sender, "send", *(f"{n}:{p}:{address}:{p}:{shapes[n][0]}:{shapes[n][1]}" for n, p in ports.items())
    )
    # A first plan may be made in haste. What was sent before it, and waits at the sender's old rate, drains meanwhile.
    steady(lambda: settled(rest, address, ports.values()) and [path(conversations(rest, address)[port]["grant"]) for port in ports.values()])
    heard.send_signal(signal.SIGUSR1)
    time.sleep(2)
    grants = {name: conversations(rest, address)[port]["grant"] for name, port in ports.items()}
    sent = network.harvest(said)
    arrived = network.harvest(heard)
    measured = {name: arrived[str(port)] for name, port in ports.items()}
    slow = SLOW[sender[0]]
    with capsys.disabled():
        for name in ports:
            print(f"\n{sender} {name}", grants[name]["rateKbps"], "kbit/s", grants[name]["delayMs"], "ms", sent[name], figures(measured[name]), end="")
    for name in ("ssh", "voip"):
        assert path(grants[name]) == QUICK[sender[0]]
        assert measured[name]["leastMs"] < slow
    for name in ("bulk", "bulk2"):
        assert path(grants[name]) == WIDE[sender[0]]
        # Not the least: what waited in the quick way's queue when the download moved still arrives from there.
        assert measured[name]["p50Ms"] >= slow
