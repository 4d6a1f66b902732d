"""`tools/paceline claims FILE...`: what result files set out to show, and whether it holds.

Exit codes: 0 all hold; 1 one does not; 2 a file cannot be read, or says nothing of claims.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any


class Unreadable(Exception):
    """Says which file, and what may help."""


def read(file: Path) -> list[dict[str, Any]]:
    """The claims of one result file.

    Raises Unreadable where there is no such file, no JSON in it, or no list of claims that name what they claim.
    """
    try:
        result = json.loads(file.read_text())
    except OSError as problem:
        raise Unreadable(f"cannot read {file} ({problem.strerror}). Maybe run the scenario that writes it first") from None
    except ValueError as problem:
        raise Unreadable(f"{file} is not JSON ({problem}). Maybe its run was cut off; run it again") from None
    claims = result.get("claims") if isinstance(result, dict) else None
    if not isinstance(claims, list):
        raise Unreadable(f"{file} has no claims. Maybe it is a result of before there were any; run it again")
    for claim in claims:
        if not (isinstance(claim, dict) and isinstance(claim.get("name"), str) and isinstance(claim.get("holds"), bool)):
            raise Unreadable(f"{file}: the claim {json.dumps(claim)[:80]} lacks a name, or whether it holds")
    return claims


HEADS = ["", "claim", "measured", "interval", "target", "reference", "unit", "runs"]


def row(claim: dict[str, Any]) -> list[str]:
    unit = claim.get("unit") or ""
    interval = claim.get("interval")
    return [
        "holds" if claim["holds"] else "FAILS",
        claim["name"],
        number(claim.get("measured")),
        f"{number(interval[0])} .. {number(interval[1])}" if interval else "",
        number(claim.get("target")),
        number(claim.get("reference")),
        unit,
        number(claim.get("repeats")),
    ]


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def table(claims: list[dict[str, Any]]) -> str:
    """Names to the left, figures to the right; the reason of what does not hold below its line."""
    rows = [HEADS, *map(row, claims)]
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(rows[0]))]
    lines = []
    for at, cells in enumerate(rows):
        aligned = [cell.ljust(width) if i in (0, 1, 6) else cell.rjust(width) for i, (cell, width) in enumerate(zip(cells, widths))]
        lines.append("  ".join(aligned).rstrip())
        if at and not claims[at - 1]["holds"]:
            lines.append(f"{'':{widths[0]}}    why: {claims[at - 1].get('why') or 'the file does not say'}")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="tools/paceline claims", description="Prints what result files set out to show. Exits 1 where a claim does not hold."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a result as a scenario or a benchmark writes it (JSON)")
    try:
        claims = [claim for file in parser.parse_args(arguments).files for claim in read(file)]
    except Unreadable as problem:
        print(f"paceline claims: {problem}.", file=sys.stderr)
        return 2
    print(table(claims))
    failing = sum(not claim["holds"] for claim in claims)
    print(f"\n{len(claims) - failing} of {len(claims)} claims hold.")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
