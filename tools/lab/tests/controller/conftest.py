"""One ONOS with the application, two switches and an agent, in namespaces, for all tests of this folder."""

from __future__ import annotations

import os

import pytest
from office import FILES, RULES, VOICE
from switches.steps import eventually, settled

from paceline_lab.multipath import Host, Link, MultiPath, Topology
from paceline_lab.space import Onos, Space

OFFICE = Topology(2, (Link(1, 2, 5, 30),), (Host("a1", 11, 1), Host("a2", 12, 1), Host("b1", 13, 2)))


@pytest.fixture(scope="session")
def onos(tmp_path_factory):
    assert os.geteuid() == 0, "These tests make network namespaces. Maybe run them as root."
    space = Space("plc")
    try:
        runs = Onos(space, tmp_path_factory.mktemp("onos") / "home")
        try:
            runs.up()
            yield runs
        finally:
            runs.down()
    finally:
        space.close()


@pytest.fixture(scope="session")
def network(onos):
    built = MultiPath(onos.space, OFFICE).open()
    try:
        built.connect()
        built.wait_until_seen(onos.rest)
        yield built
    finally:
        built.close()


@pytest.fixture(scope="session")
def talking(onos, network):
    """The agent on a1, with a call and a transfer to b1 that go on; all as granted."""
    address = network.hosts["b1"].address
    network.agent("a1", RULES)
    network.probe("b1", "receive", str(VOICE), str(FILES))
    network.probe("a1", "send", f"voice:{VOICE}:{address}:{VOICE}:50:60", f"files:{FILES}:{address}:{FILES}:200:1000")
    eventually(lambda: settled(onos.rest, address, [VOICE, FILES]), 60)
    return address


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failure tells what the controller and the agents said last."""
    report = yield
    arguments = getattr(item, "funcargs", {})
    if report.when == "call" and report.failed and "onos" in arguments:
        lines = [line[:500] for line in arguments["onos"].log().splitlines() if "paceline" in line or " ERROR " in line]
        report.sections.append(("ONOS's log", "\n".join(lines[-60:])))
        if network := arguments.get("network"):
            for log in network.directory.glob("agent-*.log"):
                report.sections.append((log.name, log.read_text(errors="replace")[-3000:]))
    return report
