"""Whether a light generator agrees with the real program: from samples of both at the same places to claims."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from ..repeats import interval

CATALOGUE = Path("intents-json/src/main/resources/org/paceline/json/catalogue")
LIGHT, REAL = "light", "real"


@dataclass
class Compared:
    """One place of one type. Each turn of a program is one entry of its utilities: the mean of the turn's samples."""

    type: str
    program: str
    rate_kbps: float
    delay_ms: float
    table: float | None
    utilities: dict[str, list[float]] = field(default_factory=lambda: {LIGHT: [], REAL: []})
    samples: dict[str, list[list[dict[str, float]]]] = field(default_factory=lambda: {LIGHT: [], REAL: []})

    def add(self, who: str, samples: list[dict[str, float]], utilities: Sequence[float]) -> None:
        self.samples[who].append(samples)
        self.utilities[who].append(mean(utilities))

    def differences(self) -> list[float]:
        """Of each repeat, how much better off the real program was."""
        return [real - light for light, real in zip(self.utilities[LIGHT], self.utilities[REAL])]

    def document(self) -> dict[str, Any]:
        return {
            "type": self.type, "program": self.program, "rateKbps": self.rate_kbps, "delayMs": self.delay_ms, "tableUtility": self.table,
            **{who: {"utility": round(mean(self.utilities[who]), 3), "kpis": kpis(self.samples[who]), "turns": self.samples[who]} for who in (LIGHT, REAL)},
        }  # fmt: skip


def kpis(turns: list[list[dict[str, float]]]) -> dict[str, float]:
    """The mean of each over all samples that have it."""
    samples = [sample for turn in turns for sample in turn]
    names = dict.fromkeys(name for sample in samples for name in sample)
    return {name: round(mean(sample[name] for sample in samples if name in sample), 4) for name in names}


def claim(place: Compared, error: float) -> dict[str, Any]:
    differences = place.differences()
    difference = mean(differences)
    made: dict[str, Any] = {
        "name": f"{place.type} at {place.rate_kbps:g} kbit/s and {place.delay_ms:g} ms: utility of {place.program} above the light generator's, at most {error:g} either way",
        "reference": None, "target": error, "measured": round(difference, 3), "unit": "of utility", "holds": abs(difference) <= error,
        "repeats": len(differences), "interval": interval(differences),
    }  # fmt: skip
    if not made["holds"]:
        made["why"] = why(place)
    return made


def why(place: Compared) -> str:
    """Both figures, and which is nearer to the published table."""
    light, real = (mean(place.utilities[who]) for who in (LIGHT, REAL))
    said = f"{place.program} has {real:.2f} ({shown(place, REAL)}), the generator {light:.2f} ({shown(place, LIGHT)})"
    if place.table is None:
        return said
    nearer = place.program if abs(real - place.table) < abs(light - place.table) else "the generator"
    return f"{said}; the table says {place.table:.2f}, to which {nearer} is nearer"


def shown(place: Compared, who: str) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in kpis(place.samples[who]).items())


def tabled(name: str, rate_kbps: float, delay_ms: float) -> float | None:
    """What the catalogue's table says, at its place that is nearest; nothing where the place is beyond it."""
    table = json.loads((CATALOGUE / f"{name}.json").read_text())
    rates, delays = table["throughputKbps"], table["delayMs"]
    if not (rates[0] <= rate_kbps <= rates[-1] and delays[0] <= delay_ms <= delays[-1]):
        return None
    row = min(range(len(rates)), key=lambda i: abs(rates[i] - rate_kbps))
    column = min(range(len(delays)), key=lambda j: abs(delays[j] - delay_ms))
    return round(float(table["utility"][row][column]), 3)


def lines(places: Sequence[Compared], error: float) -> list[str]:
    """One a place, and at last the conclusion."""
    made = [claim(place, error) for place in places]
    rows = [("type", "kbit/s", "ms", "light", "real", "difference", "interval", "table", "")]
    for place, one in zip(places, made):
        between = "{:+.2f} .. {:+.2f}".format(*one["interval"]) if one["interval"] else ""
        rows.append((
            place.type, f"{place.rate_kbps:g}", f"{place.delay_ms:g}", *(f"{mean(place.utilities[who]):.2f}" for who in (LIGHT, REAL)),
            f"{one['measured']:+.2f}", between, "" if place.table is None else f"{place.table:.2f}", "agrees" if one["holds"] else "DIFFERS",
        ))  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*rows)]
    said = ["  ".join(cell.ljust(width) if at in (0, 8) else cell.rjust(width) for at, (cell, width) in enumerate(zip(cells, widths))).rstrip() for cells in rows]
    agreeing = sum(one["holds"] for one in made)
    said += [f"{one['name']}: {one['why']}." for one in made if not one["holds"]]
    return [*said, f"At {agreeing} of {len(made)} places the light generator agrees with the real program within {error:g} of utility."]
