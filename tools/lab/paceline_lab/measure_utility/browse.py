"""One of the lab's own clients, alone: each of its requests becomes a JSON line with its KPI.

    python3 -m paceline_lab.measure_utility.browse KIND LOCAL REMOTE [WORD OF SSH'S COMMAND ...]
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from ..traffic.client import ClientHost
from ..traffic.mix import KINDS

KPIS = {"web": "pageLoadS", "dl": "downloadS", "vod": "meanLevel", "live": "meanLevel", "ssh": "responseS"}


class Alone(ClientHost):
    def tell(self, record: dict[str, Any]) -> None:
        if record.get("finished"):
            print(json.dumps({KPIS[record["kind"]]: record["kpi"]}), flush=True)
        elif "why" in record:
            print(record["why"], file=sys.stderr, flush=True)


async def browse(kind: str, local: str, remote: str, ssh: list[str]) -> None:
    application = {"id": kind, "kind": kind, "address": local, "serverAddress": remote, "port": KINDS[kind].port}
    host = Alone({"seed": 1, "spreadS": 0, "sshCommand": ssh, "applications": [application]})
    host.measuring.set()
    await host.users[0].run()


if __name__ == "__main__":
    asyncio.run(browse(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
