"""A page whose blocks of commands say what these print, and how that is compared.

In a block that is marked `console` a line that begins with `$ ` is a command; what follows is its output. In it `...` stands for
what differs from run to run: alone on a line for any number of lines, else for any text within its line. How wide a column is does not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ANY = "..."


@dataclass
class Step:
    command: str
    line: int
    expected: list[str] = field(default_factory=list)

    def matches(self, output: str) -> bool:
        said = [plain(line) for line in output.splitlines() if line.strip()]
        return re.fullmatch("".join(map(pattern, self.expected)), "".join(f"{line}\n" for line in said)) is not None


def plain(line: str) -> str:
    """Columns are as wide as what is in them."""
    return re.sub(r"\s+", " ", line).strip()


def pattern(line: str) -> str:
    if line == ANY:
        return "(?:.*\n)*"
    return ".*".join(map(re.escape, line.split(ANY))) + "\n"


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
