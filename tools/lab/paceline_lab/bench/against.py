"""`tools/paceline bench against COMMIT WHAT [OPTION...]`: a benchmark of an earlier commit and of this one, in turn.

The machine is not the same from one hour to the next. So each run of one commit has a run of the other beside it, and what is
compared are ratios of such pairs. A figure is worse where it is worse in every run here than in each run there: with five
repeats, of two commits that are alike, that is so by chance for one figure of 252.

Exit codes: 0 no figure is worse; 1 one is, or a run failed; 2 wrong usage.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from statistics import mean, median
from typing import Any

from .. import claims
from ..repeats import MOST, interval

# (place, column): of a table its section and row, of JSON the path to the value.
Key = tuple[str, str]
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
# What was asked for and what was reckoned from the same run is nothing that was measured.
NOT_MEASURED = {"claims", "target", "reference", "repeats", "interval", "seed"}
# More of it is worse, by how benchmarks name columns and keys.
LESS_IS_BETTER = re.compile(
    r"\bm?s\b|\bp(50|95|99)\b|µs|Ms\b|\bms[A-Z]|[sS]econds?\b|\bMB\b|\bMiB\b|[kK]i?B\b|\bgap\b|% of a (core|processor)|\bpause|broken|refused"
)
MORE_IS_BETTER = re.compile(r"a second|[pP]erSecond|utility|\bheld\b|throughput")


@dataclass
class Figure:
    """The values of one figure, one a repeat, at the same places on both sides."""

    there: list[float] = field(default_factory=list)
    here: list[float] = field(default_factory=list)

    def is_measured(self) -> bool:
        """Not a size that both were told, which is the same in all runs; and a ratio can be taken of it."""
        values = self.there + self.here
        return len(self.there) == len(self.here) and len(set(values)) > 1 and min(values) > 0

    def ratio(self) -> float:
        """Of here to there: the geometric mean of the pairs."""
        return exp(mean(self.logs()))

    def interval(self) -> list[float] | None:
        """Where the ratio is with 95 % confidence."""
        found = interval(self.logs())
        return found and [round(exp(end), 3) for end in found]

    def logs(self) -> list[float]:
        return [log(here / there) for here, there in zip(self.here, self.there)]


def is_worse(key: Key, figure: Figure) -> bool | None:
    """None where nothing tells whether more or less of it is better."""
    name = " ".join(key)
    if MORE_IS_BETTER.search(name):
        return max(figure.here) < min(figure.there)
    if LESS_IS_BETTER.search(name):
        return min(figure.here) > max(figure.there)
    return None


def figures(folder: Path) -> dict[Key, float]:
    """What a run wrote: of its tables where it has any, else of its JSON. ValueError where there is neither."""
    tables = folder / "table.md"
    if tables.exists():
        return of_tables(tables.read_text())
    found: dict[Key, float] = {}
    for file in sorted(folder.glob("*.json")):
        found.update(of_json(json.loads(file.read_text())))
    if not found:
        raise ValueError(f"there are no figures in {folder}. Maybe its run was cut off")
    return found


def of_tables(text: str) -> dict[Key, float]:
    found: dict[Key, float] = {}
    section, columns, row = "", [], 0
    for line in text.splitlines():
        if line.startswith("#"):
            section = line.strip("# ")
        if not line.startswith("|"):
            columns = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not columns:
            columns, row = cells, 0
        elif not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            row += 1
            place = ": ".join(part for part in (section, cells[0]) if part)
            for column, cell in list(zip(columns, cells))[1:]:
                value = number(cell)
                if value is not None:
                    # Rows that begin alike differ by their order.
                    found[(f"{place} ({row})", column)] = value
    return found


def number(cell: str) -> float | None:
    """`2,883 (2,883..2,885)` is 2883, and `1e-4..3e-4` the middle of both; a cell that begins with a word has none."""
    outside = re.sub(r"\(.*?\)", "", cell)
    if not NUMBER.match(outside.strip()):
        return None
    return mean(float(each.replace(",", "")) for each in NUMBER.findall(outside.replace("..", " ")))


def of_json(value: Any, path: tuple[str, ...] = ()) -> dict[Key, float]:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return {}
    if isinstance(value, (int, float)):
        return {(".".join(path[:-1]), path[-1] if path else ""): float(value)}
    if isinstance(value, dict):
        pairs = [(key, each) for key, each in value.items() if key not in NOT_MEASURED]
    elif all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in value):
        return of_json(median(value), path) if value else {}
    else:
        pairs = [(str(at), each) for at, each in enumerate(value)]
    found: dict[Key, float] = {}
    for key, each in pairs:
        found.update(of_json(each, (*path, key)))
    return found


def compared(there: list[dict[Key, float]], here: list[dict[Key, float]]) -> dict[Key, Figure]:
    """What all runs of both have."""
    common = [key for key in here[0] if all(key in run for run in there + here)]
    made = {key: Figure([run[key] for run in there], [run[key] for run in here]) for key in common}
    return {key: figure for key, figure in made.items() if figure.is_measured()}


def to_claims(what: str, commit: str, found: dict[Key, Figure]) -> list[dict[str, Any]]:
    worse = {key: figure for key, figure in found.items() if is_worse(key, figure)}
    judged = sum(is_worse(key, figure) is not None for key, figure in found.items())
    repeats = len(next(iter(found.values())).here)
    count = {
        "name": f"{what}: figures worse than at {commit}, of {judged}", "reference": None, "target": 0, "measured": len(worse), "unit": "figures",
        "interval": None, "repeats": repeats, "holds": not worse,
    }  # fmt: skip
    if worse:
        count["why"] = "Each of them is a claim below."
    return [count, *(of_worse(what, key, figure) for key, figure in worse.items())]


def of_worse(what: str, key: Key, figure: Figure) -> dict[str, Any]:
    return {
        "name": f"{what}: {' '.join(filter(None, key))}", "reference": None, "target": 1.0, "measured": round(figure.ratio(), 3), "unit": "times",
        "interval": figure.interval(), "repeats": len(figure.here), "holds": False,
        "why": f"Worse in every run: {shown(figure.here)} here, {shown(figure.there)} there.",
    }  # fmt: skip


def shown(values: list[float]) -> str:
    return f"{min(values):.4g} .. {max(values):.4g}"


def table(found: dict[Key, Figure]) -> str:
    rows = [("figure", "there", "here", "here / there", "95 %", "")]
    for key, figure in found.items():
        verdict = {True: "worse", False: "", None: "not judged"}[is_worse(key, figure)]
        within = figure.interval()
        ends = f"{within[0]:.3f} .. {within[1]:.3f}" if within else ""
        rows.append((" ".join(filter(None, key)), f"{median(figure.there):.4g}", f"{median(figure.here):.4g}", f"{figure.ratio():.3f}", ends, verdict))
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def laid_out(commit: str) -> Path:
    """The tree of the commit, below .run, with nothing that Git keeps book of."""
    full = subprocess.run(["git", "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"], capture_output=True, text=True).stdout.strip()
    if not full:
        raise ValueError(f"there is no commit {commit} here. Maybe: git fetch, or git log --oneline")
    tree = Path(".run/against", full[:12]).absolute()
    if not tree.exists():
        # Whole or not at all: who is interrupted here must not build half a tree the next time.
        begun = tree.with_suffix(".begun")
        shutil.rmtree(begun, ignore_errors=True)
        begun.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", "--output", str(begun / "tree.tar"), full], capture_output=True, text=True)
        if archive.returncode != 0:
            raise ValueError(f"git archive {full} failed: {archive.stderr.strip()}. Maybe the disk is full")
        subprocess.run(["tar", "-x", "-f", "tree.tar"], cwd=begun, check=True)
        (begun / "tree.tar").unlink()
        begun.rename(tree)
    return tree


def measure(tree: Path, words: list[str], out: Path) -> dict[Key, float]:
    """RuntimeError where the benchmark fails; what it said is beside its figures."""
    out.mkdir(parents=True, exist_ok=True)
    log_file = out / "log"
    with log_file.open("w") as said:
        ended = subprocess.run(["tools/paceline", "bench", *words, "--out", str(out)], cwd=tree, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
    if ended.returncode != 0:
        last = "\n".join(log_file.read_text().splitlines()[-5:])
        raise RuntimeError(f"`tools/paceline bench {shlex.join(words)}` in {tree} ended with {ended.returncode} (log: {log_file}):\n{last}")
    return figures(out)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="tools/paceline bench against",
        description="Runs a benchmark of an earlier commit and of this one in turn, and compares each figure that both have. Exits 1 where one is worse"
        " in all runs. What the earlier one needs is built below .run/against, once.",
    )
    made.add_argument("commit", metavar="COMMIT", help="the earlier one, as Git knows it")
    made.add_argument("what", metavar="WHAT", help="the benchmark: allocator, agent, first-packet, northbound")
    made.add_argument("options", nargs=argparse.REMAINDER, metavar="OPTION", help="of the benchmark, such as --quick or --only one-link")
    made.add_argument("--repeats", type=int, default=5, choices=range(2, MOST + 1), metavar="N", help=f"of each, 2 to {MOST} (default: 5)")
    made.add_argument("--here", default="", metavar="OPTIONS", help='options that only this commit knows, as one word: --here="--flood 0"')
    made.add_argument("--out", type=Path, metavar="DIR", help="for all runs and the result (default: out/against-WHAT)")
    return made


def main(arguments: list[str]) -> int:
    chosen = parser().parse_args(arguments)
    what = shlex.join([chosen.what, *chosen.options])
    out = (chosen.out or Path("out", f"against-{chosen.what}")).absolute()
    try:
        tree = laid_out(chosen.commit)
    except ValueError as problem:
        print(f"paceline bench against: {problem}.", file=sys.stderr)
        return 2
    there: list[dict[Key, float]] = []
    here: list[dict[Key, float]] = []
    for repeat in range(1, chosen.repeats + 1):
        words = [chosen.what, *chosen.options]
        sides = [("there", tree, words, there), ("here", Path.cwd(), [*words, *shlex.split(chosen.here)], here)]
        # Whoever is first has a machine that rested, so they take turns in that, too.
        for name, place, asked, found in sides if repeat % 2 else reversed(sides):
            print(f"paceline bench against: {name}, {repeat} of {chosen.repeats}", file=sys.stderr, flush=True)
            try:
                found.append(measure(place, asked, out / f"{name}-{repeat}"))
            except (RuntimeError, ValueError) as problem:
                print(f"paceline bench against: {problem}", file=sys.stderr)
                return 1
    both = compared(there, here)
    if not both:
        print(f"paceline bench against: the runs have no figure in common. Maybe look into {out}.", file=sys.stderr)
        return 1
    made = to_claims(what, chosen.commit, both)
    result = {
        "commit": chosen.commit, "what": what, "claims": made,
        "figures": [{"place": key[0], "name": key[1], "there": each.there, "here": each.here, "ratio": round(each.ratio(), 4)} for key, each in both.items()],
    }  # fmt: skip
    (out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    print(table(both))
    print()
    print(claims.table(made))
    return 0 if made[0]["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
