"""All users of one client host: one light process that runs their applications and measures what they notice.

Started inside the host's network namespace: `python3 -m paceline_lab.traffic.client CONFIG`. Reads commands from standard
input, a line each, and answers on standard output with JSON lines:

  measure   requests from now on are whole ones: a warming-up download fetches pieces, a view that runs starts again
  stop      ends; what is unfinished is reported with its progress

With `onOffS` in its configuration, users are away now and then (`on_off`), but for those of calls, and say so. With
`agents`, users also report their KPIs to those (`kpi_reports`).

An answer is a request {"id","kind","start","end","kpi","utility","bytes","finished"}, times being CLOCK_MONOTONIC, or
{"event": ...}. An unfinished request carries the KPI that it would have if it went on as it went so far.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any, Awaitable, Callable

from . import content, kpi, measure
from .adaptation import LIVE, VOD, Conventional, Ladder, Playback
from .fetch import Broken, Connection
from .kpi_reports import KPIS, KpiReports, Measured, Sender
from .mix import KINDS
from .on_off import Away, OnOff, Turns

PAUSE_S = 0.1
# An administrator reads what a command said before typing the next. A run may ask for another pause.
SSH_PAUSE_S = 0.5
WARM_UP_PIECE_BYTES = 512 * 1024
# Within it a call's quality hardly changes.
CALL_REPORT_S = 5.0
LADDERS: dict[str, Ladder] = {"vod": VOD, "live": LIVE}


class User:
    """One application instance: a loop of requests, each measured."""

    def __init__(self, host: "ClientHost", settings: dict[str, Any]):
        self.host = host
        self.id: str = settings["id"]
        self.kind: str = settings["kind"]
        self.address: str = settings["address"]
        self.server: str = settings["serverAddress"]
        self.port: int = settings["port"]
        self.dice = random.Random(f"{host.seed}/{self.id}")
        self.begin = 0.0
        self.partial: Callable[[], dict[str, Any] | None] = lambda: None
        self.present: Callable[[], float | None] = self.as_projected
        self.connections: list[Connection] = []
        self.session: asyncio.subprocess.Process | None = None
        # Of the session, by what its server says.
        self.ssh_port = 0
        self.turns: Turns | None = None

    async def run(self) -> None:
        await asyncio.sleep(self.dice.uniform(0, self.host.spread_s))
        if self.host.on_off:
            self.turns = Turns(self.host.on_off, f"{self.host.seed}/{self.id}/on-off", time.monotonic())
        request: Callable[[], Awaitable[None]] = getattr(self, f"request_{self.kind}", self.request_video)
        while True:
            try:
                await request()
                self.forget_request()
                await self.pause(self.host.ssh_pause_s if self.kind == "ssh" else PAUSE_S)
            except (Broken, OSError) as problem:
                self.host.tell({"event": "broken", "id": self.id, "why": str(problem), "at": time.monotonic()})
                self.close()
                await asyncio.sleep(1)
            finally:
                self.forget_request()

    def forget_request(self) -> None:
        self.partial = lambda: None
        self.present = self.as_projected

    def close(self) -> None:
        for connection in self.connections:
            connection.close()
        self.connections.clear()

    async def pause(self, usual_s: float) -> Away | None:
        """So long, or until the user is back who goes away now."""
        now = time.monotonic()
        away = self.turns.away(now) if self.turns else None
        if not away:
            if usual_s:
                await asyncio.sleep(usual_s)
            return None
        self.host.tell({"event": "away", "id": self.id, "at": round(now, 6), "until": round(now + away.seconds, 6), "closed": away.closes})
        if away.closes:
            self.close()
            if self.session:
                self.session.terminate()
                await self.session.wait()
        await asyncio.sleep(away.seconds)
        return away

    def as_projected(self) -> float | None:
        """What the unfinished request would be worth if the rest went as it has gone so far."""
        record = self.partial()
        return record["utility"] if record else None

    async def connection(self, number: int = 0) -> Connection:
        while len(self.connections) <= number:
            self.connections.append(await Connection.open(self.address, self.server, self.port))
        if not self.connections[number].usable:
            self.connections[number] = await Connection.open(self.address, self.server, self.port)
        return self.connections[number]

    def finished(self, measured: float, utility: float, transferred: int, **more: Any) -> None:
        record = self.record(measured, utility, transferred, True, **more)
        self.host.tell(record)
        if self.host.reports:
            here = self.ssh_port if self.kind == "ssh" else self.connections[0].local_port
            self.host.reports.tell(self.measured(socket.SOCK_STREAM, here, {KPIS[self.kind]: record["kpi"]}))

    def measured(self, protocol: socket.SocketKind, port: int, kpis: dict[str, float]) -> Measured:
        """`port`: of this end of what its server sends."""
        sender = Sender(protocol, (self.server, self.port), (self.address, port))
        return Measured(self.id, self.host.intents.get(self.id, KINDS[self.kind].intent), sender, kpis)

    def record(self, measured: float, utility: float, transferred: int, finished: bool, **more: Any) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "start": round(self.begin, 6),
            "end": round(time.monotonic(), 6),
            "kpi": round(measured, 6),
            "utility": round(utility, 6),
            "bytes": transferred,
            "finished": finished,
            **more,
        }

    def projected(self, transferred: int, whole: int, model: Callable[[float], float]) -> dict[str, Any] | None:
        """As long as the rest would take at the rate so far."""
        if transferred <= 0:
            return None
        seconds = (time.monotonic() - self.begin) * whole / transferred
        return self.record(seconds, model(seconds), transferred, False)

    # -- web: the index, then its objects over six persistent connections

    async def request_web(self) -> None:
        connections = [await self.connection(i) for i in range(content.PAGE_CONNECTIONS)]
        self.begin = time.monotonic()
        wanted = deque(range(1, content.PAGE_OBJECTS + 1))
        got = 0

        def all_bytes() -> int:
            return got + sum(c.received for c in connections if c.done and not c.done.done())

        self.partial = lambda: self.projected(all_bytes(), content.PAGE_BYTES, kpi.web)
        got = await connections[0].get("/web/0")

        async def fetch(connection: Connection) -> None:
            nonlocal got
            while wanted:
                # `got += await ...` would read it before the wait, and lose what the others add meanwhile.
                size = await connection.get(f"/web/{wanted.popleft()}")
                got += size

        fetches = [asyncio.ensure_future(fetch(c)) for c in connections]
        try:
            await asyncio.gather(*fetches)
        finally:
            for one in fetches:
                one.cancel()
        seconds = time.monotonic() - self.begin
        self.finished(seconds, kpi.web(seconds), got)

    # -- download: 10 MB over one connection

    async def request_dl(self) -> None:
        connection = await self.connection()
        while not self.host.measuring.is_set():
            await connection.get("/dl/10MB", 0, WARM_UP_PIECE_BYTES - 1)
        self.begin = time.monotonic()
        self.partial = lambda: self.projected(connection.received, content.DOWNLOAD_BYTES, kpi.download)
        got = await connection.get("/dl/10MB")
        seconds = time.monotonic() - self.begin
        self.finished(seconds, kpi.download(seconds), got)

    # -- video on demand and live: segments at the quality that the client's own adaptation chooses

    async def request_video(self) -> None:
        ladder = LADDERS[self.kind]
        await self.connection()
        client, playback = Conventional(ladder), Playback(ladder)
        measured = self.host.measuring.is_set()
        self.begin = time.monotonic()
        got = 0

        def so_far() -> dict[str, Any] | None:
            levels = client.view()
            if not levels:
                return None
            return self.record(sum(levels) / len(levels), kpi.video(levels), got, False, segments=len(levels))

        self.partial = so_far
        # A view begins at the lowest quality for everybody: that is no sign of a user who is badly off.
        self.present = lambda: kpi.video(client.now()) if client.now() else None
        clock = time.monotonic()
        for index in range(ladder.segments):
            level, asked = client.level, time.monotonic()
            # After a pause it may be another one.
            connection = await self.connection()
            got += await connection.get(f"/{self.kind}/{level}/{index}")
            now = time.monotonic()
            client.downloaded(now - asked)
            playback.passed(now - clock)
            playback.arrived()
            clock = now
            if self.host.measuring.is_set() != measured:
                return
            if playback.wait_s() > 0:
                await asyncio.sleep(playback.wait_s())
                now = time.monotonic()
                playback.passed(now - clock)
                clock = now
            # Whoever pauses a film sees the rest later, and nothing stalls meanwhile.
            if await self.pause(0):
                clock = time.monotonic()
        levels = client.view()
        self.finished(
            sum(levels) / len(levels), kpi.video(levels), got, stalledS=round(playback.stalled_s, 3), levels=client.levels
        )

    # -- ssh: commands typed into one session with a real sshd

    async def request_ssh(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *self.host.ssh_command, "-b", self.address, "-p", str(self.port), f"root@{self.server}", "/bin/sh",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdin and process.stdout
        self.session = process
        try:
            number = 0
            while True:
                number += 1
                command = self.dice.choice(("uptime", "date", "ls -la /"))
                if number == 1:
                    command = "echo $SSH_CONNECTION"
                marker = f"done-{number}"
                self.begin = time.monotonic()
                process.stdin.write(f"{command}; echo {marker}\n".encode())
                got = 0
                while True:
                    line = await process.stdout.readline()
                    if not line:
                        raise Broken("the ssh session ended")
                    got += len(line)
                    if line.strip() == marker.encode():
                        break
                    # Both ends of the session; what else a shell may say at its start is passed over.
                    if number == 1 and len(words := line.split()) == 4:
                        self.ssh_port = int(words[1])
                seconds = time.monotonic() - self.begin
                if number > 1:  # the first answer also waits for the log-in
                    self.finished(seconds, kpi.ssh(seconds), got)
                if (away := await self.pause(self.host.ssh_pause_s)) and away.closes:
                    return
        finally:
            self.session = None
            if process.returncode is None:
                process.kill()
                await process.wait()


class ClientHost:
    def __init__(self, settings: dict[str, Any]):
        self.seed: int = settings["seed"]
        self.spread_s: float = settings["spreadS"]
        self.ssh_pause_s: float = settings.get("sshPauseS", SSH_PAUSE_S)
        self.ssh_command: list[str] = settings["sshCommand"]
        self.on_off = OnOff(*settings["onOffS"]) if settings.get("onOffS") else None
        self.measuring = asyncio.Event()
        everybody = [User(self, one) for one in settings["applications"]]
        self.users = [user for user in everybody if user.kind != "voip"]
        # Another process hears these, and writes down what it hears.
        self.callers = {user.id: user for user in everybody if user.kind == "voip"}
        self.heard: str = settings.get("heard", "")
        # By which agents' rules name them: a claim of another intent would go before the rules.
        self.intents: dict[str, str] = settings.get("intents", {})
        self.reports = KpiReports(settings["agents"]) if settings.get("agents") else None

    def tell(self, record: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(record, separators=(",", ":")) + "\n")
        sys.stdout.flush()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        tasks = [asyncio.ensure_future(user.run()) for user in self.users]
        others = [asyncio.ensure_future(self.glance())]
        if self.reports:
            self.reports.start()
            others.append(asyncio.ensure_future(self.report_calls(self.reports)))
        self.tell({"event": "started", "users": len(self.users), "at": time.monotonic()})
        while command := (await reader.readline()).decode().strip():
            if command == "measure":
                self.measuring.set()
                self.tell({"event": "measuring", "at": time.monotonic()})
            elif command == "stop":
                break
        for other in others:
            other.cancel()
        for user in self.users:
            if record := user.partial():
                self.tell(record)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for user in self.users:
            for connection in user.connections:
                connection.close()
        self.tell({"event": "stopped", "at": time.monotonic()})

    async def glance(self) -> None:
        """How the unfinished requests are going, for the operator's live view."""
        while True:
            await asyncio.sleep(1)
            now = {u.id: r for u in self.users if (r := u.present()) is not None and time.monotonic() - u.begin > 1}
            self.tell(
                {"event": "glance", "at": time.monotonic(), "bytes": Connection.total_bytes, "utilities": now}
            )

    async def report_calls(self, reports: KpiReports) -> None:
        calls = measure.Calls(Path(self.heard))
        while self.callers:
            await asyncio.sleep(CALL_REPORT_S)
            for one, (loss, delay_ms) in calls.hear(time.monotonic()).items():
                user = self.callers[one]
                reports.tell(user.measured(socket.SOCK_DGRAM, user.port, {"loss_fraction": round(loss, 6), "delay_ms": round(delay_ms, 6)}))


async def check(settings: dict[str, Any]) -> None:
    """Opens and closes one TCP connection for every application, from its own address; says which cannot."""

    async def one(application: dict[str, Any]) -> str | None:
        port = application["port"] if application["kind"] != "voip" else 80
        until = time.monotonic() + settings["checkS"]
        while True:
            try:
                reader, writer = await asyncio.wait_for(
                    asyncio.open_connection(
                        application["serverAddress"], port, local_addr=(application["address"], 0)
                    ),
                    2,
                )
                try:
                    # Until the server has closed, too: one that had something to say would otherwise hear of our end by a
                    # reset alone, which nobody sends twice.
                    writer.write_eof()
                    await asyncio.wait_for(reader.read(), 2)
                finally:
                    writer.close()
                return None
            except (OSError, asyncio.TimeoutError) as problem:
                if time.monotonic() > until:
                    return f"{application['address']} -> {application['serverAddress']}:{port} ({problem or 'no answer'})"
                await asyncio.sleep(0.5)

    slots = asyncio.Semaphore(8)

    async def limited(application: dict[str, Any]) -> str | None:
        async with slots:
            return await one(application)

    answers = await asyncio.gather(*(limited(a) for a in settings["applications"]))
    print(json.dumps([a for a in answers if a]))


def main() -> None:
    with open(sys.argv[-1]) as file:
        settings = json.load(file)
    if sys.argv[1] == "check":
        asyncio.run(check(settings))
    else:

        async def run() -> None:
            await ClientHost(settings).run()

        asyncio.run(run())


if __name__ == "__main__":
    main()
