"""The mode shadow on a running network: what is enforced is taken back, shown as recommended, and enforced again."""

from __future__ import annotations

import pytest
from paceline_lab.networks.controller import COMPONENT

from controller.office import FILES, VOICE, alarms_but_drops, ask, rates
from switches.steps import announce, announced, conversations, end, eventually, limits, settled, steady

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"
PORT = 6700


def restconf(onos, path):
    return ask(onos, "GET", f"/paceline/restconf/data/{path}", accept="application/yang-data+json")[1]


def mode(onos, word):
    ask(onos, "POST", f"/v1/configuration/{COMPONENT}", {"mode": word})
    eventually(lambda: onos.rest.state()["mode"] == word)


def of_call(network):
    """What the first switch holds for the announced conversation."""
    return network.rules(1, f"tp_src={PORT}"), limits(network, 1)


@pytest.fixture
def call(onos, network, talking):
    """A conversation that is limited by a meter."""
    announce(onos.rest, "shadowed", network.hosts["a2"].address, talking, PORT, "voip/g729.1")
    eventually(lambda: all(of_call(network)))
    yield "shadowed"
    end(onos.rest, "shadowed")


def test_a_mode_that_is_none_changes_nothing(onos, talking):
    ask(onos, "POST", f"/v1/configuration/{COMPONENT}", {"mode": "ghost"})
    try:
        eventually(lambda: "The mode (ghost) must be one of [enforce, shadow]." in onos.log())
        assert onos.rest.state()["mode"] == "enforce"
    finally:
        mode(onos, "enforce")


def test_in_shadow_everything_is_recommended_and_nothing_enforced(onos, network, talking, call):
    granted = steady(lambda: settled(onos.rest, talking, [VOICE, FILES]) and sorted(rates(network, "a1").values()))
    mode(onos, "shadow")
    try:
        eventually(lambda: set(rates(network, "a1").values()) == {"100Gbit"})
        eventually(lambda: not any(of_call(network)))

        def recommended():
            found = [one for one in onos.rest.conversations() if one["state"] == "recommended"]
            # The agent's rate of no effect is no rate to show.
            unpaced = [one.get("installed") for one in found if one["host"] == "a1"] == [{"paced": False}] * 2
            return len(found) == 3 and unpaced and all(one["grant"]["rateKbps"] > 0 and not one["elements"] for one in found)

        eventually(lambda: len(onos.rest.get(f"{V1}/plan")["grants"]) == 3 and recommended())
        plan = onos.rest.get(f"{V1}/plan")
        assert plan["mode"] == "shadow"
        assert restconf(onos, "paceline-plan:plan?fields=mode") == {"paceline-plan:plan": {"mode": "shadow"}}
        listed = restconf(onos, "paceline-conversations:conversations")["paceline-conversations:conversations"]["conversation"]
        assert {one["state"] for one in listed} == {"recommended"}
        assert not any(float(one.get("installed", {}).get("rate", 0)) for one in listed)
        # What changes is planned, and still nobody is told.
        ask(onos, "PUT", f"{V1}/intents/file-download/emailattach", {"maximumRateKbps": 1500})
        eventually(lambda: onos.rest.get(f"{V1}/plan")["grants"] != plan["grants"])
        assert set(rates(network, "a1").values()) == {"100Gbit"} and not any(of_call(network))
        assert not alarms_but_drops(onos)
        ask(onos, "POST", f"{V1}/policy/rollback", {})
    finally:
        mode(onos, "enforce")
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
    eventually(lambda: sorted(rates(network, "a1").values()) == granted)
    eventually(lambda: all(of_call(network)))
    assert {conversations(onos.rest, talking)[port]["state"] for port in (VOICE, FILES)} == {"granted"}
    eventually(lambda: announced(onos.rest, call)["state"] == "granted")
