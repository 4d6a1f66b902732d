import json
import os
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest
from paceline_lab.checkout import LAB
from paceline_lab.machine.ledger import Busy, Ledger, namespace_of
from paceline_lab.machine.processes import started_at
from paceline_lab.networks.space import LedgerSpace, inside

from switches.steps import eventually

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(LAB)}


def sleeper():
    return subprocess.Popen(["sleep", "100"])


def test_what_was_started_is_ended(tmp_path):
    process = sleeper()
    ledger = Ledger.open(tmp_path / "run")
    ledger.note_process(process.pid)
    ledger.undo()
    assert started_at(process.pid) is None
    assert not (tmp_path / "run").exists()


@pytest.mark.e2e
def test_what_is_started_while_it_ends_is_ended_too(tmp_path):
    starts_another = "trap 'sleep 100 & exit' TERM; echo ready; while :; do sleep 0.05; done"
    process = subprocess.Popen(["unshare", "--net", "sh", "-c", starts_another], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    ledger = Ledger.open(tmp_path / "run")
    ledger.note("namespaces", namespace_of(process.pid))
    ledger.undo()
    assert ledger.in_namespaces() == []


def test_a_process_that_only_has_the_same_number_is_left_alone(tmp_path):
    process = sleeper()
    try:
        ledger = Ledger.open(tmp_path / "run")
        ledger.note("processes", [process.pid, "1"])
        ledger.undo()
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def test_what_a_killed_run_left_is_undone_by_the_next(tmp_path):
    process = sleeper()
    ledger = Ledger.open(tmp_path / "run")
    ledger.note_process(process.pid)
    ledger.content["runner"] = [999_999_999, "1"]
    ledger.write()
    Ledger.open(tmp_path / "run")
    assert started_at(process.pid) is None
    assert json.loads((tmp_path / "run/ledger.json").read_text())["runner"][0] == os.getpid()


@pytest.mark.e2e
def test_namespaces_of_a_killed_run_go_with_what_began_in_them(tmp_path):
    ledger = Ledger.open(tmp_path / "run")
    space = LedgerSpace("plledger", ledger)
    space.add_namespace("plledger-a")
    began = subprocess.Popen(inside("plledger-a", "sleep", "100"))
    eventually(lambda: namespace_of(began.pid) == Path("/run/netns/plledger-a").stat().st_ino)
    ledger.content["runner"] = [999_999_999, "1"]
    ledger.write()
    Ledger.open(tmp_path / "run").undo()
    assert started_at(began.pid) is None
    assert not list(Path("/run/netns").glob("plledger*"))


def test_of_two_that_begin_together_where_one_was_killed_only_one_runs(tmp_path):
    killed = Ledger.open(tmp_path / "run")
    killed.content["runner"] = [999_999_999, "1"]
    killed.note("undo", ["sleep", "1"])
    opens = "import sys, pathlib; from paceline_lab.machine.ledger import Ledger; Ledger.open(pathlib.Path(sys.argv[1])); print('runs', flush=True); sys.stdin.read()"
    both = [
        subprocess.Popen([sys.executable, "-c", opens, str(tmp_path / "run")], env=ENVIRONMENT, text=True, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        for _ in range(2)
    ]
    try:
        # Who is refused ends by itself; only then may the other.
        refused = eventually(lambda: next((one for one in both if one.poll() is not None), None))
        assert "another demo runs" in refused.communicate()[1]
        both.remove(refused)
        assert both[0].communicate("")[0] == "runs\n" and both[0].returncode == 0
    finally:
        for process in both:
            process.kill()
            process.communicate()


def test_a_run_that_goes_on_is_not_disturbed(tmp_path):
    other = sleeper()
    try:
        ledger = Ledger.open(tmp_path / "run")
        ledger.content["runner"] = [other.pid, started_at(other.pid)]
        ledger.write()
        with pytest.raises(Busy, match="another demo runs"):
            Ledger.open(tmp_path / "run")
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_what_is_undone_is_not_undone_once_more_when_others_have_its_names(tmp_path):
    """A network that fails to open undoes all, and so does its run at the end; in between the kernel has given its numbers away."""
    mine = Ledger.open(tmp_path / "run")
    log = tmp_path / "log"
    mine.note("undo", ["sh", "-c", f"echo undone >> {log}"])
    other = sleeper()
    try:
        mine.undo()
        mine.content["processes"].append([other.pid, started_at(other.pid)])  # as a number that another has by now
        theirs = Ledger.open(tmp_path / "run")
        mine.undo()
        assert other.poll() is None
        assert log.read_text().split() == ["undone"]
        assert theirs.file.exists()
        theirs.undo()
    finally:
        other.kill()
        other.wait()


def test_what_must_be_undone_is_undone_in_reverse(tmp_path):
    ledger = Ledger.open(tmp_path / "run")
    log = tmp_path / "log"
    for word in ("first", "second"):
        ledger.note("undo", ["sh", "-c", f"echo {word} >> {log}"])
    ledger.undo()
    assert log.read_text().split() == ["second", "first"]


KEPT = """
import pathlib, signal, sys
from paceline_lab.machine.ledger import Ledger
folder = pathlib.Path(sys.argv[1])
Ledger.open(folder).note("kept", True)
print("kept", flush=True)
signal.sigwait([signal.SIGTERM])
Ledger.open(folder).undo()
print("cleaned")
"""


def test_a_run_that_was_kept_cleans_up_by_itself(tmp_path):
    words = ["-c", f"import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]){KEPT}"]
    kept = subprocess.Popen([sys.executable, *words, str(tmp_path / "run")], env=ENVIRONMENT, text=True, stdout=PIPE)
    try:
        assert kept.stdout.readline() == "kept\n"
        Ledger.open(tmp_path / "run")
        assert kept.stdout.readline() == "cleaned\n"
    finally:
        kept.kill()
        kept.communicate()


def test_a_run_that_was_only_kept_to_look_at_is_ended(tmp_path):
    other = sleeper()
    try:
        ledger = Ledger.open(tmp_path / "run")
        ledger.content["runner"] = [other.pid, started_at(other.pid)]
        ledger.note("kept", True)
        Ledger.open(tmp_path / "run")
        assert started_at(other.pid) is None
    finally:
        other.kill()
        other.wait()
