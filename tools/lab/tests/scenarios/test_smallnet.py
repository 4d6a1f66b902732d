"""A short run of hosts that share an access link without a controller: weights count, and a ping beside them stays short."""

import json
import statistics
from pathlib import Path

import pytest
from paceline_lab import options
from paceline_lab.options import SmallNetOptions
from paceline_lab.scenarios import smallnet, smallnet_figures, smallnet_report
from paceline_lab.scenarios.counters import Series
from paceline_lab.scenarios.smallnet_figures import ADAPTIVE, CONTROLLED, UNCONTROLLED

from scenarios.test_elephants import middle_ping


def usual_kbps(run, host: str) -> float:
    """Of the seconds since it settled: a sender that had no processor for a while begins slowly, and that second is not usual."""
    return statistics.median(kbps for second, kbps in run["overTime"][host] if second > smallnet.SETTLES_S)


def at_rates(*kbps: float) -> Series:
    """One rate a second, one after the other."""
    total = [0]
    for rate in kbps:
        total.append(total[-1] + round(rate * 125))
    return Series([float(second) for second in range(len(total))], total)


def test_the_root_of_equation_5_is_the_papers():
    assert smallnet_figures.root(5, 1) == pytest.approx(0.881, abs=5e-4)
    for sharpness, alpha in smallnet_figures.TABLE_3:
        rho = smallnet_figures.root(sharpness, alpha)
        assert rho == pytest.approx(alpha * (1 - rho**sharpness) / rho**sharpness)


def test_parts_are_settled_from_the_first_moment_on_after_which_none_is_off():
    sent = {"a": at_rates(*[500] * 10, *[100] * 20), "b": at_rates(*[200] * 30)}
    assert smallnet_figures.settled_after(sent, {"a": 1 / 3, "b": 2 / 3}, 0, 30) == pytest.approx(10, abs=0.25)
    assert smallnet_figures.settled_after(sent, {"a": 1 / 2, "b": 1 / 2}, 0, 30) is None


def test_a_rate_swings_by_its_farthest_window_from_the_mean():
    assert smallnet_figures.swing(at_rates(*[100] * 20), 0, 20, 2) == pytest.approx(0, abs=1e-3)
    assert smallnet_figures.swing(at_rates(*([80] * 2 + [120] * 2) * 5), 0, 20, 2) == pytest.approx(0.2, abs=0.02)


def test_goodput_is_what_arrived_of_all_that_was_sent():
    arrived = {"at": [0.0, 10.0], "bytes": {"4000": [0, 500_000], "4001": [0, 500_000]}, "datagrams": [0, 0]}
    found = smallnet_figures.of_goodput({"a": at_rates(*[1000] * 10)}, {"a": arrived}, 1000, 0, 10)
    assert found["goodputOfTotal"] == pytest.approx(0.8) and found["utilisation"] == pytest.approx(1 / 0.95, abs=1e-3)


def test_how_the_total_of_stations_grows_is_of_the_runs_of_one_repeat():
    ping = {"meanMs": 31.0, "deviationMs": 0.1}
    both = {"experiment": "scenario-2", "protocol": "udp", "offPercent": 1.0, "ping": ping, "idlePing": ping}
    totals = {UNCONTROLLED: (14_000.0, 15_000.0), CONTROLLED: (15_400.0, 16_500.0), ADAPTIVE: (17_500.0, 18_750.0)}
    runs = [{**both, "mode": mode, "repeat": repeat, "togetherKbps": total} for mode, them in totals.items() for repeat, total in enumerate(them)]
    told = {one["name"]: one for one in smallnet_figures.claims({"runs": runs})}
    grows = "small network, scenario 2, UDP: the total grows when the slow station yields"
    assert (told[f"{grows} by"]["measured"], told[f"{grows} by"]["holds"]) == (10.0, False)
    assert (told[f"{grows} with an adaptive virtual queue by"]["measured"], told[f"{grows} with an adaptive virtual queue by"]["holds"]) == (25.0, True)


def test_what_arrives_is_payload_of_tcp_and_of_datagrams():
    arrived = {"at": [0.0, 10.0], "bytes": {"1": [0, 125_000], "2": [0, 125_000]}, "datagrams": [0, 0]}
    assert smallnet_figures.received_kbps(arrived, 0, 10) == pytest.approx(200)
    datagrams = {"at": [0.0, 10.0], "bytes": {}, "datagrams": [0, 1_000]}
    assert smallnet_figures.received_kbps(datagrams, 0, 10) == pytest.approx(1_000 * smallnet_figures.UDP_PAYLOAD * 8 / 1e4)


def test_each_experiment_runs_without_agents_and_with_them_and_in_turn_where_both_are_alike(tmp_path: Path):
    def modes(name: str, uncontrolled: bool = True) -> list[tuple[str, bool]]:
        chosen = SmallNetOptions((name,), ("udp", "tcp"), uncontrolled, True, 5.0, 1, tmp_path)
        return [(more["mode"], bool(setting.peers)) for more, setting in smallnet.SmallNet(chosen, None, None).settings(name)]  # type: ignore[arg-type]

    without, with_agents = (UNCONTROLLED, False), (CONTROLLED, True)
    assert modes("1:2") == [without, with_agents] * 2
    assert modes("1:6") == [without, with_agents] * 2
    assert modes("1:6-down") == [without, with_agents]
    assert modes("table-3") == [without, *[with_agents] * 6, (ADAPTIVE, True)]
    assert modes("figure-9") == [without, without, with_agents]
    assert modes("scenario-2") == [without, without, with_agents, (ADAPTIVE, True), with_agents]
    assert modes("churn") == [with_agents]
    assert modes("figure-9", uncontrolled=False) == [with_agents]


def test_table_3_is_held_to_equation_5_and_to_what_goes_without_agents(tmp_path: Path):
    ping = {"meanMs": 31.0, "deviationMs": 0.1}
    both = {
        "experiment": "table-3", "repeat": 0, "kbps": {"a": 200.0}, "offPercent": 1.0, "settledS": 2.0, "swingPercent": 1.0, "totalSwingPercent": 1.0,
        "goodputOfTotal": 0.95, "loadOfLink": 0.9, "droppedPackets": 0, "ping": ping, "idlePing": ping, "latePingPercent": 0.0,
        "overTime": {"a": [[1.0, 200.0], [2.0, 200.0]]}, "pingOverTime": [[1.0, 31.0], [2.0, 31.0]], "linkKbps": 800,
    }  # fmt: skip
    runs = [{**both, "mode": UNCONTROLLED, "totalKbps": 800.0, "utilisation": 1.05}]
    for sharpness, alpha in smallnet_figures.TABLE_3:
        rho = smallnet_figures.root(sharpness, alpha) + (0.01 if sharpness == 3 else 0.03)
        runs.append({**both, "mode": CONTROLLED, "B": sharpness, "alpha": alpha, "totalKbps": 760 * rho, "utilisation": rho})
    runs.append({**both, "mode": ADAPTIVE, "totalKbps": 792.0, "utilisation": 1.04})
    result = {"settlesS": 10.0, "seconds": 5.0, "runs": runs, "claims": smallnet_figures.claims({"runs": runs})}
    failing = {one["name"] for one in result["claims"] if not one["holds"]}
    assert sum("equation 5's root" in name for name in failing) == 4
    assert {"small network, three uploads with B 5, alpha 1: total, of the uncontrolled one"} < failing
    assert "small network, three uploads with an adaptive virtual queue: total, of the uncontrolled one" not in failing
    smallnet_report.write(tmp_path, result)
    assert "T/C of table 3" in (tmp_path / "report.html").read_text() and "B 10 alpha 2" in (tmp_path / "report.md").read_text()


def test_weights_are_held_to_few_late_pings():
    run = {
        "experiment": "1:6", "mode": CONTROLLED, "protocol": "tcp", "lengthS": 30.0, "offPercent": 1.0, "settledS": 2.0, "swingPercent": 1.0,
        "totalSwingPercent": 1.0, "ping": {"meanMs": 31.0}, "idlePing": {"meanMs": 30.0},
    }  # fmt: skip
    told = smallnet_figures.claims({"runs": [{**run, "latePingPercent": late} for late in (1.0, 7.0)]})
    failing = [(one["name"], one["measured"]) for one in told if not one["holds"]]
    assert failing == [("small network, 1:6, TCP: pings above 150 ms", 4.0)]


def test_the_way_that_is_slow_has_the_short_queue():
    assert smallnet.FAST.queue_bytes() == (500_000, 5_000_000) and not smallnet.FAST.is_slow_down()
    assert smallnet.DOWN.queue_bytes() == (5_000_000, 500_000) and smallnet.DOWN.is_slow_down()


def test_what_a_link_carries_is_of_the_way_that_is_asked_for():
    def counted(second: int, total: int) -> dict[str, int]:
        return {"forwardedBytes": second * total, "offeredPackets": second * 10, "droppedPackets": second}

    carried = [{"monotonic": float(second), "forward": counted(second, 0), "backward": counted(second, 125_000)} for second in range(11)]
    assert smallnet_figures.of_link(carried, "backward", 0, 0, 10, 2000)["loadOfLink"] == pytest.approx(0.5)
    assert smallnet_figures.of_link(carried, "forward", 0, 0, 10, 2000)["loadOfLink"] == 0


def test_its_experiments_are_chosen_by_name(capsys):
    chosen = options.parse(["demo", "--scenario", "smallnet", "--experiments", "table-3,1:2", "--mode", "managed"])
    assert isinstance(chosen, SmallNetOptions)
    assert (chosen.experiments, chosen.uncontrolled, chosen.controlled, chosen.seconds) == (("1:2", "table-3"), False, True, 20)
    with pytest.raises(SystemExit):
        options.parse(["demo", "--scenario", "smallnet", "--experiments", "2:1"])
    assert "1:2:3" in capsys.readouterr().err


def test_the_help_names_every_experiment(capsys, monkeypatch):
    # Else names are cut at their hyphens.
    monkeypatch.setenv("COLUMNS", "1000")
    with pytest.raises(SystemExit):
        options.parse(["demo", "--help"])
    said = capsys.readouterr().out.split("smallnet: ")[1].split(" (default")[0]
    assert said.split(", ") == list(options.SMALL_NETWORK_EXPERIMENTS)


@pytest.mark.e2e
@pytest.mark.lasts(50)
def test_a_host_of_weight_2_has_about_twice_as_much_and_a_ping_does_not_wait_for_either(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.setattr(smallnet, "SETTLES_S", 6.0)
    assert smallnet.run(SmallNetOptions(("1:2",), ("tcp",), True, True, 5.0, 1, tmp_path)) == 0
    runs = {run["mode"]: run for run in json.loads((tmp_path / "result.json").read_text())["runs"]}
    with capsys.disabled():
        for mode, run in runs.items():
            print(f"\n{mode}: {run['kbps']} kbit/s, load {run['loadOfLink']}, ping {run['ping']['meanMs']} ms (idle {run['idlePing']['meanMs']})", end="")
    # Without weights it is 1, or what their TCPs make of it.
    assert 1.3 < usual_kbps(runs[CONTROLLED], "b") / usual_kbps(runs[CONTROLLED], "a") < 4
    # A busy machine sends less for a while. That they leave a part of the link is what the ping shows.
    assert runs[CONTROLLED]["loadOfLink"] > 0.3 and runs[UNCONTROLLED]["loadOfLink"] > 0.5
    assert middle_ping(runs[CONTROLLED]) < middle_ping(runs[UNCONTROLLED]) / 2
    assert (tmp_path / "report.html").exists() and (tmp_path / "report.md").exists()


@pytest.mark.e2e
@pytest.mark.long
@pytest.mark.lasts(120)
def test_stations_share_the_air_by_weights_whatever_their_rates(tmp_path: Path, capsys):
    """The hosts are real, and so are their agents; the cell is a simulator's, which lags where the machine is busy."""
    assert smallnet.run(SmallNetOptions(("scenario-2",), ("udp",), True, True, 8.0, 1, tmp_path)) == 0
    runs = {run["mode"]: run for run in json.loads((tmp_path / "result.json").read_text())["runs"]}
    with capsys.disabled():
        for mode, run in runs.items():
            print(f"\n{mode}: {run['kbps']} kbit/s, ping {run['ping']['meanMs']} ms (idle {run['idlePing']['meanMs']})", end="")
    assert usual_kbps(runs[UNCONTROLLED], "a") / usual_kbps(runs[UNCONTROLLED], "b") == pytest.approx(1, abs=0.5)
    for mode in (CONTROLLED, ADAPTIVE):
        assert usual_kbps(runs[mode], "a") / usual_kbps(runs[mode], "b") == pytest.approx(3, abs=0.5)
