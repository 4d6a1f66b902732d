"""Every operation of the served OpenAPI document, and all that RESTCONF serves, by every kind of user, on a branch of the tree that is theirs and on another."""

from __future__ import annotations

from itertools import count

import pytest

from northbound.http_client import Client
from northbound.matrix import CALL, MINE, OTHER, TREE, WISH, Office, documented, filled

pytestmark = pytest.mark.e2e

# In the order of what they may do; whose login ONOS does not know comes first. The roles are in conftest.py.
STRANGERS = ("nobody", "forged", "wrong")
EVERYBODY = (*STRANGERS, "nemo", "cleo", "vera", "bodo", "ola", "ada")
# On a branch that is not theirs only for these there is a difference; the last one may, and ends what was prepared.
ON_ANOTHER = ("cleo", "bodo", "ola")
VIEWERS, OPERATORS, ADMINS = {"vera", "bodo", "ola", "ada"}, {"ola", "ada"}, {"ada"}
# bodo, where the branch is his.
BRANCH = "branch"

# For each operation, who may and what they send; {branch} is the branch, TREE the tree with a change there, {new} a new name. A status stands
# where there is nothing to be done for those who may, or where there are two that are right.
PROBLEM = {
    "nodes": ["a", "b"], "links": [{"from": "a", "to": "b", "capacityKbps": 2100, "usageKbps": [0, 2100], "delayMs": [2, 2]}],
    "utilityFunctions": {"web": {"throughputKbps": [50, 1000], "delayMs": [10], "utility": [[2], [5]]}},
    "applications": [{"id": "w", "from": "a", "to": "b", "utilityFunction": "web"}],
}  # fmt: skip
REQUESTS = {
    **{f"GET {path}": (VIEWERS, path) for path in (
        "state", "conversations", "intents", "policy", "policy/versions", "policy/file", "policy/drafts", "changes", "plan", "links",
        "agents", "switches", "elephants", "alarms", "reservations", "reservations/calendar", "settings", "operations", "openapi.json", "reference", "metrics", "classes", "ledger")},
    "GET conversations/{host}/{id}": (VIEWERS, "conversations/announced/{conversation}"),
    "GET explain/{host}/{id}": (VIEWERS, "explain/announced/{conversation}"),
    "GET policy/versions/{number}": (VIEWERS, "policy/versions/1"),
    "GET policy/drafts/{name}": (VIEWERS, "policy/drafts/{branch}"),
    "GET policy/drafts/{name}/difference": (VIEWERS, "policy/drafts/{branch}/difference"),
    "GET operations/{operation}": (VIEWERS, "operations/none", None, 404),
    "GET changes/{number}": (VIEWERS, "changes/1"),
    "GET reservations/{reservation}": (VIEWERS, "reservations/{reservation}"),
    "POST whatif": (VIEWERS, "whatif", TREE),
    "POST solve": (VIEWERS, "solve", PROBLEM),
    "POST solve/present": (VIEWERS, "solve/present", {}),
    "POST reservations/ask": (VIEWERS, "reservations/ask", WISH),
    "POST conversations": (BRANCH, "conversations", {"id": "{new}", **CALL}),
    "DELETE conversations/{host}/{id}": (BRANCH, "conversations/announced/{conversation}"),
    "PUT intents": (BRANCH, "intents", TREE),
    "GET intents/{path}": (VIEWERS, "intents/{branch}"),
    "PATCH intents/{path}": (BRANCH, "intents/{branch}", {"priority": 7}),
    "PUT intents/{path}": (BRANCH, "intents/{branch}", {"priority": 7}),
    "DELETE intents/{path}": (BRANCH, "intents/{branch}/for-a-test", None, 204),
    "PUT policy/file": (BRANCH, "policy/file", TREE),
    "PUT policy/drafts/{name}": (BRANCH, "policy/drafts/{branch}", TREE),
    "DELETE policy/drafts/{name}": (BRANCH, "policy/drafts/{branch}"),
    "POST policy/drafts/{name}/commit": (BRANCH, "policy/drafts/{branch}/commit", {}),
    "POST reservations": (BRANCH, "reservations", WISH),
    "POST reservations/boost": (
        BRANCH, "reservations/boost", {"conversation": "announced/{conversation}", "rateKbps": 100, "durationSeconds": 60}),
    "POST reservations/{reservation}/commit": (BRANCH, "reservations/{reservation}/commit", {}),
    "DELETE reservations/{reservation}": (BRANCH, "reservations/{reservation}"),
    "POST policy/confirm": (BRANCH, "policy/confirm", {}),
    "POST policy/rollback": (BRANCH, "policy/rollback", {}),
    "GET settings/{setting}": (VIEWERS, "settings/lendThousandths"),
    "PUT settings/{setting}": (ADMINS, "settings/lendThousandths", {"value": 7}),
    "DELETE settings/{setting}": (ADMINS, "settings/lendThousandths"),
    "GET ceilings": (VIEWERS, "ceilings"),
    "GET learned-tables": (VIEWERS, "learned-tables"),
    "PUT learned-tables/{function}/drafts/{name}": (OPERATORS | {"bodo"}, "learned-tables/none/drafts/{branch}", {}, 404),
    "GET ceilings/{branch}": (VIEWERS, "ceilings/{branch}"),
    "PUT ceilings/{branch}": (ADMINS, "ceilings/{branch}", {"priority": 9}),
    "DELETE ceilings/{branch}": (ADMINS, "ceilings/{branch}"),
    "GET naming-rules": (VIEWERS, "naming-rules"),
    "GET naming-rules/file": (VIEWERS, "naming-rules/file"),
    "PUT naming-rules": (OPERATORS, "naming-rules", {"rules": []}),
    "PUT naming-rules/macs/{list}": (OPERATORS, "naming-rules/macs/phones", b"00:1b:54,makers"),
    "GET webhooks": (ADMINS, "webhooks"),
    "GET webhooks/{webhook}": (ADMINS, "webhooks/none", None, 404),
    "POST webhooks": (ADMINS, "webhooks", {}, 400),
    "DELETE webhooks/{webhook}": (ADMINS, "webhooks/none", None, 404),
    "GET agent-certificates": (ADMINS, "agent-certificates"),
    "DELETE agent-certificates/{host}": (ADMINS, "agent-certificates/none", None, 404),
    "GET enrolment-tokens": (ADMINS, "enrolment-tokens"),
    "POST enrolment-tokens": (ADMINS, "enrolment-tokens", {}, 400),
    "DELETE enrolment-tokens/{token}": (ADMINS, "enrolment-tokens/none", None, 404),
}  # fmt: skip
VERBS = ("GET", "POST", "PUT", "DELETE", "PATCH")

RESTCONF = "../restconf"
YANG = "application/yang-data+json"
INTENTS = "data/paceline-intents:intents"
STATE = [f"data/{name}" for name in (
    "paceline-conversations:conversations", "paceline-plan:plan", "paceline-policy:policy", "paceline-reservations:reservations", "paceline-settings:settings", "paceline-ceilings:ceilings", "paceline-classes:classes", "paceline-ledger:ledger", "paceline-elephants:elephants", "ietf-network-state:networks")]  # fmt: skip
FOR_ADMINS = [f"data/paceline-enrolment:{name}" for name in ("enrolment-tokens", "agent-certificates")]
NODE = f"{INTENTS}/intent={{branch}}%2Ffor-a-test"
# Streams that have ended when they begin.
OF_OLD = "streams/changes?start-time=2020-01-01T00:00:00Z&stop-time=2020-01-02T00:00:00Z"
MINE_TO_CHANGE = {"id": "{reservation}"}
# As above, each with its success.
OVER_RESTCONF = {
    **{f"GET {path}": (VIEWERS, None, 200) for path in ("", "data", INTENTS, *STATE, "operations", "yang-library-version", NODE, OF_OLD)},
    **{f"GET {path}": (ADMINS, None, 200) for path in FOR_ADMINS},
    f"POST {INTENTS}": (BRANCH, {"paceline-intents:intent": [{"path": "{branch}/{new}", "priority": 7}]}, 201),
    **{f"{verb} {NODE}": (BRANCH, {"paceline-intents:intent": [{"path": "{branch}/for-a-test", "priority": 7}]}, 204) for verb in ("PUT", "PATCH")},
    f"DELETE {NODE}": (BRANCH, None, 204),
    "POST operations/paceline-explain:explain": (VIEWERS, {"host": "announced", "id": "{conversation}"}, 200),
    "POST operations/paceline-policy:compute": (VIEWERS, {"draft": "{branch}"}, 200),
    "POST operations/paceline-policy:commit": (BRANCH, {"draft": "{branch}"}, 200),
    "POST operations/paceline-policy:confirm": (BRANCH, {}, 200),
    "POST operations/paceline-policy:rollback": (BRANCH, {}, 200),
    "POST operations/paceline-reservations:reserve": (
        BRANCH, {"intent": "{branch}", "from": "10.20.0.1", "to": "10.20.0.2", "rate": "100", "duration": 3600, "conversations": 100}, 200),
    "POST operations/paceline-settings:change-settings": (ADMINS, {"lend-thousandths": 7}, 204),
    "POST operations/paceline-settings:reset-settings": (ADMINS, {"name": "lend-thousandths"}, 204),
    "POST operations/paceline-ceilings:set-ceiling": (ADMINS, {"branch": "{branch}", "priority": 9}, 204),
    "POST operations/paceline-ceilings:remove-ceiling": (ADMINS, {"branch": "{branch}"}, 204),
    "POST operations/paceline-enrolment:make-token": (ADMINS, {"host": "_"}, 400),
    "POST operations/paceline-enrolment:withdraw-token": (ADMINS, {"id": "none"}, 404),
    "POST operations/paceline-enrolment:revoke-certificates": (ADMINS, {"host": "none"}, 404),
    "POST operations/paceline-reservations:commit-reservation": (BRANCH, MINE_TO_CHANGE, 204),
    "POST operations/paceline-reservations:cancel-reservation": (BRANCH, MINE_TO_CHANGE, 204),
}  # fmt: skip


@pytest.fixture
def people(onos, user):
    space = onos.space.namespace
    # Whoever guesses from one address is slowed down (test_failed_logins.py), and these do nothing else.
    elsewhere = (f"127.1.{n // 250}.{n % 250 + 1}" for n in count())
    strangers = {
        "nobody": Client(space, None),
        "forged": Client(space, "mallory", "secret", sources=elsewhere),
        "wrong": Client(space, "ada", "wrong", sources=elsewhere),
    }
    return {name: strangers[name] if name in strangers else user(name) for name in EVERYBODY}


def allowed(who, branch):
    if who == BRANCH:
        return OPERATORS | {"bodo"} if branch == MINE else OPERATORS
    return who


def not_allowed(who, branch):
    return [name for name in trying(branch) if name not in allowed(who, branch)]


def trying(branch):
    return EVERYBODY if branch == MINE else ON_ANOTHER


def is_refused(answer, name):
    return answer.is_problem(401 if name in STRANGERS else 403)


def is_denied(answer, name):
    """As RESTCONF has it."""
    return answer.status == (401 if name in STRANGERS else 403) and answer.json["ietf-restconf:errors"]["error"][0]["error-tag"] == "access-denied"


def test_everyone_may_do_what_their_role_says_and_nothing_else(admin, people, network, tidy):
    operations = documented(admin)
    assert set(operations) == set(REQUESTS), "each operation of the document needs a request here"
    tried = 0
    for operation, (who, path, body, status) in {
        name: (*request, *(None,) * (4 - len(request))) for name, request in REQUESTS.items()
    }.items():
        success, media = operations[operation]
        expected = status or success
        for branch in (MINE, OTHER):
            office = Office(admin, branch)
            office.prepare(operation)
            before = office.newest_change()
            for name in not_allowed(who, branch):
                answer = send(people[name], operation, path, body, media, office)
                assert is_refused(answer, name), (operation, name, branch, answer)
            assert office.newest_change() == before, operation
            for name in allowed(who, branch) & set(trying(branch)):
                office.prepare(operation)
                answer = send(people[name], operation, path, body, media, office)
                assert answer.status == expected, (operation, name, branch, answer)
            tried += len(trying(branch))
    assert tried == len(operations) * (len(EVERYBODY) + len(ON_ANOTHER))


def send(client, operation, path, body, media, office):
    # What is JSON is YAML, too.
    headers = {"Content_Type": media} if media else {}
    return client.send(operation.split()[0], filled(path, office), filled(body, office), **headers)


def test_over_restconf_everyone_may_do_the_same(admin, people, network, tidy):
    served = [f"data/{name}" for name in ask(admin, "GET data").json["ietf-restconf:data"] if name.startswith(("paceline-", "ietf-network-state"))]
    assert set(served) <= {INTENTS, *STATE, *FOR_ADMINS}, "all data needs a request here"
    for name in VIEWERS - ADMINS:
        whole = ask(people[name], "GET data").json["ietf-restconf:data"]
        assert {f"data/{one}" for one in whole}.isdisjoint(FOR_ADMINS), name
    rpcs = ask(admin, "GET operations").json["ietf-restconf:operations"]
    assert {f"POST operations/{name}" for name in rpcs} == {name for name in OVER_RESTCONF if name.startswith("POST operations/")}
    for request, (who, body, success) in OVER_RESTCONF.items():
        for branch in (MINE, OTHER):
            office = Office(admin, branch)
            office.prepare(request)
            before = office.newest_change()
            for name in not_allowed(who, branch):
                answer = ask(people[name], request, body, office)
                assert is_denied(answer, name), (request, name, branch, answer)
            assert office.newest_change() == before, request
            for name in allowed(who, branch) & set(trying(branch)):
                office.prepare(request)
                answer = ask(people[name], request, body, office)
                assert answer.status == success, (request, name, branch, answer)
                assert "refusal" not in answer.text
    for path in (*STATE, *FOR_ADMINS):
        for verb in VERBS[1:]:
            assert ask(people["ada"], f"{verb} {path}", {}).status == 405, (verb, path)


def ask(client, request, body=None, office=None):
    verb, path = request.split(" ")
    if "operations/" in path:
        body = {f"{path.split('/')[1].split(':')[0]}:input": body}
    if office:
        path, body = filled(path, office), filled(body, office)
    return client.send(verb, f"{RESTCONF}/{path}", body, Content_Type=YANG)


def test_what_is_in_no_document_nobody_may(admin, people):
    operations = documented(admin)
    for path in {name.split()[1] for name in operations}:
        for verb in VERBS:
            if f"{verb} {path}" not in operations:
                answer = people["ada"].send(verb, path.replace("{", "").replace("}", ""), {})
                assert 400 <= answer.status < 500, (verb, path, answer)


# What a browser says of where a request comes from: of a page of another origin, and of what is nobody's or our own.
STRANGE = (
    {"Origin": "http://evil.example"},
    {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
    {"Origin": "http://127.0.0.1:8182"},
    {"Origin": "http://127.0.0.1:8181", "Sec_Fetch_Site": "cross-site"},
    {"Origin": "null"},
)
OWN = ({"Origin": "http://127.0.0.1:8181", "Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "none"}, {})


def test_from_another_origin_nobody_changes_anything_and_everybody_reads(admin, people, network, tidy):
    operations = documented(admin)
    before = Office(admin, MINE).newest_change()
    for operation, (_, path, *_rest) in REQUESTS.items():
        verb, media = operation.split()[0], operations[operation][1]
        for name in EVERYBODY:
            for strange in STRANGE:
                headers = {"Content_Type": media} if media else {}
                if verb == "GET":
                    continue
                answer = people[name].send(verb, plain(path), {} if media else None, **headers, **strange)
                assert answer.is_problem(403), (operation, name, strange, answer)
    for request in OVER_RESTCONF:
        verb, path = request.split(" ")
        for name in ("nobody", "vera", "ada"):
            for strange in STRANGE:
                if verb != "GET":
                    answer = people[name].send(verb, f"{RESTCONF}/{plain(path)}", {}, Content_Type=YANG, **strange)
                    assert answer.status == 403 and answer.json["ietf-restconf:errors"]["error"][0]["error-tag"] == "access-denied", (request, answer)
    assert Office(admin, MINE).newest_change() == before
    for path in ("intents", f"{RESTCONF}/{INTENTS}"):
        for sent in (*STRANGE, *OWN):
            answer = people["vera"].send("GET", path, **sent)
            assert answer.status == 200, (path, sent)
            assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


def test_bodiless_posts_are_obeyed_from_our_own_origin_only(admin, network, tidy):
    for path in ("policy/rollback", f"{RESTCONF}/operations/paceline-policy:rollback"):
        for strange in STRANGE:
            assert admin.send("POST", path, **strange).status == 403, (path, strange)
        for own in OWN:
            Office(admin, MINE).prepare("rollback")
            assert admin.send("POST", path, **own).status == 200, (path, own)


def plain(path):
    return path.replace("{", "").replace("}", "")
