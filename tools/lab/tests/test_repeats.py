import pytest
from paceline_lab.repeats import interval, together


def run(mode, repeat, **more):
    return {"mode": mode, "repeat": repeat, **more}


def test_figures_are_means_and_packets_are_added():
    found = together([
        run("best-effort", 0, droppedPackets=3, rttMs={"p50": 80.0, "p95": 90.0}, types={"web": {"requests": 4, "median": 4.0}}),
        run("managed", 0, droppedPackets=0, rttMs={"p50": 10.0, "p95": 11.0}, types={"web": {"requests": 3, "median": None}}),
        run("best-effort", 1, droppedPackets=4, rttMs={"p50": 82.0, "p95": 92.0}, types={"web": {"requests": 5, "median": 4.5}}),
        run("managed", 1, droppedPackets=1, rttMs={"p50": 10.0, "p95": 13.0}, types={"web": {"requests": 3, "median": 3.8}}),
    ])  # fmt: skip
    assert found == [
        {"mode": "best-effort", "droppedPackets": 7, "rttMs": {"p50": 81, "p95": 91}, "types": {"web": {"requests": 9, "median": 4.25}}},
        {"mode": "managed", "droppedPackets": 1, "rttMs": {"p50": 10, "p95": 12}, "types": {"web": {"requests": 6, "median": 3.8}}},
    ]


def test_what_only_some_repeats_know_is_the_mean_of_those():
    (found,) = together([run("managed", 0, jitterMs=None), run("managed", 1, jitterMs={"p95": 0.5}), run("managed", 2)])
    assert found["jitterMs"] == {"p95": 0.5}


def test_a_repeat_that_failed_is_seen_beside_those_that_did_not():
    failed = run("managed", 1, error="no grants")
    assert together([run("managed", 0, goodputKbps=1), failed]) == [{"mode": "managed", "goodputKbps": 1}, failed]


def test_an_interval_is_students():
    # scipy.stats.t.interval(0.95, 4, loc=3, scale=scipy.stats.sem([1, 2, 3, 4, 5])) is (1.0367..., 4.9632...).
    assert interval([1, 2, 3, 4, 5]) == pytest.approx([1.037, 4.963], abs=0.001)
    assert interval([2.0, 2.0]) == [2, 2]
    assert interval([2.0]) is None
