"""A short run of DiffPerf's scenario without a controller: a film for each of four clients, one of them far away."""

import json
from pathlib import Path

import pytest
from paceline_lab.options import DiffperfOptions
from paceline_lab.scenarios import diffperf

pytestmark = pytest.mark.e2e


@pytest.mark.lasts(35)
def test_every_client_sees_its_film(tmp_path: Path):
    options = DiffperfOptions(4, (), (), (1_000_000,), ("cubic",), rivals=True, managed=False, seconds=8.0, seed=1, out=tmp_path)
    assert diffperf.run(options) == 0
    cubic, bbr = json.loads((tmp_path / "result.json").read_text())["runs"]
    assert (cubic["mode"], bbr["mode"]) == ("cubic", "bbr")
    for run in (cubic, bbr):
        held(run)


def held(run):
    assert [len(view["levels"]) for view in run["views"]] == [4, 4, 4, 4] and run["unfinished"] == 0
    # Half a round trip and more to connect, and as much again for the first segment.
    assert all(view["startupS"] > 1.5 * view["rttMs"] / 1000 for view in run["views"])
    assert max(view["rttMs"] for view in run["views"]) > 150
    # Sixteen segments of 2 s, of which none has less than 1.2 Mbit/s on average.
    assert run["offeredPackets"] * 1500 * 8 / 1e6 > 4 * 8 * 1.2
