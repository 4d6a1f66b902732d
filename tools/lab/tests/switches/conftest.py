"""One ONOS with the application and one network with several ways, in namespaces, for all tests of this folder."""

from __future__ import annotations

import contextlib
import os

import pytest
from steps import eventually

from paceline_lab.multipath import DIAMOND_AND_RING, MultiPath
from paceline_lab.space import Onos, Space

# By the sender's port: what a conversation is.
INTENTS = {5022: "remote-terminal/sshadmin", 5004: "voip/g729.1", 5080: "file-download/emailattach"}
# A hundred more, of each in turn.
MANY = range(5100, 5200)


@pytest.fixture(scope="session")
def space():
    assert os.geteuid() == 0, "These tests make network namespaces. Maybe run them as root."
    made = Space("plx")
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="session")
def onos(space, tmp_path_factory):
    runs = Onos(space, tmp_path_factory.mktemp("onos") / "home")
    try:
        runs.up()
        yield runs
    finally:
        runs.down()


@pytest.fixture(scope="session")
def network(onos):
    built = MultiPath(onos.space, DIAMOND_AND_RING).open()
    try:
        built.connect()
        built.wait_until_seen(onos.rest)
        named = {port: intent for start, intent in INTENTS.items() for port in range(start, start + 8)}
        named |= {port: list(INTENTS.values())[number % 3] for number, port in enumerate(MANY)}
        rules = "rules:\n" + "".join(
            f"  - intent: {intent}\n    match: {{protocol: udp, localPort: {port}}}\n    group: socket\n"
            for port, intent in named.items()
        )
        for host in ("d1", "r1"):
            built.agent(host, rules)
        eventually(lambda: onos.rest.state()["agents"] == 2, 30)
        yield built
    finally:
        built.close()


@pytest.fixture(scope="session")
def rest(onos):
    return onos.rest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failure tells what the controller said last."""
    report = yield
    onos = getattr(item, "funcargs", {}).get("onos")
    if onos and report.when == "call" and report.failed:
        lines = [line[:500] for line in onos.log().splitlines() if "org.paceline.app" in line or " ERROR " in line]
        report.sections.append(("ONOS's log", "\n".join(lines[-60:])))
        if network := item.funcargs.get("network"):
            for log in network.directory.glob("agent-*.log"):
                report.sections.append((log.name, log.read_text(errors="replace")[-1500:]))
            for switch in (1, 2, 3, 4):
                report.sections.append((f"rules of switch {switch}", "\n".join(network.rules(switch, "priority="))))
        with contextlib.suppress(RuntimeError):  # it may be the controller that does not answer
            report.sections.append(("plan", str(onos.rest.get("/paceline/v1/plan"))[:3000]))
    return report
