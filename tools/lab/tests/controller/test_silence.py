"""A controller that is gone for good: rates hold for a lease, then they are let go."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest
from paceline_lab.networks.controller import COMPONENT
from paceline_lab.networks.conversations import is_installed

from controller.office import RULES, VOICE, ask, is_untouched, rates
from switches.steps import eventually, settled, steady

pytestmark = pytest.mark.e2e
LEASE_S = 6
HEARTBEAT_S = 2
SAFE_KBIT = 10_000


def kbit(text):
    return float(text[:-4]) * {"K": 1, "M": 1000, "G": 1_000_000}[text[-4]]


def moment(said, what):
    """When an agent last said it, by its own clock."""
    return datetime.fromisoformat(next(line for line in reversed(said.splitlines()) if what in line).split("Z ")[0])


def test_a_lease_that_cannot_be_changes_nothing(onos, network, talking):
    ask(onos, "POST", f"/v1/configuration/{COMPONENT}", {"leaseSeconds": "3"})
    try:
        eventually(lambda: any("The leaseSeconds (3) must be" in one["sentence"] for one in ask(onos, "GET", "/paceline/v1/alarms")[1]["alarms"]))
        assert settled(onos.rest, talking, [VOICE])
    finally:
        assert ask(onos, "DELETE", "/paceline/v1/settings/leaseSeconds")[0] == 204


@pytest.mark.ends_onos
def test_when_the_controller_is_killed_rates_hold_for_a_lease_and_are_then_released(onos, network, talking):
    # Welcomed with a short lease; a1's agent keeps the one that it was promised.
    assert ask(onos, "PUT", "/paceline/v1/settings/leaseSeconds", {"value": LEASE_S})[0] == 200
    network.agent("a2", RULES)
    network.probe("a2", "send", f"voice:{VOICE}:{talking}:{VOICE}:50:60")
    eventually(lambda: [c for c in onos.rest.conversations() if c["host"] == "a2" and is_installed(c)])
    (granted,), promised = steady(lambda: settled(onos.rest, talking, [VOICE]) and (list(rates(network, "a2").values()), rates(network, "a1")))
    killed = time.monotonic()
    onos.kill()
    seen = []
    while not is_untouched(network, "a2"):
        for rate in rates(network, "a2").values():
            seen.append((time.monotonic() - killed, rate))
        assert time.monotonic() - killed < 60, seen
        time.sleep(0.2)
    # A lease runs from the controller's last word, up to a heartbeat before it was killed; that was a little late where the machine paused.
    held = [rate for at, rate in seen if at < LEASE_S - HEARTBEAT_S - 1]
    # On a busy machine ONOS may need as long to die; the agent's own clock, below, says it in any case.
    assert set(held) <= {granted}
    relaxed = [kbit(rate) for _, rate in seen]
    assert relaxed == sorted(relaxed) and kbit(granted) < relaxed[-1] <= SAFE_KBIT
    assert rates(network, "a1") == promised
    log = network.directory / "agent-a2.log"
    # It says so when it has done so.
    said = eventually(lambda: "no controller for three leases: nothing is paced until it comes back" in (text := log.read_text()) and text)
    assert "rates hold" in said
    assert moment(said, "rates are relaxed, step 1") - moment(said, "attached to") >= timedelta(seconds=LEASE_S)
