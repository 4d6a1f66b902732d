"""What is counted on a link at a moment between two readings."""

from __future__ import annotations

import math

from paceline_lab.networks.loads import Held, at_one_moment

QUICK, WIDE = (("1-2", 1), ("2-4", 2)), (("1-3", 1), ("3-4", 3))


def held(**of):
    return {name: Held(rate, way) for name, (rate, way) in of.items()}


def test_what_stands_counts_on_every_link_of_its_way():
    standing = held(a=(5, WIDE), b=(2, WIDE), c=(1, QUICK))
    assert at_one_moment(standing, standing, set()) == {("1-3", 1): 7, ("3-4", 3): 7, ("1-2", 1): 1, ("2-4", 2): 1}


def test_of_two_rates_the_lesser_held_at_that_moment_for_sure():
    before, after = held(a=(5, WIDE), b=(1, WIDE)), held(a=(1, WIDE), b=(5, WIDE))
    assert at_one_moment(before, after, set()) == {("1-3", 1): 2, ("3-4", 3): 2}


def test_who_changed_its_way_counts_on_the_links_of_both_and_no_others():
    before, after = held(a=(5, WIDE)), held(a=(5, (("1-3", 1), ("3-5", 3))))
    assert at_one_moment(before, after, set()) == {("1-3", 1): 5}
    assert at_one_moment(before, held(a=(5, QUICK)), set()) == {}


def test_behind_a_cut_link_nothing_comes():
    standing = held(a=(5, WIDE), b=(2, QUICK))
    assert at_one_moment(standing, standing, {"3-4"}) == {("1-3", 1): 5, ("1-2", 1): 2, ("2-4", 2): 2}
    assert at_one_moment(standing, standing, {"1-2"}) == {("1-3", 1): 5, ("3-4", 3): 5}


def test_whom_nobody_holds_is_more_than_any_link_has():
    standing = held(a=(math.inf, WIDE), b=(2, WIDE))
    assert at_one_moment(standing, standing, set()) == {("1-3", 1): math.inf, ("3-4", 3): math.inf}
