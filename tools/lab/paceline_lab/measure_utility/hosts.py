"""Two hosts and a line between them that has the throughput and the delay of one place of the grid.

    server (eth0) === wire (delay, both ways) === (eth0) client

The throughput is held where Paceline holds it: at the sending host, by an HTB class that its sockets feel. So nothing is
dropped and no queue grows in the network. The other direction has no limit. What a host sends are whole frames of a wire,
and these are what the throughput counts.
"""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from typing import IO, Any

from ..ledger import HOST_NICE, Ledger, namespace_of, run
from ..network import Host, plain_frames

SERVER, CLIENT = "10.9.0.1", "10.9.0.2"
ENDS = ("plmu1", "plmu2")
TO_CLIENT, TO_SERVER = "to-client", "to-server"
# As the agent's: what leaves at once, so that a timer that is late loses nothing.
BURST_S, LEAST_BURST = 0.002, 1600


class TwoHosts:
    def __init__(self, ledger: Ledger, native: Path, limited: str):
        """`limited` is the direction that has the grid's throughput."""
        self.ledger = ledger
        self.native = native
        self.limited = limited
        self.wire: subprocess.Popen[bytes] | None = None
        self.servers: list[Host] = []
        self.clients: list[Host] = []

    @property
    def server(self) -> Host:
        return self.servers[0]

    @property
    def client(self) -> Host:
        return self.clients[0]

    def start(self) -> None:
        for end, side, address in zip(ENDS, (self.servers, self.clients), (SERVER, CLIENT)):
            side.append(self._host(end, address))
        for host in (self.server, self.client):
            run(*host.command("ip", "route", "replace", "10.9.0.0/24", "dev", "eth0", "proto", "kernel", "scope", "link",
                              "src", host.address, "congctl", "cubic"))  # fmt: skip

    def _host(self, end: str, address: str) -> Host:
        holder = subprocess.Popen(
            ["unshare", "--net", "sleep", "infinity"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
        )
        self.ledger.note_process(holder.pid)
        until = time.monotonic() + 60
        while namespace_of(holder.pid) == namespace_of("self"):
            if holder.poll() is not None or time.monotonic() > until:
                raise RuntimeError("this machine gives no network namespace. Maybe it is a container that may not")
            time.sleep(0.01)
        self.ledger.note("namespaces", namespace_of(holder.pid))
        host = Host(end, holder.pid, "eth0", address)
        self.ledger.note("links", end)
        run("ip", "link", "add", end, "type", "veth", "peer", "name", "eth0", "netns", str(holder.pid))
        plain_frames([], end)
        plain_frames(host.command(), "eth0")
        run("ip", "link", "set", end, "up")
        run(*host.command("ip", "link", "set", "lo", "up"))
        run(*host.command("ip", "address", "add", f"{address}/24", "dev", "eth0"))
        # Over a short way TCP hands 64 kB at once to the queue, which HTB lets go as one: an answer would be there at once.
        run(*host.command("ip", "link", "set", "eth0", "gso_max_segs", "1", "up"))
        return host

    def become(self, rate_kbps: float, delay_ms: float) -> None:
        """What waits from before is gone, and so is what the hosts remember of each other."""
        self.stop_wire()
        sender = self.server if self.limited == TO_CLIENT else self.client
        for host in (self.server, self.client):
            run(*host.command("tc", "qdisc", "delete", "dev", "eth0", "root"), check=False)
            run(*host.command("ip", "tcp_metrics", "flush"))
        burst = max(LEAST_BURST, round(rate_kbps * 1000 / 8 * BURST_S))
        run(*sender.command("tc", "qdisc", "add", "dev", "eth0", "root", "handle", "1:", "htb", "default", "1"))
        run(*sender.command("tc", "class", "add", "dev", "eth0", "parent", "1:", "classid", "1:1", "htb", "rate", f"{round(rate_kbps * 1000)}bit",
                            "burst", str(burst), "cburst", str(burst), "quantum", "1514"))  # fmt: skip
        stats = self.ledger.folder / "wire.jsonl"
        stats.unlink(missing_ok=True)
        delay = str(round(delay_ms * 1000))
        self.wire = subprocess.Popen(
            [str(self.native / "wire"), "--a", ENDS[0], "--b", ENDS[1], "--rate", "0", "--delay-us", delay, "--stats", str(stats)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log("wire"), start_new_session=True,
        )  # fmt: skip
        self.ledger.note_process(self.wire.pid)
        until = time.monotonic() + 60
        while not stats.exists():
            if self.wire.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the wire does not come up. Maybe see {self.ledger.folder / 'wire.log'}")
            time.sleep(0.01)

    def stop_wire(self) -> None:
        if self.wire and self.wire.poll() is None:
            self.wire.send_signal(signal.SIGTERM)
            self.wire.wait(60)

    def popen(self, host: Host, words: list[str], nice: int = HOST_NICE, **more: Any) -> subprocess.Popen[Any]:
        process = subprocess.Popen(host.command(*words), start_new_session=True, **more)
        self.ledger.note_process(process.pid, nice)
        return process

    def log(self, name: str) -> IO[bytes]:
        return open(self.ledger.folder / f"{name}.log", "ab")
