"""The programs: what serves on the one host, and what takes on the other.

No rule of an agent names them, so they are under the root's intent, as what anybody starts on a managed host.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..demo.network import Network
from ..errors import Missing
from ..machine.processes import reap
from ..networks.topology import Host

APT_HELPER = "/usr/lib/apt/apt-helper"
BROWSER = "chromium-headless-shell"
# More than the longest turn takes (ten minutes of the link): whoever is at its end would idle. It has holes only.
FILE_BYTES = 8_000_000_000
LISTENS_S = 0.5
# Read as it comes, so that the browser need not keep it.
PAGE = """<!doctype html><script>
(async () => {
  const reader = (await fetch("file", { cache: "no-store" })).body.getReader();
  while (!(await reader.read()).done);
})();
</script>
"""
RSYNC = """
port = {port}
address = {address}
use chroot = no
uid = 0
gid = 0
pid file = {folder}/rsyncd.pid
lock file = {folder}/rsyncd.lock
log file = {folder}/rsyncd.log
[files]
path = {folder}
read only = yes
"""


@dataclass(frozen=True)
class Place:
    """`sender` is managed; what comes goes to a folder that is removed."""

    network: Network
    sender: Host
    receiver: Host
    folder: Path


@dataclass(frozen=True)
class Program:
    name: str
    program: str
    package: str
    says: str
    streams: int = 1
    protocol: str = "tcp"

    def require(self) -> None:
        if not shutil.which(self.program):
            raise Missing(f"{self.program} is not installed. Maybe: apt-get install {self.package}, or --programs without {self.name}")

    @contextlib.contextmanager
    def running(self, place: Place) -> Iterator[None]:
        """Sends, from its host, for as long as this lasts."""
        begun: list[subprocess.Popen[bytes]] = []
        try:
            for host, words in self.processes(place):
                log = place.network.log(f"third-party-{self.name}-{len(begun)}")
                begun.append(place.network.popen(*words, host=host.name, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT))
                with contextlib.suppress(subprocess.TimeoutExpired):
                    begun[-1].wait(LISTENS_S)
                self.still_run(begun, place)
            yield
            self.still_run(begun, place)
        finally:
            for process in reversed(begun):
                process.terminate()
                reap(process)
            for left in place.folder.glob("got*"):
                shutil.rmtree(left) if left.is_dir() else left.unlink()

    def still_run(self, begun: list[subprocess.Popen[bytes]], place: Place) -> None:
        for number, process in enumerate(begun):
            if process.poll() is not None:
                raise RuntimeError(f"{self.name} ended by itself (code {process.returncode}). Maybe see {place.network.directory}/third-party-{self.name}-{number}.log")

    def processes(self, place: Place) -> Iterator[tuple[Host, list[str]]]:
        """In the order in which they begin."""
        source, sink = place.sender.address, place.receiver.address
        if self.program == "iperf3":
            yield place.receiver, ["iperf3", "-s", "-B", sink]
            udp = ["-u", "-b", "0", "-l", "1448"] if self.protocol == "udp" else []
            yield place.sender, ["iperf3", "-c", sink, "-B", source, "-t", "3600", "-P", str(self.streams), *udp]
            return
        file = place.folder / "file"
        if not file.exists():
            with open(file, "wb") as out:
                out.truncate(FILE_BYTES)
        if self.program == "rsync":
            settings = place.folder / "rsyncd.conf"
            settings.write_text(RSYNC.format(port=8730, address=source, folder=place.folder))
            yield place.sender, ["rsync", "--daemon", "--no-detach", f"--config={settings}"]
            yield place.receiver, ["rsync", "--inplace", f"rsync://{source}:8730/files/file", str(place.folder / "got")]
            return
        yield place.sender, [sys.executable, "-m", "http.server", "--bind", source, "--directory", str(place.folder), "8090"]
        if self.program == BROWSER:
            (place.folder / "page.html").write_text(PAGE)
            # With a port for debuggers it stays when the page has loaded.
            yield place.receiver, [
                BROWSER, "--no-sandbox", "--disable-gpu", "--no-proxy-server", "--disable-background-networking", "--disable-dev-shm-usage",
                "--remote-debugging-port=0", f"--user-data-dir={place.folder}/got-profile", f"http://{source}:8090/page.html",
            ]  # fmt: skip
        else:
            yield place.receiver, [APT_HELPER, "-oAPT::Sandbox::User=root", "download-file", f"http://{source}:8090/file", str(place.folder / "got")]


PROGRAMS = {
    one.name: one
    for one in (
        Program("iperf3", "iperf3", "iperf3", "one stream over TCP"),
        Program("iperf3-8", "iperf3", "iperf3", "eight streams over TCP", streams=8),
        Program("iperf3-udp", "iperf3", "iperf3", "as many datagrams as its socket takes", protocol="udp"),
        Program("rsync", "rsync", "rsync", "a file from an rsync daemon"),
        Program("browser", BROWSER, BROWSER, "a file that a page in Chromium fetches"),
        Program("apt", APT_HELPER, "apt", "a file over HTTP, by what apt fetches packages with"),
    )
}
