"""An agent beside the switches divides their ports, where their operator lets it."""

from __future__ import annotations

import pytest
from switches.steps import eventually

from paceline_lab.topology import device

pytestmark = pytest.mark.e2e

# As an agent that was killed leaves a port; 3 to 7 of 10 Mbit/s.
LEFT = """\
qdisc add dev {port} root handle ace1: htb default 0
class add dev {port} parent ace1: classid ace1:1 htb rate 10mbit ceil 10mbit burst 1600 cburst 1600 overhead 24 quantum 1514 prio 0
class add dev {port} parent ace1:1 classid ace1:2 htb rate 3mbit ceil 10mbit burst 1600 cburst 1600 overhead 24 quantum 1514 prio 1
class add dev {port} parent ace1:1 classid ace1:3 htb rate 7mbit ceil 10mbit burst 1600 cburst 1600 overhead 24 quantum 1514 prio 0
qdisc add dev {port} parent ace1:2 bfifo limit 30000
qdisc add dev {port} parent ace1:3 bfifo limit 43750
filter add dev {port} parent ace1: protocol ip prio 1 u32 match ip dsfield 0x28 0xfc flowid ace1:2
filter add dev {port} parent ace1: protocol ipv6 prio 2 u32 match ip6 priority 0x28 0xfc flowid ace1:2
filter add dev {port} parent ace1: protocol all prio 3 u32 match u32 0 0 flowid ace1:3
"""
HOST = "rack1"


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
    network.inside("sh", "-c", f"tc -batch - <<'.'\n{LEFT.format(port=port)}.")


def test_an_agent_divides_ports_only_where_the_operator_lets_it(network, rest, ports, agent, allow):
    one = ports[0]
    leave(network, one)
    process, said = agent()
    # It goes on with what it finds, and is told to take it away.
    eventually(lambda: "SWITCH_NOT_ALLOWED" in said(), 30)
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
