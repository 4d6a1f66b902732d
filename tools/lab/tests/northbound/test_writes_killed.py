"""ONOS is killed while it carries out writes: afterwards each is wholly there or not at all."""

from __future__ import annotations

import base64
import http.client
import itertools
import json
import os
import re
import secrets
import threading
import time
import urllib.error
from datetime import UTC, datetime, timedelta

import pytest
from paceline_lab.networks.emulated_network import running_network
from paceline_lab.networks.space import running_onos
from paceline_lab.networks.topology import Host, Link, Topology

from northbound.receiver import Receiver
from switches.steps import eventually

pytestmark = pytest.mark.e2e
KILLS = int(os.environ.get("PACELINE_KILLS", "1"))
SETTINGS = "/v1/configuration/org.paceline.onos.PacelineComponent"
RESERVED = "../restconf/data/paceline-reservations:reservations"
CHANGED = ("voip", "video-streaming")
SECRETS: list[str] = []
TWO_SWITCHES = Topology(2, (Link(1, 2, 2, 10),), (Host("n1", 1, 1), Host("n2", 2, 2)))
SHOWN = ("intent", "from", "to", "rateKbps", "start", "end", "state")


@pytest.fixture(scope="module")
def onos(tmp_path_factory):
    """One of its own: what the log of its stores holds is this test's, and no other test has an ONOS that was killed."""
    with running_onos("plk", tmp_path_factory.mktemp("killed") / "home") as runs:
        yield runs


@pytest.fixture(scope="module")
def network(onos):
    with running_network(onos, TWO_SWITCHES) as built:
        yield built


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
    """Each changes two nodes of the tree at once; every third goes back to the version before."""

    def all(self, run):
        tree = self.admin.get("intents").json
        now = next(one.get("priority", 0) for one in tree["intents"] if is_changed(one))
        self.wanted = [now]
        for number in itertools.count(now):
            if number % 3 == 0 and len(self.wanted) > 1:
                self.wanted.append(self.wanted[-2])
                yield "POST", "policy/rollback", {}
            else:
                self.wanted.append(1 + number % 9)
                yield "PUT", "intents", with_priority(tree, self.wanted[-1])


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
            wish = {"intent": "voip", "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": round(1 + run + number / 1000, 3), "conversations": 100_000}
            made = yield "POST", "reservations", {**wish, "start": tomorrow, "durationSeconds": 60, "commit": True}
            assert made.status == 201, made
            if number % 2:
                yield "DELETE", f"reservations/{made.json['id']}", None


class Webhooks(Writer):
    """One is registered and removed, and another, and so on."""

    def all(self, run):
        for number in itertools.count():
            hook = {"url": f"http://127.0.0.1:9/{run}/{number}", "events": ["alarm"], "secret": secret()}
            made = yield "POST", "webhooks", hook
            assert made.status == 201, made
            gone = yield "DELETE", f"webhooks/{made.json['id']}", None
            assert gone.status == 204, gone


def secret():
    SECRETS.append(base64.b64encode(secrets.token_bytes(32)).decode())
    return "whsec_" + SECRETS[-1]


def check_no_secret(onos, admin, log, writers):
    """Nothing by which somebody else could sign or log in is in a log, and no key by which a client knows its own request."""
    known = [*SECRETS, admin.authorization.split()[1], *(f"{type(one).__name__}-{id(one)}-" for one in writers)]
    logs = {file.name: file.read_text(errors="replace") for file in onos.run_directory.rglob("*.log*") if file.is_file()}
    assert "karaf.log" in logs
    logs |= {f"change {one['number']}": admin.get(f"changes/{one['number']}").text for one in log if "webhook" in one["operation"]}
    assert [(name, word) for name, text in logs.items() for word in known if word in text] == []


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


def entries(admin, above):
    """Those of the log with a greater number that no other takes back, oldest first."""
    found, before = [], 10**9
    while before > above + 1 and (page := read(admin, f"changes?limit=100&before={before}")["changes"]):
        found += [one for one in page if one["number"] > above]
        before = page[-1]["number"]
    refuted = {int(one["operation"].split()[1]) for one in found if is_refutation(one)}
    return [one for one in reversed(found) if one["number"] not in refuted and not is_refutation(one)]


def is_refutation(change):
    return bool(re.match(r"Change \d+ was not made: ", change["operation"]))


def check_policy(admin, writer, before, log):
    done = len(writer.answered)
    in_force, tree = read(admin, "policy"), read(admin, "intents")
    assert in_force["version"] in (before + done, before + done + 1)
    assert priorities(tree) == {writer.wanted[in_force["version"] - before]}
    assert read(admin, f"policy/versions/{in_force['version']}")["intents"] == tree
    assert [one["version"] for one in read(admin, "policy/versions?limit=20")["versions"]] == list(
        range(in_force["version"], max(0, in_force["version"] - 20), -1)
    )
    logged = [one for one in log if re.match(r"The intents are replaced|Back to version", one["operation"])]
    assert len(logged) == in_force["version"] - before
    again = writer.again()
    assert again.status == 200, again
    assert read(admin, "policy")["version"] == before + done + 1
    assert priorities(read(admin, "intents")) == {writer.wanted[done + 1]}
    assert writer.again().text == again.text


def check_draft(admin, writer, log):
    kept = [writer.unanswered, *(request for request, _ in writer.answered[-1:])]
    found = priorities(read(admin, "policy/drafts/killed")["intents"])
    assert found in [priorities(one[2]) for one in kept]
    *_, last = (one for one in log if one["operation"] == "Draft killed is kept.")
    assert priorities(json.loads(read(admin, f"changes/{last['number']}")["after"])) == found


def check_webhooks(admin, writer, log):
    method, path, body, _ = writer.unanswered
    mine = lambda: [one["url"] for one in read(admin, "webhooks")["webhooks"] if one["url"].startswith("http://127.0.0.1:9/")]  # noqa: E731
    found = mine()
    steps = [one["operation"] for one in log if one["operation"].startswith("A webhook is re")]
    assert steps.count("A webhook is registered.") - steps.count("A webhook is removed.") == len(found)
    again = writer.again()
    if method == "POST":
        assert found in ([], [body["url"]])
        assert again.status == 201 and mine() == [body["url"]]
        assert admin.send("DELETE", f"webhooks/{again.json['id']}").status == 204
    else:
        assert len(found) < 2 and again.status == 204
    assert mine() == []


def check_told(receiver, policies, reservations, before):
    """What was answered was told, each under one id."""
    ids = lambda kind, name: {(one.said["data"][name], one.id) for one in receiver.of(kind)}  # noqa: E731
    versions = set(range(before + 1, before + len(policies.answered) + 2))
    eventually(lambda: {version for version, _ in ids("policy.changed", "version")} >= versions)
    assert len({version for version, _ in ids("policy.changed", "version")}) == len(ids("policy.changed", "version"))
    made = {answer.json["id"] for (method, *_), answer in reservations.answered if method == "POST"}
    gone = {path.split("/")[1] for (method, path, _), _ in reservations.answered if method == "DELETE"}
    for kind, names in (("held", made), ("committed", made), ("cancelled", gone)):
        eventually(lambda kind=kind, names=names: {name for name, _ in ids(f"reservation.{kind}", "id")} >= names)
        assert len({name for name, _ in ids(f"reservation.{kind}", "id")}) == len(ids(f"reservation.{kind}", "id"))


def check_reservations(admin, writer, log):
    promised = {}
    for (method, path, _), answer in writer.answered:
        if method == "POST":
            promised[answer.json["id"]] = shown(answer.json)
        else:
            assert answer.status == 204, answer
            del promised[path.split("/")[1]]
    method, path, body, _ = writer.unanswered
    steps = [one["operation"] for one in log]
    found = {one["id"]: shown(one) for one in read(admin, "reservations")["reservations"]}
    assert steps.count("A reservation is asked for.") - sum(one.endswith("is given back.") for one in steps) == len(found)
    if method == "DELETE":
        given = path.split("/")[1]
        assert found in (promised, {name: one for name, one in promised.items() if name != given})
        assert writer.again().status == 204
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


@pytest.mark.lasts(60)
@pytest.mark.parametrize("run", range(KILLS))
def test_a_write_in_whose_middle_the_controller_is_killed_is_whole_or_absent(onos, admin, network, capsys, run):
    onos.rest.call("POST", SETTINGS, {"requestsPerSecond": "10000"})
    with Receiver.inside(onos.space.namespace) as receiver:
        receiver.willing = True
        hook = admin.send("POST", "webhooks", {"url": receiver.url, "events": ["policy", "reservation"], "secret": secret()})
        assert hook.status == 201, hook
        before = read(admin, "policy")["version"]
        last = read(admin, "changes?limit=1")["changes"][0]["number"]
        writers = [kind(admin, run) for kind in (Policies, Drafts, Reservations, Webhooks)]
        policies, drafts, reservations, webhooks = writers
        for one in writers:
            one.start()
        eventually(lambda: all(len(one.answered) > 2 for one in writers))
        time.sleep(0.237 * (run + 1) % 1)
        onos.kill()
        for one in writers:
            one.join()
        onos.up()
        network.wait_until_seen(onos.rest)
        with capsys.disabled():
            print("\nanswered before the kill:", [len(one.answered) for one in writers], "not:", [one.unanswered[:2] for one in writers], end="")
        read_all(admin)
        log = entries(admin, last)
        check_policy(admin, policies, before, log)
        check_draft(admin, drafts, log)
        check_webhooks(admin, webhooks, log)
        check_told(receiver, policies, reservations, before)
        check_reservations(admin, reservations, log)
        check_no_secret(onos, admin, log, writers)
        assert admin.send("DELETE", f"webhooks/{hook.json['id']}").status == 204
    assert "cannot be read" not in onos.log() and "stays unread" not in onos.log()
