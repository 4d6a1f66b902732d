"""The run's figures as a table, a page with plots, and result.json."""

from __future__ import annotations

import base64
import html
import io
import json
import textwrap
from pathlib import Path
from typing import Any

from . import measure
from .measure import Samples

COLOURS = {"best-effort": "#c0504d", "managed": "#1f6fb2"}
# A page or terminal of usual width shows lines of so many characters whole.
LINE = 100
# Less is chance from run to run.
NOTABLE_UTILITY, NOTABLE_SHARE, NOTABLE_COUNT = 0.05, 0.1, 20
NAMES = {"web": "Web pages", "dl": "Downloads", "vod": "Video on demand", "live": "Live video", "ssh": "ssh", "voip": "VoIP"}


def number(value: Any, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def table(result: dict[str, Any]) -> str:
    runs = [r for r in result["runs"] if "error" not in r]
    rows = [
        f"{'':8}" + "".join(f"{r['mode']:^34}" for r in runs),
        f"{'type':8}" + f"{'n':>4}{'median':>8}{'10 %':>6}{'target':>8}{'F':>6}  " * len(runs),
    ]
    for name in runs[0]["types"] if runs else ():
        row = f"{name:8}"
        for run in runs:
            t = run["types"].get(name, {})
            row += (
                f"{t.get('requests', 0):4d}{number(t.get('median')):>8}{number(t.get('p10')):>6}"
                f"{number(t.get('target')):>8}{number(t.get('fIndex')):>6}  "
            )
        rows.append(row)
    rows.append("")
    for run in runs:
        offered = run.get("offeredPackets") or 0
        loss = 100 * run["droppedPackets"] / offered if offered else 0.0
        rtt, jitter = run.get("rttMs") or {}, run.get("jitterMs") or {}
        rows.append(
            f"{run['mode']}: {run.get('droppedPackets', 0)} of {offered} packets dropped ({loss:.2f} %), "
            f"RTT median {number(rtt.get('p50'))} ms, 95 % {number(rtt.get('p95'))} ms, "
            f"jitter 95 % {number(jitter.get('p95'))} ms, goodput {run['goodputKbps'] / 1000:.1f} Mbit/s, "
            f"link {run.get('linkKbps', 0) / 1000:.1f} Mbit/s; least utility {number(run.get('minUtility'))}, "
            f"mean {number(run.get('meanUtility'))}"
        )
    for run in runs:
        if run.get("grantMs"):
            rows.append(
                f"{run['mode']}: from a conversation's first packet to its rate in the kernel, users coming within {result['openingSeconds']:g} s: "
                f"median {run['grantMs']['p50']:.0f} ms, 95 % {run['grantMs']['p95']:.0f} ms"
            )
    for run in result["runs"]:
        if "error" in run:
            rows.append(f"{run['mode']}: failed: {run['error']}")
    return "\n".join(line for row in rows for line in lines(row, "  "))


def lines(text: str, later: str = "") -> list[str]:
    """None is longer than what is shown whole."""
    return textwrap.wrap(text, LINE, subsequent_indent=later, drop_whitespace=True) if len(text) > LINE else [text]


def losers(best: dict[str, Any], managed: dict[str, Any]) -> list[str]:
    """The types that have less of it when managed, each with how much; a type is as well off as its median request."""
    said = []
    for name, title in NAMES.items():
        before, after = best["types"].get(name, {}), managed["types"].get(name, {})
        falls = []
        medians = before.get("median"), after.get("median")
        if None not in medians and medians[0] - medians[1] >= NOTABLE_UTILITY:
            falls.append(f"utility {number(medians[0])} -> {number(medians[1])}")
        fewer = before.get("requests", 0) - after.get("requests", 0)
        if fewer >= NOTABLE_COUNT and fewer >= NOTABLE_SHARE * before["requests"]:
            falls.append(f"{before['requests']} -> {after['requests']} in the same time")
        if falls:
            said.append(f"{title} ({', '.join(falls)})")
    return said


def conclusion(result: dict[str, Any]) -> str:
    by_mode = {r["mode"]: r for r in result["runs"] if "error" not in r and "minUtility" in r}
    best, managed = by_mode.get("best-effort"), by_mode.get("managed")
    if best and managed:
        return (
            f"Managed, the worst-off of {result['applications']} conversations has utility {managed['minUtility']:.2f} "
            f"instead of {best['minUtility']:.2f}, the mean is {managed['meanUtility']:.2f} instead of "
            f"{best['meanUtility']:.2f}, and the bottleneck drops {managed['droppedPackets']} packets instead of "
            f"{best['droppedPackets']}. {price(best, managed)}"
        )
    for run in by_mode.values():
        return (
            f"{run['mode'].capitalize()}, the worst-off of {result['applications']} conversations has utility "
            f"{run['minUtility']:.2f}, the mean is {run['meanUtility']:.2f}, and the bottleneck drops "
            f"{run['droppedPackets']} packets."
        )
    return "No run came to an end."


def price(best: dict[str, Any], managed: dict[str, Any]) -> str:
    """Who pays for it, in the same breath as who gains."""
    found = losers(best, managed)
    return f"Who loses by it: {'; '.join(found)}." if found else "No type of application loses by it."


def write(folder: Path, result: dict[str, Any], samples: dict[str, Samples]) -> None:
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / "report.html").write_text(page(result, samples))


def page(result: dict[str, Any], samples: dict[str, Samples]) -> str:
    runs = [r for r in result["runs"] if "error" not in r and r["mode"] in samples]
    plots = [
        ("What the users notice", utilities(runs, samples)),
        ("Round trip, jitter and loss at the bottleneck", quality(runs, samples)),
        ("How the link is used", link(result, runs, samples)),
    ]
    images = "".join(f"<h2>{html.escape(title)}</h2><img alt='{html.escape(title)}' src='{image}'>" for title, image in plots)
    settings = (
        f"{result['applications']} applications, {result['bottleneckKbps'] / 1000:g} Mbit/s, round trip "
        f"{result['baseRttMs']:g} ms when idle, {result['seconds']} s a run, seed {result['seed']}"
    )
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Paceline: best effort against managed</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}}
img{{max-width:100%}} pre{{background:#f6f6f6;padding:1rem;white-space:pre-wrap}}</style>
<h1>Paceline: best effort against managed</h1>
<p><strong>{html.escape(conclusion(result))}</strong></p><p>{html.escape(settings)}</p>
{images}
<h2>All figures</h2><pre>{html.escape(table(result))}</pre>
<p>Utility is from 1 (bad) to 5 (excellent). "10 %" is the utility that nine of ten requests reach, "target" the mean of
what the plan promised, F the fairness index between the conversations of a type (1 is perfectly fair). The same figures
are in result.json, every single request in the .jsonl files beside it.</p></html>
"""


def image_of(figure: Any) -> str:
    from matplotlib import pyplot

    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=110, bbox_inches="tight")
    pyplot.close(figure)
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def subplots(rows: int, columns: int, width: float, height: float) -> Any:
    import warnings

    import matplotlib

    matplotlib.use("Agg")
    # The system's three-dimensional toolkit beside another matplotlib: neither is needed here.
    warnings.filterwarnings("ignore", message="Unable to import Axes3D")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(rows, columns, figsize=(width, height), squeeze=False)
    for axis in axes.flat:
        axis.grid(alpha=0.3)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    return figure, axes


def cumulative(axis: Any, values: list[float], **style: Any) -> None:
    ordered = sorted(values)
    if ordered:
        shares = [(i + 1) / len(ordered) for i in range(len(ordered))]
        axis.step([ordered[0], *ordered], [0, *shares], where="post", **style)


def utilities(runs: list[dict[str, Any]], samples: dict[str, Samples]) -> str:
    figure, axes = subplots(2, 4, 14, 6)
    requests = {r["mode"]: measure.counted(samples[r["mode"]]) for r in runs}
    for axis, (name, title) in zip(axes.flat, NAMES.items()):
        for run in runs:
            mode = run["mode"]
            values = [q["utility"] for q in requests[mode] if q["kind"] == name]
            cumulative(axis, values, color=COLOURS.get(mode), label=mode)
            target = run["types"].get(name, {}).get("target")
            if target is not None:
                axis.axvline(target, color="black", linestyle=":", label="target")
        axis.set(title=title, xlim=(0.9, 5.1), ylim=(0, 1.02), xlabel="utility", ylabel="share of requests")
    fairness, least = axes.flat[6], axes.flat[7]
    for shift, run in enumerate(runs):
        names = [n for n in NAMES if n in run["types"]]
        places = [i + shift * 0.4 for i in range(len(names))]
        fairness.bar(places, [run["types"][n]["fIndex"] or 0 for n in names], 0.38, color=COLOURS.get(run["mode"]))
        fairness.set_xticks([i + 0.2 for i in range(len(names))], names)
        tails = sorted(measure.tail(v) for v in measure.conversations(requests[run["mode"]]).values())
        least.plot(range(1, len(tails) + 1), tails, ".-", color=COLOURS.get(run["mode"]), label=run["mode"])
    fairness.set(title="Fairness (F-index)", ylim=(0.4, 1.01))
    least.set(title="10 % tail of every conversation", xlabel="conversations, worst first", ylim=(0.9, 5.1))
    axes.flat[0].legend(loc="upper left", fontsize=8)
    figure.tight_layout()
    return image_of(figure)


def quality(runs: list[dict[str, Any]], samples: dict[str, Samples]) -> str:
    figure, axes = subplots(1, 3, 14, 3.4)
    rtt, jitter, loss = axes.flat
    for place, run in enumerate(runs):
        mode = run["mode"]
        one = samples[mode]
        cumulative(rtt, measure.round_trips(one), color=COLOURS.get(mode), label=mode)
        seconds = measure.whole_seconds(one.window)
        cumulative(jitter, [b["jitterMs"] for b in one.voice if b["second"] in seconds], color=COLOURS.get(mode))
        share = 100 * run.get("droppedPackets", 0) / max(1, run.get("offeredPackets", 0))
        loss.bar(place, share, 0.6, color=COLOURS.get(mode))
        loss.annotate(f"{share:.2f} %", (place, share), ha="center", va="bottom")
    rtt.set(title="Round trip across the bottleneck", xlabel="ms", ylabel="share", ylim=(0, 1.02))
    rtt.legend(fontsize=8)
    jitter.set(title="Jitter of calls", xlabel="ms", ylim=(0, 1.02))
    loss.set(title="Packets dropped at the bottleneck", ylabel="%")
    loss.set_xticks(range(len(runs)), [r["mode"] for r in runs])
    loss.margins(y=0.2)
    figure.tight_layout()
    return image_of(figure)


def link(result: dict[str, Any], runs: list[dict[str, Any]], samples: dict[str, Samples]) -> str:
    figure, axes = subplots(1, 2, 14, 3.4)
    use, queue = axes.flat
    for run in runs:
        points = measure.link_use(samples[run["mode"]])
        colour = COLOURS.get(run["mode"])
        use.plot([p[0] for p in points], [p[1] for p in points], color=colour, label=run["mode"])
        queue.plot([p[0] for p in points], [p[2] for p in points], color=colour)
    use.axhline(result["bottleneckKbps"] / 1000, color="black", linestyle=":", label="capacity")
    use.set(title="Frames forwarded", xlabel="s", ylabel="Mbit/s", ylim=(0, result["bottleneckKbps"] / 1000 * 1.1))
    use.legend(fontsize=8, loc="lower right")
    queue.set(title="Longest queue of each second", xlabel="s", ylabel="kB")
    queue.set_ylim(bottom=0)
    figure.tight_layout()
    return image_of(figure)


