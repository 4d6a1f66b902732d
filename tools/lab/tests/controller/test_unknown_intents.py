"""Intents that are not in the tree: whoever names them is served as the nearest ancestor, an alarm says so, and it ends with its cause."""

from __future__ import annotations

import pytest

from controller.office import FILES, VOICE, ask, at_rest, wanted
from switches.steps import conversations, eventually, settled

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"
UNHEARD = "voip/unheard-of"
ATTACHED = "file-download/emailattach"


@pytest.fixture
def tree(onos, talking):
    """The intents as they are, and as they are again afterwards."""
    before = onos.rest.get(f"{V1}/intents")
    yield before
    assert ask(onos, "PUT", f"{V1}/intents", before)[0] == 200


def alarms(onos):
    return {one["intent"]: one["sentence"] for one in onos.rest.get(f"{V1}/alarms")["alarms"] if one["kind"] == "unknown-intent"}


def test_an_agent_whose_rules_name_an_unknown_intent_attaches_and_an_alarm_says_what_it_is_served_as(onos, network, tree, talking):
    before = at_rest(onos)
    agent = network.agent("a2", f"unmatched: ignore\nrules: [{{intent: {UNHEARD}, match: {{protocol: udp, localPort: 6600}}}}]\n")
    try:
        said = eventually(lambda: alarms(onos).get(UNHEARD))
        assert "host a2;" in said and "served as (voip)" in said and f"paceline:intent-set {UNHEARD}" in said
        log = network.directory / "agent-a2.log"
        eventually(lambda: all(word in log.read_text() for word in (f"({UNHEARD})", "serves it as (voip). Maybe you meant one of", "voip/g729.1")))
        assert "a2" in wanted(onos)["agents"] and agent.poll() is None
        # Somebody creates it.
        assert ask(onos, "PUT", f"{V1}/intents/{UNHEARD}", {})[0] == 201
        eventually(lambda: UNHEARD not in alarms(onos))
        assert agent.poll() is None
    finally:
        agent.terminate()
        agent.wait(60)
    assert ask(onos, "DELETE", f"{V1}/intents/{UNHEARD}")[0] in (200, 204)
    eventually(lambda: wanted(onos) == before and not alarms(onos))


def test_an_intent_that_is_taken_away_under_an_agent_is_served_as_its_ancestor_until_it_is_back(onos, network, tree, talking):
    function = conversations(onos.rest, talking)[FILES]["resolvedFrom"]
    status, answer = ask(onos, "DELETE", f"{V1}/intents/{ATTACHED}")
    assert status == 200, answer
    assert answer == {
        "stillNamed": [{"intent": ATTACHED, "servedAs": "file-download", "conversations": 1, "hosts": ["a1"], "moreHosts": 0}],
        "moreIntents": 0,
    }
    said = eventually(lambda: alarms(onos).get(ATTACHED))
    assert "host a1;" in said and "served as (file-download)" in said
    # It goes on by another's function.
    eventually(lambda: conversations(onos.rest, talking)[FILES]["resolvedFrom"] != function)
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
    assert network.agents["a1"].poll() is None
    assert ask(onos, "PUT", f"{V1}/intents", tree)[0] == 200
    eventually(lambda: conversations(onos.rest, talking)[FILES]["resolvedFrom"] == function)
    eventually(lambda: not alarms(onos))
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
