"""What several commands ask of their arguments."""

from __future__ import annotations

import argparse


def between(least: float, most: float, unit: str):  # type: ignore[no-untyped-def]
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"({text}) must be a number from {least:g} to {most:g} {unit}")
        return value

    return parse
