"""Where things are in this checkout, and which commit it is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .errors import Missing

ROOT = Path(__file__).resolve().parents[3]
# Where this package is: what Python must know to run a module of it.
LAB = ROOT / "tools/lab"
ONOSCTL = ROOT / "tools/onos/onosctl.py"


def app_archive() -> Path:
    """The built ONOS application."""
    found = sorted((ROOT / "app/onos/target").glob("*.oar"))
    if not found:
        raise Missing("the application is not built (no app/onos/target/*.oar). Maybe: tools/paceline setup")
    return found[0]


def commit() -> str:
    """Of what runs; empty where it is no checkout."""
    if not shutil.which("git"):
        return ""
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(words, capture_output=True, text=True).stdout.strip()
