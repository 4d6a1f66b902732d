"""What each scheme guarantees on links that it shares with others, by its own formula."""

from __future__ import annotations

import pytest
from paceline_lab.soak.guarantees import Split, Table, best_effort, equal_shares, lower_part, utility_fair

BOTH, SECOND = ("1-2", "2-3"), ("2-3",)
STEP = Table(((100.0, 1.0), (200.0, 2.0), (400.0, 3.0), (800.0, 4.0)))
SMALL = Table(((100.0, 4.9),))


def test_the_parts_of_a_link_are_the_whole_of_it():
    split = Split(0.95, 0.5, 0.4)
    assert (split.of_adaptive(), split.of_classes(), split.of_utility()) == pytest.approx((0.475, 0.19, 0.285))
    assert split.of_adaptive() + split.of_classes() + split.of_utility() == pytest.approx(0.95)


@pytest.mark.parametrize("alpha, ratio", [(0.5, 9), (1, 3), (2, 3**0.5), (5, 3**0.2)])
def test_classes_stand_in_the_models_ratio_and_fill_the_room(alpha, ratio):
    flows = {"g1": (3.0, SECOND), "g2": (3.0, SECOND), "b1": (1.0, SECOND)}
    shares = equal_shares(flows, {"2-3": 7000.0}, alpha)
    assert shares["g1"] / shares["b1"] == pytest.approx(ratio) and shares["g1"] == shares["g2"]
    assert sum(shares.values()) == pytest.approx(7000)


def test_the_tightest_link_says_what_a_flow_has():
    shares = equal_shares({"a": (1.0, BOTH), "b": (1.0, SECOND)}, {"1-2": 300.0, "2-3": 1000.0}, 1)
    assert shares == {"a": 300, "b": 500}


def test_a_low_flow_has_something_at_any_gamma():
    assert (lower_part(0, 1), lower_part(0.5, 1), lower_part(0.5, 2), lower_part(1, 1), lower_part(1, 0)) == (1, 0.5, 0.25, 0.05, 1)


def test_the_worst_off_by_utility_has_what_all_can_have_at_once_less_epsilon():
    flows = {"a": (STEP, BOTH), "b": (STEP, BOTH), "voice": (SMALL, SECOND)}
    room = {"1-2": 850.0, "2-3": 900.0}
    # Utility 3 takes 400 and 400 of the first link, and of the second 100 more; utility 4 takes 1600.
    assert utility_fair(flows, room, 0.0) == {"a": 400, "b": 400, "voice": 100}
    assert utility_fair(flows, room, 1.0) == {"a": 200, "b": 200, "voice": 100}
    assert utility_fair(flows, {**room, "2-3": 899.0}, 0.0)["a"] == 200
    assert utility_fair(flows, {**room, "1-2": 100.0}, 0.0) == {"a": 0, "b": 0, "voice": 0}


def test_best_effort_has_two_hundredths_beside_reservations():
    assert best_effort({"a": BOTH, "b": SECOND}, {"1-2": 1000.0, "2-3": 5000.0}) == {"a": 20, "b": 50}
