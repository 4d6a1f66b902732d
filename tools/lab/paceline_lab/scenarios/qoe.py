"""What a view was worth (Yin et al. 2015, as DiffPerf has it), and DiffPerf's figures and claims."""

from __future__ import annotations

from statistics import mean
from typing import Any

from .views import KBPS

# Weights: of changes of quality, and, per second, of stalls and of the start, each the greatest bit rate in Mbit/s.
CHANGES, STALL, START = 1.0, max(KBPS) / 1000, max(KBPS) / 1000
# Of DiffPerf over CUBIC and over BBR, by gamma.
OVER_CUBIC = {0.0: 1.86, 0.5: 1.62, 1.0: 1.58}
OVER_BBR = {0.0: 1.63, 0.5: 1.42, 1.0: 1.38}
DEVIATION_PERCENT = 5.0

Run = dict[str, Any]


def qoe(view: dict[str, Any]) -> float:
    """The sum of all segments' bit rates in Mbit/s, without what changes, stalls and the start cost."""
    rates = [KBPS[level] / 1000 for level in view["levels"]]
    changes = sum(abs(after - before) for before, after in zip(rates, rates[1:]))
    return sum(rates) - CHANGES * changes - STALL * view["stalledS"] - START * view["startupS"]


def of_views(views: list[dict[str, Any]], seconds: float) -> Run:
    values = [qoe(view) for view in views]
    return {
        "qoe": round(sum(values), 2),
        "qoeMean": round(mean(values), 2),
        "qoeLeast": round(min(values), 2),
        "stalledMeanS": round(mean(view["stalledS"] for view in views), 2),
        "startupMeanS": round(mean(view["startupS"] for view in views), 2),
        "bitrateMeanKbps": round(mean(mean([KBPS[level] for level in view["levels"]] or [0]) for view in views)),
        "unfinished": sum(not view["finished"] for view in views),
        "goodputKbps": round(sum(view["bytes"] for view in views) / 125 / seconds),
    }


def model_ratio(weight: float, other: float, alpha: float) -> float:
    return (weight / other) ** (1 / alpha)


def of_shares(kbps: dict[str, list[float]], weights: dict[str, int], alpha: float) -> Run:
    """Per-flow rates by class against the model: of each pair of classes, and of the two flows that are farthest from it."""
    names = list(weights)
    worst_mean = worst_flow = 0.0
    ratios = {}
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            wanted = model_ratio(weights[one], weights[other], alpha)
            got = mean(kbps[one]) / mean(kbps[other])
            ratios[f"{one}/{other}"] = {"model": round(wanted, 4), "measured": round(got, 4)}
            worst_mean = max(worst_mean, abs(got / wanted - 1))
            extremes = (max(kbps[one]) / min(kbps[other]), min(kbps[one]) / max(kbps[other]))
            worst_flow = max(worst_flow, *(abs(extreme / wanted - 1) for extreme in extremes))
    return {
        "alpha": alpha,
        "perFlowKbps": {name: round(mean(rates), 1) for name, rates in kbps.items()},
        "ratios": ratios,
        "deviationPercent": round(100 * worst_mean, 2),
        "flowDeviationPercent": round(100 * worst_flow, 2),
    }


def claims(result: dict[str, Any]) -> list[dict[str, Any]]:
    made = []
    clients = result["clients"]
    whole = [run for run in result["runs"] if "error" not in run]
    for run in whole:
        if "alpha" in run:
            made.append(
                claim(f"DiffPerf, {clients} clients: per-flow rates against the model at alpha {run['alpha']:g}, worst pair of classes", None,
                      DEVIATION_PERCENT, run["deviationPercent"], "%", run["deviationPercent"] <= DEVIATION_PERCENT, "classes do not stand in the model's ratio")
            )  # fmt: skip
    for plain, over in (("cubic", OVER_CUBIC), ("bbr", OVER_BBR)):
        for run in whole:
            # The paper's DiffPerf runs over CUBIC unless it says otherwise.
            base = next((b for b in whole if b["mode"] == plain and b.get("bufferBytes") == run.get("bufferBytes")), None)
            if run["mode"] != "service-classes" or "gamma" not in run or run["congestionControl"] != "cubic" or base is None:
                continue
            target = over.get(run["gamma"])
            if target is None:
                continue
            name = f"DiffPerf, {clients} clients, buffer of {run['bufferMs']:g} ms: QoE at gamma {run['gamma']:g} over {plain}"
            if base["qoe"] <= 0:
                # No quotient says by how much: whoever adds less stalls to a view that is worth less than nothing gains.
                made.append(claim(f"{name}, as a difference a view", None, 0.0, round(run["qoeMean"] - base["qoeMean"], 2), "", run["qoe"] > base["qoe"],
                                  f"it has {run['qoeMean']} a view, {plain} {base['qoeMean']}"))  # fmt: skip
                continue
            measured = round(run["qoe"] / base["qoe"], 3)
            made.append(claim(name, target, target, measured, "x", measured >= target, f"it has {run['qoeMean']} a view, {plain} {base['qoeMean']}"))
    return made


def claim(name: str, reference: float | None, target: float, measured: float, unit: str, holds: bool, why: str) -> dict[str, Any]:
    found = {"name": name, "reference": reference, "target": target, "measured": measured, "unit": unit, "holds": holds, "repeats": 1}
    return found if holds else {**found, "why": why}
