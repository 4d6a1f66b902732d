"""Flow records of Open vSwitch and counters of agents, the lists that the controller makes of them, and the elephant that it makes when that is wanted."""

from __future__ import annotations

import time

import pytest

from controller.office import ask
from elephants.conftest import FILES, V1
from elephants.test_elephant_isolation import conversations, let_go, streams  # noqa: F401 `streams` is a fixture
from switches.steps import eventually

pytestmark = pytest.mark.e2e
# The switches are where ONOS is, and send from there.
EXPORTER = "127.0.0.1"
# The controller itself, by what agents and switches count.
COUNTERS = "0.0.0.0"
USED = ("flowExporters", "alphaMegabytes", "elephantListAt", "elephantListUse")


def lists(onos):
    return onos.rest.get(f"{V1}/elephants")


def put(onos, setting, value):
    assert ask(onos, "PUT", f"{V1}/settings/{setting}", {"value": value})[0] == 200


def ingress_of(onos, exporter):
    """What was listed of others that were named before stays."""
    return next(one for one in lists(onos)["ingresses"] if one["exporter"] == exporter)


def listed(onos, network, exporter):
    """A list made in two seconds, if it has what a1 sends to b1. What was told is summed up anew after each list."""
    ends = tuple(network.hosts[name].address + "/32" for name in ("a1", "b1"))
    time.sleep(4)
    due = time.gmtime(time.time() + 2)
    put(onos, "elephantListAt", time.strftime("%H:%M:%S", due))
    time.sleep(4)
    return [one for one in ingress_of(onos, exporter)["pairs"] if (one["source"], one["destination"]) == ends]


@pytest.fixture
def listing(onos):
    """Takes flow records of whoever is named, until the test has ended."""

    def take(exporter):
        put(onos, "flowExporters", exporter)
        put(onos, "alphaMegabytes", 1)

    yield take
    for setting in USED:
        ask(onos, "DELETE", f"{V1}/settings/{setting}")


@pytest.fixture
def exporting(listing, divided):
    """The first switch tells of its flows, those that last once a second."""
    listing(EXPORTER)
    columns = ["create", "NetFlow", f'targets="{EXPORTER}:2055"', "active-timeout=1"]
    divided.vsctl("--", "set", "bridge", "s1", "netflow=@one", "--", "--id=@one", *columns)
    yield divided
    divided.vsctl("clear", "bridge", "s1", "netflow")


@pytest.mark.lasts(30)
def test_a_pair_is_listed_by_flow_records_and_is_an_elephant_once_lists_are_applied(onos, exporting, streams):  # noqa: F811
    network = exporting
    eventually(lambda: ":2055" in network.inside("ss", "-lun"))
    streams.serve(FILES)
    streams.take(FILES)
    (pair,) = eventually(lambda: listed(onos, network, EXPORTER), 180)
    ingress = ingress_of(onos, EXPORTER)
    assert pair["bytes"] > 1_000_000 and pair["inForce"]
    assert ingress["received"]["records"] > 0 and ingress["received"]["malformed"] == 0 and ingress["received"]["untimely"] == 0
    assert ingress["days"][-1]["flows"] >= 1
    assert {one["scheme"] for one in conversations(onos, FILES)} == {"utility-fair"}, "lists are only shown"
    put(onos, "elephantListUse", "apply")
    assert eventually(lambda: let_go(onos, FILES, 1))
    put(onos, "elephantListUse", "show")
    eventually(lambda: {one["scheme"] for one in conversations(onos, FILES)} == {"utility-fair"})
    # Whoever exports no more is listened to no more.
    put(onos, "flowExporters", "")
    eventually(lambda: ":2055" not in network.inside("ss", "-lun"))


@pytest.mark.lasts(20)
def test_a_pair_is_listed_by_what_its_agent_counts_and_no_port_is_open_for_that(onos, listing, divided, streams):  # noqa: F811
    listing(COUNTERS)
    streams.serve(FILES)
    streams.take(FILES)
    (pair,) = eventually(lambda: listed(onos, divided, COUNTERS), 180)
    assert pair["bytes"] > 1_000_000 and ingress_of(onos, COUNTERS)["received"]["records"] > 0
    assert ":2055" not in divided.inside("ss", "-lun")
