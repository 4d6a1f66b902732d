"""ONOS is killed while it carries out writes: afterwards each is wholly there or not at all. The last tests, for they leave an ONOS without its users."""

from __future__ import annotations

import http.client
import itertools
import os
import threading
import time
import urllib.error
from datetime import UTC, datetime, timedelta

import pytest
from receiver import eventually

pytestmark = pytest.mark.e2e
KILLS = int(os.environ.get("PACELINE_KILLS", "1"))
SETTINGS = "/v1/configuration/org.paceline.onos.PacelineComponent"
RESERVED = "../restconf/data/paceline-reservations:reservations"
CHANGED = ("voip", "video-streaming")
SHOWN = ("intent", "from", "to", "rateKbps", "start", "end", "state")


class Writer(threading.Thread):
    """Writes again and again, each time with a key of its own, until nobody answers."""

    def __init__(self, admin, run):
        super().__init__()
        self.admin = admin
        self.requests = self.all(run)
        self.unanswered = None
        self.answered = []

    def all(self, run):
        """Method, path and body of each request; told what was answered to the last one."""
        raise NotImplementedError

    def run(self):
        answer = None
        for number in itertools.count():
            request = self.requests.send(answer)
            key = f"{type(self).__name__}-{id(self)}-{number}"
            try:
                answer = self.admin.send(*request, Idempotency_Key=key)
            except (OSError, http.client.HTTPException, urllib.error.URLError):
                self.unanswered = (*request, key)
                return
            self.answered.append((request, answer))

    def again(self):
        *request, key = self.unanswered
        return self.admin.send(*request, Idempotency_Key=key)


class Policies(Writer):
    """Each changes two nodes of the tree at once."""

    def all(self, run):
        tree = self.admin.get("intents").json
        now = next(one.get("priority", 0) for one in tree["intents"] if is_changed(one))
        for number in itertools.count(now):
            yield "PUT", "intents", with_priority(tree, 1 + number % 9)


class Drafts(Writer):
    def all(self, run):
        tree = self.admin.get("intents").json
        for number in itertools.count():
            yield "PUT", "policy/drafts/killed", with_priority(tree, 1 + number % 9)


class Reservations(Writer):
    """Each of a rate of its own; every second one is given back."""

    def all(self, run):
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        for number in itertools.count():
            wish = {"intent": "voip", "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": round(1 + run + number / 1000, 3)}
            made = yield "POST", "reservations", {**wish, "start": tomorrow, "durationSeconds": 60, "commit": True}
            assert made.status == 201, made
            if number % 2:
                yield "DELETE", f"reservations/{made.json['id']}", None


def with_priority(tree, priority):
    return {**tree, "intents": [{**one, "priority": priority} if is_changed(one) else one for one in tree["intents"]]}


def is_changed(node):
    return node.get("class") in CHANGED and "intent" not in node


def priorities(tree):
    return {node["priority"] for node in tree["intents"] if is_changed(node)}


def shown(reservation):
    return tuple(reservation[name] for name in SHOWN)


def read(admin, path):
    answer = admin.get(path)
    assert answer.status == 200, (path, answer)
    return answer.json if answer.type.endswith("json") else answer.text


def read_all(admin):
    """All that can be read is read without error."""
    for path in ("state", "conversations", "plan", "policy/file", "reservations/calendar", "operations", "webhooks", RESERVED):
        read(admin, path)
    for change in read(admin, "changes?limit=20")["changes"]:
        read(admin, f"changes/{change['number']}")
    for draft in read(admin, "policy/drafts")["drafts"]:
        read(admin, f"policy/drafts/{draft['name']}/difference")


def check_policy(admin, writer, before):
    done = len(writer.answered)
    in_force, tree = read(admin, "policy"), read(admin, "intents")
    assert in_force["version"] in (before + done, before + done + 1)
    sent = writer.unanswered if in_force["version"] > before + done else writer.answered[-1][0]
    assert priorities(tree) == priorities(sent[2])
    assert read(admin, f"policy/versions/{in_force['version']}")["intents"] == tree
    assert [one["version"] for one in read(admin, "policy/versions?limit=20")["versions"]] == list(
        range(in_force["version"], max(0, in_force["version"] - 20), -1)
    )
    assert writer.again().status == 200
    assert read(admin, "policy")["version"] == before + done + 1
    assert priorities(read(admin, "intents")) == priorities(writer.unanswered[2])


def check_draft(admin, writer):
    kept = [writer.unanswered, *(request for request, _ in writer.answered[-1:])]
    assert priorities(read(admin, "policy/drafts/killed")["intents"]) in [priorities(one[2]) for one in kept]


def check_reservations(admin, writer):
    promised = {}
    for (method, path, _), answer in writer.answered:
        if method == "POST":
            promised[answer.json["id"]] = shown(answer.json)
        else:
            assert answer.status == 204, answer
            del promised[path.split("/")[1]]
    method, path, body, _ = writer.unanswered
    found = {one["id"]: shown(one) for one in read(admin, "reservations")["reservations"]}
    if method == "DELETE":
        given = path.split("/")[1]
        assert found in (promised, {name: one for name, one in promised.items() if name != given})
        assert writer.again().status in (204, 404)
        del promised[given]
    else:
        more = [one for name, one in found.items() if name not in promised]
        assert {**found, **promised} == found and [(one[3], one[6]) for one in more] in ([], [(body["rateKbps"], "committed")])
        made = writer.again()
        assert made.status == 201, made
        promised[made.json["id"]] = shown(made.json)
        assert len({one[3] for one in promised.values()}) == len(promised)
    assert {one["id"]: shown(one) for one in read(admin, "reservations")["reservations"]} == promised
    for name in promised:
        assert admin.send("DELETE", f"reservations/{name}").status == 204


@pytest.mark.parametrize("run", range(KILLS))
def test_a_write_in_whose_middle_the_controller_is_killed_is_whole_or_absent(onos, admin, network, capsys, run):
    onos.rest.call("POST", SETTINGS, {"requestsPerSecond": "10000"})
    before = read(admin, "policy")["version"]
    writers = [kind(admin, run) for kind in (Policies, Drafts, Reservations)]
    policies, drafts, reservations = writers
    for one in writers:
        one.start()
    eventually(lambda: all(len(one.answered) > 2 for one in writers))
    time.sleep(0.237 * (run + 1) % 1)
    onos.kill()
    for one in writers:
        one.join()
    onos.up("--resume")
    network.wait_until_seen(onos.rest, 90)
    with capsys.disabled():
        print("\nanswered before the kill:", [len(one.answered) for one in writers], "not:", [one.unanswered[:2] for one in writers], end="")
    read_all(admin)
    check_policy(admin, policies, before)
    check_draft(admin, drafts)
    check_reservations(admin, reservations)
    assert "cannot be read" not in onos.log() and "stays unread" not in onos.log()
