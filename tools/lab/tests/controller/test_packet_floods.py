"""A host floods what switches show the controller, from made-up addresses: the meters of its port bound what the controller gets, and others are found."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import pytest

from controller.office import FILES, VOICE, ask
from switches.steps import eventually, meters_of_ports, ports_are_metered, settled

pytestmark = [pytest.mark.e2e, pytest.mark.lasts(60)]
SETTING, KEPT = (f"/paceline/v1/settings/{name}" for name in ("controllerPacketsPerPort", "maxHostsPerPort"))
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


# To a group, and to a card that nobody has, from the host's own address.
OWN_FLOOD = """
import os, socket, struct, sys, time
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind(("eth0", 0))
card, own, until = bytes.fromhex(sys.argv[1]), socket.inet_aton(sys.argv[2]), time.monotonic() + float(sys.argv[3])
while time.monotonic() < until:
    for to, address in (b"\\x01\\x00\\x5e\\x00\\x00\\xfb", bytes((224, 0, 0, 251))), (b"\\x06" + os.urandom(5), bytes((10, 98)) + os.urandom(2)):
        out.send(to + card + struct.pack(">HBBHHHBBH", 0x0800, 0x45, 0, 28, 0, 0, 64, 17, 0) + own + address + bytes(26))
    time.sleep(0.002)
"""


def counted(network, host):
    """How many packets came to the meters of a host's port, and how many they dropped: of questions, and of IPv4."""
    found = []
    for ipv4 in (False, True):
        said = network.ofctl("meter-stats", 1, f"meter={meters_of_ports(network, 1)[network.port(host), ipv4]}")
        found.append((int(re.search(r"packet_in_count:(\d+)", said)[1]), int(re.search(r"0: packet_count:(\d+)", said)[1])))
    return found


def made_up(onos):
    return [one["id"] for one in onos.rest.get("/v1/hosts")["hosts"] if one["mac"].startswith(MADE_UP)]


def rates(network, host):
    """Of the meters of a host's port, as its switch has them."""
    said, meters = network.ofctl("dump-meters", 1), meters_of_ports(network, 1)
    found = [re.search(rf"meter={meters.get((network.port(host), ipv4))} pktps .*\n.*rate=(\d+)", said) for ipv4 in (False, True)]
    return [one and int(one[1]) for one in found]


def are_metered(network, per_second):
    return ports_are_metered(network, 1, 2) and all(rates(network, host) == [per_second] * 2 for host in ("a1", "a2"))


def finds(network, host, address):
    """A host that has forgotten its neighbours finds one again: by its three questions, or by the next three.

    Its own flood may fill its port's meter, and the one packet that it then sends a busy machine may lose."""
    network.host(host, "ip", "neigh", "flush", "dev", "eth0")
    eventually(
        lambda: " 1 received" in network.host(host, "ping", "-c1", "-W10", address, check=False)
        or "lladdr" in network.host(host, "ip", "neigh", "show", address, "dev", "eth0")
    )


def received(network, host):
    return json.loads(network.host(host, "ip", "-s", "-j", "link", "show", "eth0"))[0]["stats64"]["rx"]["packets"]


def test_a_flood_from_made_up_addresses_reaches_the_controller_as_its_ports_meters_say_and_others_are_found(onos, network, talking, capsys):
    assert ask(onos, "PUT", SETTING, {"value": PER_SECOND})[0] == 200
    took = []
    try:
        eventually(lambda: are_metered(network, PER_SECOND))
        before, arrived, began = counted(network, "a2"), received(network, "a1"), time.monotonic()
        a1 = network.hosts["a1"].mac.replace(":", "")
        flood = network.popen(sys.executable, "-c", FLOOD, a1, str(SECONDS), host="a2", stdout=subprocess.PIPE, text=True)
        try:
            eventually(lambda: all(now > then + 100 for (_, now), (_, then) in zip(counted(network, "a2"), before, strict=True)))
            for _ in range(TRIES):
                asked = time.monotonic()
                finds(network, "a1", talking)
                took.append(time.monotonic() - asked)
            sent = int(flood.communicate(timeout=60)[0])
        finally:
            network.end(flood)
        after, seconds = counted(network, "a2"), time.monotonic() - began
        came, dropped = ([now[part] - then[part] for now, then in zip(after, before, strict=True)] for part in (0, 1))
        shown, learned, handed = [of - less for of, less in zip(came, dropped, strict=True)], len(made_up(onos)), received(network, "a1") - arrived
        with capsys.disabled():
            print(f"\n{4 * sent} packets in {seconds:.1f} s, {came} to the meters of questions and of IPv4, {shown} to the controller, {learned} hosts learned; found in {max(took) * 1000:.0f} ms at most", end="")
        assert came[0] > 2.5 * sent, "three kinds are questions"
        assert came[1] > 0.9 * sent
        assert all(each <= PER_SECOND * (seconds + 1) for each in shown), "and as many at once as in a second"
        # What passed is what is learned of; others talk, too.
        assert 0 < learned <= sum(shown)
        assert handed > 0.9 * sent, "only copies are dropped"
    finally:
        for one in made_up(onos):
            ask(onos, "DELETE", f"/v1/hosts/{one}")
        ask(onos, "DELETE", SETTING)
    eventually(lambda: not made_up(onos) and not network.rules(1, f"dl_dst={MADE_UP}:"))
    eventually(lambda: are_metered(network, 200))
    assert ask(onos, "PUT", SETTING, {"value": 0})[0] == 200
    try:
        eventually(lambda: not network.rules(1, "table=6") and not network.rules(1, "goto_table:6") and "pktps" not in network.ofctl("dump-meters", 1))
    finally:
        ask(onos, "DELETE", SETTING)
    eventually(lambda: are_metered(network, 200))


def test_of_a_flood_from_made_up_addresses_few_hosts_are_kept_and_those_that_were_there_before_are(onos, network, talking):
    most = 5
    assert ask(onos, "PUT", KEPT, {"value": most})[0] == 200
    a1, a2 = (network.hosts[name].mac for name in ("a1", "a2"))
    try:
        finds(network, "a2", talking)
        flood = network.popen(sys.executable, "-c", FLOOD, a1.replace(":", ""), "600", host="a2")
        try:
            eventually(lambda: made_up(onos))
            # All that passes the meters is learned; who is beyond is taken away again and again.
            eventually(lambda: "hosts are known at the port" in onos.log())
            finds(network, "a2", talking)
            assert flood.poll() is None
        finally:
            network.end(flood)
        eventually(lambda: len(made_up(onos)) == most - 1)
        assert a2.upper() in [one["mac"] for one in onos.rest.get("/v1/hosts")["hosts"]]
        finds(network, "a2", talking)
    finally:
        for one in made_up(onos):
            ask(onos, "DELETE", f"/v1/hosts/{one}")
        ask(onos, "DELETE", KEPT)
    eventually(lambda: not made_up(onos) and not network.rules(1, f"dl_dst={MADE_UP}:"))


def test_a_host_that_floods_ipv4_to_groups_and_to_nobody_finds_its_neighbours_all_the_same(onos, network, talking):
    assert ask(onos, "PUT", SETTING, {"value": PER_SECOND})[0] == 200
    a2 = network.hosts["a2"]
    try:
        eventually(lambda: are_metered(network, PER_SECOND))
        (_, (_, dropped)) = counted(network, "a2")
        flood = network.popen(sys.executable, "-c", OWN_FLOOD, a2.mac.replace(":", ""), a2.address, "600", host="a2")
        try:
            # A meter shared with questions would be empty now, and stay so.
            eventually(lambda: counted(network, "a2")[1][1] > dropped + 500)
            for address in (talking, network.hosts["a1"].address) * 3:
                finds(network, "a2", address)
            assert flood.poll() is None
        finally:
            network.end(flood)
    finally:
        ask(onos, "DELETE", SETTING)
    eventually(lambda: are_metered(network, 200))


def test_the_first_question_by_a_port_without_a_meter_reaches_the_controller(onos, network, talking):
    eventually(lambda: are_metered(network, 200))
    [last] = network.rules(1, "table=6", "priority=1 ")
    assert last.endswith("actions=CONTROLLER:65535")
    links = network.rules(1, "table=6", f"in_port={network.port(next(iter(network.links)))} ")
    assert [rule.split("actions=")[1] for rule in links] == ["drop"], "what comes by a link the switch before has shown"
    port = f"({network.port('a2')})"

    def is_up():
        return next(one["isEnabled"] for one in onos.rest.get("/v1/devices/of:0000000000000001/ports")["ports"] if port in one["port"])

    try:
        network.inside("ip", "link", "set", "h-a2", "down")
        eventually(lambda: not is_up())
        assert ports_are_metered(network, 1), "it keeps its meters for when it is up"
    finally:
        network.inside("ip", "link", "set", "h-a2", "up")
    # Before its switch sees it up the host asks in vain, and it asks three times.
    eventually(is_up)
    finds(network, "a2", talking)
    assert ports_are_metered(network, 1)


def test_a_switch_that_comes_back_empty_has_the_meters_of_its_ports_again(onos, network, talking):
    eventually(lambda: are_metered(network, 200))
    try:
        network.disconnect(1)
        network.ofctl("del-flows", 1)
        network.ofctl("del-meters", 1)
        assert not network.rules(1)
    finally:
        network.connect(1)
    eventually(lambda: are_metered(network, 200))
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))


def test_a_switch_that_was_away_for_a_while_has_meters_for_its_ports_and_no_others(onos, network, talking):
    eventually(lambda: are_metered(network, 200))
    try:
        network.disconnect(1)
        eventually(lambda: not onos.rest.get("/v1/devices/of:0000000000000001")["available"])
    finally:
        network.connect(1)
    eventually(lambda: onos.rest.get("/v1/devices/of:0000000000000001")["available"])
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
    # The link's port had meters, too, until ONOS found the link again.
    eventually(lambda: are_metered(network, 200))


def test_a_switch_without_room_for_rules_with_meters_goes_on_without_and_has_them_when_it_connects_anew(onos, network, talking):
    """Table 6 takes what shows packets and the link, and no more."""
    eventually(lambda: are_metered(network, 200))
    assert ask(onos, "PUT", SETTING, {"value": 0})[0] == 200
    try:
        eventually(lambda: not network.rules(1, "table=6"))
        network.vsctl("--", "--id=@few", "create", "Flow_Table", "flow_limit=2", "overflow_policy=refuse", "--", "set", "bridge", "s1", "flow_tables:6=@few")
        before = len(onos.log())
        ask(onos, "DELETE", SETTING)
        eventually(lambda: "The switch (of:0000000000000001) refused a rule: what its ports bring" in onos.log()[before:])
        eventually(lambda: not meters_of_ports(network, 1) and "pktps" not in network.ofctl("dump-meters", 1))
        eventually(lambda: [rule.split("actions=")[1] for rule in network.rules(1, "table=6")] == ["CONTROLLER:65535"])
        assert network.rules(1, "priority=40002,arp", "goto_table:6"), "nothing else is written anew for that"
        finds(network, "a2", talking)
        eventually(lambda: ports_are_metered(network, 2))
    finally:
        ask(onos, "DELETE", SETTING)
        network.vsctl("clear", "bridge", "s1", "flow_tables")
    network.disconnect(1)
    network.connect(1)
    eventually(lambda: are_metered(network, 200))
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
