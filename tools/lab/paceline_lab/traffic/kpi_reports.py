"""Tells agents what the users of one client host measure, as applications do that report KPIs.

What is measured goes to the agent of the host that sends to the user: its conversation carries the grant, and who only hears a call
has none of its own. There the service would say what its players and pages tell it; hosts of the lab share files, so that the user
reaches that agent's socket from here. A claim names the intent that the agent's rules name, too.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

from ..checkout import ROOT

sys.path.append(str(ROOT / "host-agent-java/client/src/main/python"))
from paceline_client import PacelineClient, Refused

# By the types of applications: what the model of each one's intent takes.
KPIS = {"web": "page_load_s", "dl": "download_10mb_s", "vod": "quality_level", "live": "quality_level", "ssh": "response_s"}
# Between two reports of a client host: those who report shall not be what is measured.
PAUSE_S = 0.25

Address = tuple[str, int]


@dataclass(frozen=True)
class Sender:
    """The socket that sends to a user; known by its ends, as it is another process's."""

    type: socket.SocketKind
    here: Address
    to: Address

    def getsockname(self) -> Address:
        return self.here

    def getpeername(self) -> Address:
        return self.to


@dataclass(frozen=True)
class Measured:
    user: str
    intent: str
    sender: Sender
    kpis: dict[str, float]


class KpiReports(threading.Thread):
    """A thread beside the users, so that none of them waits for an agent. One that is away hears what is measured when it is back."""

    def __init__(self, agents: dict[str, str], pause_s: float = PAUSE_S):
        """`agents`: the sockets of those that there are, by the addresses of their hosts."""
        super().__init__(daemon=True)
        self.agents = agents
        self.pause_s = pause_s
        self.lock = threading.Lock()
        # Users in the order in which they first had something that is not told yet; of each the latest counts.
        self.waiting: dict[str, Measured] = {}
        self.said: dict[str, tuple[PacelineClient, Sender]] = {}

    def tell(self, one: Measured) -> None:
        if one.sender.here[0] in self.agents:
            with self.lock:
                self.waiting[one.user] = one

    def run(self) -> None:
        while True:
            time.sleep(self.pause_s)
            with self.lock:
                one = self.waiting.pop(next(iter(self.waiting)), None) if self.waiting else None
            if one:
                self.report(one)

    def report(self, one: Measured) -> None:
        try:
            self.claimed(one).report(**one.kpis)
        except (OSError, ValueError, Refused):
            # The agent is away, or the connection was closed in the meantime: what is measured next is told anew.
            if known := self.said.pop(one.user, None):
                known[0].close()

    def claimed(self, one: Measured) -> Any:
        """What each says holds for its own connection to the agent."""
        agent, sender = self.said.get(one.user) or (PacelineClient(self.agents[one.sender.here[0]]), None)
        self.said[one.user] = agent, one.sender
        if sender != one.sender:
            agent.claim(one.intent, one.sender)
        return agent
