"""What a client host's users measure reaches the agents of their servers, and no user waits for it."""

import json
import queue
import socket
import socketserver
import threading

import pytest
from paceline_lab.traffic.client import ClientHost
from paceline_lab.traffic.kpi_reports import KpiReports, Measured, Sender

SERVER = "10.0.1.1"


class Door(socketserver.ThreadingUnixStreamServer):
    """Where an agent listens: notes each line with its connection's number, and answers it; refuses as many claims as it is told."""

    daemon_threads = True

    def __init__(self, path, refusals=0):
        super().__init__(str(path), Line)
        self.lines, self.connections, self.refusals = queue.Queue(), 0, refusals
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def heard(self):
        """So far: the connection, what it says, and of what."""
        found = []
        while not self.lines.empty():
            found.append(self.lines.get())
        return found


class Line(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.connections += 1
        number = self.server.connections
        for line in self.rfile:
            said = json.loads(line)
            refused = said["do"] == "claim" and self.server.refusals > 0
            self.server.refusals -= refused
            self.server.lines.put((number, said))
            self.wfile.write(b'{"error":"The process has no such socket."}\n' if refused else b'{"ok":true}\n')


@pytest.fixture
def door(tmp_path):
    with Door(tmp_path / "agent.sock") as made:
        yield made
        made.shutdown()


def page(user, seconds, port=40_000, server=SERVER):
    return Measured(user, "web-browsing/science_lab", Sender(socket.SOCK_STREAM, (server, 80), ("10.0.11.1", port)), {"page_load_s": seconds})


CLAIM = {"do": "claim", "intent": "web-browsing/science_lab", "socket": {"protocol": "tcp", "local": "10.0.1.1:80", "remote": "10.0.11.1:40000"}}


def load(seconds):
    return {"do": "report", "kpis": {"page_load_s": seconds}}


def test_a_user_claims_what_its_server_sends_once_and_reports_each_time(door):
    reports = KpiReports({SERVER: door.server_address})
    for seconds in (1.5, 2.0):
        reports.report(page("web-1", seconds))
    reports.report(page("web-1", 0.5, port=40_001))
    anew = {**CLAIM, "socket": {**CLAIM["socket"], "remote": "10.0.11.1:40001"}}
    assert door.heard() == [(1, CLAIM), (1, load(1.5)), (1, load(2.0)), (1, anew), (1, load(0.5))]


def test_each_user_speaks_for_itself(door):
    reports = KpiReports({SERVER: door.server_address})
    reports.report(page("web-1", 1.5))
    reports.report(page("web-2", 3.0, port=40_002))
    assert [number for number, _ in door.heard()] == [1, 1, 2, 2]


def test_of_each_user_the_latest_is_told_and_nobody_is_left_out(door):
    reports = KpiReports({SERVER: door.server_address}, pause_s=0.001)
    for one in (page("web-1", 1.0), page("web-2", 2.0), page("web-1", 3.0), page("web-3", 4.0)):
        reports.tell(one)
    reports.start()
    told = [said["kpis"]["page_load_s"] for _, said in (door.lines.get(timeout=60) for _ in range(6)) if said["do"] == "report"]
    assert told == [3.0, 2.0, 4.0]


def test_an_agent_that_is_away_hears_of_what_is_measured_when_it_is_back(tmp_path):
    path = tmp_path / "agent.sock"
    reports = KpiReports({SERVER: str(path)})
    reports.report(page("web-1", 1.0))
    with Door(path) as door:
        reports.report(page("web-1", 2.0))
        reports.said["web-1"][0]._socket.shutdown(socket.SHUT_RDWR)
        reports.report(page("web-1", 3.0))
        reports.report(page("web-1", 4.0))
        assert door.heard() == [(1, CLAIM), (1, load(2.0)), (2, CLAIM), (2, load(4.0))]
        door.shutdown()


def test_a_claim_that_is_refused_is_made_again_with_the_next_report(tmp_path):
    with Door(tmp_path / "agent.sock", refusals=1) as door:
        reports = KpiReports({SERVER: door.server_address})
        reports.report(page("web-1", 1.0))
        reports.report(page("web-1", 2.0))
        assert [said for _, said in door.heard()] == [CLAIM, CLAIM, load(2.0)]
        door.shutdown()


def test_where_a_server_has_no_agent_nothing_is_reported():
    reports = KpiReports({SERVER: "/nowhere"})
    reports.tell(page("web-1", 1.0, server="10.0.1.3"))
    assert reports.waiting == {}


def host(**more):
    web = {"id": "web-1", "kind": "web", "address": "10.0.11.1", "serverAddress": SERVER, "port": 80}
    return ClientHost({"seed": 1, "spreadS": 0, "sshCommand": [], "applications": [web, {**web, "id": "voip-1", "kind": "voip", "port": 5004}], **more})


def test_a_run_without_agents_reports_nothing():
    assert host().reports is None and host(agents={}).reports is None


def test_who_is_misnamed_claims_no_other_intent_than_the_rules():
    (user,) = host(agents={SERVER: "/nowhere"}, intents={"web-1": "ssh/admin"}).users
    assert user.measured(socket.SOCK_STREAM, 40_000, {}).intent == "ssh/admin"


def test_what_is_reported_is_what_the_demo_counts(capsys):
    client = host(agents={SERVER: "/nowhere"})
    (user,) = client.users
    user.connections = [type("Open", (), {"local_port": 40_000})]
    user.finished(1.23456789, 4.5, 1000)
    (one,) = client.reports.waiting.values()
    assert one == page("web-1", json.loads(capsys.readouterr().out)["kpi"]) and one.kpis == {"page_load_s": 1.234568}
    call = client.callers["voip-1"].measured(socket.SOCK_DGRAM, 5004, {"delay_ms": 5.0})
    assert (call.intent, call.sender) == ("voip/g729.1", Sender(socket.SOCK_DGRAM, (SERVER, 5004), ("10.0.11.1", 5004)))
