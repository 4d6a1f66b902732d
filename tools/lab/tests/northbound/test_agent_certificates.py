"""Real agents at a running ONOS that asks for certificates: who is let in, and what the others and ONOS's log are told."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import time

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.networks.agents import command, java
from paceline_lab.networks.shell import login, say
from paceline_lab.networks.space import entered

from northbound.http_client import Client
from northbound.yang_judge import ACCEPTED, verdict
from switches.steps import eventually

pytestmark = pytest.mark.e2e

CERTIFICATES = ROOT / "tools/certificates"
SETTINGS = "/v1/configuration/org.paceline.onos.PacelineComponent"
ACTIVE = "/v1/applications/org.paceline.app/active"
HOST = "n1"


def make(directory, *words):
    subprocess.run([CERTIFICATES, directory, *words], check=True, capture_output=True)


def start_again(onos, admin, directory, mode):
    onos.rest.call("POST", SETTINGS, {"tlsDirectory": str(directory)})
    # ONOS tells an application of its settings up to a second after it has accepted them, and one that stops before that
    # starts without them. Where it follows what was set last, it has been told all.
    onos.rest.call("POST", SETTINGS, {"mode": mode})
    eventually(lambda: admin.get("state").json["mode"] == mode)
    onos.rest.call("DELETE", ACTIVE)
    eventually(lambda: not admin.is_up())
    onos.rest.call("POST", ACTIVE)
    eventually(admin.is_up)


@pytest.fixture(scope="module")
def house(onos, network, tmp_path_factory):
    """The certificates of two hosts by an authority that the controller trusts, one that is over, and one by an authority of somebody else's."""
    directory = tmp_path_factory.mktemp("tls")
    make(directory / "house", HOST, "n2")
    make(directory / "strange", HOST)
    shutil.copytree(directory / "house", directory / "old")
    make(directory / "old", "--days", "0", HOST)
    # Its last second is over when the next has begun.
    time.sleep(1.1)
    return directory


@pytest.fixture(scope="module")
def asking(onos, house):
    admin = Client(onos.space.namespace, "onos", "rocks")
    start_again(onos, admin, house / "house", "shadow")
    yield house / "house"
    start_again(onos, admin, onos.space.tls, "enforce")


class Agent:
    """One on the host, with these words in its configuration; it ends with the test."""

    def __init__(self, network, folder, words):
        (folder / "rules.yaml").write_text("rules: [{intent: voip, match: {protocol: udp, localPort: 5004}}]\n")
        config = folder / "agent.yaml"
        config.write_text(f"controller: {network.hosts[HOST].management}:9559\nhostId: {HOST}\ninterfaces: [eth0]\nrules: rules.yaml\n{words}")
        self.text = folder / "agent.log"
        with open(self.text, "wb") as log:
            self.process = network.popen(*command(config), host=HOST, stdout=log, stderr=subprocess.STDOUT)

    def says(self, text):
        return text in self.text.read_text(errors="replace")

    def close(self):
        self.process.terminate()
        self.process.wait(30)


def tls(authority, certificate, name=HOST):
    return f"tls: {{authority: {authority}/ca.pem, certificate: {certificate}/{name}.pem, key: {certificate}/{name}.key}}\n"


@pytest.fixture
def agent(network, tmp_path):
    started = []

    def start(words=""):
        started.append(Agent(network, tmp_path, words))
        return started[-1]

    yield start
    for one in started:
        one.close()


def hosts(admin):
    return [one["host"] for one in admin.get("agents").json["agents"]]


def reaches(namespace, address):
    with entered(namespace), socket.socket() as caller:
        return caller.connect_ex((address, 9559)) == 0


def test_as_up_leaves_it_nobody_without_a_certificate_is_let_in(onos, admin, network, agent):
    assert admin.get("state").json["agentsPort"].startswith("0.0.0.0:9559, with certificates of both sides")
    before = len(onos.log())
    started = agent()
    eventually(lambda: "is not let in: " in onos.log()[before:])
    eventually(lambda: started.says("UNAVAILABLE"))
    assert hosts(admin) == []


def test_a_setting_binds_it_to_one_address(onos, admin, network):
    management = network.hosts[HOST].management
    try:
        onos.rest.call("POST", SETTINGS, {"bindAddress": management})
        start_again(onos, admin, onos.space.tls, "shadow")
        assert admin.get("state").json["agentsPort"].startswith(f"{management}:9559, with certificates of both sides")
        assert reaches(network.namespace(HOST), management)
        assert not reaches(onos.space.namespace, "127.0.0.1")
    finally:
        onos.rest.call("DELETE", SETTINGS, {"bindAddress": management})
        start_again(onos, admin, onos.space.tls, "enforce")
    assert reaches(onos.space.namespace, "127.0.0.1")


def test_without_certificates_it_is_there_for_its_own_machine_only(onos, admin, network):
    management = network.hosts[HOST].management
    assert reaches(network.namespace(HOST), management)
    start_again(onos, admin, "", "shadow")
    try:
        assert admin.get("state").json["agentsPort"] == "127.0.0.1:9559, unencrypted, from this machine only"
        assert reaches(onos.space.namespace, "127.0.0.1")
        assert not reaches(network.namespace(HOST), management)
    finally:
        start_again(onos, admin, onos.space.tls, "enforce")


def test_an_agent_with_its_own_certificate_is_let_in_and_listed(onos, admin, network, asking, agent, tmp_path):
    started = agent(tls(asking, asking))
    eventually(lambda: hosts(admin) == [HOST])
    eventually(lambda: started.says(f"attached to {network.hosts[HOST].management}:9559 (node "))
    assert f"\n{HOST} " in say(onos.space.namespace, login(tmp_path, "rocks"), "paceline:agents")


# What the agent and ONOS say: of a failed handshake each side knows its own half.
@pytest.mark.parametrize(
    ("authority", "certificate", "name", "agent_says", "onos_says"),
    [
        ("house", "house", "n2", "The host id (n1) is not the one of the certificate, which names (n2)", "is refused: The host id (n1) is not the one"),
        ("house", "old", HOST, "certificate_unknown", "is not let in: "),
        ("house", "strange", HOST, "certificate_unknown", "is not let in: "),
        ("strange", "house", HOST, "PKIX", "is not let in: "),
    ],
    ids=["another host's", "expired", "of a foreign authority", "the agent trusts another authority"],
)
def test_another_certificate_is_refused_and_both_logs_say_why(onos, admin, house, asking, agent, authority, certificate, name, agent_says, onos_says):
    before = len(onos.log())
    started = agent(tls(house / authority, house / certificate, name))
    eventually(lambda: started.says(agent_says))
    eventually(lambda: onos_says in onos.log()[before:])
    assert hosts(admin) == []


def test_an_agent_without_certificates_is_refused(onos, admin, asking, agent):
    before = len(onos.log())
    started = agent()
    eventually(lambda: "is not let in: " in onos.log()[before:])
    eventually(lambda: started.says("UNAVAILABLE"))
    assert hosts(admin) == []


def test_a_caller_that_trusts_the_house_and_shows_no_certificate_is_refused(onos, admin, network, asking):
    context = ssl.create_default_context(cafile=asking / "ca.pem")
    context.set_alpn_protocols(["h2"])
    with entered(network.namespace(HOST)):
        plain = socket.create_connection((network.hosts[HOST].management, 9559), timeout=60)
    # Whoever comes to enrol has none; who does nothing is not kept.
    with plain, context.wrap_socket(plain, server_hostname="paceline-controller") as line:
        line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
        with pytest.raises((ssl.SSLError, ConnectionError)):
            while line.recv(4096):
                pass
            raise ConnectionError("ended without a word")
    assert hosts(admin) == []


def enrol(network, directory, token):
    words = ("enrol", "--controller", network.hosts[HOST].management, "--directory", str(directory), token)
    process = network.popen(*java(), *words, host=HOST, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, error = process.communicate(timeout=60)
    return process.returncode, out.decode(), error.decode()


class OverRest:
    def __init__(self, admin, _folder):
        self.admin = admin

    def make(self, host):
        made = self.admin.send("POST", "enrolment-tokens", {"host": host})
        assert made.status == 201
        return made.json

    def tokens(self):
        return self.admin.get("enrolment-tokens").json["tokens"]

    def withdraw(self, token):
        return self.admin.send("DELETE", f"enrolment-tokens/{token}").status

    def certificates(self):
        return [(one["host"], one["inForce"]) for one in self.admin.get("agent-certificates").json["certificates"]]

    def revoke(self, host):
        return self.admin.send("DELETE", f"agent-certificates/{host}").status


class OverRestconf:
    """As whoever manages other devices so; all state that is read is held against the module."""

    def __init__(self, admin, folder):
        self.admin, self.folder = admin, folder

    def call(self, name, asked):
        body = {"paceline-enrolment:input": asked}
        return self.admin.send("POST", f"../restconf/operations/paceline-enrolment:{name}", body, Content_Type="application/yang-data+json")

    def read(self, container, entries):
        read = self.admin.get(f"../restconf/data/paceline-enrolment:{container}").json
        assert verdict("data", read, self.folder) == ACCEPTED
        return read[f"paceline-enrolment:{container}"].get(entries, [])

    def make(self, host):
        made = self.call("make-token", {"host": host})
        assert made.status == 200
        return made.json["paceline-enrolment:output"]

    def tokens(self):
        return self.read("enrolment-tokens", "token")

    def withdraw(self, token):
        return self.call("withdraw-token", {"id": token}).status

    def certificates(self):
        return [(one["host"], one["in-force"]) for one in self.read("agent-certificates", "certificate")]

    def revoke(self, host):
        return self.call("revoke-certificates", {"host": host}).status


@pytest.fixture(params=[OverRest, OverRestconf])
def over(request, admin, tmp_path):
    return request.param(admin, tmp_path)


def test_a_host_enrols_by_a_token_once_attaches_and_is_out_when_it_is_revoked(onos, admin, network, asking, agent, tmp_path, over):
    made = over.make(HOST)
    token = made.pop("token")
    assert over.tokens() == [made]
    code, said, error = enrol(network, tmp_path / "own", token)
    assert code == 0, error
    assert f'hostId: "{HOST}"' in said
    assert over.tokens() == []
    code, _, error = enrol(network, tmp_path / "other", token)
    assert code == 2 and "PERMISSION_DENIED" in error
    operations = [one["operation"] for one in admin.get("changes?limit=20").json["changes"]]
    assert {f"A token for ({HOST}) to enrol is made.", f"The host ({HOST}) enrols by its token."} <= set(operations)
    assert token not in onos.log()
    own = next(line for line in said.splitlines() if line.startswith("tls: ")) + "\n"
    started = agent(own)
    eventually(lambda: hosts(admin) == [HOST])
    assert (HOST, True) in over.certificates()
    left = over.make(HOST)
    assert over.revoke(HOST) == 204
    eventually(lambda: hosts(admin) == [])
    eventually(lambda: started.says(f"NOT_AUTHORISED: The certificate of ({HOST}) with the serial number ("))
    assert started.process.wait(60) == 2
    assert (HOST, False) in over.certificates() and (HOST, True) not in over.certificates()
    assert over.revoke(HOST) == 404
    assert over.tokens() == []
    code, _, error = enrol(network, tmp_path / "again", left["token"])
    assert code == 2 and "PERMISSION_DENIED" in error
    again = agent(own)
    assert again.process.wait(60) == 2 and again.says("NOT_AUTHORISED")
    # What it was given otherwise was revoked, too.
    make(asking, HOST)


def test_by_a_token_that_is_withdrawn_nobody_enrols(admin, network, asking, tmp_path, over):
    made = over.make(HOST)
    assert over.withdraw(made["id"]) == 204
    assert over.tokens() == []
    code, _, error = enrol(network, tmp_path / "own", made["token"])
    assert code == 2 and "PERMISSION_DENIED" in error
    assert over.withdraw(made["id"]) == 404


def test_what_is_renewed_is_used_and_what_is_revoked_is_ended_without_a_restart(onos, admin, network, asking, agent):
    started = agent(tls(asking, asking))
    eventually(lambda: hosts(admin) == [HOST])
    before = admin.get("state").json["agentsPort"]
    (asking / "controller.pem").unlink()
    make(asking, "--days", "100")
    eventually(lambda: admin.get("state").json["agentsPort"] != before)
    assert hosts(admin) == [HOST]

    make(asking, "--revoke", HOST)
    eventually(lambda: started.says(f"NOT_AUTHORISED: The certificate of ({HOST}) with the serial number ("))
    eventually(lambda: hosts(admin) == [])
    assert started.process.wait(60) == 2
    make(asking, HOST)
    agent(tls(asking, asking))
    eventually(lambda: hosts(admin) == [HOST])
