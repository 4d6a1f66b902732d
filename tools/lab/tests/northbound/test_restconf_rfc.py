"""What RFC 8040 wants of each resource, by plain HTTP requests to a running ONOS."""

from __future__ import annotations

import json
from datetime import timedelta
from email.utils import format_datetime, parsedate_to_datetime

import pytest

pytestmark = pytest.mark.e2e

ROOT = "../restconf"
TYPE = "application/yang-data+json"
INTENTS = "data/paceline-intents:intents"
STATE = "data/paceline-conversations:conversations"
CONFIRM = "operations/paceline-policy:confirm"
NODE = f"{INTENTS}/intent=rfc"
READ, CHANGE = "GET, HEAD, OPTIONS", "GET, HEAD, OPTIONS, POST, PUT, PATCH"


@pytest.fixture
def ask(admin):
    return lambda method, path="", body=None, **headers: admin.send(method, f"{ROOT}/{path}".rstrip("/"), body, **{"Content_Type": TYPE, **headers})


@pytest.fixture
def node(ask):
    """An intent of its own, taken away whatever is done to it."""
    ask("PUT", NODE, intent(priority=3))
    yield NODE
    ask("DELETE", NODE)


def intent(**members):
    return {"paceline-intents:intent": [{"path": "rfc", **members}]}


def error(answer):
    """Each refusal is an errors document (section 7.1)."""
    assert answer.type in (TYPE, "application/json"), answer
    (one,) = answer.json["ietf-restconf:errors"]["error"]
    assert one.get("error-path", "/").startswith("/")
    assert one["error-type"] in ("transport", "rpc", "protocol", "application") and one["error-message"]
    return answer.status, one["error-tag"]


def test_the_root_is_found_and_names_its_resources(admin, ask):
    meta = admin.send("GET", "/.well-known/host-meta", Accept="application/xrd+xml")
    assert (meta.status, meta.type) == (200, "application/xrd+xml") and 'rel="restconf" href="/onos/paceline/restconf"' in meta.text
    assert ask("GET").json == {"ietf-restconf:restconf": {"data": {}, "operations": {}, "yang-library-version": "2019-01-04"}}
    assert ask("GET", "yang-library-version").json == {"ietf-restconf:yang-library-version": "2019-01-04"}
    assert all(value == [None] for value in ask("GET", "operations").json["ietf-restconf:operations"].values())
    library = ask("GET", "data/ietf-yang-library:yang-library").json["ietf-yang-library:yang-library"]
    assert "paceline-intents" in json.dumps(library) and library["content-id"]
    state = ask("GET", "data/ietf-restconf-monitoring:restconf-state").json["ietf-restconf-monitoring:restconf-state"]
    named = {one.split("?")[0].rsplit(":capability:", 1)[1] for one in state["capabilities"]["capability"]}
    assert named == {"defaults:1.0", "depth:1.0", "fields:1.0", "replay:1.0", "with-defaults:1.0"}
    usual = admin.send("GET", "/restconf/data/paceline-policy:policy")
    assert usual.status == 200 and "paceline-policy:policy" in usual.json


@pytest.mark.parametrize(
    ("path", "allow"),
    [("", READ), ("data", CHANGE), (INTENTS, f"{CHANGE}, DELETE"), (STATE, READ), ("operations", READ), (CONFIRM, "POST, OPTIONS"),
     ("yang-library-version", READ), ("streams/changes", READ)],
)  # fmt: skip
def test_a_resource_says_its_methods_and_refuses_the_others(ask, path, allow):
    event = {"Accept": "text/event-stream"} if path.startswith("streams") else {}
    options = ask("OPTIONS", path, **event)
    assert (options.status, options.headers["Allow"]) == (204, allow)
    if path.startswith("data"):
        assert options.headers["Accept-Patch"] == (TYPE if "PATCH" in allow else None)
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        if method not in allow:
            refused = ask(method, path, {}, **event)
            assert error(refused) == (405, "operation-not-supported") and refused.headers["Allow"] == allow
    if "HEAD" in allow:
        head = ask("HEAD", path, **event)
        assert (head.status, head.text) == (200, "")


@pytest.mark.parametrize(
    ("accept", "status", "type_"),
    [(TYPE, 200, TYPE), ("Application/YANG-Data+JSON", 200, TYPE), ("application/yang-data+xml, */*;q=0.1", 200, TYPE),
     ("application/json", 200, "application/json"), ("application/yang-data+xml", 406, TYPE), ("text/html", 406, TYPE), (f"{TYPE};q=0", 406, TYPE)],
)  # fmt: skip
def test_an_answer_is_of_a_type_that_the_client_accepts(ask, accept, status, type_):
    for path in ("", INTENTS, STATE, "operations"):
        answer = ask("GET", path, Accept=accept)
        assert (answer.status, answer.type) == (status, type_), (path, answer)
        assert answer.headers["Cache-Control"] == "no-cache"
    assert status == 200 or error(answer)[1] == "invalid-value"


def test_a_body_is_of_a_type_that_is_served(ask, node):
    for type_ in ("application/yang-data+xml", "application/json", "application/yang-patch+json", "text/plain"):
        for method, path in (("PUT", node), ("PATCH", node), ("POST", INTENTS), ("POST", CONFIRM)):
            assert error(ask(method, path, intent(priority=9), Content_Type=type_))[0] == 415, (type_, method)
    assert error(ask("PATCH", node, b"<intent/>"))[1] == "malformed-message"
    assert ask("GET", node).json == intent(priority=3)
    assert ask("PATCH", node, intent(priority=4), Content_Type=f"{TYPE}; charset=utf-8").status == 204


def test_creation_replacement_and_merging_answer_as_they_must(ask, node):
    assert ask("DELETE", node).status == 204
    assert error(ask("DELETE", node)) == (404, "invalid-value")
    # PATCH makes nothing that is not there (section 4.6.1).
    assert error(ask("PATCH", node, intent(priority=4))) == (404, "invalid-value")
    assert ask("PUT", node, intent(priority=4), If_None_Match="*").status == 201
    assert error(ask("PUT", node, intent(priority=5), If_None_Match="*")) == (412, "operation-failed")
    assert ask("PUT", node, intent(**{"minimum-rate": "2.5"})).status == 204
    assert ask("GET", node).json == intent(**{"minimum-rate": "2.5"})
    assert ask("PATCH", node, intent(priority=6)).status == 204
    assert ask("GET", node).json == intent(**{"minimum-rate": "2.5"}, priority=6)
    assert error(ask("POST", INTENTS, intent())) == (409, "data-exists")
    # The keys of the path are those of the body (section 4.5).
    assert error(ask("PUT", node, {"paceline-intents:intent": [{"path": "other"}]})) == (400, "invalid-value")
    assert ask("DELETE", node).status == 204
    made = ask("POST", INTENTS, intent(priority=3))
    assert made.status == 201 and made.headers["Location"].endswith(f"/onos/paceline/restconf/{node}")
    for query in ("insert=first", "point=x", "depth=1"):
        assert error(ask("PUT", f"{node}?{query}", intent())) == (400, "invalid-value")
    assert error(ask("DELETE", INTENTS + "/intent")) == (400, "invalid-value")


def test_what_was_read_is_known_by_its_tag_and_its_time(ask, node):
    read = ask("GET", node)
    tag, time = read.headers["ETag"], read.headers["Last-Modified"]
    before = format_datetime(parsedate_to_datetime(time) - timedelta(seconds=1), usegmt=True)
    assert (ask("HEAD", node).headers["ETag"], ask("HEAD", "data").headers["Last-Modified"]) == (tag, time)
    for known in ({"If_None_Match": tag}, {"If_None_Match": f'"x", {tag}'}, {"If_Modified_Since": time}):
        again = ask("GET", node, **known)
        assert (again.status, again.text, again.headers["ETag"]) == (304, "", tag), known
    assert ask("GET", node, If_Modified_Since=before).status == 200
    # State is beside the configuration there, and is read anew.
    assert ask("GET", "data", If_None_Match=tag).status == 200
    for other in ({"If_Match": '"x"'}, {"If_Unmodified_Since": before}):
        for method, body in (("PUT", intent()), ("PATCH", intent()), ("DELETE", None)):
            assert error(ask(method, node, body, **other)) == (412, "operation-failed"), other
    assert ask("GET", node).json == intent(priority=3)
    changed = ask("PATCH", node, intent(priority=4), If_Match=tag, If_Unmodified_Since=before)
    assert changed.status == 204 and changed.headers["ETag"] != tag
    assert ask("GET", node).headers["ETag"] == changed.headers["ETag"]


def test_depth_fields_content_and_defaults_choose_what_is_read(ask, node):
    assert ask("GET", f"{INTENTS}?depth=1").json == {"paceline-intents:intents": {}}
    assert all(set(one) == {"path"} for one in ask("GET", f"{INTENTS}?depth=2").json["paceline-intents:intents"]["intent"])
    assert ask("GET", f"{node}?depth=1").json == intent()
    assert ask("GET", f"{INTENTS}?fields=intent(priority)&depth=3").json["paceline-intents:intents"]["intent"]
    assert ask("GET", f"{node}?fields=priority").json == intent(priority=3)
    assert ask("GET", f"{node}?content=nonconfig").status in (200, 404)
    assert set(ask("GET", "data?content=config&depth=2").json["ietf-restconf:data"]) == {"paceline-intents:intents"}
    assert "paceline-intents:intents" not in ask("GET", "data?content=nonconfig&depth=2").json["ietf-restconf:data"]
    for mode in ("report-all", "trim", "explicit", "report-all-tagged"):
        assert ask("GET", f"{node}?with-defaults={mode}").json["paceline-intents:intent"][0]["path"] == "rfc"
    for query in ("depth=0", "depth=x", "content=some", "with-defaults=none", "fields=(", "fields=nope", "deepth=1", "depth=1&depth=2"):
        assert error(ask("GET", f"{INTENTS}?{query}")) == (400, "invalid-value"), query
    assert error(ask("GET", "operations?deepth=1")) == (400, "invalid-value")


def test_a_number_in_quotation_marks_is_none_and_the_refusal_names_the_node_in_our_words(ask, node):
    refused = ask("PATCH", node, intent(priority="3"))
    (one,) = refused.json["ietf-restconf:errors"]["error"]
    assert error(refused) == (400, "invalid-value")
    assert one["error-path"] == "/paceline-intents:intents/intent[path='rfc']/priority"
    assert "whole number" in one["error-message"] and "without quotation marks" in one["error-message"]
    unknown = ask("PUT", node, intent(wait=1))
    assert error(unknown) == (400, "unknown-element") and "Maybe one of [path" in unknown.text
    assert ask("GET", node).json == intent(priority=3)


def test_what_is_not_there_or_not_understood_is_an_errors_document(admin, user, ask):
    for path in ("nothing", "data/paceline-intents:nothing", "data/nothing:intents", f"{INTENTS}/intent=none", "operations/paceline-policy:no", "streams/no"):
        accept = {"Accept": "text/event-stream"} if path.startswith("streams") else {}
        assert error(ask("GET" if "operations" not in path else "POST", path, **accept)) == (404, "invalid-value"), path
    assert error(ask("POST", "operations/paceline-policy:rollback", {"paceline-policy:input": {"to": "first"}})) == (400, "invalid-value")
    assert error(user("vera").send("DELETE", f"{ROOT}/{NODE}")) in ((404, "invalid-value"), (403, "access-denied"))
    assert error(user("vera").send("PUT", f"{ROOT}/{NODE}", intent(), Content_Type=TYPE)) == (403, "access-denied")
    stranger = user("nobody").send("GET", f"{ROOT}/data")
    assert error(stranger) == (401, "access-denied") and stranger.headers["WWW-Authenticate"].startswith("Basic")
