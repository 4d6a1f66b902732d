"""Runs all applications for one measurement and collects what they say."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Sequence

from ..checkout import LAB
from ..machine.processes import reap
from ..traffic import measure
from ..traffic.client import SSH_PAUSE_S
from ..traffic.mix import Application
from ..traffic.on_off import OnOff
from .network import Network
from .services import Services

Live = Callable[[str], None]


class Traffic:
    """The clients of one run: started, told when the window opens, stopped; their samples are kept as they come."""

    def __init__(
        self, network: Network, services: Services, applications: list[Application], seed: int, spread_s: float, ssh_pause_s: float, raw: Path,
        agents: dict[str, str] | None = None, intents: dict[str, str] | None = None, on_off: OnOff | None = None,
    ):
        """`agents`: where users report their KPIs, by the addresses of their servers; nobody does where there are none. `intents`: under which, by user."""
        self.network = network
        self.services = services
        self.applications = applications
        self.raw = raw
        self.agents = agents or {}
        self.intents = intents or {}
        self.records: list[dict[str, Any]] = []
        self.latest: dict[str, float] = {}
        self.broken = 0
        self.lock = threading.Lock()
        self.processes: list[subprocess.Popen[Any]] = []
        self.clients: list[subprocess.Popen[Any]] = []
        self.readers: list[threading.Thread] = []
        self.voice_file = network.directory / f"voice-{raw.stem}"
        self.files = write_settings(network, services, applications, seed, spread_s, ssh_pause_s, self.report_settings(), on_off)
        self.probe_file = network.directory / f"probe-{raw.stem}"
        self.samples = measure.Samples(window=(0, 0))

    def report_settings(self) -> list[dict[str, Any]]:
        """What each client host needs to report."""
        return [{"agents": self.agents, "intents": self.intents, "heard": self.heard(host.name)} for host in self.network.clients] if self.agents else []

    def reporters(self) -> set[str]:
        """Users who have measured something, and have an agent to tell."""
        with self.lock:
            measured = {r["id"] for r in self.records if r.get("finished")}
        return {a.id for a in self.applications if a.server_address in self.agents and (a.kind == "voip" or a.id in measured)}

    def heard(self, client: str) -> str:
        """Of the calls to this host, when there are any."""
        return f"{self.voice_file}.{client}"

    def start(self) -> None:
        self.processes += self.services.hear_calls(self.applications, self.voice_file)
        self.processes.append(self.services.probe(self.probe_file))
        self.processes += self.services.start_calls(self.applications)
        for host, file in zip(self.network.clients, self.files):
            log = self.network.log(f"client-{host.name}")
            process = self.network.popen(
                *client_command(), str(file), host=host.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
            self.clients.append(process)
            reader = threading.Thread(target=self.read, args=(host.name, process), daemon=True)
            reader.start()
            self.readers.append(reader)

    def read(self, host: str, process: subprocess.Popen[Any]) -> None:
        """To the end of what it says. An evaluation has hundreds of runs, each with a pipe for every client host."""
        with process.stdout:
            for line in process.stdout:
                record = json.loads(line)
                record["host"] = host
                with self.lock:
                    self.records.append(record)
                    if record.get("event") == "glance":
                        self.latest.update(record["utilities"])
                    elif record.get("event") == "broken":
                        self.broken += 1
                    elif "utility" in record:
                        self.latest[record["id"]] = record["utility"]

    def say(self, command: str) -> None:
        for process in self.clients:
            if process.poll() is not None:
                raise RuntimeError(
                    f"a client process ended by itself (code {process.returncode}). Maybe see {self.network.directory}"
                )
            process.stdin.write(f"{command}\n".encode())
            process.stdin.flush()

    def live(self) -> str:
        """Least and mean utility of those who have measured something."""
        with self.lock:
            values = list(self.latest.values())
        if not values:
            return "no utility yet"
        return f"utility: least {min(values):.2f}, mean {sum(values) / len(values):.2f} ({len(values)} conversations)"

    def measure(
        self, seconds: float, cool_down_s: float, live: Live, at_end: Callable[[], None] = lambda: None, at_last: Callable[[], None] = lambda: None
    ) -> measure.Samples:
        """Calls `at_end` when the window closes, and `at_last` after the cool-down; everybody still talks then."""
        self.say("measure")
        begin = time.monotonic()
        end = begin + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(0.5, left))
            live(f"measuring, {left:.0f} s left; {self.live()}")
        self.samples.window = (begin, end)
        at_end()
        # Requests that began in the window may end after it, while everybody else goes on.
        last = end + cool_down_s
        while (waiting := self.unheard()) and time.monotonic() < last:
            time.sleep(0.5)
            live(f"{len(waiting)} long requests still run, at most {last - time.monotonic():.0f} s; {self.live()}")
        time.sleep(max(0.0, end + 2.2 - time.monotonic()))  # the counters' last line
        at_last()
        return self.stop()

    def away(self) -> set[str]:
        """Users who are away now."""
        with self.lock:
            return measure.away_at(self.records, time.monotonic())

    def unheard(self) -> set[str]:
        begin, end = self.samples.window
        with self.lock:
            done = {r["id"] for r in self.records if r.get("finished") and begin <= r["start"] < end}
            away = measure.away_at(self.records, end)
        return {a.id for a in self.applications if a.kind != "voip"} - done - away

    def end(self) -> None:
        """Nobody talks any more."""
        for process in self.clients:
            try:
                process.stdin.write(b"stop\n")
                process.stdin.close()
            except OSError:
                pass
        for process in self.clients:
            reap(process)
        for reader in self.readers:
            reader.join(5)
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            reap(process, 5)

    def stop(self) -> measure.Samples:
        self.end()
        samples = self.samples
        samples.records = self.records
        # In memory of this machine, which many runs would fill; all of it is in `raw`.
        for host in self.network.clients:
            samples.voice += read_once(Path(self.heard(host.name)))
        samples.probe = read_once(self.probe_file)
        samples.wires = [measure.lines(stats) for stats in self.network.wire_stats]
        self.keep(samples)
        return samples

    def keep(self, samples: measure.Samples) -> None:
        begin, end = samples.window
        with open(self.raw, "w") as out:
            out.write(json.dumps({"window": samples.window, "clock": "monotonic"}) + "\n")
            for name in ("records", "voice", "probe"):
                for record in getattr(samples, name):
                    out.write(json.dumps({"source": name, **record}) + "\n")
            for number, wire in enumerate(samples.wires, 1):
                for record in wire:
                    if begin - 2 <= record["monotonic"] <= end + 2:
                        out.write(json.dumps({"source": "wire", "link": number, **record}) + "\n")


def read_once(file: Path) -> list[dict[str, Any]]:
    found = measure.lines(file)
    file.unlink(missing_ok=True)
    return found


def client_command() -> list[str]:
    return start_words("traffic.client")


def start_words(module: str) -> list[str]:
    """Isolated from the operator's environment: what a client needs is the standard library and this package."""
    start = f"import sys; sys.path.insert(0, {str(LAB)!r}); from paceline_lab.{module} import main; main()"
    return [sys.executable, "-I", "-c", start]


def write_settings(
    network: Network, services: Services, applications: list[Application], seed: int, spread_s: float, ssh_pause_s: float = SSH_PAUSE_S,
    reporting: Sequence[dict[str, Any]] = (), on_off: OnOff | None = None,
) -> list[Path]:
    """`reporting`: what each client host needs to report KPIs; none for those that do not."""
    files = []
    for index, host in enumerate(network.clients):
        file = network.directory / f"{host.name}.json"
        file.write_text(
            json.dumps(
                {
                    "seed": seed,
                    "spreadS": spread_s,
                    "sshPauseS": ssh_pause_s,
                    "checkS": 30,
                    **({"onOffS": on_off.to_json()} if on_off else {}),
                    "sshCommand": services.ssh_command(),
                    "applications": [a.to_json() for a in applications if a.client == index],
                    **(reporting[index] if reporting else {}),
                }
            )
        )
        files.append(file)
    return files


