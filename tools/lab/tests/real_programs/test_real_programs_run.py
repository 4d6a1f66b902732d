"""A short comparison between two real hosts: that claims come of it, and that nothing is left, whichever way it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paceline_lab.checkout import LAB, ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.lasts(60)]


def compare(tmp_path, types):
    return subprocess.Popen(
        [sys.executable, "-m", "paceline_lab", "real-programs", "--types", types, "--seconds", "1", "--repeats", "1", "--error", "4", "--out", str(tmp_path / "out")],
        env={**os.environ, "PYTHONPATH": str(LAB)}, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def nothing_is_left():
    assert "paceline-utility" not in subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    assert not Path("/run/paceline-lab").exists()


def test_both_programs_of_a_type_run_at_all_its_places(tmp_path):
    process = compare(tmp_path, "ssh")
    out, error = process.communicate(timeout=600)
    # Figures are for a quiet machine; here they are only there, by way of the widest error.
    assert process.returncode == 0, out + error
    result = json.loads((tmp_path / "out/result.json").read_text())
    places = result["places"]
    assert [place["type"] for place in places] == ["ssh"] * 3
    for place in places:
        for who in ("light", "real"):
            assert 1 <= place[who]["utility"] <= 5 and place[who]["turns"][0]
            # No answer is faster than its line's round trip.
            assert place[who]["kpis"]["responseS"] >= 2 * place["delayMs"] / 1000
    assert len(result["claims"]) == 3 and out.splitlines()[-1].startswith("At 3 of 3 places")
    nothing_is_left()


def test_an_interrupted_comparison_ends_both_programs(tmp_path):
    process = compare(tmp_path, "dl")
    until = time.monotonic() + 120
    while not any("curl" in words for words in command_lines(process)):
        assert process.poll() is None and time.monotonic() < until, process.communicate()
        time.sleep(0.05)
    mine = {pid for pid, _ in descendants(process)}
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) and process.returncode == 130
    # What has been killed is gone once somebody has waited for it.
    until = time.monotonic() + 60
    while running := [pid for pid in mine if runs(pid)]:
        assert time.monotonic() < until, running
        time.sleep(0.1)
    nothing_is_left()


def runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def descendants(process):
    """Process numbers and command lines of all that it has started, and of what these have."""
    parents, words = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(entry)] = int(Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
            words[int(entry)] = Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, IndexError):
            continue
    found, todo = [], [process.pid]
    while todo:
        parent = todo.pop()
        for child in [pid for pid, of in parents.items() if of == parent]:
            found.append((child, words.get(child, "")))
            todo.append(child)
    return found


def command_lines(process):
    return [words for _, words in descendants(process)]
