"""The paper's figures of an evaluation: of which runs, what is drawn, and the numbers beside the paper's."""

import gzip
import json
from xml.etree import ElementTree

import pytest
from paceline_lab.errors import Unusable
from paceline_lab.evaluate import paper
from paceline_lab.evaluate.plan import planned
from paceline_lab.evaluate.result import Measured
from paceline_lab.evaluate.store import Store
from paceline_lab.measure_utility.models import MODELS
from test_evaluate import asked, entry

WINDOW = (100.0, 130.0)
FIGURES = 30


def requests(kind, utilities, seconds=2.0, size=1_000_000):
    """Of one user, one after the other."""
    return [
        {"source": "records", "id": f"{kind}-1", "kind": kind, "start": WINDOW[0] + i * seconds, "end": WINDOW[0] + (i + 1) * seconds, "utility": utility, "bytes": size, "finished": True}
        for i, utility in enumerate(utilities)
    ]  # fmt: skip


def kept(tmp_path, sizes, webs, solve_ms=lambda size: size / 10):
    """An evaluation of these sizes; `webs` are the utilities of web pages by mode."""
    chosen = asked("--sizes", sizes, "--seeds", "1", "--repeats", "1", "--rivals", "fifo", "--out", str(tmp_path / "out"))
    store, runs = Store(chosen), planned(chosen)
    for run in runs:
        raw = tmp_path / "raw.jsonl"
        said = [{"window": WINDOW}, *requests("web", webs[run.mode]), *requests("live", [1.5])]
        said += [{"source": "voice", "stream": "voip-1", "second": 101 + i, "received": 50, "first": 50 * i, "last": 50 * i + 49, "delayMs": 6.0, "jitterMs": 0.2} for i in range(28)]
        said += [{"source": "wire", "link": 1, "monotonic": 100.0}, {"source": "probe", "second": 101, "roundTripMs": [11.0]}]
        raw.write_text("".join(json.dumps(one) + "\n" for one in said))
        dropped = 40 if run.mode == "best-effort" else 0
        bound = {"leastUtility": 3.0, "proved": True, "solveMs": solve_ms(run.block.size)} if run.mode == "managed" and solve_ms else None
        store.keep(run, entry(run.block.size, run.mode, least=3.0 - dropped / 40, average=3.5, droppedPackets=dropped, bottlenecks=1, bound=bound), raw)
    return store, store.entries(runs)


def numbers(page):
    """The paper's number and ours by what they are of."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("| ")]
    return {what: (theirs, ours) for what, theirs, ours in rows}


def test_each_figure_is_a_file_of_its_own_and_the_papers_numbers_stand_beside_ours(tmp_path):
    store, runs = kept(tmp_path, "20,80,120", {"best-effort": [4.0, 3.6, 3.8], "managed": [2.5, 2.5, 2.5]})
    assert paper.write(store.folder, store, runs, "6 runs.", "tools/paceline evaluate --sizes 20,80,120")
    drawn = sorted((store.folder / paper.FOLDER).glob("figure-*.svg"))
    assert len(drawn) == FIGURES
    for file in drawn:
        assert ElementTree.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    page = (store.folder / paper.FOLDER / "README.md").read_text()
    assert "tools/paceline evaluate --sizes 20,80,120" in page and "6 runs." in page
    assert all(f"({file.name})" in page for file in drawn)
    said = numbers(page)
    assert said["packets dropped"] == ("4 %", "4.00 %")
    assert said["Web pages: utility, median"] == ("3.8", "3.80")
    # 1 MB in 2 s.
    assert said["web pages: throughput, median"] == ("3.9 Mbit/s", "4.0 Mbit/s")
    assert said["Web pages: median above best effort's"] == ("-1.3", "-1.30")
    assert said["Web pages: a user's standard deviation, best effort, median"] == ("0.25", "0.16")
    assert said["a user's standard deviation of any type, managed, at most"] == ("0.05", "0.00")
    assert said["the worst-off, managed, up to 80 users"] == ("3.0 or more", "3.00 (20 users)")
    assert said["a type off its target, managed, at most"] == ("0.5; 0.2 but for live video", "+0.00 (Web pages, 120 users)")
    assert said["Live video: the most above best effort"] == ("3.4 (60 to 70 users)", "1.00 (20 users)")
    assert said["time to solve, at most"] == ("66.2 s (110 users)", "12.0 ms (120 users)")
    assert said["variables for each application, as a program"] == ("2,889", "962")
    # Nobody downloaded.
    assert said["Downloads: the most above best effort"][1] == "-"


def test_a_utility_function_comes_of_what_was_measured_by_a_model():
    section = paper.figure_5()
    seconds, worth, function = ({line.run: dict(line.points) for line in section.charts[name].lines} for name in ("5a", "5b", "5c"))
    assert list(seconds) == list(worth) == list(function) == ["delay-0", "delay-100", "delay-240"] and set(section.looks) == set(seconds)
    # As web.csv has it: 250 kbit/s, 100 ms, 49733.2 ms.
    assert seconds["delay-100"][0.25] == pytest.approx(49.7332) and len(seconds["delay-100"]) == 48
    assert worth["delay-100"][12] == pytest.approx(MODELS["web"].utility({"pageLoadS": seconds["delay-100"][12]}))
    for one in function.values():
        assert list(one.values()) == sorted(one.values()), "more throughput is never worth less"
    assert max(abs(worth[of][rate] - function[of][rate]) for of in worth for rate in worth[of]) < 0.1
    places, off = section.rows
    assert places.here == "48 and 13 were recorded" and (off.paper, off.here) == ("0.029, 0.224", "0.005, 0.095")


def test_the_problem_grows_by_as_much_with_each_application(tmp_path):
    store, runs = kept(tmp_path, "20,120", {"best-effort": [4.0], "managed": [2.5]})
    section = paper.figure_13(Measured(list(runs.values())), [20, 120])
    drawn = {name: {line.run: line.points for line in chart.lines} for name, chart in section.charts.items()}
    assert drawn["13a"] == {"managed": [(20, 2.0), (120, 12.0)]}
    # As `tools/paceline solve --method milp` says of tools/solve/examples/paper020_free.json and paper120_free.json.
    assert drawn["13b"]["managed"] == [(20, 19.242), (120, 115.442)] and drawn["13c"]["managed"] == [(20, 1.381), (120, 8.281)]
    assert drawn["13b"]["paper"] == [(20, 57.78), (120, 346.68)]


def test_runs_of_before_do_not_say_how_long_solving_took(tmp_path):
    store, runs = kept(tmp_path, "20", {"best-effort": [4.0], "managed": [2.5]}, solve_ms=None)
    assert paper.write(store.folder, store, runs, "", "")
    page = (store.folder / paper.FOLDER / "README.md").read_text()
    assert "figure-13a" not in page and "figure-13b" in page and numbers(page)["time to solve, at most"] == ("66.2 s (110 users)", "these runs do not say")


@pytest.mark.parametrize("sizes, of", [("20,80,120", 80), ("5,20", 20)])
def test_requests_are_those_of_80_users_or_of_the_most_there_are(tmp_path, sizes, of):
    store, runs = kept(tmp_path, sizes, {"best-effort": [4.0], "managed": [2.5]})
    paper.write(store.folder, store, runs, "", "")
    assert f"## Figure 9: {of} users" in (store.folder / paper.FOLDER / "README.md").read_text()


def test_without_a_managed_run_there_are_no_figures_and_none_of_an_earlier_time(tmp_path):
    store, runs = kept(tmp_path, "20", {"best-effort": [4.0], "managed": [2.5]})
    assert paper.write(store.folder, store, runs, "", "")
    assert not paper.write(store.folder, store, {run: one for run, one in runs.items() if run.mode != "managed"}, "", "")
    assert not list((store.folder / paper.FOLDER).iterdir())


def test_a_file_whose_samples_are_not_what_was_written_is_named_with_a_way_out(tmp_path):
    store, runs = kept(tmp_path, "20", {"best-effort": [4.0], "managed": [2.5]})
    run = next(iter(runs))
    with gzip.open(store.path(run), "wt") as file:
        file.write(json.dumps(runs[run]) + "\n")
    with pytest.raises(Unusable, match=r"cannot be read .* Maybe remove it"):
        paper.write(store.folder, store, runs, "", "")
