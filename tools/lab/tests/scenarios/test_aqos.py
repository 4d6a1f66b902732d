"""A short run of AQoS's scenario: what really arrives over queues and over meters is what the fluid model of both says."""

import json
from pathlib import Path

import pytest

from paceline_lab.options import AqosOptions
from paceline_lab.scenarios import aqos
from paceline_lab.scenarios.draws import EXPERIMENTS, FLUID, drawn_as_told

pytestmark = pytest.mark.e2e

PERCENT = 50


@pytest.mark.lasts(45)
def test_rivals_carry_what_they_must(tmp_path: Path, capsys):
    modes = ("queues", "static-meters")
    assert aqos.run(AqosOptions((PERCENT,), ("udp",), modes, "as-told", 1.0, 1, 1, tmp_path)) == 0
    result = json.loads((tmp_path / "result.json").read_text())
    assert [run["mode"] for run in result["runs"]] == list(modes) and result["claims"] == []
    one = EXPERIMENTS[PERCENT]
    rates, _ = drawn_as_told(one, 1)
    for run in result["runs"]:
        wanted = [FLUID[run["mode"]](one, {name: row[i] for name, row in rates.items()}) for i in range(10)]
        with capsys.disabled():
            print(f"\n{run['mode']}: QoS {run['qosKbps']}, best effort {run['bestEffortKbps']} kbit/s", end="")
        assert run["qosKbps"] == pytest.approx(sum(qos for qos, _ in wanted) / 10, rel=0.03)
        assert run["bestEffortKbps"] == pytest.approx(sum(best for _, best in wanted) / 10, rel=0.03)
        for name, flow in run["flows"].items():
            assert flow["ingressKbps"] == pytest.approx(rates[name], rel=0.06), "what is programmed is sent, without a pause between intervals"
