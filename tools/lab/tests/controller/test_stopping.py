"""Nothing of the application remains when it has stopped, whatever was under way: no rule, no meter, no thread, and nothing that comes late.

A hundred stops, which --long makes, at the moments of an earlier run: PACELINE_SEED=7 tools/paceline test test_stopping.py
"""

from __future__ import annotations

import os
import random
import re
import time

import pytest
from paceline_lab.machine.java_process import jcmd

from controller.office import FILES, PACELINE, VOICE, ask
from switches.steps import announce, end, eventually, settled

pytestmark = pytest.mark.e2e

V1 = "/paceline/v1"
PACKETS = f"{V1}/settings/controllerPacketsPerPort"
INTENT = f"{V1}/intents/file-download/emailattach"
# As soon as it answers, and after everything is in force.
LONGEST_SECONDS = 3.0
FIRST_PORT, CALLS = 6600, 6
# ONOS's own, of the runtime that the project builds of it.
OF_ONOS = {"paceline-openflow-polls", "paceline-openflow-connections", "paceline-links-discovery", "paceline-hosts-discovery"}


def number_of_application(onos):
    """The upper part of the cookie of each of its rules."""
    return onos.rest.get(PACELINE)["id"]


def remains(onos, network, application):
    """What switches and ONOS's process hold of an application that has stopped."""
    found = []
    for switch in network.topology.numbers():
        cookies = re.findall(r"cookie=0x([0-9a-f]+)", network.ofctl("dump-flows", switch))
        found += [f"rule {cookie} of switch {switch}" for cookie in cookies if int(cookie, 16) >> 48 == application]
        found += [f"{meter.split()[0]} of switch {switch}" for meter in re.findall(r"meter=\d+ .*", network.ofctl("dump-meters", switch))]
    threads = set(re.findall(r'^"(paceline-[^"]*)"', jcmd(onos.pid(), "Thread.print"), re.MULTILINE))
    return found + sorted(threads - OF_ONOS)


def await_nothing(look, when, seconds=60):
    until = time.monotonic() + seconds
    while found := look():
        assert time.monotonic() < until, (when, found)
        time.sleep(0.1)


FEW = pytest.param(4, marks=pytest.mark.lasts(60))
MANY = pytest.param(100, marks=[pytest.mark.long, pytest.mark.lasts(1600)])


@pytest.mark.parametrize("stops", [FEW, MANY])
def test_nothing_remains_whenever_the_application_is_stopped(onos, network, talking, capsys, stops):
    seed = int(os.environ.get("PACELINE_SEED") or random.randrange(1_000_000))
    draws = random.Random(seed)
    application = number_of_application(onos)
    address = network.hosts["a2"].address
    assert remains(onos, network, application), "what is looked for is there while it runs"
    late = []
    try:
        for stop in range(1, stops + 1):
            for call in range(CALLS):
                announce(onos.rest, f"stopped-{call}", address, talking, FIRST_PORT + call, "voip/g729.1")
            # Another meter for those that are metered, and other rates for those that are paced.
            onos.rest.call("PATCH", INTENT, {"maximumRateKbps": draws.randint(1_000, 9_000)})
            moment = draws.uniform(0, LONGEST_SECONDS)
            when = f"stop {stop} of {stops} (PACELINE_SEED={seed}), {moment:.2f} s after the last change"
            time.sleep(moment)
            # Orders of other meters for all ports are under way when it stops.
            assert ask(onos, "PUT", PACKETS, {"value": draws.randint(100, 1_000)})[0] == 200
            for call in range(0, CALLS, 2):
                end(onos.rest, f"stopped-{call}")
            assert ask(onos, "DELETE", f"{PACELINE}/active")[0] < 300
            eventually(lambda: ask(onos, "GET", f"{V1}/state")[0] in (404, 503))
            await_nothing(lambda: remains(onos, network, application), when)
            time.sleep(2)
            came = remains(onos, network, application)
            late += [(when, what) for what in came]
            assert ask(onos, "POST", f"{PACELINE}/active")[0] < 300
            eventually(lambda: ask(onos, "GET", f"{V1}/state")[0] == 200)
            with capsys.disabled():
                print(f"\n{when}: {came or 'nothing remains, and nothing came late'}", end="", flush=True)
    finally:
        ask(onos, "POST", f"{PACELINE}/active")
        eventually(lambda: ask(onos, "GET", f"{V1}/state")[0] == 200)
        onos.rest.call("PATCH", INTENT, {"maximumRateKbps": None})
        ask(onos, "DELETE", PACKETS)
        for one in onos.rest.conversations():
            if one["host"] == "announced":
                end(onos.rest, one["id"])
    assert not late
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
