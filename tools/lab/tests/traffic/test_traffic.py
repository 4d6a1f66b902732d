"""What clients of a run say, and what is left of them."""

import subprocess
import sys
import threading

from paceline_lab.demo.traffic import Traffic

SAYS = """
import json
print(json.dumps({"id": "web-1", "utility": 4.5}), flush=True)
print(json.dumps({"event": "broken"}), flush=True)
"""


def test_the_pipe_of_a_client_that_has_ended_is_closed():
    run = Traffic.__new__(Traffic)  # what a network and servers are for is not asked here
    run.records, run.latest, run.broken, run.lock = [], {}, 0, threading.Lock()
    client = subprocess.Popen([sys.executable, "-c", SAYS], stdout=subprocess.PIPE)
    run.read("plcli1", client)
    assert client.wait(60) == 0
    assert client.stdout.closed
    assert (run.records, run.latest, run.broken) == (
        [{"id": "web-1", "utility": 4.5, "host": "plcli1"}, {"event": "broken", "host": "plcli1"}], {"web-1": 4.5}, 1,
    )  # fmt: skip
