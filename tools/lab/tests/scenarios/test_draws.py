"""AQoS's tables, what is drawn of them, and what sharing can make of it."""

import random
from statistics import mean

import pytest
from paceline_lab.scenarios.draws import (
    BEST_EFFORT,
    BOTTLENECK_KBPS,
    EXPERIMENTS,
    FLUID,
    ROOM,
    ceilings_percent,
    drawn,
    drawn_as_told,
    queues_carry,
    water_filled,
)

PERCENTS = pytest.mark.parametrize("percent", EXPERIMENTS)


@PERCENTS
def test_reservations_and_best_effort_are_just_the_link_and_so_are_the_queues(percent):
    one = EXPERIMENTS[percent]
    best_effort = BOTTLENECK_KBPS * percent / 100
    assert sum(flow.reserved for flow in one.qos) + best_effort == BOTTLENECK_KBPS == sum(one.queues.values())
    for number, least in one.queues.items():
        assert least == sum(best_effort if flow.reserved is None else flow.reserved for flow in one.flows if flow.queue == number)


@PERCENTS
def test_a_seed_always_draws_the_same_and_another_seed_something_else(percent):
    one = EXPERIMENTS[percent]
    assert drawn(one, 7) == drawn(one, 7) != drawn(one, 8)
    for flow in one.flows:
        assert len(drawn(one, 7)[flow.name]) == 10
        assert all(flow.least <= rate <= flow.most for rate in drawn(one, 7)[flow.name])
    assert set(drawn(one, 7)[BEST_EFFORT]) == {BOTTLENECK_KBPS * percent / 100}


@PERCENTS
def test_draws_are_spread_over_the_whole_range(percent):
    one = EXPERIMENTS[percent]
    rates = drawn(one, 1, 2000)
    for flow in one.qos:
        assert mean(rates[flow.name]) == pytest.approx((flow.least + flow.most) / 2, rel=0.03)


@PERCENTS
def test_draws_as_told_allow_the_papers_gains_and_are_the_first_that_do(percent):
    one = EXPERIMENTS[percent]
    rates, tries = drawn_as_told(one, 1)
    assert all(ceilings_percent(one, rates)[rival] >= gain + ROOM for rival, gain in one.gains.items())
    if tries == 1:
        assert rates == drawn(one, 1)
    else:
        assert any(ceilings_percent(one, drawn(one, 1))[rival] < gain + ROOM for rival, gain in one.gains.items())


def test_draws_that_never_allow_it_are_refused():
    one = EXPERIMENTS[20]
    with pytest.raises(ValueError, match="Maybe fewer intervals"):
        drawn_as_told(one, 1, intervals=5000, most_tries=3)


def test_what_one_leaves_the_others_share_in_proportion_to_their_weights():
    assert water_filled([100, 9999, 9999], [1, 2, 1], 1000) == pytest.approx([100, 600, 300])
    assert water_filled([100, 200], [1, 1], 1000) == pytest.approx([100, 200])


def test_shares_never_exceed_the_demands_nor_the_room_and_leave_no_room_while_somebody_wants_more():
    chance = random.Random(3)
    for _ in range(500):
        many = chance.randint(1, 6)
        demands = [chance.choice((0, chance.uniform(0, 500))) for _ in range(many)]
        weights = [chance.uniform(0.1, 5) for _ in range(many)]
        got = water_filled(demands, weights, 600)
        assert all(0 <= share <= demand + 1e-6 for share, demand in zip(got, demands))
        assert sum(got) == pytest.approx(min(600, sum(demands)))


def test_the_papers_example_of_two_flows_and_best_effort():
    # Queues 1:2:7 on 10 Mbit/s, section V: what QoS2 leaves is shared 1 to 7.
    assert water_filled([2000, 1000, 9000], [1, 2, 7], 10_000) == pytest.approx([1125, 1000, 7875])


@PERCENTS
def test_meters_carry_no_more_qos_than_queues_and_the_hybrid_as_much_as_meters(percent):
    one = EXPERIMENTS[percent]
    for seed in range(50):
        rates = drawn(one, seed)
        for i in range(10):
            offered = {name: row[i] for name, row in rates.items()}
            queues, meters, hybrid = (FLUID[name](one, offered) for name in ("queues", "static-meters", "hybrid"))
            assert queues == queues_carry(one, offered)
            assert meters[0] <= queues[0] + 1e-6 and meters[0] == hybrid[0]
            assert all(sum(carried) <= BOTTLENECK_KBPS + 1e-6 for carried in (queues, meters, hybrid))
