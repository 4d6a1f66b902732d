"""RESTCONF on the running ONOS: with a client from the package index, with yanglint as the judge of what is sent, and with bodies that are wrong."""

from __future__ import annotations

import json
import random
import subprocess
from urllib.parse import quote

import pytest
import requests
from cisco_nso_restconf.client import NSORestconfClient
from onos_driver import REST_PORT, ROOM, eventually, inside

pytestmark = pytest.mark.e2e

ROOT = ROOM.parents[1]
MODULES = ROOT / "yang/src/main/resources/yang"
INTENTS = "paceline-intents:intents"
CONVERSATIONS = "paceline-conversations:conversations"
APP = "org.paceline.app"


class Client(NSORestconfClient):
    """The package's client, in the network namespace that ONOS is in. It knows no PUT and PATCH: its session does."""

    def ask(self, method, resource, content=None, **headers):
        with inside():
            return self.session.request(method, f"{self.base_url}/data/{resource}", data=content and json.dumps(content), headers=headers, timeout=30)


@pytest.fixture(scope="module")
def client(onosctl, rest):
    archives = sorted((ROOT / "app/onos/target").glob("*.oar"))
    assert archives, "The application is not built. Maybe: tools/paceline setup"
    up = onosctl("up", f"--app={archives[0]}")
    assert up.returncode == 0, up.stderr
    made = Client(port=REST_PORT, username="onos", password="rocks", timeout=60)
    made.session.trust_env = False
    eventually(lambda: made.ask("GET", INTENTS).status_code == 200)
    yield made
    made.close()
    # Later tests have the switches for themselves.
    rest.call("DELETE", f"/applications/{APP}")


def yanglint(tmp_path, kind, content):
    data = tmp_path / "data.json"
    data.write_text(json.dumps(content))
    modules = sorted(MODULES.glob("paceline-*.yang"))
    done = subprocess.run(["yanglint", "-p", MODULES, "-t", kind, *modules, data], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_the_roots_are_where_the_rfc_has_them(client):
    with inside():
        meta = client.session.get(f"http://127.0.0.1:{REST_PORT}/.well-known/host-meta", timeout=30)
        api = client.session.get(client.base_url, timeout=30)
    assert "rel=\"restconf\" href=\"/onos/paceline/restconf\"" in meta.text
    assert api.json()["ietf-restconf:restconf"]["yang-library-version"] == "2019-01-04"


def test_a_client_from_the_index_reads_and_creates_and_deletes(client, tmp_path):
    with inside():
        tree = client.get(INTENTS).json()
        # Below one that is there: missing ancestors come into being, and stay.
        above = max(intent["path"] for intent in tree[INTENTS]["intent"])
        path = f"{above}/restconf"
        entry = f"{INTENTS}/intent={quote(path, safe='')}"
        created = client.post(INTENTS, {"paceline-intents:intent": [{"path": path, "minimum-rate": "2.5"}]})
        read = client.get(entry).json()
        with pytest.raises(requests.HTTPError) as again:
            client.post(INTENTS, {"paceline-intents:intent": [{"path": path}]})
        gone = client.delete(entry)
    assert yanglint(tmp_path, "config", tree) == (0, "")
    assert created.status_code == 201
    assert created.headers["Location"].endswith(f"/data/{entry}")
    assert read == {"paceline-intents:intent": [{"path": path, "minimum-rate": "2.5"}]}
    assert again.value.response.status_code == 409
    assert again.value.response.json()["ietf-restconf:errors"]["error"][0]["error-tag"] == "data-exists"
    assert gone.status_code == 204
    assert client.ask("GET", INTENTS).json() == tree


def test_put_and_patch_and_preconditions(client):
    target = f"{INTENTS}/intent=restconf"
    assert client.ask("PUT", target, {"paceline-intents:intent": [{"path": "restconf"}]}).status_code == 201
    tag = client.ask("GET", target).headers["ETag"]
    patch = {"paceline-intents:intent": [{"path": "restconf", "priority": 7}]}
    assert client.ask("PATCH", target, patch, **{"If-Match": tag}).status_code == 204
    assert client.ask("PATCH", target, patch, **{"If-Match": tag}).status_code == 412
    assert client.ask("GET", target).json()["paceline-intents:intent"] == [{"path": "restconf", "priority": 7}]
    assert client.ask("DELETE", target).status_code == 204
    assert client.ask("DELETE", target).status_code == 404


def test_whoever_has_no_password_sees_and_changes_nothing(client):
    with inside():
        for method in ("GET", "PUT", "PATCH", "POST", "DELETE"):
            asked = requests.request(method, f"{client.base_url}/data/{INTENTS}", auth=("onos", "wrong"), timeout=30)
            assert asked.status_code == 401, method


def test_a_conversation_is_state_that_yanglint_accepts(client, tmp_path):
    announced = {"id": "restconf", "intent": "", "localAddress": "10.9.0.1", "remoteAddress": "10.9.0.2"}
    with inside():
        base = f"http://127.0.0.1:{REST_PORT}/onos/paceline/v1/conversations"
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        assert client.session.post(base, json=announced, headers=headers, timeout=30).status_code == 201
    entry = f"{CONVERSATIONS}/conversation=announced,restconf"
    eventually(lambda: client.ask("GET", f"{entry}/state").json() == {"paceline-conversations:state": "unserved"})
    state = client.ask("GET", CONVERSATIONS).json()
    assert yanglint(tmp_path, "data", {**client.ask("GET", INTENTS).json(), **state}) == (0, "")
    assert client.ask("DELETE", entry).status_code == 405
    with inside():
        # The session names RESTCONF's Content-Type, though there is no body.
        named = {"Accept": "application/json"}
        assert client.session.delete(f"{base}/announced/restconf", headers=named, timeout=30).status_code == 204


def test_all_state_together_is_what_yanglint_accepts(client, tmp_path):
    data = client.ask("GET", "").json()["ietf-restconf:data"]
    assert {INTENTS, CONVERSATIONS, "paceline-plan:plan", "paceline-policy:policy", "paceline-reservations:reservations", "ietf-network-state:networks"} <= set(data)
    assert yanglint(tmp_path, "data", {name: held for name, held in data.items() if not name.startswith(("ietf-yang-library", "ietf-restconf"))}) == (0, "")


def test_operations_answer_or_say_why_not(client):
    def call(name, content):
        with inside():
            return client.session.post(f"{client.base_url}/operations/{name}", data=json.dumps({f"{name.split(':')[0]}:input": content}), timeout=30)

    wish = {"from": "10.9.0.1", "to": "10.9.0.2", "rate": "1000", "duration": 60}
    refused = call("paceline-reservations:reserve", wish)
    assert refused.status_code == 200
    assert "10.9.0.1) is not known" in refused.json()["paceline-reservations:output"]["refusal"]
    useless = call("paceline-reservations:reserve", {**wish, "intent": "voip/g729.1"}).json()["paceline-reservations:output"]
    assert "(voip/g729.1) can use 500 kbit/s at most each" in useless["refusal"]
    both = call("paceline-reservations:reserve", {**wish, "intent": "voip/g729.1", "conversations": 2}).json()["paceline-reservations:output"]
    assert "10.9.0.1) is not known" in both["refusal"]
    assert call("paceline-reservations:reserve", {**wish, "rate": "-1"}).status_code == 400
    assert call("paceline-reservations:commit-reservation", {"id": "r9"}).status_code == 404
    assert call("paceline-explain:explain", {"host": "h1", "id": "nobody"}).status_code == 404


def test_a_draft_is_computed_committed_confirmed_and_rolled_back(client):
    def call(name, **content):
        with inside():
            url = f"{client.base_url}/operations/paceline-policy:{name}"
            answer = client.session.post(url, data=json.dumps({"paceline-policy:input": content}), timeout=30)
        return answer.status_code, answer.json().get("paceline-policy:output")

    with inside():
        rest = f"http://127.0.0.1:{REST_PORT}/onos/paceline/v1"
        tree = client.session.get(f"{rest}/intents", headers={"Accept": "application/json"}, timeout=30).json()
        tree["intents"][-1]["priority"] = 1 + tree["intents"][-1].get("priority", 0)
        kept = client.session.put(f"{rest}/policy/drafts/yang", json=tree, headers={"Content-Type": "application/json", "Accept": "*/*"}, timeout=30)
        assert kept.status_code == 200, kept.text
    before = client.ask("GET", INTENTS).json()
    state = client.ask("GET", "paceline-policy:policy").json()["paceline-policy:policy"]
    assert [draft["name"] for draft in state["draft"]] == ["yang"]
    status, output = call("compute", draft="yang")
    assert (status, output["losers"], len(output["node"])) == (200, 0, 1)
    assert "still-named" not in output
    assert client.ask("GET", INTENTS).json() == before
    status, output = call("commit", draft="yang", **{"confirm-within": 600})
    assert status == 200 and "confirm-until" in output
    assert client.ask("GET", INTENTS).json() != before
    # It outlives a trial that nobody confirms, and goes with the word that keeps it.
    assert call("commit", draft="yang")[0] == 409
    status, output = call("confirm")
    assert status == 200 and "confirm-until" not in output
    assert call("commit", draft="yang")[0] == 404
    assert call("confirm")[0] == 409
    status, output = call("rollback")
    assert (status, output["reason"], len(output["node"])) == (200, f"Back to version {state['version']}.", 1)
    assert call("rollback", to=state["version"])[0] == 409
    assert client.ask("GET", INTENTS).json() == before
    assert call("rollback", to="999999")[0] == 409


def test_who_names_what_a_draft_takes_away_is_computed(client):
    rest = f"http://127.0.0.1:{REST_PORT}/onos/paceline/v1"
    named = {
        "id": "named", "intent": "voip/named", "localAddress": "10.9.0.1", "remoteAddress": "10.9.0.2",
        "protocol": "udp", "localPort": 6000, "remotePort": 6000,
    }  # fmt: skip
    with inside():
        without = client.session.get(f"{rest}/intents", headers={"Accept": "application/json"}, timeout=30).json()
        json_body = {"headers": {"Content-Type": "application/json", "Accept": "*/*"}, "timeout": 30}
        for method, path, body in (("PUT", "intents/voip/named", {}), ("POST", "conversations", named), ("PUT", "policy/drafts/without", without)):
            answer = client.session.request(method, f"{rest}/{path}", json=body, **json_body)
            assert answer.status_code in (200, 201), answer.text
        url = f"{client.base_url}/operations/paceline-policy:compute"
        output = client.session.post(url, data=json.dumps({"paceline-policy:input": {"draft": "without"}}), timeout=30).json()["paceline-policy:output"]
        assert output["still-named"] == [{"intent": "voip/named", "served-as": "voip", "conversations": 1}]
        for path in ("conversations/announced/named", "policy/drafts/without", "intents/voip/named"):
            answer = client.session.delete(f"{rest}/{path}", timeout=30)
            assert answer.status_code in (200, 204), answer.text


def test_a_thousand_bad_bodies_change_nothing(client):
    before = client.ask("GET", INTENTS).content
    chance = random.Random(8040)
    good = {"paceline-intents:intent": [{"path": "bad", "minimum-rate": "10.0", "maximum-rate": "20.0", "priority": 3}]}
    text = json.dumps(good)
    leaves = ("minimum-rate", "maximum-rate", "priority")
    wrong = ("many", "-1.0", "1e400", None, {}, [], [1], "0.0000000000001", True, "9" * 400, "\u0000")
    statuses = set()
    for _ in range(1000):
        kind = chance.randrange(3)
        if kind == 0:
            body = text[: chance.randrange(len(text))]
        elif kind == 1:
            entry = {**good["paceline-intents:intent"][0], chance.choice(leaves): chance.choice(wrong)}
            body = json.dumps({"paceline-intents:intent": [entry]})
        else:
            place = chance.randrange(len(text))
            body = text[:place] + chance.choice('{}[]",:\\') + text[place:] + chance.choice("}]x")
        with inside():
            answer = client.session.put(f"{client.base_url}/data/{INTENTS}/intent=bad", data=body, timeout=30)
        assert 400 <= answer.status_code < 500, body
        assert answer.json()["ietf-restconf:errors"]["error"][0]["error-message"], body
        statuses.add(answer.status_code)
    assert statuses == {400}
    assert client.ask("GET", INTENTS).content == before
