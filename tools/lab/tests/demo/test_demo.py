"""The whole: real ONOS with the application, real agents, real traffic; and what a machine that lacks something says."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from paceline_lab.checkout import LAB

from demo.test_best_effort import leftovers

pytestmark = pytest.mark.e2e


def demo(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "paceline_lab", "demo", *words],
        env={**os.environ, "PYTHONPATH": str(LAB)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_an_interrupt_while_onos_starts_leaves_nothing(tmp_path):
    process = demo("--applications", "10", "--out", str(tmp_path))
    time.sleep(10)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=300)[0]
    assert process.returncode == 130, said
    assert leftovers() == set()
    assert not listening(6653) and not listening(8181)


def test_a_port_in_use_is_named_and_nothing_is_made(tmp_path):
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 9559))
        other.listen()
        process = demo("--out", str(tmp_path))
        said = process.communicate(timeout=180)[0]
    assert process.returncode == 2
    assert "9559 (host agents)" in said
    assert leftovers() == set()
