"""Agents and controllers of an earlier commit and of this one work together, and each is upgraded while the other goes on."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.networks.emulated_network import running_network
from paceline_lab.networks.space import running_onos

from controller.conftest import OFFICE
from controller.office import RULES, VOICE, ask
from switches.steps import eventually, settled

pytestmark = [pytest.mark.e2e, pytest.mark.long]
# The newest of 23 November 2026. Hosts and controllers of then know nothing of what either has learnt to say since.
EARLIER = "8202f21e"
# A setting that there was not then.
NEW = "/paceline/v1/settings/controllerPacketsPerPort"


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """Its folder, with agent and application built."""
    folder = tmp_path_factory.mktemp("earlier")
    tree = folder / "tree.tar"
    if subprocess.run(["git", "-C", str(ROOT), "archive", f"--output={tree}", EARLIER], check=False).returncode != 0:
        pytest.skip(f"The commit ({EARLIER}) is not here, as in a clone without history. Maybe: git fetch --unshallow")
    subprocess.run(["tar", "-xf", str(tree), "-C", str(folder)], check=True)
    words = ["mvn", "-q", "-ntp", "-B", "package", "-DskipTests", "-Dquick", "-Dspotless.check.skip", "-pl", "app/onos,host-agent-java/agent", "-am"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    return folder


def application(folder: Path) -> Path:
    return next((folder / "app/onos/target").glob("*.oar"))


def test_hosts_and_controller_are_upgraded_one_after_the_other(earlier, tmp_path):
    with (
        running_onos("plv", tmp_path / "home", "--app", str(application(earlier))) as onos,
        running_network(onos, OFFICE) as network,
    ):
        address = network.hosts["b1"].address
        before = network.agent("a1", RULES, jar=earlier / "host-agent-java/agent/target/paceline-agent.jar")
        network.agent("a2", RULES)
        network.probe("b1", "receive", str(VOICE), str(VOICE + 1))
        for host, port in (("a1", VOICE), ("a2", VOICE + 1)):
            network.probe(host, "send", f"voice:{port}:{address}:{port}:50:60")

        def all_have_their_rates():
            return settled(onos.rest, address, [VOICE, VOICE + 1])

        eventually(all_have_their_rates)
        assert ask(onos, "GET", NEW)[0] == 404
        onos.upgrade()
        eventually(all_have_their_rates)
        assert ask(onos, "GET", NEW)[0] == 200
        network.end(before)
        eventually(lambda: not settled(onos.rest, address, [VOICE]))
        network.agent("a1", RULES)
        eventually(all_have_their_rates)
