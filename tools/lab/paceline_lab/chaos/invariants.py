"""What must be so once nothing is wrong any more: asked of the kernel, of the switches, and of the controller."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from ..networks.conversations import is_installed, lent_kbps
from ..networks.installed import PacingClasses
from ..networks.loads import Held, Reading, Sender, at_one_moment
from . import alarms
from .faults import Step
from .world import AGENTS, METERED, PACED, RECEIVER, WATCHED_INTENT, World

# The part of a link that conversations may be sending: the setting usableThousandths.
USABLE = 0.96
# The host of conversations that nobody's agent says.
ANNOUNCED = "announced"
# What HTB rounds, of a rate.
ROUNDED = 0.02


def problems(world: World) -> list[str]:
    """For people, the first that were found; none where all is right."""
    for look in (of_the_network, of_conversations, of_hosts, of_switches, of_ways, of_what_was_told, of_alarms):
        try:
            found = list(look(world))
        except (RuntimeError, KeyError, OSError) as problem:
            found = [f"{look.__name__.replace('_', ' ')}: {problem}"]
        if found:
            return found
    return []


def of_the_network(world: World) -> Iterator[str]:
    devices, links = world.rest.devices(), world.rest.links()
    agents = world.rest.state()["agents"]
    if len(devices) != world.network.topology.switches:
        yield f"ONOS has {len(devices)} of {world.network.topology.switches} switches"
    if len(links) != 2 * len(world.network.links):
        yield f"ONOS has {len(links)} of {2 * len(world.network.links)} links"
    if agents != len(AGENTS):
        yield f"{agents} of {len(AGENTS)} agents are attached"


def wanted(world: World) -> set[tuple[str, int]]:
    return set(world.senders) | {(ANNOUNCED, port) for port in world.announced.values()}


def of_conversations(world: World) -> Iterator[str]:
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for one in world.rest.conversations():
        key = (one["host"], one["localPort"])
        if key in found:
            yield f"port {key[1]} of {key[0]} has two conversations"
        found[key] = one
    for host, port in wanted(world) - set(found):
        yield f"port {port} of {host} has no conversation"
    for host, port in set(found) - wanted(world):
        yield f"port {port} of {host} has a conversation and sends nothing"
    for (host, port), one in found.items():
        if not is_installed(one):
            yield f"port {port} of {host} has not its rate: granted {one.get('grant', {}).get('rateKbps')}, installed {one.get('installed')}, {one.get('reason')}"


def of_hosts(world: World) -> Iterator[str]:
    """Whoever is managed has a class of its own with its rate, and nobody else has."""
    for host in AGENTS:
        with contextlib.closing(PacingClasses(world.network.namespace(host), "eth0")) as kernel:
            minors, rates = kernel.minors(), kernel.rates()
        for port in world.ports(host) ^ set(minors):
            yield f"port {port} of {host} is {'managed and has no class' if port in world.ports(host) else 'paced and not managed'}"
        for one in world.rest.conversations():
            if one["host"] == host:
                granted = (one["grant"]["rateKbps"] + lent_kbps(one)) * 1000
                rate = rates.get(minors[one["localPort"]], 0)
                if abs(rate - granted) > ROUNDED * granted + 1000:
                    yield f"port {one['localPort']} of {host} is granted {granted:.0f} bit/s, and its class has {rate}"


def of_switches(world: World) -> Iterator[str]:
    """A meter for each sender without an agent, at its switch (those of ports count packets), and rules of those only who are there. Fragments have the port 0, DHCP its own."""
    first = world.network.hosts[METERED].switch
    ports = {port for _, port in wanted(world)}
    for switch in world.network.topology.numbers():
        meters = len(re.findall(r"meter=\d+ kbps", world.network.ofctl("dump-meters", switch)))
        expected = len(world.announced) if switch == first else 0
        if meters != expected:
            yield f"switch {switch} has {meters} meters instead of {expected}"
        for rule in world.network.rules(switch):
            strangers = set(map(int, re.findall(r"tp_(?:src|dst)=(\d+)", rule))) - ports - {0, 67, 68}
            if strangers:
                yield f"switch {switch} has a rule of nobody: {rule.strip()}"


def of_ways(world: World) -> Iterator[str]:
    """Everybody is led as planned, and what each link may be sent is within it."""
    hosts = world.network.hosts
    senders = [Sender(hosts[host if host in hosts else METERED], hosts[RECEIVER], port) for host, port in wanted(world)]
    plans = planned(world)
    with contextlib.closing(Reading(world.network, senders, AGENTS)) as reading:
        first, second = reading.all(), reading.all()
    for (link, switch), load in at_one_moment(first, second, world.network.down).items():
        most = USABLE * world.network.links[link].mbit * 1e6
        if load > most:
            yield (
                f"link {link} may be sent {load / 1e6:.3f} Mbit/s by switch {switch}, and its conversations may have {most / 1e6:.3f}: "
                + ", ".join(of_one(sender, held, plans) for sender, held in second.items() if (link, switch) in held.way)
            )
    for sender, held in first.items():
        # Not who was planned by another way, or moved, while this was read.
        if second[sender].way == held.way and planned(world).get(said(sender)) == plans.get(said(sender)) not in (None, led(sender, held)):
            yield f"port {sender.port} of {sender.host.name} is planned by {plans[said(sender)]}, and led by {led(sender, held)}"


def of_one(sender: Sender, held: Held, plans: dict[tuple[str, int], list[int]]) -> str:
    """By how much it counts, and by which switches it was planned where others lead it."""
    way, plan = led(sender, held), plans.get(said(sender), [])
    return f"{sender.host.name}:{sender.port} {held.rate / 1e6:.3f}" + ("" if plan == way else f" (planned by {plan}, led by {way})")


def led(sender: Sender, held: Held) -> list[int]:
    return [*(switch for _, switch in held.way), sender.to.switch]


def said(sender: Sender) -> tuple[str, int]:
    """As whose the controller has it."""
    return (ANNOUNCED if sender.host.name == METERED else sender.host.name, sender.port)


def planned(world: World) -> dict[tuple[str, int], list[int]]:
    """Switches, by who says the conversation and its port."""
    ways = {(one["host"], one["localPort"]): one.get("grant", {}).get("path", []) for one in world.rest.conversations()}
    return {key: [int(node.removeprefix("of:"), 16) for node in path if node.startswith("of:")] for key, path in ways.items()}


def of_what_was_told(world: World) -> Iterator[str]:
    priority = world.rest.get(f"{PACED}/intents/{WATCHED_INTENT}").get("priority")
    if world.priority is not None and priority != world.priority:
        yield f"the priority {world.priority} of {WATCHED_INTENT} was accepted, and {priority} is there"
    for name in world.reserved - world.reservations():
        yield f"the reservation {name} was accepted and is lost"


def of_alarms(world: World) -> Iterator[str]:
    """Packets that a link dropped stay dropped: that alarm tells of some time, and may outlast its cause."""
    for alarm in world.rest.get(f"{PACED}/alarms")["alarms"]:
        if alarm["kind"] != "drops":
            yield f"an alarm for what is right: {alarm['sentence']}"


def alarms_due(world: World, step: Step, since: datetime) -> dict[str, bool]:
    """Of a step that began then: those that its faults had to raise, and whether they were."""
    due = step.alarms()
    told = alarms.raised(world.network.space.namespace, world.rest, since, alarms.now()) if due else []
    return {f"alarm {alarm.kind} of {fault} for {step.seconds} s": alarm.is_told_by(told, fault.at) for fault, alarm in due}


def leftovers(world: World) -> list[str]:
    """Once everybody has gone, in good order."""
    left = [f"the host {host} has {world.on_host(host)!r}" for host in AGENTS if world.on_host(host) != world.as_found[host]]
    for switch in world.network.topology.numbers():
        if re.search(r"meter=\d+ kbps", world.network.ofctl("dump-meters", switch)):
            left.append(f"switch {switch} has a meter")
        left += [f"switch {switch} has {rule.strip()}" for rule in world.network.rules(switch) if re.search(r"tp_(src|dst)=(5|6)\d\d\d", rule)]
    return left + [f"a conversation of {one['host']}, port {one['localPort']}" for one in world.rest.conversations()]
