"""The command line: what may be asked, and what is refused before anything is made."""

from __future__ import annotations

import argparse
import re
import secrets
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from .arguments import between
from .demo.lab import HEADROOM, LEND, SETTLING_S, USUAL, opening_s
from .demo.network import Bottleneck
from .demo.rivals import RIVALS
from .evaluate import asked as evaluation
from .evaluate.asked import EvaluateOptions
from .kernel_queues import asked as kernel_queues
from .kernel_queues.asked import QueuesOptions
from .measure_utility import asked
from .measure_utility.asked import MeasureUtilityOptions
from .real_programs import asked as real_programs
from .real_programs.asked import RealProgramsOptions
from .repeats import MOST as MOST_REPEATS
from .third_party import asked as third_party
from .third_party.asked import ThirdPartyOptions
from .traffic.mix import MOST_APPLICATIONS

# Of AQoS's scenario.
EXPERIMENTS, PROTOCOLS = ("20", "30", "40", "50"), ("udp", "tcp")
AQOS_RIVALS, ADAPTIVE = ("queues", "static-meters", "hybrid"), "adaptive"
# Of DiffPerf's.
CONGESTION_CONTROLS, MOST_CLIENTS = ("cubic", "bbr"), 120
LEAST_ARRIVING = 12
PAPER_BETA, LOWER_MEANS = -0.25, ("F-minus", "F-lower")
# Of HNTES's, by the paper's numbers; its H-TCP where the kernel has it.
ELEPHANT_EXPERIMENTS, ELEPHANT_CONGESTION_CONTROLS = ("2", "3", "4", "5", "5-far", "6", "7"), ("reno", "cubic", "htcp")
# Of Gkantsidis et al.'s small networks.
SMALL_NETWORK_EXPERIMENTS = ("1:2", "1:2:3", "1:6", "1:6-down", "table-3", "figure-9", "scenario-2", "churn")

# Of a soak of schemes on the same links.
SCHEMES = ("utility-fair", "service-classes", "adaptive-reservations")

MOST_FLOOD_ROUNDS = 100

UNITS = {"bit": 1, "kbit": 1_000, "mbit": 1_000_000, "gbit": 1_000_000_000}


def rate(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kmg]?bit)(?:/s)?", text.strip().lower())
    if not found:
        raise argparse.ArgumentTypeError(f"the rate ({text}) is not understood. Maybe 100mbit or 20000kbit")
    value = round(float(found[1]) * UNITS[found[2]])
    if not 1_000_000 <= value <= 400_000_000:
        raise argparse.ArgumentTypeError(
            f"the rate ({text}) must be from 1mbit to 400mbit, which is what two switches in software can carry. Maybe 100mbit"
        )
    return value


def applications(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST_APPLICATIONS:
        raise argparse.ArgumentTypeError(
            f"the number of applications ({text}) must be from 1 to {MOST_APPLICATIONS}. Maybe 40"
        )
    return int(text)


def repeats(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST_REPEATS:
        raise argparse.ArgumentTypeError(f"the number of repeats ({text}) must be from 1 to {MOST_REPEATS}. Maybe 5")
    return int(text)


def flood_rounds(text: str) -> int:
    if not text.isdigit() or int(text) > MOST_FLOOD_ROUNDS:
        raise argparse.ArgumentTypeError(f"the number of rounds ({text}) must be from 0 to {MOST_FLOOD_ROUNDS}. Maybe 6")
    return int(text)


def heap(text: str) -> str:
    if not re.fullmatch(r"[1-9]\d*[mg]", text):
        raise argparse.ArgumentTypeError(f"({text}) is no heap size. Maybe 4g or 768m")
    return text


def some_of(what: str, known: tuple[str, ...]):  # type: ignore[no-untyped-def]
    """Some of what is known, with commas between them, each once and in the order of the known."""

    def parse(text: str) -> tuple[str, ...]:
        asked = [word.strip() for word in text.split(",")]
        for word in asked:
            if word not in known:
                raise argparse.ArgumentTypeError(f"the {what} ({word}) is not known. Maybe {', '.join(known)}")
        return tuple(word for word in known if word in asked)

    return parse


def numbers(what: str, least: float, most: float, example: str):  # type: ignore[no-untyped-def]
    """Numbers with commas between them; none for nothing."""

    def parse(text: str) -> tuple[float, ...]:
        if text == "none":
            return ()
        try:
            values = tuple(map(float, text.split(",")))
        except ValueError:
            values = (float("nan"),)
        if not all(least <= value <= most for value in values):
            raise argparse.ArgumentTypeError(f"the {what} ({text}) must be numbers from {least:g} to {most:g}. Maybe {example}, or none")
        return values

    return parse


def step_numbers(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[1-9]\d{0,5}(,[1-9]\d{0,5})*", text):
        raise argparse.ArgumentTypeError(f"the steps ({text}) must be their numbers, with commas between them. Maybe 3,7")
    return tuple(map(int, text.split(",")))


def clients(text: str) -> int:
    if not text.isdigit() or not 3 <= int(text) <= MOST_CLIENTS:
        raise argparse.ArgumentTypeError(f"the number of clients ({text}) must be from 3 to {MOST_CLIENTS}. Maybe 20")
    return int(text)


def rivals(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in RIVALS:
            raise argparse.ArgumentTypeError(f"the rival ({name}) is not known. Maybe {', '.join(RIVALS)}")
    return names


@dataclass(frozen=True)
class Options:
    applications: int
    seconds: float
    bottleneck: Bottleneck
    out: Path
    seed: int
    keep: bool
    agents: str
    mode: str
    rivals: tuple[str, ...]
    repeats: int
    controller: str
    headroom: float
    lend: float
    warm_up: float
    cool_down: float
    # What was typed, for whoever wants to run it again.
    command: str = ""

    @property
    def opening_s(self) -> float:
        """The time within which users come."""
        return round(min(opening_s(self.applications), max(self.warm_up - SETTLING_S, self.warm_up * 2 / 3)), 1)


@dataclass(frozen=True)
class FirstPacketOptions:
    conversations: int
    rate: float
    pause_s: float
    flood_rounds: int
    out: Path


@dataclass(frozen=True)
class NorthboundOptions:
    conversations: int
    rate: float
    seconds: float
    flood_s: float
    heap: str
    out: Path


@dataclass(frozen=True)
class AqosOptions:
    """See `scenarios.aqos`."""

    experiments: tuple[int, ...]
    protocols: tuple[str, ...]
    modes: tuple[str, ...]
    draws: str
    interval_s: float
    seed: int
    repeats: int
    out: Path
    command: str = ""

    @property
    def managed(self) -> bool:
        return ADAPTIVE in self.modes


@dataclass(frozen=True)
class DiffperfOptions:
    """See `scenarios.diffperf`. Buffers are the paper's, in bytes; each is scaled with the link."""

    clients: int
    alphas: tuple[float, ...]
    gammas: tuple[float, ...]
    buffers: tuple[int, ...]
    congestion_controls: tuple[str, ...]
    rivals: bool
    managed: bool
    seconds: float
    seed: int
    out: Path
    command: str = ""
    betas: tuple[float, ...] = (PAPER_BETA,)
    lower_means: tuple[str, ...] = LOWER_MEANS[:1]
    arrivals: bool = False

    @property
    def segments(self) -> int:
        """Of two seconds each."""
        return max(1, round(self.seconds / 2))


@dataclass(frozen=True)
class ElephantOptions:
    """See `scenarios.elephants`."""

    experiments: tuple[str, ...]
    congestion_controls: tuple[str, ...]
    rivals: bool
    managed: bool
    seconds: float
    repeats: int
    out: Path
    command: str = ""
    # Congestion controls that were asked for, and that the kernel lacks.
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class SmallNetOptions:
    """See `scenarios.smallnet`. `seconds` are measured, once ten have passed to settle."""

    experiments: tuple[str, ...]
    protocols: tuple[str, ...]
    uncontrolled: bool
    controlled: bool
    seconds: float
    repeats: int
    out: Path
    command: str = ""


# Everything is to be right so soon after the last fault.
PROMISED_S = 10.0


@dataclass(frozen=True)
class ChaosOptions:
    """See `chaos`. Without steps, those that fit into so many minutes."""

    minutes: float
    seed: int
    steps: tuple[int, ...]
    shrink_minutes: float
    out: Path
    full_disk: bool = False
    command: str = ""
    # A step after which it takes longer until everything is right has failed.
    within_s: float = PROMISED_S


@dataclass(frozen=True)
class SoakOptions:
    """See `soak`."""

    minutes: float
    rate: float
    seed: int
    out: Path
    command: str = ""
    # Those that rule the same links at once; none for an ordinary day.
    schemes: tuple[str, ...] = ()


class Clean:
    """Removes what a run that was killed left behind."""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="tools/paceline", description=__doc__.splitlines()[0] if __doc__ else None)
    commands = top.add_subparsers(dest="command", required=True, metavar="demo|evaluate|first-packet|northbound|chaos|soak|measure-utility|real-programs|third-party|queues|clean")
    demo = commands.add_parser("demo", help="best effort against managed on one narrow link, with real traffic")
    add = demo.add_argument
    add("--scenario", choices=("paper", "aqos", "diffperf", "elephants", "smallnet"), default="paper",
        help="whose experiment: the paper's of utility-fair sharing, AQoS's of adaptive reservations, DiffPerf's of service classes, HNTES's of elephants, or Gkantsidis' of small networks without a controller (default: paper)")  # fmt: skip
    add("--experiments", metavar="NAME[,NAME]",
        help=f"aqos: by the share of best effort in percent, 20, 30, 40 or 50; elephants: by the paper's number, 2 to 7 and 5-far; smallnet: {', '.join(SMALL_NETWORK_EXPERIMENTS)} (default: all)")  # fmt: skip
    add("--protocols", type=some_of("protocol", PROTOCOLS), default=PROTOCOLS, metavar="NAME[,NAME]",
        help="aqos: udp, as the paper, or tcp; smallnet: of uploads by weights and scenario-2 (default: both)")  # fmt: skip
    add("--draws", choices=("as-told", "any"), default="as-told",
        help="aqos: the first that allow the paper's own gains, or the seed's first whatever they allow (default: as-told)")  # fmt: skip
    add("--clients", type=clients, default=20, metavar="N", help="diffperf: each has 1250 kbit/s of the link; the paper has 40 (default: 20)")
    add("--alphas", type=numbers("alphas", 0.1, 1000, "0.5,1"), default=(0.5, 1.0, 2.0, 5.0), metavar="ALPHA[,ALPHA]",
        help="diffperf: of the classes' ratios; none: without them (default: 0.5,1,2,5)")  # fmt: skip
    add("--gammas", type=numbers("gammas", 0, 1, "0,1"), default=(0.0, 0.5, 1.0), metavar="GAMMA[,GAMMA]",
        help="diffperf: of views; none: without them (default: 0,0.5,1)")  # fmt: skip
    add("--betas", type=numbers("betas", -5, 0, "0,-0.5"), default=(PAPER_BETA,), metavar="BETA[,BETA]",
        help="diffperf: of views, each with each gamma; begin with 0, or write --betas=-1,0 (default: -0.25)")  # fmt: skip
    add("--lower-means", type=some_of("lower mean", LOWER_MEANS), default=LOWER_MEANS[:1], metavar="NAME[,NAME]",
        help="diffperf: of views, which mean low clients are given, F-minus or F-lower; with both it is said which comes nearer to the paper's gains (default: F-minus)")  # fmt: skip
    add("--arrivals", action="store_true",
        help="diffperf: the third scenario, too: clients of all classes come one after the other and go, --clients of them and half as many; the paper has 150")  # fmt: skip
    add("--buffers", type=numbers("buffers", 10_000, 100_000_000, "100000,1000000"), default=(1_000_000.0,), metavar="BYTES[,BYTES]",
        help="diffperf: as before the paper's 120 Mbit/s, scaled with the link (default: 1000000)")  # fmt: skip
    add("--congestion", metavar="NAME[,NAME]",
        help="diffperf: what Paceline runs over, cubic, bbr or both; rivals are both alone; elephants: reno, cubic or htcp (default: cubic)")  # fmt: skip
    add("--applications", type=applications, default=40, metavar="N", help="users, a fifth of each class (default: 40)")
    add("--seconds", type=between(5, 3600, "s"), help="of each measurement; aqos: of its ten intervals together, in the paper 200; diffperf: of a film, in the paper 600; smallnet: once ten have passed to settle (default: 60, smallnet 20)")
    add("--bottleneck", type=rate, default=USUAL.bits_per_second, metavar="RATE", help="of the narrow link (default: 100mbit)")
    add("--buffer", type=between(3028, 1e8, "bytes"), default=USUAL.fifo_bytes, metavar="BYTES", help="its FIFO (default: 1000000)")
    add("--delay", type=between(0, 500, "ms"), default=USUAL.delay_ms, metavar="MS", help="one way (default: 5)")
    add("--out", type=Path, metavar="DIR", help="for the results (default: out/demo, or out/ and the scenario)")
    add("--seed", type=int, default=1, help="of everything random (default: 1)")
    add("--keep", action="store_true", help="leave everything running until Ctrl-C, to look around")
    add("--agents", choices=("server", "both"), default="server", help="where host agents run (default: server)")
    add("--mode", choices=("both", "best-effort", "managed"), default="both", help="which runs (default: both)")
    add("--rival", type=rivals, action="append", default=[], metavar="NAME[,NAME]",
        help=f"one more run, with what one would pick instead: {', '.join(RIVALS)} (default: none)")  # fmt: skip
    add("--repeats", type=repeats, default=1, metavar="N",
        help="of each run, in turn, with other draws of what is random; claims then have intervals (default: 1)")  # fmt: skip
    add("--controller", choices=("onos", "none"), default="onos",
        help="none: switches forward by themselves, for a best-effort lab without a controller")  # fmt: skip
    add("--headroom", type=between(0, 50, "%"), default=HEADROOM, metavar="PERCENT",
        help="of the bottleneck that nobody may use (default: 0.7, because the lab's capacity is exact; the application's own is 4)")  # fmt: skip
    add("--lend", type=between(0, 20, "%"), default=LEND, metavar="PERCENT",
        help="of the bottleneck that may be lent of grants that are not used (default: 6)")  # fmt: skip
    add("--warm-up", type=between(1, 600, "s"), metavar="S",
        help="before each measurement, while users come, four a second or within 10 s (default: 5 s more than they need)")  # fmt: skip
    add("--cool-down", type=between(0, 600, "s"), default=45.0, metavar="S",
        help="at most, for long requests that began in the measurement (default: 45)")  # fmt: skip
    first = commands.add_parser("first-packet", help="measures how soon conversations are paced, and give back")
    first.add_argument("--conversations", type=applications, default=300, metavar="N", help="in all (default: 300)")
    first.add_argument("--rate", type=between(0.1, 1000, "a second"), default=10.0, metavar="PER_SECOND",
        help="how many open in a second (default: 10)")  # fmt: skip
    first.add_argument("--pause", type=between(0, 3600, "s"), default=5.0, metavar="S",
        help="of each user after 64 kB; 0: all send all they can, which takes two processors whole (default: 5)")  # fmt: skip
    first.add_argument("--flood-rounds", type=flood_rounds, default=6, metavar="N",
        help="of a hundred that open, each without and with ten agents that flood; 0: none (default: 6)")  # fmt: skip
    first.add_argument("--out", type=Path, default=Path("out/first-packet"), metavar="DIR",
        help="for the figures (default: out/first-packet)")  # fmt: skip
    north = commands.add_parser("northbound", help="measures REST with thousands of conversations")
    north.add_argument("--conversations", type=between(10, 50_000, "conversations"), default=10_000, metavar="N",
        help="announced (default: 10000)")  # fmt: skip
    north.add_argument("--rate", type=between(1, 1000, "a second"), default=50.0, metavar="PER_SECOND",
        help="of reads (default: 50)")  # fmt: skip
    north.add_argument("--seconds", type=between(1, 3600, "s"), default=60.0, metavar="S", help="of reading (default: 60)")
    north.add_argument("--flood", type=between(0, 3600, "s"), default=180.0, metavar="S",
        help="of newcomers, in rounds without and with a viewer who floods with questions; 0: none (default: 180)")  # fmt: skip
    north.add_argument("--heap", type=heap, default="4g", metavar="SIZE",
        help="of ONOS's Java at most (default: 4g)")  # fmt: skip
    north.add_argument("--out", type=Path, default=Path("out/northbound"), metavar="DIR",
        help="for the figures (default: out/northbound)")  # fmt: skip
    chaos = commands.add_parser("chaos", help="random faults on a real network, and after each what must be so",
        description=f"Ends with code 1 where something is not right within {PROMISED_S:g} s of a step's last fault, or is left at the end.")  # fmt: skip
    chaos.add_argument("--minutes", type=between(0.1, 1440, "min"), default=3.0, metavar="M", help="of faults (default: 3)")
    chaos.add_argument("--seed", type=int, metavar="S", help="of everything random (default: another one each time, and said)")
    chaos.add_argument("--steps", type=step_numbers, default=(), metavar="N[,N]",
        help="only these of the seed's steps, as a run that failed says (default: the first, for as long as --minutes)")  # fmt: skip
    chaos.add_argument("--shrink", type=between(0, 1440, "min"), default=10.0, metavar="M",
        help="for how long to look for fewer steps that fail, too; 0: not (default: 10)")  # fmt: skip
    chaos.add_argument("--full-disk", action="store_true", help="ONOS's disk may be full, too, which its own store does not always survive")
    chaos.add_argument("--out", type=Path, default=Path("out/chaos"), metavar="DIR", help="for what was found, and all logs (default: out/chaos)")
    soak = commands.add_parser("soak", help="conversations come and go, and operators ask for this and that, for hours: whether anything grows by it")
    soak.add_argument("--minutes", type=between(1, 10_000, "min"), default=120.0, metavar="M", help="of it; a quarter of them to warm up (default: 120)")
    soak.add_argument("--rate", type=between(0.1, 200, "a second"), metavar="PER_SECOND", help="of conversations that come (default: 20; with --schemes 1)")
    soak.add_argument("--schemes", type=some_of("scheme", SCHEMES), nargs="?", const=SCHEMES, default=(), metavar="NAME[,NAME]",
        help=f"these rule the same narrow links at once: whether a link is ever sent more than it carries, or a conversation starves; {', '.join(SCHEMES)} (default: none; without names all)")  # fmt: skip
    soak.add_argument("--seed", type=int, default=1, metavar="S", help="of everything random (default: 1)")
    soak.add_argument("--out", type=Path, default=Path("out/soak"), metavar="DIR", help="for the samples, the claims and the plots (default: out/soak)")
    asked.add(commands)
    real_programs.add(commands)
    third_party.add(commands)
    kernel_queues.add(commands)
    evaluation.add(commands)
    commands.add_parser("clean", help="removes what a run that was killed left behind")
    return top


def parse(words: list[str] | None = None) -> Options | AqosOptions | DiffperfOptions | ElephantOptions | SmallNetOptions | FirstPacketOptions | NorthboundOptions | ChaosOptions | SoakOptions | MeasureUtilityOptions | RealProgramsOptions | ThirdPartyOptions | QueuesOptions | EvaluateOptions | Clean:
    top = parser()
    got = top.parse_args(words)
    if got.command == "clean":
        return Clean()
    if got.command == "first-packet":
        return FirstPacketOptions(got.conversations, got.rate, got.pause, got.flood_rounds, got.out)
    if got.command == "chaos":
        seed = secrets.randbelow(1_000_000) if got.seed is None else got.seed
        which = f"--steps {','.join(map(str, got.steps))}" if got.steps else f"--minutes {got.minutes:g}"
        command = f"tools/paceline chaos --seed {seed} {which}{' --full-disk' if got.full_disk else ''}"
        return ChaosOptions(got.minutes, seed, got.steps, got.shrink, got.out, got.full_disk, command)
    if got.command == "soak":
        rate = got.rate or (1.0 if got.schemes else 20.0)
        schemes = f" --schemes {','.join(got.schemes)}" if got.schemes else ""
        command = f"tools/paceline soak{schemes} --minutes {got.minutes:g} --rate {rate:g} --seed {got.seed}"
        return SoakOptions(got.minutes, rate, got.seed, got.out, command, got.schemes)
    if got.command == "measure-utility":
        return asked.chosen(top, got)
    if got.command == "real-programs":
        return real_programs.chosen(got)
    if got.command == "third-party":
        return third_party.chosen(got)
    if got.command == "queues":
        return kernel_queues.chosen(got)
    if got.command == "evaluate":
        return evaluation.chosen(top, got)
    if got.command == "northbound":
        return NorthboundOptions(round(got.conversations), got.rate, got.seconds, got.flood, got.heap, got.out)
    if got.controller == "none" and got.mode != "best-effort":
        top.error("--controller none can only do --mode best-effort: without a controller nobody manages")
    refuse_what_says_nothing(top, got)
    if got.seconds is None:
        got.seconds = 20.0 if got.scenario == "smallnet" else 60.0
    command = shlex.join(["tools/paceline", *(sys.argv[1:] if words is None else words)])
    if got.scenario == "smallnet":
        return SmallNetOptions(
            of_scenario(top, "--experiments", "experiment", SMALL_NETWORK_EXPERIMENTS, got.experiments), got.protocols,
            got.mode != "managed", got.mode != "best-effort", got.seconds, got.repeats, got.out or Path("out/smallnet"), command,
        )  # fmt: skip
    if got.scenario == "elephants":
        return ElephantOptions(
            of_scenario(top, "--experiments", "experiment", ELEPHANT_EXPERIMENTS, got.experiments),
            of_scenario(top, "--congestion", "congestion control", ELEPHANT_CONGESTION_CONTROLS, got.congestion or "cubic"),
            got.mode != "managed", got.mode != "best-effort", got.seconds, got.repeats, got.out or Path("out/elephants"), command,
        )  # fmt: skip
    if got.scenario == "aqos":
        experiments = of_scenario(top, "--experiments", "share of best effort", EXPERIMENTS, got.experiments)
        return AqosOptions(
            tuple(map(int, experiments)), got.protocols, aqos_modes(got.mode), got.draws, got.seconds / 10, got.seed, got.repeats,
            got.out or Path("out/aqos"), command,
        )  # fmt: skip
    if got.scenario == "diffperf":
        congestion = of_scenario(top, "--congestion", "congestion control", CONGESTION_CONTROLS, got.congestion or "cubic")
        if got.arrivals and (got.clients < LEAST_ARRIVING or got.mode == "best-effort"):
            top.error(f"--arrivals needs Paceline, and at least {LEAST_ARRIVING} clients, as half of them are its second size. Maybe --clients 24, without --mode")
        return DiffperfOptions(
            got.clients, got.alphas, got.gammas, tuple(map(int, got.buffers)), congestion, got.mode != "managed", got.mode != "best-effort",
            got.seconds, got.seed, got.out or Path("out/diffperf"), command, got.betas, got.lower_means, got.arrivals,
        )  # fmt: skip
    return Options(
        applications=got.applications,
        seconds=got.seconds,
        bottleneck=Bottleneck(got.bottleneck, round(got.buffer), got.delay),
        out=got.out or Path("out/demo"),
        seed=got.seed,
        keep=got.keep,
        agents=got.agents,
        mode=got.mode,
        rivals=tuple(dict.fromkeys(name for names in got.rival for name in names)),
        repeats=got.repeats,
        controller=got.controller,
        headroom=got.headroom,
        lend=got.lend,
        warm_up=got.warm_up or opening_s(got.applications) + SETTLING_S,
        cool_down=got.cool_down,
        command=command,
    )


# What only some of the scenarios ask for.
ONLY = {
    ("paper",): ("applications", "bottleneck", "buffer", "delay", "keep", "agents", "rival", "controller", "headroom", "lend", "warm_up", "cool_down"),
    ("aqos",): ("draws",),
    ("aqos", "smallnet"): ("protocols",),
    ("diffperf",): ("clients", "alphas", "gammas", "betas", "lower_means", "arrivals", "buffers"),
    ("aqos", "elephants", "smallnet"): ("experiments",),
    ("diffperf", "elephants"): ("congestion",),
    ("paper", "aqos", "elephants", "smallnet"): ("repeats",),
}


def of_scenario(top: argparse.ArgumentParser, option: str, what: str, known: tuple[str, ...], text: str | None) -> tuple[str, ...]:
    """What the scenario knows of an option that several have; all of it where nothing was said."""
    try:
        return known if text is None else some_of(what, known)(text)
    except argparse.ArgumentTypeError as problem:
        top.error(f"argument {option}: {problem}")


def refuse_what_says_nothing(top: argparse.ArgumentParser, got: argparse.Namespace) -> None:
    usual = top.parse_args(["demo"])
    for scenarios, names in ONLY.items():
        for name in names:
            if got.scenario not in scenarios and getattr(got, name) != getattr(usual, name):
                top.error(f"--{name.replace('_', '-')} says nothing to --scenario {got.scenario}. Maybe leave it out, or --scenario {scenarios[0]}")


def aqos_modes(mode: str) -> tuple[str, ...]:
    """Rivals in turn, then Paceline; or one of both sides alone."""
    return (() if mode == "managed" else AQOS_RIVALS) + (() if mode == "best-effort" else (ADAPTIVE,))
