"""A host with an agent receives from one without: the receiver holds it, until the sender has an agent of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest
from paceline_lab.networks.conversations import is_installed
from streams import FETCH, PORT, SERVE

from controller.office import RULES, is_untouched
from switches.steps import eventually

pytestmark = pytest.mark.e2e
SETTINGS = "/v1/configuration/org.paceline.onos.PacelineComponent"
# Of documentation, and so of nobody in this network.
OUTSIDE = "203.0.113.9"
RECEIVES = f"""unmatched: ignore
rules:
  - intent: file-download/emailattach
    direction: in
    match: {{protocol: tcp, remotePort: {PORT}}}
  - intent: voip/g729.1
    direction: in
    match: {{protocol: udp, remotePort: {PORT}}}
"""
# 1 Mbit/s to whoever asks, heard or not: nothing slows a sender of datagrams down.
FLOOD = f"""
import socket, sys, time
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind((sys.argv[1], {PORT}))
print("listening", flush=True)
_, asker = server.recvfrom(9)
while True:
    server.sendto(bytes(1200), asker)
    time.sleep(0.01)
"""
HEAR = f"""
import socket, sys
peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
peer.connect((sys.argv[1], {PORT}))
peer.send(b"more")
while peer.recv(2000):
    pass
"""


def talk(network, source, address, serve, ask_for, *options):
    """A server on the source, and b1 that asks it."""
    words = [sys.executable, "-c", serve, address, *options]
    server = network.popen(*words, host=source, stdout=subprocess.PIPE, text=True)
    assert server.stdout.readline() == "listening\n"
    return server, network.popen(sys.executable, "-c", ask_for, address, host="b1")


def download(network, source, address, size=65536, pause=0.0):
    """From a server that sends so many bytes at once and then pauses; all it can unless told."""
    return talk(network, source, address, SERVE, FETCH, str(size), str(pause))


def heard(onos, source, state, transport="TCP"):
    """What b1 announced of this sender, once it is in that state."""
    for one in onos.rest.conversations():
        if (one["host"], one["localAddress"], one["protocol"], one["state"]) == ("b1", source, transport, state):
            return one
    return None


def refused(onos, source, why):
    """Whether b1 is told so of this sender."""
    one = heard(onos, source, "unserved")
    return one and why in one["reason"]


def is_held(one):
    """What arrives is what was granted; not less either, once the stream has found its pace."""
    return one and is_installed(one) and 0.8 <= one["measured"].get("rateKbps", 0) / one["installed"]["rateKbps"] <= 1.05


@pytest.fixture
def outside(network):
    """The host a2 is a router of the provider's, for all that this network can tell: it answers for an address behind it."""
    a2 = network.hosts["a2"].address
    # Else it would ask in that address' name who has b1's, and be taken for its host.
    network.host("a2", "sysctl", "-qw", "net.ipv4.conf.all.arp_announce=2")
    network.host("a2", "ip", "addr", "add", f"{OUTSIDE}/32", "dev", "lo")
    network.host("b1", "ip", "route", "add", OUTSIDE, "via", a2)
    yield OUTSIDE
    network.host("b1", "ip", "route", "del", OUTSIDE)
    network.host("a2", "ip", "addr", "del", f"{OUTSIDE}/32", "dev", "lo")


def test_what_comes_from_hosts_without_an_agent_and_from_outside_is_held_where_it_arrives(
    onos, network, talking, outside
):
    def classes():
        return network.host("b1", "tc", "class", "show", "dev", "paceline-in", check=False)

    a1, a2 = network.hosts["a1"].address, network.hosts["a2"].address
    running = [
        network.agent("b1", RECEIVES),
        *download(network, "a2", a2),
        *download(network, "a2", outside),
        *download(network, "a1", a1, 1000, 0.1),
        *talk(network, "a2", a2, FLOOD, HEAR),
    ]
    try:
        one = eventually(lambda: (c := heard(onos, a2, "granted")) and is_installed(c) and c)
        assert one["enforcement"] == "receiver"
        assert (one["remoteAddress"], one["localPort"]) == (talking, PORT)
        assert [(element["kind"], element["at"]) for element in one["elements"]] in ([], [("pacing_class", "b1")])
        eventually(lambda: refused(onos, outside, outside))
        assert all(agent["version"] for agent in onos.rest.get("/paceline/v1/agents")["agents"])
        # Who has an agent speaks for itself.
        eventually(lambda: refused(onos, a1, "(a1)"))
        onos.rest.call("POST", SETTINGS, {"gateway": a2})
        # Streams give way, datagrams are dropped; each has what it was granted.
        for source, transport in ((a2, "TCP"), (a2, "UDP"), (outside, "TCP")):
            held = eventually(lambda: is_held(c := heard(onos, source, "granted", transport)) and c)
            assert held["enforcement"] == "receiver"
        onos.rest.call("POST", SETTINGS, {"gateway": ""})
        running.append(network.agent("a2", RULES))
        eventually(lambda: refused(onos, a2, "(a2)"))
        eventually(lambda: refused(onos, outside, outside))
        eventually(lambda: "ace1:fffe" in classes() and len(classes().splitlines()) == 1)
    finally:
        onos.rest.call("POST", SETTINGS, {"gateway": ""})
        for process in reversed(running):
            network.end(process)
        # Whose agent has ended keeps its share for a while; the tests after this one reckon with nobody else.
        eventually(lambda: {c["host"] for c in onos.rest.conversations()} == {"a1"}, 90)
    assert is_untouched(network, "b1") and is_untouched(network, "a2")
    assert "paceline-in" not in network.host("b1", "ip", "link", "show")
