"""From what hosts of a small network have sent to figures and claims: parts, how soon and how evenly they are had, and what a ping feels."""

from __future__ import annotations

from itertools import chain
from statistics import mean
from typing import Any

from .aqos_figures import claim
from .counters import Series, over_time
from .elephant_figures import at_least, at_most
from .generator import UDP_PAYLOAD

# As long as one period of the loop: what swings from one period to the next is seen.
WINDOW_S, STEP_S = 2.0, 0.25
# What TCP itself does from one window to the next is smoothed as in the paper's figure 8.
SMOOTHED_S = 5.0
WITHIN = 0.05
LATE_PING_MS = 150.0
BETA = 0.95
# Of table 3: T/C for each B and alpha.
TABLE_3 = {(3, 1): 0.79, (3, 2): 0.83, (5, 1): 0.87, (5, 2): 0.88, (10, 1): 0.90, (10, 2): 0.91}
UNCONTROLLED, CONTROLLED, ADAPTIVE = "uncontrolled", "peers", "peers-adaptive"

Run = dict[str, Any]


def root(sharpness: int, alpha: float) -> float:
    """Of equation 5, rho = alpha (1 - rho^B) / rho^B."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        price = middle**sharpness
        low, high = (middle, high) if alpha * (1 - price) > middle * price else (low, middle)
    return low


def windows(begin: float, end: float, window_s: float) -> list[tuple[float, float]]:
    count = int((end - begin - window_s) / STEP_S + 1e-6) + 1
    return [(begin + i * STEP_S, begin + i * STEP_S + window_s) for i in range(max(0, count))]


def parts_in(sent: dict[str, Series], hosts: list[str], begin: float, end: float) -> dict[str, float]:
    rates = {host: sent[host].kbps(begin, end) for host in hosts}
    total = sum(rates.values())
    return {host: rate / total if total else 0.0 for host, rate in rates.items()}


def off(measured: dict[str, float], wanted: dict[str, float]) -> float:
    """The worst, as a part of what it should be."""
    return max(abs(measured[host] / part - 1) for host, part in wanted.items())


def settled_after(sent: dict[str, Series], wanted: dict[str, float], begin: float, end: float) -> float | None:
    """From when on, counted from `begin`, no part is off by more than a twentieth. None: not before the end."""
    found = None
    for window in windows(begin, end, SMOOTHED_S):
        if off(parts_in(sent, list(wanted), *window), wanted) > WITHIN:
            found = None
        elif found is None:
            found = window[0] - begin
    return None if found is None else round(found, 2)


def swing(series: Series, begin: float, end: float, window_s: float) -> float:
    """How far a rate is from its mean at most, as a part of the mean."""
    rates = [series.kbps(*window) for window in windows(begin, end, window_s)]
    middle = mean(rates)
    return max(abs(rate / middle - 1) for rate in rates) if middle else 0.0


def late_percent(trips: list[float]) -> float:
    return round(100 * sum(trip > LATE_PING_MS for trip in trips) / len(trips), 2)


def percent(part: float) -> float:
    return round(100 * part, 2)


def of_parts(sent: dict[str, Series], wanted: dict[str, float], at: float, settled: float, end: float) -> Run:
    """Rates are of frames that hosts send, or that go to those who share the way down, in kbit/s; those over a second are for pictures."""
    found: Run = {"kbps": {host: round(series.kbps(settled, end), 1) for host, series in sent.items()}}
    found["overTime"] = {host: over_time(series, at, end) for host, series in sent.items()}
    if wanted:
        whole = together(sent)
        found |= {
            "wanted": wanted,
            "offPercent": percent(off(parts_in(sent, list(wanted), settled, end), wanted)),
            "settledS": settled_after(sent, wanted, at, end),
            "swingPercent": percent(max(swing(series, settled, end, WINDOW_S) for series in sent.values())),
            "totalSwingPercent": percent(swing(whole, settled, end, WINDOW_S)),
        }
    return found


def together(sent: dict[str, Series]) -> Series:
    """All are sampled at the same moments."""
    every = list(sent.values())
    return Series(list(every[0].at), [sum(one) for one in zip(*(series.total for series in every))])


def of_goodput(sent: dict[str, Series], arrived: dict[str, Run], link_kbps: float, begin: float, end: float) -> Run:
    """What came of it: what applications have received of all that hosts have sent, or that went to them."""
    if not arrived:
        return {}
    total = sum(series.kbps(begin, end) for series in sent.values())
    goodput = sum(received_kbps(one, begin, end) for one in arrived.values())
    return {
        "sentKbps": round(total, 1),
        "goodputKbps": round(goodput, 1),
        "goodputOfTotal": round(goodput / total, 4) if total else 0.0,
        "utilisation": round(total / (BETA * link_kbps), 4),
    }


def received_kbps(arrived: Run, begin: float, end: float) -> float:
    """Of payload, over TCP and in datagrams."""
    return received(arrived).kbps(begin, end)


def received(arrived: Run) -> Series:
    tcp = [sum(moment) for moment in zip(*arrived["bytes"].values())] or [0] * len(arrived["at"])
    return Series(arrived["at"], [by_tcp + UDP_PAYLOAD * count for by_tcp, count in zip(tcp, arrived["datagrams"])])


def of_stations(arrived: dict[str, Run], wanted: dict[str, float], at: float, settled: float, end: float) -> Run:
    """Rates are of payload that arrived, in kbit/s."""
    series = {host: received(one) for host, one in arrived.items()}
    rates = {host: one.kbps(settled, end) for host, one in series.items()}
    return {
        "kbps": {host: round(rate, 1) for host, rate in rates.items()},
        "togetherKbps": round(sum(rates.values()), 1),
        "overTime": {host: over_time(one, at, end) for host, one in series.items()},
        "wanted": wanted,
        "offPercent": percent(off(parts_in(series, list(wanted), settled, end), wanted)),
        "settledS": settled_after(series, wanted, at, end),
        "swingPercent": percent(max(swing(one, settled, end, WINDOW_S) for one in series.values())),
    }


def of_link(carried: list[Run], direction: str, at: float, begin: float, end: float, link_kbps: float) -> Run:
    """The wire's own counters, once a second; forward is up."""
    moments = [line["monotonic"] for line in carried]
    way = [line[direction] for line in carried]
    total = Series(moments, [line["forwardedBytes"] for line in way]).kbps(begin, end)
    lost, offered = (Series(moments, [line[key] for line in way]) for key in ("droppedPackets", "offeredPackets"))
    return {
        "totalKbps": round(total, 1),
        "loadOfLink": round(total / link_kbps, 4),
        "droppedPackets": round(lost.until(end) - lost.until(at)),
        "offeredPackets": round(offered.until(end) - offered.until(at)),
    }


# Claims


def claims(result: Run) -> list[Run]:
    """Every demand of the issue on small networks that these runs say something of."""
    runs = [run for run in result["runs"] if "error" not in run]
    weighted = [run for run in runs if run["experiment"] in WEIGHTED and run["mode"] == CONTROLLED]
    found = [of_weights(runs, name, protocol) for name, protocol in dict.fromkeys((run["experiment"], run["protocol"]) for run in weighted)]
    found += [of_table(runs), of_downloads(runs), of_air(runs), of_changes(runs), of_all(runs)]
    return [one for one in chain(*found) if one]


WEIGHTED = ("1:2", "1:2:3", "1:6", "1:6-down")


def select(runs: list[Run], experiment: str, mode: str, **more: Any) -> list[Run]:
    return [run for run in runs if run["experiment"] == experiment and run["mode"] == mode and all(run.get(key) == value for key, value in more.items())]


def of_weights(runs: list[Run], name: str, protocol: str) -> list[Run | None]:
    these = select(runs, name, CONTROLLED, protocol=protocol)
    of = f"small network, {name}, {protocol.upper()}"
    never = [run["lengthS"] if run["settledS"] is None else run["settledS"] for run in these]
    told: list[Run | None] = [
        claim(f"{of}: a host's part is off by, worst", 5.0 if name == "1:2" else None, 5.0, [run["offPercent"] for run in these], "%", at_most,
              "a host's connections did not fill its rate, or got through more than that"),
        claim(f"{of}: settled after", 10.0, 10.0, never, "s", at_most, "parts were off by more than 5 % in a later window of 5 s"),
        claim(f"{of}: a host's rate swings by, worst", None, 5.0, [run["swingPercent"] for run in these], "%", at_most,
              "a window of 2 s was that far from the mean; see whether the total swings, too"),
        claim(f"{of}: the total swings by", None, 5.0, [run["totalSwingPercent"] for run in these], "%", at_most, "the loop or its flows swing"),
        claim(f"{of}: pings above {LATE_PING_MS:g} ms", 3.0, 3.0, [run["latePingPercent"] for run in these], "%", at_most, "a queue was left at the link"),
        claim(f"{of}: a ping's mean above the idle link's", 25.0, 25.0, [above_idle(run) for run in these], "ms", at_most, "a queue was left at the link"),
    ]  # fmt: skip
    if without := select(runs, name, UNCONTROLLED, protocol=protocol):
        told.append(claim(f"{of}: the same, uncontrolled (hundreds)", 213.0, 100.0, [above_idle(run) for run in without], "ms", at_least,
                          "the queue was not full"))  # fmt: skip
    return told


def above_idle(run: Run) -> float:
    return round(run["ping"]["meanMs"] - run["idlePing"]["meanMs"], 3)


def of_table(runs: list[Run]) -> list[Run | None]:
    told: list[Run | None] = []
    without = select(runs, "table-3", UNCONTROLLED)
    for (sharpness, alpha), paper in TABLE_3.items():
        these = select(runs, "table-3", CONTROLLED, B=sharpness, alpha=alpha)
        of, there = f"small network, table 3, B {sharpness}, alpha {alpha}", root(sharpness, alpha)
        rho = [run["utilisation"] for run in these]
        why = "connections did not fill their rates, or headers were not seen"
        told += [
            claim(f"{of}: T/C", paper, paper, rho, "", at_least, why),
            claim(f"{of}: T/C is off equation 5's root ({there:.3f}) by", None, 0.02, [abs(one - there) for one in rho], "", at_most, why),
            claim(f"{of}: goodput over total", 0.84, 0.84, [run["goodputOfTotal"] for run in these], "", at_least, "much was sent again"),
            claim(f"{of}: a host's part is off by, worst", None, 5.0, [run["offPercent"] for run in these], "%", at_most,
                  "a host's connections did not fill its rate"),
        ]  # fmt: skip
    for says, these in (
        ("with an adaptive virtual queue", select(runs, "table-3", ADAPTIVE)),
        ("with B 5, alpha 1", select(runs, "table-3", CONTROLLED, B=5, alpha=1)),
    ):
        of = f"small network, three uploads {says}"
        if without:
            uncontrolled = mean(run["totalKbps"] for run in without)
            told.append(claim(f"{of}: total, of the uncontrolled one", 0.982, 0.98, [run["totalKbps"] / uncontrolled for run in these], "", at_least,
                              "beta and equation 5's root leave this part of the link idle; the paper's uncontrolled flows used less of theirs"))  # fmt: skip
        told.append(claim(f"{of}: pings above {LATE_PING_MS:g} ms", 3.0, 3.0, [run["latePingPercent"] for run in these], "%", at_most,
                          "a queue was left at the link"))  # fmt: skip
    return told


def of_downloads(runs: list[Run]) -> list[Run | None]:
    """Figure 9, by its download."""
    alone = select(runs, "figure-9", UNCONTROLLED, alone=True)
    if not alone:
        return []
    whole = mean(run["downloadKbps"] for run in alone)
    beside = [run["downloadKbps"] / whole for run in select(runs, "figure-9", CONTROLLED)]
    return [claim("small network, figure 9: a download beside uploads, of what it is alone", None, 0.9, beside, "", at_least,
                  "its acknowledgements waited, or were held to less than they need")]  # fmt: skip


def of_air(runs: list[Run]) -> list[Run | None]:
    """Scenario 2: both runs of a protocol in one repeat are one measurement of how the total grows."""
    told: list[Run | None] = []
    for protocol in dict.fromkeys(run["protocol"] for run in runs if run["experiment"] == "scenario-2"):
        of = f"small network, scenario 2, {protocol.upper()}"
        without = {run["repeat"]: run for run in select(runs, "scenario-2", UNCONTROLLED, protocol=protocol)}
        for says, mode in (("", CONTROLLED), (" with an adaptive virtual queue", ADAPTIVE)):
            these = select(runs, "scenario-2", mode, protocol=protocol)
            grown = [100 * (run["togetherKbps"] / without[run["repeat"]]["togetherKbps"] - 1) for run in these if run["repeat"] in without]
            told += [
                claim(f"{of}: the total grows when the slow station yields{says} by", 20.0, 20.0, grown, "%", at_least,
                      "beta and equation 5's root leave this part of the air idle; uncontrolled none is"),
                claim(f"{of}: a station's part is off by{says}, worst", None, 5.0, [run["offPercent"] for run in these], "%", at_most,
                      "a connection did not fill its rate, or got through more than that"),
                claim(f"{of}: a station's ping above the idle cell's{says}", None, 25.0, [above_idle(run) for run in these], "ms", at_most,
                      "a queue was left in the cell"),
            ]  # fmt: skip
    return told


def of_changes(runs: list[Run]) -> list[Run | None]:
    told: list[Run | None] = []
    these = select(runs, "churn", CONTROLLED)
    for name in dict.fromkeys(phase["name"] for run in these for phase in run["phases"]):
        after = [
            phase["lengthS"] if phase["rightAfterS"] is None else phase["rightAfterS"]
            for run in these for phase in run["phases"] if phase["name"] == name
        ]  # fmt: skip
        told.append(claim(f"small network, {name}: right again after", None, 10.0, after, "s", at_most, "parts were off by more than 5 % in a later window of 5 s"))
    ignored = [float(run["otherKeyIgnored"]) for run in these]
    told.append(claim("small network: announcements with another key, ignored and counted", None, 1.0, ignored, "", at_least, "nobody said so"))
    left = [float(len(run["leftBehind"])) for run in these]
    said = "; ".join(chain.from_iterable(run["leftBehind"] for run in these))
    told.append(claim("small network: what agents that ended leave behind", None, 0.0, left, "traces", at_most, f"left: {said}"))
    return told


def of_all(runs: list[Run]) -> list[Run | None]:
    """What the scheme costs, worst of all hosts and runs."""
    costs: list[tuple[str, str, float, str]] = [
        ("announcedBytes", "what a host tells its peers, with the headers of IP and UDP", 250.0, "B/s"),
        ("cpuPercent", "an agent's part of a core", 2.0, "%"),
    ]
    return [claim(f"small network: {says}, worst", None, most, worst(runs, key), unit, at_most, "see each run's figures") for key, says, most, unit in costs]


def worst(runs: list[Run], key: str) -> list[float]:
    found = [value for run in runs for value in run.get(key, {}).values()]
    return [max(found)] if found else []


