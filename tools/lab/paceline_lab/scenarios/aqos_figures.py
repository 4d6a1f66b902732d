"""From what was counted in AQoS's experiments to figures and claims: throughputs, gains, and how soon a reservation is had again."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean
from typing import Any

from ..options import ADAPTIVE
from ..repeats import interval
from .counters import Series
from .draws import BEST_EFFORT, BOTTLENECK_KBPS, Experiment, Rates

# Of a reservation; the rest is what one frame more or less makes of half a second.
HAD = 0.97
WINDOW_S, STEP_S = 0.5, 0.05
FRAME_BYTES = 1514

Run = dict[str, Any]


@dataclass(frozen=True)
class Clock:
    """When which interval is."""

    at: float
    interval_s: float
    intervals: int

    def bounds(self, number: int) -> tuple[float, float]:
        return self.at + number * self.interval_s, self.at + (number + 1) * self.interval_s

    @property
    def end(self) -> float:
        return self.at + self.intervals * self.interval_s


def by_interval(series: Series, clock: Clock) -> list[float]:
    return [round(series.kbps(*clock.bounds(number)), 1) for number in range(clock.intervals)]


def regains(one: Experiment, rates: Rates, egress: dict[str, Series], clock: Clock) -> list[dict[str, Any]]:
    """Each time that a flow's offered rate comes from below its reservation to it or above: after how long it arrives at that rate.

    The rate that arrives is of half a second, from the moment that is told. None: not before the interval was over.
    """
    found = []
    for flow in one.qos:
        offered, reserved = rates[flow.name], flow.reserved or 0
        for number in range(1, clock.intervals):
            if offered[number - 1] < reserved <= offered[number]:
                begin, end = clock.bounds(number)
                found.append({"flow": flow.name, "interval": number, "seconds": had_after(egress[flow.name], reserved, begin, end)})
    return found


def had_after(arrived: Series, reserved: float, begin: float, end: float) -> float | None:
    wanted = HAD * reserved * 125 * WINDOW_S - FRAME_BYTES
    steps = int((end - begin - WINDOW_S) / STEP_S + 1e-6)
    for step in range(steps + 1):
        moment = begin + step * STEP_S
        if arrived.until(moment + WINDOW_S) - arrived.until(moment) >= wanted:
            return round(step * STEP_S, 3)
    return None


def least_honoured(one: Experiment, rates: Rates, egress: dict[str, Series], clock: Clock, settled_s: float) -> float:
    """The least that arrived of a reservation, as a part of it, where it was asked for: without the first moments of each interval."""
    parts = [
        egress[flow.name].kbps(begin + settled_s, end) / flow.reserved
        for flow in one.qos
        for number in range(clock.intervals)
        for begin, end in [clock.bounds(number)]
        if flow.reserved and rates[flow.name][number] >= flow.reserved and end - begin > settled_s
    ]
    return round(min(parts, default=1.0), 4)


def idle(rates: Rates, egress: dict[str, Series], clock: Clock) -> dict[str, float]:
    """What the link could have carried of what was offered and did not, in kbit/s of the whole run: by how long ago rates had changed."""
    parts = {"firstSecond": (0.0, 1.0), "secondSecond": (1.0, 2.0), "later": (2.0, clock.interval_s)}
    found = {}
    for part, (since, until) in parts.items():
        kilobits = 0.0
        for number in range(clock.intervals):
            begin, end = clock.bounds(number)
            seconds = max(0.0, min(begin + until, end) - begin - since)
            most = min(BOTTLENECK_KBPS, sum(row[number] for row in rates.values()))
            kilobits += most * seconds - sum(series.kbps(begin + since, begin + since + seconds) * seconds for series in egress.values() if seconds)
        found[part] = round(kilobits / (clock.interval_s * clock.intervals), 1)
    return found


def held_unused(rates: Rates, held: list[tuple[float, dict[str, float]]], clock: Clock) -> dict[str, float]:
    """What each flow was let have beyond what it was offered, in kbit/s of the whole run."""
    seen = [(int((moment - clock.at) // clock.interval_s), row) for moment, row in held if clock.at <= moment < clock.end]
    return {flow: round(mean(max(0.0, row[flow] - offered[number]) for number, row in seen), 1) for flow, offered in rates.items() if seen}


def summary(one: Experiment, rates: Rates, ingress: dict[str, Series], egress: dict[str, Series], clock: Clock, settled_s: float) -> Run:
    """Of a whole run."""
    whole = {name: series.kbps(clock.at, clock.end) for name, series in egress.items()}
    qos = sum(whole[flow.name] for flow in one.qos)
    return {
        "qosKbps": round(qos, 1),
        "bestEffortKbps": round(whole[BEST_EFFORT], 1),
        "totalKbps": round(sum(whole.values()), 1),
        "goodputKbps": round(sum(whole.values()), 1),
        "idleKbps": idle(rates, egress, clock),
        "flows": {
            flow.name: {
                "reservedKbps": flow.reserved,
                "offeredKbps": rates[flow.name],
                "ingressKbps": by_interval(ingress[flow.name], clock),
                "egressKbps": by_interval(egress[flow.name], clock),
                "wholeKbps": round(whole[flow.name], 1),
            }
            for flow in one.flows
        },
        "regains": regains(one, rates, egress, clock),
        "leastHonoured": least_honoured(one, rates, egress, clock, settled_s),
    }


def gain_percent(more: float, less: float) -> float:
    return round(100 * (more / less - 1), 2)


def groups(result: dict[str, Any]) -> list[tuple[str, int, list[dict[str, Run]]]]:
    """Protocol, best effort in percent, and for each repeat its runs by mode; runs that failed are not there."""
    found: dict[tuple[str, int], dict[int, dict[str, Run]]] = {}
    for run in result["runs"]:
        if "error" not in run:
            found.setdefault((run["protocol"], run["bestEffortPercent"]), {}).setdefault(run["repeat"], {})[run["mode"]] = run
    return [(protocol, percent, list(repeats.values())) for (protocol, percent), repeats in found.items()]


def claims(result: dict[str, Any], experiments: dict[int, Experiment]) -> list[dict[str, Any]]:
    """What the paper says and the issue asks, of each protocol and experiment; the paper had no TCP, so its figures are UDP's."""
    made = []
    for protocol, percent, repeats in groups(result):
        whole = [runs for runs in repeats if ADAPTIVE in runs]
        if not whole:
            continue
        of = f"AQoS, {protocol.upper()}, {percent} % best effort"
        ceilings = result["ceilingsPercent"][str(percent)]
        for rival, target in experiments[percent].gains.items():
            gains = [gain_percent(runs[ADAPTIVE]["qosKbps"], runs[rival]["qosKbps"]) for runs in whole if rival in runs]
            why = f"these draws let a scheme that loses nothing of QoS gain {ceilings[rival]:.1f} % over an ideal one of them"
            made.append(claim(f"{of}: QoS throughput over {rival}", target if protocol == "udp" else None, target, gains, "%", gains_hold, why))
        others = [{mode: run for mode, run in runs.items() if mode != ADAPTIVE} for runs in whole]
        totals = [
            gain_percent(runs[ADAPTIVE]["totalKbps"], max(run["totalKbps"] for run in rest.values())) for runs, rest in zip(whole, others) if rest
        ]
        # The paper's loss.
        made.append(claim(f"{of}: total over the best of the others", -2.48 if protocol == "udp" else None, 0.0, totals, "%", gains_hold,
                          "part of the link was free while rates followed what is offered"))  # fmt: skip
        regained = [one["seconds"] for runs in whole for one in runs[ADAPTIVE]["regains"]]
        worst = [max(one if one is not None else result["intervalSeconds"] for one in regained)] if regained else []
        made.append(claim(f"{of}: a reservation is had again after, worst of {len(regained)}", None, result["periodSeconds"], worst, "s",
                          lambda measured, target: measured <= target, "rates follow later than within a period"))  # fmt: skip
        honoured = [100 * runs[ADAPTIVE]["leastHonoured"] for runs in whole]
        made.append(claim(f"{of}: least part of a reservation, when asked for", None, 100 * HAD, honoured and [min(honoured)], "%", gains_hold,
                          "a flow offered its reservation and did not get it"))  # fmt: skip
    return [one for one in made if one]


def gains_hold(measured: float, target: float) -> bool:
    return measured >= target


def claim(name: str, reference: float | None, target: float, values: list[float], unit: str, holds: Any, why: str) -> dict[str, Any] | None:
    """Of the mean of the repeats; none where nothing was measured."""
    if not values:
        return None
    measured = round(mean(values), 3)
    found: dict[str, Any] = {
        "name": name, "reference": reference, "target": target, "measured": measured, "unit": unit,
        "holds": bool(holds(measured, target)), "repeats": len(values),
    }  # fmt: skip
    if spread := interval(values):
        found["interval"] = spread
    return found if found["holds"] else {**found, "why": why}
