"""Everything that can be written over REST: what is accepted holds, what is refused changes nothing."""

from __future__ import annotations

import copy

import pytest

from controller.office import FILES, PACELINE, VOICE, alarms_but_drops, ask, at_rest, wanted
from switches.steps import announced, conversations, eventually

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"


@pytest.fixture
def tree(onos, talking):
    """The intents as they are, and as they are again afterwards."""
    before = onos.rest.get(f"{V1}/intents")
    yield before
    assert ask(onos, "PUT", f"{V1}/intents", before)[0] == 200
    assert onos.rest.get(f"{V1}/intents") == before


def a_call(onos, network, **other):
    return {
        "id": "call", "intent": "voip/g729.1", "localAddress": network.hosts["a2"].address,
        "remoteAddress": network.hosts["b1"].address, "protocol": "udp", "localPort": 6500, "remotePort": 6500, **other,
    }  # fmt: skip


def test_what_is_said_of_the_network_is_the_same_everywhere(onos, network, talking):
    rest = onos.rest
    # What the tests before this one have left ends by itself.
    eventually(lambda: not alarms_but_drops(onos) and rest.state()["conversations"] == 2 and len(rest.get(f"{V1}/agents")["agents"]) == 1)
    at_rest(onos)
    state = rest.state()
    plan = rest.get(f"{V1}/plan")
    found = {f"{one['host']}/{one['id']}": one for one in rest.conversations()}
    assert state["conversations"] == len(found) == state["granted"] == len(plan["grants"]) == 2
    eventually(lambda: rest.state()["alarms"] == len(rest.get(f"{V1}/alarms")["alarms"]))
    assert not alarms_but_drops(onos)
    for grant in plan["grants"]:
        one = found[grant["conversation"]]
        assert one["grant"]["rateKbps"] == grant["rateKbps"]
        assert rest.get(f"{V1}/conversations/{grant['conversation']}")["grant"]["path"] == grant["path"]
    (agent,) = rest.get(f"{V1}/agents")["agents"]
    assert (agent["host"], agent["enforcer"]) == ("a1", "htb")
    links = {(one["from"], one["to"]): one for one in rest.get(f"{V1}/links")["links"]}
    narrow = links["of:0000000000000001", "of:0000000000000002"]
    assert narrow["capacityKbps"] == 30_000
    assert narrow["grantedKbps"] == pytest.approx(sum(grant["rateKbps"] for grant in plan["grants"]))


def test_intents_that_are_put_hold_and_outlive_the_application(onos, network, tree, talking):
    changed = copy.deepcopy(tree)
    status, answer = ask(onos, "DELETE", f"{V1}/intents/web-browsing")
    assert status == 204, answer
    without = onos.rest.get(f"{V1}/intents")
    assert without != tree and "web-browsing" not in str(without)
    assert ask(onos, "DELETE", f"{PACELINE}/active")[0] < 300
    eventually(lambda: ask(onos, "GET", f"{V1}/intents")[0] in (404, 503))
    assert ask(onos, "POST", f"{PACELINE}/active")[0] < 300
    eventually(lambda: ask(onos, "GET", f"{V1}/intents")[0] == 200)
    assert onos.rest.get(f"{V1}/intents") == without
    assert ask(onos, "PUT", f"{V1}/intents", changed)[0] == 200
    assert onos.rest.get(f"{V1}/intents") == tree
    eventually(lambda: set(conversations(onos.rest, talking)) == {VOICE, FILES})
    eventually(lambda: onos.rest.state()["granted"] == 2)


@pytest.mark.parametrize(
    "method, path, body, status, says",
    [
        ("PUT", "intents", b"{", 400, ["JSON"]),
        ("PUT", "intents", b"[]", 400, []),
        ("PUT", "intents", {"unheard": 1}, 400, ["root"]),
        ("DELETE", "intents/voip/g729", None, 404, ["voip/g729", "voip/g729.1"]),
        ("POST", "conversations", b"no json", 400, ["JSON"]),
        ("POST", "conversations", {"id": "x", "intent": "voip/g729", "localAddress": "10.20.0.12", "remoteAddress": "10.20.0.13"},
         400, ["(voip/g729)", "voip/g729.1"]),
        ("POST", "conversations", {"id": "x", "intent": "voip/g729.1", "localAddress": "10.20.0.12"}, 400, ["remoteAddress"]),
        ("POST", "conversations", {"id": "x", "intent": "voip/g729.1", "localAddress": "nowhere", "remoteAddress": "10.20.0.13"},
         400, ["nowhere"]),
        ("DELETE", "conversations/announced/never", None, 404, ["announced/never", "Maybe"]),
        ("GET", "conversations/a1/never", None, 404, ["a1/never"]),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_the_reason(onos, network, talking, method, path, body, status, says):
    before = at_rest(onos)
    got, answer = ask(onos, method, f"{V1}/{path}", body)
    assert got == status, answer
    assert answer["status"] == status and all(word in answer["detail"] for word in says), answer
    assert wanted(onos) == before


@pytest.mark.parametrize("port", [-1, 65536, "many", 1.5])
def test_a_port_that_is_none_is_refused(onos, network, talking, port):
    before = at_rest(onos)
    status, answer = ask(onos, "POST", f"{V1}/conversations", a_call(onos, network, remotePort=port))
    assert status == 400 and str(port) in answer["detail"]
    assert wanted(onos) == before


def test_a_conversation_is_announced_once_limited_and_ended(onos, network, talking):
    before = at_rest(onos)
    assert ask(onos, "POST", f"{V1}/conversations", a_call(onos, network))[0] == 201
    one = eventually(lambda: (c := announced(onos.rest, "call")) and c.get("installed", {}).get("rateKbps") and c)
    assert one["grant"]["utility"] > 1
    assert eventually(lambda: network.rules(1, "tp_dst=6500", "meter:"))
    status, answer = ask(onos, "POST", f"{V1}/conversations", a_call(onos, network, intent="file-download/emailattach"))
    assert status == 409 and "announced/call" in answer["detail"]
    assert announced(onos.rest, "call")["intent"] == "voip/g729.1"
    assert ask(onos, "DELETE", f"{V1}/conversations/announced/call")[0] == 204
    eventually(lambda: announced(onos.rest, "call") is None)
    eventually(lambda: not network.rules(1, "tp_dst=6500"))
    eventually(lambda: wanted(onos) == before)


def test_an_agents_conversation_is_ended_by_nobody_else(onos, network, talking):
    before = at_rest(onos)
    one = conversations(onos.rest, talking)[VOICE]
    status, answer = ask(onos, "DELETE", f"{V1}/conversations/a1/{one['id']}")
    assert status == 409 and "agent" in answer["detail"]
    assert wanted(onos) == before
