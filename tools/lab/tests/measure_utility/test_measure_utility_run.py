"""A measurement between two real hosts: that a table comes of it, that it goes on where it was, and that nothing is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paceline_lab.checkout import LAB

pytestmark = pytest.mark.e2e

# A server that answers a byte with 40 kB, and a client that asks it and prints how long each answer took.
SERVE = """python3 -c '
import contextlib, os, socket
with socket.create_server((os.environ["PACELINE_SERVER"], 7000)) as ears:
    while True:
        line, _ = ears.accept()
        with contextlib.suppress(OSError):
            while line.recv(1):
                line.sendall(bytes(40000))'"""
USE = """python3 -c '
import json, os, socket, time

line = socket.create_connection((os.environ["PACELINE_SERVER"], 7000))
for _ in range(3):
    began, left = time.monotonic(), 40000
    line.sendall(b"?")
    while left:
        left -= len(line.recv(left))
    print(json.dumps({"responseS": time.monotonic() - began}), flush=True)'"""
GRID = ("--throughput", "800:8000:2", "--delay", "0:100:2", "--repeats", "2:2")


def measure(tmp_path, *words, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "paceline_lab", "measure-utility", *words, "--out", str(tmp_path / "out")],
        env={**os.environ, "PYTHONPATH": str(LAB)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more,
    )  # fmt: skip


def own(tmp_path, use=USE, serve=SERVE):
    served = ("--serve", serve) if serve else ()
    return measure(tmp_path, "test/answers", *GRID, "--command", use, *served, "--model", "ssh")


def nothing_is_left():
    assert "paceline-utility" not in subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    assert not Path("/run/paceline-lab").exists()


def samples(tmp_path):
    file = tmp_path / "out/samples.jsonl"
    return file.read_text().splitlines()[1:] if file.exists() else []


def test_a_command_of_ones_own_becomes_a_table(tmp_path):
    process = own(tmp_path)
    out, error = process.communicate(timeout=180)
    assert process.returncode == 0, error
    table = json.loads((tmp_path / "out/utility.json").read_text())
    assert (table["class"], table["intent"]) == ("test", "answers")
    fast, slow = table["utility"][1][0], table["utility"][0][1]
    # 40 kB take 40 ms over the best line and at least 600 ms over the worst, where the model says 2.8 and less.
    assert slow < 3 and fast > slow + 0.5
    assert fast >= table["utility"][1][1] and fast >= table["utility"][0][0]
    said = json.loads((tmp_path / "out/measurement.json").read_text())
    assert [place["repeats"] for place in said["places"]] == [2, 2, 2, 2]
    assert "4 places, 8 samples" in out
    nothing_is_left()


def test_an_interrupted_measurement_leaves_nothing_and_goes_on(tmp_path):
    process = own(tmp_path)
    until = time.monotonic() + 120
    while len(samples(tmp_path)) < 3:
        assert process.poll() is None and time.monotonic() < until, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130 and "the same command goes on" in error
    nothing_is_left()
    kept = samples(tmp_path)
    process = own(tmp_path)
    assert process.communicate(timeout=180) and process.returncode == 0
    assert samples(tmp_path)[: len(kept)] == kept and len(samples(tmp_path)) == 8
    nothing_is_left()


@pytest.mark.parametrize("use, says", [("echo oops >&2; exit 3", "oops"), ("echo '{\"loss\": 1}'", "lacks responseS"), ("true", "printed no KPI")])
def test_a_command_that_never_works_is_a_failure_and_not_a_table(tmp_path, use, says):
    process = own(tmp_path, use, serve=None)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1 and says in error
    assert not (tmp_path / "out/utility.json").exists()
    nothing_is_left()


@pytest.mark.lasts(45)
@pytest.mark.parametrize("intent", ["conferencing/browser", "surveillance/camera"])
def test_a_line_that_carries_an_application_is_worth_more_to_it_than_one_that_does_not(tmp_path, intent):
    process = measure(tmp_path, intent, "--throughput", "400:6000:2", "--delay", "20:20:1", "--repeats", "1:1")
    said = "".join(process.communicate(timeout=200))
    assert process.returncode == 0, said
    (narrow,), (wide,) = json.loads((tmp_path / "out/utility.json").read_text())["utility"]
    assert narrow < 3.5 and wide > narrow + 1
    nothing_is_left()
