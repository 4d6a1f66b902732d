"""What was measured so far, a JSON line each, so that a run that was interrupted goes on where it was.

The first line has what the samples depend on. A sample is written as soon as it is there, and is whole or is not there.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..errors import Unusable
from .places import Place

NAME = "samples.jsonl"


class Journal:
    def __init__(self, folder: Path, settings: dict[str, Any], fresh: bool):
        """Raises Unusable where the folder has samples of other settings, and `fresh` does not throw them away."""
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / NAME
        self.samples: dict[Place, list[dict[str, float]]] = {}
        if self.file.exists() and not fresh:
            self._resume(settings)
        else:
            self.file.write_text(json.dumps(settings) + "\n")

    def _resume(self, settings: dict[str, Any]) -> None:
        whole, _, rest = self.file.read_bytes().rpartition(b"\n")
        if rest:
            # The end of a line that a killed run has begun.
            os.truncate(self.file, len(whole) + 1)
        lines = [json.loads(line) for line in whole.splitlines()]
        if not lines or lines[0] != json.loads(json.dumps(settings)):
            was = lines[0] if lines else {}
            other = sorted(name for name in {*was, *settings} if was.get(name) != json.loads(json.dumps(settings.get(name))))
            raise Unusable(f"{self.file} has samples of another measurement, which differs in {', '.join(other) or 'all'}. Maybe another --out, or --fresh to throw them away.")
        for line in lines[1:]:
            self.samples.setdefault(tuple(line["place"]), []).append(line["sample"])

    def add(self, place: Place, sample: dict[str, float]) -> None:
        with open(self.file, "a") as out:
            out.write(json.dumps({"place": place, "sample": sample}) + "\n")
        self.samples.setdefault(place, []).append(sample)
