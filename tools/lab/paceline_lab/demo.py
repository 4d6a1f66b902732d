"""The demonstration: one narrow link, many users, first without and then with Paceline."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from . import kpi, measure, native, ovs, repeats, report, rivals
from .account import shares
from .demo_claims import claims
from .ledger import FOLDER, Ledger
from .managed import Management
from .mix import Application, paper_mix
from .network import Network
from .options import Options
from .ovs import Missing
from .services import Services
from .terminal import Terminal
from .traffic import Traffic, client_command, write_settings

PROGRAMS = {
    "ip": "iproute2", "tc": "iproute2", "nsenter": "util-linux", "ethtool": "ethtool", "nginx": "nginx-light",
    "nft": "nftables",
    "ssh": "openssh-client", "ssh-keygen": "openssh-client", "/usr/sbin/sshd": "openssh-server",
}  # fmt: skip


class Refused(Exception):
    """The demonstration cannot begin; nothing was made."""


def require_programs() -> None:
    for program, package in PROGRAMS.items():
        if not shutil.which(program):
            raise Missing(f"{program} is not installed. Maybe: apt-get install {package}")
    ovs.require()


def commit() -> str:
    """Of what runs; empty where it is no checkout."""
    if not shutil.which("git"):
        return ""
    words = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    return subprocess.run(words, capture_output=True, text=True).stdout.strip()


def run(options: Options) -> int:
    require_programs()
    rivals.require(options.rivals)
    terminal = Terminal()
    ledger = Ledger.open()
    try:
        if options.controller == "onos":
            Management.refuse_busy_ports()
        return Demo(options, terminal, ledger).run()
    finally:
        terminal.step("cleaning up")
        ledger.undo()


class Demo:
    def __init__(self, options: Options, terminal: Terminal, ledger: Ledger):
        self.options = options
        self.terminal = terminal
        self.ledger = ledger
        self.applications: list[Application] = paper_mix(options.applications)
        self.samples: dict[str, measure.Samples] = {}
        self.runs: list[dict[str, Any]] = []
        self.base_rtt_ms = 0.0
        self.made = {"at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit()}
        try:
            options.out.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise Refused(f"cannot write to {options.out} ({problem}). Maybe choose another --out DIR") from None

    def run(self) -> int:
        options = self.options
        programs = native.build(Path(__file__).resolve().parent.parent / "target")
        management = (
            Management(self.ledger, self.terminal, options.agents, options.headroom, options.lend)
            if options.controller == "onos"
            else None
        )
        if management:
            management.start_controller()
        self.terminal.step(f"building the network: two switches, {options.bottleneck.bits_per_second / 1e6:g} Mbit/s between them")
        self.network = Network(self.ledger, options.bottleneck, programs, ("127.0.0.1", 6653) if management else None)
        self.network.start(self.applications)
        self.services = Services(self.network, self.ledger.folder)
        self.services.start()
        if management:
            management.adopt(self.network, self.applications)
        self.verify()
        for repeat in range(options.repeats):
            self.once(repeat, management)
        self.finish()
        if options.keep:
            self.linger(management)
        return 1 if any("error" in run for run in self.runs) else 0

    def once(self, repeat: int, management: Management | None) -> None:
        """Each of the runs, one after the other, so that whatever slowly changes on this machine meets all of them alike."""
        options = self.options
        if options.mode != "managed":
            self.measure("best-effort", repeat, None)
        for name in options.rivals:
            self.network.become(rivals.RIVALS[name])
            self.measure(name, repeat, None)
        if options.rivals:
            self.network.become(rivals.BEST_EFFORT)
        if management and options.mode != "best-effort":
            try:
                if options.mode == "both" or repeat == 0:
                    management.start_agents()
                    management.rehearse(self.open_once)
                self.measure("managed", repeat, management)
            except RuntimeError as problem:
                self.runs.append({"mode": "managed", "repeat": repeat, "error": str(problem)})
            if options.mode == "both" and repeat < options.repeats - 1:
                management.stop_agents()

    def verify(self) -> None:
        self.terminal.step(f"checking that all {len(self.applications)} applications reach their servers")
        self.open_once()
        # The switches have opened their sockets by now; the rest of the machine gets its limits back.
        self.ledger.release_machine_settings()
        probe_file = self.ledger.folder / "probe-idle"
        probe = self.services.probe(probe_file)
        time.sleep(3)
        probe.terminate()
        probe.wait(60)
        trips = [t for line in measure.lines(probe_file) for t in line["roundTripMs"]]
        if not trips:
            raise RuntimeError("no echo comes back across the bottleneck. Maybe see the switches' logs in " + str(FOLDER))
        self.base_rtt_ms = round(kpi.quantile(trips, 0.5), 2)
        self.terminal.step(f"round trip when idle: {self.base_rtt_ms:.2f} ms")

    def open_once(self) -> None:
        files = write_settings(self.network, self.services, self.applications, self.options.seed, 0)
        failing = self.network.check(files, client_command())
        if failing:
            raise RuntimeError(
                f"{len(failing)} of {len(self.applications)} applications cannot reach their server, the first: {failing[0]}"
            )

    def measure(self, mode: str, repeat: int, management: Management | None) -> None:
        """Repeats differ in all that is random."""
        options = self.options
        which = f" ({repeat + 1} of {options.repeats})" if options.repeats > 1 else ""
        self.terminal.step(
            f"{mode}{which}: {len(self.applications)} applications, {options.warm_up:g} s warm-up, {options.seconds:g} s measured"
        )
        raw = options.out / (f"{mode}-{repeat + 1}.jsonl" if options.repeats > 1 else f"{mode}.jsonl")
        traffic = Traffic(self.network, self.services, self.applications, options.seed + repeat, options.opening_s, raw)
        traffic.start()
        until = time.monotonic() + options.warm_up
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(0.5, left))
            self.terminal.progress(f"{mode}: warming up, {left:.0f} s left; {traffic.live()}")
        if management:
            management.wait_for_grants(traffic.live)
        account = management.account() if management else None
        if account:
            account.start()
        samples = traffic.measure(
            options.seconds,
            options.cool_down,
            lambda text: self.terminal.progress(f"{mode}: {text}"),
            lambda: (account.stop(), management.remember()) if account else None,
        )
        self.samples[mode] = samples
        targets = None
        if management:
            targets = management.targets()
            management.keep_record(options.out)
        entry = measure.summary(mode, samples, self.applications, targets)
        if management:
            entry["grantMs"] = measure.spread(management.grant_times_ms())
        if account and account.moments and "linkKbps" in entry:
            entry["account"] = shares(
                account.moments, options.bottleneck.bits_per_second / 1000, 1 - options.headroom / 100, entry["linkKbps"], entry["goodputKbps"]
            )
        self.runs.append({**entry, "repeat": repeat} if options.repeats > 1 else entry)
        self.write()

    def result(self) -> dict[str, Any]:
        options = self.options
        return {
            "scenario": "paper",
            "applications": options.applications,
            "seconds": options.seconds,
            "seed": options.seed,
            "bottleneckKbps": options.bottleneck.bits_per_second // 1000,
            "baseRttMs": self.base_rtt_ms,
            "bufferBytes": options.bottleneck.fifo_bytes,
            "openingSeconds": options.opening_s,
            "headroomPercent": options.headroom,
            "lendPercent": options.lend,
            "command": options.command,
            "made": self.made,
            **({"runs": repeats.together(self.runs), "repeats": self.runs} if options.repeats > 1 else {"runs": self.runs}),
        }

    def write(self) -> None:
        (self.options.out / "result.json").write_text(json.dumps(self.result(), indent=1) + "\n")

    def finish(self) -> None:
        self.terminal.step("drawing the report")
        options, result = self.options, self.result()
        result["claims"] = claims(result)
        report.write(options.out, result, self.samples)
        print(report.table(result))
        print(f"\nReport: {options.out}/report.html, or report.md; figures: {options.out}/result.json; what they show: tools/paceline claims {options.out}/result.json")
        print("\n".join(report.lines(report.conclusion(result))), flush=True)

    def linger(self, management: Management | None) -> None:
        self.ledger.note("kept", True)
        print("\nEverything still runs. Ctrl-C ends it, and so does `tools/paceline down` or the next demo.")
        for host in [*self.network.servers, *self.network.clients]:
            print(f"  a shell on {host.name} ({host.address}): {' '.join(host.command('bash'))}")
        if management:
            print("  the controller: curl -u onos:rocks http://127.0.0.1:8181/onos/paceline/v1/state")
            print("  its console: ssh -p 8101 onos@127.0.0.1 (rocks), then paceline:conversations")
            print(f"  the agents' configurations and logs: {self.ledger.folder}")
        sys.stdout.flush()
        traffic = Traffic(
            self.network, self.services, self.applications, self.options.seed, 5, self.options.out / "kept.jsonl"
        )
        traffic.start()
        while True:
            time.sleep(5)
            self.terminal.progress(f"running until Ctrl-C; {traffic.live()}")
