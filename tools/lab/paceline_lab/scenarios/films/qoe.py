"""What a view was worth (Yin et al. 2015, as DiffPerf has it), and DiffPerf's figures and claims."""

from __future__ import annotations

from itertools import groupby
from statistics import mean, pstdev
from typing import Any

from ...options import LOWER_MEANS, PAPER_BETA
from .views import KBPS

# Weights: of changes of quality, and, per second, of stalls and of the start, each the greatest bit rate in Mbit/s.
CHANGES, STALL, START = 1.0, max(KBPS) / 1000, max(KBPS) / 1000
# Of DiffPerf over CUBIC and over BBR, by gamma.
OVER_CUBIC = {0.0: 1.86, 0.5: 1.62, 1.0: 1.58}
OVER_BBR = {0.0: 1.63, 0.5: 1.42, 1.0: 1.38}
# How long a view stalls over BBR, by the buffer in bytes: without DiffPerf, and with it at gamma 0.
STALLED_S = {100_000: (92.2, 38.8), 1_000_000: (56.4, 28.8), 10_000_000: (76.5, 58.4)}
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
    for run in whole:
        if not is_as_the_papers(run):
            continue
        for plain, over in (("cubic", OVER_CUBIC), ("bbr", OVER_BBR)):
            # What runs over BBR has BBR alone beside it. The paper's quotients are of what runs over CUBIC.
            if run["congestionControl"] in ("cubic", plain) and (base := alone(whole, plain, run)) and run["gamma"] in over:
                made.append(gain(clients, plain, over[run["gamma"]], run, base))
        if run["congestionControl"] == "bbr" and run["gamma"] == 0 and (base := alone(whole, "bbr", run)) and run["bufferBytes"] in STALLED_S:
            made.append(stalls(clients, run, base))
    return made


def is_as_the_papers(run: Run) -> bool:
    """Whether it is of views, with the one beta of which the paper prints quotients."""
    return "gamma" in run and run.get("beta", PAPER_BETA) == PAPER_BETA and run.get("lowerMean", LOWER_MEANS[0]) == LOWER_MEANS[0]


def alone(whole: list[Run], plain: str, run: Run) -> Run | None:
    """What ran without Paceline before the same buffer."""
    return next((base for base in whole if base["mode"] == plain and base.get("bufferBytes") == run["bufferBytes"]), None)


def gain(clients: int, plain: str, target: float, run: Run, base: Run) -> dict[str, Any]:
    below = ", itself over bbr" if run["congestionControl"] == "bbr" else ""
    name = f"DiffPerf, {clients} clients, buffer of {run['bufferMs']:g} ms: QoE at gamma {run['gamma']:g} over {plain}{below}"
    why = f"it has {run['qoeMean']} a view, {plain} {base['qoeMean']}"
    if base["qoe"] <= 0:
        # No quotient says by how much: whoever adds less stalls to a view that is worth less than nothing gains.
        return claim(f"{name}, as a difference a view", None, 0.0, round(run["qoeMean"] - base["qoeMean"], 2), "", run["qoe"] > base["qoe"], why)
    measured = round(run["qoe"] / base["qoe"], 3)
    return claim(name, target, target, measured, "x", measured >= target, why)


def stalls(clients: int, run: Run, base: Run) -> dict[str, Any]:
    """As a part of BBR's: films here are shorter than the paper's, and so are stalls."""
    plain_s, target_s = STALLED_S[run["bufferBytes"]]
    target = round(target_s / plain_s, 3)
    name = f"DiffPerf, {clients} clients, buffer of {run['bufferMs']:g} ms: stalled at gamma 0, itself over bbr"
    why = f"a view stalls for {run['stalledMeanS']} s, over bbr alone for {base['stalledMeanS']} s"
    if base["stalledMeanS"] == 0:
        return claim(f"{name}, where bbr alone does not stall", None, 0.0, run["stalledMeanS"], "s", run["stalledMeanS"] == 0, why)
    measured = round(run["stalledMeanS"] / base["stalledMeanS"], 3)
    return claim(f"{name}, as a part of bbr's alone", target, target, measured, "x", measured <= target, why)


def view_kbps(view: dict[str, Any]) -> float:
    return float(view["bytes"] / 125 / view["tookS"])


def low(kbps: list[float], beta: float) -> list[bool]:
    """Who reaches so many standard deviations less than the mean, as DiffPerf tells a lower sub-class."""
    middle, spread = mean(kbps), pstdev(kbps)
    return [spread > 0 and (one - middle) / spread < beta for one in kbps]


def by_beta(result: dict[str, Any]) -> list[dict[str, Any]]:
    """
    Of each run with several betas: who would be low without Paceline, and what these and the others have together without it and with it.

    So the same clients are compared, as in the paper's figures 3 and 6. Who is low under Paceline changes from period to period.
    """
    whole = [run for run in result["runs"] if "error" not in run]
    swept = [run for run in whole if "beta" in run and alone(whole, run["congestionControl"], run)]

    def series(run: Run) -> tuple[Any, ...]:
        return run["congestionControl"], run["bufferBytes"], run["lowerMean"], run["gamma"]

    found = []
    for _, some in groupby(sorted(swept, key=series), series):
        runs = sorted(some, key=lambda run: run["beta"], reverse=True)
        if len(runs) < 2:
            continue
        base = alone(whole, runs[0]["congestionControl"], runs[0])
        assert base
        plain, rows = [view_kbps(view) for view in base["views"]], []
        for run in runs:
            is_low, with_it = low(plain, run["beta"]), [view_kbps(view) for view in run["views"]]
            rows.append({
                "beta": run["beta"], "low": sum(is_low), "qoeMean": run["qoeMean"],
                **{f"{which}{part}Kbps": round(sum(one for one, there in zip(kbps, is_low) if there == (part == "Low")))
                   for which, kbps in (("plain", plain), ("paceline", with_it)) for part in ("Low", "Others")},
            })  # fmt: skip
        found.append({"congestionControl": runs[0]["congestionControl"], "bufferMs": runs[0]["bufferMs"], "lowerMean": runs[0]["lowerMean"], "gamma": runs[0]["gamma"],
                      "plainQoeMean": base["qoeMean"], "betas": rows})  # fmt: skip
    return found


def lower_means(result: dict[str, Any]) -> dict[str, Any] | None:
    """
    How far the gains of each reading of equation 5 are from the paper's, on the average; none unless both ran.

    At gamma 0 both are the same, so that says nothing.
    """
    whole = [run for run in result["runs"] if "error" not in run]
    off: dict[str, list[float]] = {name: [] for name in LOWER_MEANS}
    for run in whole:
        if run.get("gamma", 0) == 0 or run["congestionControl"] != "cubic" or run.get("beta") != PAPER_BETA:
            continue
        for plain, over in (("cubic", OVER_CUBIC), ("bbr", OVER_BBR)):
            base = alone(whole, plain, run)
            if base and base["qoe"] > 0 and run["gamma"] in over:
                off[run["lowerMean"]].append(abs(run["qoe"] / base["qoe"] - over[run["gamma"]]))
    # As many of each: a run that failed would leave easier gains to one of them.
    if not off[LOWER_MEANS[0]] or len(off[LOWER_MEANS[0]]) != len(off[LOWER_MEANS[1]]):
        return None
    averages = {name: round(mean(some), 3) for name, some in off.items()}
    nearer = None if len(set(averages.values())) == 1 else min(averages, key=lambda name: averages[name])
    return {"meanDistance": averages, "gains": len(off[LOWER_MEANS[0]]), "nearer": nearer}


def claim(name: str, reference: float | None, target: float, measured: float, unit: str, holds: bool, why: str) -> dict[str, Any]:
    found = {"name": name, "reference": reference, "target": target, "measured": measured, "unit": unit, "holds": holds, "repeats": 1}
    return found if holds else {**found, "why": why}
