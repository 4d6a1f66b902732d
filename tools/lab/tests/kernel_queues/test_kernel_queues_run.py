"""The wire's queue beside the kernel's own, with real TCP in Linux in user mode; and that nothing is left, whichever way it ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paceline_lab.checkout import LAB, ROOT

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("linux.uml"), reason="Linux in user mode is not installed. Maybe: apt-get install user-mode-linux"),
]


def compare(out):
    return subprocess.Popen(
        [sys.executable, "-m", "paceline_lab", "queues", "--queues", "fq-codel", "--seconds", "5", "--repeats", "1", "--mbit", "4", "--out", str(out)],
        env={**os.environ, "PYTHONPATH": str(LAB)}, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def kernels_of(out):
    """Processes of the other kernel that works there."""
    words = f"WORK={out / 'work'}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if words in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            continue
    return found


def nothing_is_left(out):
    until = time.monotonic() + 60
    while kernels_of(out) and time.monotonic() < until:
        time.sleep(0.1)
    assert not kernels_of(out) and not Path("/run/paceline-lab").exists()


@pytest.mark.lasts(120)
def test_kernel_and_wire_carry_the_same_traffic(tmp_path):
    process = compare(tmp_path)
    out, error = process.communicate(timeout=900)
    if "too little of the processor" in error.splitlines()[-1]:
        nothing_is_left(tmp_path)
        pytest.skip(error.splitlines()[-1])
    # Whether they agree is for a quiet machine and more repeats to say.
    assert process.returncode in (0, 1), out + error
    runs = json.loads((tmp_path / "result.json").read_text())["runs"]
    assert [(run["queue"], run["where"]) for run in runs] == [("fq-codel", "kernel"), ("fq-codel", "wire")], error
    for run in runs:
        assert [len(user) for user in run["bytes"]] == [1, 4] and all(flow > 0 for user in run["bytes"] for flow in user)
        # What arrives of TCP's payload is never more than the link carries, but for what waited when the measurement began.
        assert sum(map(sum, run["bytes"])) * 8 < 1.1 * 4e6 * run["seconds"]
        # No answer is faster than the line.
        assert run["pingMs"] and min(run["pingMs"]) >= 20 and min(run["roundTripMs"]) >= 20
        assert run["sentPackets"] > 0
    assert "In " in out.splitlines()[-1]
    nothing_is_left(tmp_path)


@pytest.mark.lasts(30)
def test_an_interrupted_comparison_ends_the_other_kernel(tmp_path):
    process = compare(tmp_path)
    until = time.monotonic() + 300
    while not (tmp_path / "work/results").exists():
        assert process.poll() is None and time.monotonic() < until, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 130, error
    nothing_is_left(tmp_path)
