"""What the real programs need beside what Debian has: libraries of npm, and pages that they open."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from ..terminal import Terminal
from . import pages
from .programs import LIBRARIES, Pair

LISTED = Path("tools/lab/programs")
LOCK = "package-lock.json"


def fetch(pairs: Iterable[Pair], terminal: Terminal) -> None:
    """npm's libraries, once for each version of their list. Raises RuntimeError where npm cannot."""
    folder = LIBRARIES.parent
    done = folder / LOCK
    if not any(pair.libraries for pair in pairs) or done.exists() and done.read_bytes() == (LISTED / LOCK).read_bytes() and LIBRARIES.exists():
        return
    terminal.step("fetching the player and what opens pages from npm (a minute)")
    shutil.rmtree(folder, ignore_errors=True)
    making = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(making, ignore_errors=True)
    shutil.copytree(LISTED, making)
    # Nothing of what is fetched is run here.
    got = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=making, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if got.returncode != 0:
        raise RuntimeError(f"npm cannot fetch the libraries that {LISTED}/{LOCK} names: {(got.stderr or got.stdout).strip()[-300:]}. Maybe this machine has no way to the registry")
    making.rename(folder)


def serve(pair: Pair, root: Path) -> None:
    """What the type's real program opens, beside what the light one does."""
    if pair.name == "web":
        pages.write_page(root)
    elif pair.name in pages.FILMS:
        pages.write_film(root, pair.name)
