"""Compiles the small C programs, and a library to be loaded before others, once for every version of their source."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from ..checkout import LAB

SOURCES = Path(__file__).resolve().parent / "native"
TARGET = LAB / "target"
PROGRAMS = ("wire", "voice")
CLOCK = "clock.so"


def build(folder: Path = TARGET) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    headers = max(header.stat().st_mtime for header in SOURCES.glob("*.h"))
    for made_as in (*PROGRAMS, CLOCK):
        name, _, library = made_as.partition(".")
        source, program = SOURCES / f"{name}.c", folder / made_as
        if program.exists() and program.stat().st_mtime >= max(source.stat().st_mtime, headers):
            continue
        if not shutil.which("gcc"):
            raise RuntimeError("gcc is not installed. Maybe: apt-get install gcc libc6-dev")
        # Several may find it missing at the same moment: each makes its own, and the last one stays.
        with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=folder) as own:
            made = Path(own, name)
            done = subprocess.run(
                ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", *(("-shared", "-fPIC") if library else ()), "-o", str(made), str(source), "-lm", "-ldl"],
                capture_output=True, text=True
            )
            if done.returncode != 0:
                raise RuntimeError(f"{source.name} does not compile: {done.stderr.strip()[-800:]}")
            made.replace(program)
    return folder
