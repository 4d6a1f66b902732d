"""The paper's figures of an evaluation: of which runs, what is drawn, and the numbers beside the paper's."""

import gzip
import json
from xml.etree import ElementTree

import pytest
from paceline_lab.errors import Unusable
from paceline_lab.evaluate import paper
from paceline_lab.evaluate.plan import planned
from paceline_lab.evaluate.store import Store
from test_evaluate import asked, entry

WINDOW = (100.0, 130.0)
FIGURES = 24


def requests(kind, utilities, seconds=2.0, size=1_000_000):
    """Of one user, one after the other."""
    return [
        {"source": "records", "id": f"{kind}-1", "kind": kind, "start": WINDOW[0] + i * seconds, "end": WINDOW[0] + (i + 1) * seconds, "utility": utility, "bytes": size, "finished": True}
        for i, utility in enumerate(utilities)
    ]  # fmt: skip


def kept(tmp_path, sizes, webs):
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
        store.keep(run, entry(run.block.size, run.mode, least=3.0 - dropped / 40, average=3.5, droppedPackets=dropped, bottlenecks=1), raw)
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
    # Nobody downloaded.
    assert said["Downloads: the most above best effort"][1] == "-"


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
