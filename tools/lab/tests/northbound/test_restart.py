"""What was promised outlives the application, on a running ONOS whose store stays, and ONOS itself: `down` and `up`."""

from __future__ import annotations

import base64
import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from northbound.listener import Listener
from northbound.receiver import Receiver
from switches.steps import eventually

pytestmark = pytest.mark.e2e

ACTIVE = "/v1/applications/org.paceline.app/active"


@dataclass(frozen=True)
class Trial:
    before: dict[str, Any]
    version: int
    until: datetime


def on_trial(admin, seconds=5):
    """A policy in force for a trial."""
    before = admin.get("intents").json
    number = admin.get("policy").json["version"]
    assert admin.send("PUT", "policy/drafts/trial", {"intents": [*before["intents"], {"class": "on-trial"}], **{k: v for k, v in before.items() if k != "intents"}}).status == 200
    tried = admin.send("POST", "policy/drafts/trial/commit", {"confirmWithinSeconds": seconds})
    assert tried.status == 200 and tried.json["version"] == number + 1, tried
    assert admin.get("intents").json != before
    return Trial(before, number + 1, datetime.fromisoformat(tried.json["confirmUntil"]))


def check_went_back(admin, trial, not_before):
    policy = admin.get("policy").json
    assert (policy["actor"], policy["reason"]) == ("paceline", f"Back to version {trial.version - 1}.")
    assert datetime.fromisoformat(policy["at"]) >= not_before
    assert "confirmUntil" not in policy
    assert admin.get("intents").json == trial.before
    # The draft outlives its trial, to be tried again.
    assert admin.send("DELETE", "policy/drafts/trial").status == 204


def test_a_trial_that_nobody_confirms_goes_back_by_itself(admin):
    trial = on_trial(admin)
    assert admin.send("PUT", "intents/voip", {"priority": 9}).is_problem(409)
    eventually(lambda: admin.get("policy").json["version"] == trial.version + 1)
    check_went_back(admin, trial, trial.until)
    assert admin.send("POST", "policy/confirm", {}).is_problem(409)


def test_a_reservation_and_an_untold_event_outlive_a_restart(onos, admin, network):
    key = secrets.token_bytes(32)
    with Receiver.inside(onos.space.namespace) as receiver:
        receiver.closed = True
        secret = "whsec_" + base64.b64encode(key).decode()
        hook = {"url": receiver.url, "events": ["reservation"], "secret": secret}
        webhook = admin.send("POST", "webhooks", hook).json["id"]
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        wish = {"intent": "voip", "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": 100.001, "durationSeconds": 60}
        made = admin.send("POST", "reservations", {**wish, "start": tomorrow, "commit": True})
        assert made.status == 201, made
        eventually(lambda: receiver.of("reservation.held"))
        # Longer than the application takes to stop: it waits for rules that are on their way.
        trial = on_trial(admin, 10)
        with Listener.inside(onos.space.namespace, "changes") as listener:
            onos.rest.call("DELETE", ACTIVE)
            eventually(lambda: not admin.is_up())
            # Whoever listens is told that nothing comes any more.
            assert listener.ended.wait(60)
        time.sleep(max(0, (trial.until - datetime.now(UTC)).total_seconds()))
        onos.rest.call("POST", ACTIVE)
        eventually(admin.is_up)
        eventually(lambda: admin.get("policy").json["version"] == trial.version + 1)
        check_went_back(admin, trial, trial.until)
        assert admin.get(f"reservations/{made.json['id']}").json == made.json
        refused = len(receiver.messages)
        receiver.closed = False
        eventually(lambda: {one.said["type"] for one in receiver.messages[refused:]} >= {"reservation.held", "reservation.committed"})
        assert len({one.id for one in receiver.of("reservation.held")}) == 1
        assert all(one.is_signed_with(key) for one in receiver.messages)
        another = admin.send("POST", "reservations", {**wish, "start": tomorrow})
        assert another.status == 201 and another.json["id"] != made.json["id"]
        for one in (made, another):
            assert admin.send("DELETE", f"reservations/{one.json['id']}").status == 204
        assert admin.send("DELETE", f"webhooks/{webhook}").status == 204


def test_policy_settings_users_and_certificates_outlive_down_and_up(onos, admin, user, network):
    encrypted = "0.0.0.0:9559, with certificates of both sides"
    assert admin.get("state").json["agentsPort"].startswith(f"{encrypted}, the controller's until ")
    authority = (onos.space.tls / "ca.pem").read_text()
    before = admin.get("intents").json
    assert admin.send("PUT", "settings/reserveThousandths", {"value": 11}).status == 200
    tree = {**before, "intents": [*before["intents"], {"class": "stays"}]}
    assert admin.send("PUT", "intents", tree).status == 200
    stays = admin.get("intents").json
    onos.down()
    onos.up()
    network.wait_until_seen(onos.rest)
    assert admin.get("intents").json == stays
    assert admin.get("settings/reserveThousandths").json["value"] == 11
    assert user("vera").get("state").json["agentsPort"].startswith(f"{encrypted}, the controller's until ")
    assert (onos.space.tls / "ca.pem").read_text() == authority
    assert admin.send("DELETE", "settings/reserveThousandths").status in (200, 204)
    assert admin.send("PUT", "intents", before).status == 200
