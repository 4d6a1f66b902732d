"""The figures of a run that an evaluation compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..demo.report import NAMES
from ..traffic.mix import ENDS, KINDS

Run = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """`of` is None where the run has none. More is better, or less. `head` is for narrow columns; none has no column."""

    name: str
    head: str
    title: str
    unit: str
    digits: int
    more: bool
    of: Callable[[Run], float | None]


def of_type(name: str, figure: str) -> Callable[[Run], float | None]:
    return lambda run: (run["types"].get(name) or {}).get(figure)


def over_types(figure: str, which: Callable[[list[float]], float]) -> Callable[[Run], float | None]:
    def of(run: Run) -> float | None:
        values = [value for one in run["types"].values() if (value := one.get(figure)) is not None]
        return which(values) if values else None

    return of


def within(name: str, figure: str) -> Callable[[Run], float | None]:
    return lambda run: (run.get(name) or {}).get(figure)


def dropped_percent(run: Run) -> float | None:
    return 100 * run["droppedPackets"] / run["offeredPackets"] if run.get("offeredPackets") else None


def of_links(count: int) -> Callable[[Run], float | None]:
    return lambda run: far(run, count).get("tail")


def of_calls(count: int) -> Callable[[Run], float | None]:
    return lambda run: (far(run, count).get("types") or {}).get("voip")


def far(run: Run, count: int) -> dict[str, Any]:
    return (run.get("byLinks") or {}).get(str(count)) or {}


LEAST, MEAN = "minUtility", "meanUtility"
# Of users by how many bottlenecks they cross, where there are several.
BY_LINKS = tuple(
    Figure(f"utility-{count}-links", f"{count} link{'s' if count > 1 else ''}", f"Users across {count} link{'s' if count > 1 else ''}: utility", "", 2, True, of_links(count))
    for count in range(1, max(ENDS) + 1)
) + (Figure("calls-far", f"calls, {max(ENDS)}", f"Calls across {max(ENDS)} links: utility", "", 2, True, of_calls(max(ENDS))),)  # fmt: skip
# What calls took, and beyond what was promised: runs of older versions do not say.
DELAYS = (
    Figure("callsMs", "calls", "Delay of calls one way, mean", "ms", 1, False, within("callsMs", "oneWay")),
    Figure("callsBeyondMs", "beyond", "Delay of calls beyond what was promised", "ms", 1, False, within("callsMs", "beyond")),
)
# Of users who come and go.
ON_OFF = (
    Figure("offPercent", "off%", "Time in which users were away", "%", 0, False, within("onOff", "offPercent")),
    Figure("returnMs", "back", "From a return to its rate, 95 %", "ms", 0, False, lambda run: within("ms", "p95")(run.get("returns") or {})),
)
OPTIONAL = (*BY_LINKS, *DELAYS, *ON_OFF)
FIGURES = (
    Figure(LEAST, "least", "Least utility", "", 2, True, lambda run: run.get(LEAST)),
    Figure(MEAN, "mean", "Mean utility", "", 2, True, lambda run: run.get(MEAN)),
    *(Figure(f"utility-{name}", name, f"{NAMES[name]}: utility", "", 2, True, of_type(name, "tail")) for name in KINDS),
    *BY_LINKS,
    Figure("fIndex", "F", "F-index, least of a type", "", 3, True, over_types("fIndex", min)),
    *(Figure(f"fIndex-{name}", "", f"{NAMES[name]}: F-index", "", 3, True, of_type(name, "fIndex")) for name in KINDS),
    Figure("clientSd", "sd", "One client's standard deviation, at most", "", 2, False, over_types("clientSd", max)),
    Figure("goodputMbps", "Mbit/s", "Goodput", "Mbit/s", 1, True, lambda run: run["goodputKbps"] / 1000),
    Figure("droppedPercent", "drop%", "Packets dropped", "%", 2, False, dropped_percent),
    Figure("rttMs", "RTT", "Round trip, 95 %", "ms", 1, False, within("rttMs", "p95")),
    Figure("jitterMs", "jitter", "Jitter of calls, 95 %", "ms", 2, False, within("jitterMs", "p95")),
    *DELAYS,
    *ON_OFF,
)  # fmt: skip


def figures_of(sizes: Iterable[dict[str, Any]]) -> list[Figure]:
    """Those that such a network, and such runs, have."""
    known = {name for one in sizes for estimates in one["modes"].values() for name in estimates}
    return [figure for figure in FIGURES if figure not in OPTIONAL or figure.name in known]
