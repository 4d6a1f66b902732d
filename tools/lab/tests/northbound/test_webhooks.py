"""Signed webhooks of a running ONOS to a real receiver that refuses each message once: of a policy, and of an alarm."""

from __future__ import annotations

import base64
import contextlib
import re
import secrets
import threading

import pytest

from northbound.listener import Listener
from northbound.receiver import Receiver
from northbound.yang_judge import ACCEPTED, verdict
from switches.steps import eventually

pytestmark = pytest.mark.e2e

CALL = {
    "id": "alarming", "intent": "file-download", "localAddress": "10.20.0.1", "remoteAddress": "10.20.0.2",
    "protocol": "udp", "localPort": 6500, "remotePort": 6500,
}  # fmt: skip


@pytest.fixture
def receiver(onos):
    with Receiver.inside(onos.space.namespace) as server:
        yield server


@pytest.fixture
def key(admin, receiver):
    """With which a webhook for policies and alarms is registered."""
    key = secrets.token_bytes(32)
    secret = "whsec_" + base64.b64encode(key).decode()
    made = admin.send("POST", "webhooks", {"url": receiver.url, "events": ["policy", "alarm"], "secret": secret})
    assert made.status == 201, made
    yield key
    assert admin.send("DELETE", f"webhooks/{made.json['id']}").status == 204


def told(receiver, key, kind, **about):
    """The event of this, when it has come twice: refused and again."""

    def messages():
        return [one for one in receiver.of(kind) if about.items() <= one.said["data"].items()]

    first, second = eventually(lambda: len(messages()) >= 2 and messages()[:2])
    assert (first.id, first.body) == (second.id, second.body)
    assert second.at >= first.at
    assert first.is_signed_with(key) and second.is_signed_with(key)
    assert not first.is_signed_with(b"another key")
    return second.said


def test_a_change_of_policy_is_told_signed_and_again_under_its_id(admin, receiver, key):
    version = admin.get("policy").json["version"] + 1
    changed = admin.send("PUT", "intents/voip", {"priority": 2 + version % 2}, Change_Ticket="CHG0030020")
    assert changed.status == 200, changed
    data = told(receiver, key, "policy.changed", version=version)["data"]
    assert (data["version"], data["ticket"]) == (version, "CHG0030020")
    (hook,) = eventually(lambda: [one for one in admin.get("webhooks").json["webhooks"] if one["delivered"] >= 1 and one["waiting"] == 0])
    assert (hook["url"], hook["lost"]) == (receiver.url, 0)
    assert "secret" not in hook


def test_an_alarm_is_told_when_it_rises_and_when_it_is_over(onos, admin, network, receiver, key, tmp_path):
    """By webhook, and to who listens over RESTCONF."""
    assert admin.send("POST", "conversations", CALL).status == 201
    try:
        with Listener.inside(onos.space.namespace, "changes") as listener:
            eventually(lambda: meters(network))
            with spoiling(network):
                raised = told(receiver, key, "alarm.raised", conversation="announced/alarming")["data"]
            assert "somebody else changes it" in raised["sentence"]
            assert told(receiver, key, "alarm.cleared", conversation="announced/alarming")
            eventually(lambda: of_alarming(listener, "paceline-plan:alarm-cleared"))
        for name in ("paceline-plan:alarm-raised", "paceline-plan:alarm-cleared"):
            heard = of_alarming(listener, name)[0]
            assert heard["host"] == "announced"
            assert verdict("notif", {name: heard}, tmp_path) == ACCEPTED
        # What ports drop on a busy machine is an alarm, too.
        eventually(lambda: not [one for one in admin.get("alarms").json["alarms"] if one["kind"] != "drops"])
    finally:
        assert admin.send("DELETE", "conversations/announced/alarming").status == 204


def of_alarming(listener, name):
    return [one for one in listener.of(name) if one.get("id") == "alarming"]


def meters(network):
    return [re.search(r"meter:(\d+)", rule)[1] for rule in network.rules(1, "tp_dst=6500", "meter:")]


@contextlib.contextmanager
def spoiling(network):
    """Somebody else who changes a conversation's meter as soon as it is put right."""
    over = threading.Event()

    def spoil():
        while not over.wait(0.05):
            # What puts it right may write it anew under another number at this moment.
            with contextlib.suppress(RuntimeError):
                for meter in meters(network):
                    network.ofctl("mod-meter", 1, f"meter={meter},kbps,burst,stats,band=type=drop,rate=77,burst_size=7")

    other = threading.Thread(target=spoil)
    other.start()
    try:
        yield
    finally:
        over.set()
        other.join()
