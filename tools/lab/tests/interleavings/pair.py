"""Two hosts behind two scripted switches with a link between: whatever happens to one pair leaves the others alone."""

from __future__ import annotations

import socket
import struct
from typing import Any

from paceline_lab.networks.space import Onos, entered

from interleavings.switch import HOST_PORT, LINK_PORT, Script, ScriptedSwitch
from switches.steps import announce, end

OPENFLOW_PORT = 6653
PORT = 5080


class Pair:
    """Close it."""

    def __init__(self, onos: Onos, number: int):
        self.number = number
        self.rest = onos.rest
        self.script = Script()

        def connect() -> socket.socket:
            with entered(onos.space.namespace):
                return socket.create_connection(("127.0.0.1", OPENFLOW_PORT), 10)

        self.switches = [ScriptedSwitch(0x100 * number + one, self.script, connect) for one in (1, 2)]
        near, far = self.switches
        near.peer, far.peer = far, near

    def close(self) -> None:
        for switch in self.switches:
            switch.close()

    def address(self, host: int) -> str:
        return f"10.30.{self.number}.{host}"

    def appear(self) -> None:
        """Each host asks for a neighbour whom nobody knows, which makes itself known."""
        for host, switch in enumerate(self.switches, 1):
            switch.hear(HOST_PORT, question(bytes((2, 0, 0, 0x30, self.number, host)), self.address(host), self.address(250)))

    def tell_capacity(self, kbps: int) -> None:
        ends = [f"{switch.id}/{LINK_PORT}" for switch in self.switches]
        settings = {"paceline": {"capacityKbps": kbps, "delayMs": 1}}
        self.rest.configure({"links": {f"{a}-{b}": settings for a, b in (ends, ends[::-1])}})

    @property
    def conversation(self) -> str:
        return f"pair-{self.number}"

    def announce(self) -> None:
        announce(self.rest, self.conversation, self.address(1), self.address(2), PORT, "file-download/emailattach")

    def end(self) -> None:
        end(self.rest, self.conversation)

    def as_onos_sees_it(self) -> list[str]:
        """Its switches, links and hosts: what is missing of these no order can mend."""
        ids = [switch.id for switch in self.switches]
        devices = [f"{one['id']} available {one['available']}, role {one['role']}" for one in self.rest.get("/v1/devices")["devices"] if one["id"] in ids]
        links = [f"{start} to {end}" for start, end in self.rest.links() if start.split("/")[0] in ids]
        hosts = [f"{one['ipAddresses']} at {one['locations']}" for one in self.rest.get("/v1/hosts")["hosts"] if {self.address(1), self.address(2)} & set(one["ipAddresses"])]
        return [*devices, *links, *hosts]

    def holds(self) -> list[Any]:
        with self.script.lock:
            return [switch.holds() for switch in self.switches]


def question(mac: bytes, sender: str, wanted: str) -> bytes:
    """Of ARP, to all."""
    body = struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + mac + socket.inet_aton(sender) + bytes(6) + socket.inet_aton(wanted)
    return b"\xff" * 6 + mac + b"\x08\x06" + body + bytes(18)
