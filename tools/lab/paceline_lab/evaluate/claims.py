"""What an evaluation sets out to show, size by size: managed against the best rival, against what was promised, and on its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..demo.claims import FIRST_RATE_MS, GOODPUT, JITTER_MS, ROUND_TRIP_MS, TOO_MUCH, where
from ..demo.lab import BEST_EFFORT
from ..demo.report import NAMES
from ..demo.variants import GROWS, GROWS_TOLD, MANAGED, VARIANTS
from ..traffic.mix import ENDS
from .figures import FIGURES, LEAST, MEAN, Run, of_type, over_types, within
from .result import Measured
from .statistics import Estimate, estimate

# A mean that is below a rival's still holds where the interval has 0 in it, and nothing that lies further below than this.
MARGIN = 0.1
# Of what was promised, in utility; what the paper had (Sieber et al. 2020, sections 7.2 and 7.4).
OFF_TYPE, OFF_TYPE_PAPER, OFF_LEAST, OFF_LEAST_PAPER = 0.2, 0.5, 0.1, 0.1
F_INDEX, CLIENT_SD = 0.98, 0.05
FAIR, FAIR_UP_TO = 3.0, 80
# What the paper's calls have on one link (figure 8b).
CALLS = 4.9
# At 80 users, of each type's median against best effort's (figure 9).
PAPER_SIZE, PAPER_GAINS = 80, {"live": 3.1, "vod": 2.0, "ssh": 1.0, "dl": 0.4, "web": -1.3}

# A queue that drops for a far user what others carried for it gives the rate to near ones.
FAR = "a user across several links takes of each what a near one could have: less goodput in sum is also what its share costs"

BY_NAME = {figure.name: figure for figure in FIGURES}


def claims(measured: Measured, base_rtt_ms: float, bottlenecks: int = 1) -> list[dict[str, Any]]:
    """Nothing is claimed of what did not run."""
    network = f", {bottlenecks} links in a row" if bottlenecks > 1 else ""
    return [{**one, "name": f"{size} users{network}: {one['name']}"} for size in measured.sizes() for one in of_size(measured, size, base_rtt_ms)]


def of_size(measured: Measured, size: int, base_rtt_ms: float) -> list[dict[str, Any]]:
    def alone(name: str, of: Any, target: float, why: str, *, unit: str = "", most: bool = True, reference: float | None = None) -> None:
        if values := measured.values(size, MANAGED, of):
            found = estimate(values)
            holds = found.mean <= target if most else found.mean >= target
            made.append(claim(name, reference, target, found, unit, holds, why))

    made: list[dict[str, Any]] = []
    if not measured.runs(size, MANAGED):
        return made
    in_a_row = any("links" in run for run in measured.runs(size, MANAGED))
    come_and_go = any("returns" in run for run in measured.runs(size, MANAGED))
    for name in (LEAST, MEAN):
        figure = BY_NAME[name]
        if rival := measured.best_rival(size, figure.of):
            found = estimate(measured.ahead(size, rival, figure.of))
            made.append(claim(f"{figure.title.lower()} above the best rival's ({rival})", None, 0.0, found, "", not_below(found), why_below(found)))
    if fifo := measured.beside(size, BEST_EFFORT, lambda managed, other: 100 * managed["goodputKbps"] / other["goodputKbps"]):
        found = estimate(fifo)
        made.append(claim("goodput of best effort's", None, 100 * GOODPUT, found, "%", found.mean >= 100 * GOODPUT, FAR if in_a_row else where(measured.runs(size, MANAGED))))
    # One packet in one of them is one too many.
    if dropped := measured.values(size, MANAGED, lambda run: run.get("droppedPackets")):
        made.append(claim("packets dropped, at most", None, 0, estimate([max(dropped)]), "packets", max(dropped) == 0, TOO_MUCH, len(dropped)))
    alone("round trip, 95 %", within("rttMs", "p95"), round(base_rtt_ms + ROUND_TRIP_MS, 2), "a queue built", unit="ms")
    alone("jitter of calls, 95 %", within("jitterMs", "p95"), JITTER_MS, "packets met in a queue", unit="ms")
    alone(f"calls across {max(ENDS)} links, utility at least", BY_NAME["calls-far"].of, CALLS, "see what calls took, and beyond what was promised", most=False, reference=CALLS)
    # Who borrows has more than was promised, which breaks no promise.
    alone("a type's utility below what was promised, at most", below_type, OFF_TYPE, farthest(measured, size, far=lambda off: -off), reference=OFF_TYPE_PAPER)
    if come_and_go:
        # Who is there has what others leave, beyond any promise; and each is there at other times, with other users.
        alone("from a return to its rate, 95 %", BY_NAME["returnMs"].of, FIRST_RATE_MS, "see timesMs of the controller's conversations: reported, planned, installed", unit="ms")
        alone("returns that never had a rate, at most", within("returns", "withoutRate"), 0, "seen twice, a second apart, without one: see why in the controller's log")
    else:
        alone("a type's utility off what was promised, at most", off_type, OFF_TYPE, farthest(measured, size), reference=OFF_TYPE_PAPER)
        alone("the least utility off what was promised", off_least, OFF_LEAST, "see the conversation that is worst off", reference=OFF_LEAST_PAPER)
        alone("F-index of a type, at least", over_types("fIndex", min), F_INDEX, extreme(measured, size, "fIndex", min), most=False, reference=F_INDEX)
        alone("standard deviation of a client, at most", over_types("clientSd", max), CLIENT_SD, extreme(measured, size, "clientSd", max), reference=CLIENT_SD)
    # What a plan could give is known of who is there at last.
    if size <= FAIR_UP_TO and not come_and_go:
        made += fair(measured, size)
    # The paper had one bottleneck, and nobody was away.
    if size == PAPER_SIZE and not in_a_row and not come_and_go:
        made += gains(measured, size)
    return made + mistaken(measured, size) + delay_grows(measured, size)


def mistaken(measured: Measured, size: int) -> list[dict[str, Any]]:
    """Where tables, links, names or hosts are not what the controller takes them for: it costs little."""
    made = []
    for mode, variant in VARIANTS.items():
        # With longer delays everybody has less, and a setting is no mistake.
        if variant.load_delay_ms or variant.settings:
            continue
        for name in (LEAST, MEAN):
            figure = BY_NAME[name]
            if less := measured.ahead(size, MANAGED, figure.of, mode):
                found = estimate(less)
                made.append(claim(f"{mode}: {figure.title.lower()} above managed's, at least", None, -MARGIN, found, "", found.mean >= -MARGIN, f"it costs so much that {variant.says}"))
    return made


def delay_grows(measured: Measured, size: int) -> list[dict[str, Any]]:
    """Where a link's delay is not what the controller takes it for: promises hold as far as the paper's did, and it costs little not to know."""
    made = []
    runs = measured.runs(size, GROWS)
    if off := measured.values(size, GROWS, off_type):
        found = estimate(off)
        made.append(claim("a type's utility off what was promised, at most", OFF_TYPE_PAPER, OFF_TYPE_PAPER, found, "", found.mean <= OFF_TYPE_PAPER, farthest(measured, size, GROWS)))
    if dropped := [run["droppedPackets"] for run in runs if "droppedPackets" in run]:
        made.append(claim("packets dropped, at most", None, 0, estimate([max(dropped)]), "packets", max(dropped) == 0, "senders filled the queue", len(dropped)))
    for name in (LEAST, MEAN):
        figure = BY_NAME[name]
        if less := measured.ahead(size, GROWS_TOLD, figure.of, GROWS):
            found = estimate(less)
            made.append(claim(f"{figure.title.lower()} above that of a controller that knows, at least", None, -MARGIN, found, "", found.mean >= -MARGIN, "so much is lost by not knowing"))
    return [{**one, "name": f"{GROWS}: {one['name']}"} for one in made]


def claim(
    name: str, reference: float | None, target: float, found: Estimate, unit: str, holds: bool, why: str, repeats: int | None = None
) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, "reference": reference, "target": target, "measured": round(found.mean, 3), "unit": unit, "holds": holds}
    made["repeats"] = repeats or found.blocks
    if found.interval:
        made |= {"interval": [round(end, 3) for end in found.interval], "confidence": found.confidence}
    return made if holds else {**made, "why": why}


def not_below(found: Estimate) -> bool:
    """At least as good, within confidence. One block alone is taken by its word."""
    if found.mean >= 0 or found.interval is None:
        return found.mean >= 0
    low, high = found.interval
    return high >= 0 and low >= -MARGIN


def why_below(found: Estimate) -> str:
    if found.interval is None:
        return "one block, which says nothing of chance; more --repeats say"
    return "it is below in all that chance leaves open" if found.interval[1] < 0 else "the blocks differ by too much to say; more --repeats, or a quieter machine"


def off_type(run: Run) -> float | None:
    found = deviations(run)
    return max(map(abs, found.values())) if found else None


def deviations(run: Run) -> dict[str, float]:
    """Of each type's tail, as the paper has it, from the mean of what its conversations were promised."""
    return {
        name: one["tail"] - one["target"] for name, one in run["types"].items() if one.get("tail") is not None and one.get("target") is not None
    }  # fmt: skip


def below_type(run: Run) -> float | None:
    found = deviations(run)
    return max(0.0, -min(found.values())) if found else None


def off_least(run: Run) -> float | None:
    return abs(run[LEAST] - run["minTarget"]) if LEAST in run and "minTarget" in run else None


def farthest(measured: Measured, size: int, mode: str = MANAGED, far: Callable[[float], float] = abs) -> str:
    means = {name: estimate(values).mean for name in NAMES if (values := measured.values(size, mode, lambda run, name=name: deviations(run).get(name)))}
    if not means:
        return "nothing was promised"
    name = max(means, key=lambda one: far(means[one]))
    return f"{NAMES[name]} {means[name]:+.2f}: " + ("more than promised, as they borrow what others leave" if means[name] > 0 else "less than promised")


def extreme(measured: Measured, size: int, figure: str, which: Callable[..., str]) -> str:
    """The type that has the least or the most of a figure."""
    means = {name: estimate(values).mean for name in NAMES if (values := measured.values(size, MANAGED, of_type(name, figure)))}
    name = which(means, key=lambda one: means[one], default="")
    return f"it is {means[name]:.2f} of {NAMES[name]}" if name else "no type has one"


def fair(measured: Measured, size: int) -> list[dict[str, Any]]:
    """The least utility is to be 3, unless it is proved that no plan has it."""
    values = measured.values(size, MANAGED, BY_NAME[LEAST].of)
    if not values:
        return []  # nobody was heard
    found = estimate(values)
    best = [run["bound"]["leastUtility"] for run in measured.runs(size, MANAGED) if (run.get("bound") or {}).get("proved")]
    impossible = len(best) == len(values) and max(best) < FAIR
    name = f"least utility (the certificate proves that no plan has more than {max(best):.2f})" if impossible else "least utility"
    return [claim(name, FAIR, FAIR, found, "", impossible or found.mean >= FAIR, "a plan could have it, by the certificate, or there is none")]


def gains(measured: Measured, size: int) -> list[dict[str, Any]]:
    made = []
    for name, paper in PAPER_GAINS.items():
        if values := measured.ahead(size, BEST_EFFORT, of_type(name, "median")):
            found = estimate(values)
            made.append(claim(f"{NAMES[name]}: median above best effort's", paper, paper, found, "", found.mean >= paper, "see both medians in the table of types"))
    return made
