"""What may go wrong, drawn from a seed: each has a moment when it begins, and one when it ends."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..networks.own_ovs import wait_until_true
from ..networks.topology import device
from .breakable import BreakableWorld
from .world import ACTIVE, AGENTS, DIAMOND, METERED, NOW_AND_THEN

# Agents hold their rates for a lease of two minutes without a controller; nothing here is longer.
LONGEST_S = 12.0
# Of steps that would raise an alarm if they lasted, one of so many does.
ONE_LONG_OF, LONG_S = 3, (32.0, 36.0)
MOST_AT_ONCE = 3
LOSS_PERCENT = 30
SLOW_MS = 500
# Less than the setting diskAlarmMegabytes, and enough for ONOS to go on writing; it looks every 5 s.
NEARLY_FULL_BYTES = 300_000_000
# Faults that last until their alarm is there wait for it for so long.
ALARM_S = 60
# What ONOS's own store does not survive (docs/lab-notes/chaos.md).
BEYOND_ONOS = {"fill-disk"}
# During them ONOS is not there all the time, or waits: it raises no alarm of what else is wrong.
UNWATCHED = {"kill-onos", "freeze-onos", "switch-off", "upgrade", "hold-disk", "stall-disk", "fill-disk"}
# Whom they lead another way, or leave without any, is said to be that, and not to have lost its agent.
OF_WAYS = {"wipe", "lose-rules", "cut", "flap", "lossy-switch", "slow-switch"}
# An agent that says nothing is taken for gone after 10 s, looked at each 2 s (AgentServer). What cannot be read back for 5 s is an alarm
# (Drift), and from one look to the next it takes 5 s where something does not answer (Reconciler): one look notices it, another one raises.
UNHEARD_S, UNREAD_S = 12.0, 5.0 + 2 * 5.0
# What a busy machine takes besides.
BUSY_S = 3.0


@dataclass(frozen=True)
class Fault:
    """`at` is the host, link or switch. What it touches no other fault of the same step touches."""

    kind: str
    at: str = ""
    number: int = 0

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.kind, self.at, self.number) if part)

    @property
    def touches(self) -> str:
        return KINDS[self.kind].touches or self.at

    @contextlib.contextmanager
    def under_way(self, world: BreakableWorld) -> Iterator[None]:
        end = KINDS[self.kind].begin(world, self)
        try:
            yield
        finally:
            if end:
                end()

    def alarm(self) -> Alarm | None:
        """Where an operator is to be told of it."""
        alarm = KINDS[self.kind].alarm
        return alarm if alarm and self.at in (alarm.places or (self.at,)) else None


@dataclass(frozen=True)
class Step:
    number: int
    faults: tuple[Fault, ...]
    seconds: float

    def __str__(self) -> str:
        return f"{self.number}: {', '.join(map(str, self.faults)) or 'nothing'}; for {self.seconds:.1f} s"

    def happen(self, world: BreakableWorld) -> None:
        """Whatever takes longest to end, which is a controller's start, begins first and ends last."""
        with contextlib.ExitStack() as under_way:
            for fault in self.faults:
                under_way.enter_context(fault.under_way(world))
            time.sleep(self.seconds)

    def alarms(self) -> list[tuple[Fault, Alarm]]:
        """That must have been raised once it is over. None where nobody could raise one all the time, and what was raised may be forgotten."""
        kinds = {fault.kind for fault in self.faults}
        if kinds & UNWATCHED:
            return []
        due = [(fault, alarm) for fault in self.faults if (alarm := fault.alarm()) and not (fault.at in AGENTS and kinds & OF_WAYS)]
        return [(fault, alarm) for fault, alarm in due if self.seconds >= alarm.after_s + BUSY_S]


def step(seed: int, number: int, beyond_onos: bool = False) -> Step:
    """The same for the same seed and number, whichever steps come before it; without what ONOS does not survive, unless that is wanted."""
    draw = random.Random(f"{seed}/{number}")
    faults: dict[str, Fault] = {}
    for _ in range(draw.randint(1, MOST_AT_ONCE)):
        kind = draw.choices(list(KINDS), [each.weight for each in KINDS.values()])[0]
        fault = Fault(kind, draw.choice(KINDS[kind].places), draw.randint(1, 9))
        faults.setdefault(fault.touches, fault)
    order = list(KINDS)
    wanted = sorted((fault for fault in faults.values() if beyond_onos or fault.kind not in BEYOND_ONOS), key=lambda fault: order.index(fault.kind))
    seconds = draw.uniform(0, LONGEST_S) * draw.random()
    brief = Step(number, tuple(wanted), round(seconds, 1))
    lasting = replace(brief, seconds=round(draw.uniform(*LONG_S), 1))
    return lasting if lasting.alarms() and draw.randrange(ONE_LONG_OF) == 0 else brief


@dataclass(frozen=True)
class Alarm:
    """What an operator is to be told of a fault that lasts for so long: of which kind, and words of its sentence, `{at}` for the place."""

    kind: str
    words: str
    after_s: float
    # Empty: wherever the fault is.
    places: tuple[str, ...] = ()

    def is_told_by(self, sentences: Iterable[str], at: str) -> bool:
        words = self.words.format(at=device(int(at[1:])) if at in SWITCHES else at)
        return any(words in sentence for sentence in sentences)


@dataclass(frozen=True)
class Kind:
    """`begin` returns what ends it, if anything has to."""

    begin: Callable[[BreakableWorld, Fault], Callable[[], Any] | None]
    places: tuple[str, ...] = ("",)
    touches: str = ""
    weight: int = 2
    alarm: Alarm | None = None


def kill_onos(world: BreakableWorld, _: Fault) -> Callable[[], Any]:
    world.onos.kill()

    def end() -> None:
        world.onos.up("--keep-rules")
        world.network.wait_until_seen(world.rest)
        world.announce_again()

    return end


def freeze_onos(world: BreakableWorld, _: Fault) -> Callable[[], Any]:
    pid = world.onos.pid()
    os.kill(pid, signal.SIGSTOP)
    return lambda: os.kill(pid, signal.SIGCONT)


def switch_off(world: BreakableWorld, _: Fault) -> Callable[[], Any]:
    world.rest.call("DELETE", ACTIVE)

    def end() -> None:
        world.rest.call("POST", ACTIVE)
        wait_until_true(lambda: world.rest.state() is not None, "the application's return", 60)
        world.announce_again()

    return end


def upgrade(world: BreakableWorld, _: Fault) -> None:
    world.onos.upgrade()
    wait_until_true(lambda: world.rest.state() is not None, "the application's return", 60)
    world.announce_again()


def restart_agent(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    world.stop_agent(fault.at)
    return lambda: world.start_agent(fault.at)


def kill_agent(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    """As the upgrade of its package does."""
    world.kill_agent(fault.at)
    return lambda: world.start_agent(fault.at)


def freeze_agent(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    agent = world.network.agents[fault.at]
    agent.send_signal(signal.SIGSTOP)
    return lambda: agent.send_signal(signal.SIGCONT)


def cut(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    world.network.cut(fault.at)
    return lambda: world.network.mend(fault.at)


def flap(world: BreakableWorld, fault: Fault) -> None:
    for _ in range(fault.number):
        world.network.cut(fault.at)
        time.sleep(0.1)
        world.network.mend(fault.at)
        time.sleep(0.1)


def wipe(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    """As a switch that is started anew: it knows nothing, and comes back."""
    switch = int(fault.at[1:])
    world.network.disconnect(switch)
    world.network.ofctl("del-flows", switch)
    world.network.ofctl("del-meters", switch)
    return lambda: world.network.connect(switch)


def lose_rules(world: BreakableWorld, fault: Fault) -> None:
    """By somebody's hand, while the controller is connected."""
    world.network.ofctl("del-flows", int(fault.at[1:]), "ip")


def lose_queues(world: BreakableWorld, fault: Fault) -> None:
    world.network.host(fault.at, "tc", "qdisc", "delete", "dev", "eth0", "root", check=False)


def lose_tables(world: BreakableWorld, fault: Fault) -> None:
    world.network.host(fault.at, "nft", "delete", "table", "inet", "paceline", check=False)


def cut_control(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    world.network.carry(fault.at, "down")
    return lambda: world.network.carry(fault.at, "up")


def slow_control(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    world.network.lengthen(fault.at, SLOW_MS)
    return lambda: world.network.lengthen(fault.at, 0)


def step_clock(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    """By hours, or a day, forward or back; and back again."""
    world.clocks.step(fault.at, 3600 * (fault.number - 5) or 86400)
    return lambda: world.clocks.step(fault.at, 0)


def stall_disk(world: BreakableWorld, _: Fault) -> Callable[[], Any]:
    world.disk.stall()
    return world.disk.go_on


def hold_disk(world: BreakableWorld, _: Fault) -> None:
    """For as long as it takes the planner to be late, which is 30 s. Over before agents are started again: their certificates are on that disk."""
    world.disk.stall()
    try:
        wait_until_true(lambda: "planner-stalled" in world.alarms(), "the alarm that nothing is planned while ONOS's disk stalls", ALARM_S)
    finally:
        world.disk.go_on()


def fill_disk(world: BreakableWorld, _: Fault) -> Callable[[], Any]:
    """First as far as an operator is to be warned, and to the last block once that has happened."""
    world.disk.leave(NEARLY_FULL_BYTES)
    try:
        wait_until_true(lambda: "disk-nearly-full" in world.alarms(), "the alarm that ONOS's disk is nearly full", ALARM_S)
        world.disk.fill()
    except BaseException:
        world.disk.empty()
        raise
    return world.disk.empty


def lossy_control(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    drop = f"iifname mgmt0 numgen random mod 100 < {LOSS_PERCENT} drop"
    chain = f"add table inet lossy; add chain inet lossy in {{ type filter hook input priority 0; }}; add rule inet lossy in {drop}"
    world.network.host(fault.at, "nft", chain)
    return lambda: world.network.host(fault.at, "nft", "delete", "table", "inet", "lossy")


def lossy_switch(world: BreakableWorld, fault: Fault) -> Callable[[], Any]:
    """Both ends of its way are in ONOS's namespace: it loses as much in either direction."""
    table, ends = f"lossy-{fault.at}", ", ".join(world.network.switch_ends(fault.at))
    drop = f"iifname {{ {ends} }} numgen random mod 100 < {LOSS_PERCENT} drop"
    chain = f"add table inet {table}; add chain inet {table} in {{ type filter hook input priority 0; }}; add rule inet {table} in {drop}"
    world.network.inside("nft", chain)
    return lambda: world.network.inside("nft", "delete", "table", "inet", table)


def talk_or_hush(world: BreakableWorld, fault: Fault) -> None:
    port = list(NOW_AND_THEN)[fault.number % len(NOW_AND_THEN)]
    if port in world.ports(fault.at):
        world.hush(fault.at, port)
    else:
        world.talk(fault.at, port)


def announce_or_withdraw(world: BreakableWorld, fault: Fault) -> None:
    name = f"n{fault.number % 3}"
    if name in world.announced:
        world.withdraw(name)
    else:
        world.announce(name, 6001 + fault.number % 3)


def policy(world: BreakableWorld, fault: Fault) -> None:
    world.prefer(fault.number)


def reserve(world: BreakableWorld, fault: Fault) -> None:
    world.reserve(100 * fault.number)


LINKS = tuple(link.name for link in DIAMOND.links)
SWITCHES = tuple(f"s{number}" for number in DIAMOND.numbers())
# Those that nobody leads around.
EDGE = tuple(sorted({f"s{host.switch}" for host in DIAMOND.hosts}))
# Whom somebody asks for meters: it is to answer within 0.9 s (Replies), which two ways of a slow one are longer than.
METERING = tuple(f"s{host.switch}" for host in DIAMOND.hosts if host.name == METERED)
UNREAD = "at {at} cannot be read back"
GONE = Alarm("drift", UNREAD, UNREAD_S)
SILENT = Alarm("drift", UNREAD, UNHEARD_S + UNREAD_S)
KINDS = {
    "kill-onos": Kind(kill_onos, touches="onos", weight=1),
    "freeze-onos": Kind(freeze_onos, touches="onos"),
    "switch-off": Kind(switch_off, touches="onos", weight=1),
    "upgrade": Kind(upgrade, touches="onos", weight=1),
    "policy": Kind(policy, touches="onos", weight=1),
    "reserve": Kind(reserve, touches="onos", weight=1),
    "announce": Kind(announce_or_withdraw, touches="onos"),
    # Before what happens to agents and to the network, lest that lasts as long.
    "hold-disk": Kind(hold_disk, touches="onos", weight=1),
    "wipe": Kind(wipe, SWITCHES, alarm=Alarm("drift", UNREAD, UNREAD_S, EDGE)),
    "lose-rules": Kind(lose_rules, SWITCHES),
    "cut": Kind(cut, LINKS),
    "flap": Kind(flap, LINKS),
    "kill-agent": Kind(kill_agent, AGENTS, alarm=GONE),
    "restart-agent": Kind(restart_agent, AGENTS),
    "freeze-agent": Kind(freeze_agent, AGENTS, alarm=SILENT),
    "cut-control": Kind(cut_control, AGENTS, alarm=SILENT),
    "lossy-control": Kind(lossy_control, AGENTS),
    "slow-control": Kind(slow_control, AGENTS),
    "lossy-switch": Kind(lossy_switch, SWITCHES),
    "slow-switch": Kind(slow_control, SWITCHES, alarm=Alarm("drift", UNREAD, UNREAD_S, METERING)),
    # Not ONOS's: its own store (Atomix 3.1.5) ends each session that the clock makes seem old, and those begun later until that time has come again.
    "step-clock": Kind(step_clock, AGENTS),
    "stall-disk": Kind(stall_disk, touches="onos"),
    "fill-disk": Kind(fill_disk, touches="onos"),
    "lose-queues": Kind(lose_queues, AGENTS),
    "lose-tables": Kind(lose_tables, AGENTS),
    "talk": Kind(talk_or_hush, AGENTS),
}
