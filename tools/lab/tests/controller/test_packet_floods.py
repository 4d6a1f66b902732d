"""A host floods what switches show the controller, from made-up addresses: the meter of its port bounds what the controller gets, and others are found."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import pytest
from controller.office import FILES, VOICE, ask
from switches.steps import eventually, meters_of_ports, settled

pytestmark = [pytest.mark.e2e, pytest.mark.lasts(60)]
SETTING = "/paceline/v1/settings/controllerPacketsPerPort"
PER_SECOND, SECONDS, TRIES = 20, 8, 10
# Of the first byte of all made-up cards; no host has it.
MADE_UP = "06"
# By turns who has an address that nobody has, by ARP and by IPv6; who has one, of a host that is known; and IPv4 to nobody.
FLOOD = f"""
import os, socket, struct, sys, time
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind(("eth0", 0))
known, until, sent = bytes.fromhex(sys.argv[1]), time.monotonic() + float(sys.argv[2]), 0
def ether(to, kind, body):
    out.send(to + card + struct.pack(">H", kind) + body)
while time.monotonic() < until:
    card, own, other = b"\\x{MADE_UP}" + os.urandom(5), bytes((10, 99)) + os.urandom(2), bytes((10, 98)) + os.urandom(2)
    asks = struct.pack(">HHBBH", 1, 0x0800, 6, 4, 1) + card + own + bytes(6) + other + bytes(18)
    ether(b"\\xff" * 6, 0x0806, asks)
    ether(known, 0x0806, asks)
    ether(b"\\x{MADE_UP}" + os.urandom(5), 0x0800, struct.pack(">BBHHHBBH", 0x45, 0, 28, 0, 0, 64, 17, 0) + own + other + bytes(26))
    own6, other6 = (b"\\xfd\\x99" + bytes(12) + part[2:] for part in (own, other))
    question = struct.pack(">BBHI", 135, 0, 0, 0) + other6 + b"\\x01\\x01" + card
    to = b"\\xff\\x02" + bytes(9) + b"\\x01\\xff" + other6[13:]
    words = struct.unpack(">36H", own6 + to + struct.pack(">II", len(question), 58) + question)
    total = sum(words)
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    question = question[:2] + struct.pack(">H", 0xFFFF - total) + question[4:]
    ether(b"\\x33\\x33\\xff" + other6[13:], 0x86DD, struct.pack(">IHBB", 0x60000000, len(question), 58, 255) + own6 + to + question)
    sent += 1
    time.sleep(0.004)
print(sent)
"""


def meter(network, host):
    """The number of the meter that packets of a host pass to the controller."""
    rules = network.rules(1, "table=6", f"in_port={network.port(host)} ", "meter:", "CONTROLLER")
    return re.search(r"meter:(\d+)", rules[0])[1] if len(rules) == 1 else None


def counted(network, host):
    """How many packets came to the meter, and how many it dropped."""
    said = network.ofctl("meter-stats", 1, f"meter={meter(network, host)}")
    return int(re.search(r"packet_in_count:(\d+)", said)[1]), int(re.search(r"0: packet_count:(\d+)", said)[1])


def made_up(onos):
    return [one["id"] for one in onos.rest.get("/v1/hosts")["hosts"] if one["mac"].startswith(MADE_UP)]


def rate(network, host):
    said = network.ofctl("dump-meters", 1)
    return (found := re.search(rf"meter={meter(network, host)} pktps .*\n.*rate=(\d+)", said)) and int(found[1])


def received(network, host):
    return json.loads(network.host(host, "ip", "-s", "-j", "link", "show", "eth0"))[0]["stats64"]["rx"]["packets"]


def test_a_flood_from_made_up_addresses_reaches_the_controller_as_its_ports_meter_says_and_others_are_found(onos, network, talking, capsys):
    assert ask(onos, "PUT", SETTING, {"value": PER_SECOND})[0] == 200
    took = []
    try:
        eventually(lambda: [rate(network, host) for host in ("a1", "a2")] == [PER_SECOND] * 2)
        assert meter(network, "a1") != meter(network, "a2")
        (came, dropped), arrived, began = counted(network, "a2"), received(network, "a1"), time.monotonic()
        a1 = network.hosts["a1"].mac.replace(":", "")
        flood = network.popen(sys.executable, "-c", FLOOD, a1, str(SECONDS), host="a2", stdout=subprocess.PIPE, text=True)
        try:
            eventually(lambda: counted(network, "a2")[1] > dropped + 100)
            for _ in range(TRIES):
                network.host("a1", "ip", "neigh", "flush", "dev", "eth0")
                asked = time.monotonic()
                network.host("a1", "ping", "-c1", "-W2", talking)
                took.append(time.monotonic() - asked)
            sent = int(flood.communicate(timeout=60)[0])
        finally:
            network.end(flood)
        (came, dropped), seconds = (now - before for now, before in zip(counted(network, "a2"), (came, dropped), strict=True)), time.monotonic() - began
        shown, learned, handed = came - dropped, len(made_up(onos)), received(network, "a1") - arrived
        with capsys.disabled():
            print(f"\n{4 * sent} packets in {seconds:.1f} s, {came} to the meter, {shown} to the controller, {learned} hosts learned; found in {max(took) * 1000:.0f} ms at most", end="")
        assert came > 3 * sent, "all four kinds come to the meter"
        assert shown <= PER_SECOND * (seconds + 1), "and as many at once as in a second"
        assert came > 5 * shown
        # What passed is what is learned of; others talk, too.
        assert 0 < learned <= shown
        assert handed > 0.9 * sent, "only copies are dropped"
    finally:
        for one in made_up(onos):
            ask(onos, "DELETE", f"/v1/hosts/{one}")
        ask(onos, "DELETE", SETTING)
    eventually(lambda: not made_up(onos) and not network.rules(1, f"dl_dst={MADE_UP}:"))
    eventually(lambda: [rate(network, host) for host in ("a1", "a2")] == [200] * 2)
    assert ask(onos, "PUT", SETTING, {"value": 0})[0] == 200
    try:
        eventually(lambda: not network.rules(1, "table=6") and not network.rules(1, "goto_table:6") and "pktps" not in network.ofctl("dump-meters", 1))
    finally:
        ask(onos, "DELETE", SETTING)
    eventually(lambda: meter(network, "a1") and meter(network, "a2"))


def test_a_switch_that_comes_back_empty_has_the_meters_of_its_ports_again(onos, network, talking):
    def stands():
        return [rate(network, host) for host in ("a1", "a2")] == [200] * 2 and meters_of_ports(network, 1) == 2

    eventually(stands)
    try:
        network.disconnect(1)
        network.ofctl("del-flows", 1)
        network.ofctl("del-meters", 1)
        assert not network.rules(1)
    finally:
        network.connect(1)
    eventually(stands)
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
