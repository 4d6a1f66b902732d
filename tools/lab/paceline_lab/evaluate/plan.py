"""Which runs there are, in which order, and how long they take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..demo.lab import REPORTED_S
from ..demo.variants import MANAGED, MANAGED_RUNS
from .asked import MOST_SEED, EvaluateOptions

# From the command to the first run, between two runs, and for agents that start, open everything twice, and stop.
START_S, BETWEEN_S, AGENTS_S = 75.0, 4.0, 25.0


@dataclass(frozen=True, order=True)
class Block:
    """One of each run, with the same users and the same draws. Statistics take it as one."""

    size: int
    seed: int
    repeat: int

    @property
    def draws(self) -> int:
        """The seed of what is random in it; that of the first repeat is the seed itself, as the demo's is."""
        return self.seed + (self.repeat - 1) * (MOST_SEED + 1)


@dataclass(frozen=True)
class Planned:
    block: Block
    mode: str

    @property
    def name(self) -> str:
        block = self.block
        return f"{block.size}-users-seed-{block.seed}-repeat-{block.repeat}-{self.mode}"


def planned(options: EvaluateOptions) -> list[Planned]:
    """
    Block by block. All sizes have their first repeat before any has its second, so that what there is so far says something of each.

    Within a block runs follow each other, and each block begins with another one: whatever slowly changes on this machine, or lasts
    from one run to the next, meets all of them alike.
    """
    modes = (*options.modes, *options.variants, MANAGED)
    blocks = [
        Block(size, seed, repeat) for repeat in range(1, options.repeats + 1) for seed in options.seeds for size in options.sizes
    ]  # fmt: skip
    return [Planned(block, mode) for number, block in enumerate(blocks) for mode in turned(modes, number)]


def turned(modes: tuple[str, ...], number: int) -> tuple[str, ...]:
    first = number % len(modes)
    return modes[first:] + modes[:first]


def run_s(options: EvaluateOptions, run: Planned) -> float:
    """At most, on a machine that has nothing else to do."""
    lasts = options.warm_up_s(run.block.size) + options.seconds + options.cool_down + BETWEEN_S
    return lasts + (AGENTS_S + REPORTED_S if run.mode in MANAGED_RUNS else 0.0)


def remaining_s(options: EvaluateOptions, runs: Iterable[Planned]) -> float:
    """With the network to be built; nothing for nothing."""
    each = [run_s(options, run) for run in runs]
    return START_S + sum(each) if each else 0.0
