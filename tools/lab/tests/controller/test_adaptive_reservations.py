"""Adaptive reservations on a running network: what a sender leaves of its reservation another has, until it asks for it."""

from __future__ import annotations

import time

import pytest

from controller.office import ask
from switches.steps import announce, announced, end, eventually

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"
BRANCH = "guests"
RESERVED_KBPS = 6_000
PORTS = {"live": 6790, "rest": 6791}
INTENTS = {"live": f"{BRANCH}/live", "rest": BRANCH}
PAYLOAD = 1000
# Half of what a plan divides of the link's 30 Mbit/s, while others share it by utility.
SHARE_KBPS = 14_250
PERIOD_SECONDS = 2


def sending(network, receiver, name, kbps):
    """A process that sends so much, headers included."""
    packets = round(kbps * 1000 / 8 / (PAYLOAD + 42))
    return network.probe("a2", "send", f"{name}:{PORTS[name]}:{receiver}:{PORTS[name]}:{packets}:{PAYLOAD}")


@pytest.fixture
def guests(onos, network, talking):
    """One who reserves and one who does not, held by meters."""
    assert ask(onos, "PUT", f"{V1}/intents/{BRANCH}", {"scheme": "adaptive-reservations"})[0] == 201
    assert ask(onos, "PUT", f"{V1}/intents/{BRANCH}/live", {"minimumRateKbps": RESERVED_KBPS})[0] == 201
    for name, port in PORTS.items():
        announce(onos.rest, name, network.hosts["a2"].address, talking, port, INTENTS[name])
    senders = [sending(network, talking, "rest", 20_000)]
    try:
        yield senders
    finally:
        for sender in senders:
            network.harvest(sender)
        for name in PORTS:
            end(onos.rest, name)
        for intent in (f"{BRANCH}/live", BRANCH):
            ask(onos, "DELETE", f"{V1}/intents/{intent}")


def held(onos, name):
    """What its meter holds it to by the switch's own word, or None."""
    found = announced(onos.rest, name)
    return found["installed"]["rateKbps"] if found and found["state"] == "granted" and "installed" in found else None


def lent(onos):
    """The loans that stand."""
    return [one for one in onos.rest.get(f"{V1}/ledger")["loans"] if "returnedAt" not in one]


def test_what_a_sender_leaves_of_its_reservation_another_has_until_it_asks(onos, guests, network, talking, capsys):
    slow = sending(network, talking, "live", 1_000)
    eventually(lambda: (held(onos, "live") or RESERVED_KBPS) < 1_300 and (held(onos, "rest") or 0) > SHARE_KBPS - 1_300)
    assert announced(onos.rest, "live")["scheme"] == "adaptive-reservations"
    # Counted by the switch's meter, for it has no agent.
    eventually(lambda: announced(onos.rest, "live").get("measured", {}).get("rateKbps") == pytest.approx(1_000, rel=0.25))

    def is_lent(loan):
        return (loan["lender"], loan["borrower"]) == ("announced/live", "announced/rest") and loan["rateKbps"] == pytest.approx(RESERVED_KBPS - 1_100, rel=0.25)

    eventually(lambda: any(map(is_lent, lent(onos))))
    reservation = announced(onos.rest, "live")["reservation"]
    assert reservation["rateKbps"] == RESERVED_KBPS and reservation["wantedKbps"] == pytest.approx(1_100, rel=0.25) and not reservation["asking"]
    network.harvest(slow)

    guests.append(sending(network, talking, "live", 8_000))
    asked = time.monotonic()
    eventually(lambda: (held(onos, "live") or 0) >= RESERVED_KBPS)
    waited = time.monotonic() - asked
    with capsys.disabled():
        print(f"\nits reservation was back after {waited:.1f} s, with periods of {PERIOD_SECONDS} s", end="")
    eventually(lambda: any("returnedAt" in one for one in onos.rest.get(f"{V1}/ledger")["loans"]))
    told = ask(onos, "GET", "/paceline/restconf/data/paceline-ledger:ledger", accept="application/yang-data+json")[1]["paceline-ledger:ledger"]["loan"]
    assert {one["borrower"] for one in told} == {"announced/rest"}
    everybody = ask(onos, "GET", "/paceline/restconf/data/paceline-conversations:conversations", accept="application/yang-data+json")[1]
    of = {one["id"]: one for one in everybody["paceline-conversations:conversations"]["conversation"]}
    assert float(of["live"]["reservation"]["rate"]) == RESERVED_KBPS and "reservation" not in of["rest"]
    # It sends more than it reserved, so it borrows what best effort had.
    eventually(lambda: (held(onos, "live") or 0) >= 8_000)
