"""Work that clients do not wait for (Prefer: respond-async), on a running ONOS."""

from __future__ import annotations

import time
import urllib.parse

import pytest

pytestmark = pytest.mark.e2e


def ended(client, begun):
    assert begun.status == 202, begun
    address = urllib.parse.urlsplit(begun.headers["Location"]).path
    assert address == f"/onos/paceline/v1/operations/{begun.json['id']}"
    until = time.monotonic() + 60
    while True:
        answer = client.get(f"operations/{begun.json['id']}")
        assert answer.status == 200, answer
        if answer.json["state"] != "running":
            return answer.json
        assert time.monotonic() < until, answer
        time.sleep(float(answer.headers["Retry-After"]) / 10)


def with_priority(client, priority):
    tree = client.get("intents").json
    for node in tree["intents"]:
        if node.get("class") == "voip" and "intent" not in node:
            node["priority"] = priority
    return tree


def test_a_what_if_is_begun_asked_for_and_kept_from_others(admin, user):
    tree = with_priority(admin, 5)
    begun = user("vera").send("POST", "whatif", tree, Prefer="respond-async", Idempotency_Key="async1")
    assert begun.headers["Preference-Applied"] == "respond-async"
    found = ended(user("vera"), begun)
    assert found["state"] == "done" and found["actor"] == "vera"
    assert found["result"] == admin.send("POST", "whatif", tree).json
    again = user("vera").send("POST", "whatif", tree, Prefer="respond-async", Idempotency_Key="async1")
    assert (again.status, again.text, again.headers["Location"]) == (202, begun.text, begun.headers["Location"])
    assert user("bodo").get(f"operations/{found['id']}").is_problem(404)
    assert admin.get(f"operations/{found['id']}").status == 200
    assert user("bodo").get("operations").json["operations"] == []


def test_a_draft_is_committed_beside_its_client_and_a_late_one_is_a_problem(admin, tidy):
    assert admin.send("PUT", "intents/voip", {"priority": 5}).status == 200
    for name in ("first", "second"):
        assert admin.send("PUT", f"policy/drafts/{name}", with_priority(admin, 6 if name == "first" else 7)).status == 200
    first = ended(admin, admin.send("POST", "policy/drafts/first/commit", {}, Prefer="respond-async", Change_Ticket="CHG7"))
    assert first["state"] == "done" and first["result"]["ticket"] == "CHG7"
    assert admin.get("policy").json["version"] == first["result"]["version"]
    second = ended(admin, admin.send("POST", "policy/drafts/second/commit", {}, Prefer="respond-async"))
    assert second["state"] == "failed" and second["problem"]["status"] == 409
    assert admin.send("DELETE", "policy/drafts/second").status == 204
