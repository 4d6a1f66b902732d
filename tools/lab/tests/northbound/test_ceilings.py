"""What binds whoever has one branch of the tree, on a running ONOS: alike in REST, RESTCONF and the shell, until an admin says otherwise."""

from __future__ import annotations

import re

import pytest

from northbound.matrix import MINE
from switches.steps import eventually

pytestmark = pytest.mark.e2e

ACTIVE = "/v1/applications/org.paceline.app/active"
TEN_YEARS_S = 3650 * 86400
# Of a link of 100 Mbit/s.
WISH = {"intent": MINE, "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": 90_000, "conversations": 1000}


@pytest.fixture
def wide(onos, network):
    told = network.settings()
    for link in told["links"].values():
        link["paceline"]["capacityKbps"] = 100_000
    onos.rest.configure(told)
    yield
    onos.rest.configure(network.settings())


@pytest.fixture
def ways(user, shell):
    """By each interface, as who has this branch and no more: reserves for so many seconds and says what came of it."""

    def over_rest(seconds):
        return user("bodo").send("POST", "reservations", {**WISH, "durationSeconds": seconds}).json

    def over_restconf(seconds):
        asked = {"intent": MINE, "from": WISH["from"], "to": WISH["to"], "rate": "90000", "duration": seconds, "conversations": 1000}
        return rpc(user("bodo"), "paceline-reservations:reserve", asked).json

    def in_the_shell(seconds):
        return shell(f"paceline:reserve --conversations 1000 {MINE} 10.20.0.1 10.20.0.2 90mbit {seconds // 60}", "", "bert", "secret")

    return {"REST": over_rest, "RESTCONF": over_restconf, "shell": in_the_shell}


def rpc(client, name, asked):
    body = {f"{name.split(':', maxsplit=1)[0]}:input": asked}
    return client.send("POST", f"../restconf/operations/{name}", body, Content_Type="application/yang-data+json")


def test_ninety_of_a_hundred_for_ten_years_is_refused_by_the_ceiling_that_it_is_above(admin, user, shell, wide, ways, tidy):
    for name, reserve in ways.items():
        assert f"The ceiling of ({MINE}) is 604800 s of reserved time" in words(reserve(TEN_YEARS_S)), name
        assert f"The ceiling of ({MINE}) is 50 % of each link" in words(reserve(3600)), name
    assert not admin.get("reservations").json["reservations"]
    # An operator is bound by none.
    made = user("ola").send("POST", "reservations", {**WISH, "durationSeconds": TEN_YEARS_S - 60})
    assert made.status == 201, made
    assert admin.send("DELETE", f"reservations/{made.json['id']}").status == 204


def test_an_admin_raises_the_ceiling_by_each_interface_and_then_it_passes(onos, admin, user, shell, wide, ways, tidy):
    raised = {"sharePercent": 100, "durationSeconds": TEN_YEARS_S}
    raisings = {
        "REST": lambda: user("ada").send("PUT", f"ceilings/{MINE}", raised).status == 200,
        "RESTCONF": lambda: rpc(user("ada"), "paceline-ceilings:set-ceiling", {"branch": MINE, "share": 100, "duration": TEN_YEARS_S}).status == 204,
        "shell": lambda: MINE in shell(f"paceline:ceiling-set {MINE} --share 100 --duration {TEN_YEARS_S // 60}", "", "adam", "secret"),
    }
    for name, set_it in raisings.items():
        assert set_it(), name
        newest = admin.get("changes?limit=1").json["changes"][0]
        assert (newest["actor"], newest["operation"]) == ("adam" if name == "shell" else "ada", f"The ceiling of ({MINE}) is set."), newest
        assert admin.get(f"ceilings/{MINE}").json == {"branch": MINE, **raised}
        (told,) = admin.get("../restconf/data/paceline-ceilings:ceilings").json["paceline-ceilings:ceilings"]["ceiling"]
        assert told == {"branch": MINE, "share": 100, "duration": TEN_YEARS_S}
        assert re.search(rf"{MINE} +- +100 % +{TEN_YEARS_S // 60} min", shell("paceline:ceilings"))
        # The end of ten years is ten years ahead.
        assert "ceiling" not in words(ways[name](TEN_YEARS_S - 60)), name
        (made,) = admin.get("reservations").json["reservations"]
        assert made["rateKbps"] == 90_000
        assert admin.send("DELETE", f"reservations/{made['id']}").status == 204
        assert admin.send("DELETE", f"ceilings/{MINE}").status == 204
        assert admin.get(f"ceilings/{MINE}").status == 404


def test_a_rate_is_bounded_by_each_interface_whatever_the_share(admin, user, shell, wide, ways, tidy):
    boundings = {
        "REST": lambda: user("ada").send("PUT", f"ceilings/{MINE}", {"sharePercent": 100, "rateKbps": 80_000}).status == 200,
        "RESTCONF": lambda: rpc(user("ada"), "paceline-ceilings:set-ceiling", {"branch": MINE, "share": 100, "rate": "80000"}).status == 204,
        "shell": lambda: MINE in shell(f"paceline:ceiling-set {MINE} --share 100 --rate 80mbit", "", "adam", "secret"),
    }
    for name, set_it in boundings.items():
        assert set_it(), name
        assert f"The ceiling of ({MINE}) is 80000 kbit/s" in words(ways[name](3600)), name
        assert not admin.get("reservations").json["reservations"]
        assert admin.send("DELETE", f"ceilings/{MINE}").status == 204


def test_a_boost_is_bound_too_and_so_is_a_priority(admin, user, shell, network, tidy):
    call = {"id": "boosted", "intent": MINE, "localAddress": "10.20.0.1", "remoteAddress": "10.20.0.2", "protocol": "udp", "remotePort": 6900}
    assert admin.send("POST", "conversations", call).status == 201
    boost = {"conversation": "announced/boosted", "rateKbps": 100, "durationSeconds": TEN_YEARS_S - 60}
    by_rest = user("bodo").send("POST", "reservations/boost", boost)
    assert by_rest.is_problem(409) and "is 604800 s of reserved time" in by_rest.json["detail"], by_rest
    by_shell = shell(f"paceline:boost announced/boosted 100kbit {TEN_YEARS_S // 60 - 1}", "", "bert", "secret")
    assert "is 604800 s of reserved time" in words(by_shell)
    why = f"The priority (11) of ({MINE}) is above the ceiling of ({MINE}), which is 10"
    node = {"paceline-intents:intent": [{"path": MINE, "priority": 11}]}
    address = f"../restconf/data/paceline-intents:intents/intent={MINE}"
    for answer in (
        user("bodo").send("PUT", f"intents/{MINE}", {"priority": 11}),
        user("bodo").send("PATCH", f"intents/{MINE}", {"priority": 11}, Content_Type="application/merge-patch+json"),
        user("bodo").send("PATCH", address, node, Content_Type="application/yang-data+json"),
    ):
        assert answer.status == 403 and why in words(answer.json), answer
    assert why in words(shell(f"paceline:intent-set {MINE} --priority 11", "", "bert", "secret"))
    assert user("ada").send("PUT", f"ceilings/{MINE}", {"priority": 11}).status == 200
    assert user("bodo").send("PUT", f"intents/{MINE}", {"priority": 11}).status == 200


def test_a_ceiling_outlives_the_application(onos, admin, user, tidy):
    assert admin.send("PUT", f"ceilings/{MINE}", {"priority": 12, "rateKbps": 5000.5}).status == 200
    onos.rest.call("DELETE", ACTIVE)
    eventually(lambda: not admin.is_up())
    onos.rest.call("POST", ACTIVE)
    eventually(admin.is_up)
    assert admin.get(f"ceilings/{MINE}").json == {"branch": MINE, "priority": 12, "rateKbps": 5000.5}
    assert user("bodo").send("PUT", f"intents/{MINE}", {"priority": 13}).is_problem(403)


def test_the_ceiling_of_the_root_is_above_every_branch(admin, user, shell, tidy):
    assert admin.send("PUT", "ceilings/%2F", {"priority": 3}).json == {"branch": "/", "priority": 3}
    try:
        assert "the ceiling of (/), which is 3" in words(user("bodo").send("PUT", f"intents/{MINE}", {"priority": 7}).json)
    finally:
        assert "usual" in shell("paceline:ceiling-remove /")
    assert admin.get("ceilings/%2F").status == 404


def words(said):
    """Without the line breaks of a terminal."""
    return re.sub(r"\s+", " ", str(said))
