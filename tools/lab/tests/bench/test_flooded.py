"""What is said of a flood: how much longer others take beside it, how sure that is, and what a viewer floods with."""

from __future__ import annotations

import json
import random
import time

import pytest
from paceline_lab import options
from paceline_lab.bench.flooded import Compared, rows
from paceline_lab.bench.questions import MOST_APPLICATIONS, Flood, large_problem, questions


def measured(factor, rounds=8, each=80, seed=1):
    """Rounds of which each is another draw of the machine's mood, which both of a pair share."""
    dice = random.Random(seed)
    compared = Compared()
    for _ in range(rounds):
        mood = dice.uniform(0.7, 1.5)
        compared.quiet.append([mood * dice.gammavariate(8, 2) for _ in range(each)])
        compared.flooded.append([factor * mood * dice.gammavariate(8, 2) for _ in range(each)])
    return compared


@pytest.mark.parametrize("factor", [1.0, 2.0, 3.0])
def test_how_many_times_as_long_it_takes_is_found_and_lies_within_the_interval(factor):
    compared = measured(factor)
    low, high = compared.interval(0.5)
    assert compared.ratio(0.5) == pytest.approx(factor, rel=0.15)
    assert low < compared.ratio(0.5) < high and low <= factor * 1.05 and high >= factor * 0.95


def test_a_claim_fails_with_its_reason_where_the_flood_costs_more_than_it_may():
    holds, fails = (measured(factor).claim("planned", "p50", 2.0, "a lock") for factor in (1.5, 3.0))
    assert holds["holds"] and "why" not in holds
    assert not fails["holds"] and fails["why"] == "a lock" and fails["repeats"] == 8
    assert fails["interval"][0] > 2


def test_one_pair_of_rounds_has_no_interval():
    claim = measured(1.0, rounds=1).claim("planned", "p99", 1.1, "")
    assert claim["interval"] is None and claim["repeats"] == 1


def test_equal_figures_give_equal_intervals():
    assert measured(1.0).interval(0.99) == measured(1.0).interval(0.99)


def test_a_round_in_which_nothing_came_is_no_pair():
    compared = Compared([[1.0], []], [[2.0], [9.0]])
    assert compared.pairs() == [([1.0], [2.0])]
    with pytest.raises(ValueError, match="No values"):
        Compared().ratio(0.5)


def test_the_table_and_the_file_say_the_same():
    compared = measured(2.0, rounds=3)
    said = json.loads(json.dumps(compared.to_json()))
    again = Compared(said["msQuiet"], said["msFlooded"])
    assert rows("planned", again) == rows("planned", compared)
    assert said["quiet"]["samples"] == 240 and f"{said['flooded']['p99']:.1f} ms" in rows("planned", compared)[-1]


def test_the_viewers_own_problem_is_the_largest_that_is_taken_and_small_enough_to_be_sent():
    problem = large_problem()
    names = {one["id"] for one in problem["applications"]}
    assert len(names) == len(problem["applications"]) == MOST_APPLICATIONS
    assert len(json.dumps(problem)) < 4_000_000
    assert {one["utilityFunction"] for one in problem["applications"]} <= set(problem["utilityFunctions"])
    assert all(link["capacityKbps"] == link["usageKbps"][-1] for link in problem["links"])


class OneLine:
    """A connection to a controller that is always busy; the first answer of each does not come."""

    def __init__(self):
        self.asked = []
        self.closed = 0

    def ask(self, question):
        self.asked.append(question.kind)
        if len(self.asked) == 1:
            raise ConnectionResetError
        return 429, 0.001

    def close(self):
        self.closed += 1


def test_every_connection_asks_again_when_it_may_until_the_flood_ends_and_is_counted():
    asked = questions({"intents": []}, "announced/c0")
    lines = [OneLine() for _ in range(3)]
    flood = Flood(lines, asked)
    for rounds in (1, 2):
        flood.begin()
        while min(len(line.asked) for line in lines) < 2 * rounds * len(asked):
            time.sleep(0.001)
        flood.end()
        assert not any(thread.is_alive() for thread in flood.threads)
    assert all(set(line.asked) == {one.kind for one in asked} and line.closed == 3 for line in lines)
    counted = flood.to_json()
    assert sum(sum(of.values()) for of in counted.values()) == sum(len(line.asked) for line in lines)
    assert sum(of.get("0", 0) for of in counted.values()) == len(lines)


def test_a_refused_connection_waits_as_long_as_it_is_told_but_not_beyond_the_flood():
    class Refused(OneLine):
        def ask(self, question):
            self.asked.append(question.kind)
            return 429, 3600.0

    line = Refused()
    flood = Flood([line], questions({}, "announced/c0"))
    flood.begin()
    while not line.asked:
        time.sleep(0.001)
    flood.end()
    assert len(line.asked) == 1


def test_questions_are_sent_as_they_are():
    (own,) = [one for one in questions({}, "announced/c0") if one.path == "solve"]
    assert json.loads(own.body)["name"] == "flood"


@pytest.mark.parametrize("words", [["first-packet", "--flood-rounds", "-1"], ["first-packet", "--flood-rounds", "101"], ["northbound", "--flood", "-1"]])
def test_a_flood_that_cannot_be_is_refused_with_its_value(words, capsys):
    with pytest.raises(SystemExit):
        options.parse(words)
    said = capsys.readouterr().err
    assert words[1] in said and words[2] in said


def test_a_flood_may_be_left_out():
    assert options.parse(["first-packet", "--flood-rounds", "0"]).flood_rounds == 0
    assert options.parse(["northbound", "--flood", "0"]).flood_s == 0
