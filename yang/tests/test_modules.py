"""The YANG modules and their examples, checked by tools that no one here wrote: pyang (RFC 8407's rules) and yanglint."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOM = Path(__file__).parents[1]
FOLDER = ROOM / "src/main/resources/yang"
MODULES = sorted(FOLDER.glob("paceline-*.yang"))
# Rules for the IETF's own documents, which these modules are not.
FOR_IETF_ONLY = ("RFC 8407: 3.1:", "RFC 8407: 4.1:", "RFC 8407: 4.9:")


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_pyang_finds_nothing(module):
    command = [sys.executable, "-m", "pyang.scripts.pyang_tool", "--ietf", "--strict", "--max-line-length", "72", "-p", FOLDER, module]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr.splitlines()
    assert [line for line in said if not any(rule in line for rule in FOR_IETF_ONLY)] == []


def yanglint(*arguments):
    return subprocess.run(["yanglint", "-p", FOLDER, *MODULES, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("example", sorted((ROOM / "examples").glob("*.json")), ids=lambda path: path.stem)
def test_yanglint_accepts_the_example(example):
    kind = {"intents": "config", "notification": "notif", "reply": "reply"}.get(example.stem.split("-")[0], "data")
    done = yanglint("-t", kind, example)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "right, wrong",
    [
        ('"path": "/"', '"path": "video"'),
        ('"utility-function": "whatever"}', '"utility-function": "other"}'),
        (', "utility-function": "whatever"', ""),
        ('"utility": "3.0"', '"utility": "5.5"'),
        (', "utility": "3.0"', ""),
        ('"minimum-rate": "200.0"', '"minimum-rate": "4000.0"'),
        ('"upload-utility-function": "whatever"', '"upload-utility-function": "other"'),
        ('"kpi-model": "video"', '"kpi-model": "films"'),
    ],
)
def test_yanglint_refuses_a_tree_that_contradicts_itself(tmp_path, right, wrong):
    text = (ROOM / "examples/intents.json").read_text()
    assert right in text
    broken = tmp_path / "broken.json"
    broken.write_text(text.replace(right, wrong))
    assert yanglint("-t", "config", broken).returncode != 0
