"""An agent beside the switches divides their ports, where their operator lets it."""

from __future__ import annotations

import subprocess

import pytest
from switches.steps import eventually

from paceline_lab import agents
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
    """The ports of switch 1 to other switches."""
    return sorted(network.near_end(1, link.name) for link in network.topology.links if 1 in (link.a, link.b))


@pytest.fixture
def agent(network, ports):
    """Starts an agent of switch 1; gives its process, and what tells what it has said so far."""
    config = network.directory / "agent-of-switches.yaml"
    config.write_text(
        f"hostId: {HOST}\ncontroller: 127.0.0.1:9559\n"
        + agents.certified(network.space.tls, HOST)
        + f"switches: [{{device: '{device(1)}', ports: [{', '.join(ports)}]}}]\n"
    )
    log = network.directory / "agent-of-switches.log"
    running = []

    def start():
        with open(log, "wb") as out:
            running.append(network.popen(*agents.command(config), stdout=out, stderr=subprocess.STDOUT))
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
    assert eventually(lambda: divided_by(rest)) == {"agent": HOST, "ports": [{"name": port} for port in ports]}
    allow("another")
    eventually(lambda: divided_by(rest) is None)

    leave(network, one)
    network.end(process)
    assert process.returncode == 0, said()
    assert "htb" not in queues(network, one)
