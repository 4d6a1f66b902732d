"""Every operation of the served OpenAPI document as a command of the shell, by every kind of user who can log in there, on a branch of the tree that is theirs and on another."""

from __future__ import annotations

import re

import pytest
from paceline_lab.networks.shell import login, say

from northbound.matrix import MINE, OTHER, Office, documented, filled
from northbound.shell_client import Terminal

pytestmark = pytest.mark.e2e

EVERYBODY = ("sam", "nils", "clara", "vito", "bert", "olga", "adam")
# On a branch that is not theirs only for these there is a difference; the last one may, and ends what was prepared.
ON_ANOTHER = ("clara", "bert", "olga")
VIEWERS, OPERATORS, ADMINS = {"vito", "bert", "olga", "adam"}, {"olga", "adam"}, {"adam"}
# bert, where the branch is his.
BRANCH = "branch"
DENIED = re.compile(r"lacks the role|may not change|may change nothing")
FAILED = re.compile(r"Error|There is no|Command not found")
PAIR = "{branch} 10.20.0.1 10.20.0.2"

# For each operation, who may and the command; what it says where there is nothing to be done for those who may.
COMMANDS = {
    "GET state": (VIEWERS, "state"),
    "GET conversations": (VIEWERS, "conversations"),
    "GET conversations/{host}/{id}": (VIEWERS, "proof announced/{conversation}"),
    "GET explain/{host}/{id}": (VIEWERS, "explain announced/{conversation}"),
    "GET alarms": (VIEWERS, "alarms"),
    "GET classes": (VIEWERS, "classes"),
    "GET ledger": (VIEWERS, "ledger"),
    "GET plan": (VIEWERS, "plan"),
    "GET links": (VIEWERS, "links"),
    "GET switches": (VIEWERS, "switches"),
    "GET elephants": (VIEWERS, "elephants"),
    "GET agents": (VIEWERS, "agents"),
    "GET intents": (VIEWERS, "intents"),
    "GET policy": (VIEWERS, "policy"),
    "GET policy/versions": (VIEWERS, "policy"),
    "GET policy/versions/{number}": (VIEWERS, "policy-export 1"),
    "GET policy/file": (VIEWERS, "policy-export"),
    "GET policy/drafts": (VIEWERS, "drafts"),
    "GET policy/drafts/{name}": (VIEWERS, "policy-export --draft {branch}"),
    "GET policy/drafts/{name}/difference": (VIEWERS, "whatif --draft {branch}"),
    "GET operations": (VIEWERS, "operations"),
    "GET operations/{operation}": (VIEWERS, "operations none", r"There is no operation \(none\)"),
    "GET changes": (VIEWERS, "history"),
    "GET changes/{number}": (VIEWERS, "history 1"),
    "GET reservations": (VIEWERS, "reservations"),
    "GET reservations/calendar": (VIEWERS, "reservations --calendar"),
    "GET reservations/{reservation}": (VIEWERS, "reservations", "{reservation}"),
    "POST whatif": (VIEWERS, "whatif --priority 7 {branch}"),
    "POST solve": (VIEWERS, "solve auto --sent < tree", r"needs the member"),
    "POST solve/present": (VIEWERS, "solve"),
    "POST reservations/ask": (VIEWERS, f"reserve --dry-run --conversations 100 {PAIR} 100kbit 60"),
    "POST conversations": (BRANCH, f"conversation-announce {{new}} {PAIR}"),
    "DELETE conversations/{host}/{id}": (BRANCH, "conversation-end announced/{conversation}"),
    "PUT intents": (BRANCH, "policy-import < tree"),
    "GET intents/{path}": (VIEWERS, "intents"),
    "PATCH intents/{path}": (BRANCH, "intent-set {branch} --priority 7"),
    "PUT intents/{path}": (BRANCH, "intent-set --priority 7 {branch}"),
    "DELETE intents/{path}": (BRANCH, "intent-remove {branch}/for-a-test"),
    "PUT policy/file": (BRANCH, "policy-import --confirm-within 0 < tree"),
    "PUT policy/drafts/{name}": (BRANCH, "intent-set --draft {branch} --priority 9 {branch}"),
    "DELETE policy/drafts/{name}": (BRANCH, "draft-remove {branch}"),
    "POST policy/drafts/{name}/commit": (BRANCH, "draft-commit {branch}"),
    "POST reservations": (BRANCH, f"reserve --hold --conversations 100 {PAIR} 100kbit 60"),
    "POST reservations/boost": (BRANCH, "boost announced/{conversation} 100kbit 1"),
    "POST reservations/{reservation}/commit": (BRANCH, "reservation-commit {reservation}"),
    "DELETE reservations/{reservation}": (BRANCH, "reservation-cancel {reservation}"),
    "POST policy/confirm": (BRANCH, "policy-confirm"),
    "POST policy/rollback": (BRANCH, "policy-rollback"),
    "GET settings": (VIEWERS, "settings"),
    "GET settings/{setting}": (VIEWERS, "settings"),
    "PUT settings/{setting}": (ADMINS, "setting-set lendThousandths 7"),
    "DELETE settings/{setting}": (ADMINS, "setting-reset lendThousandths"),
    "GET ceilings": (VIEWERS, "ceilings"),
    "GET learned-tables": (VIEWERS, "learned"),
    "PUT learned-tables/{function}/drafts/{name}": (
        OPERATORS | {"bert"}, "learned --draft {branch} none", r"Nothing was reported of the utility function \(none\)"),
    "GET ceilings/{branch}": (VIEWERS, "ceilings", "{branch}"),
    "PUT ceilings/{branch}": (ADMINS, "ceiling-set --priority 9 {branch}"),
    "DELETE ceilings/{branch}": (ADMINS, "ceiling-remove {branch}"),
    "GET naming-rules": (VIEWERS, "naming-rules"),
    "GET naming-rules/file": (VIEWERS, "naming-rules-export"),
    "PUT naming-rules": (OPERATORS, "naming-rules-import < tree", r"There is no member \(intents\)"),
    "PUT naming-rules/macs/{list}": (OPERATORS, "macs-import phones < tree", r"has no MAC address"),
    "GET webhooks": (ADMINS, "webhooks"),
    "GET webhooks/{webhook}": (ADMINS, "webhooks"),
    "POST webhooks": (ADMINS, "webhook-add --event nothing http://127.0.0.1:9/", r"There are no events \(nothing\)"),
    "DELETE webhooks/{webhook}": (ADMINS, "webhook-remove none", r"There is no webhook \(none\)"),
    "GET agent-certificates": (ADMINS, "agent-certificates"),
    "DELETE agent-certificates/{host}": (ADMINS, "agent-certificate-revoke none", r"The host \(none\) has no certificate"),
    "GET enrolment-tokens": (ADMINS, "enrolment-tokens"),
    "POST enrolment-tokens": (ADMINS, "enrolment-token-make _", r"The host \(_\) is no hostId"),
    "DELETE enrolment-tokens/{token}": (ADMINS, "enrolment-token-withdraw none", r"There is no token \(none\)"),
}  # fmt: skip
# What the shell has instead of these is --help, and a table each for those who read metrics themselves.
DOCUMENTS = {"GET openapi.json", "GET reference", "GET metrics"}
RPCS = {
    "paceline-explain:explain": "explain",
    "paceline-policy:compute": "whatif",
    "paceline-policy:commit": "draft-commit",
    "paceline-policy:confirm": "policy-confirm",
    "paceline-policy:rollback": "policy-rollback",
    "paceline-settings:change-settings": "setting-set",
    "paceline-settings:reset-settings": "setting-reset",
    "paceline-ceilings:set-ceiling": "ceiling-set",
    "paceline-ceilings:remove-ceiling": "ceiling-remove",
    "paceline-enrolment:make-token": "enrolment-token-make",
    "paceline-enrolment:withdraw-token": "enrolment-token-withdraw",
    "paceline-enrolment:revoke-certificates": "agent-certificate-revoke",
    "paceline-reservations:reserve": "reserve",
    "paceline-reservations:commit-reservation": "reservation-commit",
    "paceline-reservations:cancel-reservation": "reservation-cancel",
}


@pytest.fixture
def shells(onos, tmp_path):
    """Everybody at their terminal; what is sent to a command goes by a login of its own."""
    opened = {}

    def run(name, command, sent):
        if sent:
            return say(onos.space.namespace, login(tmp_path, "secret"), command, sent, name)
        if name not in opened:
            opened[name] = Terminal(onos.space.namespace, tmp_path, name, "secret")
        return opened[name].run(command)

    yield run
    for terminal in opened.values():
        terminal.close()


def allowed(who, branch):
    if who == BRANCH:
        return OPERATORS | {"bert"} if branch == MINE else OPERATORS
    return who


def run(shells, name, line, office):
    command, _, sent = filled(line, office).partition(" < ")
    # What is JSON is YAML, too.
    return shells(name, f"paceline:{command}", sent and office.text())


def test_every_operation_and_rpc_has_a_command(admin):
    assert set(documented(admin)) == set(COMMANDS) | DOCUMENTS, "each operation of the document needs a command here"
    assert set(admin.get("../restconf/operations").json["ietf-restconf:operations"]) == set(RPCS), "each RPC needs a command here"
    assert set(RPCS.values()) <= {line.split()[0] for _, line, *_ in COMMANDS.values()}


def test_in_the_shell_everyone_may_do_what_their_role_says(admin, shells, network, tidy):
    for operation, (who, line, *said) in COMMANDS.items():
        for branch in (MINE, OTHER):
            office = Office(admin, branch)
            office.prepare(operation)
            before = office.newest_change()
            may = allowed(who, branch)
            trying = EVERYBODY if branch == MINE else ON_ANOTHER
            for name in [one for one in trying if one not in may]:
                answer = run(shells, name, line, office)
                assert DENIED.search(answer), (operation, name, branch, answer)
            assert office.newest_change() == before, operation
            for name in [one for one in trying if one in may]:
                office.prepare(operation)
                answer = run(shells, name, line, office)
                assert not DENIED.search(answer), (operation, name, branch, answer)
                if said:
                    assert re.search(filled(said[0], office), answer), (operation, name, branch, answer)
                else:
                    assert answer.strip() and not FAILED.search(answer), (operation, name, branch, answer)
