"""`tools/paceline real-programs`: whether the lab's light generators fare as the programs that people use.

Both run between the same two hosts, at the same places, in turn; their KPIs become utility by the same model. Who begins
changes with each repeat, so that what else the machine does meanwhile falls on both.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

from ..demo.services import Services
from ..machine.ledger import Ledger
from ..measure_utility.applications import Application, environment
from ..measure_utility.command import FAILED, TOO_LONG, Command
from ..measure_utility.hosts import TwoHosts
from ..measure_utility.result import provenance
from ..terminal import Terminal
from ..traffic.kpi import LEAST
from . import needed
from .asked import RealProgramsOptions
from .compare import LIGHT, REAL, Compared, claim, lines, tabled
from .programs import Pair, missing

NAME = "real-programs"
# A server listens by then.
SERVED_S = 30.0


def run(options: RealProgramsOptions) -> int:
    missing(options.pairs)
    terminal = Terminal(name=NAME)
    needed.fetch(options.pairs, terminal)
    began, loads = time.monotonic(), [os.getloadavg()[0]]
    places: list[Compared] = []
    turns = sum(len(pair.places) for pair in options.pairs) * options.repeats * 2
    for pair in options.pairs:
        ledger = Ledger.open()
        try:
            bench = Bench(options, pair, ledger, terminal)
            for rate, delay in pair.places:
                place = Compared(pair.name, pair.program, rate, delay, tabled(pair.table, rate, delay))
                terminal.step(f"{pair.name} at {rate:g} kbit/s and {delay:g} ms; {turns} more turns of {options.seconds:g} s and more")
                for repeat in range(options.repeats):
                    for who in (LIGHT, REAL) if repeat % 2 == 0 else (REAL, LIGHT):
                        bench.turn(who, place)
                        turns -= 1
                places.append(place)
        finally:
            ledger.undo()
        loads.append(os.getloadavg()[0])
        # Each type is kept as soon as it is there: the next may fail.
        write(options, places, loads, time.monotonic() - began)
    terminal.clear()
    said = lines(places, options.error)
    for line in said[:-1]:
        print(line)
    print(f"Samples and claims are in {options.out}/result.json.")
    print(said[-1])
    return 0 if all(claim(place, options.error)["holds"] for place in places) else 1


def write(options: RealProgramsOptions, places: list[Compared], loads: list[float], seconds: float) -> None:
    document: dict[str, Any] = {
        "scenario": NAME, **provenance(options.command), "seconds": options.seconds, "error": options.error, "tookS": round(seconds),
        "loadAverage": [round(load, 1) for load in loads], "places": [place.document() for place in places],
        "claims": [claim(place, options.error) for place in places],
    }  # fmt: skip
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "result.json").write_text(json.dumps(document, indent=1) + "\n")


class Bench:
    """The two hosts with what serves both programs of a type."""

    def __init__(self, options: RealProgramsOptions, pair: Pair, ledger: Ledger, terminal: Terminal):
        self.options = options
        self.pair = pair
        self.terminal = terminal
        self.hosts = TwoHosts(ledger, pair.light.limited)
        self.hosts.start()
        ssh: list[str] = []
        if pair.light.services:
            services = Services(self.hosts, ledger.folder / "services")  # type: ignore[arg-type]
            services.folder.mkdir()
            services.start()
            needed.serve(pair, services.root)
            ssh = services.ssh_command()
        self.applications = {LIGHT: pair.light, REAL: pair.real}
        self.words = {who: application.use(ssh) for who, application in self.applications.items()}
        # A program that has never given a sample is wrong; one that has may fail where the line is bad.
        self.works = {LIGHT: False, REAL: False}

    def turn(self, who: str, place: Compared) -> None:
        """As many samples as there are in the time of a turn, and at least one, over a line that is as new."""
        application: Application = self.applications[who]
        self.hosts.become(place.rate_kbps, place.delay_ms)
        server, log = None, self.hosts.log("serve")
        served_at = time.monotonic()
        if application.serve:
            served_at += SERVED_S
            server = self.hosts.popen(*application.serve, host=self.hosts.server.name, stdout=log, stderr=log, env=environment())
        samples: list[dict[str, float]] = []
        try:
            with Command(self.hosts, self.words[who], self.pair.model, served_at) as command:
                end = time.monotonic() + self.options.seconds
                while not samples or time.monotonic() < end:
                    samples.append(command.sample(self.pair.longest_s, may_fail=self.works[who]))
                    worth = [self.worth(sample) for sample in samples]
                    self.works[who] = self.works[who] or not {FAILED, TOO_LONG} & samples[-1].keys()
                    self.terminal.progress(f"{place.type}, {self.name(who)}: {len(samples)} samples, utility {sum(worth) / len(worth):.2f}")
                    if not self.works[who] or {FAILED, TOO_LONG} & samples[-1].keys():
                        break
        except RuntimeError as problem:
            raise RuntimeError(f"{self.pair.name}, {self.name(who)}: {problem}") from None
        finally:
            if server:
                self.hosts.end(server)
            log.close()
        place.add(who, samples, worth)

    def worth(self, sample: dict[str, float]) -> float:
        return LEAST if {FAILED, TOO_LONG} & sample.keys() else self.pair.model.utility(sample)

    def name(self, who: str) -> str:
        return self.pair.program if who == REAL else "the light generator"
