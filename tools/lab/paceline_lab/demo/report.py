"""The run's figures as a table, a page with plots, and result.json."""

from __future__ import annotations

import html
import json
import textwrap
from pathlib import Path
from typing import Any

from .. import claims
from ..charts import Bar, Chart, Line, Look, cumulative, sheet
from ..traffic import measure
from ..traffic.measure import Samples
from . import account
from .rivals import RIVALS

COLOURS = {
    "best-effort": "#c0504d", "fq-codel": "#b8860b", "per-user": "#5b8c3a", "bbr": "#7a5195", "htb": "#8c564b", "dscp": "#2a9d8f",
    "partly-managed": "#79a9d1", "tables-less-30": "#4d908e", "tables-less-10": "#90be6d", "tables-more-10": "#f9c74f", "tables-more-30": "#f8961e",
    "capacity-less-10": "#9d8189", "capacity-more-10": "#577590", "misnamed": "#c9ada7", "delay-grows": "#bc6c25", "delay-grows-told": "#dda15e",
    "epsilon-100": "#6a4c93", "managed": "#1f6fb2",
}  # fmt: skip
# A page or terminal of usual width shows lines of so many characters whole.
LINE = 100
# Less is chance from run to run.
NOTABLE_UTILITY, NOTABLE_SHARE, NOTABLE_COUNT = 0.05, 0.1, 20
NAMES = {"web": "Web pages", "dl": "Downloads", "vod": "Video on demand", "live": "Live video", "ssh": "ssh", "voip": "VoIP"}


def number(value: Any, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def table(result: dict[str, Any]) -> str:
    runs = [r for r in result["runs"] if "error" not in r]
    # Two runs fit beside each other; more are below each other, for each type.
    rows = beside(runs) if len(runs) <= 2 else below(runs)
    rows.append("")
    for run in runs:
        offered = run.get("offeredPackets") or 0
        loss = 100 * run["droppedPackets"] / offered if offered else 0.0
        rtt, jitter = run.get("rttMs") or {}, run.get("jitterMs") or {}
        rows.append(
            f"{run['mode']}: {run.get('droppedPackets', 0)} of {offered} packets dropped "
            f"({loss:.2f} %{by_codel(run)}), RTT median {number(rtt.get('p50'))} ms, 95 % {number(rtt.get('p95'))} ms, "
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
    for run in runs:
        if left := run.get("uncounted"):
            requests = "1 unfinished request counts" if left == 1 else f"{left} unfinished requests count"
            rows.append(f"{run['mode']}: {requests} nothing, as its user has finished others")
    rows += [f"{run['mode']}: {said}" for run in runs for said in experience(run)]
    for run in runs:
        if run.get("account"):
            rows.append(f"\n{run['mode']}: where the link goes, in Mbit/s, on average")
            rows += account.lines(run["account"], NAMES)
    for run in result["runs"]:
        if "error" in run:
            rows.append(f"{run['mode']}: failed: {run['error']}")
    return "\n".join(line for row in rows for line in lines(row, "  "))


def experience(run: dict[str, Any]) -> list[str]:
    """What the controller says of it, by what the users reported."""
    if "reportingUsers" not in run:
        return []
    types = [f"{name} {one['experienced']:.2f}" for name, one in run["types"].items() if one.get("experienced") is not None]
    users = sum(one["conversations"] for one in run["types"].values())
    said = f"experienced by the last reports of {run['reportingUsers']} of {users} users, as the controller has it: {', '.join(types) or 'nothing yet'}"
    alarms = [f"the controller's alarm ({one['conversation']}, {one['likelyCause']}): {one['sentence']}" for one in run["experienceAlarms"]]
    return [said, *alarms]


HEADS = f"{'n':>4}{'median':>8}{'10 %':>6}{'target':>8}{'F':>6}  "


def figures(run: dict[str, Any], name: str) -> str:
    t = run["types"].get(name, {})
    return (
        f"{t.get('requests', 0):4d}{number(t.get('median')):>8}{number(t.get('p10')):>6}"
        f"{number(t.get('target')):>8}{number(t.get('fIndex')):>6}  "
    )


def beside(runs: list[dict[str, Any]]) -> list[str]:
    rows = [f"{'':8}" + "".join(f"{r['mode']:^34}" for r in runs), f"{'type':8}" + HEADS * len(runs)]
    for name in runs[0]["types"] if runs else ():
        rows.append(f"{name:8}" + "".join(figures(run, name) for run in runs))
    return rows


def below(runs: list[dict[str, Any]]) -> list[str]:
    rows = [f"{'type':8}{'run':12}" + HEADS]
    for name in runs[0]["types"]:
        for run in runs:
            rows.append(f"{name if run is runs[0] else '':8}{run['mode']:12}" + figures(run, name))
    return rows


def by_codel(run: dict[str, Any]) -> str:
    """Of the packets that were dropped; a FIFO has none of these."""
    dropped = run.get("codelDroppedPackets", 0)
    return f"; {dropped} by CoDel" if dropped else ""


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
            f"{best['droppedPackets']}. {instead(by_mode, managed)}{price(best, managed)}"
        )
    if run := best or managed or next(iter(by_mode.values()), None):
        return (
            f"{run['mode'].capitalize()}, the worst-off of {result['applications']} conversations has utility "
            f"{run['minUtility']:.2f}, the mean is {run['meanUtility']:.2f}, and the bottleneck drops "
            f"{run['droppedPackets']} packets. {instead(by_mode, run)}".strip()
        )
    return "No run came to an end."


def instead(by_mode: dict[str, dict[str, Any]], told: dict[str, Any]) -> str:
    """The same figures for each rival, but of what is told already."""
    return "".join(
        f"With {mode} the worst-off has {run['minUtility']:.2f}, the mean is {run['meanUtility']:.2f}, and "
        f"{run['droppedPackets']} packets are dropped. "
        for mode, run in by_mode.items()
        if mode in RIVALS and run is not told
    )


def price(best: dict[str, Any], managed: dict[str, Any]) -> str:
    """Who pays for it, in the same breath as who gains."""
    found = losers(best, managed)
    return f"Who loses by it: {'; '.join(found)}." if found else "No type of application loses by it."


def write(folder: Path, result: dict[str, Any], samples: dict[str, Samples]) -> None:
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / "report.html").write_text(page(result, samples))
    (folder / "report.md").write_text(markdown(result))
    runs = drawn(result, samples)
    looks = {run["mode"]: Look(COLOURS[run["mode"]], run["mode"].replace("-effort", " effort")) for run in runs}
    (folder / "utility.svg").write_text(sheet("Utility of each type", utilities(runs, samples), looks, 4))
    (folder / "network.svg").write_text(sheet("Round trip, jitter and loss", quality(runs, samples), looks, 3))


def drawn(result: dict[str, Any], samples: dict[str, Samples]) -> list[dict[str, Any]]:
    return [run for run in result["runs"] if "error" not in run and run["mode"] in samples]


def markdown(result: dict[str, Any]) -> str:
    """For a folder of reports: the same figures as the page, with two sheets of plots."""
    made = result.get("made", {})
    when = ", at ".join(part for part in (made.get("at", "")[:10], made.get("commit", "")) if part)
    parts = [
        f"# {result['applications']} applications on {result['bottleneckKbps'] / 1000:g} Mbit/s",
        f"    {result.get('command', '')}",
        f"{how_often(result)}, {result['seconds']:g} s; {when}.",
        conclusion(result),
        f"```\n{table(result)}\n```",
        "![Utility of each type](utility.svg)\n![Round trip, jitter and loss](network.svg)",
    ]
    if result.get("claims"):
        parts.append(f"```\n{claims.table(result['claims'])}\n```")
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def how_often(result: dict[str, Any]) -> str:
    repeats = len({run["repeat"] for run in result.get("repeats", [])})
    return f"Figures are means of {repeats} runs of each, packets their sum" if repeats else "One run of each"


def page(result: dict[str, Any], samples: dict[str, Samples]) -> str:
    runs = drawn(result, samples)
    sections = [
        ("What the users notice", utilities(runs, samples)),
        ("Round trip, jitter and loss at the bottleneck", quality(runs, samples)),
        ("How the link is used", link(result, runs, samples)),
    ]
    plots = "".join(
        f"<h2>{html.escape(title)}</h2><div class='plots'>{''.join(chart.svg() for chart in charts)}</div>" for title, charts in sections
    )
    settings = (
        f"{how_often(result)}{', plots show the last' if result.get('repeats') else ''}: {result['applications']} applications, {result['bottleneckKbps'] / 1000:g} Mbit/s, round trip "
        f"{result['baseRttMs']:g} ms when idle, {result['seconds']} s a run, seed {result['seed']}"
    )
    failures = "".join(
        f"<p><strong>{html.escape(r['mode'])} failed: {html.escape(r['error'])}</strong></p>" for r in result["runs"] if "error" in r
    )
    title = html.escape("Paceline: " + " against ".join(r["mode"].replace("-effort", " effort") for r in runs))
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style(COLOURS)}</style>
<h1>{title}</h1>
<p><strong>{html.escape(conclusion(result))}</strong></p>{failures}<p>{html.escape(settings)}</p>{rivals_said(runs)}
<p>Point at a line, a dot or a bar to read its value.</p>
{choices([r['mode'] for r in runs])}
<main>{plots}</main>
<h2>All figures</h2>{types_table(runs)}{experienced_said(runs)}{network_table(runs)}{accounts(runs)}
<p>Utility is from 1 (bad) to 5 (excellent). "10 %" is the utility that nine of ten requests reach, "target" the mean of
what the plan promised, F the fairness index between the conversations of a type (1 is perfectly fair). The same figures
are in result.json, every single request in the .jsonl files beside it.</p></html>
"""


def rivals_said(runs: list[dict[str, Any]]) -> str:
    """What the rivals' names stand for, and whose round trip it is that the page shows."""
    said = [f"{r['mode']} is {RIVALS[r['mode']].says}." for r in runs if r["mode"] in RIVALS]
    if any(RIVALS[r["mode"]].queue != "fifo" for r in runs if r["mode"] in RIVALS):
        said.append(
            "Where flows or users have a queue each, the round trip is that of a flow that sends little: those that "
            "send all they can wait longer than it shows."
        )
    return f"<p>{html.escape(' '.join(said))}</p>" if said else ""


def style(colours: dict[str, str]) -> str:
    """Of a page whose runs have these colours."""
    return LOOK + "".join(
        f".{mode} path{{stroke:{colour}}}.{mode} .target{{stroke:{colour}}}.{mode} rect{{fill:{colour}}}label.{mode}{{color:{colour};font-weight:600}}"
        f"#show-{mode}:not(:checked)~main g.{mode}{{display:none}}"
        for mode, colour in colours.items()
    )


LOOK = """
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem}
svg{width:100%;height:auto} svg text{font:12px system-ui,sans-serif;fill:#444} .title{font-weight:600}
.middle{text-anchor:middle} .end{text-anchor:end} path{fill:none} .grid{stroke:#e6e6e6}
g path{stroke-width:2} .target{stroke:#222;stroke-width:1;stroke-dasharray:2 3} circle{fill:transparent;stroke:none} circle:hover{fill:#222}
table{border-collapse:collapse;margin:1rem 0;width:100%} th,td{padding:.2rem .5rem;text-align:right;border-bottom:1px solid #e6e6e6}
th:first-child{text-align:left} td.worse{color:#a33} td.better{color:#176b2c}
@media(max-width:40rem){thead{display:none} tr,td,tbody th{display:block;text-align:left;border:0} tr{border-bottom:1px solid #ccc}
td::before{content:attr(data-name) ": ";color:#666}}
"""


def choices(modes: list[str]) -> str:
    """Which runs the plots show."""
    return "".join(
        f'<input type="checkbox" id="show-{mode}" checked><label class="{mode}" for="show-{mode}"> {mode} </label>' for mode in modes
    )


def cell(name: str, value: str, kind: str = "") -> str:
    return f'<td data-name="{html.escape(name)}"{f" class={kind}" if kind else ""}>{html.escape(value)}</td>'


def types_table(runs: list[dict[str, Any]]) -> str:
    """A line for each type and run, so that no screen is too narrow."""
    rows = []
    for name, title in NAMES.items():
        for run in runs:
            if t := run["types"].get(name):
                best = runs[0]["types"].get(name, {}).get("median")
                change = (t["median"] or 0) - best if run is not runs[0] and best is not None and t["median"] is not None else 0
                kind = "worse" if change <= -NOTABLE_UTILITY else "better" if change >= NOTABLE_UTILITY else ""
                rows.append(
                    f"<tr><th>{html.escape(title)}</th>" + cell("run", run["mode"]) + cell("requests", str(t["requests"]))
                    + cell("median utility", number(t["median"]), kind) + cell("10 %", number(t["p10"]))
                    + cell("target", number(t["target"])) + cell("F", number(t["fIndex"])) + "</tr>"
                )  # fmt: skip
    return headed(("", "run", "requests", "median utility", "10 %", "target", "F"), rows)


def experienced_said(runs: list[dict[str, Any]]) -> str:
    return "".join(f"<p>{html.escape(run['mode'] + ': ' + said)}</p>" for run in runs for said in experience(run))


def network_table(runs: list[dict[str, Any]]) -> str:
    figures = {
        "Packets dropped": lambda r: f"{r.get('droppedPackets', 0)} of {r.get('offeredPackets') or 0}{by_codel(r)}",
        "Round trip, median": lambda r: number((r.get("rttMs") or {}).get("p50")) + " ms",
        "Round trip, 95 %": lambda r: number((r.get("rttMs") or {}).get("p95")) + " ms",
        "Jitter of calls, 95 %": lambda r: number((r.get("jitterMs") or {}).get("p95")) + " ms",
        "Goodput": lambda r: f"{r['goodputKbps'] / 1000:.1f} Mbit/s",
        "Link": lambda r: f"{r.get('linkKbps', 0) / 1000:.1f} Mbit/s",
        "Least utility": lambda r: number(r.get("minUtility")),
        "Mean utility": lambda r: number(r.get("meanUtility")),
        "First packet to rate in the kernel, median": lambda r: f"{r['grantMs']['p50']:.0f} ms" if r.get("grantMs") else "-",
    }
    rows = [f"<tr><th>{name}</th>" + "".join(cell(r["mode"], said(r)) for r in runs) + "</tr>" for name, said in figures.items()]
    return headed(("", *(r["mode"] for r in runs)), rows)


def accounts(runs: list[dict[str, Any]]) -> str:
    return "".join(
        f"<h3>{html.escape(run['mode'])}: where the link goes, in Mbit/s, on average</h3><pre>"
        + html.escape("\n".join(account.lines(run["account"], NAMES)))
        + "</pre>"
        for run in runs
        if run.get("account")
    )


def headed(heads: tuple[str, ...], rows: list[str]) -> str:
    return f"<table><thead><tr>{''.join(f'<th>{html.escape(h)}</th>' for h in heads)}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def utilities(runs: list[dict[str, Any]], samples: dict[str, Samples]) -> list[Chart]:
    requests = {
        r["mode"]: measure.counted(samples[r["mode"]]) + measure.starved(r.get("silentConversations", []), samples[r["mode"]].window) for r in runs
    }  # fmt: skip
    charts = []
    for name, title in NAMES.items():
        chart = Chart(title, "utility", "share of requests", x_range=(1, 5), y_range=(0, 1))
        for run in runs:
            values = [q["utility"] for q in requests[run["mode"]] if q["kind"] == name]
            chart.lines.append(Line(run["mode"], cumulative(values), steps=True))
            target = run["types"].get(name, {}).get("target")
            if target is not None:
                chart.upright.append((run["mode"], target, f"the plan's target {target:.2f}"))
        charts.append(chart)
    fairness = Chart("Fairness (F-index)", "", "", y_range=(0.4, 1))
    tails = Chart("10 % tail of every conversation", "conversations, worst first", "utility", y_range=(1, 5))
    for run in runs:
        fairness.bars += [Bar(run["mode"], name, run["types"][name]["fIndex"] or 0) for name in NAMES if name in run["types"]]
        by_name = measure.conversations(requests[run["mode"]])
        ordered = sorted((measure.tail(values), name) for name, values in by_name.items())
        points = [(float(place), value) for place, (value, _) in enumerate(ordered, 1)]
        tails.lines.append(Line(run["mode"], points, texts=[f"{name} {value:.2f}" for value, name in ordered]))
    return [*charts, fairness, tails]


def quality(runs: list[dict[str, Any]], samples: dict[str, Samples]) -> list[Chart]:
    trips = Chart("Round trip across the bottleneck", "ms", "share", y_range=(0, 1))
    jitter = Chart("Jitter of calls", "ms", "share", y_range=(0, 1))
    loss = Chart("Packets dropped at the bottleneck", "", "%")
    for run in runs:
        mode = run["mode"]
        seconds = measure.whole_seconds(samples[mode].window)
        trips.lines.append(Line(mode, cumulative(measure.round_trips(samples[mode])), steps=True))
        jitter.lines.append(Line(mode, cumulative(b["jitterMs"] for b in samples[mode].voice if b["second"] in seconds), steps=True))
        loss.bars.append(Bar(mode, mode, 100 * run.get("droppedPackets", 0) / max(1, run.get("offeredPackets", 0))))
    return [trips, jitter, loss]


def link(result: dict[str, Any], runs: list[dict[str, Any]], samples: dict[str, Samples]) -> list[Chart]:
    capacity = result["bottleneckKbps"] / 1000
    use = Chart("Frames forwarded", "s", "Mbit/s", level=[("capacity", capacity)])
    queue = Chart("Longest queue of each second", "s", "kB")
    for run in runs:
        points = measure.link_use(samples[run["mode"]])
        use.lines.append(Line(run["mode"], [(at, rate) for at, rate, _ in points]))
        queue.lines.append(Line(run["mode"], [(at, waiting) for at, _, waiting in points]))
    return [use, queue]
