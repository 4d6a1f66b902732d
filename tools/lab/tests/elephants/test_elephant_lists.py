"""Flow records of Open vSwitch, the list that the controller makes of them, and the elephant that it makes when that is wanted."""

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
LISTS = {"flowExporters": EXPORTER, "alphaMegabytes": 1}
USED = (*LISTS, "elephantListAt", "elephantListUse")


def lists(onos):
    return onos.rest.get(f"{V1}/elephants")


def put(onos, setting, value):
    assert ask(onos, "PUT", f"{V1}/settings/{setting}", {"value": value})[0] == 200


@pytest.fixture
def exporting(onos, divided):
    """The first switch tells of its flows, those that last once a second."""
    for setting, value in LISTS.items():
        put(onos, setting, value)
    columns = ["create", "NetFlow", f'targets="{EXPORTER}:2055"', "active-timeout=1"]
    divided.vsctl("--", "set", "bridge", "s1", "netflow=@one", "--", "--id=@one", *columns)
    try:
        yield divided
    finally:
        divided.vsctl("clear", "bridge", "s1", "netflow")
        for setting in USED:
            ask(onos, "DELETE", f"{V1}/settings/{setting}")


@pytest.mark.lasts(30)
def test_a_pair_is_listed_by_flow_records_and_is_an_elephant_once_lists_are_applied(onos, exporting, streams):  # noqa: F811
    network = exporting
    eventually(lambda: ":2055" in network.inside("ss", "-lun"))
    streams.serve(FILES)
    streams.take(FILES)
    ends = tuple(network.hosts[name].address + "/32" for name in ("a1", "b1"))

    def listed():
        """A list made in two seconds, if it has the pair. What was told is summed up anew after each list."""
        time.sleep(4)
        due = time.gmtime(time.time() + 2)
        put(onos, "elephantListAt", time.strftime("%H:%M:%S", due))
        time.sleep(4)
        pairs = [one for ingress in lists(onos)["ingresses"] for one in ingress["pairs"]]
        return [one for one in pairs if (one["source"], one["destination"]) == ends]

    (pair,) = eventually(listed, 180)
    (ingress,) = lists(onos)["ingresses"]
    assert ingress["exporter"] == EXPORTER and pair["bytes"] > 1_000_000 and pair["inForce"]
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
