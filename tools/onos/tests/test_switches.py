"""ONOS and real switches: what one says, the other does."""

from __future__ import annotations

import json
import re
import time

import pytest
from onos_driver import eventually

pytestmark = pytest.mark.e2e

# The ports of the link between them; h1 is at port 1 of the one, h2 at port 2 of the other.
LINK = 100
S1, S2 = "of:0000000000000001", "of:0000000000000002"
IPV4 = {"type": "ETH_TYPE", "ethType": "0x800"}
ARP = {"type": "ETH_TYPE", "ethType": "0x806"}


def post(rest, path: str, body: dict) -> None:
    status, answer = rest.call("POST", path, json.dumps(body).encode())
    assert status in (200, 201), answer


def flow(device: str, priority: int, criteria: list, instructions: list) -> dict:
    return {
        "deviceId": device, "priority": priority, "isPermanent": True, "timeout": 0,
        "selector": {"criteria": criteria}, "treatment": {"instructions": instructions},
    }


def write(rest, rule: dict) -> None:
    post(rest, f"/flows/{rule['deviceId']}?appId=org.paceline.test", rule)


def states(rest, device: str, priority: int) -> list[str]:
    return [each["state"] for each in flows_of(rest, device, priority)]


def output(port: int) -> dict:
    return {"type": "OUTPUT", "port": str(port)}


def from_port(port: int) -> dict:
    return {"type": "IN_PORT", "port": port}


def flows_of(rest, device: str, priority: int) -> list:
    answer = rest.get(f"/flows/{device}") or {"flows": []}
    return [each for each in answer["flows"] if each["priority"] == priority]


def links(rest) -> list:
    return (rest.get("/links") or {"links": []})["links"]


def test_switches_and_the_link_between_them_are_found_after_they_connect(rest, network):
    eventually(lambda: len(links(rest)) == 2)
    print(f"found {time.monotonic() - network.connected_at:.1f} s after they connected")
    ports = rest.get(f"/devices/{S1}/ports")
    assert ports["available"] and ports["role"] == "MASTER"
    speeds = {port["port"]: port["portSpeed"] for port in ports["ports"]}
    assert all(speed >= 1000 for speed in speeds.values()), speeds
    assert {link["src"]["device"] for link in links(rest)} == {S1, S2}
    assert {link["src"]["port"] for link in links(rest)} == {str(LINK)}


def test_a_host_with_several_addresses_is_known_by_all_of_them(rest, network):
    addresses = {"10.20.0.1", "10.20.0.11", "10.20.0.12"}
    network.host("h1", "ip", "address", "add", "10.20.0.11/24", "dev", "eth0")
    network.host("h1", "ip", "address", "add", "10.20.0.12/24", "dev", "eth0")

    def known() -> bool:
        for address in addresses:  # Nobody answers: what counts is the question.
            network.host("h1", "ping", "-c1", "-W1", "-I", address, "10.20.0.99", check=False)
        host = rest.get("/hosts/02:00:00:00:20:01/None") or {"ipAddresses": []}
        return set(host["ipAddresses"]) == addresses

    eventually(known)
    host = rest.get("/hosts/02:00:00:00:20:01/None")
    assert host["locations"] == [{"elementId": S1, "port": "1"}]


def test_a_metered_flow_reaches_the_switch_and_its_counters_come_back(rest, network):
    post(rest, f"/meters/{S1}", {
        "deviceId": S1, "unit": "KB_PER_SEC", "burst": True,
        "bands": [{"type": "DROP", "rate": 5000, "burstSize": 640, "prec": "0"}],
    })
    meter = eventually(lambda: [m for m in rest.get(f"/meters/{S1}")["meters"] if m["state"] == "ADDED"])[0]
    on_switch = network.ofctl("dump-meters", 1)
    assert re.search(rf"meter={meter['id']} kbps burst stats bands=\s*type=drop rate=5000 burst_size=640", on_switch)

    write(rest, flow(S1, 45000, [from_port(1)], [{"type": "METER", "meterId": meter["id"]}, output(LINK)]))
    write(rest, flow(S1, 45000, [from_port(LINK), IPV4], [output(1)]))
    write(rest, flow(S1, 45000, [from_port(LINK), ARP], [output(1)]))
    write(rest, flow(S2, 45000, [from_port(2)], [output(LINK)]))
    write(rest, flow(S2, 45000, [from_port(LINK), IPV4], [output(2)]))
    write(rest, flow(S2, 45000, [from_port(LINK), ARP], [output(2)]))
    eventually(lambda: states(rest, S1, 45000) == ["ADDED"] * 3)
    eventually(lambda: states(rest, S2, 45000) == ["ADDED"] * 3)
    added = flows_of(rest, S1, 45000)
    rules = network.ofctl("dump-flows", 1)
    for each in added:
        assert f"cookie={int(each['id']):#x}" in rules
    assert f"meter:{meter['id']}" in rules

    eventually(lambda: " 0% packet loss" in network.host("h1", "ping", "-c3", "-i0.2", "-W1", "10.20.0.2", check=False))
    eventually(lambda: rest.get(f"/meters/{S1}/{meter['id']}")["meters"][0]["packets"] >= 3)
    eventually(lambda: max(f["packets"] for f in flows_of(rest, S1, 45000)) >= 3)
    eventually(lambda: rest.get(f"/statistics/ports/{S1}/1")["statistics"][0]["ports"][0]["packetsReceived"] > 0)


def test_a_removed_flow_leaves_the_switch(rest, network):
    write(rest, flow(S1, 46000, [from_port(7)], [output(LINK)]))
    rule = eventually(lambda: flows_of(rest, S1, 46000))[0]
    cookie = f"cookie={int(rule['id']):#x}"
    eventually(lambda: cookie in network.ofctl("dump-flows", 1))
    assert rest.call("DELETE", f"/flows/{S1}/{rule['id']}")[0] == 204
    eventually(lambda: cookie not in network.ofctl("dump-flows", 1))
    eventually(lambda: not flows_of(rest, S1, 46000))


def test_rules_that_others_wrote_are_removed_and_spoilt_ones_repaired(rest, network):
    write(rest, flow(S1, 47000, [from_port(8)], [output(LINK)]))
    eventually(lambda: "priority=47000" in network.ofctl("dump-flows", 1))
    network.ofctl("add-flow", 1, "priority=47001,udp,nw_dst=10.1.0.0/16,tp_dst=53,actions=output:1")
    cookie = re.search(r"cookie=(\S+),.*priority=47000", network.ofctl("dump-flows", 1)).group(1)
    # It may be repaired before anybody looks.
    network.ofctl("add-flow", 1, f"cookie={cookie},priority=47000,in_port=8,actions=drop")
    eventually(lambda: "priority=47001" not in network.ofctl("dump-flows", 1))
    eventually(lambda: re.search(r"priority=47000,in_port=\S+ actions=output", network.ofctl("dump-flows", 1)))


def is_up(rest, name):
    """Whether ONOS takes the first switch's port of this name for one that carries something."""
    return next(port["isEnabled"] for port in rest.get(f"/devices/{S1}/ports")["ports"] if port["annotations"]["portName"] == name)


def test_a_link_that_goes_down_is_reported_and_found_again(rest, network):
    eventually(lambda: len(links(rest)) == 2)
    network.cut("1-2")
    # By its ports, that is, and not as one that only falls silent.
    eventually(lambda: not links(rest) and is_up(rest, "l1-2") is False)
    network.mend("1-2")
    eventually(lambda: len(links(rest)) == 2)
