"""Service classes on a running network: what arrives of senders without agents stands in the ratio of their classes' weights."""

from __future__ import annotations

import re
import signal
import time

import pytest

from controller.office import FILES, VOICE, ask
from northbound.yang_judge import ACCEPTED, verdict
from switches.steps import announce, announced, conversations, end, eventually

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"
BRANCH = "guests"
WEIGHTS = {"gold": 3, "bronze": 1}
PORTS = {f"{name}{n}": 6750 + 10 * place + n for place, name in enumerate(WEIGHTS) for n in range(2)}
# Each sends 8.3 Mbit/s, more than any of them gets.
PACKETS, PAYLOAD = 1000, 1000
FRAME = PAYLOAD + 42
# Half of what a plan divides of the link's 30 Mbit/s, while others share it by utility.
CLASSES_KBPS = 14_250
SECONDS = 3.0


@pytest.fixture
def guests(onos, network, talking, branch):
    """Two conversations of each class, whose meters hold them to their rates."""
    assert ask(onos, "PUT", f"{V1}/intents/{BRANCH}", branch)[0] == 201
    for name, weight in WEIGHTS.items():
        assert ask(onos, "PUT", f"{V1}/intents/{BRANCH}/{name}", {"classWeight": weight})[0] == 201
    for name, port in PORTS.items():
        announce(onos.rest, name, network.hosts["a2"].address, talking, port, f"{BRANCH}/{name[:-1]}")
    heard = network.probe("b1", "receive", *map(str, PORTS.values()))
    said = network.probe("a2", "send", *(f"{n}:{p}:{talking}:{p}:{PACKETS}:{PAYLOAD}" for n, p in PORTS.items()))
    try:
        yield heard
    finally:
        network.harvest(said)
        for name in PORTS:
            end(onos.rest, name)
        ask(onos, "DELETE", f"{V1}/settings/classAlphaThousandths")
        for name in WEIGHTS:
            ask(onos, "DELETE", f"{V1}/intents/{BRANCH}/{name}")
        ask(onos, "DELETE", f"{V1}/intents/{BRANCH}")


def held(onos, ratio):
    """By their meters' own words they stand in the ratio, and have all that is the classes'."""
    found = [announced(onos.rest, name) for name in PORTS]
    if any(one is None or one["state"] != "granted" or "installed" not in one or one["scheme"] != "service-classes" for one in found):
        return None
    rates = [one["installed"]["rateKbps"] for one in found]
    is_all = 0.99 * CLASSES_KBPS < sum(rates) <= CLASSES_KBPS
    return rates if is_all and rates[0] / rates[2] == pytest.approx(ratio, rel=0.01) else None


@pytest.mark.parametrize("branch", [{"scheme": "service-classes"}])
def test_what_arrives_of_two_classes_stands_in_the_ratio_of_their_weights(onos, guests, network, tmp_path, capsys):
    # alpha is 1: as the weights. With 0.5: as their squares.
    eventually(lambda: held(onos, 3))
    # Others have the other half, or could have it: the part is full, and not the link.
    explained = onos.rest.get(f"{V1}/explain/announced/gold0")["links"]
    (full,) = [link for link in explained if link["filledBy"]]
    assert full["filledBy"] == ["service-classes"] and full["binding"] and (full["from"][-1], full["to"][-1]) == ("1", "2"), explained
    assert full["grantedKbpsBy"]["service-classes"] == pytest.approx(CLASSES_KBPS, rel=0.001)
    assert sum(full["grantedKbpsBy"].values()) == pytest.approx(full["grantedKbps"], abs=0.01) and set(full["grantedKbpsBy"]) == {"service-classes", "utility-fair"}
    asked = {"paceline-explain:input": {"host": "announced", "id": "gold0"}}
    yang = "application/yang-data+json"
    status, reply = ask(onos, "POST", "/paceline/restconf/operations/paceline-explain:explain", asked, kind=yang, accept=yang)
    assert status == 200, reply
    assert verdict("reply", {"paceline-explain:explain": reply["paceline-explain:output"]}, tmp_path) == ACCEPTED
    assert [link["filled-by"] for link in reply["paceline-explain:output"]["link"]] == [link["filledBy"] for link in explained]
    assert ask(onos, "PUT", f"{V1}/settings/classAlphaThousandths", {"value": 500})[0] == 200
    eventually(lambda: held(onos, 9))
    classes = {one["intent"]: one for one in onos.rest.get(f"{V1}/classes")["classes"]}
    assert {name: classes[f"{BRANCH}/{name}"]["weight"] for name in WEIGHTS} == WEIGHTS
    gold = classes[f"{BRANCH}/gold"]
    assert gold["conversations"] == 2 and gold["leastKbps"] == gold["greatestKbps"] == pytest.approx(0.45 * CLASSES_KBPS, rel=0.01)
    (told, *_) = ask(onos, "GET", "/paceline/restconf/data/paceline-classes:classes", accept="application/yang-data+json")[1]["paceline-classes:classes"]["class"]
    assert told["intent"] in classes and told["weight"] in WEIGHTS.values()
    time.sleep(0.5)
    guests.send_signal(signal.SIGUSR1)
    began = time.monotonic()
    time.sleep(SECONDS)
    arrived = network.harvest(guests)
    seconds = time.monotonic() - began
    kbps = {name: arrived[str(port)]["received"] * FRAME * 8 / 1000 / seconds for name, port in PORTS.items()}
    with capsys.disabled():
        print("\narrived in kbit/s:", {name: round(rate) for name, rate in kbps.items()}, end="")
    for n in range(2):
        for m in range(2):
            # 9 it is by their meters. With the alpha from before it would be 3, without weights 1. A sender that is held up sends less than gold may.
            assert 4 < kbps[f"gold{n}"] / kbps[f"bronze{m}"] < 18


def led_to(network):
    """By guest the meter that its rule at the first switch leads to, as the switch says."""
    rules = {name: network.rules(1, f"tp_src={port}", "meter:") for name, port in PORTS.items()}
    return {name: int(re.findall(r"meter:(\d+)", found[0])[0]) for name, found in rules.items() if found}


def each_has_its_own(network):
    leads = led_to(network)
    return len(leads) == len(PORTS) == len(set(leads.values()))


def shared(onos, network, ratio):
    """Two meters for the four, each with the sum of its two: by class its meter."""
    rates, leads = held(onos, ratio), led_to(network)
    if rates is None or len(leads) < len(PORTS):
        return None
    each = dict(zip(PORTS, rates, strict=True))
    by_class = {name: {leads[f"{name}{n}"] for n in range(2)} for name in WEIGHTS}
    if any(len(meters) > 1 for meters in by_class.values()) or len(set(leads.values())) < len(WEIGHTS):
        return None
    found = {int(meter): int(rate) for meter, rate in re.findall(r"meter=(\d+) .*\n.*rate=(\d+)", network.ofctl("dump-meters", 1))}
    sums = {name: each[f"{name}0"] + each[f"{name}1"] for name in WEIGHTS}
    is_sum = all(found.get(leads[f"{name}0"]) == pytest.approx(rate, abs=2) for name, rate in sums.items())
    return {name: leads[f"{name}0"] for name in WEIGHTS} if is_sum else None


def meter_of(onos, name):
    """As it was read back, when it is as it should be."""
    elements = announced(onos.rest, name)["elements"]
    return next((one for one in elements if one["kind"] == "meter" and one["standing"] == "as_wanted"), None)


@pytest.mark.parametrize("branch", [{"scheme": "service-classes"}])
def test_four_guests_of_two_classes_share_two_meters_and_what_arrives_stands_in_the_ratio(onos, guests, network, capsys):
    eventually(lambda: held(onos, 3) and each_has_its_own(network))
    setting = f"{V1}/settings/classMeters"
    try:
        status, said = ask(onos, "PUT", setting, {"value": "one"})
        assert status == 400 and "classMeters (one)" in str(said), said
        assert ask(onos, "PUT", setting, {"value": "per-sub-class"})[0] == 200
        eventually(lambda: shared(onos, network, 3))
        eventually(lambda: f"shared by 2 conversations of {BRANCH}/gold" in (meter_of(onos, "gold0") or {}).get("wanted", ""))
        before = {name: announced(onos.rest, name)["measured"]["sentBytes"] for name in PORTS}
        # Each is counted by its own rule, when ONOS has read it.
        eventually(lambda: all(announced(onos.rest, name)["measured"]["sentBytes"] > counted for name, counted in before.items()))
        guests.send_signal(signal.SIGUSR1)
        began = time.monotonic()
        time.sleep(SECONDS)
        arrived = network.harvest(guests)
        seconds = time.monotonic() - began
        kbps = {name: sum(arrived[str(PORTS[f"{name}{n}"])]["received"] for n in range(2)) * FRAME * 8 / 1000 / seconds for name in WEIGHTS}
        with capsys.disabled():
            print("\narrived in kbit/s:", {name: round(rate) for name, rate in kbps.items()}, end="")
        # 3 it is by their meters, and would be 1 without weights. Nobody here heeds losses: of each alone nothing is said.
        assert 2 < kbps["gold"] / kbps["bronze"] < 4.5
    finally:
        ask(onos, "DELETE", setting)
    eventually(lambda: each_has_its_own(network))


def schemes(onos, talking):
    """Of the guests, and of those that are on the way already."""
    others = conversations(onos.rest, talking)
    return {announced(onos.rest, name)["scheme"] for name in PORTS}, {others[port]["scheme"] for port in (VOICE, FILES)}


@pytest.mark.parametrize("branch", [{}])
def test_a_site_and_a_link_have_a_scheme_for_whom_no_branch_chose_one(onos, guests, network, talking):
    """The guests' branch sets weights, and no scheme."""
    by_utility, by_classes = {"utility-fair"}, {"service-classes"}
    place = f"{V1}/settings/schemePlaces"
    try:
        eventually(lambda: schemes(onos, talking) == (by_utility, by_utility))
        assert ask(onos, "PUT", place, {"value": f"{network.hosts['a2'].address}/32=service-classes"})[0] == 200
        eventually(lambda: held(onos, 3))
        assert schemes(onos, talking) == (by_classes, by_utility)
        status, said = ask(onos, "PUT", place, {"value": "192.0.2.0/24=classes"})
        assert status == 400 and "schemePlaces (192.0.2.0/24=classes)" in str(said), said
        assert ask(onos, "GET", place)[1]["value"].endswith("=service-classes"), "what was there stays"
        # The link's other way, as its switches are called.
        link = next(one for one in onos.rest.get(f"{V1}/links")["links"] if one["from"].endswith("2") and one["to"].endswith("1") and one["to"].startswith("of:"))
        assert ask(onos, "PUT", place, {"value": f"{link['from']}>{link['to']}=service-classes"})[0] == 200
        eventually(lambda: schemes(onos, talking) == (by_classes, by_classes))
        # Nobody else is on the link: classes have all that is divided, not the half that is theirs beside others.
        eventually(lambda: granted(onos, talking) == pytest.approx(2 * CLASSES_KBPS, rel=0.001))
        # A branch's own choice goes first.
        assert ask(onos, "PATCH", f"{V1}/intents/{BRANCH}", {"scheme": "utility-fair"})[0] == 200
        eventually(lambda: schemes(onos, talking) == (by_utility, by_classes))
    finally:
        ask(onos, "DELETE", place)
    eventually(lambda: schemes(onos, talking) == (by_utility, by_utility))


def granted(onos, talking):
    """All together, in kbit/s."""
    found = [*(announced(onos.rest, name) for name in PORTS), *conversations(onos.rest, talking).values()]
    return sum({one["id"]: one["grant"]["rateKbps"] for one in found if "grant" in one}.values())
