"""yanglint, as the judge of what RESTCONF sends."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from paceline_lab.checkout import ROOT

MODULES = ROOT / "yang/src/main/resources/yang"
ACCEPTED = (0, "")


def verdict(kind: str, content: Any, folder: Path) -> tuple[int, str]:
    data = folder / "data.json"
    data.write_text(json.dumps(content))
    modules = [*MODULES.glob("paceline-*.yang"), *MODULES.glob("ietf-restconf-monitoring*.yang")]
    done = subprocess.run(["yanglint", "-p", MODULES, "-t", kind, *sorted(modules), data], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr
