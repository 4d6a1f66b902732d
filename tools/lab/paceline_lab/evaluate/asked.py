"""What `tools/paceline evaluate` was asked for, and what it refuses before anything is made."""

from __future__ import annotations

import argparse
import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arguments import between
from ..demo.lab import BEST_EFFORT, BOTTLENECKS, SETTLING_S, opening_s
from ..demo.network import Bottleneck
from ..demo.rivals import RIVALS
from ..demo.variants import VARIANTS
from ..traffic.client import PAUSE_S, SSH_PAUSE_S
from ..traffic.mix import APART, MOST_APPLICATIONS, most_applications
from ..traffic.on_off import OnOff

NAME = "evaluate"
# A FIFO with CUBIC is best effort.
FIFO = "fifo"
MODES = {FIFO: BEST_EFFORT, **{name: name for name in RIVALS}}
MOST_SEED, MOST_REPEATS = 9_999, 100
SIZES, SEEDS, REPEATS = (10, 20, 40, 60, 80, 120), (1, 2), 3
SECONDS, COOL_DOWN = 60.0, 45.0
# Three sizes, so short that all rivals fit into so many minutes.
QUICK_SIZES, QUICK_SECONDS, QUICK_COOL_DOWN, QUICK_MOST_S = (20, 40, 80), 30.0, 8.0, 25 * 60.0
# Sieber et al. 2020, section 7.1.
PAPER_SIZES, PAPER_REPEATS, PAPER_SECONDS, PAPER_MARGINS = tuple(range(10, 130, 10)), 11, 900.0, 60.0


@dataclass(frozen=True)
class EvaluateOptions:
    """
    `modes` are the rivals', `variants` the managed runs that are not as usual. `bottlenecks`: so many in a row. A warm-up of None is as
    long as the users need to come. Without `on_off` nobody is ever away.
    """

    sizes: tuple[int, ...]
    seeds: tuple[int, ...]
    repeats: int
    modes: tuple[str, ...]
    variants: tuple[str, ...]
    bottlenecks: int
    seconds: float
    warm_up: float | None
    cool_down: float
    ssh_pause_s: float
    on_off: OnOff | None
    most_s: float | None
    out: Path
    command: str

    @property
    def bottleneck(self) -> Bottleneck:
        """Each of them."""
        return BOTTLENECKS[self.bottlenecks]

    @property
    def apart(self) -> bool:
        """A tenth of the applications has a server of its own, in all runs alike, where a variant has no agent there."""
        return any(VARIANTS[name].without_agent == APART for name in self.variants)

    def warm_up_s(self, size: int) -> float:
        return self.warm_up or opening_s(size) + SETTLING_S

    def opening_s(self, size: int) -> float:
        """Within which users come: the warm-up, but for its end."""
        return max(self.warm_up_s(size) - SETTLING_S, self.warm_up_s(size) * 2 / 3)

    def settings(self) -> dict[str, Any]:
        """All on which one run depends, and beside which others it stands."""
        bottleneck = self.bottleneck
        return {
            "rivals": list(self.modes), "seconds": self.seconds, "warmUp": self.warm_up, "coolDown": self.cool_down, "sshPauseS": self.ssh_pause_s,
            "bottleneckKbps": bottleneck.bits_per_second // 1000, "bufferBytes": bottleneck.fifo_bytes, "delayMs": bottleneck.delay_ms,
            **({"bottlenecks": self.bottlenecks} if self.bottlenecks > 1 else {}),
            **({"onOff": self.on_off.to_json()} if self.on_off else {}),
            **({"variants": list(self.variants)} if self.variants else {}),
        }  # fmt: skip


def numbers(what: str, least: int, most: int, example: str):  # type: ignore[no-untyped-def]
    """Whole numbers with commas between them, each once and in order."""

    def parse(text: str) -> tuple[int, ...]:
        if not re.fullmatch(r"\d{1,6}(,\d{1,6})*", text) or not all(least <= int(word) <= most for word in text.split(",")):
            raise argparse.ArgumentTypeError(f"the {what} ({text}) must be whole numbers from {least} to {most}, with commas between them. Maybe {example}")
        return tuple(sorted({int(word) for word in text.split(",")}))

    return parse


def on_off(text: str) -> OnOff:
    words = text.split(",")
    if len(words) != 2:
        raise argparse.ArgumentTypeError(f"the times on and off ({text}) must be two numbers, ON,OFF. Maybe 10,10")
    return OnOff(*map(between(1, 3600, "s"), words))


def some_of(what: str, known: Mapping[str, str]):  # type: ignore[no-untyped-def]
    """Names with commas between them; the modes of their runs."""

    def parse(text: str) -> tuple[str, ...]:
        words = [word.strip() for word in text.split(",")]
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError(f"the {what} ({word}) is not known. Maybe {','.join(known)}")
        return tuple(mode for name, mode in known.items() if name in words)

    return parse


def repeats(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST_REPEATS:
        raise argparse.ArgumentTypeError(f"the number of repeats ({text}) must be from 1 to {MOST_REPEATS}. Maybe {REPEATS}")
    return int(text)


def add(commands: Any) -> None:
    command = commands.add_parser(
        NAME, help="managed against what one would pick instead, by number of users, with intervals",
        description="Runs managed and each rival for each size, seed and repeat, on one network with real traffic, and says at which size who is ahead and how sure that is. "
        "The same command goes on where it was interrupted; more sizes, seeds or repeats add to what is there.",
    )  # fmt: skip
    more = command.add_argument
    more("--sizes", type=numbers("sizes", 1, MOST_APPLICATIONS, "20,40,80"), metavar="N[,N]",
         help=f"numbers of users (default: {shown(SIZES)}; --quick {shown(QUICK_SIZES)}; --protocol paper 10,20,...,120)")  # fmt: skip
    more("--seeds", type=numbers("seeds", 1, MOST_SEED, "1,2"), metavar="S[,S]", help=f"of everything random (default: {shown(SEEDS)}; --quick and --protocol paper 1)")
    more("--repeats", type=repeats, metavar="N",
         help=f"of each size and seed, with other draws; an interval of 95 %% takes six runs of each in all (default: {REPEATS}; --quick 1; --protocol paper {PAPER_REPEATS})")  # fmt: skip
    more("--rivals", type=some_of("rival", MODES), default=tuple(MODES.values()), metavar="NAME[,NAME]",
         help="fifo: CUBIC over a FIFO, which is best effort; " + "; ".join(f"{name}: {rival.says}" for name, rival in RIVALS.items()) + " (default: all)")  # fmt: skip
    more("--variants", type=some_of("variant", {name: name for name in VARIANTS}), default=(), metavar="NAME[,NAME]",
         help="managed runs more, each of which is not as usual. " + "; ".join(f"{name}: {variant.says}" for name, variant in VARIANTS.items()).replace("%", "%%") + " (default: none)")  # fmt: skip
    row = BOTTLENECKS[3].bits_per_second / 1e6
    more("--bottlenecks", type=int, choices=tuple(BOTTLENECKS), default=1, metavar="N",
         help=f"1, or 3 in a row, of {row:g} Mbit/s each, with every rival's queue at each: of nine users two cross all three, two cross two, five cross one (default: 1)")  # fmt: skip
    more("--on-off", type=on_off, metavar="ON,OFF",
         help="users, but those of calls, are away now and then, in all runs: times on and off are drawn, exponentially distributed with these means in s; "
         "in half of those off the application is closed, in the others its connections stay (default: nobody is away)")  # fmt: skip
    more("--seconds", type=between(5, 3600, "s"), metavar="S", help=f"of each measurement (default: {SECONDS:g}; --quick {QUICK_SECONDS:g}; --protocol paper {PAPER_SECONDS:g})")
    more("--warm-up", type=between(1, 600, "s"), metavar="S", help="before each (default: 5 s more than the users need, who come four a second or within 10 s; --protocol paper 60)")
    more("--cool-down", type=between(0, 600, "s"), metavar="S",
         help=f"at most, for long requests that began in the measurement (default: {COOL_DOWN:g}; --quick {QUICK_COOL_DOWN:g}; --protocol paper 60)")  # fmt: skip
    more("--quick", action="store_true", help=f"three sizes, one run of each, {QUICK_MOST_S / 60:g} minutes at most")
    more("--protocol", choices=("paper",),
         help=f"paper: as Sieber et al. measured: sizes in steps of 10, {PAPER_REPEATS} repeats of {PAPER_SECONDS / 60:g} min with a minute before and after, and pauses of {1000 * PAUSE_S:g} ms for every type")  # fmt: skip
    more("--out", type=Path, default=Path("out", NAME), metavar="DIR", help=f"for raw data, result and report (default: out/{NAME})")


def shown(values: tuple[int, ...]) -> str:
    return ",".join(map(str, values))


def chosen(top: argparse.ArgumentParser, got: argparse.Namespace) -> EvaluateOptions:
    if got.quick and got.protocol:
        top.error("argument --quick: is not as in the paper; leave out --protocol")
    paper = got.protocol == "paper"
    sizes, seeds, times, seconds, warm_up, cool_down = (
        (QUICK_SIZES, (1,), 1, QUICK_SECONDS, None, QUICK_COOL_DOWN)
        if got.quick
        else (PAPER_SIZES, (1,), PAPER_REPEATS, PAPER_SECONDS, PAPER_MARGINS, PAPER_MARGINS)
        if paper
        else (SIZES, SEEDS, REPEATS, SECONDS, None, COOL_DOWN)
    )
    options = EvaluateOptions(
        got.sizes or sizes, got.seeds or seeds, got.repeats or times, got.rivals, got.variants, got.bottlenecks, got.seconds or seconds, got.warm_up or warm_up,
        cool_down if got.cool_down is None else got.cool_down, PAUSE_S if paper else SSH_PAUSE_S, got.on_off, QUICK_MOST_S if got.quick else None, got.out, command_of(got),
    )  # fmt: skip
    if (greatest := max(options.sizes)) > (most := most_applications(options.bottlenecks)):
        top.error(f"argument --sizes: there is room for {most} users with --bottlenecks {options.bottlenecks}, not for {greatest}. Maybe fewer")
    if options.most_s and (needed := whole_s(options)) > options.most_s:
        top.error(f"argument --quick: this takes up to {math.ceil(needed / 60)} min, and --quick {options.most_s / 60:g} at most. Maybe fewer --sizes or --repeats, or leave out --quick")
    return options


def whole_s(options: EvaluateOptions) -> float:
    from .plan import planned, remaining_s  # here, as these know the options

    return remaining_s(options, planned(options))


def command_of(got: argparse.Namespace) -> str:
    """What another needs to type for the same."""
    words = ["tools/paceline", NAME]
    names = {mode: name for name, mode in MODES.items()}
    for option, value in (
        ("--sizes", got.sizes and shown(got.sizes)), ("--seeds", got.seeds and shown(got.seeds)), ("--repeats", got.repeats and str(got.repeats)),
        ("--rivals", None if got.rivals == tuple(MODES.values()) else ",".join(names[mode] for mode in got.rivals)),
        ("--variants", ",".join(got.variants)),
        ("--bottlenecks", str(got.bottlenecks) if got.bottlenecks > 1 else None),
        ("--on-off", got.on_off and f"{got.on_off.on_s:g},{got.on_off.off_s:g}"),
        ("--seconds", got.seconds and f"{got.seconds:g}"), ("--warm-up", got.warm_up and f"{got.warm_up:g}"),
        ("--cool-down", None if got.cool_down is None else f"{got.cool_down:g}"), ("--protocol", got.protocol),
    ):  # fmt: skip
        words += [option, value] if value else []
    return shlex.join([*words, *(["--quick"] if got.quick else [])])
