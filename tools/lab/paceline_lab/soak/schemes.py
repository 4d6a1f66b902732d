"""`tools/paceline soak --schemes ...`: several schemes rule the same narrow links at once while conversations, reservations and settings come and go.

It samples each second what leaves the switches, what may be sent, and what is planned; and judges afterwards (`judge`) what each
flow got against what its scheme guarantees (`guarantees`).
"""

from __future__ import annotations

import html
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any

from ..charts import MOST_POINTS, Chart, Line
from ..claims import HEADS, row
from ..demo.report import style
from ..networks.emulated_network import EmulatedNetwork
from ..networks.space import Onos
from ..options import SoakOptions
from ..scenarios.staging import staged
from ..terminal import Terminal
from . import judge
from .judge import Sample, Window
from .shared_links import CAPACITY_KBPS, CLASSES, KINDS, LINKS, RESERVATIONS, SHARED, UTILITY, SharedLinks

SAMPLES_S, ASKS_S = 1.0, 7.0
SHORTEST_S, LONGEST_S = 5.0, 40.0
USABLE = 0.96
# By link: the most bytes that waited in each second, and the packets that were dropped.
Queues = dict[str, tuple[list[tuple[float, int]], int]]
# What each guarantee's claim says, by the scheme whose it is.
SAYS = {
    UTILITY: {UTILITY: "utility-fair: who asks has less than theta less epsilon is worth"},
    CLASSES: {
        CLASSES: "service classes: who asks has less than the lower part of an equal share of the class",
        "equal share": "service classes: who always asks has less than an equal share of the class",
    },
    RESERVATIONS: {
        RESERVATIONS: "adaptive reservations: who asks has less than is reserved",
        "best effort": "adaptive reservations: best effort that asks has less than its part",
    },
}


def run(options: SoakOptions) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, Any]] = []

    def act(terminal: Terminal, network: EmulatedNetwork, onos: Onos | None, _: Path) -> int:
        assert onos
        shared = SharedLinks(network, onos, options.out, options.seed, options.schemes)
        try:
            shared.build()
            samples = go_on(options, terminal, shared)
            records = shared.stop()
            queues = {link: (network.waiting(link, shared.began), network.carried(link)["forward"]["droppedPackets"]) for link in CAPACITY_KBPS}
            found.append(summary(options, samples, judge.windows(samples, records), shared, queues))
        finally:
            (options.out / "karaf.log").write_text(onos.log())
        return 0

    staged("plshared", True, f"two narrow links for {', '.join(options.schemes)}", lambda space: EmulatedNetwork(space, SHARED), act, "soak")
    (result,) = found
    (options.out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (options.out / "index.html").write_text(page(result))
    failing = [one for one in result["claims"] if not one["holds"]]
    Terminal(name="soak").step(f"{result['samples']} samples, {len(failing)} of {len(result['claims'])} claims do not hold; see {options.out}/index.html")
    return 1 if failing else 0


def go_on(options: SoakOptions, terminal: Terminal, shared: SharedLinks) -> list[Sample]:
    """Each sample is written down at once, with what the controller said, for whoever looks for a cause."""
    draws = random.Random(options.seed)
    comers = [name for name, kind in KINDS.items() if kind.scheme in options.schemes]
    samples: list[Sample] = []
    began = time.monotonic()
    sampled, comes = began, began + draws.expovariate(options.rate)
    asks = began + 3 * ASKS_S
    with open(options.out / "samples.jsonl", "w") as file:
        while (now := time.monotonic()) < began + 60 * options.minutes:
            shared.let_go(now)
            if now >= comes:
                shared.come(draws.choice(comers), draws.choice(list(LINKS)), draws.uniform(SHORTEST_S, LONGEST_S))
                # What a busy machine let wait is not made up for all at once.
                comes = max(comes + draws.expovariate(options.rate), now - 1)
            if now >= asks:
                shared.ask()
                asks = max(asks + ASKS_S, now)
            if now >= sampled:
                sample, details = shared.sample()
                samples.append(sample)
                file.write(json.dumps({**vars(sample), "entitled": {name: [vars(one) for one in many] for name, many in sample.entitled.items()},
                                       "settings": dict(shared.settings), "said": details}) + "\n")  # fmt: skip
                sampled = max(sampled + SAMPLES_S, now)
            terminal.progress(f"{(now - began) / 60:.1f} of {options.minutes:g} min, {len(shared.flows)} flows")
            time.sleep(max(0.0, min(0.1, sampled - time.monotonic())))
    return samples


def summary(options: SoakOptions, samples: list[Sample], found: list[Window], shared: SharedLinks, queues: Queues) -> dict[str, Any]:
    says = {guarantee: text for scheme in options.schemes for guarantee, text in SAYS[scheme].items()}
    came = len(shared.ever) / (60 * options.minutes)
    waiting, dropped = {link: both[0] for link, both in queues.items()}, {link: both[1] for link, both in queues.items()}
    claims = [
        *judge.of_links(samples, CAPACITY_KBPS, USABLE), *judge.of_queues(samples, CAPACITY_KBPS, waiting, dropped), *judge.of_flows(found, says),
        *(at_once(link, samples, shared, options.schemes) for link in CAPACITY_KBPS),
        judge.none_of("conversations without an agent that no meter held within 15 s", *shared.unheld()),
        {"name": "conversations that came", "reference": None, "target": options.rate, "measured": round(came, 2), "unit": "a second", "repeats": 1,
         "holds": came >= 0.8 * options.rate, **({} if came >= 0.8 * options.rate else {"why": "the machine was busy, or the seed drew fewer"})},
    ]  # fmt: skip
    return {
        "scenario": "soak-schemes", "schemes": options.schemes, "minutes": options.minutes, "seed": options.seed, "command": options.command,
        "samples": len(samples), "conversations": len(shared.ever), "bookingsRefused": shared.refused, "droppedPackets": dropped,
        # When queues were long: for whoever looks for a cause.
        "waitingBytes": {link: [[round(at - shared.began, 1), count] for at, count in many] for link, many in waiting.items()},
        "asked": [[round(at - shared.began, 1), what] for at, what in shared.asked],
        "guaranteedKbps": {name: of_windows([w for w in found if w.guarantee == name]) for name in says},
        "starved": list(map(str, sorted((w for w in found if w.starved), key=lambda w: w.begin))),
        "plots": plots(samples, found), "claims": claims,
    }  # fmt: skip


def at_once(link: str, samples: list[Sample], shared: SharedLinks, schemes: tuple[str, ...]) -> dict[str, Any]:
    """Else nothing is shown of schemes beside each other."""
    together = sum(set(schemes) <= {shared.ever[name].kind.scheme for name in one.entitled if link in shared.ever[name].links} for one in samples)
    part = together / max(1, len(samples))
    return {"name": f"link {link}: all schemes send at once", "reference": None, "target": 95, "measured": round(100 * part, 2), "unit": "% of samples",
            "repeats": len(samples), "holds": part >= 0.95, **({} if part >= 0.95 else {"why": "those of some had not begun, or were not held to rates"})}  # fmt: skip


def of_windows(found: list[Window]) -> dict[str, float]:
    """How much is guaranteed in the middle, and what part of its guarantee a flow had at the least and in the middle."""
    if not found:
        return {"windows": 0}
    parts = [window.had_kbps / window.kbps for window in found]
    return {"windows": len(found), "median": round(statistics.median(window.kbps for window in found), 1), "leastPart": round(min(parts), 3),
            "medianPart": round(statistics.median(parts), 3)}  # fmt: skip


def plots(samples: list[Sample], found: list[Window]) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """By title and run, minutes and percent. Of many the greatest of a stretch, or for guarantees the least, for it is those that count."""
    of_link: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for link, capacity in CAPACITY_KBPS.items():
        of_link[f"link {link}"] = {
            "sent": extremes([(one.end / 60, 100 * one.kbps / capacity) for one in judge.loads(samples) if one.link == link], max),
            "may-send": extremes([(one.at / 60, 100 * one.may_send[link] / capacity) for one in samples], max),
        }
    guarantees = dict.fromkeys(window.guarantee for window in found)
    least = {name: sorted((w.end / 60, min(300.0, 100 * w.had_kbps / w.kbps)) for w in found if w.guarantee == name) for name in guarantees}
    return {**of_link, **{f"least part of a guarantee: {name}": {"had": extremes(points, min)} for name, points in least.items()}}


def extremes(points: list[tuple[float, float]], which: Any) -> list[tuple[float, float]]:
    size = -(-len(points) // MOST_POINTS) or 1
    return [which(points[at : at + size], key=lambda point: point[1]) for at in range(0, len(points), size)]


def page(result: dict[str, Any]) -> str:
    charts = "".join(
        Chart(title, "min", "%", [Line(run, [tuple(point) for point in points]) for run, points in runs.items()], level=[("", 100.0)]).svg()
        for title, runs in result["plots"].items()
    )
    rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row(claim)) for claim in result["claims"]]
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Paceline: schemes on the same links</title>
<style>{style({"sent": "#176b2c", "may-send": "#a36a00", "had": "#176b2c"})}</style>
<h1>Paceline: schemes on the same links</h1>
<p>{result["minutes"]:g} minutes, {result["conversations"]} conversations that came and went: <code>{html.escape(result["command"])}</code></p>
<p>Green: what left the switch's port, or what a flow had of its guarantee. Brown: what might be sent at one moment.</p>
<main><div class='plots'>{charts}</div></main>
<table><tr>{"".join(f"<th>{name}</th>" for name in HEADS)}</tr>{"".join(f"<tr>{cells}</tr>" for cells in rows)}</table></html>
"""
