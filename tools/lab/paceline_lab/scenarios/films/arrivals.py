"""
DiffPerf's third scenario: clients of all classes that come one after the other and go when their film is over.

Its 150 clients on 200 Mbit/s come at one a second, each for a film of 600 s. Here each has the same part of the link, and while
the film of the first one lasts as many others have come: so with n clients and films of s seconds they come n/150 * 600/s times as fast.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from statistics import mean
from typing import Any

from ...charts import Chart, Line
from .qoe import claim, qoe

PAPER_CLIENTS, PAPER_SECONDS, PAPER_PERIOD_S = 150, 600.0, 15.0
KBPS_A_CLIENT = 200_000 / PAPER_CLIENTS
# How many of each class, where one is of gold.
MIX = {"gold": 1, "silver": 2, "bronze": 3}
LEAST_CLIENTS = sum(MIX.values())
# A class's mean of one size may be so far from that of the other.
SIZES_PERCENT = 15.0

Run = dict[str, Any]


@dataclass(frozen=True)
class Scale:
    clients: int
    seconds: float

    @property
    def a_second(self) -> float:
        return self.clients / PAPER_CLIENTS * PAPER_SECONDS / self.seconds

    @property
    def kbps(self) -> int:
        return round(self.clients * KBPS_A_CLIENT)

    @property
    def period_s(self) -> int:
        """As often while a film lasts as the paper's."""
        return max(1, round(PAPER_PERIOD_S * self.seconds / PAPER_SECONDS))


def sizes(clients: int) -> tuple[int, ...]:
    """All of them, and half as many."""
    return tuple(dict.fromkeys(max(LEAST_CLIENTS, some // LEAST_CLIENTS * LEAST_CLIENTS) for some in (clients, clients // 2)))


def classes(clients: int, seed: int) -> list[str]:
    """In the order in which they come: drawn, in the paper's mix."""
    names = [name for name, many in MIX.items() for _ in range(clients * many // LEAST_CLIENTS)]
    random.Random(f"{seed}/classes/{clients}").shuffle(names)
    return names


def moments(scale: Scale, seed: int) -> list[float]:
    """When each comes: a Poisson process, from its first one on."""
    chance = random.Random(f"{seed}/arrivals/{scale.clients}")
    return [0.0, *itertools.accumulate(chance.expovariate(scale.a_second) for _ in range(scale.clients - 1))]


def of_views(views: list[Run], names: list[str], at: list[float]) -> Run:
    """Of each class: how long it took, how long it stalled, what it was worth; and when each client came and went."""
    found = {}
    for name in MIX:
        own = [view for view, one in zip(views, names) if one == name]
        found[name] = {
            "clients": len(own), "tookMeanS": round(mean(view["tookS"] for view in own), 2), "stalledMeanS": round(mean(view["stalledS"] for view in own), 2),
            "qoeMean": round(mean(map(qoe, own)), 2), "kbpsMean": round(mean(view["bytes"] / 125 / view["tookS"] for view in own)),
        }  # fmt: skip
    there = [{"class": name, "cameS": round(came, 2), "wentS": round(came + view["tookS"], 2)} for view, name, came in zip(views, names, at)]
    return {"perClass": found, "there": there, "unfinished": sum(not view["finished"] for view in views)}


def whole(result: Run) -> list[Run]:
    return [run for run in result["runs"] if "arrivals" in run and "error" not in run]


def claims(runs: list[Run]) -> list[dict[str, Any]]:
    made = []
    for run in runs:
        took = [run["perClass"][name]["tookMeanS"] for name in MIX]
        holds = took[0] <= took[1] <= took[2]
        made.append(claim(f"DiffPerf, {run['clients']} clients that come and go: a view of gold takes less than one of bronze, silver between", None,
                          0.0, round(took[2] - took[0], 2), "s", holds, "gold, silver and bronze took " + ", ".join(f"{one:g} s" for one in took)))  # fmt: skip
    for one, other in itertools.pairwise(runs):
        off = {name: 100 * abs(one["perClass"][name]["tookMeanS"] / other["perClass"][name]["tookMeanS"] - 1) for name in MIX}
        worst = max(off, key=lambda name: off[name])
        made.append(claim(f"DiffPerf, {one['clients']} and {other['clients']} clients that come and go: how long a view takes, one size against the other, worst class", None,
                          SIZES_PERCENT, round(off[worst], 1), "%", off[worst] <= SIZES_PERCENT, f"it is {worst} that differs: the scaling does not keep it"))  # fmt: skip
    return made


def chart(run: Run) -> Chart:
    """How many of each class are there, as in the paper's figure 9."""
    lines = []
    for name in MIX:
        changes = sorted([(one["cameS"], 1) for one in run["there"] if one["class"] == name] + [(one["wentS"], -1) for one in run["there"] if one["class"] == name])
        lines.append(Line(name, list(zip([0.0, *(at for at, _ in changes)], itertools.accumulate([0, *(by for _, by in changes)]))), steps=True))
    return Chart(f"Clients that are there, of {run['clients']}", "s", "clients", lines=lines)


def table(runs: list[Run]) -> str:
    rows = [f"{'clients':>8}{'Mbit/s':>8}{'a second':>10}{'class':>8}{'views':>7}{'took':>9}{'stalled':>9}{'kbit/s':>8}{'QoE':>8}"]
    for run, (name, one) in ((run, item) for run in runs for item in run["perClass"].items()):
        rows.append(f"{run['clients']:8}{run['kbps'] / 1000:8g}{run['aSecond']:10.2f}{name:>8}{one['clients']:7}{one['tookMeanS']:7.1f} s{one['stalledMeanS']:7.1f} s"
                    f"{one['kbpsMean']:8}{one['qoeMean']:8.1f}")  # fmt: skip
    return "\n".join(rows)
