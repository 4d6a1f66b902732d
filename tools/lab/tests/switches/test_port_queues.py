"""An agent beside the switches divides their ports, where their operator lets it."""

from __future__ import annotations

import pytest
from paceline_lab.networks.topology import device

from switches.steps import eventually

pytestmark = pytest.mark.e2e

HOST = "rack1"
LANES = range(16)


def left(port):
    """What an agent that was killed leaves of a port, in tc's words: 3 to 7 of 10 Mbit/s."""
    add = f"add dev {port} parent ace1:"
    rest = "burst 1600 cburst 1600 overhead 24 quantum 1514"
    lines = [f"qdisc add dev {port} root handle ace1: htb default 0", f"class {add} classid ace1:1 htb rate 10mbit ceil 10mbit {rest} prio 0"]
    for minor, mbit, rank in ((2, 3, 1), (3, 7, 0)):
        lines.append(f"class {add}1 classid ace1:{minor} htb rate {mbit}mbit ceil 10mbit {rest} prio {rank}")
    lines.append(f"qdisc {add}3 bfifo limit 43750")
    for lane in LANES:
        lines.append(f"class {add}2 classid ace1:{16 + lane:x} htb rate 8kbit ceil 400gbit {rest} prio 1")
        lines.append(f"qdisc {add}{16 + lane:x} bfifo limit 30000")
    for protocol, rank, table in (("ip", 1, 4), ("ipv6", 2, 6)):
        lines.append(f"filter {add} protocol {protocol} prio {rank} handle {table}: u32 divisor {len(LANES)}")
        for lane in LANES:
            lines.append(f"filter {add} protocol {protocol} prio {rank} u32 ht {table}:{lane:x}: match u32 0 0 flowid ace1:{16 + lane:x}")
    lines.append(f"filter {add} protocol all prio 3 u32 match u32 0 0 flowid ace1:3")
    lines.append(f"filter {add} protocol ip prio 1 u32 match ip dsfield 0x28 0xfc hashkey mask 0x001e0000 at 20 link 4:")
    lines.append(f"filter {add} protocol ipv6 prio 2 u32 match ip6 priority 0x28 0xfc hashkey mask 0x001e0000 at 40 link 6:")
    return "\n".join(lines)


@pytest.fixture
def ports(network):
    """Those of switch 1."""
    return network.ports(1)


@pytest.fixture
def agent(network):
    """Starts an agent of switch 1; gives its process, and what tells what it has said so far."""
    log = network.directory / f"agent-{HOST}.log"
    running = []

    def start():
        log.unlink(missing_ok=True)
        running.append(network.switch_agent(HOST, 1))
        return running[0], log.read_text

    yield start
    for process in running:
        if process.poll() is None:
            network.end(process)


@pytest.fixture
def allow(rest):
    """Names the agent that may divide ports of switch 1."""
    yield lambda host: rest.configure({"devices": {device(1): {"paceline": {"queueAgent": host}}}})
    rest.call("DELETE", f"/v1/network/configuration/devices/{device(1)}/paceline")


def divided_by(rest):
    return next(one for one in rest.get("/paceline/v1/switches")["switches"] if one["id"] == device(1)).get("queues")


def queues(network, port):
    return network.inside("tc", "qdisc", "show", "dev", port)


def leave(network, port):
    network.inside("sh", "-c", f"tc -batch - <<'.'\n{left(port)}\n.")


def test_an_agent_divides_ports_only_where_the_operator_lets_it(network, rest, ports, agent, allow):
    one = ports[0]
    leave(network, one)
    process, said = agent()
    # It goes on with what it finds, and is told to take it away.
    eventually(lambda: "SWITCH_NOT_ALLOWED" in said())
    assert f"devices/{device(1)}/paceline/queueAgent" in said()
    eventually(lambda: "htb" not in queues(network, one))
    assert divided_by(rest) is None

    # Nobody starts anything again.
    allow(HOST)
    shown = eventually(lambda: divided_by(rest))
    assert shown["agent"] == HOST and sorted(port["name"] for port in shown["ports"]) == sorted(ports)
    assert all(port.keys() == {"name"} for port in shown["ports"]), "none is divided yet"
    allow("another")
    eventually(lambda: divided_by(rest) is None)

    leave(network, one)
    network.end(process)
    assert process.returncode == 0, said()
    assert "htb" not in queues(network, one)
