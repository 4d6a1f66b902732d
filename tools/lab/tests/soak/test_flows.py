"""Flows that a soak opens and closes: each tries its rate, and what comes of it is counted in frames."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time

from paceline_lab.checkout import LAB
from paceline_lab.soak.flows import FRAME


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def program(*words):
    return subprocess.Popen([sys.executable, "-m", "paceline_lab.soak.flows", *map(str, words)], cwd=LAB, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def eventually(true):
    until = time.monotonic() + 60
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def lines(file):
    return list(map(json.loads, file.read_text().rpartition("\n")[0].splitlines())) if file.exists() else []


def test_what_a_flow_sends_is_counted_at_both_ends_until_it_is_closed(tmp_path):
    there, local = free_port(), free_port()
    sent, came = tmp_path / "sent", tmp_path / "came"
    receiving, sending = program("receive", came, there), program("send", sent)
    name = f"127.0.0.1:{local}"

    def say(what):
        sending.stdin.write(json.dumps(what) + "\n")
        sending.stdin.flush()

    try:
        assert receiving.stdout.readline() == "listening\n"
        say({"open": local, "to": ["127.0.0.1", there], "kbps": [[1, 800], [1, 200]]})
        eventually(lambda: any(line["got"].get(name, 0) >= 20 * FRAME for line in lines(came)))
        say({"close": local})
        eventually(lambda: lines(sent)[-1]["tried"] == {})
        tried = max(line["tried"].get(str(local), 0) for line in lines(sent))
        eventually(lambda: max(line["got"].get(name, 0) for line in lines(came)) >= tried)
        assert tried % FRAME == 0
    finally:
        sending.stdin.close()
        assert sending.wait(60) == 0
        receiving.terminate()
        assert receiving.wait(60) == 0
