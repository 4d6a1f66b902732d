"""What all folders have in common that run a real ONOS."""

from __future__ import annotations

import contextlib

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failure tells what the controller, the agents and the switches said last."""
    report = yield
    fixtures = getattr(item, "funcargs", {})
    if report.failed and "onos" in fixtures:
        report.sections += last_words(fixtures["onos"], fixtures.get("network"))
    return report


def last_words(onos, network):
    # After the last test of a folder some of it is gone, and it may be the controller that does not answer.
    with contextlib.suppress(OSError, RuntimeError):
        lines = [line[:500] for line in onos.log().splitlines() if "paceline" in line or " ERROR " in line]
        yield "ONOS's log", "\n".join(lines[-60:])
        if network:
            for log in [*network.directory.glob("agent-*.log"), network.directory / "ovs-vswitchd.out"]:
                yield log.name, log.read_text(errors="replace")[-3000:]
            for switch in range(1, network.topology.switches + 1):
                yield f"rules of switch {switch}", "\n".join(network.rules(switch, "priority="))
        yield "plan", str(onos.rest.get("/paceline/v1/plan"))[:3000]
