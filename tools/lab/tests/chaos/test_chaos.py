"""What can be said of chaos without any: its steps are the seed's, and a failing run becomes a short one."""

from __future__ import annotations

import pytest
from paceline_lab.chaos.faults import BEYOND_ONOS, KINDS, step
from paceline_lab.chaos.run import shrink


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
