"""What the tests of this folder do again and again."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from paceline_lab.networks.conversations import is_installed


def eventually(question: Callable[[], Any], seconds: float = 60.0) -> Any:
    """
    The first true answer; fails with the last one where there is none in time, which only a test that fails waits for.

    Asked ever more seldom: a question takes some milliseconds of a processor that others wait for, too.
    """
    until, pause = time.monotonic() + seconds, 0.05
    while True:
        answer = question()
        if answer:
            return answer
        assert time.monotonic() < until, f"Still {answer!r} after {seconds:.0f} s."
        time.sleep(pause)
        pause = min(0.25, 1.2 * pause)


def steady(question: Callable[[], Any], seconds: float = 3.0, within: float = 120.0) -> Any:
    """The first true answer that stays for so long: what is just being dealt anew is not settled yet."""
    until = time.monotonic() + within
    answer = eventually(question)
    since = time.monotonic()
    while time.monotonic() < since + seconds:
        time.sleep(0.1)
        if (now := eventually(question)) != answer:
            answer, since = now, time.monotonic()
        assert time.monotonic() < until, f"Still changes after {within:.0f} s, now {answer!r}."
    return answer


def arriving(network: Any, host: str, port: int, seconds: float) -> dict[str, Any]:
    """What arrives of a port for so long from now on. Whoever asks for it again and again is told what is right once no pause spoils it."""
    heard = network.probe(host, "receive", str(port))
    time.sleep(seconds)
    return network.harvest(heard)[str(port)]


def figures(arrived):
    """What a probe received, to be printed: without its list of pauses, which is long."""
    return {name: value for name, value in arrived.items() if name != "pauses"}


def conversations(rest, address):
    return {one["localPort"]: one for one in rest.conversations() if one["remoteAddress"] == address}


def settled(rest, address, ports):
    """All conversations have what their grant says, in their sender's kernel or first switch, and more than the least."""
    found = [conversations(rest, address).get(port) for port in ports]
    return all(one and is_installed(one) and one["grant"]["utility"] > 1 for one in found)


def path(grant):
    """The numbers of the switches on the way."""
    return [int(node[3:], 16) for node in grant["path"] if node.startswith("of:")]


def announce(rest, one, source, destination, port, intent):
    """A conversation of a sender without an agent."""
    rest.call("POST", "/paceline/v1/conversations", {
        "id": one, "intent": intent, "localAddress": source, "remoteAddress": destination, "protocol": "udp",
        "localPort": port, "remotePort": port,
    })  # fmt: skip


def announced(rest, one):
    return next((c for c in rest.conversations() if c["id"] == one), None)


def metered_kbps(rest, one):
    """The rate that the meter of an announced one holds, by the switch's word; 0 where there is none."""
    return ((announced(rest, one) or {}).get("installed") or {}).get("rateKbps", 0)


def lasting_kbps(rest, one):
    """The same in full kbit/s, once no other conversation is there and it stays: a newcomer may first have a part of what it will have."""
    eventually(lambda: [each["id"] for each in rest.conversations()] == [one])
    return steady(lambda: (c := announced(rest, one)) and is_installed(c) and int(c["installed"]["rateKbps"]))


def end(rest, one):
    rest.call("DELETE", f"/paceline/v1/conversations/announced/{one}")


def metered_at(network, port):
    """The number of the meter that a rule of switch 1 leads this port's packets through; None without one."""
    rules = network.rules(1, f"tp_dst={port}", "meter:")
    return re.search(r"meter:(\d+)", rules[0])[1] if len(rules) == 1 else None


def limits(network, switch):
    """The meters of conversations. Those of ports count packets, and stay."""
    return re.findall(r"meter=\d+ kbps .*", network.ofctl("dump-meters", switch))


def meters_of_ports(network, switch):
    """What bounds that the controller gets of ports: the number of the meter, by the port's number and whether it is for IPv4."""
    found = {}
    for rule in network.rules(switch, "table=6", "meter:", "CONTROLLER"):
        match = re.search(r"priority=\d+,(ip,)?in_port=(\d+) actions=meter:(\d+)", rule)
        found[int(match[2]), bool(match[1])] = match[3]
    return found


def ports_are_metered(network, *switches):
    """Whether each port of a host has a meter for questions and one for IPv4 at these switches, and no others bound packets there."""
    for switch in switches:
        found = meters_of_ports(network, switch)
        ports = [network.port(host.name) for host in network.topology.hosts if host.switch == switch]
        there = re.findall(r"meter=(\d+) pktps ", network.ofctl("dump-meters", switch))
        if sorted(found) != sorted((port, ipv4) for port in ports for ipv4 in (False, True)) or sorted(found.values()) != sorted(there):
            return False
    return True


def known(network, rest, *names):
    """Asks for neighbours until ONOS knows where these addresses are."""
    there = rest.get("/paceline/v1/links")["hosts"]
    missing = [name for name in names if network.hosts[name].address6 not in there]
    for name in missing:
        other = next(each for each in names if each != name)
        network.host(name, "ping", "-6", "-c1", "-W1", network.hosts[other].address6, check=False)
    return not missing
