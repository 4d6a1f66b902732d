"""One network for many runs: built once, with its servers, and with ONOS beside it where somebody is to be managed."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import Missing
from ..machine.ledger import FOLDER, Ledger
from ..networks import ovs
from ..terminal import Terminal
from ..traffic import kpi, measure
from ..traffic.client import SSH_PAUSE_S
from ..traffic.mix import APART, Application
from ..traffic.on_off import OnOff
from .account import shares
from .managed import Management
from .network import Bottleneck, Network
from .rivals import Rival
from .services import Services
from .traffic import Traffic, client_command, write_settings
from .variants import MANAGED, MANAGED_RUNS

PROGRAMS = {
    "ip": "iproute2", "tc": "iproute2", "nsenter": "util-linux", "ethtool": "ethtool", "nginx": "nginx-light",
    "nft": "nftables",
    "ssh": "openssh-client", "ssh-keygen": "openssh-client", "/usr/sbin/sshd": "openssh-server",
}  # fmt: skip
BEST_EFFORT = "best-effort"
# The demo's, unless another is asked for. Headroom and what may be lent are in percent of it: the lab's capacity is exact, so that
# little headroom is enough.
USUAL, HEADROOM, LEND = Bottleneck(100_000_000, 1_000_000, 5.0), 0.7, 6.0
# By how many of them are in a row. Of all users five of nine cross each of three: with half the rate it is about as crowded as the one,
# and this machine carries it.
BOTTLENECKS = {1: USUAL, 3: Bottleneck(50_000_000, 500_000, 5.0)}
# For a user's last report to be the controller's; what was measured too long ago is none any more.
REPORTED_S = 10.0
# After the last user came and before the measurement.
SETTLING_S = 5.0


def require_programs() -> None:
    for program, package in PROGRAMS.items():
        if not shutil.which(program):
            raise Missing(f"{program} is not installed. Maybe: apt-get install {package}")
    ovs.require()


def opening_s(applications: int) -> float:
    """Four users come a second: more at once, with all before them at full speed, need more than two processors."""
    return max(10.0, applications / 4)


@dataclass(frozen=True)
class Run:
    """
    Who talks in one run and when it is measured, in s: users come within the opening, a part of the warm-up; what begins in the
    measured seconds counts, and may end in the cool-down.
    """

    applications: list[Application]
    seed: int
    warm_up: float
    opening_s: float
    seconds: float
    cool_down: float
    ssh_pause_s: float = SSH_PAUSE_S
    on_off: OnOff | None = None


class Lab:
    """`bottleneck` is between each two switches, and so many are in a row. Headroom, in percent, is what the management leaves free of it."""

    def __init__(self, ledger: Ledger, terminal: Terminal, bottleneck: Bottleneck, management: Management | None, headroom: float, bottlenecks: int = 1):
        self.bottlenecks = bottlenecks
        self.ledger = ledger
        self.terminal = terminal
        self.bottleneck = bottleneck
        self.management = management
        self.headroom = headroom
        self.base_rtt_ms = 0.0

    def start(self, applications: list[Application]) -> None:
        """Everything up to the first run; no later one has applications that are not among these."""
        if self.management:
            self.management.start_controller()
        switches = "two switches" if self.bottlenecks == 1 else f"{self.bottlenecks + 1} switches in a row"
        self.terminal.step(f"building the network: {switches}, {self.bottleneck.bits_per_second / 1e6:g} Mbit/s between them")
        self.network = Network(self.ledger, self.bottleneck, self.management is not None, self.bottlenecks, apart=any(one.server == APART for one in applications))
        self.network.start(applications)
        self.services = Services(self.network, self.ledger.folder)
        self.services.start()
        if self.management:
            self.management.adopt(self.network, applications)
        self.verify(applications)

    def verify(self, applications: list[Application]) -> None:
        self.terminal.step(f"checking that all {len(applications)} applications reach their servers")
        self.open_once(applications)
        # The switches have opened their sockets by now; the rest of the machine gets its limits back.
        self.ledger.release_machine_settings()
        probe_file = self.ledger.folder / "probe-idle"
        probe = self.services.probe(probe_file)
        time.sleep(3)
        probe.terminate()
        probe.wait(60)
        trips = [t for line in measure.lines(probe_file) for t in line["roundTripMs"]]
        if not trips:
            raise RuntimeError("no echo comes back from the far end. Maybe see the switches' logs in " + str(FOLDER))
        self.base_rtt_ms = round(kpi.quantile(trips, 0.5), 2)
        self.terminal.step(f"round trip when idle: {self.base_rtt_ms:.2f} ms")

    def open_once(self, applications: list[Application]) -> None:
        files = write_settings(self.network, self.services, applications, 0, 0)
        failing = self.network.check(files, client_command())
        if failing:
            raise RuntimeError(f"{len(failing)} of {len(applications)} applications cannot reach their server, the first: {failing[0]}")

    def become(self, rival: Rival) -> None:
        self.network.become(rival)

    def manage(self, applications: list[Application], mode: str = MANAGED) -> None:
        """From here on, until `leave`."""
        assert self.management
        self.management.applications = applications
        self.management.begin(MANAGED_RUNS[mode])
        self.management.rehearse(lambda: self.open_once(applications))

    def leave(self) -> None:
        assert self.management
        self.management.end()

    def traffic(self, run: Run, raw: Path) -> Traffic:
        reporting = self.management.reporting() if self.management else {}
        return Traffic(self.network, self.services, run.applications, run.seed, run.opening_s, run.ssh_pause_s, raw, **reporting, on_off=run.on_off)

    def measure(self, mode: str, run: Run, raw: Path) -> tuple[dict[str, Any], measure.Samples]:
        """
        One run from its first user to its last: its entry in a result, and its samples, which are in `raw`, too.

        Raises RuntimeError where somebody who is to be managed gets no rate, or a client ends by itself.
        """
        traffic = self.traffic(run, raw)
        try:
            return self.measured(mode, run, traffic, self.management if mode in MANAGED_RUNS else None)
        except RuntimeError:
            # The next run is to have the network for itself.
            traffic.end()
            raise

    def measured(self, mode: str, run: Run, traffic: Traffic, management: Management | None) -> tuple[dict[str, Any], measure.Samples]:
        traffic.start()
        until = time.monotonic() + run.warm_up
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(0.5, left))
            self.terminal.progress(f"{mode}: warming up, {left:.0f} s left; {traffic.live()}")
        if management:
            management.wait_for_grants(traffic.live, traffic.away)
        # Of several bottlenecks each would have one of its own.
        account = management.account() if management and self.bottlenecks == 1 else None
        if account:
            account.start()
        admissions = management.admissions() if management and run.on_off else None
        if admissions:
            admissions.start()
        bounds: list[dict[str, Any] | None] = []

        def at_end() -> None:
            """While everybody still talks."""
            for asking in (account, admissions):
                if asking:
                    asking.stop()
            if management:
                management.remember()
                bounds.append(management.bound())

        felt: list[tuple[dict[str, float], list[dict[str, Any]]]] = []

        def at_last() -> None:
            if not management:
                return
            until = time.monotonic() + REPORTED_S
            while traffic.reporters() - (seen := management.experienced()).keys() and time.monotonic() < until:
                time.sleep(0.5)
            felt.append((seen, management.experience_alarms()))

        samples = traffic.measure(run.seconds, run.cool_down, lambda text: self.terminal.progress(f"{mode}: {text}"), at_end, at_last)
        promised = admissions or management
        entry = measure.summary(mode, samples, run.applications, promised.targets() if promised else None)
        measure.add_delays(entry, samples, promised.promised_ms() if promised else {})
        if admissions:
            entry["returns"] = admissions.returns()
        if management:
            entry["grantMs"] = measure.spread(management.grant_times_ms())
            entry["bound"] = bounds[0]
            measure.add_experienced(entry, *felt[0])
        if account and account.moments and "linkKbps" in entry:
            entry["account"] = shares(
                account.moments, self.bottleneck.bits_per_second / 1000, 1 - self.headroom / 100, entry["linkKbps"], entry["goodputKbps"]
            )
        return entry, samples
