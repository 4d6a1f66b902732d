"""An agent never yields: after a while its first switch holds its conversation, and others get their grants.

The alarm stays for longer than this lasts, so these come last here.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from paceline_lab.networks.agents import FLAGS, JAR, certified
from paceline_lab.networks.conversations import is_installed

from controller.office import FILES, VOICE
from switches.steps import conversations, eventually, metered_at, settled

pytestmark = pytest.mark.e2e
PORT, LATE = FILES + 10, FILES + 1
HOSTILE = Path(__file__).with_name("HostileAgent.java")


def alarms(onos):
    return [one for one in onos.rest.get("/paceline/v1/alarms")["alarms"] if one["kind"] == "quarantine"]


@pytest.fixture
def hostile(onos, network, talking):
    """An agent of a2 that says of its one conversation whatever it likes; it sends 1.6 Mbit/s."""
    a2 = network.hosts["a2"]
    certified(onos.space.tls, "a2")
    sends = network.probe("a2", "send", f"flood:{PORT}:{talking}:{PORT}:200:1000")
    with open(network.directory / "hostile.log", "ab") as log:
        words = [a2.management, str(onos.space.tls), "a2", a2.address, talking, str(PORT)]
        agent = network.popen("java", *FLAGS, "-cp", str(JAR), str(HOSTILE), *words, host="a2", stdout=log, stderr=subprocess.STDOUT)
    yield agent
    network.end(agent)
    network.harvest(sends)


def test_an_agent_that_does_not_yield_freezes_nobody(onos, network, talking, hostile):
    def flood():
        return conversations(onos.rest, talking).get(PORT)

    one = eventually(lambda: (c := flood()) and "grant" in c and c)
    assert (one["host"], one["enforcement"]) == ("a2", "agent"), one
    # Who comes now is to have what the other does not give.
    late = network.probe("a1", "send", f"late:{LATE}:{talking}:{LATE}:200:1000")
    try:
        (alarm,) = eventually(lambda: alarms(onos))
        assert alarm["agent"] == "a2" and "a2/flood" in alarm["sentence"] and "Maybe" in alarm["sentence"], alarm
        eventually(lambda: settled(onos.rest, talking, [VOICE, FILES, LATE]))
        held = eventually(lambda: (c := flood()) and is_installed(c) and metered_at(network, PORT) and c)
        assert held["enforcement"] == "quarantine", held
        assert hostile.poll() is None
    finally:
        network.harvest(late)
