"""The network with real traffic and no controller, end to end; and that nothing is left of it, however it ends."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paceline_lab.checkout import LAB

from switches.steps import eventually

# Whatever these tests start has it in its environment, and nobody else on the machine.
OURS = f"the tests' process {os.getpid()}"
os.environ["PACELINE_BEGUN_BY"] = OURS

pytestmark = pytest.mark.e2e


@pytest.fixture
def demo():
    """Begins one with these words. What a test that fails leaves running is ended, or those after it would meet it."""
    processes = []

    def begin(*words):
        process = subprocess.Popen(
            [sys.executable, "-m", "paceline_lab", "demo", "--controller", "none", "--mode", "best-effort", *words],
            env={**os.environ, "PYTHONPATH": str(LAB)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        processes.append(process)
        return process

    yield begin
    for process in processes:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=180)


def namespaces():
    return set(re.findall(r"^(paceline-demo\S*)", subprocess.getoutput("ip netns list"), re.M))


def leftovers():
    # A line of it may say that links came and went meanwhile.
    found = namespaces() | set(re.findall(r"^\d+: (m-[^:@]*)", subprocess.getoutput("ip -o link"), re.M))
    if Path("/run/paceline-lab").exists():
        found.add("/run/paceline-lab")
    found |= {table for table in subprocess.getoutput("nft list tables").splitlines() if "paceline_lab" in table}
    return found | {words for _, words in begun() if "/run/paceline-lab" in words}


def begun():
    """The processes that these tests have begun, with their words."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if f"PACELINE_BEGUN_BY={OURS}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                yield int(pid), Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ")


def milliseconds(line, since):
    """What ss says of a connection; nothing is no time at all."""
    found = re.search(rf" {since}:(\d+)", line)
    return int(found[1]) if found else 0


def at_a_server(words):
    return subprocess.getoutput(f"ip netns exec paceline-demo-plsrv1 {words}")


@pytest.mark.lasts(85)
def test_rivals_have_the_same_network_one_after_the_other(tmp_path, demo):
    process = demo("--applications", "10", "--bottleneck", "20mbit", "--seconds", "5", "--warm-up", "4",
                   "--cool-down", "0", "--rival", "fq-codel,per-user,htb,dscp,bbr", "--out", str(tmp_path))  # fmt: skip
    said = ""
    while not said.endswith("s measured\n") or "bbr:" not in said:
        line = process.stdout.readline()
        assert line, said
        said += line
    # Of the run before there may be one that strict priority starved: it has not heard yet that its user has gone.
    now = eventually(lambda: [line for line in at_a_server("ss -tin state established").splitlines() if 0 < milliseconds(line, "lastrcv") < 3000])
    marks = at_a_server("nft list tables")
    said += process.communicate(timeout=300)[0]
    assert process.returncode == 0, said
    assert "marks" not in marks, "only who needs them has them"
    assert "the worst-off of 10 conversations has utility" in said
    assert any(" bbr " in line for line in now) and not any(" cubic " in line for line in now)
    runs = json.loads((tmp_path / "result.json").read_text())["runs"]
    assert [run["mode"] for run in runs] == ["best-effort", "fq-codel", "per-user", "htb", "dscp", "bbr"]
    best, codel, user, htb, dscp, bbr = runs
    for run in runs:
        assert run["linkKbps"] > 5_000, "each run's counters begin with its own wire"
        assert all(one["target"] is None for one in run["types"].values())
        assert (tmp_path / f"{run['mode']}.jsonl").exists()
    assert best["codelDroppedPackets"] == bbr["codelDroppedPackets"] == dscp["codelDroppedPackets"] == 0
    assert codel["codelDroppedPackets"] > 0 and user["codelDroppedPackets"] > 0
    # A probe that sends little passes by those who fill the link; in the FIFO it waits behind up to 400 ms of them.
    # By their marks echoes pass by downloads, too.
    assert max(one["rttMs"]["p50"] for one in (codel, user, htb, dscp)) < best["rttMs"]["p50"] / 2
    assert leftovers() == set()


def heeds_interrupts(pid):
    """Whether it has a handler for SIGTERM, which Python by itself has not."""
    caught = re.search(r"^SigCgt:\s+(\w+)", Path(f"/proc/{pid}/status").read_text(), re.M)[1]
    return int(caught, 16) >> (signal.SIGTERM - 1) & 1


@pytest.mark.parametrize("how, after_s", [(signal.SIGINT, 1.5), (signal.SIGTERM, 6.0), (signal.SIGINT, 14.0)])
def test_an_interrupt_at_any_moment_leaves_nothing(tmp_path, demo, how, after_s):
    began = time.monotonic()
    process = demo("--applications", "10", "--out", str(tmp_path))
    # Before that Python itself ends it.
    eventually(lambda: heeds_interrupts(process.pid))
    time.sleep(max(0.0, began + after_s - time.monotonic()))
    process.send_signal(how)
    said = process.communicate(timeout=180)[0]
    assert process.returncode == 130, said
    assert leftovers() == set()


def test_a_run_that_was_killed_is_cleaned_up_by_the_next_command(tmp_path, demo):
    process = demo("--applications", "10", "--out", str(tmp_path))
    eventually(namespaces)
    time.sleep(3)
    process.kill()
    process.communicate(timeout=120)
    assert leftovers() != set()
    done = subprocess.run(
        [sys.executable, "-m", "paceline_lab", "clean"], env={**os.environ, "PYTHONPATH": str(LAB)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert leftovers() == set()


def test_two_runs_at_once_are_refused(tmp_path, demo):
    first = demo("--applications", "10", "--out", str(tmp_path))
    eventually(Path("/run/paceline-lab/ledger.json").exists)
    second = demo("--applications", "10", "--out", str(tmp_path))
    said = second.communicate(timeout=120)[0]
    assert second.returncode == 2, said
    assert "another demo runs" in said
    assert first.poll() is None
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=180)
    assert leftovers() == set()


def test_without_root_it_says_so_and_makes_nothing(tmp_path):
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--clear-groups", sys.executable, "-m", "paceline_lab", "demo"],
        env={"PYTHONPATH": str(LAB), "PATH": os.environ["PATH"]}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert "needs root" in done.stderr
    assert leftovers() == set()


def test_without_open_vswitch_it_says_so_and_makes_nothing(tmp_path):
    # A PATH without it is a machine without it.
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("ip", "tc", "nsenter", "ethtool", "nginx", "nft", "ssh", "ssh-keygen", "gcc", "sh"):
        found = subprocess.getoutput(f"command -v {name}")
        (tools / name).symlink_to(found)
    done = subprocess.run(
        [sys.executable, "-m", "paceline_lab", "demo", "--out", str(tmp_path)],
        env={"PYTHONPATH": str(LAB), "PATH": str(tools)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "starting ONOS" not in done.stderr
    assert "Open vSwitch is not installed" in done.stderr
    assert leftovers() == set()
