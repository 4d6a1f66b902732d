"""Transfers by bytes and deadline that cannot be met, or are not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from switches.steps import eventually

pytestmark = pytest.mark.e2e

OTHER = "file-download"
ENDS = {"from": "10.20.0.1", "to": "10.20.0.2"}


def seconds_from_now(seconds):
    return (datetime.now(UTC) + timedelta(seconds=seconds)).replace(microsecond=0)


def stamp(text):
    return datetime.fromisoformat(text).timestamp()


@pytest.fixture
def tidied(admin):
    yield
    for one in admin.get("reservations").json["reservations"]:
        admin.send("DELETE", f"reservations/{one['id']}")


def reserved(admin, number):
    return admin.get(f"reservations/{number}").json


def test_one_that_cannot_be_met_is_refused_with_the_earliest_deadline_that_can(network, admin, shell, tidied):
    start, soon = seconds_from_now(60), seconds_from_now(90)
    much = {"intent": OTHER, **ENDS, "bytes": 40_000_000, "start": start.isoformat(), "deadline": soon.isoformat()}
    refused = admin.send("POST", "reservations", much)
    assert refused.status == 409, refused
    earliest = refused.json["counterOffer"]["end"]
    assert f"The earliest deadline that can be met is ({earliest})." in str(refused.json)
    assert stamp(earliest) > soon.timestamp()
    before = datetime.fromtimestamp(stamp(earliest) - 2, UTC).isoformat()
    assert not admin.send("POST", "reservations/ask", {**much, "deadline": before}).json["admitted"]
    body = {"paceline-reservations:input": {"intent": OTHER, **ENDS, "bytes": "40000000", "start": start.isoformat(), "deadline": soon.isoformat()}}
    answer = admin.send("POST", "../restconf/operations/paceline-reservations:reserve", body, Content_Type="application/yang-data+json")
    assert answer.json["paceline-reservations:output"]["offered-deadline"] == earliest
    command = f"paceline:transfer --start {start.isoformat()} {OTHER} {ENDS['from']} {ENDS['to']} 40MB"
    assert f"deadline that can be met is ({earliest})" in shell(f"{command} {soon.isoformat()}")
    assert "Reserved as r" in shell(f"{command} {earliest}")
    (only,) = admin.get("reservations").json["reservations"]
    assert (only["bytes"], only["end"]) == (40_000_000, earliest)


def test_one_that_nobody_sends_is_missed_with_an_alarm_until_it_is_given_back(network, admin, shell, tidied):
    asked = {"intent": OTHER, **ENDS, "bytes": 500_000, "deadline": seconds_from_now(5).isoformat(), "commit": True}
    number = admin.send("POST", "reservations", asked).json["id"]
    (alarm,) = eventually(lambda: [one for one in admin.get("alarms").json["alarms"] if one.get("reservation") == number])
    assert "500000 of 500000 bytes were left" in alarm["sentence"]
    assert reserved(admin, number)["state"] == "missed"
    assert "missed its deadline" in shell("paceline:alarms")
    plan = admin.get("../restconf/data/paceline-plan:plan").json["paceline-plan:plan"]
    assert number in [one["reservation"] for one in plan["reservation-alarm"]]
    assert admin.send("DELETE", f"reservations/{number}").status == 204
    eventually(lambda: not [one for one in admin.get("alarms").json["alarms"] if one.get("reservation") == number])
