"""A minute and a half of chaos with a seed that is always the same, and as long with one that nobody has tried."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

import pytest
from paceline_lab.chaos import run
from paceline_lab.options import ChaosOptions

pytestmark = pytest.mark.e2e

MINUTES = 1.5
MOST_SEED = 1_000_000


@pytest.mark.lasts(130)
@pytest.mark.parametrize("seed", [7, None], ids=["of 7", "of a fresh seed"])
def test_all_is_right_again_after_each_step_of_faults(seed, tmp_path: Path, capfd):
    seed = seed if seed is not None else secrets.randbelow(MOST_SEED)
    # Fewer steps that fail as well are looked for by hand: that takes longer than the run.
    # Beside other tests everything is to be right within a minute, and not within the time that is promised.
    code = run.run(ChaosOptions(MINUTES, seed, (), 0, tmp_path, within_s=run.PATIENCE_S))
    captured = capfd.readouterr()
    said = captured.out + captured.err
    assert code == 0, f"again with: tools/paceline chaos --minutes {MINUTES} --seed {seed}\n{said}"
    # Within which time is a claim: beside other tests it is not to be asserted.
    steps = json.loads((tmp_path / "result.json").read_text())["steps"]
    assert steps, said
    with capfd.disabled():
        print(f"\nseed {seed}: {len(steps)} steps, right after {max(one['rightAfterS'] for one in steps)} s at most", end="")
