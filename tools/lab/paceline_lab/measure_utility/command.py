"""A command on the client that prints KPIs, a JSON object a line: read one by one, and started again where it ends."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from typing import Any

from .applications import environment
from .hosts import TwoHosts
from .models import Model

# Of a sample that there is none of: how long it was waited for, or with what the command has failed.
TOO_LONG, FAILED = "tooLongS", "failed"
ENDS_S, AGAIN_S = 5.0, 0.2


class Command:
    def __init__(self, hosts: TwoHosts, words: list[str], model: Model, served_at: float):
        """`served_at`, by the monotonic clock: until then a command that fails has only found no server yet, and is started again."""
        self.hosts = hosts
        self._served_at = served_at
        self.words = words
        self.model = model
        self._process: subprocess.Popen[bytes] | None = None
        self._unread = b""
        self._said = 0

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *_: Any) -> None:
        self._end()

    def sample(self, patience_s: float, may_fail: bool) -> dict[str, float]:
        """The next. Where the command fails or takes too long that is what it is; RuntimeError where it may not do so yet."""
        until = time.monotonic() + patience_s
        while True:
            if self._process is None:
                self._begin()
            line = self._line(until)
            if line is None:
                self._end()
                if not may_fail:
                    raise RuntimeError(f"the command has printed no sample within {patience_s:g} s. Maybe a longer --timeout: {self.last_words('use')}")
                return {TOO_LONG: patience_s}
            if line:
                if line.lstrip().startswith(b"{"):
                    self._said += 1
                    return self._checked(line)
                continue
            # The end of what it prints. One that has printed samples and ends well is started again.
            code, said = self._end(ENDS_S), self._said
            if code == 0 and said:
                continue
            if time.monotonic() < self._served_at:
                time.sleep(AGAIN_S)
                continue
            if not may_fail:
                why = f"ended with {code}" if code else "printed no KPI, a JSON object a line,"
                raise RuntimeError(f"the command has {why} before there was a sample: {self.last_words('use')}")
            return {FAILED: float(code)}

    def last_words(self, log: str) -> str:
        file = self.hosts.directory / f"{log}.log"
        return file.read_text(errors="replace").strip()[-500:] if file.exists() else ""

    def _checked(self, line: bytes) -> dict[str, float]:
        try:
            sample = {name: float(value) for name, value in json.loads(line).items() if isinstance(value, (int, float))}
            self.model.utility(sample)
        except ValueError as problem:
            raise RuntimeError(f"the command has printed {line.decode(errors='replace').strip()[:200]}: {problem}") from None
        return {name: sample[name] for name in self.model.kpis}

    def _begin(self) -> None:
        self._unread, self._said = b"", 0
        self._process = self.hosts.popen(
            *self.words, host=self.hosts.client.name, stdout=subprocess.PIPE, stderr=self.hosts.log("use"), env=environment()
        )

    def _line(self, until: float) -> bytes | None:
        """The next; none where it does not come in time, and an empty one at the end of the output."""
        assert self._process and self._process.stdout
        output = self._process.stdout.fileno()
        while b"\n" not in self._unread:
            left = until - time.monotonic()
            if left <= 0 or not select.select([output], [], [], left)[0]:
                return None
            piece = os.read(output, 65536)
            if not piece:
                return b""
            self._unread += piece
        line, self._unread = self._unread.split(b"\n", 1)
        return line + b"\n"

    def _end(self, by_itself_s: float = 0.0) -> int:
        """With all that it has started; one that has closed its output may still end by itself. Its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        assert process.stdout
        process.stdout.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(by_itself_s)
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, number)
                process.wait(ENDS_S)
        return process.returncode
