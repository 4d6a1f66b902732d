"""The shell of a running ONOS, over ssh as an operator has it: what it changes REST shows, and what it refuses changes nothing."""

from __future__ import annotations

import os
import subprocess

import pytest
from paceline_lab.space import inside

pytestmark = pytest.mark.e2e


@pytest.fixture
def shell(onos, tmp_path):
    """Runs one command; what it prints."""
    password = tmp_path / "password"
    password.write_text("#!/bin/sh\necho rocks\n")
    password.chmod(0o700)

    def run(command):
        done = subprocess.run(
            inside(onos.space.namespace, "ssh", "-p", "8101", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                   "-o", "LogLevel=ERROR", "-o", "PreferredAuthentications=password", "onos@127.0.0.1", command),
            env={**os.environ, "SSH_ASKPASS": str(password), "SSH_ASKPASS_REQUIRE": "force"}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        return done.stdout + done.stderr

    return run


@pytest.mark.parametrize(
    ("command", "says"),
    [("plan", "Plan "), ("top --once", "conversations send"), ("conversations", "conversations are granted"), ("alarms", "."),
     ("conversations --state granted", "conversations are granted"), ("agents", "agent"), ("switches", "switches, "), ("links", " links."),
     ("drafts", "prepared"), ("intents", "voip"), ("policy", "is in force"), ("history", "ticket"), ("reservations", "intent"),
     ("plan --help", "The plan in force"), ("reserve --help", "Reserves a rate")],
)  # fmt: skip
def test_every_command_that_looks_answers(shell, command, says):
    assert says in shell(f"paceline:{command}")


def test_a_reservation_is_made_listed_and_given_back(admin, network, shell):
    def reserved():
        return {one["id"]: one for one in admin.get("reservations").json["reservations"]}

    before = reserved()
    wish = "file-download 10.20.0.1 10.20.0.2 1mbit 60"
    assert "It would be admitted." in shell(f"paceline:reserve --dry-run {wish}")
    assert set(reserved()) <= set(before)
    assert "Reserved as r" in shell(f"paceline:reserve {wish}")
    (made,) = (one for name, one in reserved().items() if name not in before)
    assert made["state"] == "active" and made["rateKbps"] == 1000
    assert made["id"] in shell("paceline:reservations")
    shell(f"paceline:reservation-cancel {made['id']}")
    assert made["id"] not in reserved()
    assert "There is no reservation (r999999)" in shell("paceline:reservation-cancel r999999")


def test_a_policy_is_compared_committed_rolled_back_and_its_history_told(admin, shell):
    before = admin.get("policy").json["version"]
    assert "of utility together" in shell("paceline:whatif --least 80 voip")
    assert "There is no draft (nothing)" in shell("paceline:whatif --draft nothing")
    assert admin.get("policy").json["version"] == before
    assert admin.send("PUT", "intents/voip", {"priority": 11}, Change_Ticket="CHG11").status == 200
    assert "CHG11" in shell("paceline:history")
    assert f"Version {before + 1} is in force" in shell("paceline:policy")
    assert "does not wait to be confirmed" in shell("paceline:policy-confirm")
    shell("paceline:policy-rollback")
    assert admin.get("policy").json["reason"] == f"Back to version {before}."


def test_a_draft_is_prepared_compared_tried_and_confirmed(admin, shell):
    before = admin.get("policy").json["version"]
    assert "by-shell" in shell("paceline:intent-set --ticket CHG12 --draft by-shell --priority 12 voip")
    assert admin.get("policy").json["version"] == before
    assert "of utility together" in shell("paceline:whatif --draft by-shell")
    assert "goes back unless" in shell("paceline:draft-commit --confirm-within 600 by-shell")
    assert f"Version {before + 2} is in force." in shell("paceline:policy-confirm")
    assert admin.get("policy/drafts").json["drafts"] == []
    assert "There is no draft (by-shell)" in shell("paceline:draft-remove by-shell")
    shell(f"paceline:policy-rollback {before}")
    assert admin.get("policy").json["version"] == before + 3
