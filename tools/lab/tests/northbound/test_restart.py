"""What was promised outlives the application: it is stopped and started on a running ONOS, whose store stays."""

from __future__ import annotations

import base64
import secrets
from datetime import UTC, datetime, timedelta

import pytest
from receiver import Receiver, eventually

pytestmark = pytest.mark.e2e

ACTIVE = "/v1/applications/org.paceline.app/active"


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
        onos.rest.call("DELETE", ACTIVE)
        eventually(lambda: admin.get("state").status != 200)
        onos.rest.call("POST", ACTIVE)
        eventually(lambda: admin.get("state").status == 200)
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
