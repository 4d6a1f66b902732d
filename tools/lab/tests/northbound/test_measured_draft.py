"""`tools/paceline measure-utility --register` keeps a measured table as a draft, and nothing goes by it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from paceline_lab.checkout import LAB
from paceline_lab.networks.space import inside

pytestmark = pytest.mark.e2e

SAMPLES = LAB / "tests/measured/webdl.csv"


@pytest.fixture
def measure_utility(onos, tmp_path):
    """Of recorded uploads, beside the controller; what the command has said, and how it ended."""

    def run(*words, user="onos", password="rocks"):
        command = [sys.executable, "-m", "paceline_lab", "measure-utility", "erp/orders/new", "--from", str(SAMPLES), "--model", "download", "--direction", "to-server",
                   "--throughput", "500:4500:3", "--delay", "0:100:2", "--out", str(tmp_path)]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(LAB), "PACELINE_USER": user, "PACELINE_PASSWORD": password}
        return subprocess.run(inside(onos.space.namespace, *command, *words), env=environment, capture_output=True, text=True, timeout=120, check=False)

    return run


def test_a_measured_table_becomes_a_draft_and_changes_nothing(admin, measure_utility, tmp_path):
    before = admin.get("intents").json
    version = admin.get("policy").json["version"]
    done = measure_utility("--register", "--draft", "measured")
    try:
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"The draft measured has the table at erp/orders/new, on version {version} of the policy. Nothing is applied" in done.stdout
        assert admin.get("intents").json == before and admin.get("policy").json["version"] == version
        draft = admin.get("policy/drafts/measured").json
        assert draft["base"] == version
        drafted = draft["intents"]
        node = next(one for one in drafted["intents"] if one.get("intent") == "orders/new")
        assert node == {"class": "erp", "intent": "orders/new", "uploadUtilityFunction": "measured"}
        measured = json.loads((tmp_path / "utility.json").read_text())
        assert measured["throughputKbps"] == [500, 2500, 4500]
        assert drafted["utilityFunctions"]["measured"]["utility"] == measured["utility"]
        assert admin.get("policy/drafts/measured/difference").json["nodes"] == ["erp", "erp/orders", "erp/orders/new"]
    finally:
        admin.send("DELETE", "policy/drafts/measured")


def test_who_may_not_write_the_policy_has_the_table_and_no_draft(admin, measure_utility, tmp_path):
    done = measure_utility("--register", "--draft", "measured", user="vera", password="secret")
    assert done.returncode != 0 and "Traceback" not in done.stderr, done.stdout + done.stderr
    assert (tmp_path / "utility.json").exists() and admin.get("policy/drafts/measured").status == 404
