"""Each switch has a way of its own to ONOS, which can be long and can lose packets, though both ends are in one namespace."""

from __future__ import annotations

import contextlib
import re
from types import SimpleNamespace
from typing import Any

import pytest
from paceline_lab.chaos.breakable import BreakableNetwork
from paceline_lab.chaos.faults import KINDS, SWITCHES, Fault
from paceline_lab.networks.space import Space

DELAY_MS = 100


@pytest.mark.parametrize(("kind", "begun", "ended"), [("slow-switch", ("s2", 500), ("s2", 0))])
def test_a_slow_switch_is_slow_until_the_fault_ends(kind, begun, ended):
    told: list[tuple[str, float]] = []
    world: Any = SimpleNamespace(network=SimpleNamespace(lengthen=lambda *words: told.append(words)))
    with Fault(kind, "s2").under_way(world):
        assert told == [begun]
    assert told == [begun, ended]


def test_kinds_of_a_switchs_way_happen_to_any_switch():
    assert KINDS["slow-switch"].places == KINDS["lossy-switch"].places == SWITCHES


@pytest.mark.e2e
@pytest.mark.lasts(20)
def test_the_way_of_one_switch_is_long_or_loses_and_the_others_are_not():
    with contextlib.closing(Space("plways")) as space, contextlib.closing(BreakableNetwork(space).open()) as network:
        world: Any = SimpleNamespace(network=network)

        def answers(switch: int) -> list[float]:
            said = network.inside("sh", "-c", f"ping -c 20 -i 0.05 -W 1 10.253.{switch}.2 || true")
            return [float(ms) for ms in re.findall(r"time=([0-9.]+)", said)]

        assert len(answers(1)) == len(answers(2)) == 20
        network.lengthen("s1", DELAY_MS)
        # As the switch and ONOS see it; ping says no more than three digits of it.
        assert min(answers(1)) > 2 * DELAY_MS - 1
        assert min(answers(2)) < DELAY_MS
        network.lengthen("s1", 0)
        assert min(answers(1)) < DELAY_MS
        with Fault("lossy-switch", "s1").under_way(world):
            # Of twenty there and back all would arrive once in a million times.
            assert 0 < len(answers(1)) < 20
            assert len(answers(2)) == 20
        assert len(answers(1)) == 20
