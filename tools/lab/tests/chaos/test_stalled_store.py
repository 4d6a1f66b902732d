"""ONOS's disk takes nothing for half a minute: agents are answered all the same, and keep their sessions and conversations."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from paceline_lab.chaos.breakable import BreakableNetwork, BreakableWorld, Clocks
from paceline_lab.chaos.disk import Disk
from paceline_lab.chaos.invariants import problems
from paceline_lab.chaos.run import PATIENCE_S, patiently
from paceline_lab.chaos.world import AGENTS, PACED
from paceline_lab.scenarios.staging import staged

# An agent is taken for lost after six seconds without a word.
STALLED_S = 35.0


def attachments(world: BreakableWorld) -> dict[str, list[str]]:
    """What each agent has said of its sessions."""
    said = {host: (world.network.directory / f"agent-{host}.log").read_text().splitlines() for host in AGENTS}
    return {host: [line for line in lines if "attached" in line or "no controller" in line] for host, lines in said.items()}


def conversations(world: BreakableWorld) -> set[tuple[str, str]]:
    return {(one["host"], one["id"]) for one in world.rest.get(f"{PACED}/conversations")["conversations"]}


@pytest.mark.e2e
@pytest.mark.lasts(90)
def test_a_store_that_stalls_for_half_a_minute_detaches_nobody(tmp_path: Path):
    seen: list[tuple[dict[str, list[str]], set[tuple[str, str]], list[str]]] = []

    def look(world: BreakableWorld) -> None:
        wrong, seconds = patiently(lambda: problems(world))
        seen.append((attachments(world), conversations(world), wrong if seconds > PATIENCE_S else []))

    def act(terminal, network, onos, _) -> int:
        world = BreakableWorld(network, onos, disk, clocks)
        world.build()
        look(world)
        disk.stall()
        try:
            time.sleep(STALLED_S)
        finally:
            disk.go_on()
        look(world)
        world.stop()
        return 0

    with contextlib.closing(Disk().open()) as disk:
        clocks = Clocks(tmp_path)
        staged("plstall", True, "four switches", BreakableNetwork, act, "chaos", disk.folder / "onos")
    before, after = seen
    assert all(len(said) == 1 for said in before[0].values()), before[0]
    assert after == before
