"""YANG notifications of a running ONOS: what happens is told to who listens, as the modules have it, and can be heard again."""

from __future__ import annotations

import base64
import contextlib
import socket
import subprocess

import pytest
from paceline_lab.networks.space import entered, inside

from northbound.listener import RESTCONF, Listener
from northbound.yang_judge import ACCEPTED, verdict
from switches.steps import eventually

pytestmark = pytest.mark.e2e

STATE = "ietf-restconf-monitoring:restconf-state"
BUFFERS = "/proc/sys/net/ipv4/tcp_wmem"
LONG_AGO = "start-time=2020-01-01T00:00:00Z"


@pytest.fixture
def listen(onos):
    return lambda stream, user="onos:rocks": Listener.inside(onos.space.namespace, stream, user)


def without_time(notification):
    return {name: held for name, held in notification.items() if name != "eventTime"}


def test_what_changes_is_told_as_the_modules_have_it_and_can_be_heard_again(admin, network, listen, tmp_path):
    with listen("changes", "vera:secret") as viewer, listen("changes") as another:
        assert (viewer.status, viewer.type) == (200, "text/event-stream")
        version = admin.get("policy").json["version"] + 1
        assert admin.send("PUT", "intents/voip", {"priority": 2 + version % 2}, Change_Ticket="CHG0030040").status == 200
        wish = {"intent": "voip", "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": 100, "durationSeconds": 60}
        made = admin.send("POST", "reservations", wish).json["id"]
        assert admin.send("POST", f"reservations/{made}/commit", {}).status == 200
        assert admin.send("DELETE", f"reservations/{made}").status == 204
        for one in (viewer, another):
            eventually(lambda one=one: len(one.of("paceline-reservations:reservation-changed")) == 3)
            (policy,) = one.of("paceline-policy:policy-changed")
            assert (policy["version"], policy["actor"], policy["ticket"]) == (str(version), "onos", "CHG0030040")
            steps = [(each["id"], each["step"]) for each in one.of("paceline-reservations:reservation-changed")]
            assert steps == [(made, "held"), (made, "committed"), (made, "cancelled")]
        # What ports drop on a busy machine is an alarm, too, and may come before the second listens.
        eventually(lambda: viewer.told[-len(another.told) :] == another.told)
    for told in viewer.told:
        assert verdict("notif", without_time(told), tmp_path) == ACCEPTED
    with listen(f"changes?start-time={viewer.told[0]['eventTime']}&stop-time={viewer.told[-1]['eventTime']}") as late:
        assert late.ended.wait(60)
        assert late.told == viewer.told


def test_each_plan_is_told_on_a_stream_of_its_own(admin, network, listen, tmp_path):
    call = {"id": "told", "intent": "voip", "localAddress": "10.20.0.1", "remoteAddress": "10.20.0.2"}
    with listen("plans") as listener:
        assert admin.send("POST", "conversations", call).status == 201
        eventually(lambda: any(plan["granted"] == 1 for plan in listener.of("paceline-plan:plan-changed")))
        assert admin.send("DELETE", "conversations/announced/told").status == 204
        eventually(lambda: listener.of("paceline-plan:plan-changed")[-1]["granted"] == 0)
    versions = [int(plan["version"]) for plan in listener.of("paceline-plan:plan-changed")]
    assert versions == sorted(set(versions))
    assert verdict("notif", without_time(listener.told[0]), tmp_path) == ACCEPTED


def test_who_does_not_read_is_dropped_and_holds_up_nobody(onos, admin, tidy, listen):
    """It is told what was kept, at once, and takes none of it: the lines' buffers are made small, so that it is not the kernel that keeps it."""
    before = run(onos, "cat", BUFFERS)
    run(onos, "sh", "-c", f"echo 4096 4096 4096 >{BUFFERS}")
    try:
        with listen("changes") as reader:
            for number in range(150):
                assert admin.send("PUT", "intents/voip", {"priority": 50 + number}).status == 200
            with stopped(onos.space.namespace, f"changes?{LONG_AGO}") as line:
                for number in range(150, 200):
                    assert admin.send("PUT", "intents/voip", {"priority": 50 + number}).status == 200
                eventually(lambda: len(reader.of("paceline-policy:policy-changed")) == 200)
                assert admin.get("state").status == 200
                # The web server waits for it as long as for any silent line, and not longer.
                eventually(lambda: not is_held(onos, line), 180)
            versions = [int(one["version"]) for one in reader.of("paceline-policy:policy-changed")]
            assert versions == list(range(versions[0], versions[0] + 200))
    finally:
        run(onos, "sh", "-c", f"echo {before} >{BUFFERS}")

@contextlib.contextmanager
def stopped(namespace, stream):
    """The port of a listener that never reads what it is told."""
    login = base64.b64encode(b"onos:rocks").decode()
    with entered(namespace):
        line = socket.socket()
    with line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.connect(("127.0.0.1", 8181))
        line.sendall(f"GET {RESTCONF}/streams/{stream} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic {login}\r\nAccept: text/event-stream\r\n\r\n".encode())
        yield line.getsockname()[1]


def is_held(onos, port):
    """Whether the server has the line to this client's port."""
    return run(onos, "ss", "-Htn", "state", "established", "sport", "=", ":8181", "dport", "=", f":{port}") != ""


def run(onos, *words):
    return subprocess.run(inside(onos.space.namespace, *words), check=True, capture_output=True, text=True).stdout.strip()


def test_the_streams_are_named_where_the_rfc_wants_it_and_refusals_are_its_errors(admin, tmp_path):
    state = admin.get(f"..{RESTCONF.removeprefix('/onos/paceline')}/data/{STATE}").json
    streams = {one["name"]: one for one in state[STATE]["streams"]["stream"]}
    assert set(streams) == {"changes", "plans"}
    assert verdict("data", state, tmp_path) == ACCEPTED
    for name, stream in streams.items():
        (access,) = stream["access"]
        assert access == {"encoding": "json", "location": f"{RESTCONF}/streams/{name}"}
    for path, status in (("nothing", 404), ("changes?start-time=now", 400), (f"changes?{LONG_AGO}&stop-time=2019-01-01T00:00:00Z", 400)):
        refused = admin.get(f"../restconf/streams/{path}")
        assert refused.status == status
        assert refused.json["ietf-restconf:errors"]["error"][0]["error-message"]
