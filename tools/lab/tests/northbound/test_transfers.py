"""A real transfer that meets its deadline beside traffic that wants the whole link, as an agent paces and counts it; and those that cannot, or do not."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest
from receiver import eventually

pytestmark = pytest.mark.e2e

BACKUP, OTHER = "web-browsing", "file-download"
ENDS = {"from": "10.20.0.1", "to": "10.20.0.2"}
RULES = f"""\
unmatched: ignore
rules:
  - intent: {BACKUP}
    match: {{protocol: tcp, remotePort: 7400}}
  - intent: {OTHER}
    match: {{protocol: tcp, remotePort: 7401}}
"""
# Takes all, and says when each whole number of bytes that it is told was there.
SINK = """
import json, os, socket, sys, threading, time
def take(port, size):
    with socket.create_server(("", port)) as server:
        # In one piece, for another thread says so, too.
        os.write(1, b"listening\\n")
        while True:
            came, connection = 0, server.accept()[0]
            while data := connection.recv(1 << 16):
                came += len(data)
                if came >= size > came - len(data):
                    print(json.dumps({"port": port, "bytes": came, "at": time.time()}), flush=True)
threading.Thread(target=take, args=(7401, 1 << 60), daemon=True).start()
take(7400, int(sys.argv[1]))
"""
# Sends so many bytes and ends.
SOURCE = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as connection:
    left = int(sys.argv[3])
    while left:
        left -= connection.send(bytes(min(left, 1 << 16)))
    connection.shutdown(socket.SHUT_WR)
    connection.recv(1)
"""
# 6 Mbit/s with a tenth on top, of a link of 10 Mbit/s of which each of two would get about half.
SIZE, SECONDS = 16_000_000, 25


def seconds_from_now(seconds):
    return (datetime.now(UTC) + timedelta(seconds=seconds)).replace(microsecond=0)


def stamp(text):
    return datetime.fromisoformat(text).timestamp()


@pytest.fixture
def paced(network, admin):
    """Runs programs of both hosts, of which the first has an agent."""
    running = [network.agent("n1", RULES)]
    eventually(lambda: admin.get("state").json["agents"] == 1, 60)

    def run(host, script, *words):
        running.append(network.popen(sys.executable, "-c", script, *map(str, words), host=host, stdout=subprocess.PIPE, text=True))
        return running[-1]

    yield run
    for process in reversed(running):
        network.end(process)
    eventually(lambda: admin.get("state").json["agents"] == 0, 30)


@pytest.fixture
def tidied(admin):
    yield
    for one in admin.get("reservations").json["reservations"]:
        admin.send("DELETE", f"reservations/{one['id']}")


def reserved(admin, number):
    return admin.get(f"reservations/{number}").json


def test_a_transfer_meets_its_deadline_beside_others_though_it_began_late(network, admin, shell, paced, tidied):
    sink = paced("n2", SINK, SIZE)
    assert [sink.stdout.readline() for _ in range(2)] == ["listening\n"] * 2
    paced("n1", SOURCE, ENDS["to"], 7401, 1 << 40)
    deadline = seconds_from_now(SECONDS + 1)
    asked = {"intent": BACKUP, **ENDS, "bytes": SIZE, "deadline": deadline.isoformat(), "commit": True}
    made = admin.send("POST", "reservations", asked)
    assert made.status == 201, made
    number, first = made.json["id"], made.json["rateKbps"]
    assert (made.json["bytes"], made.json["sentBytes"], made.json["state"]) == (SIZE, 0, "active")
    time.sleep(4)
    paced("n1", SOURCE, ENDS["to"], 7400, SIZE)
    # What is due is computed again: it is more after nothing was sent for a while, and less as it comes to its end.
    eventually(lambda: reserved(admin, number)["rateKbps"] > 1.1 * first)
    eventually(lambda: 0 < reserved(admin, number)["sentBytes"] < SIZE)
    assert f"{SIZE / 1e6} MB" in shell("paceline:reservations")
    arrived = json.loads(sink.stdout.readline())
    eventually(lambda: reserved(admin, number)["state"] not in ("active", "committed"), SECONDS)
    ended = reserved(admin, number)
    assert (ended["state"], ended["sentBytes"]) == ("met", SIZE)
    assert arrived["bytes"] == SIZE and arrived["at"] <= deadline.timestamp()
    assert stamp(ended["endedAt"]) <= deadline.timestamp()
    # The others were never without anything, and have the link again.
    eventually(lambda: [one for one in admin.get("conversations?host=n1").json["conversations"] if one.get("measured", {}).get("rateKbps", 0) > 7000])
    assert f"{number}  met " in shell("paceline:reservations")
    calendar = admin.get("../restconf/data/paceline-reservations:reservations").json
    (seen,) = calendar["paceline-reservations:reservations"]["reservation"]
    assert (seen["outcome"], seen["bytes"], seen["sent-bytes"]) == ("met", str(SIZE), str(SIZE))
    eventually(lambda: admin.get("alarms").json["alarms"] == [], 15)


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
    (alarm,) = eventually(lambda: [one for one in admin.get("alarms").json["alarms"] if one.get("reservation") == number], 30)
    assert "500000 of 500000 bytes were left" in alarm["sentence"]
    assert reserved(admin, number)["state"] == "missed"
    assert "missed its deadline" in shell("paceline:alarms")
    plan = admin.get("../restconf/data/paceline-plan:plan").json["paceline-plan:plan"]
    assert [one["reservation"] for one in plan["reservation-alarm"]] == [number]
    assert admin.send("DELETE", f"reservations/{number}").status == 204
    eventually(lambda: admin.get("alarms").json["alarms"] == [])
