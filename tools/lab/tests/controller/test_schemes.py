"""Two schemes on one link of a running network: fixed rates for a branch, beside conversations that share by utility."""

from __future__ import annotations

import time

import pytest

from controller.office import FILES, ask
from switches.steps import announce, announced, conversations, end, eventually, metered_kbps, path, steady

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"
BRANCH, FIXED_KBPS = "surveillance", 5000
CAMERAS = {f"camera{n}": 6720 + n for n in range(4)}
COPIES = {f"copy{n}": 6730 + n for n in range(4)}
# What a plan divides of the link's 30 Mbit/s, without headroom and reserve.
DIVIDED_KBPS = 28500


def share(onos, thousandths):
    status, said = ask(onos, "PUT", f"{V1}/settings/fixedRateThousandths", {"value": thousandths})
    assert status == 200, said


def served(onos):
    """The cameras that have their rate, by its enforcer's own word."""
    found = [announced(onos.rest, name) for name in CAMERAS]
    if any(one is None or one["state"] not in ("granted", "unserved") or "installed" not in one for one in found):
        return None
    granted = [one for one in found if one["state"] == "granted"]
    assert all(one["grant"]["rateKbps"] == FIXED_KBPS and one["scheme"] == "fixed-rate" for one in granted)
    return len(granted) if all(one["installed"]["rateKbps"] == FIXED_KBPS for one in granted) else None


def enforced(onos):
    """The sum of all rates that enforcers hold on the link, in kbit/s."""
    return sum(one["installed"]["rateKbps"] for one in onos.rest.conversations() if one.get("installed", {}).get("rateKbps") and "grant" in one)


@pytest.fixture
def crowd(onos, network, talking):
    """Four cameras of a branch with fixed rates that send more than that, and four copies that want all there is."""
    source = network.hosts["a2"].address
    policy = {"scheme": "fixed-rate", "maximumRateKbps": FIXED_KBPS, "utilityFunction": "live"}
    assert ask(onos, "PUT", f"{V1}/intents/{BRANCH}", policy)[0] == 201
    # A node below it inherits the scheme, as all else.
    assert ask(onos, "PUT", f"{V1}/intents/{BRANCH}/hall", {})[0] == 201
    for name, port in CAMERAS.items():
        announce(onos.rest, name, source, talking, port, f"{BRANCH}/hall")
    for name, port in COPIES.items():
        announce(onos.rest, name, source, talking, port, "file-download/emailattach")
    eventually(lambda: served(onos))
    heard = network.probe("b1", "receive", *map(str, CAMERAS.values()))
    said = network.probe("a2", "send", *(f"{n}:{p}:{talking}:{p}:1000:1000" for n, p in CAMERAS.items()))
    try:
        yield heard
    finally:
        network.harvest(said)
        network.harvest(heard)
        for name in (*CAMERAS, *COPIES):
            end(onos.rest, name)
        ask(onos, "DELETE", f"{V1}/settings/fixedRateThousandths")
        ask(onos, "DELETE", f"{V1}/intents/{BRANCH}")


def test_fixed_rates_beside_utility_and_their_split_changed_live_without_exceeding_the_link(onos, network, talking, crowd, capsys):
    files = lambda: conversations(onos.rest, talking)[FILES]["grant"]["rateKbps"]
    time.sleep(1.2)  # The link's counters are up to a second old.
    first = network.carried("1-2")
    began = time.monotonic()
    seen = []
    # How many of 5 Mbit/s fit in these thousandths of what is divided, and what is kept for trickles.
    for thousandths, fit in ((500, 2), (800, 4), (300, 1), (800, 4), (200, 1), (500, 2)):
        share(onos, thousandths)
        eventually(lambda: served(onos) == fit)
        plan = onos.rest.get(f"{V1}/plan")
        on_link = [one for one in plan["grants"] if path(one)[:2] == [1, 2]]
        assert sum(one["rateKbps"] for one in on_link) <= DIVIDED_KBPS
        assert len(on_link) == fit + len(COPIES) + 2, "everybody else is served beside them"
        link = next(one for one in onos.rest.get(f"{V1}/links")["links"] if one["from"].endswith("1") and one["to"].startswith("of:"))
        assert link["grantedKbpsBy"]["fixed-rate"] == fit * FIXED_KBPS
        out = [one for one in map(lambda name: announced(onos.rest, name), CAMERAS) if one["state"] == "unserved"]
        assert all("fixedRateThousandths" in one["reason"] for one in out)
        one = next(name for name in CAMERAS if announced(onos.rest, name)["state"] == "granted")
        filled = [link["filledBy"] for link in onos.rest.get(f"{V1}/explain/announced/{one}")["links"]]
        assert filled.count(["fixed-rate"]) == (1 if out else 0), "where somebody is not admitted, the link or the scheme's part of it is full"
        eventually(lambda: all(0 < metered_kbps(onos.rest, one["id"]) <= 0.02 * DIVIDED_KBPS for one in out))
        eventually(lambda: enforced(onos) <= DIVIDED_KBPS)
        # The link's counters are up to a second old by then.
        seen.append((thousandths, fit, steady(files)))
    backlog, last = network.backlog("1-2", began), network.carried("1-2")
    seconds = last["monotonic"] - first["monotonic"]
    offered_kbps = (last["forward"]["offeredBytes"] - first["forward"]["offeredBytes"]) * 8 / 1000 / seconds
    with capsys.disabled():
        print("\nthousandths, cameras served, kbit/s of a transfer by utility:", seen, "offered to the link in kbit/s", round(offered_kbps), "greatest backlog in bytes", backlog, end="")
    by_share = {thousandths: rate for thousandths, _, rate in seen}
    assert by_share[800] < by_share[500] < by_share[200], "what fixed rates do not take the others have"
    # Whatever the cameras send: each 8 Mbit/s. A meter lets an eighth of a second of its rate through at once when it is new.
    bursts = 6 * len(CAMERAS) * FIXED_KBPS / 8 / seconds
    assert offered_kbps <= DIVIDED_KBPS + bursts
