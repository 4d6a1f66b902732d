"""What `tools/paceline measure-utility` was asked for, and what it refuses before anything is made."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arguments import between
from ..networks.controller import REST
from ..traffic.kpi import LEAST
from .applications import APPLICATIONS, Application, own
from .command import FAILED, TOO_LONG
from .hosts import TO_CLIENT, TO_SERVER
from .models import MODELS, Model, named

LEAST_KBPS, MOST_KBPS, MOST_MS, MOST_POINTS = 8.0, 400_000.0, 1000.0, 100
# Of a sample, where the model does not say after how long it is worth 1. What a client may pause before it, and what the
# first one has more, to start and to log in.
PATIENCE_S, PAUSE_S, BEGINNING_S = 120.0, 5.0, 30.0
NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True)
class MeasureUtilityOptions:
    """`recorded`: the samples are in this file, and nothing is run."""

    intent: str
    rates_kbps: tuple[float, ...]
    delays_ms: tuple[float, ...]
    application: Application
    model: Model
    confidence: float
    fewest: int
    most: int
    timeout_s: float | None
    recorded: Path | None
    published: dict[str, Any] | None
    register: str | None
    login: tuple[str, str]
    draft: str
    seed: int
    fresh: bool
    out: Path
    command: str

    def settings(self) -> dict[str, Any]:
        """All on which samples depend; how many there are may change."""
        return {
            "intent": self.intent, "throughputKbps": self.rates_kbps, "delayMs": self.delays_ms, "runs": self.application.says,
            "serves": self.application.serve and self.application.serve[1:], "limited": self.application.limited, "model": self.model.name,
            "timeoutS": self.timeout_s,
        }  # fmt: skip

    def worth(self, sample: Mapping[str, float]) -> float:
        """A run that failed, or lasted too long, is worth the least."""
        return LEAST if TOO_LONG in sample or FAILED in sample else self.model.utility(sample)

    def enough(self, values: Sequence[float]) -> bool:
        """Whether the mean of these is known well enough, or will not be asked for more."""
        from .samples import half_width  # here, as SciPy takes a second to load, and every command of the lab loads this file

        return len(values) >= self.most or len(values) >= self.fewest and half_width(tuple(values)) <= self.confidence

    def patience_s(self, begun: bool) -> float:
        """How long the next sample may take; `begun` says that the command has given one here."""
        longest = self.timeout_s or (self.model.worst_after_s or PATIENCE_S) + PAUSE_S
        return longest + (0.0 if begun else BEGINNING_S)


def axis(what: str, least: float, most: float, example: str):  # type: ignore[no-untyped-def]
    def parse(text: str) -> tuple[float, ...]:
        found = re.fullmatch(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?):(\d+)", text)
        low, high, points = (float(found[1]), float(found[2]), int(found[3])) if found else (0.0, 0.0, 0)
        if not found or not least <= low <= high <= most or not 1 <= points <= MOST_POINTS or (low == high) != (points == 1):
            raise argparse.ArgumentTypeError(
                f"the {what} ({text}) must be LOW:HIGH:POINTS, from {least:g} to {most:g} and with 1 to {MOST_POINTS} points. Maybe {example}"
            )
        return tuple(round(low + (high - low) * n / max(1, points - 1), 6) for n in range(points))

    return parse


def repeats(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+):(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]) <= 1000:
        raise argparse.ArgumentTypeError(f"the repeats ({text}) must be FEWEST:MOST. Maybe 3:20")
    return int(found[1]), int(found[2])


def intent(text: str) -> str:
    if not all(NAME.fullmatch(part) for part in text.split("/")):
        raise argparse.ArgumentTypeError(f"the intent ({text}) must be CLASS/INTENT, of letters, digits, dots, dashes and underscores. Maybe voip/g711")
    return text


def model(text: str) -> Model:
    try:
        return named(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def file(text: str) -> Path:
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no file ({text}). Maybe see the spelling")
    return Path(text)


def table(text: str) -> dict[str, Any]:
    try:
        found = json.loads(file(text).read_text())
        if not isinstance(found, dict) or not {"throughputKbps", "delayMs", "utility"} <= found.keys():
            raise ValueError("it needs throughputKbps, delayMs and utility")
    except ValueError as problem:
        raise argparse.ArgumentTypeError(f"the file ({text}) is no table: {problem}. Maybe one as utility.json") from None
    return found


def add(commands: Any) -> None:
    listed = "; ".join(f"{one.name}: {one.says}" for one in APPLICATIONS.values())
    models = "; ".join(f"{one.name} ({', '.join(one.kpis)}): {one.source}" for one in MODELS.values())
    command = commands.add_parser(
        "measure-utility", help="what throughput and delay are worth to an application: runs it over a grid, and fits a table",
        epilog=f"Applications: {listed}. Models: {models}.".replace("%", "%%"),
    )  # fmt: skip
    more = command.add_argument
    more("intent", type=intent, metavar="CLASS/INTENT", help="for which the table is, such as voip/g711; an application that has this intent is run")
    more("--throughput", type=axis("throughputs", LEAST_KBPS, MOST_KBPS, "100:12000:30"), default="100:12000:30", metavar="LOW:HIGH:POINTS",
         help="of the grid, kbit/s (default: 100:12000:30)")  # fmt: skip
    more("--delay", type=axis("delays", 0, MOST_MS, "0:240:30"), default="0:240:30", metavar="LOW:HIGH:POINTS", help="of the grid, ms one way (default: 0:240:30)")
    more("--application", choices=APPLICATIONS, metavar="NAME", help=f"{', '.join(APPLICATIONS)} (default: the one with the intent)")
    more("--command", dest="use", metavar="COMMAND",
         help="your own, run by sh on the client: prints a JSON object with the model's KPIs a line, once or again and again; $PACELINE_SERVER is the server's address, $PACELINE_CLIENT its own")  # fmt: skip
    more("--serve", metavar="COMMAND", help="what runs on the server meanwhile, beside --command")
    more("--model", type=model, metavar="NAME", help="from KPIs to utility: " + ", ".join(MODELS) + ", or your own, FILE.py:FUNCTION (default: the application's)")
    more("--direction", choices=(TO_CLIENT, TO_SERVER), help="which has the grid's throughput; the other has a table of its own (default: the application's, to-client of your own)")
    more("--confidence", type=between(0.01, 2, "of utility"), default=0.2, metavar="UTILITY",
         help="half the width of the 95 %% interval that is wanted of each place; between places that differ by no more than twice that, or of which a third shows that it goes straight there, nothing is measured (default: 0.2)")  # fmt: skip
    more("--repeats", type=repeats, default="3:20", metavar="FEWEST:MOST", help="of each place (default: 3:20)")
    more("--timeout", type=between(0.1, 86_400, "s"), metavar="S", help=f"after which a sample is worth 1 (default: when the model says so, or {PATIENCE_S:g})")
    more("--from", dest="recorded", type=file, metavar="CSV", help="samples that are there already: columns throughputKbps, delayMs and the model's KPIs, or as in the paper's own files")
    more("--published", type=table, metavar="JSON", help="a table, to say how far the new one is from it")
    more("--register", nargs="?", const=REST, metavar="URL",
         help=f"keep the table as a draft of the policy at a running controller, whose user is $PACELINE_USER with $PACELINE_PASSWORD (default: {REST}, as onos)")  # fmt: skip
    more("--draft", metavar="NAME", help="of the draft and of the table in it (default: measured- and the intent)")
    more("--seed", type=int, default=1, metavar="S", help="of the bootstrap (default: 1)")
    more("--fresh", action="store_true", help="throw away what an earlier run has left in --out; without, the same command goes on with it")
    more("--out", type=Path, metavar="DIR", help="for samples, table, report and picture (default: out/utility/ and the intent)")


def chosen(top: argparse.ArgumentParser, got: argparse.Namespace) -> MeasureUtilityOptions:
    application = which(top, got)
    name = got.draft or f"measured-{got.intent.replace('/', '-')}"[:64]
    if not NAME.fullmatch(name):
        top.error(f"argument --draft: the name ({name}) must be of letters, digits, dots, dashes and underscores. Maybe CHG0030001")
    return MeasureUtilityOptions(
        got.intent, got.throughput, got.delay, application, got.model or MODELS[application.model], got.confidence, *got.repeats, got.timeout,
        got.recorded, got.published, got.register, (os.environ.get("PACELINE_USER", "onos"), os.environ.get("PACELINE_PASSWORD", "rocks")), name,
        got.seed, got.fresh, got.out or Path("out/utility", got.intent.replace("/", "-")), command_of(got),
    )  # fmt: skip


def which(top: argparse.ArgumentParser, got: argparse.Namespace) -> Application:
    if got.serve and not got.use:
        top.error("argument --serve: says nothing without --command")
    if got.use and (got.application or got.recorded):
        top.error("argument --command: is your own; leave out --application and --from")
    if got.use:
        if not got.model:
            top.error(f"argument --command: needs a --model of what it prints. Maybe {', '.join(MODELS)}, or FILE.py:FUNCTION")
        return own(got.use, got.serve, got.model.name, got.direction or TO_CLIENT)
    found = APPLICATIONS.get(got.application) or next((one for one in APPLICATIONS.values() if one.intent == got.intent), None)
    if found is None and got.recorded and got.model:
        found = own("", None, got.model.name, TO_CLIENT)
    if found is None:
        top.error(f"no application has the intent ({got.intent}). Maybe --application {next(iter(APPLICATIONS))}, or --command with --model")
    return found.with_limit(got.direction) if got.direction else found


def command_of(got: argparse.Namespace) -> str:
    """What another needs to type for the same measurement."""
    words = ["tools/paceline", "measure-utility", got.intent]
    words += ["--throughput", shown(got.throughput), "--delay", shown(got.delay)]
    if got.recorded:
        words += ["--from", str(got.recorded)]
    else:
        words += ["--confidence", f"{got.confidence:g}", "--repeats", "{}:{}".format(*got.repeats)]
    for option, value in (("--application", got.application), ("--command", got.use), ("--serve", got.serve), ("--model", got.model and got.model.name),
                          ("--direction", got.direction), ("--timeout", got.timeout and f"{got.timeout:g}")):  # fmt: skip
        words += [option, value] if value else []
    return shlex.join(words)


def shown(axis: tuple[float, ...]) -> str:
    return f"{axis[0]:g}:{axis[-1]:g}:{len(axis)}"
