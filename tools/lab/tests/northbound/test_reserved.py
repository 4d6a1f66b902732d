"""What a reservation does to the plan of a running ONOS, and to the meters of its switches, while it lasts and afterwards."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta

import pytest

from switches.steps import eventually

pytestmark = pytest.mark.e2e

SETTINGS = "/v1/configuration/org.paceline.onos.PacelineComponent"
MINE, OTHER = "web-browsing", "file-download"
PORTS = {MINE: 6800, OTHER: 6801}
# Of a link of 10 Mbit/s.
RATE = 8000
# A plan for two takes a few; at 300 it is cut off.
HASTY_MS = 100
WISH = {"intent": MINE, "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": RATE, "durationSeconds": 3600}


def talking(admin):
    return {one["id"]: one for one in admin.get("conversations?host=announced").json["conversations"]}


def grants(admin):
    return {name: one["grant"]["rateKbps"] for name, one in talking(admin).items() if "grant" in one}


def metered(network):
    """The rates of the meters through which a rule of the first switch leads each one's packets, in kbit/s."""
    rates = dict(re.findall(r"meter=(\d+) .*\n.*rate=(\d+)", network.ofctl("dump-meters", 1)))
    found = {}
    for name, port in PORTS.items():
        for rule in network.rules(1, f"tp_dst={port}", "meter:"):
            # 0 where it was made since: the two are not read at one moment.
            found[name] = int(rates.get(re.search(r"meter:(\d+)", rule)[1], 0))
    return found


@pytest.fixture
def two(admin, network):
    """Two that want all of the link: what they have, by name."""
    try:
        for intent, port in PORTS.items():
            call = {"id": intent, "intent": intent, "localAddress": "10.20.0.1", "remoteAddress": "10.20.0.2",
                    "protocol": "udp", "localPort": port, "remotePort": port}  # fmt: skip
            assert admin.send("POST", "conversations", call).status == 201
        eventually(lambda: set(grants(admin)) == set(PORTS) and is_enforced(admin, network))
        if admin.get("state").json["solver"]["elapsedMs"] > HASTY_MS:
            # It may have run out of its time: then it is solved once more when nothing has happened for two seconds.
            time.sleep(4)
            eventually(lambda: is_enforced(admin, network))
        yield grants(admin)
    finally:
        for intent in PORTS:
            admin.send("DELETE", f"conversations/announced/{intent}")
    eventually(lambda: not metered(network))


def is_reserved(admin, before):
    now = grants(admin)
    return now[MINE] >= RATE and now[OTHER] < before[OTHER] and sum(now.values()) <= 9600


def is_enforced(admin, network):
    return metered(network) == {name: int(rate) for name, rate in grants(admin).items()}


def test_it_takes_its_share_of_the_link_when_it_is_due_and_gives_it_back_at_its_end(admin, network, two):
    assert two[MINE] < RATE
    begin = datetime.now(UTC) + timedelta(seconds=4)
    held = admin.send("POST", "reservations", {**WISH, "start": begin.isoformat(), "durationSeconds": 6})
    assert held.status == 201 and held.json["state"] == "held", held
    assert admin.send("POST", f"reservations/{held.json['id']}/commit", {}).status == 200
    # It is not due yet, unless the machine pauses for long.
    assert grants(admin) == two or datetime.now(UTC) >= begin
    eventually(lambda: is_reserved(admin, two))
    assert datetime.now(UTC) >= begin
    eventually(lambda: is_enforced(admin, network))
    eventually(lambda: grants(admin) == two and is_enforced(admin, network))
    eventually(lambda: admin.get(f"reservations/{held.json['id']}").status == 404)


def test_what_is_only_held_takes_nothing_and_what_is_given_back_nothing_more(admin, network, two):
    held = admin.send("POST", "reservations", WISH).json["id"]
    version = admin.get("plan").json["version"]
    assert grants(admin) == two
    assert admin.send("POST", f"reservations/{held}/commit", {}).status == 200
    eventually(lambda: is_reserved(admin, two) and is_enforced(admin, network))
    assert admin.get("plan").json["version"] > version
    assert admin.send("DELETE", f"reservations/{held}").status == 204
    eventually(lambda: grants(admin) == two and is_enforced(admin, network))


def test_a_boost_lifts_its_conversation_and_ends_by_itself(admin, network, two):
    boost = admin.send("POST", "reservations/boost", {"conversation": f"announced/{MINE}", "rateKbps": RATE, "durationSeconds": 8})
    assert boost.status == 201, boost
    eventually(lambda: is_reserved(admin, two) and is_enforced(admin, network))
    eventually(lambda: grants(admin) == two and is_enforced(admin, network))
    eventually(lambda: admin.get(f"reservations/{boost.json['id']}").status == 404)


def test_what_a_link_of_less_capacity_cannot_keep_is_said_of_the_reservation(onos, admin, network, shell, two):
    made = admin.send("POST", "reservations", {**WISH, "commit": True}).json["id"]
    eventually(lambda: is_reserved(admin, two))
    assert "shortfall" not in admin.get(f"reservations/{made}").json
    onos.rest.configure(network.settings(capacity_kbps=4000))
    try:
        (mine,) = eventually(lambda: [one for one in admin.get("reservations").json["reservations"] if "shortfall" in one])
        assert (mine["id"], mine["state"]) == (made, "active")
        assert f"(announced/{MINE}): The reservation ({made}) promises it {RATE} kbit/s" in mine["shortfall"]
        calendar = admin.get("../restconf/data/paceline-reservations:reservations").json
        (mine,) = calendar["paceline-reservations:reservations"]["reservation"]
        assert f"({made}) promises it" in mine["shortfall"]
        assert re.search(rf"{made} +short .*\({made}\) promises it", shell("paceline:reservations"), re.DOTALL)
    finally:
        onos.rest.configure(network.settings())
    eventually(lambda: "shortfall" not in admin.get(f"reservations/{made}").json)
    assert admin.send("DELETE", f"reservations/{made}").status == 204
    eventually(lambda: grants(admin) == two and is_enforced(admin, network))


def test_in_shadow_it_is_only_recommended(onos, admin, network, two):
    onos.rest.call("POST", SETTINGS, {"mode": "shadow"})
    try:
        eventually(lambda: not metered(network))
        made = admin.send("POST", "reservations", {**WISH, "commit": True}).json["id"]
        eventually(lambda: is_reserved(admin, two))
        # Long enough for a meter to come, where one would.
        time.sleep(1)
        assert not metered(network) and {one["state"] for one in talking(admin).values()} == {"recommended"}
        assert admin.send("DELETE", f"reservations/{made}").status == 204
        eventually(lambda: grants(admin) == two)
    finally:
        onos.rest.call("POST", SETTINGS, {"mode": "enforce"})
    eventually(lambda: is_enforced(admin, network))
