"""Switches that honour set_queue: Open vSwitch with the kernel's datapath, in a Linux in user mode."""

from __future__ import annotations

import shutil
import signal
import time

import pytest
from paceline_lab.networks.controller import COMPONENT
from paceline_lab.networks.kernel_ovs import KernelSwitches
from paceline_lab.networks.topology import Host, Link, Topology, device

from switches.steps import announce, announced, end, eventually, figures

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not shutil.which("linux.uml"), reason="Linux in user mode is not installed. Maybe: apt-get install user-mode-linux"),
]
# One link of 3 Mbit/s; the flood comes from a host of its own.
PAIR = Topology(2, (Link(21, 22, 2, 3),), (Host("k1", 11, 21), Host("k2", 12, 22), Host("k3", 13, 21)), first=21)
KBIT = 2_900


@pytest.fixture(scope="module")
def pair(onos, rest):
    built = KernelSwitches(onos.space, PAIR).open()
    before = set(rest.devices())
    try:
        built.connect()
        built.queues(21, 22, KBIT)
        eventually(lambda: set(rest.devices()) - before == {device(21), device(22)})
        ends = {f"{device(21)}/{built.port('21-22')}", f"{device(22)}/{built.port('21-22')}"}
        eventually(lambda: ends <= {end for link in rest.links() for end in link})
        rest.configure(built.settings())
        eventually(lambda: built._hosts_known(rest))
        yield built
    finally:
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": "0"})
        for switch in PAIR.numbers():
            rest.call("DELETE", f"/v1/network/configuration/devices/{device(switch)}/paceline")
        for switch in PAIR.numbers():
            built.disconnect(switch)
        eventually(lambda: set(rest.devices()) == before)
        built.close()


def flooded(pair, seconds=2.0):
    """What arrives of a managed call, and of a flood of twice the link, while both are sent."""
    address = pair.hosts["k2"].address
    heard = pair.probe("k2", "receive", "5004", "7000")
    said = pair.probe("k1", "send", f"call:5004:{address}:5004:50:60")
    flood = pair.probe("k3", "send", f"flood:7000:{address}:7000:600:1200")
    time.sleep(1)
    heard.send_signal(signal.SIGUSR1)
    time.sleep(seconds)
    pair.harvest(flood)
    pair.harvest(said)
    time.sleep(0.5)
    return pair.harvest(heard)


def test_managed_traffic_has_a_queue_of_its_own_where_the_switch_honours_set_queue(onos, pair, rest, capsys):
    address = pair.hosts["k2"].address
    announce(rest, "call", pair.hosts["k1"].address, address, 5004, "voip/g729.1")
    rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": "34"})
    rest.configure({"devices": {device(n): {"paceline": {"managedQueue": 1}} for n in PAIR.numbers()}})
    try:
        eventually(lambda: (announced(rest, "call") or {}).get("installed", {}).get("rateKbps"))
        eventually(lambda: pair.rules(21, "tp_dst=5004", "meter:", "set_queue:1"))

        def separated():
            told = {s["id"]: s["separation"] for s in rest.get("/paceline/v1/switches")["switches"]}
            return told[device(21)] == told[device(22)] == "queue 1"

        eventually(separated)
        apart = flooded(pair)
        for switch in PAIR.numbers():
            rest.call("DELETE", f"/v1/network/configuration/devices/{device(switch)}/paceline")
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": "0"})
        eventually(lambda: not pair.rules(21, "set_queue"))
        together = flooded(pair)
    finally:
        end(rest, "call")
    with capsys.disabled():
        for how, arrived in (("queue of its own", apart), ("without", together)):
            print(f"\n{how}", {port: figures(one) for port, one in arrived.items()}, end="")
    # In one queue with the flood about half is lost.
    assert apart["5004"]["lost"] < 0.2 * apart["5004"]["received"] and apart["5004"]["received"] > 20
    assert apart["7000"]["lost"] > 0 and apart["7000"]["received"] > 0, "others keep a share, and only that"
    assert together["5004"]["lost"] > 0, "it is the queue that keeps it"
