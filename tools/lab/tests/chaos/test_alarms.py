"""Of which faults an operator is to be told, and what of the alarms that ONOS has told."""

from __future__ import annotations

import contextlib
import itertools
import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from paceline_lab.chaos import alarms, faults
from paceline_lab.chaos.faults import BUSY_S, KINDS, LONG_S, LONGEST_S, UNHEARD_S, UNREAD_S, Fault, Step, step

UNREAD = "The pacing class mx1-3 at a1 cannot be read back; it should be (100 kbit/s). Maybe its switch or agent does not answer."
AT_A_SWITCH = "The flow rule cookie=0x7 at of:0000000000000004 cannot be read back; it should be ([OUTPUT:3] []). Maybe its switch or agent does not answer."


def due(seconds: float, *faults: Fault) -> list[str]:
    return [str(fault) for fault, _ in Step(1, faults, seconds).alarms()]


@pytest.mark.parametrize(
    "fault", [Fault("kill-agent", "a1"), Fault("freeze-agent", "a2"), Fault("cut-control", "a1"), Fault("wipe", "s4"), Fault("slow-switch", "s1")], ids=str
)
def test_an_alarm_is_due_of_who_cannot_be_read_for_long(fault):
    assert due(LONG_S[0], fault) == [str(fault)]
    assert due(LONGEST_S, fault) == []


def test_who_falls_silent_is_first_to_be_taken_for_gone():
    seconds = UNHEARD_S + UNREAD_S + BUSY_S - 0.1
    assert due(seconds, Fault("kill-agent", "a1"), Fault("freeze-agent", "a2")) == ["kill-agent a1"]


def test_no_alarm_is_due_of_what_is_led_around_or_mended_at_once():
    mended = [
        Fault("wipe", "s2"),
        Fault("slow-switch", "s3"),
        Fault("lossy-switch", "s1"),
        Fault("cut", "1-2"),
        Fault("lose-rules", "s1"),
        Fault("lose-queues", "a1"),
        Fault("slow-control", "a2"),
    ]
    assert due(LONG_S[1], *mended) == []


def test_no_alarm_is_due_where_onos_is_not_there_to_raise_it():
    assert due(LONG_S[1], Fault("kill-onos"), Fault("kill-agent", "a1")) == []


def test_of_whom_the_network_does_not_lead_as_before_it_is_not_said_that_its_agent_is_gone():
    assert due(LONG_S[1], Fault("wipe", "s4"), Fault("kill-agent", "a1")) == ["wipe s4"]


def test_only_steps_that_raise_an_alarm_so_are_long():
    steps = [step(3, number) for number in range(1, 400)]
    long = [one for one in steps if one.seconds > LONGEST_S]
    assert 10 < len(long) < 60
    assert all(one.alarms() for one in long)
    assert not any(one.alarms() for one in steps if one.seconds <= LONGEST_S)


def test_an_alarm_is_told_of_the_place_of_the_fault():
    gone, wiped = KINDS["kill-agent"].alarm, KINDS["wipe"].alarm
    assert gone and wiped
    assert gone.is_told_by([AT_A_SWITCH, UNREAD], "a1")
    assert not gone.is_told_by([AT_A_SWITCH, UNREAD], "a2")
    assert wiped.is_told_by([UNREAD, AT_A_SWITCH], "s4")
    assert not wiped.is_told_by([UNREAD, AT_A_SWITCH], "s1")


@pytest.mark.parametrize("alarms", [[set(), {"drops"}, {"drops", "planner-stalled"}], [set()]], ids=["raised", "missed"])
def test_onos_s_disk_goes_on_once_its_planner_is_late_or_nobody_says_so(alarms, monkeypatch):
    monkeypatch.setattr(faults, "ALARM_S", 0.5)
    did: list[str] = []
    answers = itertools.chain(alarms, itertools.repeat(alarms[-1]))
    disk = SimpleNamespace(stall=lambda: did.append("stalls"), go_on=lambda: did.append("goes on"))
    world: Any = SimpleNamespace(disk=disk, alarms=lambda: next(answers))
    with contextlib.nullcontext() if "planner-stalled" in alarms[-1] else pytest.raises(RuntimeError, match="nothing is planned"):
        Step(1, (Fault("hold-disk"),), 0.0).happen(world)
    assert did == ["stalls", "goes on"]


def test_of_what_onos_tells_only_alarms_that_are_raised_count():
    told = {"paceline-plan:alarm-raised": UNREAD, "paceline-plan:alarm-cleared": AT_A_SWITCH}
    lines = [f"data: {json.dumps({'ietf-restconf:notification': {'eventTime': '', name: {'sentence': said}}})}\n" for name, said in told.items()]
    assert list(alarms.sentences([": heartbeat\n", *lines, "\n"])) == [UNREAD]


def test_times_are_said_as_restconf_has_them():
    assert alarms.said(datetime(2026, 11, 29, 7, 5, 1, 250_000, UTC)) == "2026-11-29T07:05:01.250Z"
