"""What `tools/paceline bench queues` was asked for."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arguments import between
from ..repeats import MOST as MOST_REPEATS

QUEUES = ("fq-codel", "per-user")


@dataclass(frozen=True)
class QueuesOptions:
    """`mbit`: of the link. `seconds`: of each run, measured."""

    queues: tuple[str, ...]
    mbit: float
    seconds: float
    repeats: int
    out: Path


def some(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in QUEUES:
            raise argparse.ArgumentTypeError(f"the queue ({name}) has none of the kernel beside it. Maybe {', '.join(QUEUES)}")
    return names


def repeats(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST_REPEATS:
        raise argparse.ArgumentTypeError(f"the repeats ({text}) must be a whole number from 1 to {MOST_REPEATS}. Maybe 5")
    return int(text)


def add(commands: Any) -> None:
    more = commands.add_parser(
        "queues", help="whether the lab's queues do what the kernel's own do, in Linux in user mode",
        epilog="Exit codes: 0 all agree; 1 one differs, or a run failed; 2 wrong usage, or a program is missing; 130 interrupted.",
    ).add_argument  # fmt: skip
    more("--queues", type=some, default=QUEUES, metavar="NAME[,NAME]", help="fq-codel beside fq_codel, per-user beside cake dual-dsthost (default: both)")
    more("--mbit", type=between(1, 50, "Mbit/s"), default=10.0, metavar="MBIT", help="of the link, in Mbit/s (default: 10)")
    more("--seconds", type=between(3, 600, "s"), default=20.0, metavar="S", help="of each run, once eight have passed to settle (default: 20)")
    more("--repeats", type=repeats, default=5, metavar="N", help="of each queue in each place, in turn (default: 5)")
    more("--out", type=Path, default=Path("out/queues"), metavar="DIR", help="for samples and claims, result.json (default: out/queues)")


def chosen(got: argparse.Namespace) -> QueuesOptions:
    return QueuesOptions(got.queues, got.mbit, got.seconds, got.repeats, got.out)
