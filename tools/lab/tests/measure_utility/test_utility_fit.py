"""From samples to a table: the fit, its intervals, and whether what was measured is monotone."""

from __future__ import annotations

import itertools
import json
import random

import numpy as np
import pytest
from paceline_lab.checkout import LAB, ROOT
from paceline_lab.errors import Unusable
from paceline_lab.measure_utility import emodel
from paceline_lab.measure_utility.fit import at_samples, fit, monotone
from paceline_lab.measure_utility.models import MODELS, by_time, named
from paceline_lab.measure_utility.monotonicity import judge
from paceline_lab.measure_utility.result import nearness
from paceline_lab.measure_utility.samples import Samples, half_width, read

CATALOGUE = ROOT / "intents-json/src/main/resources/org/paceline/json/catalogue"
RATES, DELAYS = (100.0, 500.0, 1000.0, 2000.0, 4000.0), (0.0, 50.0, 100.0, 200.0)


def truth(rate, delay):
    return 1 + 4 * min(1, rate / 3000) * (1 - delay / 400)


def drawn(seed, deviation=0.1, repeats=5):
    dice = random.Random(seed)
    return Samples.of(
        (rate, delay, min(5, max(1, dice.gauss(truth(rate, delay), deviation)))) for rate in RATES for delay in DELAYS for _ in range(repeats)
    )


def is_monotone(table):
    return (np.diff(table, axis=0) >= 0).all() and (np.diff(table, axis=1) <= 0).all()


@pytest.mark.parametrize("seed", range(20))
def test_a_fit_is_monotone_and_nearer_than_any_other_monotone_table(seed):
    dice = np.random.default_rng(seed)
    values, weights = dice.uniform(1, 5, (4, 5)), dice.uniform(0.5, 3, (4, 5))
    fitted = monotone(values, weights)
    assert is_monotone(fitted)

    def off(table):
        return (weights * (table - values) ** 2).sum()

    # The projection onto a convex cone: no step towards any of its members comes nearer.
    for _ in range(100):
        other = np.minimum.accumulate(np.maximum.accumulate(dice.uniform(1, 5, (4, 5)), axis=0), axis=1)
        assert off(fitted) <= off(fitted + 0.01 * (other - fitted)) + 1e-4


def test_what_is_monotone_stays_as_it_is():
    values = np.array([[truth(rate, delay) for delay in DELAYS] for rate in RATES])
    assert monotone(values, np.ones(values.shape)) == pytest.approx(values, abs=1e-6)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    inside = []
    for seed in range(10):
        table = fit(drawn(seed), RATES, DELAYS, seed, draws=100)
        of = np.array([[truth(rate, delay) for delay in DELAYS] for rate in RATES])
        inside += list(((table.low - 1e-6 <= of) & (of <= table.high + 1e-6)).ravel())
    assert sum(inside) / len(inside) > 0.85


def test_equal_samples_give_an_equal_table():
    first, second = fit(drawn(1), RATES, DELAYS, 7), fit(drawn(1), RATES, DELAYS, 7)
    assert (first.low == second.low).all() and (first.utility == second.utility).all()


def test_between_places_it_is_linear_and_beyond_them_as_the_nearest():
    samples = Samples.of([(1000, 0, 3), (2000, 0, 4), (1000, 100, 2), (2000, 100, 3)])
    table = fit(samples, (500, 1000, 1500, 2000, 9000), (0, 50, 100, 300), draws=2).utility
    assert table[2] == pytest.approx([3.5, 3, 2.5, 2.5])
    assert table[0] == pytest.approx(table[1]) and table[4] == pytest.approx(table[3])


def test_what_was_not_measured_gives_way_to_what_was():
    samples = Samples.of([(1000, 0, 3), (2000, 0, 5), (1000, 100, 2), (2000, 100, 2.5), (1500, 50, 4)])
    table = fit(samples, (1000, 1500, 2000), (0, 50, 100), draws=2).utility
    assert table[1, 1] == pytest.approx(4, abs=0.01)
    assert table[0, 0] == pytest.approx(3, abs=0.01) and table[2, 2] == pytest.approx(2.5, abs=0.01)
    assert is_monotone(table)


@pytest.mark.parametrize("rates, delays", [((1000, 2000, 3000), (10,)), ((1000,), (0, 10, 20)), ((1000,), (10,))])
def test_one_line_of_places_or_a_single_one_is_enough(rates, delays):
    samples = Samples.of((rate, delay, truth(rate, delay)) for rate in rates for delay in delays)
    assert is_monotone(fit(samples, RATES, DELAYS, draws=2).utility)


def test_noise_alone_breaks_no_rule():
    broken = sum(bool(judge(samples, at_samples(samples)).breaks) for samples in map(drawn, range(20)))
    assert broken <= 3


def test_where_more_was_worse_the_place_is_named():
    samples = Samples.of((rate, delay, truth(rate, delay) - (1.5 if (rate, delay) == (4000, 0) else 0) + 0.05 * n)
                         for rate, delay, n in itertools.product(RATES, DELAYS, range(4)))  # fmt: skip
    verdict = judge(samples, at_samples(samples))
    assert verdict.breaks and verdict.breaks[0].second == (4000, 0)
    assert verdict.breaks[0].first == (4000, 50) and verdict.breaks[0].by == pytest.approx(1, abs=0.01)


def test_half_an_interval_is_students():
    assert half_width((3.0, 4.0, 5.0)) == pytest.approx(2.484, abs=0.001)
    assert half_width((3.0,)) == float("inf")


# The paper's own measurements and its tables: how near, in the mean and at most. SSH's table is smoother than its samples.
@pytest.mark.parametrize(
    "table, file, model, mean, most",
    [
        ("web", "web", "web", 0.03, 0.15), ("dl", "webdl", "download", 0.05, 0.3), ("vod", "metrics_dash_4sec", "video", 0.08, 0.4),
        ("live", "metrics_dash_1sec", "video", 0.15, 0.95), ("ssh", "ssh", "ssh", 0.25, 0.5),
    ],
)  # fmt: skip
def test_the_papers_measurements_give_its_tables(table, file, model, mean, most):
    near = nearness(read(LAB / f"tests/measured/{file}.csv", MODELS[model]), json.loads((CATALOGUE / f"{table}.json").read_text()))
    assert near.mean < mean and near.most < most


def test_a_file_without_the_columns_says_which(tmp_path):
    (tmp_path / "a.csv").write_text("throughputKbps,delayMs,loss\n100,0,0\n")
    with pytest.raises(Unusable, match="no column pageLoadS or pageLoadMs"):
        read(tmp_path / "a.csv", MODELS["web"])
    (tmp_path / "a.csv").write_text("throughputKbps,delayMs,pageLoadS\n100,0,fast\n")
    with pytest.raises(Unusable, match="Line 2"):
        read(tmp_path / "a.csv", MODELS["web"])
    (tmp_path / "a.csv").write_text("throughputKbps,delayMs,pageLoadS\n")
    with pytest.raises(Unusable, match="only a head"):
        read(tmp_path / "a.csv", MODELS["web"])


def test_the_e_models_defaults_are_the_standards():
    # ITU-T G.107: with all defaults R is 93.2, which is a score of 4.41.
    assert emodel.rating(0, 0) == pytest.approx(93.2, abs=0.05)
    assert emodel.opinion(93.2) == pytest.approx(4.41, abs=0.01)
    assert emodel.opinion(0) == 1 and emodel.opinion(100) == 4.5


def test_a_delay_of_a_call_is_not_noticed_below_150_ms_and_bad_at_400():
    # ITU-T G.114: users are very satisfied (R of 90) up to about 150 ms, and many are not (R below 70) at 400.
    assert emodel.rating(0, 150) == pytest.approx(90, abs=1)
    assert 55 < emodel.rating(0, 400) < 70
    ratings = [emodel.rating(0, delay) for delay in range(0, 1000, 5)]
    assert ratings == sorted(ratings, reverse=True)


def test_loss_costs_what_the_codec_says():
    # G.113: with 25.1 % of its packets lost G.711 with concealment has lost half of what there was.
    assert emodel.equipment(0.251, 0, 25.1) == pytest.approx(47.5)
    assert 1 == emodel.g711(1, 500) < emodel.g711(0.1, 100) < emodel.g711(0, 100) < emodel.g711(0, 0) == 5


def test_twice_as_long_costs_the_same_wherever_it_is():
    assert by_time(1, 10, 1000) == 5 and by_time(2000, 10, 1000) == 1
    assert by_time(10, 10, 1000) - by_time(20, 10, 1000) == pytest.approx(by_time(200, 10, 1000) - by_time(400, 10, 1000))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_says_what_it_lacks(name):
    with pytest.raises(ValueError, match="lacks"):
        MODELS[name].utility({"something": 1})


def test_a_model_of_ones_own_is_a_function_in_a_file(tmp_path):
    (tmp_path / "mine.py").write_text('def mine(responseS, loss):\n    """By hand."""\n    return 5 - responseS - loss\n')
    mine = named(f"{tmp_path / 'mine.py'}:mine")
    assert mine.kpis == ("responseS", "loss") and mine.source == "By hand."
    assert mine.utility({"responseS": 1, "loss": 0.5}) == 3.5
    with pytest.raises(ValueError, match="from 1 to 5"):
        mine.utility({"responseS": 9, "loss": 0})
    with pytest.raises(ValueError, match="no function"):
        named(f"{tmp_path / 'mine.py'}:other")
    with pytest.raises(ValueError, match="is not known"):
        named("fast")
