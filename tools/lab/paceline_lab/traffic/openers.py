"""Conversations of one client host that open one after the other and then fetch pieces, with pauses or without.

Started inside the host's network namespace with a JSON file: {"pauseS", "conversations": [{"id", "address", "server",
"port", "atS"}]}, the time being counted from the command `begin`. Commands on standard input: `begin`, which all obey, `begin ID ID ...`,
`close ID ID ...`. Answers on standard output: {"id", "openedUnixS"}, the moment before connect(); {"closedUnixS"}; {"broken", "why"}.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from .fetch import Broken, Connection

PIECE_BYTES = 64 * 1024


class Openers:
    def __init__(self, settings: dict[str, Any]):
        self.pause_s: float = settings["pauseS"]
        self.conversations: list[dict[str, Any]] = settings["conversations"]
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        commands = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
        while line := await commands.readline():
            words = line.decode().split()
            if words[0] == "begin":
                for one in self.conversations:
                    if len(words) > 1 and one["id"] not in words:
                        continue
                    self.tasks[one["id"]] = asyncio.create_task(self.talk(one))
            else:
                tell({"closedUnixS": time.time()})
                for name in words[1:]:
                    self.tasks.pop(name).cancel()

    async def talk(self, one: dict[str, Any]) -> None:
        await asyncio.sleep(one["atS"])
        tell({"id": one["id"], "openedUnixS": time.time()})
        try:
            connection = await Connection.open(one["address"], one["server"], one["port"])
            try:
                while True:
                    await connection.get("/dl/10MB", 0, PIECE_BYTES - 1)
                    if self.pause_s:
                        await asyncio.sleep(self.pause_s)
            finally:
                connection.close()
        except (Broken, OSError) as problem:
            tell({"broken": one["id"], "why": str(problem)})


def tell(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main() -> None:
    asyncio.run(Openers(json.loads(Path(sys.argv[1]).read_text())).run())
