"""A short run of AQoS's scenario: over queues arrives what the fluid model says, and Paceline holds everybody by its scheme."""

import json
from pathlib import Path

import pytest
from paceline_lab.options import AqosOptions
from paceline_lab.scenarios import aqos
from paceline_lab.scenarios.draws import EXPERIMENTS, FLUID, drawn_as_told

pytestmark = pytest.mark.e2e

PERCENT = 50


@pytest.mark.lasts(75)
def test_queues_carry_what_they_must_and_paceline_holds_everybody(tmp_path: Path, capsys):
    assert aqos.run(AqosOptions((PERCENT,), ("udp",), ("queues", "adaptive"), "as-told", 1.0, 1, 1, tmp_path)) == 0
    result = json.loads((tmp_path / "result.json").read_text())
    queues, adaptive = result["runs"]
    assert (queues["mode"], adaptive["mode"]) == ("queues", "adaptive") and len(result["claims"]) == 4
    with capsys.disabled():
        for run in result["runs"]:
            print(f"\n{run['mode']}: QoS {run['qosKbps']}, best effort {run['bestEffortKbps']} kbit/s", end="")
    one = EXPERIMENTS[PERCENT]
    rates, _ = drawn_as_told(one, 1)
    wanted = [FLUID["queues"](one, {name: row[i] for name, row in rates.items()}) for i in range(10)]
    # Coarse, for a pause of the machine takes some tenths of a run as short as this.
    assert queues["qosKbps"] == pytest.approx(sum(qos for qos, _ in wanted) / 10, rel=0.4)
    assert queues["bestEffortKbps"] == pytest.approx(sum(best for _, best in wanted) / 10, rel=0.4)
    for name, flow in queues["flows"].items():
        assert flow["ingressKbps"] == pytest.approx(rates[name], rel=0.5), "what is programmed is sent, without a pause between intervals"
    # How much more it carries is for longer runs on a quiet machine: intervals here are as short as the scheme's period.
    assert all(one["state"] == "granted" for one in adaptive["conversations"].values())
    assert {one["scheme"] for one in adaptive["conversations"].values()} == {"adaptive-reservations"}
