"""What no rule of an agent names, on real hosts: it is paced by default, takes nothing from who is managed, and an operator sees who sends it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from paceline_lab.networks.conversations import is_installed
from paceline_lab.networks.shell import login, say
from streams import FETCH, SERVE

from controller.office import passes_whole
from switches.steps import eventually

pytestmark = pytest.mark.e2e
STREAMS = 8
# Of something that nobody here sends; what is not named is left to the default.
RULES = "rules:\n  - intent: voip/g729.1\n    match: {protocol: udp, localPort: 1}\n"


def has_its_rate(one):
    """All that it was granted, once the streams have found their pace, or more: it borrows what others leave."""
    return one and is_installed(one) and one["measured"].get("rateKbps", 0) >= 0.8 * one["installed"]["rateKbps"]


def test_eight_streams_that_no_rule_names_are_paced_beside_managed_ones_and_their_process_is_shown(onos, network, talking, tmp_path):
    a2 = network.hosts["a2"].address
    capacity = network.links["1-2"].mbit * 1000

    def unnamed():
        return next((one for one in onos.rest.conversations() if one["host"] == "a2" and one["remoteAddress"] == talking), None)

    def by_shell(command):
        return say(onos.space.namespace, login(tmp_path, "rocks"), command)

    running = [network.agent("a2", RULES)]
    try:
        eventually(lambda: "a2" in [one["host"] for one in onos.rest.get("/paceline/v1/agents")["agents"]])
        # Until the controller has answered its first packets nobody holds it, and they may be too many for the link.
        server = network.popen(sys.executable, "-c", SERVE, a2, "65536", "0", host="a2", stdout=subprocess.PIPE, text=True)
        running.append(server)
        assert server.stdout.readline() == "listening\n"
        running += [network.popen(sys.executable, "-c", FETCH, a2, host="b1") for _ in range(STREAMS)]
        eventually(lambda: (one := unnamed()) and one["state"] == "granted" and is_installed(one))
        eventually(lambda: (one := unnamed()) and one["sockets"] == STREAMS)
        one = eventually(lambda: has_its_rate(one := unnamed()) and one)
        # A good while of all together. Eight streams that nobody holds make the link drop in each second of it.
        eventually(lambda: passes_whole(network, "1-2", 10))
        together = eventually(lambda: all(map(is_installed, found := onos.rest.conversations())) and found)
        state = onos.rest.get("/paceline/v1/state")
        seen = by_shell("paceline:state"), by_shell("paceline:top --once")
        assert (one["intent"], one["enforcement"], one["grant"]["rateKbps"] < capacity) == ("", "agent", True), one
        # With the managed ones it is within the link: planned and installed.
        assert {c["host"] for c in together} == {"a1", "a2"}
        assert sum(c["installed"]["rateKbps"] for c in together) <= capacity
        (sender,) = (each for each in state["besideRules"] if each["host"] == "a2")
        assert sender["most"].startswith("python") and talking in sender["most"], sender
        assert sender["managedKbps"] > 1000
        (note,) = (each for each in state["notes"] if "Host a2 " in each)
        assert "under the root's intent; most by python" in note
        assert all(f"most by {sender['most']}" in " ".join(text.split()) for text in seen), seen
    finally:
        for process in reversed(running):
            network.end(process)
        # Whose agent has ended keeps its share for a while; the tests after this one reckon with nobody else.
        eventually(lambda: {c["host"] for c in onos.rest.conversations()} == {"a1"}, 90)
