"""DiffPerf's scenarios (Aljoby et al. 2021): classes by weight; clients far and near, without and with Paceline; clients that come and go."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..checkout import LAB, commit
from ..demo import rivals
from ..demo.services import NGINX
from ..networks.controller import COMPONENT, Controller
from ..networks.emulated_network import EmulatedNetwork
from ..networks.own_ovs import wait_until_true
from ..networks.space import Onos, Space
from ..networks.topology import Host, Link, Topology
from ..options import CONGESTION_CONTROLS, DiffperfOptions
from ..terminal import Terminal
from . import diffperf_report
from .films import arrivals, qoe
from .films.views import BULK, SEGMENT_S, write_film
from .staging import staged

NAMESPACE = "pld"
SERVER, CLIENTS, NARROW = "srv", "cli", "1-2"
# Of the paper's 40 clients each has this of the link, and so each has here.
KBPS_A_CLIENT = 1250
# The buffers are those before its 120 Mbit/s, and take as long to empty here.
PAPER_BUFFER_KBPS = 120_000
WEIGHTS = {"gold": 3, "silver": 2, "bronze": 1}
PORTS = {name: 8001 + place for place, name in enumerate(WEIGHTS)}
BRANCH = "diffperf"
NEAR_MS, FAR_MS, FAR_PART = (64.0, 16.0), (224.0, 32.0), 0.3
BACK_MS = 1.0
FIRST_CLIENT = 101
SETTLING_S, BULK_S, OPENING_S = 5.0, 20.0, 2.0
# As on the paper's Tofino; its other switch had 15.
PERIOD_S = 5
V1 = "/paceline/v1"
RULES = "unmatched: ignore\nrules:\n" + "".join(
    f"  - intent: {BRANCH}/{name}\n    match: {{protocol: tcp, localPort: {port}}}\n" for name, port in PORTS.items()
)


def address(client: int) -> str:
    return f"10.20.0.{FIRST_CLIENT + client}"


def round_trips_ms(clients: int, seed: int) -> list[float]:
    """Near and far ones in turn, 7 to 3, each drawn about its mean; none below a fifth of that."""
    chance = random.Random(f"{seed}/{clients}")
    drawn = []
    for number in range(clients):
        far = int((number + 1) * FAR_PART + 1e-9) > int(number * FAR_PART + 1e-9)
        middle, spread = FAR_MS if far else NEAR_MS
        drawn.append(round(max(middle / 5, chance.gauss(middle, spread)), 1))
    return drawn


class Access(EmulatedNetwork):
    """A server, an access link, and clients behind it that are not all equally far away."""

    def __init__(self, space: Space, clients: int):
        super().__init__(space, Topology(2, (Link(1, 2, BACK_MS, clients * KBPS_A_CLIENT / 1000),), (Host(SERVER, 1, 1), Host(CLIENTS, 2, 2))))
        self.clients = clients

    def open(self) -> "Access":
        super().open()
        try:
            server, near = self.hosts[SERVER], self.hosts[CLIENTS]
            self.host(CLIENTS, "ip", "neigh", "replace", server.address, "lladdr", server.mac, "dev", "eth0", "nud", "permanent")
            for client in range(self.clients):
                self.host(CLIENTS, "ip", "address", "add", f"{address(client)}/24", "dev", "eth0")
                self.host(SERVER, "ip", "neigh", "replace", address(client), "lladdr", near.mac, "dev", "eth0", "nud", "permanent")
            return self
        except BaseException:
            self.close()
            raise

    def become(self, congestion_control: str, buffer_bytes: int, trips_ms: list[float], kbps: int | None = None) -> None:
        delays = ",".join(f"{address(client)}={round((trip - BACK_MS) * 1000)}" for client, trip in enumerate(trips_ms))
        rate = () if kbps is None else ("--rate", str(kbps * 1000))
        self.change_wire(NARROW, "--fifo", str(buffer_bytes), "--delays", delays, *rate)
        self.use_congestion_control(SERVER, congestion_control)

    def alone(self) -> None:
        """Forwards by itself, without a controller."""
        for switch in self.topology.numbers():
            self.disconnect(switch)
            self.ofctl("del-flows", switch)
            self.ofctl("del-meters", switch)
            to_server, to_clients = (self.port(SERVER), self.port(NARROW)) if switch == 1 else (self.port(NARROW), self.port(CLIENTS))
            self.ofctl("add-flow", switch, f"priority=20,ip,nw_dst={self.hosts[SERVER].address},actions=output:{to_server}")
            self.ofctl("add-flow", switch, f"priority=10,ip,actions=output:{to_clients}")

    def are_known(self, rest: Controller) -> bool:
        """Whether the controller knows every client's address. A question that nobody answers makes its asker known."""
        known = rest.get(f"{V1}/links")["hosts"]
        missing = [address(client) for client in range(self.clients) if address(client) not in known]
        for one in missing:
            self.host(CLIENTS, "ping", "-c1", "-W0.1", "-I", one, "10.20.0.250", check=False)
        return not missing

    def serve(self, folder: Path) -> None:
        folder.joinpath("nginx").mkdir()
        listen = " ".join(f"listen {self.hosts[SERVER].address}:{port};" for port in PORTS.values())
        config = folder / "nginx.conf"
        config.write_text(NGINX.format(folder=folder / "nginx", listen=listen, root=folder / "www"))
        self.popen("nginx", "-c", str(config), "-p", str(folder / "nginx"), host=SERVER, stdout=subprocess.DEVNULL,
                   stderr=open(folder / "nginx.err", "wb"))  # fmt: skip


def run(options: DiffperfOptions) -> int:
    for name in CONGESTION_CONTROLS if options.rivals else options.congestion_controls:
        rivals.require_congestion_control(name)
    options.out.mkdir(parents=True, exist_ok=True)

    def act(terminal: Terminal, network: Access, onos: Onos | None, home: Path) -> int:
        write_film(home / "www", options.segments)
        return Diffperf(options, terminal, network, onos, home).run()

    return staged(NAMESPACE, options.managed, f"{options.clients} clients", lambda space: Access(space, options.clients), act)


class Diffperf:
    def __init__(self, options: DiffperfOptions, terminal: Terminal, network: Access, onos: Onos | None, home: Path):
        self.options = options
        self.terminal = terminal
        self.network = network
        self.onos = onos
        self.home = home
        self.trips_ms = round_trips_ms(options.clients, options.seed)
        self.runs: list[dict[str, Any]] = []
        # What the controller says of everybody, once all are there.
        self.held: list[dict[str, Any]] = []
        self.made = {"at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit()}

    def run(self) -> int:
        options = self.options
        self.network.serve(self.home)
        self.network.alone()
        if options.rivals:
            for buffer in options.buffers:
                for name in CONGESTION_CONTROLS:
                    self.views({"mode": name, "congestionControl": name}, buffer)
        if self.onos:
            self.manage()
            for alpha in options.alphas:
                self.shares(alpha)
            for buffer in options.buffers:
                for name in options.congestion_controls:
                    for lower_mean, beta, gamma in itertools.product(options.lower_means, options.betas, options.gammas):
                        self.setting("classLowerMean", lower_mean)
                        self.setting("classBetaThousandths", round(-beta * 1000))
                        self.setting("classGammaThousandths", round(gamma * 1000))
                        self.views({"mode": "service-classes", "congestionControl": name, "gamma": gamma, "beta": beta, "lowerMean": lower_mean}, buffer)
            if options.arrivals:
                for clients in arrivals.sizes(options.clients):
                    self.arrivals(arrivals.Scale(clients, options.segments * SEGMENT_S))
        result = self.result()
        result["claims"] = qoe.claims(result) + arrivals.claims(arrivals.whole(result))
        result |= {"byBeta": qoe.by_beta(result), "lowerMeans": qoe.lower_means(result)}
        diffperf_report.write(options.out, result)
        print(diffperf_report.table(result))
        print(f"\nReport: {options.out}/report.md; what it shows: tools/paceline claims {options.out}/result.json", flush=True)
        return 1 if any("error" in run for run in self.runs) else 0

    # Paceline

    def manage(self) -> None:
        assert self.onos
        rest = self.onos.rest
        self.terminal.step("the controller takes over, with an agent on the server")
        for switch in self.network.topology.numbers():
            self.network.ofctl("del-flows", switch)
        self.network.connect()
        self.network.wait_until_seen(rest)
        wait_until_true(lambda: self.network.are_known(rest), "the discovery of all clients", 60, every_s=0.5)
        # The lab's capacity is exact, but for what acknowledgements and questions take.
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"usableThousandths": "993", "reserveThousandths": "0"})
        rest.call("PUT", f"{V1}/intents/{BRANCH}", {"scheme": "service-classes"})
        for name, weight in WEIGHTS.items():
            rest.call("PUT", f"{V1}/intents/{BRANCH}/{name}", {"classWeight": weight})
        self.setting("classPeriodSeconds", PERIOD_S)
        self.network.agent(SERVER, RULES)
        wait_until_true(lambda: rest.state()["agents"] == 1, "the agent's attachment", 90, every_s=0.5)

    def setting(self, name: str, value: Any) -> None:
        assert self.onos
        self.onos.rest.call("PUT", f"{V1}/settings/{name}", {"value": value})

    # Runs

    def shares(self, alpha: float) -> None:
        """Scenario 1: a third of the clients in each class, all equally far away. Bulk downloads, for players pause while their buffers are full."""
        clients = self.options.clients // len(WEIGHTS) * len(WEIGHTS)
        names = [list(WEIGHTS)[client % len(WEIGHTS)] for client in range(clients)]
        entry: dict[str, Any] = {"mode": "service-classes", "alpha": alpha, "clients": clients}
        self.terminal.step(f"classes of weight {', '.join(map(str, WEIGHTS.values()))} at alpha {alpha:g}")
        self.setting("classAlphaThousandths", round(alpha * 1000))
        # Nobody is low: what is to be seen is the ratio between classes.
        self.setting("classSplits", 0)
        try:
            self.network.become("cubic", self.buffer_bytes(1_000_000), [NEAR_MS[0]] * self.options.clients)
            at = time.monotonic() + 1
            settled = at + OPENING_S + SETTLING_S
            views = self.watched(names, at, {"kind": BULK, "begin": settled, "until": settled + BULK_S})
            kbps: dict[str, list[float]] = {name: [] for name in WEIGHTS}
            for name, view in zip(names, views):
                kbps[name].append(view["bytes"] / 125 / BULK_S)
            entry |= qoe.of_shares(kbps, WEIGHTS, alpha) | {"conversations": self.held}
        except RuntimeError as problem:
            entry["error"] = str(problem)
            self.terminal.step(f"failed: {problem}")
        self.setting("classSplits", 1)
        self.add(entry)

    def views(self, entry: dict[str, Any], paper_buffer: int) -> None:
        """Scenario 2: all in one class, near and far, each with the whole film."""
        options = self.options
        buffer = self.buffer_bytes(paper_buffer)
        entry |= {"bufferBytes": paper_buffer, "scaledBufferBytes": buffer, "bufferMs": round(paper_buffer * 8 / PAPER_BUFFER_KBPS, 1)}
        self.terminal.step(f"{diffperf_report.name(entry)}: {options.clients} views of {options.seconds:g} s, buffer {buffer} bytes")
        try:
            self.network.become(entry["congestionControl"], buffer, self.trips_ms)
            at = time.monotonic() + 1
            begun = time.monotonic()
            views = self.watched(["gold"] * options.clients, at, {"kind": "dash", "segments": options.segments, "until": at + 2.5 * options.seconds})
            link = self.network.carried(NARROW)["forward"]
            entry |= qoe.of_views(views, time.monotonic() - begun) | {
                "offeredPackets": link["offeredPackets"], "droppedPackets": link["droppedPackets"],
                "views": [{**view, "rttMs": trip, "qoe": round(qoe.qoe(view), 2)} for view, trip in zip(views, self.trips_ms)],
            }  # fmt: skip
        except RuntimeError as problem:
            entry["error"] = str(problem)
            self.terminal.step(f"failed: {problem}")
        self.add(entry)

    def arrivals(self, scale: arrivals.Scale) -> None:
        """Scenario 3: near and far ones of all classes come one after the other. Its link is wider for each than that of the others."""
        options = self.options
        assert self.onos
        entry: dict[str, Any] = {"mode": "service-classes", "arrivals": True, "clients": scale.clients, "kbps": scale.kbps, "aSecond": round(scale.a_second, 3),
                                 "periodSeconds": scale.period_s}  # fmt: skip
        self.terminal.step(f"{scale.clients} clients come, {scale.a_second:.2f} a second, to films of {scale.seconds:g} s over {scale.kbps} kbit/s")
        settings = {"classAlphaThousandths": 1000, "classBetaThousandths": 250, "classGammaThousandths": 500, "classLowerMean": "F-minus", "classPeriodSeconds": scale.period_s}
        try:
            for name, value in settings.items():
                self.setting(name, value)
            self.onos.rest.configure({
                "links": {way: {"paceline": {"capacityKbps": scale.kbps, "delayMs": link.delay_ms}} for link, way in self.network.ways()}
            })  # fmt: skip
            names, moments = arrivals.classes(scale.clients, options.seed), arrivals.moments(scale, options.seed)
            buffer = round(1_000_000 * scale.kbps / PAPER_BUFFER_KBPS)
            self.network.become("cubic", buffer, round_trips_ms(options.clients, options.seed), scale.kbps)
            at = time.monotonic() + 1
            until = at + moments[-1] + 2.5 * scale.seconds
            views = self.watched(names, at, {"kind": "dash", "segments": options.segments, "until": until}, moments)
            link = self.network.carried(NARROW)["forward"]
            entry |= arrivals.of_views(views, names, moments) | {"offeredPackets": link["offeredPackets"], "droppedPackets": link["droppedPackets"]}
        except RuntimeError as problem:
            entry["error"] = str(problem)
            self.terminal.step(f"failed: {problem}")
        self.add(entry)

    def watched(self, classes: list[str], at: float, more: dict[str, Any], moments: list[float] | None = None) -> list[dict[str, Any]]:
        """What each sees. They come at these moments after `at`, or in turn within a short while."""
        many = len(classes)
        moments = moments or [OPENING_S * n / many for n in range(many)]
        settings = {
            "server": self.network.hosts[SERVER].address,
            "clients": [
                {"name": f"client-{n}", "address": address(n), "port": PORTS[name], "at": at + moments[n]} for n, name in enumerate(classes)
            ],
            **more,
        }
        file = self.home / "views.json"
        file.write_text(json.dumps(settings))
        process = self.network.popen(
            sys.executable, "-m", "paceline_lab.scenarios.films.views", str(file), host=CLIENTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(LAB)},
        )  # fmt: skip
        self.held = []
        while process.poll() is None:
            time.sleep(0.5)
            if self.onos and not self.held and time.monotonic() > at + OPENING_S + SETTLING_S:
                self.held = self.onos.rest.conversations()
            self.terminal.progress(f"at most {settings['until'] - time.monotonic():.0f} s left")
        out, error = process.communicate()
        self.network.end(process)
        found = [json.loads(line) for line in out.splitlines()]
        broken = [one["error"] for one in found if "error" in one]
        if broken or len(found) != many:
            raise RuntimeError(f"{many - len(found) + len(broken)} of {many} clients broke off: {(broken or [error[-400:]])[0]}")
        return found

    def buffer_bytes(self, paper_bytes: int) -> int:
        return max(3028, round(paper_bytes * self.options.clients * KBPS_A_CLIENT / PAPER_BUFFER_KBPS))

    def add(self, entry: dict[str, Any]) -> None:
        self.runs.append(entry)
        (self.options.out / "result.json").write_text(json.dumps(self.result(), indent=1) + "\n")

    def result(self) -> dict[str, Any]:
        options = self.options
        return {
            "scenario": "diffperf",
            "clients": options.clients,
            "paperClients": 40,
            "seconds": options.seconds,
            "paperSeconds": 600,
            "segmentSeconds": SEGMENT_S,
            "seed": options.seed,
            "bottleneckKbps": options.clients * KBPS_A_CLIENT,
            "periodSeconds": PERIOD_S,
            "command": options.command,
            "made": self.made,
            "runs": self.runs,
        }
