"""At the edge nobody has another host's rules: not by its address, not by marks, not by fragments, and no other application goes unseen."""

from __future__ import annotations

import re
import socket
import struct
import sys
import time

import pytest
from paceline_lab.networks.controller import COMPONENT
from paceline_lab.networks.conversations import is_installed
from paceline_lab.networks.topology import device

from switches.steps import announce, announced, end, eventually, known, metered_at

pytestmark = pytest.mark.e2e
PORT, DSCP, FRAMES = 6951, 34, 200
OTHER = "org.example.acl"
NEW = "fd00:20::77"
# Frames as they are, whatever addresses they have.
SEND = """
import socket, sys, time
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind(("eth0", 0))
for _ in range(int(sys.argv[2])):
    out.send(bytes.fromhex(sys.argv[1]))
    time.sleep(0.001)
"""


def frame(by, source, to, dscp):
    """UDP of PORT from the address of a host, from the card of another."""
    data = bytes(200)
    udp = struct.pack(">HHHH", PORT, PORT, 8 + len(data), 0) + data
    head = struct.pack(">BBHHHBBH", 0x45, dscp << 2, 20 + len(udp), 0, 0, 64, 17, 0)
    addresses = socket.inet_aton(source.address) + socket.inet_aton(to.address)
    macs = bytes.fromhex((to.mac + by.mac).replace(":", ""))
    return macs + struct.pack(">H", 0x0800) + head + addresses + udp


def claim(by, source):
    """ARP by which the card of one host says to everybody that it has the address of another."""
    card, address = bytes.fromhex(by.mac.replace(":", "")), socket.inet_aton(source.address)
    body = struct.pack(">HHBBH", 1, 0x0800, 6, 4, 2) + card + address + b"\xff" * 6 + address
    return b"\xff" * 6 + card + struct.pack(">H", 0x0806) + body + bytes(18)


def claim6(by, source):
    """The same by IPv6's neighbours: an unsolicited answer that overrides what was known (RFC 4861, 4.4)."""
    card, address, everybody = bytes.fromhex(by.mac.replace(":", "")), socket.inet_pton(socket.AF_INET6, source.address6), socket.inet_pton(socket.AF_INET6, "ff02::1")
    body = struct.pack(">BBHI", 136, 0, 0, 0x20000000) + address + b"\x02\x01" + card
    pseudo = address + everybody + struct.pack(">II", len(body), 58)
    total = sum(struct.unpack(f">{(len(pseudo) + len(body)) // 2}H", pseudo + body))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    body = body[:2] + struct.pack(">H", 0xFFFF - total) + body[4:]
    head = struct.pack(">IHBB", 0x60000000, len(body), 58, 255) + address + everybody
    return b"\x33\x33\x00\x00\x00\x01" + card + struct.pack(">H", 0x86DD) + head + body


def guard(rest, *ports):
    rest.configure({"devices": {device(1): {"paceline": {"guardedPorts": list(ports)}}}})


def guarding(network):
    return any(network.rules(1, part) for number in (3, 4, 5) for part in (f"table={number}", f"goto_table:{number}"))


def packets(rules):
    return sum(int(re.search(r"n_packets=(\d+)", rule)[1]) for rule in rules)


def test_whoever_forges_a_hosts_address_has_nothing_of_its_rules_and_fragments_pass_its_meter(onos, network, rest):
    d1, d2, d3 = (network.hosts[name] for name in ("d1", "d2", "d3"))
    announce(rest, "edge", d3.address, d2.address, PORT, "file-download/emailattach")

    def of_host():
        return network.rules(1, f"tp_dst={PORT}", "meter:", f"in_port={network.port('d3')},")

    def of_fragments():
        return network.rules(1, f"nw_src={d3.address},nw_dst={d2.address}", "tp_src=0,tp_dst=0", f"meter:{metered_at(network, PORT)}")

    def unmarking():
        return network.rules(1, "priority=11,ip,", f"dl_dst={d2.mac}", f"nw_tos={DSCP << 2}", "set_field:0->ip_dscp")

    def send(by):
        network.host(by.name, sys.executable, "-c", SEND, frame(by, d3, d2, DSCP).hex(), str(FRAMES))

    rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": str(DSCP)})
    said = None
    try:
        eventually(lambda: (one := announced(rest, "edge")) and is_installed(one) and of_host() and of_fragments() and unmarking())
        send(d1)
        eventually(lambda: packets(unmarking()) >= FRAMES / 2)
        assert packets(of_host()) == 0, "another port, so nobody's"
        send(d3)
        eventually(lambda: packets(of_host()) > 0)
        said = network.probe("d3", "send", f"big:{PORT}:{d2.address}:{PORT}:100:3000")
        eventually(lambda: packets(of_fragments()) > 0)
    finally:
        if said:
            network.harvest(said)
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": "0"})
        end(rest, "edge")
    eventually(lambda: not network.rules(1, f"tp_dst={PORT}") and not network.rules(1, "ip_dscp"))


def test_at_a_guarded_port_nobody_sends_from_an_address_of_others(onos, network, rest):
    d1, d2, d3 = (network.hosts[name] for name in ("d1", "d2", "d3"))

    def drops():
        return network.rules(1, f"priority=15,ip,in_port={network.port('d1')} ", "actions=drop")

    def dropped_claims():
        return network.rules(1, "table=3", f"arp_spa={d3.address} ", "actions=drop")

    def dropped_claims6():
        return network.rules(1, "table=3", f"nd_target={d3.address6} ", "actions=drop")

    def cards(address):
        return [one["mac"].lower() for one in rest.get("/v1/hosts")["hosts"] if address in one["ipAddresses"]]

    eventually(lambda: known(network, rest, "d1", "d2", "d3"))
    guard(rest, network.port("d1"))
    try:
        eventually(lambda: drops() and dropped_claims() and dropped_claims6() and network.rules(1, "priority=16", f"nw_src={d1.address} ", "goto_table:5"))
        network.host("d1", sys.executable, "-c", SEND, frame(d1, d3, d2, 0).hex(), str(FRAMES))
        eventually(lambda: packets(drops()) >= FRAMES / 2)
        network.host("d1", sys.executable, "-c", SEND, claim(d1, d3).hex(), str(FRAMES))
        eventually(lambda: packets(dropped_claims()) >= FRAMES / 2)
        network.host("d1", sys.executable, "-c", SEND, claim6(d1, d3).hex(), str(FRAMES))
        eventually(lambda: packets(dropped_claims6()) >= FRAMES / 2)
        assert cards(d3.address) == cards(d3.address6) == [d3.mac.lower()], "nobody has believed it"
        # It asks for the way anew. One answer is enough for it.
        network.host("d1", "ip", "neigh", "flush", "all")
        network.host("d1", "ping", "-c5", "-i0.2", "-W10", d2.address)
        network.host("d1", "ping", "-6", "-c5", "-i0.2", "-W10", d2.address6)
        # Others look for it, and it answers.
        network.host("d2", "ip", "neigh", "flush", "all")
        network.host("d2", "ping", "-6", "-c5", "-i0.2", "-W10", d1.address6)
        # It takes an address more, after it has asked whether that is free.
        network.host("d1", "ip", "address", "add", f"{NEW}/64", "dev", "eth0")
        eventually(lambda: "tentative" not in network.host("d1", "ip", "address", "show", "to", NEW))
        eventually(lambda: network.host("d2", "ping", "-6", "-c1", "-W1", NEW, check=False).count(" 1 received"))
        eventually(lambda: cards(NEW) == [d1.mac.lower()])
    finally:
        network.host("d1", "ip", "address", "del", f"{NEW}/64", "dev", "eth0", check=False)
        guard(rest)
    eventually(lambda: not drops() and not guarding(network))


def test_a_port_that_is_guarded_while_its_switch_is_away_is_guarded_when_that_is_back(network, rest):
    """ONOS says that the rules are written, and forgets them."""
    d1, d3 = network.hosts["d1"], network.hosts["d3"]

    def available():
        return rest.get(f"/v1/devices/{device(1)}")["available"]

    def whole():
        return (
            network.rules(1, f"priority=15,ip,in_port={network.port('d1')} ", "actions=drop")
            and network.rules(1, "table=3", f"arp_spa={d3.address} ", "actions=drop")
            and network.rules(1, "priority=16", f"nw_src={d1.address} ", "goto_table:5")
            and network.rules(1, "table=5", f"dl_dst={d3.mac}")
        )

    eventually(lambda: known(network, rest, "d1", "d2", "d3"))
    network.disconnect(1)
    try:
        eventually(lambda: not available())
        guard(rest, network.port("d1"))
        # Nobody sees that the rules are ordered.
        time.sleep(3)
        network.connect(1)
        # What a switch refuses is tried again after a minute anyway; that is not meant.
        eventually(whole, 50)
    finally:
        network.connect(1)
        guard(rest)
    eventually(lambda: available() and not guarding(network))


def test_another_application_in_the_way_is_an_alarm_until_its_rules_are_gone(onos, rest):
    def told():
        return [one for one in rest.get("/paceline/v1/alarms")["alarms"] if one["kind"] == "conflict"]

    assert told() == []
    rule = {
        "priority": 50000, "isPermanent": True, "deviceId": device(9), "treatment": {},
        "selector": {"criteria": [{"type": "ETH_TYPE", "ethType": "0x88b5"}]},
    }  # fmt: skip
    rest.call("POST", f"/v1/flows/{device(9)}?appId={OTHER}", rule)
    try:
        (alarm,) = eventually(told)
        assert alarm["application"] == OTHER
        assert f"of priority 50000 in table 0) at the switch ({device(9)})" in alarm["sentence"]
        assert f"onos:app deactivate {OTHER}" in alarm["sentence"]
    finally:
        # As the alarm says.
        rest.call("DELETE", f"/v1/flows/application/{OTHER}")
    eventually(lambda: not told())
