"""Managed runs that are not as usual: tables, links, names or hosts are not what Paceline takes them for, or a setting is another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..traffic.mix import APART, HOSTS, KINDS, Application

MANAGED = "managed"
# The example of Sieber et al. 2020, appendix A.6: up to a tenth of a link's rate its delay is as when idle, then it grows linearly, by
# 70 ms at a full link. In their measurements it was constant.
LIGHT_LOAD, LOAD_DELAY_MS = 0.1, 70.0
GROWS, GROWS_TOLD = "delay-grows", "delay-grows-told"


@dataclass(frozen=True)
class Variant:
    """
    `without_agent` is the server that has none. Its conversations are `found` by switches, and held by meters, or nobody knows of them.
    `tables` is by how many percent the rates of all utility functions are too high, `capacity` by how many the link is taken for wider
    than it is. Of the applications one in `misnamed` has another type's intent; 0 is none. `settings` are the application's. By
    `load_delay_ms` each link's delay grows until it is full, and by `told_load_delay_ms` the controller takes it to grow.
    """

    says: str = ""
    without_agent: int | None = None
    found: bool = False
    tables: int = 0
    capacity: int = 0
    misnamed: int = 0
    settings: tuple[tuple[str, int], ...] = ()
    load_delay_ms: float = 0.0
    told_load_delay_ms: float = 0.0

    def manages(self, one: Application) -> bool:
        return self.found or one.server != self.without_agent


VARIANTS = {
    "partly-managed": Variant("one of the three servers has no agent: its conversations are found and held by meters at their first switch", without_agent=HOSTS - 1, found=True),
    "agents-missing": Variant("a tenth of the applications is on a server without an agent, and nothing else finds their conversations", without_agent=APART),
    "agents-missing-found": Variant("the same tenth has no agent, and is found and held by meters at the first switch", without_agent=APART, found=True),
    "tables-less-30": Variant("all utility functions ask for 30 % less throughput than what they promise needs", tables=-30),
    "tables-less-10": Variant("they ask for 10 % less", tables=-10),
    "tables-more-10": Variant("they ask for 10 % more", tables=10),
    "tables-more-30": Variant("they ask for 30 % more", tables=30),
    "capacity-less-10": Variant("the link is taken for 10 % narrower than it is", capacity=-10),
    "capacity-more-10": Variant("the link is taken for 10 % wider than it is", capacity=10),
    "misnamed": Variant("a tenth of the applications has the intent of another type", misnamed=10),
    GROWS: Variant(
        f"each link's delay grows with its load, above a tenth of its rate linearly, by {LOAD_DELAY_MS:g} ms at a full link, and the controller takes it for constant",
        load_delay_ms=LOAD_DELAY_MS,
    ),
    GROWS_TOLD: Variant("it grows as much, and the controller knows", load_delay_ms=LOAD_DELAY_MS, told_load_delay_ms=LOAD_DELAY_MS),
    "epsilon-100": Variant("the worst-off get within 0.1 of the best that they could have, and not 0.3", settings=(("epsilonThousandths", 100),)),
}
# All runs in which somebody is managed.
MANAGED_RUNS = {MANAGED: Variant(), **VARIANTS}


def intents(applications: Sequence[Application], variant: Variant) -> dict[str, str]:
    """By which each application is named, by its id. Who is misnamed has the intent of the type after its own."""
    kinds = list(KINDS.values())
    named = {one.id: KINDS[one.kind].intent for one in applications}
    for one in applications[variant.misnamed - 1 :: variant.misnamed] if variant.misnamed else ():
        named[one.id] = kinds[(kinds.index(KINDS[one.kind]) + 1) % len(kinds)].intent
    return named
