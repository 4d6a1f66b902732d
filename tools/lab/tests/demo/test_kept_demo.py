"""A demonstration on real ONOS that is left running: what it measured, what can be seen of it."""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict

import pytest
from paceline_lab.demo.lab import HEADROOM
from paceline_lab.demo.managed import RUN_DIRECTORY
from paceline_lab.networks.controller import Controller
from paceline_lab.networks.conversations import is_installed, lent_kbps
from paceline_lab.traffic import kpi, measure
from paceline_lab.traffic.kpi_reports import KPIS
from paceline_lab.traffic.mix import KINDS
from streams import FETCH, SERVE

from demo.test_best_effort import leftovers
from demo.test_demo import LAB, demo, listening
from switches.steps import eventually

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """One demonstration, left running, and what it said and wrote until then."""
    out = tmp_path_factory.mktemp("demo")
    process = demo("--applications", "20", "--seconds", "15", "--warm-up", "6", "--cool-down", "60", "--agents", "both",
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
    process.communicate(timeout=180)
    assert process.returncode == 130
    assert leftovers() == set()
    assert not listening(6653) and not listening(8181)


def overloaded(out, mode, kbps):
    """
    The measured seconds in which the bottleneck dropped something while it carried its whole rate, in that second and in the one before:
    more was sent to it than it carries. When a machine that has paused sends at once what it held back, the link has just been idle.
    """
    with open(out / f"{mode}.jsonl") as file:
        head, *samples = map(json.loads, file)
    wire = [(one["monotonic"], one["forward"]) for one in samples if one["source"] == "wire"]
    begin, end = head["window"]
    found, was_full = [], False
    for (before, first), (after, last) in zip(wire, wire[1:]):
        is_full = (last["forwardedBytes"] - first["forwardedBytes"]) * 8e-3 > 0.995 * kbps * (after - before)
        if was_full and is_full and last["droppedPackets"] > first["droppedPackets"] and begin < after and before < end:
            found.append(round(after - begin, 1))
        was_full = is_full
    return found


def test_best_effort_fills_the_link_and_its_users_suffer(kept):
    out, _ = kept
    result = json.loads((out / "result.json").read_text())
    run = result["runs"][0]
    assert run["mode"] == "best-effort"
    assert set(run["types"]) == {"web", "dl", "vod", "live", "ssh", "voip"}
    assert all(one["requests"] > 0 for one in run["types"].values())
    assert run["silentConversations"] == []
    # A full queue of the link takes 80 ms. A busy machine may not fill it all the time.
    assert run["rttMs"]["p50"] > result["baseRttMs"] + 10
    assert run["linkKbps"] > 30_000
    assert (out / "report.html").read_text().count("<svg") == 13


@pytest.mark.lasts(170)
def test_managed_every_conversation_has_its_rate_and_nothing_is_dropped(kept):
    out, said = kept
    result = json.loads((out / "result.json").read_text())
    best, managed = result["runs"]
    assert (best["mode"], managed["mode"]) == ("best-effort", "managed")
    assert best["droppedPackets"] > 0
    # Nothing is dropped because too much is sent. A pause of the machine may lose some all the same: what was held back comes at once, and of
    # a link that is sent 98 % of what it carries the queue empties slowly. Nobody managed, there is too much in most seconds.
    too_much, unmanaged = (overloaded(out, mode, result["bottleneckKbps"]) for mode in ("managed", "best-effort"))
    assert len(too_much) <= len(unmanaged) / 4, (too_much, unmanaged)
    promised = json.loads((out / "conversations.json").read_text())
    assert len(promised) == 20
    # All had just their rates at once, else the demo would have given up. Their agents have pools, so nothing is lent to them; and whatever
    # plan a rate that was read back is of, together they are within what may be sent: all but the headroom.
    assert not any(lent_kbps(one) for one in promised.values())
    granted = sum(one["grant"]["rateKbps"] for one in promised.values())
    assert granted <= 0.96 * result["bottleneckKbps"]
    installed = sum(one["installed"]["rateKbps"] for one in promised.values())
    assert installed <= (1 - HEADROOM / 100) * result["bottleneckKbps"]
    # A plan may be between the two; a rate that is held too high is so for all of them.
    assert installed <= 1.02 * granted
    for kind, one in managed["types"].items():
        assert one["requests"] > 0 and one["target"] is not None, kind
    assert "Managed, the worst-off of 20 conversations" in said
    account = managed["account"]
    assert account["samples"] > 0 and account["goodputKbps"] == managed["goodputKbps"]
    assert "where the link goes" in said
    dropped = next(one for one in result["claims"] if "packets dropped" in one["name"])
    assert dropped["holds"] == (managed["droppedPackets"] == 0) and result["command"].startswith("tools/paceline demo --applications 20")
    assert result["command"] in (out / "report.md").read_text()


def stretches(heard):
    """Loss and delay of a call as it may have been reported: in whole seconds since its first, as many as a call has at most."""
    begun, by_second = heard[0]["second"] + 1, {one["second"]: one for one in heard}
    found = set()
    for end in range(begun + 1, heard[-1]["second"] + 2):
        seconds = range(max(begun, end - measure.CALL_S), end)
        quality = measure.quality([by_second[one] for one in seconds if one in by_second], len(seconds))
        found.add(tuple(round(figure, 6) for figure in quality))
    return found


def test_what_the_controller_says_users_experience_is_what_the_demo_measured(kept):
    out, said = kept
    with open(out / "managed.jsonl") as file:
        _, *samples = map(json.loads, file)
    requests = {(one["id"], one["kpi"]): one["utility"] for one in samples if one["source"] == "records" and one.get("finished")}
    streams = defaultdict(list)
    for one in samples:
        if one["source"] == "voice":
            streams[one["stream"]].append(one)
    seen = set()
    for user, one in json.loads((out / "conversations.json").read_text()).items():
        felt, kind = one.get("experienced"), user.rpartition("-")[0]
        if not felt:
            continue  # one of several that has not ended by then
        kpis, seen = felt["kpis"], seen | {kind}
        if kind == "voip":
            assert (kpis["loss_fraction"], kpis["delay_ms"]) in stretches(streams[user]), (user, felt)
            assert felt["utility"] == pytest.approx(kpi.voice(kpis["loss_fraction"], kpis["delay_ms"]), abs=1e-5)
        else:
            assert felt["utility"] == pytest.approx(requests[user, kpis[KPIS[kind]]], abs=1e-5), (user, felt)
    assert seen == set(KINDS)
    best, managed = json.loads((out / "result.json").read_text())["runs"]
    assert "reportingUsers" not in best and managed["reportingUsers"] >= len(seen)
    assert all(managed["types"][kind]["experienced"] is not None for kind in seen)
    assert "users, as the controller has it: web " in " ".join(said.split())


def test_its_hosts_have_enrolled_and_their_keys_are_nowhere_else(kept):
    listed = Controller().get("/paceline/v1/agent-certificates")["certificates"]
    assert len({one["host"] for one in listed if one["inForce"]}) == len(listed) == 6
    assert {file.name for file in (RUN_DIRECTORY / "tls").glob("*.key")} == {"ca.key", "controller.key"}


def test_what_is_kept_goes_on_and_says_how_to_end_it(kept):
    _, said = kept
    assert "Ctrl-C ends it" in said and "tools/paceline down" in said
    eventually(lambda: Controller().state()["agents"] == 6)


def test_its_agents_have_certificates(kept):
    assert Controller().state()["agentsPort"].startswith("0.0.0.0:9559, with certificates of both sides")
    # Without a certificate of theirs the agents of the demo would be refused alike.
    eventually(lambda: Controller().state()["agents"] == 6)


def test_what_no_rule_names_is_held_there_too(kept):
    _, said = kept
    shells = {name: (address, words.split()[:-1]) for name, address, words in re.findall(r"a shell on (\S+) \((\S+)\): (.*)", said)}
    address, on_server = shells["plsrv1"]
    _, on_client = shells["plcli1"]

    def unnamed():
        return [one for one in Controller().conversations() if one["host"] == "plsrv1" and one["intent"] == "" and one["process"]]

    running = [subprocess.Popen([*on_server, sys.executable, "-c", SERVE, address, "65536", "0"], stdout=subprocess.PIPE, text=True)]
    try:
        assert running[0].stdout.readline() == "listening\n"
        running += [subprocess.Popen([*on_client, sys.executable, "-c", FETCH, address]) for _ in range(8)]
        (one,) = eventually(lambda: (found := unnamed()) and all(map(is_installed, found)) and found)
        assert one["process"].startswith("python") and one["grant"]["rateKbps"] < 100_000
        eventually(lambda: any("Host plsrv1 sends beside its agent's rules" in note and "python" in note for note in Controller().state()["notes"]))
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(60)
            if process.stdout:
                process.stdout.close()
