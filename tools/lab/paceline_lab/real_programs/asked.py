"""What `tools/paceline real-programs` was asked for."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arguments import between
from ..repeats import MOST as MOST_REPEATS
from .programs import PAIRS, Pair

# Of the scale's four points less than a tenth: what a plan promises and what users get are told apart no finer.
ERROR, SECONDS, REPEATS = 0.3, 10.0, 3


@dataclass(frozen=True)
class RealProgramsOptions:
    """`error`: of utility, that a generator may be off. `seconds`: of each turn of each program, at least."""

    pairs: tuple[Pair, ...]
    seconds: float
    repeats: int
    error: float
    out: Path
    command: str


def types(text: str) -> tuple[Pair, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in PAIRS:
            raise argparse.ArgumentTypeError(f"the type ({name}) is not known. Maybe {', '.join(PAIRS)}")
    return tuple(PAIRS[name] for name in names)


def repeats(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST_REPEATS:
        raise argparse.ArgumentTypeError(f"the repeats ({text}) must be a whole number from 1 to {MOST_REPEATS}. Maybe {REPEATS}")
    return int(text)


def add(commands: Any) -> None:
    listed = "; ".join(f"{one.name}: {one.program}, at {', '.join(f'{rate:g} kbit/s and {delay:g} ms' for rate, delay in one.places)}" for one in PAIRS.values())
    command = commands.add_parser(
        "real-programs", help="whether the lab's light generators fare as the programs that people use",
        epilog=f"Types, with their programs and places: {listed}. Exit codes: 0 all agree; 1 one differs, or a run failed; 2 wrong usage, or a program is missing; 130 interrupted.",
    )  # fmt: skip
    more = command.add_argument
    more("--types", type=types, default=tuple(PAIRS.values()), metavar="NAME[,NAME]", help=f"{', '.join(PAIRS)} (default: all)")
    more("--seconds", type=between(1, 3600, "s"), default=SECONDS, metavar="S", help=f"of each turn of a program at a place, at least; one sample it has anyway (default: {SECONDS:g})")
    more("--repeats", type=repeats, default=REPEATS, metavar="N", help=f"turns of each program at each place, in turn (default: {REPEATS})")
    more("--error", type=between(0.01, 4, "of utility"), default=ERROR, metavar="UTILITY",
         help=f"that a generator may be off and still agrees, less than a tenth of the scale (default: {ERROR:g})")  # fmt: skip
    more("--out", type=Path, default=Path("out/real-programs"), metavar="DIR", help="for samples and claims, result.json (default: out/real-programs)")


def chosen(got: argparse.Namespace) -> RealProgramsOptions:
    words = ["tools/paceline", "real-programs", "--types", ",".join(one.name for one in got.types)]
    words += ["--seconds", f"{got.seconds:g}", "--repeats", str(got.repeats), "--error", f"{got.error:g}"]
    return RealProgramsOptions(got.types, got.seconds, got.repeats, got.error, got.out, shlex.join(words))
