"""What ITSM tools do with a running ONOS: reserve ahead, hear of it by webhook, send too much, lose the line in the middle of a request."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import socket
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.networks.space import entered, inside

from northbound.http_client import Client
from switches.steps import eventually

pytestmark = pytest.mark.e2e

EXAMPLES = ROOT / "tools/examples"
SETTINGS = "/v1/configuration/org.paceline.onos.PacelineComponent"
RESERVED = "../restconf/data/paceline-reservations:reservations"
WISH = {"intent": "file-download", "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": 5000, "durationSeconds": 3600}


def over_restconf(admin):
    answer = admin.get(RESERVED)
    assert answer.status == 200, answer
    return [one["id"] for one in answer.json["paceline-reservations:reservations"].get("reservation", [])]


def test_a_reservation_made_over_rest_is_seen_over_restconf_until_it_is_given_back(admin, network):
    assert admin.send("POST", "reservations/ask", WISH).json == {"admitted": True}
    assert over_restconf(admin) == []
    made = admin.send("POST", "reservations", {**WISH, "commit": True}, Change_Ticket="CHG0030003")
    assert made.status == 201, made
    assert over_restconf(admin) == [made.json["id"]]
    refused = admin.send("POST", "reservations", {**WISH, "deadline": "2099-01-01T00:00:00Z"})
    assert refused.is_problem(409)
    # Ten years ahead at most.
    assert "counterOffer" not in refused.json
    two_days = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    refused = admin.send("POST", "reservations", {**WISH, "deadline": two_days})
    assert refused.json["counterOffer"]["start"] == made.json["end"], refused
    gone = admin.send("DELETE", f"reservations/{made.json['id']}", Content_Type="application/x-anything")
    assert gone.status == 204, gone
    assert over_restconf(admin) == []
    assert [one["operation"] for one in admin.get("changes?ticket=CHG0030003").json["changes"]] == [
        f"The reservation ({made.json['id']}) is committed.", "A reservation is asked for.",
    ]  # fmt: skip


def test_a_boost_ends_by_itself(admin, network):
    made = admin.send("POST", "reservations", {**WISH, "durationSeconds": 3, "commit": True})
    assert made.status == 201, made
    eventually(lambda: admin.get(f"reservations/{made.json['id']}").status == 404)
    assert over_restconf(admin) == []


def test_the_example_of_a_reservation_ticket_runs_as_it_is_written(onos, admin, network):
    first = admin.send("POST", "reservations", {**WISH, "commit": True}).json
    two_days = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    done = subprocess.run(
        inside(onos.space.namespace, sys.executable, str(EXAMPLES / "reservation_ticket.py"), "--ticket=CHG0030004",
               "--intent=file-download", "--from=10.20.0.1", "--to=10.20.0.2", "--kbps=5000", "--minutes=30",
               f"--deadline={two_days}", "--listen=127.0.0.1", "--give-back"),
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"from {first['end']}" in done.stdout
    assert re.search(r'comment .*"reservation.committed: r', done.stdout), done.stdout
    assert re.search(r'comment .*"reservation.cancelled: r', done.stdout), done.stdout
    assert done.stdout.splitlines()[-1].endswith("is given back.")
    assert not [one for one in admin.get("webhooks").json["webhooks"] if "127.0.0.1" in one["url"]]
    assert len(admin.get("changes?ticket=CHG0030004").json["changes"]) == 5
    assert "whsec_" not in onos.log()
    assert "whsec_" not in "".join(admin.get(f"changes/{one['number']}").text for one in admin.get("changes").json["changes"])
    assert admin.send("DELETE", f"reservations/{first['id']}").status == 204


def test_who_sends_too_much_is_told_when_to_come_again(onos, admin):
    hasty = Client(onos.space.namespace, "vera", "secret", patient=False)

    def refusals(path):
        with ThreadPoolExecutor(20) as clients:
            return [one for one in clients.map(hasty.get, [path] * 60) if one.status == 429]

    onos.rest.call("POST", SETTINGS, {"requestsPerSecond": "1"})
    try:
        refused = eventually(lambda: refusals("state"))
        assert all(one.is_problem(429) and int(one.headers["Retry-After"]) > 0 for one in refused)
        assert refusals(RESERVED)
        assert admin.get("state").status == 200
    finally:
        onos.rest.call("POST", SETTINGS, {"requestsPerSecond": "100"})
    assert eventually(lambda: hasty.get("state").status == 200)


def test_a_post_that_is_cut_in_the_middle_is_whole_or_absent(onos, admin):
    def head(key, length):
        login = base64.b64encode(b"onos:rocks").decode()
        return (
            f"POST /onos/paceline/v1/conversations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic {login}\r\n"
            f"Content-Type: application/json\r\nIdempotency-Key: {key}\r\nContent-Length: {length}\r\n\r\n"
        ).encode()

    for number in range(21):
        name = f"cut{number}"
        call = {"id": name, "intent": "voip", "localAddress": "10.0.0.1", "remoteAddress": "10.0.0.2"}
        body = json.dumps(call).encode()
        sent = len(body) * number // 20
        with entered(onos.space.namespace), contextlib.closing(socket.create_connection(("127.0.0.1", 8181))) as line:
            line.sendall(head(name, len(body)) + body[:sent])
            if number % 2:  # Cut by a reset, else by an end.
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # Sent again with the same key: there is one, however far the first came.
        again = admin.send("POST", "conversations", call, Idempotency_Key=name)
        assert again.status == 201, again
        made = [one["operation"] for one in admin.get("changes?limit=100").json["changes"] if name + " " in one["operation"]]
        assert made == [f"Conversation announced/{name} is announced."]
        assert sent == len(body) or "Idempotency-Replayed" not in again.headers
        assert admin.get(f"conversations/announced/{name}").status == 200
        assert admin.send("DELETE", f"conversations/announced/{name}").status == 204
