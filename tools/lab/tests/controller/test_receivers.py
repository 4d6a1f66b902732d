"""A host with an agent receives from one without: the receiver holds it, until the sender has an agent of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest
from office import RULES, is_untouched
from switches.steps import eventually

from paceline_lab.managed import is_installed

pytestmark = pytest.mark.e2e
PORT = 5090
RECEIVES = f"""rules:
  - intent: file-download/emailattach
    direction: in
    match: {{protocol: tcp, remotePort: {PORT}}}
"""
SERVE = f"""
import socket, sys, time
size, pause = int(sys.argv[1]), float(sys.argv[2])
server = socket.create_server(("", {PORT}))
print("listening", flush=True)
while True:
    connection, _ = server.accept()
    try:
        while True:
            connection.sendall(bytes(size))
            time.sleep(pause)
    except OSError:
        connection.close()
"""
FETCH = f"""
import socket, sys
connection = socket.create_connection((sys.argv[1], {PORT}))
while connection.recv(65536):
    pass
"""


def download(network, source, size=65536, pause=0.0):
    """By b1, from a server on the source that sends so many bytes at once and then pauses; all it can unless told."""
    words = [sys.executable, "-c", SERVE, str(size), str(pause)]
    server = network.popen(*words, host=source, stdout=subprocess.PIPE, text=True)
    assert server.stdout.readline() == "listening\n"
    return server, network.popen(sys.executable, "-c", FETCH, network.hosts[source].address, host="b1")


def test_what_comes_from_a_host_without_an_agent_is_held_where_it_arrives(onos, network, talking):
    def received(source, state):
        """What b1 announced of this sender, once it is in that state."""
        address = network.hosts[source].address
        found = [c for c in onos.rest.conversations() if c["host"] == "b1" and c["localAddress"] == address]
        return next((one for one in found if one["state"] == state), None)

    def classes():
        return network.host("b1", "tc", "class", "show", "dev", "paceline-in", check=False)

    running = [network.agent("b1", RECEIVES), *download(network, "a2"), *download(network, "a1", 1000, 0.1)]
    try:
        one = eventually(lambda: (c := received("a2", "granted")) and is_installed(c) and c, 60)
        assert one["enforcement"] == "receiver"
        assert (one["remoteAddress"], one["localPort"]) == (talking, PORT)
        assert [(element["kind"], element["at"]) for element in one["elements"]] in ([], [("pacing_class", "b1")])
        # What arrives is what was granted; not less either, once the stream has found its pace.
        eventually(
            lambda: (c := received("a2", "granted"))
            and 0.8 <= c["measured"].get("rateKbps", 0) / c["installed"]["rateKbps"] <= 1.05,
            60,
        )
        # Who has an agent speaks for itself.
        assert "(a1)" in eventually(lambda: received("a1", "unserved"))["reason"]
        running.append(network.agent("a2", RULES))
        assert "(a2)" in eventually(lambda: received("a2", "unserved"), 60)["reason"]
        eventually(lambda: "ace1:fffe" in classes() and len(classes().splitlines()) == 1)
    finally:
        for process in reversed(running):
            network.end(process)
        # Whose agent has ended keeps its share for a while; the tests after this one reckon with nobody else.
        eventually(lambda: {c["host"] for c in onos.rest.conversations()} == {"a1"}, 90)
    assert is_untouched(network, "b1") and is_untouched(network, "a2")
    assert "paceline-in" not in network.host("b1", "ip", "link", "show")
