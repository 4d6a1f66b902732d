"""What the servers serve: a page with its objects, a large file, and the segments of two films."""

from __future__ import annotations

import os
import random
from pathlib import Path

from .adaptation import LIVE, VOD, Ladder

# The paper's megabytes are binary: its 10 MB file has 10,485,760 bytes.
DOWNLOAD_BYTES = 10 * 1024 * 1024
PAGE_BYTES = round(1.3 * 1024 * 1024)
PAGE_OBJECTS = 21
PAGE_CONNECTIONS = 6


def page_sizes() -> list[int]:
    """The index first, then its objects: a few large ones and many small, as pages have; the sum is PAGE_BYTES."""
    dice = random.Random(22)
    weights = [dice.lognormvariate(0, 0.9) for _ in range(PAGE_OBJECTS)]
    index = 64 * 1024
    room = PAGE_BYTES - index
    sizes = [max(1024, int(room * weight / sum(weights))) for weight in weights]
    sizes[0] += room - sum(sizes)
    return [index, *sizes]


def write(folder: Path) -> None:
    noise = os.urandom(1 << 20)

    def put(name: str, size: int) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as out:
            for start in range(0, size, len(noise)):
                out.write(noise[: min(len(noise), size - start)])
        path.chmod(0o644)

    for number, size in enumerate(page_sizes()):
        put(f"web/{number}", size)
    put("dl/10MB", DOWNLOAD_BYTES)
    for name, ladder in (("vod", VOD), ("live", LIVE)):
        put_film(put, name, ladder)
    for part in [folder, *folder.rglob("*")]:
        if part.is_dir():
            part.chmod(0o755)


def put_film(put, name: str, ladder: Ladder) -> None:  # type: ignore[no-untyped-def]
    for level in range(len(ladder.kbps)):
        for index in range(ladder.segments):
            put(f"{name}/{level}/{index}", ladder.segment_bytes(level, index))
