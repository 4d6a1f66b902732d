"""A short run of HNTES's experiments: what the paper found of a router is found here, and Paceline keeps a ping short."""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paceline_lab.checkout import LAB
from paceline_lab.demo import rivals
from paceline_lab.errors import Missing
from paceline_lab.options import ElephantOptions
from paceline_lab.scenarios import elephant_figures, elephant_report, elephants
from paceline_lab.scenarios.counters import Series
from paceline_lab.scenarios.elephant_figures import MANAGED, Clock


def test_trips_are_read_with_their_moments():
    text = "PING 10.0.0.1\n[1000.5] 64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=2.25 ms\n[1000.6] 64 bytes: time=3 ms\nno answer\n"
    assert elephant_figures.trips(text, -900.0) == [pytest.approx((100.5, 2.25)), pytest.approx((100.6, 3.0))]


def test_fairness_is_one_for_equals_and_half_for_one_of_two():
    assert elephant_figures.jain([5, 5]) == 1.0 and elephant_figures.jain([5, 0]) == 0.5


def test_datagrams_that_never_came_are_counted_by_their_numbers():
    received = {"at": [0.0, 1.0, 2.0], "datagrams": [0, 90, 190], "datagramsExpected": [0, 100, 200]}
    assert elephant_figures.lost_percent(received, 0, 2) == 5.0
    assert elephant_figures.lost_percent(received, 1, 2) == 0.0


def test_a_greedy_sender_is_counted_where_it_arrives():
    program = [sys.executable, "-m", "paceline_lab.scenarios.bulk"]
    environment = {**os.environ, "PYTHONPATH": str(LAB)}
    with subprocess.Popen([*program, "receive", "7999"], env=environment, stdout=subprocess.PIPE, text=True) as receiver:
        try:
            assert receiver.stdout and receiver.stdout.readline() == "listening\n"
            until = time.monotonic() + 3
            sender = subprocess.run([*program, "send", "127.0.0.1:7999", "--from=7998", "--at=0", f"--until={until}"], env=environment, capture_output=True)
            sent = json.loads(sender.stdout)
        finally:
            receiver.terminate()
        arrived = json.loads(receiver.stdout.read())
    assert sent["segments"] > 0 and arrived["segments"]["7998"]["arrived"] > 0
    assert arrived["bytes"]["7998"][-1] > 1_000_000 and arrived["bytes"]["7998"] == sorted(arrived["bytes"]["7998"])


def a_run(experiment, mode, elephant_kbps, ping_ms):
    """Of ten seconds, as the programs tell of it: the datagrams of experiment 6 and one elephant."""
    at = [float(second) for second in range(13)]
    counted = [int(125 * elephant_kbps * second) for second in range(13)]
    received = {
        "w": {"at": at, "bytes": {"7000": counted}, "segments": {"7000": {"arrived": 10, "outOfOrder": 0}}},
        "v": {"at": at, "datagrams": [600 * second for second in range(13)], "datagramsExpected": [600 * second for second in range(13)]},
    }
    told = [{"segments": 10, "retransmitted": 0, "reordered": 0}]
    pings = [(moment / 50, ping_ms) for moment in range(600)]
    found = elephant_figures.summary(elephants.EXPERIMENTS[experiment], 7000, Clock(2.0, 10.0), received, told, pings)
    return {"experiment": experiment, "mode": mode, "congestionControl": "cubic", "repeat": 0, "linkKbps": 50_000, "reordered": [0], **found}


def test_rates_over_time_are_of_frames_second_by_second():
    over_time = a_run("6", "split-80-20", 14_480, 3.0)["overTime"]
    assert over_time["elephant-1"] == [[float(second), 15_140.0] for second in range(1, 11)]
    assert over_time["datagrams"] == [[float(second), 5_001.6] for second in range(1, 11)]
    assert elephant_figures.frames_kbps(Series([0, 1], [0, 125_000]), 0, 1) == pytest.approx(1000 * 1514 / 1448, rel=1e-5)


def test_a_page_shows_the_ping_of_all_modes_and_what_crosses_the_link_in_each(tmp_path: Path):
    router, ours = a_run("6", "split-80-20", 40_000, 90.0), {**a_run("6", MANAGED, 35_000, 3.0), "othersKbps": [[-1.0, 0], [0.5, 7_000], [4.0, 16_000]]}
    # As results from before rates over time were kept, and one that failed.
    old = {key: value for key, value in a_run("3", "wred", 30_000, 3.0).items() if key != "overTime"}
    failed = {"experiment": "3", "mode": "scavenger-1", "congestionControl": "cubic", "repeat": 0, "error": "a <receiver> does not listen"}
    result = {"seconds": 10.0, "paperSeconds": 200, "bottleneckKbps": 50_000, "bufferBytes": 625_000, "runs": [router, ours, old, failed]}
    result["claims"] = elephant_figures.claims(result)
    elephant_report.write(tmp_path, result)
    page, report = ((tmp_path / name).read_text() for name in ("report.html", "report.md"))
    assert page.count("<svg") == 4 and "Experiment 6, cubic" in page and "Experiment 3, cubic" in page
    assert page.count('<g class="paceline">') == 1 and page.count('<g class="elephant-1">') == 2 and page.count('<g class="others-part">') == 1
    assert "others-part: s 4, kbit/s 1.6e+04" in page and "others-part: s -1" not in page
    assert "a &lt;receiver&gt; does not listen" in page and "a <receiver> does not listen" in report
    assert "scavenger-1</b>" not in page and "split-80-20</b>" in page


def test_a_congestion_control_that_the_kernel_lacks_is_left_out_and_the_report_says_so(tmp_path: Path, monkeypatch):
    asked = ElephantOptions(("3",), ("reno", "htcp", "cubic"), True, False, 8.0, 1, tmp_path)
    monkeypatch.setattr(rivals, "has_congestion_control", lambda name, available=None: name in ("reno", "cubic"))
    options = elephants.of_this_kernel(asked)
    assert options.congestion_controls == ("reno", "cubic") and options.missing == ("htcp",)
    result = elephants.Elephants(options, None, None, None).result()
    assert "Left out, for the kernel has not: htcp." in elephant_report.settings(result)
    assert "Left out" not in elephant_report.settings(elephants.Elephants(asked, None, None, None).result())


def test_where_the_kernel_has_none_that_was_asked_for_nothing_is_made(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(rivals, "has_congestion_control", lambda name, available=None: False)
    monkeypatch.setattr(elephants, "staged", lambda *any, **more: pytest.fail("a network is built"))
    with pytest.raises(Missing, match="no congestion control htcp"):
        elephants.run(ElephantOptions(("3",), ("htcp",), True, False, 8.0, 1, tmp_path))


def middle_ping(run):
    """In ms, of the second half of a run, by when all has settled. A pause of the machine does not move it, as it does the mean."""
    trips = [trip for _, trip in run["pingOverTime"]]
    return statistics.median(trips[len(trips) // 2 :])


@pytest.mark.e2e
@pytest.mark.lasts(150)
def test_an_elephants_queue_of_its_own_keeps_a_ping_short_and_a_scavenger_keeps_the_elephant_small(tmp_path: Path, capsys):
    assert elephants.run(ElephantOptions(("2", "3"), ("cubic",), True, True, 8.0, 1, tmp_path)) == 0
    result = json.loads((tmp_path / "result.json").read_text())
    runs = {(run["experiment"], run["mode"]): run for run in result["runs"]}
    with capsys.disabled():
        for (experiment, mode), run in runs.items():
            print(f"\n{experiment}, {mode}: ping {run['ping']['meanMs']} ms (idle {run['idlePing']['meanMs']}), {run['togetherKbps']} kbit/s", end="")
    one, two, managed = (middle_ping(runs["2", mode]) for mode in ("one-queue", "two-queues", MANAGED))
    assert one > 20 and max(two, managed) < one / 2
    free, policed, ours = (runs["3", mode]["elephants"][0] for mode in ("two-queues", "scavenger-1", MANAGED))
    assert min(free["kbps"], ours["kbps"]) > 0.25 * elephants.LINK_KBPS
    # What that costs is up to the sender's TCP: 0.67 to 0.77 of the rate was left.
    assert policed["retransmitted"] > free["retransmitted"]
    assert len(result["claims"]) == 4
