"""schemathesis reads the OpenAPI document and sends what it thinks of: no server error, no answer that the document does not know.

In full (about 4,500 requests): PACELINE_FUZZ=100 .venv/bin/python3 -m pytest -c tools/pytest.ini tools/lab/tests/northbound/test_fuzz.py
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from paceline_lab.networks.space import inside

pytestmark = pytest.mark.e2e

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)


@pytest.fixture
def restored(admin):
    """Whatever the requests put in force is put back, for the tests that come after."""
    before = admin.get("intents").json
    yield
    admin.send("POST", "policy/confirm")
    for one in admin.get("reservations").json["reservations"]:
        admin.send("DELETE", f"reservations/{one['id']}")
    for one in admin.get("policy/drafts").json["drafts"]:
        admin.send("DELETE", f"policy/drafts/{quote(one['name'], safe='')}")
    for one in admin.get("settings").json["settings"]:
        if "stored" in one and one["value"] != one["default"]:
            admin.send("DELETE", f"settings/{one['name']}")
    assert admin.send("PUT", "intents", before).status == 200


def test_no_generated_request_gets_a_server_error_or_an_undocumented_answer(onos, restored, tmp_path):
    each = os.environ.get("PACELINE_FUZZ", "3")
    phases = "examples,coverage,fuzzing" if int(each) > 10 else "examples,fuzzing"
    schemathesis = Path(sys.executable).with_name("schemathesis")
    done = subprocess.run(
        inside(onos.space.namespace, str(schemathesis), "run", "http://127.0.0.1:8181/onos/paceline/v1/openapi.json",
               "--auth=onos:rocks", "--url=http://127.0.0.1:8181/onos/paceline", f"--checks={CHECKS}", f"--max-examples={each}",
               f"--phases={phases}", "--seed=1", "--continue-on-failure", "--no-color", "--generation-database=none"),
        capture_output=True, text=True, timeout=1800, check=False, cwd=tmp_path,
    )  # fmt: skip
    sent = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
    print(sent and sent[0])
    assert done.returncode == 0, done.stdout[done.stdout.find("= FAILURES =") :][:20000] + done.stdout[-1500:] + done.stderr[-2000:]
    assert sent and sent[1] == sent[2] and int(sent[1]) > 50
