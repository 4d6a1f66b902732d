"""A host's agent says that its host sends by a neighbour's address: that gets nothing, an alarm says it, and an operator may allow it."""

from __future__ import annotations

import sys

import pytest
from paceline_lab.networks.conversations import is_installed

from controller.office import FILES, VOICE, ask
from switches.steps import conversations, eventually, metered_at, settled

pytestmark = pytest.mark.e2e
HOSTS = "/v1/network/configuration/hosts"
PORT = VOICE + 1
# A call, in the name of the first address.
SAY = f"""
import socket, sys, time
call = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
call.bind((sys.argv[1], {PORT}))
call.connect((sys.argv[2], {PORT}))
while True:
    call.send(bytes(60))
    time.sleep(0.02)
"""


@pytest.fixture
def borrowed(network):
    """The address of a2, with which programs on a1 send, too; only a2 answers for it."""
    address = network.hosts["a2"].address
    # Neither asked in its name nor answered for it, as nobody is in its network of one address.
    for word in ("arp_announce", "arp_ignore"):
        network.host("a1", "sysctl", "-qw", f"net.ipv4.conf.all.{word}=2")
    network.host("a1", "ip", "address", "add", f"{address}/32", "dev", "eth0", "noprefixroute")
    yield address
    network.host("a1", "ip", "address", "delete", f"{address}/32", "dev", "eth0")
    for word in ("arp_announce", "arp_ignore"):
        network.host("a1", "sysctl", "-qw", f"net.ipv4.conf.all.{word}=0")


def alarms(onos):
    return [one for one in onos.rest.get("/paceline/v1/alarms")["alarms"] if one["kind"] == "foreign-address"]


def host_id(onos, address):
    return next(one["id"] for one in onos.rest.get("/v1/hosts")["hosts"] if address in one["ipAddresses"])


def test_what_an_agent_says_of_a_neighbours_address_gets_nothing_until_an_operator_allows_it(onos, network, talking, borrowed):
    def spoken_for():
        return conversations(onos.rest, talking).get(PORT)

    heard = network.probe("b1", "receive", str(PORT))
    said = network.popen(sys.executable, "-c", SAY, borrowed, talking, host="a1")
    try:
        one = eventually(lambda: (c := spoken_for()) and c.get("code") == "address-elsewhere" and c)
        assert (one["host"], one["localAddress"]) == ("a1", borrowed), one
        assert (one["state"], one["code"]) == ("unserved", "address-elsewhere"), one
        assert "grant" not in one and borrowed in one["reason"] and "(a1)" in one["reason"], one
        (alarm,) = eventually(lambda: alarms(onos))
        assert alarm["conversation"] == f"a1/{one['id']}" and borrowed in alarm["sentence"] and "Maybe" in alarm["sentence"]
        # No switch holds or leads anything of the neighbour's, and the agent goes on with what is its own.
        eventually(lambda: not network.rules(1, f"nw_src={borrowed}") and metered_at(network, PORT) is None)
        log = network.directory / "agent-a1.log"
        eventually(lambda: f"the controller refused {one['id']}" in log.read_text())
        eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))

        onos.rest.configure({"hosts": {host_id(onos, borrowed): {"paceline": {"agents": ["a1"]}}}})
        eventually(lambda: (c := spoken_for()) and c["state"] == "granted" and is_installed(c))
        eventually(lambda: not alarms(onos))
        assert ask(onos, "DELETE", HOSTS)[0] < 300
        eventually(lambda: (c := spoken_for()) and c.get("code") == "address-elsewhere")
    finally:
        ask(onos, "DELETE", HOSTS)
        network.end(said)
        network.harvest(heard)
    eventually(lambda: spoken_for() is None, 90)
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
    eventually(lambda: not alarms(onos))
