"""A demonstration on real ONOS that is left running: what it measured, what can be seen of it, who is refused by it."""

import json
import os
import subprocess
import sys

import pytest
from test_best_effort import leftovers
from test_demo import LAB, demo, listening

from paceline_lab.agents import FLAGS, JAR
from paceline_lab.controller import Controller
from paceline_lab.managed import lent_kbps

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """One demonstration, left running, and what it said and wrote until then."""
    out = tmp_path_factory.mktemp("demo")
    process = demo("--applications", "20", "--seconds", "15", "--warm-up", "6", "--cool-down", "15", "--agents", "both",
                   "--keep", "--out", str(out))  # fmt: skip
    said = ""
    while "logs:" not in said:
        line = process.stdout.readline()
        assert line, said
        said += line
    yield out, said
    cleaned = subprocess.run(
        [sys.executable, "-m", "paceline_lab", "clean"], env={**os.environ, "PYTHONPATH": str(LAB)}, capture_output=True, text=True
    )
    assert cleaned.returncode == 0, cleaned.stderr
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert leftovers() == set()
    assert not listening(6653) and not listening(8181)


def test_managed_every_conversation_has_its_rate_and_nothing_is_dropped(kept):
    out, said = kept
    result = json.loads((out / "result.json").read_text())
    best, managed = result["runs"]
    assert (best["mode"], managed["mode"]) == ("best-effort", "managed")
    assert best["droppedPackets"] > 0
    assert managed["droppedPackets"] == 0
    promised = json.loads((out / "conversations.json").read_text())
    assert len(promised) == 20
    for name, one in promised.items():
        assert one["installed"]["rateKbps"] <= (one["grant"]["rateKbps"] + lent_kbps(one)) * 1.001, name
    assert sum(one["grant"]["rateKbps"] for one in promised.values()) <= 0.96 * result["bottleneckKbps"]
    for kind, one in managed["types"].items():
        assert one["requests"] > 0 and one["target"] is not None, kind
    assert "Managed, the worst-off of 20 conversations" in said


def test_what_is_kept_goes_on_and_says_how_to_end_it(kept):
    _, said = kept
    assert "Ctrl-C ends it" in said and "tools/paceline down" in said
    state = Controller().state()
    assert state["agents"] == 6


@pytest.mark.parametrize(
    "host_id, rules, options, says",
    [
        ("plx", "rules: [{intent: voip/unheard-of, match: {protocol: udp}}]", [], "voip/unheard-of"),
        ("plsrv1", "rules: [{intent: voip/g729.1, match: {protocol: udp}}]", [], "DUPLICATE_HOST"),
        ("plx", "rules: [{intent: voip/g729.1, match: {protocol: udp}}]", ["--protocol-version", "99"], "99"),
        ("plx", "rules: [{intent: voip/g729.1, match: {protocoll: udp}}]", [], "protocoll"),
    ],
)
def test_an_agent_that_cannot_be_is_refused_and_leaves_nothing(kept, tmp_path, host_id, rules, options, says):
    (tmp_path / "rules.yaml").write_text(rules + "\n")
    # The lab's own management address reaches the controller from a namespace that has no agent yet.
    space = "plrefused"
    words = ["ip", "netns", "exec", space]
    subprocess.run(["ip", "netns", "add", space], check=True)
    try:
        for line in (
            "link add plm9 type veth peer name eth0 netns plrefused", "addr add 172.30.9.1/30 dev plm9", "link set plm9 up",
            "-n plrefused addr add 172.30.9.2/30 dev eth0", "-n plrefused link set eth0 up",
            "-n plrefused link add plx0 type veth peer name plx1", "-n plrefused addr add 10.77.0.1/24 dev plx0", "-n plrefused link set plx0 up",
        ):  # fmt: skip
            subprocess.run(["ip", *line.split()], check=True)
        (tmp_path / "agent.yaml").write_text(
            f"controller: 172.30.9.1:9559\nhostId: {host_id}\ninterfaces: [plx0]\nrules: rules.yaml\n"
        )
        done = subprocess.run(
            [*words, "java", *FLAGS, "-jar", str(JAR), "run", "--config", str(tmp_path / "agent.yaml"), *options],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert done.returncode == 2, done.stdout + done.stderr
        assert says in done.stdout + done.stderr
        assert "ace1" not in subprocess.getoutput(f"ip netns exec {space} tc qdisc show")
        assert "paceline" not in subprocess.getoutput(f"ip netns exec {space} nft list tables")
    finally:
        # First the link: a namespace goes away in its own time, and takes it along only then.
        subprocess.run(["ip", "link", "del", "plm9"], check=False)
        subprocess.run(["ip", "netns", "del", space], check=True)
