"""What clients meet at the REST of a running ONOS: logins, refusals, repetitions, versions."""

from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.networks.space import inside

from northbound.http_client import Client

pytestmark = pytest.mark.e2e

EXAMPLES = ROOT / "tools/examples"
CALL = {"id": "call", "intent": "voip", "localAddress": "10.0.0.1", "remoteAddress": "10.0.0.2"}
BAD = [b"{", b"[]", b"7", b'{"x":1}', b'{"intents":7}', b'{"intents":[{"priority":"high"}]}', b"\xff\xfe", b"[" * 5000]


def test_who_does_not_log_in_or_may_not_gets_a_problem_document(onos, user):
    stranger = Client(onos.space.namespace, None)
    wrong = Client(onos.space.namespace, "onos", "wrong")
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        for client in (stranger, wrong):
            answer = client.send(method, "state")
            assert answer.is_problem(401), method
            assert answer.headers["WWW-Authenticate"].lower().startswith("basic ")
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert user("nemo").send(method, "state").is_problem(403), method
    assert user("vera").get("state").status == 200
    page = user("vera").get("reference")
    assert "script-src 'sha256-" in page.headers["Content-Security-Policy"] and "<script>" in page.text
    assert user("vera").send("PUT", "intents/voip", {"priority": 1}).is_problem(403)


def test_an_operator_of_a_branch_changes_it_and_no_other(user, admin):
    assert user("bodo").send("PUT", "intents/web-browsing", {"priority": 4}).status == 200
    assert user("bodo").send("PUT", "intents/voip", {"priority": 4}).is_problem(403)
    assert user("ola").send("PUT", "intents/voip", {"priority": 4}).status == 200
    assert [one["actor"] for one in admin.get("changes?limit=2").json["changes"]] == ["ola", "bodo"]


def test_a_setting_out_of_its_range_is_refused_by_each_interface_and_stays(admin, shell):
    before = admin.get("settings/lendThousandths").json
    over_rest = admin.send("PUT", "settings/lendThousandths", {"value": 201})
    asked = {"paceline-settings:input": {"lend-thousandths": 201}}
    over_restconf = admin.send("POST", "../restconf/operations/paceline-settings:change-settings", asked, Content_Type="application/yang-data+json")
    in_the_shell = shell("paceline:setting-set lendThousandths 201")
    assert over_rest.is_problem(400), over_rest
    assert over_restconf.status == 400 and "ietf-restconf:errors" in over_restconf.json, over_restconf
    assert "from 1 to 200" in " ".join(in_the_shell.split()), in_the_shell
    assert admin.get("settings/lendThousandths").json == before


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "nothing", 404), ("PATCH", "intents", 405), ("DELETE", "state", 405), ("GET", "conversations?limit=x", 400)],
)
def test_what_the_framework_refuses_is_a_problem_document(admin, method, path, status):
    assert admin.send(method, path).is_problem(status)


def test_no_method_gets_a_server_error(admin):
    for path in ("state", "intents", "policy/file", "conversations/announced/nobody", "nothing", "../restconf/data"):
        for method in ("TRACE", "OPTIONS", "HEAD", "PATCH", "LINK"):
            assert admin.send(method, path).status < 500, (method, path)


def test_a_body_of_another_type_is_refused(admin):
    assert admin.send("PUT", "intents", b"x", Content_Type="text/plain").is_problem(415)


def test_the_document_and_its_page_are_served(admin):
    assert admin.get("openapi.json").json["openapi"].startswith("3.1")
    page = admin.get("reference")
    assert page.type == "text/html" and "src=" not in page.text and "href=" not in page.text


def test_a_hundred_at_once_with_one_key_make_one_object(admin):
    before = len(admin.get("changes?limit=10000").json["changes"])
    with ThreadPoolExecutor(100) as clients:
        answers = list(
            clients.map(lambda _: admin.send("POST", "conversations", CALL, Idempotency_Key="k1"), range(100))
        )
    assert {(one.status, one.text) for one in answers} == {(201, answers[0].text)}
    assert len(admin.get("changes?limit=10000").json["changes"]) == before + 1
    assert admin.send("POST", "conversations", {**CALL, "id": "b"}, Idempotency_Key="k1").is_problem(422)
    assert admin.send("DELETE", "conversations/announced/call").status == 204


def test_bad_bodies_leave_state_byte_for_byte_unchanged(admin):
    paths = ("intents", "policy", "policy/versions", "policy/drafts", "changes?limit=10000", "conversations")
    admin.send("PUT", "intents/voip", {"priority": 6})
    before = [admin.get(path).text for path in paths]
    pick = random.Random(1)
    for number in range(200):
        method, path = pick.choice([
            ("PUT", "intents"), ("PUT", "intents/voip"), ("PUT", "policy/drafts/x"),
            ("POST", "conversations"), ("POST", "policy/rollback"), ("POST", "whatif"),
        ])  # fmt: skip
        answer = admin.send(method, path, pick.choice(BAD), Idempotency_Key=f"bad{number}")
        assert answer.is_problem(400), (method, path, answer)
    assert [admin.get(path).text for path in paths] == before


def test_the_example_of_a_change_ticket_runs_as_it_is_written(onos, admin):
    before = admin.get("intents").text
    done = subprocess.run(
        inside(onos.space.namespace, sys.executable, str(EXAMPLES / "change_ticket.py"), "--ticket=CHG0030001",
               "--intent=voip", "--least-kbps=80"),
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is confirmed" in done.stdout.splitlines()[-1]
    assert admin.get("intents").text != before
    changes = admin.get("changes?ticket=CHG0030001").json["changes"]
    assert len(changes) == 3
    assert admin.send("POST", "policy/rollback", {}).status == 200
