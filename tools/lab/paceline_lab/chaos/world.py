"""What faults happen to: ONOS, four switches in a diamond, hosts with and without agents, conversations, and what operators were told is done."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from ..networks.controller import Refused
from ..networks.emulated_network import EmulatedNetwork
from ..networks.own_ovs import wait_until_true
from ..networks.space import Onos
from ..networks.topology import Host, Link, Topology
from ..options import PROMISED_S

# The way by switch 2 is quick and narrow, that by switch 3 slow and wide.
DIAMOND = Topology(
    4,
    (Link(1, 2, 2, 5), Link(2, 4, 2, 5), Link(1, 3, 40, 30), Link(3, 4, 40, 30)),
    (Host("a1", 1, 1), Host("a2", 2, 1), Host("b1", 3, 4), Host("c1", 4, 1)),
)  # fmt: skip
AGENTS, RECEIVER, METERED = ("a1", "a2"), "b1", "c1"
VOICE, SHELL, DOWNLOAD = "voip/g729.1", "remote-terminal/sshadmin", "file-download/emailattach"
# What sends all the time, by the sender's port: packets a second, and their bytes.
ALWAYS: dict[str, dict[int, tuple[str, int, int]]] = {
    "a1": {5004: (VOICE, 50, 60), 5022: (SHELL, 20, 100), 5080: (DOWNLOAD, 150, 1400), 5081: (DOWNLOAD, 150, 1400)},
    "a2": {5005: (VOICE, 50, 60), 5023: (SHELL, 20, 100), 5082: (DOWNLOAD, 150, 1400)},
}
# What comes and goes, whichever host it is of.
NOW_AND_THEN = {5100: VOICE, 5101: SHELL, 5102: DOWNLOAD, 5103: DOWNLOAD}
# What nobody manages, beside all that.
NOBODYS = 7000
PACED = "/paceline/v1"
ACTIVE = "/v1/applications/org.paceline.app/active"
WATCHED_INTENT = "video-streaming"
SEEN_S, AGENT_STOPS_S = 90.0, 20.0


class World:
    def __init__(self, network: EmulatedNetwork, onos: Onos, more_rules: str = ""):
        """With these naming rules of agents, besides those of what is said here."""
        self.network = network
        self.more_rules = more_rules
        self.onos = onos
        self.rest = onos.rest
        # Who sends now, by host and port.
        self.senders: dict[tuple[str, int], subprocess.Popen[str]] = {}
        self.announced: dict[str, int] = {}
        self.priority: int | None = None
        self.reserved: set[str] = set()
        self.as_found: dict[str, str] = {}

    def build(self) -> None:
        self.network.connect()
        self.network.wait_until_seen(self.rest, SEEN_S)
        self.as_found = {host: self.on_host(host) for host in AGENTS}
        for host in AGENTS:
            self.start_agent(host)
        wait_until_true(lambda: self.rest.state()["agents"] == len(AGENTS), "the agents' arrival", 60)
        ports = [*(port for of in ALWAYS.values() for port in of), *NOW_AND_THEN, NOBODYS, *range(6000, 6010)]
        self.network.probe(RECEIVER, "receive", *map(str, ports))
        self.network.probe("a1", "send", f"nobodys:{NOBODYS}:{self.target}:{NOBODYS}:20:100")
        for host, of in ALWAYS.items():
            for port in of:
                self.talk(host, port)
        self.announce("always", 6000)

    @property
    def target(self) -> str:
        return self.network.hosts[RECEIVER].address

    def on_host(self, host: str) -> str:
        """What there is of queues and of nftables."""
        # Without handles and numbers of packets, which only grow.
        queues = [line.split(" refcnt")[0] for line in self.network.host(host, "tc", "qdisc", "show", "dev", "eth0").splitlines()]
        return "\n".join([*queues, self.network.host(host, "nft", "list", "tables")])

    # Who sends

    def talk(self, host: str, port: int) -> None:
        _, rate, size = ALWAYS[host].get(port, (NOW_AND_THEN.get(port), 100, 500))
        self.senders[host, port] = self.network.probe(host, "send", f"p{port}:{port}:{self.target}:{port}:{rate}:{size}")

    def hush(self, host: str, port: int) -> None:
        self.network.harvest(self.senders.pop((host, port)))

    def ports(self, host: str) -> set[int]:
        return {port for of, port in self.senders if of == host}

    def start_agent(self, host: str) -> None:
        named = {port: intent for port, (intent, _, _) in ALWAYS[host].items()} | NOW_AND_THEN
        rules = "".join(
            f"  - intent: {intent}\n    match: {{protocol: udp, localPort: {port}}}\n    group: socket\n" for port, intent in named.items()
        )
        self.network.agent(host, "unmatched: ignore\nrules:\n" + rules + self.more_rules, env={**os.environ, **self.environment(host)})

    def environment(self, host: str) -> dict[str, str]:
        """What an agent is started with, besides what everybody has."""
        return {}

    def kill_agent(self, host: str) -> None:
        agent = self.network.agents[host]
        agent.send_signal(signal.SIGKILL)
        agent.wait(AGENT_STOPS_S)

    def stop_agent(self, host: str) -> None:
        agent = self.network.agents[host]
        agent.terminate()
        if agent.wait(AGENT_STOPS_S) != 0:
            raise RuntimeError(f"the agent on {host} ended with code {agent.returncode}")

    # What operators ask for

    def _taken(self, path: str, body: dict[str, Any]) -> Any:
        """
        The answer. Whoever is refused tries again for as long as it may take until everything is right: ONOS may have forgotten a host, such as
        after a stall in which it lost its switches.
        """
        until = time.monotonic() + PROMISED_S
        while True:
            try:
                return self.rest.call("POST", f"{PACED}/{path}", body)
            except Refused:
                if time.monotonic() > until:
                    raise
                time.sleep(0.5)

    def announce(self, name: str, port: int) -> None:
        body = {
            "id": name, "intent": DOWNLOAD, "localAddress": self.network.hosts[METERED].address, "remoteAddress": self.target,
            "protocol": "udp", "localPort": port, "remotePort": port,
        }  # fmt: skip
        self._taken("conversations", body)
        self.announced[name] = port

    def announce_again(self) -> None:
        """No controller keeps what was announced: whoever did does it again to one that is new."""
        for name, port in self.announced.items():
            self.announce(name, port)

    def withdraw(self, name: str) -> None:
        self.rest.call("DELETE", f"{PACED}/conversations/announced/{name}")
        del self.announced[name]

    def prefer(self, priority: int) -> None:
        self.rest.call("PUT", f"{PACED}/intents/{WATCHED_INTENT}", {"priority": priority})
        self.priority = priority

    def reserve(self, kbps: int) -> None:
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds").replace("+00:00", "Z")
        wish = {"intent": WATCHED_INTENT, "from": self.network.hosts["a1"].address, "to": self.target, "rateKbps": kbps,
                "start": tomorrow, "durationSeconds": 60}  # fmt: skip
        held = self._taken("reservations", wish)["id"]
        self.rest.call("POST", f"{PACED}/reservations/{held}/commit", {})
        self.reserved.add(held)

    def cancel_reservations(self) -> None:
        for held in list(self.reserved):
            self.rest.call("DELETE", f"{PACED}/reservations/{held}")
            self.reserved.remove(held)

    def reservations(self) -> set[str]:
        return {one["id"] for one in self.rest.get(f"{PACED}/reservations")["reservations"]}

    def alarms(self) -> set[str]:
        """The kinds of those that there are."""
        return {one["kind"] for one in self.rest.get(f"{PACED}/alarms")["alarms"]}

    # The end

    def stop(self) -> None:
        """Everybody goes, in good order."""
        for host, port in list(self.senders):
            self.hush(host, port)
        for name in list(self.announced):
            self.withdraw(name)
        for host in AGENTS:
            self.stop_agent(host)
