"""DASH clients and bulk downloads of DiffPerf's scenarios, all of one host, in one light process.

    python3 -m paceline_lab.scenarios.films.views CONFIG

Prints one JSON line for each client when all are done, or when their time is over.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...traffic import fetch
from ...traffic.adaptation import Conventional, Ladder, Playback, film
from ...traffic.fetch import Broken, Connection

# Big Buck Bunny, as the paper encoded it. Its player is dash.js, which buffers 12 s unless told otherwise.
KBPS, SEGMENT_S, BUFFER_S = (1200, 2200, 4100), 2.0, 12.0
BULK = "bulk"
# What is received is told finely: a slow flow has few bytes.
fetch.WAKE_BYTES = 8192


def ladder(segments: int) -> Ladder:
    return Ladder(KBPS, SEGMENT_S, BUFFER_S, film(segments, seed=7))


def write_film(folder: Path, segments: int) -> None:
    """Sparse files: what is in them nobody reads."""
    rungs = ladder(segments)
    folder.mkdir(parents=True, exist_ok=True)
    for level in range(len(KBPS)):
        for index in range(segments):
            with open(folder / f"{level}-{index}", "wb") as out:
                out.truncate(rungs.segment_bytes(level, index))
    with open(folder / BULK, "wb") as out:
        out.truncate(1 << 30)


@dataclass
class View:
    """What one client saw."""

    name: str
    levels: list[int]
    startup_s: float
    stalled_s: float
    bytes: int
    finished: bool
    # From the first question to the last byte.
    took_s: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "client": self.name, "levels": self.levels, "startupS": round(self.startup_s, 3), "stalledS": round(self.stalled_s, 3),
            "bytes": self.bytes, "finished": self.finished, "tookS": round(self.took_s, 3),
        }  # fmt: skip


async def watch(name: str, connection: Connection, segments: int, until: float) -> View:
    """The whole film; what is missing of it at the end was stalled for."""
    rungs = ladder(segments)
    player, playback = Conventional(rungs), Playback(rungs)
    view = View(name, player.levels, 0.0, 0.0, 0, False)
    begun = clock = time.monotonic()
    try:
        for index in range(segments):
            asked = time.monotonic()
            async with asyncio.timeout(max(0.01, until - asked)):
                view.bytes += await connection.get(f"/{player.level}-{index}")
            now = time.monotonic()
            player.downloaded(now - asked)
            playback.passed(now - clock)
            if index == 0:
                view.startup_s = now - begun
            playback.arrived()
            clock = now
            if playback.wait_s() > 0:
                await asyncio.sleep(playback.wait_s())
                now = time.monotonic()
                playback.passed(now - clock)
                clock = now
        view.finished = True
    except TimeoutError:
        playback.passed(time.monotonic() - clock)
        if not player.levels:
            view.startup_s = time.monotonic() - begun
    view.stalled_s = playback.stalled_s
    view.took_s = time.monotonic() - begun
    return view


async def bulk(name: str, connection: Connection, begin: float, until: float) -> View:
    """Bytes between the two moments."""
    view = View(name, [], 0.0, 0.0, 0, True)
    getting = asyncio.ensure_future(connection.get(f"/{BULK}"))
    await asyncio.sleep(max(0.0, begin - time.monotonic()))
    before = connection.received
    await asyncio.wait([getting], timeout=max(0.0, until - time.monotonic()))
    view.bytes = connection.received - before
    view.finished = not getting.done()
    getting.cancel()
    return view


async def one(settings: dict[str, Any], client: dict[str, Any]) -> View:
    await asyncio.sleep(max(0.0, client["at"] - time.monotonic()))
    connection = await Connection.open(client["address"], settings["server"], client["port"])
    try:
        if settings["kind"] == BULK:
            return await bulk(client["name"], connection, settings["begin"], settings["until"])
        return await watch(client["name"], connection, settings["segments"], settings["until"])
    finally:
        connection.close()


async def run(settings: dict[str, Any]) -> None:
    for answer in await asyncio.gather(*(one(settings, client) for client in settings["clients"]), return_exceptions=True):
        if isinstance(answer, View):
            print(json.dumps(answer.to_json()), flush=True)
        elif isinstance(answer, (Broken, OSError)):
            print(json.dumps({"error": str(answer)}), flush=True)
        else:
            raise answer


if __name__ == "__main__":
    asyncio.run(run(json.loads(Path(sys.argv[1]).read_text())))
