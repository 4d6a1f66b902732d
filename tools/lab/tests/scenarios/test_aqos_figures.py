"""AQoS's figures and claims, from counters that are made up."""

import json

import pytest
from paceline_lab import claims as printed
from paceline_lab.scenarios import aqos_report
from paceline_lab.scenarios.aqos_figures import Clock, claims, had_after, held_unused, idle, least_honoured, regains, summary
from paceline_lab.scenarios.counters import Series, counted
from paceline_lab.scenarios.draws import BEST_EFFORT, EXPERIMENTS

ONE = EXPERIMENTS[20]
CLOCK = Clock(at=100.0, interval_s=4.0, intervals=2)


def series(*pieces):
    """Counted every 10 ms: pieces of (seconds, kbit/s) from 97 on."""
    found, now, total = Series(), 97.0, 0.0
    found.add(now, 0)
    for seconds, kbps in pieces:
        for _ in range(round(seconds * 100)):
            now += 0.01
            total += kbps * 1.25
            found.add(now, round(total))
    return found


def flows(**egress):
    """Everybody is offered and gets 1000 at first and then 1300, but for whom it is said otherwise."""
    return {flow.name: egress.get(flow.name, series((3, 1000), (4, 1000), (5, 1300))) for flow in ONE.flows}


def test_between_samples_the_count_grows_in_proportion():
    one = Series([1.0, 2.0, 4.0], [0, 1000, 5000])
    assert [one.until(t) for t in (0, 1, 1.5, 3, 9)] == [0, 0, 500, 3000, 5000]
    assert one.kbps(2, 4) == 16.0
    assert Series().until(3) == 0


def test_the_kernels_table_is_read():
    text = "Inter-|   Receive  |  Transmit\n face |bytes    packets errs\n    lo: 12 3 0 0 0 0 0 0 34 5 0 0 0 0 0 0\nh-a:1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0\n"
    assert counted(text) == {"lo": (12, 34), "h-a": (1, 2)}


def test_a_reservation_counts_as_had_from_where_half_a_second_of_it_arrives():
    # QoS3 has 1100 reserved: 900 arrive for 1.3 s after the edge, then all of it.
    late = series((3, 900), (4, 900), (1.3, 900), (3.7, 1100))
    assert had_after(late, 1100, 104.0, 108.0) == pytest.approx(1.25, abs=0.11)
    assert had_after(series((3, 1100), (4, 1100), (5, 1100)), 1100, 104.0, 108.0) == 0
    assert had_after(series((12, 900)), 1100, 104.0, 108.0) is None


def test_only_who_comes_from_below_its_reservation_regains_it():
    rates = {"QoS1": [600, 700], "QoS2": [1300, 1400], "QoS3": [600, 1099], "QoS4": [999.9, 1000], BEST_EFFORT: [1000, 1000]}
    assert [(one["flow"], one["interval"]) for one in regains(ONE, rates, flows(), CLOCK)] == [("QoS1", 1), ("QoS4", 1)]


def test_the_least_that_arrived_of_a_reservation_leaves_the_first_moments_out():
    rates = {"QoS1": [600, 800], "QoS2": [1200, 1200], "QoS3": [600, 600], "QoS4": [900, 900], BEST_EFFORT: [1000, 1000]}
    egress = flows(QoS1=series((3, 600), (4, 600), (1, 0), (4, 700)), QoS2=series((3, 1200), (4, 1200), (2, 1080), (3, 1200)))
    assert least_honoured(ONE, rates, egress, CLOCK, 1.0) == pytest.approx((1080 + 2 * 1200) / 3 / 1200, abs=0.002)


def test_figures_are_of_the_intervals_alone():
    rates = {flow.name: [1000.0, 1300.0] for flow in ONE.flows}
    found = summary(ONE, rates, flows(), flows(QoS1=series((3, 5000), (4, 500), (4, 700), (1, 9999))), CLOCK, 1.0)
    assert found["flows"]["QoS1"]["egressKbps"] == pytest.approx([500, 700], abs=1)
    assert found["qosKbps"] == pytest.approx(600 + 3 * 1150, abs=2)
    assert found["totalKbps"] == pytest.approx(found["qosKbps"] + found["bestEffortKbps"], abs=0.2)


def test_what_was_idle_is_told_by_how_long_ago_rates_changed():
    rates = {flow.name: [900.0, 1300.0] for flow in ONE.flows}
    # Of the second interval's 5000 each gets 1000, but QoS2 only 500 in its first second.
    egress = flows(**{f.name: series((3, 900), (4, 900), (5, 1000)) for f in ONE.flows}) | {"QoS2": series((3, 900), (4, 900), (1, 500), (4, 1000))}
    found = idle(rates, egress, CLOCK)
    assert found == {part: pytest.approx(kbps, abs=2) for part, kbps in (("firstSecond", 500 / 8), ("secondSecond", 0), ("later", 0))}


def test_what_is_held_beyond_what_is_offered_is_told_of_each_flow():
    rates = {"QoS1": [600.0, 700.0], BEST_EFFORT: [1000.0, 1000.0]}
    held = [(99.0, {"QoS1": 9999, BEST_EFFORT: 0}), (101.0, {"QoS1": 620, BEST_EFFORT: 700}), (105.0, {"QoS1": 650, BEST_EFFORT: 1010})]
    assert held_unused(rates, held, CLOCK) == {"QoS1": 10, BEST_EFFORT: 5}
    assert held_unused(rates, [], CLOCK) == {}


def run(mode, qos, best, regained=(), honoured=0.99, repeat=0, **more):
    flow = {"reservedKbps": 700, "offeredKbps": [1.0, 2.0], "ingressKbps": [1.0, 2.0], "egressKbps": [1.0, 2.0], "wholeKbps": 1.5}
    return {"mode": mode, "protocol": "udp", "bestEffortPercent": 20, "repeat": repeat, "qosKbps": qos, "bestEffortKbps": best, "totalKbps": qos + best,
            "offeredPackets": 9, "droppedPackets": 1, "flows": {"QoS1": flow, BEST_EFFORT: {**flow, "reservedKbps": None}},
            "regains": [{"flow": "QoS1", "interval": 1, "seconds": s} for s in regained], "leastHonoured": honoured,
            "idleKbps": {"firstSecond": 3.0, "secondSecond": 2.0, "later": 1.0},
            "heldUnusedKbps": {"QoS1": 4.0} if mode == "adaptive" else {}, **more}  # fmt: skip


RIVALS = (run("queues", 4000, 1000), run("static-meters", 3750, 1000), run("hybrid", 3750, 1250))


def result(*runs):
    return {"runs": list(runs), "ceilingsPercent": {"20": {"queues": 8.0, "static-meters": 15.0, "hybrid": 15.0}}, "periodSeconds": 1.0, "intervalSeconds": 6.0,
            "paperIntervalSeconds": 20, "seed": 1, "bottleneckKbps": 5000, "draws": "as-told", "drawsTried": {"20": [13]}, "made": {"at": "2026-11-26T05:00+00:00", "commit": "x"}}  # fmt: skip


def by_name(found):
    return {one["name"].split("best effort: ")[1]: one for one in found}


def test_what_holds_and_what_does_not_stand_beside_each_other():
    found = by_name(claims(result(*RIVALS, run("adaptive", 4300, 690, [0.4, 1.2])), EXPERIMENTS))
    assert found["QoS throughput over queues"] | {"measured": 7.5, "target": 7.3, "reference": 7.3, "holds": True} == found["QoS throughput over queues"]
    assert found["QoS throughput over static-meters"]["measured"] == 14.67
    total = found["total over the best of the others"]
    assert (total["measured"], total["holds"], total["reference"]) == (-0.2, False, -2.48) and total["why"]
    again = found["a reservation is had again after, worst of 2"]
    assert (again["measured"], again["holds"]) == (1.2, False)
    assert found["least part of a reservation, when asked for"]["holds"]


def test_a_gain_below_the_target_says_how_much_these_draws_allow():
    found = by_name(claims(result(*RIVALS, run("adaptive", 4200, 800)), EXPERIMENTS))
    assert not found["QoS throughput over queues"]["holds"] and "8.0 %" in found["QoS throughput over queues"]["why"]
    assert "a reservation is had again after, worst of 0" not in found


def test_a_reservation_that_does_not_come_back_fails():
    found = by_name(claims(result(*RIVALS, run("adaptive", 4300, 700, [None])), EXPERIMENTS))
    assert found["a reservation is had again after, worst of 1"]["measured"] == 6.0


def test_repeats_are_compared_with_their_own_rivals_and_have_an_interval():
    second = [run("queues", 3000, 1000, repeat=1), run("adaptive", 3300, 700, repeat=1)]
    found = by_name(claims(result(*RIVALS, run("adaptive", 4400, 600), *second), EXPERIMENTS))
    queues = found["QoS throughput over queues"]
    assert queues["measured"] == 10.0 and queues["repeats"] == 2 and queues["interval"] == [10.0, 10.0]


def test_nothing_is_claimed_of_what_did_not_run_and_rivals_alone_are_shown():
    alone = result(*RIVALS, {**run("adaptive", 1, 1), "error": "no meters"})
    assert claims(alone, EXPERIMENTS) == []
    assert "failed: no meters" in aqos_report.table(alone)
    assert "held beyond" in aqos_report.idle_table(alone)


def test_a_report_is_written_that_the_claims_command_reads(tmp_path):
    made = result(*RIVALS, run("adaptive", 4300, 690, [0.4]))
    made["claims"] = claims(made, EXPERIMENTS)
    aqos_report.write(tmp_path, json.loads(json.dumps(made)))
    assert len(printed.read(tmp_path / "result.json")) == 6
    table = aqos_report.table(made)
    assert "+7.5 %" in table and "+14.7 %" in table
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 4 and "static-meters" in page
    report = (tmp_path / "report.md").read_text()
    assert "intervals of 6 s instead of the paper's 20 s" in report and "allow the paper's own gains (20 %: number 13)" in report
    assert "Draws: the seed's first." in aqos_report.markdown({**made, "draws": "any"})
