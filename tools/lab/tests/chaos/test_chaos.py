"""What can be said of chaos without any: its steps are the seed's, and a failing run becomes a short one."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from paceline_lab.chaos import run, world
from paceline_lab.chaos.faults import BEYOND_ONOS, KINDS, Step, step
from paceline_lab.chaos.run import Outcome, shrink, summary
from paceline_lab.networks.controller import Refused
from paceline_lab.options import PROMISED_S, ChaosOptions, parse


def test_a_step_is_the_seeds_whichever_steps_come_before_it():
    assert [step(7, number) for number in (3, 9)] == [step(7, number) for number in (3, 9)]
    assert len({str(step(7, number)) for number in range(1, 50)} & {str(step(8, number)) for number in range(1, 50)}) < 10


def test_every_kind_of_fault_happens_and_no_two_of_a_step_touch_the_same():
    steps = [step(1, number, beyond_onos=True) for number in range(1, 400)]
    assert {fault.kind for one in steps for fault in one.faults} == set(KINDS)
    assert {fault.kind for number in range(1, 400) for fault in step(1, number).faults} == set(KINDS) - BEYOND_ONOS
    for one in steps:
        assert len({fault.touches for fault in one.faults}) == len(one.faults)


@pytest.mark.parametrize("guilty", [{9}, {4, 9}, {1, 2, 9}, {2, 5, 7, 9}], ids=str)
def test_a_failing_run_is_tried_with_fewer_and_fewer_steps(guilty):
    tries = []

    def fails(steps):
        tries.append(steps)
        return guilty <= set(steps)

    assert set(shrink(list(range(1, 10)), fails, lambda: True)) == guilty
    assert len(tries) < 40


def test_shrinking_ends_when_it_may_not_go_on():
    assert shrink([1, 2, 3], lambda _: True, lambda: False) == [1, 2, 3]


@pytest.mark.parametrize("refusals", [2, 1000], ids=["for a while", "for good"])
def test_what_operators_are_refused_they_ask_for_again_until_the_promised_time_is_over(refusals, monkeypatch):
    left, clock = iter(range(refusals)), itertools.count(0.0, 0.1)
    monkeypatch.setattr(world.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(world.time, "sleep", lambda _: None)

    def call(*_: Any) -> dict[str, str]:
        if next(left, None) is not None:
            raise Refused("409 The sending host is not known to the controller.")
        return {"id": "r1"}

    hosts = {host.name: host for host in world.DIAMOND.hosts}
    network: Any = SimpleNamespace(hosts=hosts)
    one = world.World(network, SimpleNamespace(rest=SimpleNamespace(call=call)))
    if refusals < 10:
        one.reserve(100)
        assert one.reserved == {"r1"}
    else:
        with pytest.raises(Refused):
            one.reserve(100)
        assert not one.reserved


@pytest.fixture
def take(monkeypatch, tmp_path):
    """Three steps without faults of which the second takes so long until everything is right."""

    def steps(seconds: float, within_s: float = PROMISED_S) -> Outcome:
        answers = iter([1.0, seconds, 1.0])
        monkeypatch.setattr(run, "patiently", lambda *_: (["a rule of nobody"], next(answers)))
        monkeypatch.setattr(run, "keep", lambda logs, _: Path(logs).mkdir(parents=True))
        monkeypatch.setattr(run, "step", lambda _seed, number, _full: Step(number, (), 0.0))
        outcome = Outcome()
        world: Any = SimpleNamespace()
        options = ChaosOptions(1, 7, (1, 2, 3), 0, tmp_path, within_s=within_s)
        run.go_on(options, options.steps, SimpleNamespace(step=lambda _: None), world, outcome, tmp_path)
        return outcome

    return steps


def test_a_step_that_is_right_later_than_promised_fails_the_run(take):
    outcome = take(PROMISED_S + 1)
    assert outcome.failures == ["step 2: right after 11.0 s instead of 10 s; before that, a rule of nobody"]
    assert (len(outcome.steps), outcome.guilty) == (3, [1, 2])


def test_where_nothing_is_wrong_it_does_not_count_how_long_a_look_takes():
    assert run.patiently(lambda: time.sleep(0.2) or []) == ([], 0.0)


def test_beside_other_tests_it_may_take_longer_and_the_claim_says_so(take, tmp_path):
    outcome = take(PROMISED_S + 1, within_s=run.PATIENCE_S)
    assert (outcome.failures, outcome.guilty) == ([], [1, 2, 3])
    claim = summary(ChaosOptions(1, 7, (), 0, tmp_path), outcome)["claims"][0]
    assert (claim["measured"], claim["holds"]) == (11.0, False)


def test_an_alarm_that_is_due_and_was_not_raised_fails_the_run(take, monkeypatch):
    monkeypatch.setattr(run, "alarms_due", lambda _world, step, _since: {"alarm drift of kill-agent a1": step.number != 3})
    outcome = take(1.0)
    assert outcome.failures == ["step 3: nobody was told of an alarm that is due: alarm drift of kill-agent a1"]
    assert outcome.guilty == [1, 2, 3]


def test_what_ended_a_run_is_looked_for_before_what_was_late():
    outcome = Outcome([Step(number, (), 0.0) for number in (4, 5, 6)], broken=["step 6: a rule of nobody"], missed={1: ["step 4: late"]})
    assert (outcome.guilty, outcome.failures) == ([4, 5, 6], ["step 4: late", "step 6: a rule of nobody"])


def test_what_is_asked_for_by_hand_is_to_hold_what_is_promised():
    options = parse(["chaos", "--minutes", "1"])
    assert isinstance(options, ChaosOptions)
    assert options.within_s == PROMISED_S
