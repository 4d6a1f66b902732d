"""`tools/paceline soak`: conversations come and go, operators change policy, reserve and announce, for hours; then whether anything has grown.

The network, and what is asked for in it, are those of `chaos`; nothing is broken here.
"""

from __future__ import annotations

import html
import json
import random
import subprocess
import time
from typing import Any

from ..chaos.world import AGENTS, DIAMOND, PACED, RECEIVER, VOICE, World
from ..charts import Chart, Line
from ..claims import HEADS, row
from ..demo.report import style
from ..machine import java_process
from ..networks.emulated_network import EmulatedNetwork
from ..networks.space import Onos
from ..options import SoakOptions
from ..scenarios.staging import staged
from ..terminal import Terminal
from .samples import UNITS, most_grown, sample, series
from .trend import claim

CHURNED = 5200
NAMED = f"  - intent: {VOICE}\n    match: {{protocol: udp, remotePort: {CHURNED}}}\n    group: socket\n"
# An operator does something so often.
ASKS_S = 10.0
# Each collects the heaps of three processes.
SAMPLES_S = 30.0
# Compilers, pools and caches fill at first.
WARM_UP_SHARE = 0.25
FEWEST_SAMPLES = 8
# What is known of what grows.
KNOWN = {"ONOS: threads": "the pool that ONOS's parts share (onos-shared-scheduled-onos-pool-executor) has a thread more with each task, up to its size"}


def run(options: SoakOptions) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    samples: list[dict[str, Any]] = []
    # ONOS's heap by class, where the samples begin to count and at the end.
    heaps: list[dict[str, int]] = []
    opened: list[int] = []

    def act(terminal: Terminal, network: EmulatedNetwork, onos: Onos | None, _: Any) -> int:
        assert onos
        world = World(network, onos, NAMED)
        world.build()
        # What is kept of versions and changes has its bound before the samples count.
        for kept in ("versionsKept", "changesKept"):
            world.rest.call("PUT", f"{PACED}/settings/{kept}", {"value": "10"})
        opened.append(go_on(options, terminal, world, samples, heaps))
        world.stop()
        return 0

    staged("plsoak", True, f"four switches, {options.rate:g} conversations a second", lambda space: EmulatedNetwork(space, DIAMOND), act, "soak")
    result = summary(options, samples, heaps, sum(opened))
    (options.out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (options.out / "index.html").write_text(page(result))
    grown = [one for one in result["claims"] if not one["holds"]]
    Terminal(name="soak").step(f"{len(samples)} samples, {len(grown)} of {len(result['claims'])} claims do not hold; see {options.out}/index.html")
    return 1 if grown else 0


def go_on(options: SoakOptions, terminal: Terminal, world: World, samples: list[dict[str, Any]], heaps: list[dict[str, int]]) -> int:
    """How many conversations were opened."""
    draws = random.Random(options.seed)
    hearing = churn(world, RECEIVER, "hear", CHURNED)
    assert hearing.stdout and hearing.stdout.readline() == "listening\n"
    talking = [churn(world, host, "talk", options.rate / len(AGENTS), options.seed + n, world.target, CHURNED) for n, host in enumerate(AGENTS)]
    began = time.monotonic()
    sampled = asked = began
    while (now := time.monotonic()) < began + 60 * options.minutes:
        if now >= asked:
            ask(world, draws)
            asked = max(asked + ASKS_S, now)
        if not heaps and now >= began + WARM_UP_SHARE * 60 * options.minutes:
            heaps.append(java_process.heap(world.onos.pid()))
        if now >= sampled:
            samples.append({"atS": now - began, "values": sample(world)})
            sampled = max(sampled + SAMPLES_S, now)
        terminal.progress(f"{(now - began) / 60:.1f} of {options.minutes:g} min, {len(samples)} samples")
        time.sleep(0.5)
    heaps.append(java_process.heap(world.onos.pid()))
    opened = sum(world.network.harvest(one)["opened"] for one in talking)
    world.network.end(hearing)
    return opened


def churn(world: World, host: str, *words: Any) -> subprocess.Popen[str]:
    return world.network.module("paceline_lab.soak.churn", *map(str, words), host=host)


def ask(world: World, draws: random.Random) -> None:
    """Something that operators ask for, and what it takes back of what they asked for before."""
    what = draws.choice(("policy", "reserve", "announce"))
    if what == "policy":
        world.prefer(draws.randint(1, 9))
    elif what == "reserve":
        world.cancel_reservations()
        world.reserve(100 * draws.randint(1, 9))
    elif "now-and-then" in world.announced:
        world.withdraw("now-and-then")
    else:
        world.announce("now-and-then", 6001)


def summary(options: SoakOptions, samples: list[dict[str, Any]], heaps: list[dict[str, int]], opened: int) -> dict[str, Any]:
    warm = samples[round(WARM_UP_SHARE * len(samples)) :]
    came = opened / (60 * options.minutes)
    claims = [
        {"name": "conversations that came", "reference": None, "target": options.rate, "measured": round(came, 1), "unit": "a second", "repeats": 1,
         "holds": came >= 0.95 * options.rate, **({} if came >= 0.95 * options.rate else {"why": "the machine was busy"})},
    ]  # fmt: skip
    if len(warm) >= FEWEST_SAMPLES:
        claims += [claim(name, unit, series(warm, name), KNOWN.get(name)) for name, unit in UNITS.items()]
    return {
        "scenario": "soak", "minutes": options.minutes, "seed": options.seed, "command": options.command, "opened": opened, "samples": samples,
        "heapGrownMB": most_grown(heaps[0], heaps[-1]), "claims": claims,
    }  # fmt: skip


def page(result: dict[str, Any]) -> str:
    charts = "".join(Chart(name, "h", unit, [Line("soak", series(result["samples"], name))]).svg() for name, unit in UNITS.items())
    rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row(claim)) for claim in result["claims"]]
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Paceline: soak</title>
<style>{style({"soak": "#176b2c"})}</style>
<h1>Paceline: soak</h1>
<p>{result["minutes"]:g} minutes, {result["opened"]} conversations that came and went: <code>{html.escape(result["command"])}</code></p>
<main><div class='plots'>{charts}</div></main>
<p>What ONOS's heap has more of than after the first quarter, in MB: {html.escape(", ".join(f"{name} {size:g}" for name, size in result["heapGrownMB"].items()) or "nothing")}</p>
<table><tr>{"".join(f"<th>{name}</th>" for name in HEADS)}</tr>{"".join(f"<tr>{cells}</tr>" for cells in rows)}</table></html>
"""
