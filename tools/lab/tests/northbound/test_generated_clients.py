"""Clients that openapi-generator makes from the served OpenAPI document read, change and are refused on a running ONOS, in Python and in Java."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.networks.space import inside

pytestmark = pytest.mark.e2e

HERE = Path(__file__).parent
TOOLS = ROOT / "tools/clients/target"
GENERATOR = TOOLS / "openapi-generator-cli.jar"
# What runs for seconds: to compile it well would take longer than it saves.
BRIEFLY = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
SERVER = ("http://127.0.0.1:8181/onos/paceline", "onos:rocks")


@pytest.fixture
def generate(admin, tmp_path):
    assert GENERATOR.exists(), f"There is no generator ({GENERATOR}). Maybe: tools/paceline setup"
    document = tmp_path / "openapi.json"
    document.write_text(admin.get("openapi.json").text)

    def generated(language, *properties):
        made = tmp_path / language
        subprocess.run(
            ["java", *BRIEFLY, "-jar", GENERATOR, "generate", "-i", document, "-g", language, "-o", made,
             "--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false",
             "--additional-properties=" + ",".join(properties)],
            check=True, capture_output=True, text=True, timeout=600, cwd=tmp_path,
        )  # fmt: skip
        return made

    return generated


def test_the_python_client_works(onos, admin, generate, tidy):
    made = generate("python", "packageName=paceline_client")
    assert (made / "paceline_client/api/intents_api.py").exists() and not (made / "paceline_client/api/default_api.py").exists()
    done = subprocess.run(
        inside(onos.space.namespace, sys.executable, str(HERE / "drive_client.py"), *SERVER),
        capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "PYTHONPATH": str(made)},
    )  # fmt: skip
    check(done, admin, "PYTHON-1")


def test_the_java_client_works(onos, admin, generate, tidy, tmp_path):
    made = generate("java", "library=native", "invokerPackage=client", "apiPackage=client.api", "modelPackage=client.model",
                    "openApiNullable=false", "useJakartaEe=true")  # fmt: skip
    libraries = os.pathsep.join(map(str, (TOOLS / "java").glob("*.jar")))
    sources = [*made.glob("src/main/java/**/*.java"), HERE / "DrivesTheClient.java"]
    assert not [source for source in sources if source.name == "DefaultApi.java"]
    classes = tmp_path / "classes"
    compiled = subprocess.run(
        ["javac", *(f"-J{word}" for word in BRIEFLY), "-nowarn", "-proc:none", "--release", "17", "-d", classes, "-cp", libraries, *sources],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert compiled.returncode == 0, compiled.stderr[-5000:]
    done = subprocess.run(
        inside(onos.space.namespace, "java", *BRIEFLY, "-cp", f"{classes}{os.pathsep}{libraries}", "DrivesTheClient", *SERVER),
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    check(done, admin, "JAVA-1")


def check(done, admin, ticket):
    assert done.returncode == 0, done.stdout + done.stderr[-5000:]
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    status, problem = said.pop("refused").split(" ", 1)
    assert said.pop("nodes").strip("[]'") == "voip"
    assert said == {"mode": "enforce", "set": "7", "removed": "none", "versions": "1", "admitted": "false"}
    assert status == "404" and "no intent (nobody)" in json.loads(problem)["detail"]
    assert len(admin.get(f"changes?ticket={ticket}").json["changes"]) == 1
