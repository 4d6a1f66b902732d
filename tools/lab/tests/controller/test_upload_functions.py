"""An intent with a utility function for what servers send and another one for what clients send: both agents of one connection."""

from __future__ import annotations

import contextlib
import sys

import pytest
from paceline_lab.networks.conversations import is_installed

from controller.office import ask
from switches.steps import eventually

pytestmark = pytest.mark.e2e
V1 = "/paceline/v1"
INTENT, PORT = "meeting/room", 7443
RULES = "unmatched: ignore\nrules: [{intent: meeting/room, match: {protocol: tcp, %s: 7443}}]\n"
# Both send a little all the time; the client connects anew until there is a server.
SERVE = """
import socket, sys, time
with socket.create_server(("", int(sys.argv[1]))) as ears:
    line, _ = ears.accept()
    while True:
        line.sendall(bytes(500))
        line.recv(65536)
        time.sleep(0.1)
"""
USE = """
import socket, sys, time
while True:
    try:
        line = socket.create_connection((sys.argv[2], int(sys.argv[1])), 5)
        break
    except OSError:
        time.sleep(0.2)
while True:
    line.sendall(bytes(500))
    line.recv(65536)
    time.sleep(0.1)
"""


@pytest.fixture
def meeting(onos, network, talking):
    """A client on a2 and its server on b1, each with an agent that names what its host sends by the server's port."""
    with contextlib.ExitStack() as undo:
        undo.callback(ask, onos, "DELETE", f"{V1}/intents/meeting")
        assert ask(onos, "PUT", f"{V1}/intents/{INTENT}?parents=true", {"utilityFunction": "web", "uploadUtilityFunction": "ssh"})[0] == 201
        undo.callback(network.end, network.agent("a2", RULES % "remotePort"))
        undo.callback(network.end, network.agent("b1", RULES % "localPort"))
        # An agent that ends before would leave its conversations to age out.
        undo.callback(eventually, lambda: not sent(onos), 90)
        undo.callback(network.end, network.popen(sys.executable, "-c", SERVE, str(PORT), host="b1"))
        undo.callback(network.end, network.popen(sys.executable, "-c", USE, str(PORT), network.hosts["b1"].address, host="a2"))
        yield


def sent(onos):
    """What each host sends of it."""
    return {one["host"]: one for one in onos.rest.conversations() if one["intent"] == INTENT}


def by_functions(onos, **wanted):
    """Both, once they are held to rates of just these functions."""
    found = sent(onos)
    if {host: one["utilityFunction"] for host, one in found.items()} != wanted or not all(map(is_installed, found.values())):
        return None
    tables = ask(onos, "GET", f"{V1}/intents")[1]["utilityFunctions"]
    rates = {host: tables[wanted[host]]["throughputKbps"] for host in found}
    return found if all(any(abs(one["grant"]["rateKbps"] - rate) < 0.001 for rate in rates[host]) for host, one in found.items()) else None


@pytest.mark.lasts(15)
def test_what_a_client_sends_has_the_function_of_uploads_and_its_answer_that_of_downloads(onos, meeting):
    found = eventually(lambda: by_functions(onos, a2="ssh", b1="web"))
    assert {host: one["direction"] for host, one in found.items()} == {"a2": "upload", "b1": "download"}
    for host, one in found.items():
        why = ask(onos, "GET", f"{V1}/explain/{host}/{one['id']}")[1]
        assert why["direction"] == one["direction"] and why["intent"]["utilityFunction"] == {"name": one["utilityFunction"], "from": INTENT}, why
    listed = ask(onos, "GET", "/paceline/restconf/data/paceline-conversations:conversations", accept="application/yang-data+json")[1]
    theirs = [one for one in listed["paceline-conversations:conversations"]["conversation"] if one["requested"]["intent"] == INTENT]
    assert {(one["host"], one["direction"], one["requested"]["utility-function"]) for one in theirs} == {("a2", "upload", "ssh"), ("b1", "download", "web")}
    # Over RESTCONF uploads get that of both directions again, and the difference is of uploads alone.
    node = f"/paceline/restconf/data/paceline-intents:intents/intent={INTENT.replace('/', '%2F')}/upload-utility-function"
    assert ask(onos, "GET", node, accept="application/yang-data+json")[1] == {"paceline-intents:upload-utility-function": "ssh"}
    tree = ask(onos, "GET", f"{V1}/intents")[1]
    for one in tree["intents"]:
        one.pop("uploadUtilityFunction", None)
    effects = ask(onos, "POST", f"{V1}/whatif", tree)[1]["effects"]
    assert [one["conversation"] for one in effects if one["conversation"].split("/")[0] in found] == [f"a2/{found['a2']['id']}"], effects
    assert ask(onos, "DELETE", node, accept="application/yang-data+json")[0] == 204
    eventually(lambda: by_functions(onos, a2="web", b1="web"))
