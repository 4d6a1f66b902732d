"""Where packets to a host's UDP ports are lost: counted by the kernel at each interface that they come to, and by whoever drops them."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

# Of Open vSwitch: packets that meters drop, of all its switches together.
BY_METERS = "datapath_drop_meter"
# Five send more than meters of up to 5 Mbit/s let through, and all together less than 30 Mbit/s: a meter that is changed lets a full burst through.
LOADS, LOAD_PER_S, LOAD_BYTES = 5, 450, 1400
# One sends 0.4 Mbit/s. An eighth of a second of a meter of 3 Mbit/s, which passes at once, takes it longer than this.
STEADY_PER_S, STEADY_BYTES, PAUSE_MS = 200, 200, 700
FRAME = 42


def lost(came: Counter[str], here: tuple[str, ...], there: tuple[str, ...]) -> int:
    """Of what came here, what did not come there."""
    return sum(came[one] for one in here) - sum(came[one] for one in there)


def sockets_dropped(listed: str) -> Counter[str]:
    """By the interface: what `ss` says that packet sockets had no room for, a switch's or a link's."""
    dropped: Counter[str] = Counter()
    for interface, packets in re.findall(r"\*:(\S+) .*?skmem:\(.*?,d(\d+)\)", listed):
        dropped[interface] += int(packets)
    return dropped


class Hops:
    """
    Of the diamond, from host d3 to host d2 on both ways. Read it while nobody sends: then all counters are of the same moment.

    A rule of a switch counts from nothing where it is written anew, and a meter where it is changed. Interfaces do not.
    """

    AT = (("h-d3",), ("w1-3", "w1-2"), ("l3-1", "l2-1"), ("w3-4", "w2-4"), ("l4-3", "l4-2"), ("eth0",))
    NAMES = ("switch 1", "links from 1", "switches 2 and 3", "links to 4", "switch 4")
    LINKS = {"links from 1": ("1-3", "1-2"), "links to 4": ("3-4", "2-4")}

    def __init__(self, network: Any, steady: int, ports: range):
        self.network = network
        for at in self.AT[:-1]:
            for interface in at:
                network.inside("nft", self._table(interface, steady, ports))
        network.host("d2", "nft", self._table("eth0", steady, ports))

    @staticmethod
    def _table(interface: str, steady: int, ports: range) -> str:
        name = interface.replace("-", "_")
        return f"""table netdev hops_{name} {{
            counter steady {{ }}
            counter everybody {{ }}
            chain came {{
                type filter hook ingress device "{interface}" priority 0
                udp dport {steady} counter name steady
                udp dport {ports[0]}-{ports[-1]} counter name everybody
            }}
        }}"""

    def close(self) -> None:
        for at in self.AT[:-1]:
            for interface in at:
                self.network.inside("nft", f"delete table netdev hops_{interface.replace('-', '_')}")
        self.network.host("d2", "nft", "delete table netdev hops_eth0")

    def read(self) -> dict[str, Counter[str]]:
        """What has come to each interface, of the steady port and of all; and who has dropped how many."""
        found: dict[str, Counter[str]] = {"steady": Counter(), "everybody": Counter(), "dropped": Counter()}
        for listed in (self.network.inside("nft", "-j", "list", "counters"), self.network.host("d2", "nft", "-j", "list", "counters")):
            for one in json.loads(listed)["nftables"]:
                if (counter := one.get("counter", {})).get("table", "").startswith("hops_"):
                    found[counter["name"]][counter["table"].removeprefix("hops_").replace("_", "-")] = counter["packets"]
        dropped = found["dropped"]
        dropped.update(sockets_dropped(self.network.inside("ss", "-H", "-0", "-m", "-n", "-O")))
        for interface in json.loads(self.network.inside("ip", "-s", "-j", "link")):
            # A cable's near end counts what its far end had no room for.
            dropped[f"from {interface['ifname']}"] = interface["stats64"]["tx"]["dropped"]
        for name in (name for links in self.LINKS.values() for name in links):
            dropped[f"link {name}"] = self.network.carried(name).get("forward", {}).get("droppedPackets", 0)
        dropped["by meters"] = self.network.ovs.counter(BY_METERS)
        return found


def between(before: dict[str, Counter[str]], after: dict[str, Counter[str]]) -> list[dict[str, Any]]:
    """Of each hop: how many packets were lost there, and how many packets of anybody were dropped there for want of room, and by meters."""
    steady, everybody, dropped = (Counter({name: after[what][name] - before[what][name] for name in after[what]}) for what in ("steady", "everybody", "dropped"))
    hops = []
    for number, name in enumerate(Hops.NAMES):
        here, there = Hops.AT[number], Hops.AT[number + 1]
        full = sum(dropped[one] for one in (*here, *(f"from {near_end(one)}" for one in there), *(f"link {one}" for one in Hops.LINKS.get(name, ()))))
        # Where they come in conversations are metered, and nowhere else.
        metered = dropped["by meters"] if number == 0 else 0
        hops.append({"hop": name, "steadyLost": lost(steady, here, there), "lost": lost(everybody, here, there), "full": full, "metered": metered})
    return hops


def near_end(interface: str) -> str:
    """The other end of a cable."""
    return "h-d2" if interface == "eth0" else {"l": "w", "w": "l"}[interface[0]] + interface[1:]


def alternating(network: Any, ports: list[int], change: Callable[[], None], times: int) -> list[dict[str, Any]]:
    """Spells with changes, and after each one without that lasts as long. The first port is the steady one's."""
    hops = Hops(network, ports[0], range(ports[0], ports[-1] + 1))
    try:
        spells = []
        for _ in range(times):
            spells.append(spell(network, hops, ports, "changes", change))
            spells.append(spell(network, hops, ports, "none", lambda: time.sleep(spells[-1]["seconds"])))
        return spells
    finally:
        hops.close()


def spell(network: Any, hops: Hops, ports: list[int], kind: str, act: Callable[[], None]) -> dict[str, Any]:
    """What is lost at each hop while this is done. All that was sent has arrived or is lost before anything is read."""
    address, steady = network.hosts["d2"].address, str(ports[0])
    heard = network.probe("d2", "receive", *map(str, ports))
    before, began = hops.read(), time.monotonic()
    load = network.probe("d3", "send", *(f"load:{port}:{address}:{port}:{LOAD_PER_S}:{LOAD_BYTES}" for port in ports[1:]))
    sender = network.probe("d3", "send", f"steady:{steady}:{address}:{steady}:{STEADY_PER_S}:{STEADY_BYTES}")
    try:
        act()
        seconds = time.monotonic() - began
    finally:
        network.harvest(load)
        sent = network.harvest(sender)["steady"]["sent"]
    # A link says each second what it has dropped, and Open vSwitch adds up its threads' counters as often.
    time.sleep(2.5)
    after = hops.read()
    without_room = udp_dropped(network.host("d2", "cat", "/proc/net/udp6"), ports[0])
    arrived = network.harvest(heard)[steady]
    came = {what: {at: after[what][at] - before[what][at] for at in after[what]} for what in ("steady", "everybody")}
    left = sum(came["everybody"][at] * (LOAD_BYTES + FRAME) + came["steady"][at] * (STEADY_BYTES - LOAD_BYTES) for at in Hops.AT[1])
    return {
        "kind": kind, "seconds": seconds, "hops": between(before, after), "gapMs": arrived["gapMs"], "sent": sent, "received": arrived["received"],
        "mbit": 8 * left / seconds / 1e6, "notLeft": sent - came["steady"]["h-d3"],
        "notRead": came["steady"]["eth0"] - arrived["received"], "withoutRoom": without_room,
    }  # fmt: skip


def udp_dropped(listed: str, port: int) -> int:
    """What the sockets of this port had no room for, by the kernel's list of them."""
    rows = [line.split() for line in listed.splitlines()[1:]]
    return sum(int(row[-1]) for row in rows if row[1].endswith(f":{port:04X}"))


def said(one: dict[str, Any]) -> str:
    lost_at = [f"{hop['hop']} {hop['steadyLost']} and {hop['lost']} (no room {hop['full']}, meters {hop['metered']})" for hop in one["hops"] if hop["lost"]]
    return (f"{one['kind']:8} {one['seconds']:5.1f} s, {one['mbit']:4.1f} of 30 Mbit/s, longest gap {one['gapMs']:g} ms; of {one['sent']} of the steady one "
            f"{one['received']} arrived; its packets and all that were lost: {', '.join(lost_at) or 'none'}")  # fmt: skip


def nothing_lost_that_nobody_dropped(one: dict[str, Any]) -> None:
    """Whatever is lost, with changes or without, a meter has dropped, or somebody had no room for it. So a busy machine fails nothing here."""
    assert one["mbit"] > 10, f"not under load: {said(one)}"
    assert one["notLeft"] == 0 and one["notRead"] <= one["withoutRoom"], one
    for hop in one["hops"]:
        assert hop["lost"] <= hop["full"] + hop["metered"], said(one)
        # Its meter is far from full, unless all that came in a pause passes it at once.
        assert hop["steadyLost"] <= hop["full"] or one["gapMs"] > PAUSE_MS, said(one)
