"""`tools/paceline measure-utility`: what throughput and delay are worth to an application, measured, as a table.

A real command runs between two hosts at places of the grid (`places` says at which), again and again until the interval of
the mean utility is narrow enough. Or the samples are there already, recorded (`--from`). Then one table is fitted to them.
"""

from __future__ import annotations

import time
from typing import Any

from ..demo.services import Services
from ..errors import Unusable
from ..machine.ledger import Ledger
from ..networks.controller import Controller
from ..terminal import Terminal
from . import draft
from .applications import environment
from .asked import MeasureUtilityOptions
from .command import FAILED, TOO_LONG, Command
from .hosts import TwoHosts
from .journal import Journal
from .places import Place, wanted
from .result import Result, document, made_of, nearness, provenance, report, sha256, write
from .samples import Samples, half_width, read

NAME = "measure-utility"
NO_SAMPLE = {FAILED, TOO_LONG}
# A server listens by then.
SERVED_S = 15.0


def run(options: MeasureUtilityOptions) -> int:
    terminal = Terminal(name=NAME)
    came = provenance(options.command)
    if options.recorded:
        samples = read(options.recorded, options.model)
        came |= {"recorded": options.recorded.name, "sha256": sha256(options.recorded)}
        how = f"fitted to {options.recorded.name}"
    else:
        samples = measured(options, terminal)
        came |= {"application": options.application.says, "limited": options.application.limited, "confidence": options.confidence}
        how = f"{options.application.says}, measured; the throughput is that {options.application.limited}, the delay one way"
    terminal.step(f"fitting a table to {len(samples.utilities)} places with {samples.repeats} samples")
    result = made_of(samples, options.rates_kbps, options.delays_ms, options.seed)
    near = nearness(samples, options.published) if options.published else None
    source = f"{how}. {came['command']}; {came['at']}, Paceline {came['version']}; {len(samples.utilities)} places, {samples.repeats} samples"
    table = document(options.intent, options.model, source, result.table)
    said = report(options.intent, options.model, result, came, near)
    write(options.out, table, said)
    for line in summary(options, result, said):
        print(line)
    if options.register:
        print(registered(options, table))
    print(f"The table is {options.out}/utility.json; how it came about is in measurement.json, and a picture in index.html beside it.")
    return 0


def measured(options: MeasureUtilityOptions, terminal: Terminal) -> Samples:
    journal = Journal(options.out, options.settings(), options.fresh)
    known = finished(options, journal)
    rates, delays = options.rates_kbps, options.delays_ms
    tolerance = 2 * options.confidence
    if wanted(known, len(rates), len(delays), tolerance):
        ledger = Ledger.open()
        try:
            began = time.monotonic()
            bench = Bench(options, ledger, journal, terminal)
            while todo := wanted(known, len(rates), len(delays), tolerance):
                # The fastest first: what is wrong with a command shows soon.
                for number, place in enumerate(sorted(todo, key=lambda one: (-one[0], one[1]))):
                    done = f"{len(known)} places in {(time.monotonic() - began) / 60:.1f} min, {len(todo) - number} more for now"
                    known[place] = bench.measure(place, done)
        finally:
            ledger.undo()
    terminal.clear()
    return Samples.of((rates[i], delays[j], options.worth(sample)) for (i, j), samples in journal.samples.items() if (i, j) in known for sample in samples)


def finished(options: MeasureUtilityOptions, journal: Journal) -> dict[Place, float]:
    """The mean utilities of places with as many samples as it takes. Raises Unusable where the model is another than when they were taken."""
    try:
        utilities = {place: [options.worth(sample) for sample in samples] for place, samples in journal.samples.items()}
    except ValueError as problem:
        raise Unusable(f"{journal.file} has samples that the model {options.model.name} cannot judge as it is now. {problem} Maybe --fresh, to throw them away.") from None
    return {place: sum(values) / len(values) for place, values in utilities.items() if options.enough(values)}


class Bench:
    """The two hosts with what serves on one of them."""

    def __init__(self, options: MeasureUtilityOptions, ledger: Ledger, journal: Journal, terminal: Terminal):
        self.options = options
        self.journal = journal
        self.terminal = terminal
        application = options.application
        self.hosts = TwoHosts(ledger, application.limited)
        self.hosts.start()
        ssh: list[str] = []
        if application.services:
            services = Services(self.hosts, ledger.folder / "services")  # type: ignore[arg-type]
            services.folder.mkdir()
            services.start()
            ssh = services.ssh_command()
        self.words = application.use(ssh)
        # A command that has never given a sample is wrong; one that has may fail where the line is bad.
        self.works = any(not NO_SAMPLE & sample.keys() for samples in journal.samples.values() for sample in samples)
        self.server, self.served_at = None, time.monotonic()
        if application.serve:
            self.served_at += SERVED_S
            log = self.hosts.log("serve")
            self.server = self.hosts.popen(*application.serve, host=self.hosts.server.name, stdout=log, stderr=log, env=environment())

    def measure(self, place: Place, done: str) -> float:
        """Goes on until there are samples enough; their mean utility."""
        options = self.options
        rate, delay = options.rates_kbps[place[0]], options.delays_ms[place[1]]
        values = [options.worth(sample) for sample in self.journal.samples.get(place, [])]
        self.hosts.become(rate, delay)
        with Command(self.hosts, self.words, options.model, self.served_at) as command:
            while not options.enough(values):
                shown = f", {sum(values) / len(values):.2f} ± {half_width(values):.2f}" if values else ""
                self.terminal.progress(f"{done}; {rate:g} kbit/s, {delay:g} ms: {len(values)} samples{shown}")
                if self.server and self.server.poll() is not None:
                    raise RuntimeError(f"what serves has ended with {self.server.returncode}: {command.last_words('serve')}")
                sample = command.sample(options.patience_s(bool(values)), may_fail=self.works)
                self.journal.add(place, sample)
                self.works = self.works or not NO_SAMPLE & sample.keys()
                values.append(options.worth(sample))
        return sum(values) / len(values)


def summary(options: MeasureUtilityOptions, result: Result, said: dict[str, Any]) -> list[str]:
    table, samples = result.table, result.samples
    wide = (table.high - table.low) / 2
    lines = [
        f"{options.intent}: {len(samples.utilities)} places, {samples.repeats} samples; utility from {table.utility.min():.2f} to {table.utility.max():.2f}, "
        f"95 % interval ± {wide.mean():.3f} in the mean and {wide.max():.3f} at most"
    ]
    verdict = result.verdict
    if verdict.breaks:
        worst = verdict.breaks[0]
        lines.append(f"Not monotone: {len(verdict.breaks)} of {verdict.compared} comparisons break the rule for sure, most where "
                     f"{worst.first[0]:g} kbit/s, {worst.first[1]:g} ms is worth {worst.by:.2f} more than {worst.second[0]:g} kbit/s, {worst.second[1]:g} ms.")  # fmt: skip
    else:
        lines.append(f"Monotone: none of {verdict.compared} comparisons breaks the rule for sure.")
    if near := said["published"]:
        lines.append(f"Off the published table by {near['mean']:.3f} in the mean and {near['most']:.3f} at most (at {near['at'][0]:g} kbit/s, {near['at'][1]:g} ms); "
                     f"{100 * near['within_a_tenth']:.0f} % of its places are within 0.1.")  # fmt: skip
        lines.append(f"Off the samples by {near['samples_mean']:.3f} in the mean and {near['samples_most']:.3f} at most; the published table by "
                     f"{near['published_samples_mean']:.3f} and {near['published_samples_most']:.3f}.")  # fmt: skip
    few = [place for place in said["places"] if not options.recorded and (place["halfWidth"] is None or place["halfWidth"] > options.confidence)]
    if few:
        lines.append(f"{len(few)} places have their most samples, and an interval wider than ± {options.confidence:g}.")
    return lines


def registered(options: MeasureUtilityOptions, table: dict[str, Any]) -> str:
    assert options.register
    kept = draft.register(Controller(options.register, *options.login), options.draft, table, options.application.limited)
    return (f"The draft {options.draft} has the table at {options.intent}, on version {kept['base']} of the policy. Nothing is applied: see "
            f"GET policy/drafts/{options.draft}/difference, and commit it with POST policy/drafts/{options.draft}/commit or paceline:draft-commit {options.draft}.")  # fmt: skip
