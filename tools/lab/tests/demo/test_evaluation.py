"""
The smallest evaluation there is on three links in a row, on real ONOS: interrupted after its first run, it goes on with its second.

Its users come and go, and in one of its runs delays grow with load. That of one link differs from it by what the demo has, too.
"""

import gzip
import json
import os
import signal
import subprocess
import sys

import pytest

from demo.test_best_effort import leftovers
from demo.test_demo import LAB, listening
from switches.steps import eventually

pytestmark = pytest.mark.e2e


def evaluate(out, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "paceline_lab", "evaluate", "--sizes", "5", "--seeds", "1", "--repeats", "1", "--rivals", "fifo",
         "--bottlenecks", "3", "--on-off", "4,3", "--variants", "partly-managed,agents-missing,delay-grows", "--warm-up", "4", "--cool-down", "0", *words, "--out", str(out)],
        env={**os.environ, "PYTHONPATH": str(LAB)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def wait_for_a_run(process, file):
    eventually(lambda: file.exists() or process.poll() is not None, 240)
    assert file.exists(), process.communicate()[0]


def samples(out, run):
    with gzip.open(out / f"runs/5-users-seed-1-repeat-1-{run['mode']}.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines][1:]


@pytest.mark.lasts(250)
def test_an_interrupted_evaluation_leaves_nothing_and_goes_on_with_what_is_missing(tmp_path):
    first = tmp_path / "runs/5-users-seed-1-repeat-1-best-effort.jsonl.gz"
    process = evaluate(tmp_path, "--seconds", "5")
    wait_for_a_run(process, first)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=300)[0]
    assert process.returncode == 130 and "the same command goes on with it" in said, said
    assert "5 runs in 1 block; at most" in said and "run 1 of 5, about" in said
    assert leftovers() == set() and not listening(8181)
    assert list(tmp_path.glob("runs/*")) == [first]
    made = first.stat()

    other = evaluate(tmp_path, "--seconds", "6")
    said = other.communicate(timeout=120)[0]
    assert other.returncode == 2 and "differs in seconds (5.0, now 6.0). Maybe another --out DIR" in said

    process = evaluate(tmp_path, "--seconds", "5")
    said = process.communicate(timeout=400)[0]
    assert process.returncode == 0, said
    assert "1 of them are there already" in said and "run 1 of 4" in said and "managed less best-effort: least" in said
    assert "starting 3 host agents" in said and "starting 4 host agents" in said
    assert (first.stat().st_mtime_ns, first.stat().st_size) == (made.st_mtime_ns, made.st_size)
    assert leftovers() == set() and not listening(8181)

    result = json.loads((tmp_path / "result.json").read_text())
    best, partly, missing, grows, managed = runs = result["runs"]
    assert [run["mode"] for run in runs] == ["best-effort", "partly-managed", "agents-missing", "delay-grows", "managed"]
    assert partly["minTarget"] >= 1, "who has no agent has a grant, too"
    # Unless nothing finds it; it talks all the same.
    assert {kind for kind, of in missing["types"].items() if of["target"] is None} == {"dl"} and missing["types"]["dl"]["tail"] >= 1
    assert best["links"][0]["linkKbps"] > 15_000, "a download fills the first link"
    assert len(managed["links"]) == 3 and all(link["linkKbps"] > 0 for link in managed["links"])
    assert all(run["bottlenecks"] == 3 and set(run["byLinks"]) == {"1", "2", "3"} for run in runs)
    assert managed["minTarget"] >= 1 and managed["bound"]["proved"] and managed["bound"]["solveMs"] > 0
    # Who has no agent reports to none.
    assert managed["types"]["web"]["experienced"] is not None and partly["reportingUsers"] < 5 and "reportingUsers" not in best
    # What is promised to the worst-off is no more than the certificate allows.
    assert managed["minTarget"] <= managed["bound"]["leastUtility"] + 1e-3
    assert any("5 users, 3 links in a row: least utility above the best rival's (best-effort)" in claim["name"] for claim in result["claims"])

    drawn = {file.stem for file in tmp_path.glob("paper/figure-*.svg")}
    assert len(drawn) == 30 and "figure-9a" in drawn and "| round trip, managed, median |" in (tmp_path / "paper/README.md").read_text()

    raw = {run["mode"]: samples(tmp_path, run) for run in runs}
    for mode, records in raw.items():
        assert not [one for one in records if one.get("event") == "broken"], "who comes back finds its server"
        away = [one for one in records if one.get("event") == "away"]
        assert {"web-1", "ssh-1"} & {one["id"] for one in away} and any(one["closed"] for one in away), f"nobody was away in {mode}"
        grown = [wire[way]["loadDelayUs"] for wire in records if wire.get("source") == "wire" for way in ("forward", "backward") if "loadDelayUs" in wire[way]]
        assert (max(grown) > 0) if mode == "delay-grows" else not grown
    assert managed["returns"]["withoutRate"] == 0
    assert grows["callsMs"]["promised"] > 0 and grows["minTarget"] >= 1

    again = evaluate(tmp_path, "--seconds", "5")
    said = again.communicate(timeout=120)[0]
    assert again.returncode == 0 and "5 runs in 1 block, all of them there already" in said and "starting ONOS" not in said
