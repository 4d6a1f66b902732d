"""DiffPerf's figures: what a view was worth, who stands in which ratio, and what is claimed of it."""

import pytest
from paceline_lab.scenarios import diffperf_report
from paceline_lab.scenarios.diffperf import FAR_MS, NEAR_MS, round_trips_ms
from paceline_lab.scenarios.films import qoe, views
from paceline_lab.traffic.adaptation import Conventional

WEIGHTS = {"gold": 3, "silver": 2, "bronze": 1}


def view(levels, stalled=0.0, startup=0.0, finished=True):
    return {"levels": levels, "stalledS": stalled, "startupS": startup, "bytes": 125_000, "finished": finished}


def test_a_view_is_worth_its_bit_rates_without_what_changes_stalls_and_the_start_cost():
    assert qoe.qoe(view([0, 0, 0])) == pytest.approx(3.6)
    assert qoe.qoe(view([0, 2, 1])) == pytest.approx(1.2 + 4.1 + 2.2 - 2.9 - 1.9)
    assert qoe.qoe(view([0], stalled=2.0, startup=0.5)) == pytest.approx(1.2 - 4.1 * 2.5)
    assert qoe.qoe(view([])) == 0


def test_figures_of_many_views_are_sums_and_means():
    found = qoe.of_views([view([0, 0]), view([2, 2], stalled=1.0, finished=False)], 10.0)
    assert (found["qoe"], found["qoeMean"], found["qoeLeast"]) == (6.5, 3.25, 2.4)
    assert (found["stalledMeanS"], found["unfinished"], found["bitrateMeanKbps"], found["goodputKbps"]) == (0.5, 1, 2650, 200)


@pytest.mark.parametrize(("alpha", "gold_to_bronze"), [(0.5, 9), (1, 3), (2, 3**0.5), (5, 3**0.2)])
def test_the_models_ratio(alpha, gold_to_bronze):
    assert qoe.model_ratio(3, 1, alpha) == pytest.approx(gold_to_bronze)


def test_classes_are_held_to_the_model_by_their_means_and_by_their_farthest_flows():
    found = qoe.of_shares({"gold": [290.0, 310.0], "silver": [200.0], "bronze": [100.0, 100.0]}, WEIGHTS, 1.0)
    assert found["deviationPercent"] == 0 and found["ratios"]["gold/silver"] == {"model": 1.5, "measured": 1.5}
    assert found["flowDeviationPercent"] == pytest.approx(3.33, abs=0.01)
    assert qoe.of_shares({"gold": [240.0], "silver": [200.0], "bronze": [100.0]}, WEIGHTS, 1.0)["deviationPercent"] == pytest.approx(20)


def run(mode, worth, gamma=None, **more):
    entry = {"mode": mode, "congestionControl": "cubic" if mode == "service-classes" else mode, "bufferBytes": 1_000_000, "bufferMs": 66.7, "qoe": worth,
             "qoeMean": worth / 10, "qoeLeast": 0.0, "bitrateMeanKbps": 1200, "stalledMeanS": 1.0, "startupMeanS": 1.0, "droppedPackets": 0, **more}  # fmt: skip
    return entry if gamma is None else {**entry, "gamma": gamma}


def result(*runs):
    return {"clients": 10, "paperClients": 40, "seconds": 60, "paperSeconds": 600, "seed": 1, "bottleneckKbps": 12_500, "runs": list(runs)}


def test_gains_are_claimed_over_what_ran_with_the_same_buffer():
    found = qoe.claims(result(run("cubic", 100), run("bbr", 120), run("service-classes", 180, 0.0), run("service-classes", 170, 0.5)))
    by_name = {one["name"].split("QoE ")[1]: one for one in found}
    assert (by_name["at gamma 0 over cubic"]["measured"], by_name["at gamma 0 over cubic"]["holds"]) == (1.8, False)
    assert "18.0 a view" in by_name["at gamma 0 over cubic"]["why"]
    assert by_name["at gamma 0.5 over cubic"]["holds"] and by_name["at gamma 0.5 over cubic"]["reference"] == 1.62
    assert by_name["at gamma 0 over bbr"]["measured"] == 1.5
    other = qoe.claims(result(run("cubic", 100, bufferBytes=1), run("service-classes", 180, 0.0)))
    assert other == []


def paceline(worth, gamma=0.0, congestion="cubic", beta=-0.25, mean="F-minus", **more):
    return run("service-classes", worth, gamma, congestionControl=congestion, beta=beta, lowerMean=mean, **more)


def names(found):
    return [one["name"].partition("ms: ")[2] for one in found]


def test_what_runs_over_bbr_is_held_to_bbr_alone_in_what_a_view_is_worth_and_how_long_it_stalls():
    found = qoe.claims(result(run("cubic", 50), run("bbr", 100, stalledMeanS=10.0), paceline(170, congestion="bbr", stalledMeanS=5.0)))
    assert names(found) == ["QoE at gamma 0 over bbr, itself over bbr", "stalled at gamma 0, itself over bbr, as a part of bbr's alone"]
    assert [(one["measured"], one["target"], one["holds"]) for one in found] == [(1.7, 1.63, True), (0.5, 0.511, True)]
    longer = qoe.claims(result(run("bbr", 100, stalledMeanS=10.0), paceline(120, congestion="bbr", stalledMeanS=6.0)))
    assert [one["holds"] for one in longer] == [False, False] and "6.0 s, over bbr alone for 10.0 s" in longer[1]["why"]


@pytest.mark.parametrize(("buffer", "target"), [(100_000, 0.421), (1_000_000, 0.511), (10_000_000, 0.763)])
def test_stalls_over_bbr_are_claimed_of_each_of_the_papers_buffers_at_gamma_0(buffer, target):
    some = [run("bbr", 100, bufferBytes=buffer), *(paceline(170, gamma, "bbr", bufferBytes=buffer) for gamma in (0.0, 0.5, 1.0))]
    assert [one["target"] for one in qoe.claims(result(*some)) if "stalled" in one["name"]] == [target]


def test_where_bbr_alone_does_not_stall_nobody_may():
    for stalled, holds in ((0.0, True), (0.1, False)):
        found = qoe.claims(result(run("bbr", 100, stalledMeanS=0.0), paceline(170, congestion="bbr", stalledMeanS=stalled)))
        assert [one["holds"] for one in found if "stalled" in one["name"]] == [holds]


def test_nothing_is_claimed_of_betas_and_means_of_which_the_paper_prints_no_gain():
    assert qoe.claims(result(run("cubic", 100), paceline(180, beta=-0.5), paceline(180, mean="F-lower"))) == []


def seen(kbps):
    return [{**view([0]), "bytes": rate * 125 * 60, "tookS": 60.0} for rate in kbps]


def test_betas_are_compared_by_those_clients_that_each_would_call_low_without_paceline():
    alone = run("cubic", 100, views=seen([100, 500, 600, 800]))
    found = qoe.by_beta(result(alone, run("bbr", 90, views=seen([500] * 4)), *(paceline(110, 0.5, beta=beta, views=seen([400, 500, 500, 600])) for beta in (-1.0, 0.0))))
    (series,) = found
    assert (series["congestionControl"], series["gamma"], series["plainQoeMean"]) == ("cubic", 0.5, 10.0)
    # The mean is 500: who has just that is not below it.
    every, worst = series["betas"]
    assert (every["beta"], every["low"], worst["beta"], worst["low"]) == (0.0, 1, -1.0, 1)
    assert (worst["plainLowKbps"], worst["pacelineLowKbps"], worst["plainOthersKbps"], worst["pacelineOthersKbps"]) == (100, 400, 1900, 1600)
    assert qoe.by_beta(result(alone, paceline(110, views=seen([1] * 4)))) == [], "one beta is no sweep"
    assert qoe.by_beta(result(*(paceline(110, beta=beta, views=seen([1] * 4)) for beta in (-1.0, 0.0)))) == [], "nothing says who is low"


def test_nobody_is_low_where_all_have_the_same():
    assert qoe.low([5.0, 5.0], 0.0) == [False, False]
    assert qoe.low([1.0, 5.0, 6.0, 8.0], 0.0) == [True, False, False, False]


def test_it_is_said_which_mean_comes_nearer_to_the_papers_gains():
    some = [run("cubic", 100), paceline(300), paceline(160, 0.5), paceline(150, 1.0), paceline(130, 0.5, mean="F-lower"), paceline(120, 1.0, mean="F-lower")]
    assert qoe.lower_means(result(*some)) == {"meanDistance": {"F-minus": 0.05, "F-lower": 0.35}, "gains": 2, "nearer": "F-minus"}
    assert qoe.lower_means(result(*some[:-1])) is None, "the other has fewer gains to miss"
    assert qoe.lower_means(result(*some[:4])) is None
    assert qoe.lower_means(result(run("cubic", -1), *some[1:])) is None, "no quotient"
    same = [run("cubic", 100), paceline(160, 0.5), paceline(160, 0.5, mean="F-lower")]
    assert qoe.lower_means(result(*same))["nearer"] is None


def test_a_report_has_a_table_and_a_picture_of_betas_and_says_which_mean_comes_nearer(tmp_path):
    alone = run("cubic", 100, views=seen([100, 500, 600, 800]))
    made = result(alone, *(paceline(160, 0.5, beta=beta, mean=mean, views=seen([400, 500, 500, 600])) for mean in ("F-minus", "F-lower") for beta in (-0.25, 0.0)))
    made |= {"claims": qoe.claims(made), "byBeta": qoe.by_beta(made), "lowerMeans": qoe.lower_means(made)}
    diffperf_report.write(tmp_path, made)
    report = (tmp_path / "report.md").read_text()
    assert "Betas over cubic, gamma 0.5, F-lower, buffer of 66.7 ms" in report and "![What low ones have together](betas-2.svg)" in report
    assert "beta 0, 1 low, 400 kbit/s" in (tmp_path / "betas-1.svg").read_text()
    assert "Both come equally near to the paper's gains." in report and "service-classes over cubic, gamma 0.5, F-lower, beta 0 " in report


def test_where_the_rivals_views_are_worth_less_than_nothing_the_difference_is_claimed():
    (one,) = qoe.claims(result(run("cubic", -27), run("service-classes", 136, 0.0)))
    assert one["holds"] and one["measured"] == 16.3 and "difference" in one["name"] and one["reference"] is None


def test_ratios_within_five_percent_hold():
    shares = {"mode": "service-classes", "alpha": 0.5, "flowDeviationPercent": 9.0, "perFlowKbps": dict.fromkeys(WEIGHTS, 1.0),
              "ratios": {pair: {"model": 1.0, "measured": 1.0} for pair in ("gold/silver", "gold/bronze", "silver/bronze")}}  # fmt: skip
    assert [one["holds"] for one in qoe.claims(result({**shares, "deviationPercent": 4.9}, {**shares, "deviationPercent": 5.1}))] == [True, False]


def test_a_report_shows_what_ran_and_what_failed(tmp_path):
    made = result(run("cubic", 100), run("service-classes", 180, 0.0), {"mode": "bbr", "error": "broke off"})
    made["claims"] = qoe.claims(made)
    diffperf_report.write(tmp_path, made)
    report = (tmp_path / "report.md").read_text()
    assert "service-classes over cubic, gamma 0" in report and "bbr: failed: broke off" in report and "10 clients on 12.5 Mbit/s" in report


def test_of_ten_clients_three_are_far_and_a_seed_always_draws_the_same():
    trips = round_trips_ms(200, 1)
    assert trips == round_trips_ms(200, 1) != round_trips_ms(200, 2)
    far = [trip for place, trip in enumerate(trips) if (place + 1) * 3 // 10 > place * 3 // 10]
    near = [trip for place, trip in enumerate(trips) if (place + 1) * 3 // 10 == place * 3 // 10]
    assert (len(near), len(far)) == (140, 60)
    for drawn, (middle, spread) in ((near, NEAR_MS), (far, FAR_MS)):
        assert sum(drawn) / len(drawn) == pytest.approx(middle, abs=spread / 2)


def test_the_film_has_the_papers_bit_rates_on_average(tmp_path):
    views.write_film(tmp_path, 30)
    for level, kbps in enumerate(views.KBPS):
        whole = sum((tmp_path / f"{level}-{index}").stat().st_size for index in range(30))
        assert whole * 8 / 1000 / 60 == pytest.approx(kbps, rel=0.001)


def test_a_player_with_a_thousand_kilobits_stays_at_the_least_quality_and_with_ten_times_as_much_takes_the_best():
    for kbps, level in ((1000, 0), (10_000, 2)):
        rungs = views.ladder(30)
        player = Conventional(rungs)
        for index in range(30):
            player.downloaded(rungs.segment_bytes(player.level, index) * 8 / 1000 / kbps)
        assert player.level == level
