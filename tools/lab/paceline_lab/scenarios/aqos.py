"""AQoS's experiments (Boley et al. 2017), again: the same programmed traffic over queues, static meters, both, and Paceline.

Senders have no agents. They are announced to Paceline over REST, and it holds them by meters at their first switches.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from statistics import mean
from typing import Any

from ..checkout import LAB, commit
from ..networks.controller import COMPONENT
from ..networks.conversations import is_installed
from ..networks.own_ovs import wait_until_true
from ..networks.space import Onos
from ..options import ADAPTIVE, AqosOptions
from ..terminal import Terminal
from . import aqos_figures, aqos_report, bottleneck, draws
from .bottleneck import Bottleneck, sink, source
from .counters import Sampler
from .draws import Experiment, Rates
from .staging import staged

NAMESPACE = "plq"
BRANCH, SCHEME = "aqos", "adaptive-reservations"
PERIOD_S = 1
# The lab's capacity is exact, everybody is known before, and reservations alone take up to 80 % of the link.
SETTINGS = {
    "usableThousandths": "1000", "reserveThousandths": "0", "adaptiveThousandths": "990", "adaptivePeriodSeconds": str(PERIOD_S),
}  # fmt: skip
WARM_UP_S = 3.0
GRANT_S = 30.0
V1 = "/paceline/v1"


def run(options: AqosOptions) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    return staged(NAMESPACE, options.managed, "ten hosts, six switches, 5 Mbit/s between them", lambda space: Bottleneck(space, bottleneck.six_switches()),
                  lambda terminal, network, onos, _: Aqos(options, terminal, network, onos).run())  # fmt: skip


class Aqos:
    def __init__(self, options: AqosOptions, terminal: Terminal, network: Bottleneck, onos: Onos | None):
        self.options = options
        self.terminal = terminal
        self.network = network
        self.onos = onos
        self.runs: list[dict[str, Any]] = []
        self.number = 0
        # By best effort in percent, of each repeat: how many draws were tried, and what the one taken allows.
        self.tries: dict[str, list[int]] = {}
        self.ceilings: dict[str, list[dict[str, float]]] = {}
        self.made = {"at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit()}

    def run(self) -> int:
        options = self.options
        for repeat in range(options.repeats):
            for percent in options.experiments:
                one = draws.EXPERIMENTS[percent]
                seed = options.seed + repeat
                rates, tries = draws.drawn_as_told(one, seed) if options.draws == "as-told" else (draws.drawn(one, seed), 1)
                self.tries.setdefault(str(percent), []).append(tries)
                self.ceilings.setdefault(str(percent), []).append(draws.ceilings_percent(one, rates))
                for protocol in options.protocols:
                    for mode in options.modes:
                        self.once(one, rates, protocol, mode, repeat)
        result = self.result()
        result["claims"] = aqos_figures.claims(result, draws.EXPERIMENTS)
        aqos_report.write(options.out, result)
        print(aqos_report.table(result) + "\n\n" + aqos_report.idle_table(result))
        print(f"\nReport: {options.out}/report.html, or report.md; what it shows: tools/paceline claims {options.out}/result.json", flush=True)
        return 1 if any("error" in run for run in self.runs) else 0

    def once(self, one: Experiment, rates: Rates, protocol: str, mode: str, repeat: int) -> None:
        options = self.options
        self.number += 1
        self.terminal.step(f"{one.best_effort_percent} % best effort, {protocol}, {mode}" + (f" ({repeat + 1} of {options.repeats})" if options.repeats > 1 else ""))
        entry: dict[str, Any] = {"mode": mode, "protocol": protocol, "bestEffortPercent": one.best_effort_percent, "repeat": repeat}
        try:
            with self.sharing(one, protocol, mode, bottleneck.PORT + self.number) as more:
                entry |= self.measure(one, rates, protocol, mode, repeat) | more()
        except RuntimeError as problem:
            entry["error"] = str(problem)
            self.terminal.step(f"failed: {problem}")
        self.runs.append(entry)
        (options.out / "result.json").write_text(json.dumps(self.result(), indent=1) + "\n")

    @contextlib.contextmanager
    def sharing(self, one: Experiment, protocol: str, mode: str, port: int) -> Iterator[Callable[[], dict[str, Any]]]:
        """The network shares as this mode does; what it yields says, at the end, more of the run."""
        network = self.network
        network.forget()
        network.share_by({"queues": bottleneck.by_class, "hybrid": bottleneck.qos_and_best_effort}.get(mode, lambda _: None)(one))
        if mode != ADAPTIVE:
            meters = {"static-meters": bottleneck.all_meters, "hybrid": bottleneck.reserved_meters}.get(mode, lambda _: {})(one)
            network.forward(meters)
            yield dict
            return
        assert self.onos
        rest = self.onos.rest
        network.connect()
        network.wait_until_seen(rest)
        rest.call("POST", f"/v1/configuration/{COMPONENT}", SETTINGS)
        rest.call("PUT", f"{V1}/intents/{BRANCH}", {"scheme": SCHEME})
        try:
            for place, flow in enumerate(one.flows):
                reserved = {"minimumRateKbps": flow.reserved, "priority": len(one.flows) - place} if flow.reserved is not None else {}
                rest.call("PUT", f"{V1}/intents/{BRANCH}/{flow.name.lower()}", reserved)
                rest.call("POST", f"{V1}/conversations", {
                    "id": flow.name, "intent": f"{BRANCH}/{flow.name.lower()}", "protocol": protocol, "localPort": port, "remotePort": bottleneck.PORT,
                    "localAddress": network.hosts[source(flow.name)].address, "remoteAddress": network.hosts[sink(flow.name)].address,
                })  # fmt: skip
            wait_until_true(lambda: self.all_held(one), "the meters of all flows", GRANT_S)
            yield lambda: {"conversations": {c["id"]: c for c in rest.conversations()}}
        finally:
            for flow in one.flows:
                with contextlib.suppress(RuntimeError):
                    rest.call("DELETE", f"{V1}/conversations/announced/{flow.name}")
            for flow in one.flows:
                with contextlib.suppress(RuntimeError):
                    rest.call("DELETE", f"{V1}/intents/{BRANCH}/{flow.name.lower()}")
            rest.call("DELETE", f"{V1}/intents/{BRANCH}")

    def all_held(self, one: Experiment) -> bool:
        assert self.onos
        found = {c["id"]: c for c in self.onos.rest.conversations()}
        return all(flow.name in found and is_installed(found[flow.name]) for flow in one.flows)

    def measure(self, one: Experiment, rates: Rates, protocol: str, mode: str, repeat: int) -> dict[str, Any]:
        options, network = self.options, self.network
        sinks = [self.generator(sink(flow.name), "sink", str(bottleneck.PORT), stdout=subprocess.PIPE, text=True) for flow in one.flows]
        for process in sinks:
            assert process.stdout
            if process.stdout.readline() != "listening\n":
                raise RuntimeError("a sink does not listen")
        at = time.monotonic() + WARM_UP_S
        clock = aqos_figures.Clock(at, options.interval_s, draws.INTERVALS)
        senders = [
            self.generator(
                source(flow.name), protocol, f"{network.hosts[sink(flow.name)].address}:{bottleneck.PORT}",
                f"--from={bottleneck.PORT + self.number}", f"--dscp={bottleneck.DSCP[flow.queue]}", f"--at={at}", f"--interval={options.interval_s}",
                *map(str, rates[flow.name]),
            )
            for flow in one.flows
        ]  # fmt: skip
        names = {end(flow.name): f"h-{end(flow.name)}" for flow in one.flows for end in (source, sink)}
        sampler = Sampler(NAMESPACE, list(names.values())).start()
        held: list[tuple[float, dict[str, float]]] = []
        while (left := clock.end - time.monotonic()) > 0:
            time.sleep(min(0.5, left))
            if self.onos and mode == ADAPTIVE:
                held.append((time.monotonic(), {c["id"]: c["installed"]["rateKbps"] for c in self.onos.rest.conversations()}))
            self.terminal.progress(f"{mode}: {max(0.0, clock.end - time.monotonic()):.0f} s left")
        # Until there is a sample of after the end.
        time.sleep(4 * sampler.every_s)
        sampler.stop()
        for process in senders:
            process.wait(60)
        for process in (*senders, *sinks):
            network.end(process)
        time.sleep(1.1)  # The link's counters are up to a second old.
        ingress = {flow.name: sampler.received[names[source(flow.name)]] for flow in one.flows}
        egress = {flow.name: sampler.sent[names[sink(flow.name)]] for flow in one.flows}
        link = network.narrow_counters()
        raw = {"at": at, "flows": {name: {"at": s.at, "ingressBytes": ingress[name].total, "egressBytes": s.total} for name, s in egress.items()}, "held": held}
        file = f"{one.best_effort_percent}-{protocol}-{mode}" + (f"-{repeat + 1}" if options.repeats > 1 else "") + ".json"
        (options.out / file).write_text(json.dumps(raw) + "\n")
        return {
            "offeredPackets": link["offeredPackets"],
            "droppedPackets": link["droppedPackets"],
            **aqos_figures.summary(one, rates, ingress, egress, clock, PERIOD_S),
            "heldUnusedKbps": aqos_figures.held_unused(rates, held, clock),
        }

    def generator(self, host: str, *words: str, **more: Any) -> subprocess.Popen[Any]:
        environment = {**os.environ, "PYTHONPATH": str(LAB)}
        return self.network.popen(sys.executable, "-m", "paceline_lab.scenarios.generator", *words, host=host, env=environment, **more)

    def result(self) -> dict[str, Any]:
        options = self.options
        return {
            "scenario": "aqos",
            "seconds": options.interval_s * draws.INTERVALS,
            "intervalSeconds": options.interval_s,
            "paperIntervalSeconds": 20,
            "periodSeconds": PERIOD_S,
            "seed": options.seed,
            "bottleneckKbps": draws.BOTTLENECK_KBPS,
            "bufferBytes": bottleneck.BUFFER_BYTES,
            "draws": options.draws,
            "drawsTried": self.tries,
            "ceilingsPercent": {
                percent: {rival: round(mean(one[rival] for one in found), 2) for rival in found[0]} for percent, found in self.ceilings.items()
            },
            "command": options.command,
            "made": self.made,
            "runs": self.runs,
        }
