"""What somebody else changes on a switch or on a host is found by itself, put right and logged."""

from __future__ import annotations

import re
import time

import pytest

from controller.office import alarms_but_drops, rates
from switches.steps import announce, arriving, end, eventually, lasting_kbps, metered_at, settled, steady

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def metered(network, rest):
    """The rate of its meter, in kbit/s."""
    announce(rest, "spoilt", network.hosts["d3"].address, network.hosts["d2"].address, 6400, "file-download/emailattach")
    yield lasting_kbps(rest, "spoilt")
    end(rest, "spoilt")


def meter_of(network):
    return metered_at(network, 6400)


def does(network):
    """What the meter does that the conversation's rule leads to."""
    lines = network.ofctl("dump-meters", 1).splitlines()
    meter = meter_of(network)
    at = next((n for n, line in enumerate(lines) if f"meter={meter} " in line), None)
    found = at is not None and re.search(r"rate=(\d+) burst_size=(\d+)", " ".join(lines[at : at + 2]))
    return (int(found[1]), int(found[2])) if found else None


def calm(network, rate):
    eventually(lambda: does(network) == (rate, rate // 8))
    # A meter that was just made is still written: ONOS asks for it again where it does not see it yet.
    time.sleep(2.5)


def repaired(question, what, capsys):
    began = time.monotonic()
    eventually(question)
    with capsys.disabled():
        print(f"\n{what}: put right after {time.monotonic() - began:.2f} s", end="")


@pytest.mark.parametrize("spoilt", [lambda rate, burst: (rate * 9, burst), lambda rate, burst: (rate, 7)], ids=["rate", "burst"])
def test_a_meter_that_was_changed_on_the_switch(onos, network, metered, spoilt, capsys):
    rate = metered
    calm(network, rate)
    since, (wrong, burst) = len(onos.log()), spoilt(rate, rate // 8)
    band = f"band=type=drop,rate={wrong},burst_size={burst}"
    # It may be put right before anybody looks; that it was wrong is in the log.
    network.ofctl("mod-meter", 1, f"meter={meter_of(network)},kbps,burst,stats,{band}")
    said = rf"The meter of .*spoilt at of:0000000000000001 is \(.*{wrong} kbit/s, burst {burst} kbit\)"
    repaired(lambda: does(network) == (rate, rate // 8), f"meter with {band}", capsys)
    eventually(lambda: re.search(said, onos.log()[since:]))
    assert not alarms_but_drops(onos)


def test_a_meter_that_was_deleted_with_its_rule(network, metered, capsys):
    rate = metered
    calm(network, rate)
    # A switch removes the rules that refer to it.
    network.ofctl("del-meter", 1, f"meter={meter_of(network)}")
    repaired(lambda: does(network) == (rate, rate // 8), "meter and rule", capsys)


def test_a_rule_that_was_deleted_on_the_switch(network, metered, capsys):
    calm(network, metered)
    # The switch tells ONOS, which may have written it again before we look; ONOS keeps no log of that.
    network.ofctl("del-flows", 1, "udp,tp_dst=6400")
    repaired(lambda: meter_of(network), "rule", capsys)


def test_a_class_that_was_deleted_on_the_host(network, rest, capsys):
    address = network.hosts["d2"].address
    heard = network.probe("d2", "receive", "5083")
    said = network.probe("d1", "send", f"bulk:5083:{address}:5083:100:1000")

    def only():
        """The host's one conversation's class and rate."""
        found = rates(network, "d1")
        return len(found) == 1 and settled(rest, address, [5083]) and next(iter(found.items()))

    try:
        one, granted = steady(only)
        network.host("d1", "tc", "class", "delete", "dev", "eth0", "classid", one)
        repaired(lambda: rates(network, "d1").get(one) == granted, f"class {one}", capsys)
        eventually(lambda: settled(rest, address, [5083]))
        network.harvest(heard)
        # Its packets pass again. Where there is no class for them none does.
        eventually(lambda: arriving(network, "d2", 5083, 1)["received"] > 20)
    finally:
        print(network.host("d1", "tc", "-s", "class", "show", "dev", "eth0"))
        print(network.harvest(said))
