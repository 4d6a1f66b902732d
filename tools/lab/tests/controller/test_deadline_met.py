"""A transfer with a deadline whose bytes really leave a host: its agent's counters say how far it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from controller.office import ask
from switches.steps import eventually

pytestmark = pytest.mark.e2e
RESERVATIONS = "/paceline/v1/reservations"
# The host sends 200 kB/s: met after 15 s of the minute that it may take.
BYTES, MINUTE = 3_000_000, 60


@pytest.fixture
def transfer(onos, network, talking):
    deadline = datetime.now(UTC) + timedelta(seconds=MINUTE)
    asked = {"intent": "file-download/emailattach", "from": network.hosts["a1"].address, "to": talking, "bytes": BYTES}
    status, made = ask(onos, "POST", RESERVATIONS, {**asked, "deadline": deadline.isoformat(), "commit": True})
    assert status == 201, made
    yield made
    assert ask(onos, "DELETE", f"{RESERVATIONS}/{made['id']}")[0] == 204


def test_what_a_host_sends_counts_and_less_is_due_until_the_transfer_is_met(onos, transfer):
    def now():
        return onos.rest.get(f"{RESERVATIONS}/{transfer['id']}")

    begun = eventually(lambda: (one := now())["rateKbps"] < transfer["rateKbps"] and one)
    assert begun["state"] == "active" and 0 < begun["sentBytes"] < BYTES
    met = eventually(lambda: (one := now())["state"] == "met" and one, MINUTE)
    assert met["sentBytes"] >= BYTES
    assert datetime.fromisoformat(met["endedAt"]) < datetime.fromisoformat(transfer["deadline"])
    assert not any(one.get("reservation") == transfer["id"] for one in onos.rest.get("/paceline/v1/alarms")["alarms"])
