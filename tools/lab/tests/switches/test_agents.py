"""What becomes of conversations whose agent fails: a meter above its rate holds them, and in the end they age out."""

from __future__ import annotations

import os
import re
import signal
import time

import pytest
from paceline_lab.networks.controller import COMPONENT

from switches.steps import conversations, eventually, limits, metered_at, settled

pytestmark = pytest.mark.e2e
INTENT, MOST_KBPS = "/paceline/v1/intents/file-download/emailattach", 5_000


def configure(rest, **settings):
    rest.call("POST", f"/v1/configuration/{COMPONENT}", settings)


def dropped(network):
    """How many packets the meters of switch 1 have dropped."""
    return sum(map(int, re.findall(r"\b0: packet_count:(\d+)", network.ofctl("meter-stats", 1))))


@pytest.mark.lasts(85)
def test_a_net_above_an_agents_rate_holds_a_host_that_paces_no_more(onos, network, rest, capsys):
    address, port = network.hosts["d2"].address, 5087
    heard = network.probe("d2", "receive", str(port))
    said = network.probe("d1", "send", f"bulk:{port}:{address}:{port}:1500:1000")
    agent = network.agents["d1"].pid
    # Less than it sends, whatever is free: the net is above what it may have.
    rest.call("PATCH", INTENT, {"maximumRateKbps": MOST_KBPS})
    try:
        eventually(lambda: settled(rest, address, [port]) and conversations(rest, address)[port]["grant"]["rateKbps"] == MOST_KBPS)
        assert metered_at(network, port) is None
        configure(rest, safetyNetThousandths="1200")
        net = MOST_KBPS * 1200 // 1000
        eventually(lambda: metered_at(network, port) and f"rate={net} burst_size={net // 8}" in network.ofctl("dump-meters", 1))
        before = dropped(network)
        os.kill(agent, signal.SIGSTOP)
        network.host("d1", "tc", "qdisc", "delete", "dev", "eth0", "root")
        eventually(lambda: dropped(network) > before + 100)
        heard.send_signal(signal.SIGUSR1)
        began = time.monotonic()
        time.sleep(3)
        arrived = network.harvest(heard)[str(port)]
        # With UDP's, IP's and Ethernet's headers, which a meter counts, too.
        measured = arrived["received"] * (1000 + 42) * 8 / 1000 / (time.monotonic() - began)
    finally:
        os.kill(agent, signal.SIGCONT)
        configure(rest, safetyNetThousandths="0")
        rest.call("PATCH", INTENT, {"maximumRateKbps": None})
        network.harvest(said)
    with capsys.disabled():
        print(f"\ngranted {MOST_KBPS} kbit/s, meter at {net}, measured without the agent {measured:.0f}", end="")
    # It sends twice as much. A pause of a busy machine lets a burst through.
    assert measured <= 1.5 * net
    eventually(lambda: not limits(network, 1))
    eventually(lambda: rest.state()["agents"] == 2)


@pytest.mark.lasts(18)
def test_conversations_of_an_agent_that_is_lost_age_out(onos, network, rest):
    address, port = network.hosts["d2"].address, 5088
    configure(rest, leaseSeconds="10")
    said = None
    try:
        agent = network.agent("d3", f"unmatched: ignore\nrules:\n  - intent: file-download/emailattach\n    match: {{protocol: udp, localPort: {port}}}\n    group: socket\n")
        eventually(lambda: rest.state()["agents"] == 3)
        said = network.probe("d3", "send", f"bulk:{port}:{address}:{port}:100:1000")
        eventually(lambda: settled(rest, address, [port]))
        eventually(lambda: network.rules(1, f"nw_dst={address}"))
        agent.kill()
        eventually(lambda: rest.state()["agents"] == 2)
        assert port in conversations(rest, address), "it may be back in a moment"
        eventually(lambda: port not in conversations(rest, address))
        eventually(lambda: not network.rules(1, f"nw_dst={address}", "nw_src=" + network.hosts["d3"].address))
    finally:
        configure(rest, leaseSeconds="120")
        if said:
            network.harvest(said)
