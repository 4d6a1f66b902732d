"""
What was measured so far: a file for each run that is whole, so that an evaluation that was interrupted goes on where it was.

A run's file is JSON lines, compressed: first its entry of a result, then its raw samples as the demo writes them. It appears
under its name when all of it is written. What the runs depend on is in a file beside them.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
from pathlib import Path
from typing import Any

from ..errors import Unusable
from ..traffic.measure import Samples
from .asked import EvaluateOptions
from .plan import Planned

SETTINGS, RUNS, WHOLE, PART = "evaluation.json", "runs", ".jsonl.gz", ".part"
# Of these there may be more the next time: blocks say nothing of each other.
MAY_GROW = ("sizes", "seeds", "repeats")


class Store:
    def __init__(self, options: EvaluateOptions):
        """Raises Unusable where the folder has another evaluation's runs, or cannot be written to."""
        self.folder = options.out
        self.file = options.out / SETTINGS
        try:
            (self.folder / RUNS).mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise Unusable(f"cannot write to {self.folder} ({problem.strerror}). Maybe choose another --out DIR") from None
        wanted = json.loads(json.dumps({
            "settings": options.settings(), "sizes": options.sizes, "seeds": options.seeds, "repeats": list(range(1, options.repeats + 1)), "command": options.command,
        }))  # fmt: skip
        # Where nothing was measured yet, nothing depends on what was asked for.
        if any((self.folder / RUNS).glob(f"*{WHOLE}")):
            self._refuse_another(wanted)
        replaced(self.file, (json.dumps(wanted, indent=1) + "\n").encode())
        for begun in (self.folder / RUNS).glob(f"*{PART}"):
            begun.unlink()

    def _refuse_another(self, wanted: dict[str, Any]) -> None:
        try:
            there = json.loads(self.file.read_text())
            settings, grown = there["settings"], {name: set(there[name]) for name in MAY_GROW}
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise Unusable(f"{self.file}, which says what the runs beside it depend on, cannot be read ({problem}). Maybe another --out DIR") from None
        now = wanted["settings"]
        differences = [f"{name} ({said(settings.get(name))}, now {said(now.get(name))})" for name in {**settings, **now} if settings.get(name) != now.get(name)]
        differences += [
            f"{name} (had {said(sorted(grown[name] - set(wanted[name])))}, now without)" for name in MAY_GROW if not grown[name] <= set(wanted[name])
        ]  # fmt: skip
        if differences:
            raise Unusable(
                f"{self.folder} has another evaluation's runs, which differs in {', '.join(differences)}. "
                f"Maybe another --out DIR, or what it was begun with: {there.get('command')}"
            )

    def entries(self, runs: list[Planned]) -> dict[Planned, dict[str, Any]]:
        """Of those that are there, in this order. Raises Unusable where a file is not what was written."""
        return {run: entry for run in runs if (entry := self._entry(run)) is not None}

    def _entry(self, run: Planned) -> dict[str, Any] | None:
        file = self.path(run)
        if not file.exists():
            return None
        try:
            with gzip.open(file, "rt") as lines:
                entry = json.loads(lines.readline())
            if (entry["applications"], entry["seed"], entry["repeat"], entry["mode"]) == (run.block.size, run.block.seed, run.block.repeat, run.mode):
                return entry
            problem: Any = "it is another run's"
        except (OSError, EOFError, ValueError, KeyError, TypeError) as found:
            problem = found
        raise self._unreadable(run, problem)

    def samples(self, run: Planned) -> Samples:
        """What such a run recorded, which is there, but for the wires: every request, and each second's calls and probes. Raises Unusable."""
        try:
            with gzip.open(self.path(run), "rt") as lines:
                next(lines)
                begin, end = json.loads(next(lines))["window"]
                found = Samples((begin, end))
                kept = {"records": found.records, "voice": found.voice, "probe": found.probe}
                for line in map(json.loads, lines):
                    if (of := kept.get(line["source"])) is not None:
                        of.append(line)
                return found
        except (OSError, EOFError, ValueError, KeyError, TypeError, StopIteration) as problem:
            raise self._unreadable(run, problem) from None

    def _unreadable(self, run: Planned, problem: object) -> Unusable:
        return Unusable(f"{self.path(run)} cannot be read ({problem}). Maybe remove it: that run is then made again")

    def path(self, run: Planned) -> Path:
        return self.folder / RUNS / f"{run.name}{WHOLE}"

    def keep(self, run: Planned, entry: dict[str, Any], raw: Path) -> None:
        """`raw` are its samples, in a file that is no longer needed then."""
        part = self.path(run).with_name(run.name + PART)
        with open(part, "wb") as out:
            with gzip.open(out, "wb", compresslevel=6) as packed, open(raw, "rb") as samples:
                packed.write(json.dumps(entry).encode() + b"\n")
                shutil.copyfileobj(samples, packed)
            out.flush()
            os.fsync(out.fileno())
        part.replace(self.path(run))
        raw.unlink()


def said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else "none" if value is None else str(value)


def replaced(file: Path, content: bytes) -> None:
    """Whole or not at all."""
    part = file.with_name(file.name + PART)
    with open(part, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)
