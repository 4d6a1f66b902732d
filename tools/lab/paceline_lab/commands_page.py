"""A page whose commands stand with what they print, and how that is compared with what a run of them has printed.

In a block that is marked `console` a line that begins with `$ ` is a command; what follows is its output. In it

    <time>, <number>, <path>   stand for any of these;
    <anything else>            for a word: the same one wherever the page has it, and another one for each name;
    ~1200                      for a number within a quarter of this one, as measurements are.

Everything else must be there literally. How wide a column is does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

KINDS = {"time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "number": r"\d+", "path": r"/[^\s;]*[^\s;.,]"}
WORD = r"[\w.-]+"
MARK = re.compile(r"<([a-z][a-z ]*)>|(?<![\w.])~(\d+(?:\.\d+)?)")
NEAR = 0.25


@dataclass
class Step:
    command: str
    line: int
    expected: list[str] = field(default_factory=list)

    def matches(self, output: str, names: dict[str, str]) -> dict[str, str] | None:
        """The names with those that stand here for the first time; None where the page says something else."""
        pattern, near, new = self._pattern(names)
        found = re.fullmatch(pattern, "".join(f"{plain(line)}\n" for line in output.splitlines() if line.strip()))
        if not found or any(abs(float(found[group]) - value) > NEAR * value for group, value in near.items()):
            return None
        both = {**names, **{name: found[group] for name, group in new.items()}}
        return both if len(set(both.values())) == len(both) else None

    def _pattern(self, names: dict[str, str]) -> tuple[str, dict[str, float], dict[str, str]]:
        near: dict[str, float] = {}
        new: dict[str, str] = {}

        def piece(text: str, name: str | None, value: str | None) -> Iterator[str]:
            yield re.escape(text)
            if value:
                near[f"near{len(near)}"] = float(value)
                yield rf"(?P<near{len(near) - 1}>\d+(?:\.\d+)?)"
            elif name in KINDS:
                yield KINDS[name]
            elif name in names:
                yield re.escape(names[name])
            elif name in new:
                yield f"(?P={new[name]})"
            elif name:
                new[name] = f"word{len(new)}"
                yield f"(?P<{new[name]}>{WORD})"

        whole = "".join(f"{line}\n" for line in self.expected)
        parts = MARK.split(whole)
        triples = zip(parts[::3], [*parts[1::3], None], [*parts[2::3], None])
        return "".join(regex for triple in triples for regex in piece(*triple)), near, new


def plain(line: str) -> str:
    """Columns are as wide as what is in them."""
    return re.sub(r"\s+", " ", line).strip()


def steps(page: Path) -> list[Step]:
    found: list[Step] = []
    inside = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            found.append(Step(line[2:], number))
        elif inside and line.strip():
            found[-1].expected.append(plain(line))
    return found
