"""A demonstration on real ONOS that is left running: what it measured, what can be seen of it."""

import json
import os
import subprocess
import sys

import pytest
from test_best_effort import leftovers
from test_demo import LAB, demo, listening

from paceline_lab.controller import Controller

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
        # All had just their rates at once, else the demo would have given up. At its end a loan may have come or gone since the rate was
        # read back; it is at most as much again.
        assert one["installed"]["rateKbps"] <= 2 * one["grant"]["rateKbps"], name
    assert sum(one["grant"]["rateKbps"] for one in promised.values()) <= 0.96 * result["bottleneckKbps"]
    for kind, one in managed["types"].items():
        assert one["requests"] > 0 and one["target"] is not None, kind
    assert "Managed, the worst-off of 20 conversations" in said


def test_what_is_kept_goes_on_and_says_how_to_end_it(kept):
    _, said = kept
    assert "Ctrl-C ends it" in said and "tools/paceline down" in said
    state = Controller().state()
    assert state["agents"] == 6
