"""What ends a process."""

from __future__ import annotations

import platform
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from onos_runtime.process import ProcessId

_EXIT = {"x86_64": 60, "aarch64": 93}

# Listens in a second thread, and ends its first one: as a great Java process does for moments while it dies.
_PROGRAM = """
import ctypes, socket, sys, threading, time
def listen():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    time.sleep(60)
threading.Thread(target=listen).start()
ctypes.CDLL(None).syscall(int(sys.argv[1]), 0)
"""


@pytest.mark.skipif(platform.machine() not in _EXIT, reason="the number of exit(2) is known for x86-64 and ARM only")
def test_a_process_whose_first_thread_has_ended_lives_while_another_holds_its_port():
    child = subprocess.Popen([sys.executable, "-c", _PROGRAM, str(_EXIT[platform.machine()])], stdout=subprocess.PIPE, text=True)
    try:
        process = ProcessId.of(child.pid)
        port = int(child.stdout.readline())
        deadline = time.monotonic() + 30
        while Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert process.is_alive()
        process.stop(10)
        assert not process.is_alive()
        with socket.socket() as again:
            again.bind(("127.0.0.1", port))
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
