"""Whatever is thrown on a running ONOS, in listeners, repeated tasks and each stage from agents' words to rates: the next event is handled."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from unittest import mock

import pytest
from paceline_lab.networks.agents import FLAGS
from paceline_lab.networks.emulated_network import running_network
from paceline_lab.networks.space import inside, running_onos
from paceline_lab.networks.topology import device

from controller.conftest import OFFICE
from controller.office import FILES, RULES, VOICE, alarms_but_drops, ask
from switches.steps import conversations, eventually, settled

pytestmark = [pytest.mark.e2e, pytest.mark.lasts(15)]
THROWER = Path(__file__).with_name("Thrower.java")
DEBUGGER = 5005
ONOS, CONTROL, GATEWAY = "org.paceline.onos", "org.paceline.control", "org.paceline.gateway"
# What runs by itself, once a second or so.
REPEATED = [
    f"{ONOS}.finding.FlowFinder#tick",
    f"{ONOS}.telemetry.SwitchCounters#readPorts",
    f"{CONTROL}.assurance.Reconciler#look",
    f"{GATEWAY}.AgentServer#beat",
    f"{CONTROL}.rollout.Planner#count",
]
# What a host calls for that comes and goes, and whose packets nobody knows.
OF_NETWORK = [f"{ONOS}.topology.OnosNetwork#changed", f"{ONOS}.forward.DefaultForwarding#process", f"{ONOS}.forward.DefaultForwarding#refresh"]
# What a conversation passes that an agent opens.
OF_CONVERSATIONS = [
    f"{GATEWAY}.AgentStream#open",
    f"{CONTROL}.rollout.Planner#open",
    f"{CONTROL}.planning.PlanningCycle#replan",
    f"{CONTROL}.rollout.Execution#carryOut",
    f"{CONTROL}.rollout.Rollout#send",
]


@pytest.fixture(scope="module")
def onos(tmp_path_factory):
    debugged = f"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:{DEBUGGER}"
    words = f"{os.environ.get('EXTRA_JAVA_OPTS', '')} {debugged}"
    with mock.patch.dict(os.environ, EXTRA_JAVA_OPTS=words), running_onos("plt", tmp_path_factory.mktemp("onos") / "home") as runs:
        yield runs


@pytest.fixture(scope="module")
def network(onos):
    with running_network(onos, OFFICE) as built:
        yield built


@pytest.fixture(scope="module")
def talking(onos, network):
    """The agents on a1 and a2, and a call of a1's to b1 that goes on, as granted."""
    address = network.hosts["b1"].address
    network.agent("a1", RULES)
    network.agent("a2", RULES)
    network.probe("b1", "receive", str(VOICE), str(FILES))
    network.probe("a1", "send", f"voice:{VOICE}:{address}:{VOICE}:50:60")
    eventually(lambda: settled(onos.rest, address, [VOICE]))
    return address


def thrown(onos, error, times, *places):
    """A debugger that has these places throw so often, and has said that it is ready."""
    words = ["java", *FLAGS, "--add-modules", "jdk.jdi", str(THROWER), str(DEBUGGER), "60", str(times), error, *places]
    debugger = subprocess.Popen(inside(onos.space.namespace, *words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = debugger.stdout.readline()
    assert said == "ready\n", said + debugger.stdout.read()
    return debugger


def has_thrown(debugger):
    said = debugger.stdout.read()
    assert debugger.wait(60) == 0, said
    debugger.stdout.close()


def is_well(onos, network):
    """Agents and switches are where they were, port counters are fresh, and no alarm says otherwise."""
    links = onos.rest.get("/paceline/v1/links")["links"]
    agents = {one["host"] for one in onos.rest.get("/paceline/v1/agents")["agents"]}
    counted = any("measuredKbps" in one for one in links if (one["from"], one["to"]) == (device(1), device(2)))
    return agents == {"a1", "a2"} and counted and not alarms_but_drops(onos)


@pytest.mark.parametrize("error", ["java.lang.StackOverflowError", "java.lang.IllegalStateException"])
def test_what_is_done_again_and_again_is_so_whatever_it_throws(onos, network, talking, error):
    assert ask(onos, "PUT", "/paceline/v1/settings/counterSeconds", {"value": 1})[0] == 200
    has_thrown(thrown(onos, error, 2, *REPEATED))
    # Each comes once more, as a second debugger sees.
    has_thrown(thrown(onos, error, 2, *REPEATED))
    eventually(lambda: is_well(onos, network))
    eventually(lambda: settled(onos.rest, talking, [VOICE]))


def test_a_listener_that_throws_costs_no_switch_and_no_event(onos, network, talking):
    def reached():
        return "1 received" in network.host("a1", "ping", "-c", "1", "-W", "1", network.hosts["a2"].address, check=False)

    debugger = thrown(onos, "java.lang.StackOverflowError", 2, *OF_NETWORK)
    while debugger.poll() is None:
        # ONOS sees ports go and come, and is asked who has the address.
        network.cut("1-2")
        network.mend("1-2")
        network.host("a1", "ip", "neigh", "flush", "dev", "eth0")
        reached()
    has_thrown(debugger)
    eventually(reached)
    eventually(lambda: settled(onos.rest, talking, [VOICE]))
    assert "Disconnecting switch" not in onos.log() and "Error while processing message from switch" not in onos.log()
    eventually(lambda: is_well(onos, network))


@pytest.mark.parametrize("place", OF_CONVERSATIONS)
def test_a_conversation_that_meets_a_fault_in_any_stage_is_served(onos, network, talking, place):
    port = FILES + OF_CONVERSATIONS.index(place) % 2
    debugger = thrown(onos, "java.lang.StackOverflowError", 1, place)
    sends = network.probe("a1", "send", f"files:{port}:{talking}:{port}:200:1000")
    try:
        eventually(lambda: settled(onos.rest, talking, [VOICE, port]))
        has_thrown(debugger)
    finally:
        network.harvest(sends)
    eventually(lambda: port not in conversations(onos.rest, talking))
    eventually(lambda: is_well(onos, network))
    assert "thrown by a test" in onos.log()
