"""From runs of a queue in the kernel and in the wire to claims that both do the same.

What agreement is was chosen before anything had been measured. A figure agrees where the whole 95 % interval of the difference of
the pairs of runs is within its margin: too few repeats, or a machine that was too busy, are no agreement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean
from typing import Any

from ..repeats import interval
from ..traffic.kpi import quantile

KERNEL, WIRE = "kernel", "wire"
KERNELS_NAMES = {"fq-codel": "fq_codel", "per-user": "cake dual-dsthost"}
Run = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """`relative`: the difference is in percent of the kernel's. `queues`: for which it is claimed; it is shown for all."""

    name: str
    unit: str
    margin: float
    of: Callable[[Run], float]
    relative: bool = False
    queues: tuple[str, ...] = tuple(KERNELS_NAMES)

    def difference(self, kernel: Run, wire: Run) -> float:
        before, after = self.of(kernel), self.of(wire)
        return after - before if not self.relative else 100 * (after / before - 1) if before else 0.0 if not after else 100.0


def total(run: Run) -> int:
    return sum(map(sum, run["bytes"]))


def most_off(run: Run) -> float:
    """By how much of the link the flow that is farthest from an even share is off: of all flows, or of its user's, if users have shares."""
    sums = list(map(sum, run["bytes"]))
    even = [1 / len(run["bytes"]) / len(flows) if run["queue"] == "per-user" else 1 / sum(map(len, run["bytes"])) for flows in run["bytes"]]
    return 100 * max(abs(one / sum(sums) - share) for flows, share in zip(run["bytes"], even) for one in flows)


# CAKE lets each of many flows wait for longer than CoDel's target, and drops by other rules beside: what follows of both is not claimed.
ONLY_FQ_CODEL = ("fq-codel",)
FIGURES = (
    Figure("goodput", "Mbit/s", 3, lambda run: total(run) * 8 / 1e6 / run["seconds"], relative=True),
    Figure("first user's share", "% of the link", 3, lambda run: 100 * sum(run["bytes"][0]) / total(run)),
    Figure("farthest flow from its even share", "% of the link", 3, most_off),
    Figure("dropped", "of 1000 packets", 25, lambda run: 1000 * run["droppedPackets"] / max(1, run["sentPackets"]), relative=True, queues=ONLY_FQ_CODEL),
    Figure("marked", "of 1000 packets", 0, lambda run: 1000 * run["markedPackets"] / max(1, run["sentPackets"]), queues=ONLY_FQ_CODEL),
    Figure("downloads' round trip, 50 %", "ms", 2, lambda run: quantile(run["roundTripMs"], 0.5), queues=ONLY_FQ_CODEL),
    Figure("downloads' round trip, 95 %", "ms", 5, lambda run: quantile(run["roundTripMs"], 0.95), queues=ONLY_FQ_CODEL),
    Figure("ping, 50 %", "ms", 1, lambda run: quantile(run["pingMs"], 0.5)),
    Figure("ping, 95 %", "ms", 3, lambda run: quantile(run["pingMs"], 0.95)),
    Figure("small request, 50 %", "ms", 10, lambda run: quantile(run["requestMs"], 0.5), relative=True),
)


def lacking(runs: list[Run]) -> str:
    """Of what a run has no sample, as a sentence; empty where all have some."""
    samples = {"requestMs": "small request was answered", "pingMs": "ping was answered", "roundTripMs": "round trip was read"}
    for run in runs:
        named = f"{run['queue']} in the {run['where']}, repeat {run['repeat'] + 1}"
        for name, what in samples.items():
            if not run[name]:
                return f"{named}: no {what}"
        if not all(map(sum, run["bytes"])):
            return f"{named}: a user's downloads had nothing"
    return ""


def pairs(runs: list[Run], queue: str) -> list[tuple[Run, Run]]:
    """The kernel's and the wire's of each repeat."""
    by = {(run["where"], run["repeat"]): run for run in runs if run["queue"] == queue}
    return [(by[KERNEL, n], by[WIRE, n]) for n in sorted({n for _, n in by}) if (KERNEL, n) in by and (WIRE, n) in by]


def claims(runs: list[Run]) -> list[dict[str, Any]]:
    return [
        claim(figure, queue, found) for queue in dict.fromkeys(run["queue"] for run in runs) if (found := pairs(runs, queue))
        for figure in FIGURES if queue in figure.queues
    ]  # fmt: skip


def claim(figure: Figure, queue: str, found: list[tuple[Run, Run]]) -> dict[str, Any]:
    differences = [figure.difference(*pair) for pair in found]
    between = interval(differences)
    unit = "%" if figure.relative else figure.unit
    made: dict[str, Any] = {
        "name": f"{queue}: {figure.name}, the wire's above the kernel's {KERNELS_NAMES[queue]}, at most {figure.margin:g} {unit} either way",
        "reference": None, "target": figure.margin, "measured": round(mean(differences), 3), "unit": unit,
        "holds": all(abs(one) <= figure.margin for one in between or differences), "repeats": len(found), "interval": between,
    }  # fmt: skip
    if not made["holds"]:
        apart = between is not None and (between[0] > figure.margin or between[1] < -figure.margin)
        values = " and ".join(f"{mean(map(figure.of, runs)):.4g}" for runs in zip(*found))
        made["why"] = f"the kernel and the wire have {values} {figure.unit}; " + ("they differ" if apart else "so few or so unequal repeats do not show that they agree")
    return made


def table(runs: list[Run]) -> str:
    """A line for each figure of each queue: both means, and the difference with its interval."""
    rows = [("queue", "figure", "unit", "kernel", "wire", "difference", "interval", "margin", "")]
    for queue in dict.fromkeys(run["queue"] for run in runs):
        found = pairs(runs, queue)
        for figure in FIGURES if found else ():
            one = claim(figure, queue, found)
            unit = " %" if figure.relative else ""
            between = "{:+.2f} .. {:+.2f}".format(*one["interval"]) if one["interval"] else ""
            verdict = ("agrees" if one["holds"] else "DIFFERS") if queue in figure.queues else "not claimed"
            values = [f"{mean(map(figure.of, side)):.2f}" for side in zip(*found)]
            rows.append((queue, figure.name, figure.unit, *values, f"{one['measured']:+.2f}{unit}", between, f"{figure.margin:g}{unit}", verdict))
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.ljust(width) if at in (0, 1, 2, 8) else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)
