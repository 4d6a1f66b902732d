"""A measured table is kept as a draft, and nothing goes by it."""

from __future__ import annotations

import pytest
from paceline_lab.checkout import LAB
from paceline_lab.measure_utility.draft import register
from paceline_lab.measure_utility.hosts import TO_SERVER
from paceline_lab.measure_utility.models import MODELS
from paceline_lab.measure_utility.result import document, made_of
from paceline_lab.measure_utility.samples import read

pytestmark = pytest.mark.e2e

SAMPLES = LAB / "tests/measured/webdl.csv"


def test_a_measured_table_becomes_a_draft_and_changes_nothing(admin, onos):
    before = admin.get("intents").json
    version = admin.get("policy").json["version"]
    table = made_of(read(SAMPLES, MODELS["download"]), (500, 1000, 4000), (0, 100), seed=1).table
    kept = register(onos.rest, "measured", document("erp/orders/new", MODELS["download"], "by a test", table), TO_SERVER)
    try:
        assert kept["name"] == "measured" and kept["base"] == version
        assert admin.get("intents").json == before and admin.get("policy").json["version"] == version
        drafted = admin.get("policy/drafts/measured").json["intents"]
        node = next(one for one in drafted["intents"] if one.get("intent") == "orders/new")
        assert node == {"class": "erp", "intent": "orders/new", "uploadUtilityFunction": "measured"}
        assert drafted["utilityFunctions"]["measured"]["utility"] == [[round(float(cell), 6) for cell in row] for row in table.utility]
        assert admin.get("policy/drafts/measured/difference").json["nodes"] == ["erp", "erp/orders", "erp/orders/new"]
    finally:
        assert admin.send("DELETE", "policy/drafts/measured").status == 204
