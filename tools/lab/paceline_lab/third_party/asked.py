"""What `tools/paceline third-party` was asked for."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arguments import between
from ..repeats import MOST as MOST_REPEATS
from .programs import PROGRAMS, Program

USERS, MOST_USERS = (10, 40, 80), 200
SECONDS, REPEATS = 10.0, 3


@dataclass(frozen=True)
class ThirdPartyOptions:
    """`users`: beside how many each program runs, once for each number. `seconds`: of each turn, once it has found its rate."""

    programs: tuple[Program, ...]
    users: tuple[int, ...]
    seconds: float
    repeats: int
    out: Path
    command: str


def programs(text: str) -> tuple[Program, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in PROGRAMS:
            raise argparse.ArgumentTypeError(f"the program ({name}) is not known. Maybe {', '.join(PROGRAMS)}")
    return tuple(PROGRAMS[name] for name in names)


def users(text: str) -> tuple[int, ...]:
    if text == "none":
        return ()
    for one in text.split(","):
        if not one.isdigit() or not 1 <= int(one) <= MOST_USERS:
            raise argparse.ArgumentTypeError(f"the users ({one}) must be a whole number from 1 to {MOST_USERS}. Maybe 10,40,80, or none")
    return tuple(dict.fromkeys(map(int, text.split(","))))


def repeats(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST_REPEATS:
        raise argparse.ArgumentTypeError(f"the repeats ({text}) must be a whole number from 1 to {MOST_REPEATS}. Maybe {REPEATS}")
    return int(text)


def add(commands: Any) -> None:
    listed = "; ".join(f"{one.name}: {one.says}" for one in PROGRAMS.values())
    more = commands.add_parser(
        "third-party", help="what iperf3, rsync, a browser and apt get on a managed host, and what users notice of them",
        epilog=f"Programs: {listed}. Exit codes: 0 all is as claimed; 1 something is not, or a run failed; 2 wrong usage, or a program is missing; 130 interrupted.",
    ).add_argument  # fmt: skip
    more("--programs", type=programs, default=tuple(PROGRAMS.values()), metavar="NAME[,NAME]", help=f"{', '.join(PROGRAMS)} (default: all)")
    more("--users", type=users, default=USERS, metavar="N[,N]", help="beside so many, too; none: alone only (default: 10,40,80)")
    more("--seconds", type=between(2, 600, "s"), default=SECONDS, metavar="S", help=f"of each turn, once it has found its rate (default: {SECONDS:g})")
    more("--repeats", type=repeats, default=REPEATS, metavar="N", help=f"of each turn (default: {REPEATS})")
    more("--out", type=Path, default=Path("out/third-party"), metavar="DIR", help="for figures and claims, result.json and report.md (default: out/third-party)")


def chosen(got: argparse.Namespace) -> ThirdPartyOptions:
    words = ["tools/paceline", "third-party", "--programs", ",".join(one.name for one in got.programs), "--users", ",".join(map(str, got.users)) or "none",
             "--seconds", f"{got.seconds:g}", "--repeats", str(got.repeats)]  # fmt: skip
    return ThirdPartyOptions(got.programs, got.users, got.seconds, got.repeats, got.out, shlex.join(words))
