"""The log of changes and the versions of the policy do not grow for ever: the oldest are in files before they are gone."""

from __future__ import annotations

import json
import stat

import pytest

from controller.office import ask
from switches.steps import eventually

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"
CHANGES, VERSIONS = "changes", "policy/versions"
BLOCK = 100
KEPT = 10


@pytest.fixture
def retained(onos):
    """An intent that nobody names, and the usual settings again afterwards."""
    path = f"{V1}/intents/retained"
    assert ask(onos, "PUT", path, {"priority": 1})[0] == 201
    yield path
    for name in ("changesKept", "versionsKept"):
        assert ask(onos, "DELETE", f"{V1}/settings/{name}")[0] == 204
    assert ask(onos, "DELETE", path)[0] == 204


def numbers(onos, what, limit=10_000):
    """The newest first."""
    name, number = ("changes", "number") if what == CHANGES else ("versions", "version")
    return [one[number] for one in ask(onos, "GET", f"{V1}/{what}?limit={limit}")[1][name]]


def gone(answer):
    return answer[1] if answer[0] == 404 else None


def test_the_oldest_changes_and_versions_are_in_files_before_they_are_gone(onos, retained):
    first = {what: numbers(onos, what)[-1] for what in (CHANGES, VERSIONS)}
    assert [number % BLOCK for number in first.values()] == [1, 1]
    priority = 1
    # Each makes a change and a version.
    while any(numbers(onos, what, 1)[0] < first[what] + BLOCK + KEPT for what in first):
        for _ in range(10):
            priority += 1
            assert ask(onos, "PUT", retained, {"priority": priority})[0] == 200
    tree = ask(onos, "GET", f"{V1}/intents")
    shown = {what: ask(onos, "GET", f"{V1}/{what}/{first[what] + 49}") for what in first}
    assert [status for status, _ in shown.values()] == [200, 200]
    for name in ("changesKept", "versionsKept"):
        assert ask(onos, "PUT", f"{V1}/settings/{name}", {"value": KEPT})[0] == 200
    folder = onos.run_directory / "karaf" / "data" / "paceline"
    for what, (_, whole) in shown.items():
        number = first[what] + 49
        problem = eventually(lambda what=what, number=number: gone(ask(onos, "GET", f"{V1}/{what}/{number}")))
        file = folder / f"{what.split('/')[-1]}-{first[what]:09d}-{first[what] + BLOCK - 1:09d}.jsonl"
        assert f"({number}) is not kept here any more. It was exported to ({file}) on the node " in problem["detail"]
        lines = file.read_text().splitlines()
        assert len(lines) == BLOCK and json.loads(lines[49]) == whole
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        # A whole block at a time.
        kept = eventually(lambda what=what: (found := numbers(onos, what))[-1] % BLOCK == 1 and found)
        assert KEPT <= len(kept) < KEPT + 2 * BLOCK
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    # What is kept is as before, and goes on.
    assert ask(onos, "GET", f"{V1}/intents") == tree
    before = [numbers(onos, what, 1)[0] for what in first]
    assert ask(onos, "PUT", retained, {"priority": priority + 1})[0] == 200
    assert [numbers(onos, what, 1)[0] for what in first] == [number + 1 for number in before]
    status, refusal = ask(onos, "POST", f"{V1}/policy/rollback", {"to": first[VERSIONS]})
    assert status == 409 and "is not kept here any more" in refusal["detail"]
