"""What cannot be: each a clear error with a way out, and nothing changed or half-installed."""

from __future__ import annotations

import contextlib
import errno
import socket

import pytest
from paceline_lab.checkout import app_archive
from paceline_lab.networks.shell import login, say
from paceline_lab.networks.space import entered

from controller.office import APPLICATIONS, FILES, PACELINE, RULES, VOICE, ask, at_rest, is_untouched, refused_agent, waiting_agent, wanted
from switches.steps import announce, announced, conversations, end, eventually, limits, settled

pytestmark = pytest.mark.e2e
LINK = "of:0000000000000001/100-of:0000000000000002/100"
SETTINGS = "/v1/configuration/org.paceline.onos.PacelineComponent"
NOBODY = "10.20.0.77"


@pytest.mark.parametrize(
    "host_id, rules, options, says",
    [
        ("a2", RULES, ["--protocol-version", "99"], ["(99)", "version (1)", "Maybe"]),
        ("a2", "rules: [{intent: voip/g729.1, match: {protocoll: udp}}]\n", [], ["rules.yaml", "protocoll"]),
    ],
    ids=["wrong protocol version", "unknown word in the rules"],
)
def test_an_agent_that_cannot_be_is_refused_and_touches_nothing(onos, network, talking, tmp_path, host_id, rules, options, says):
    before = at_rest(onos)
    done = refused_agent(network, tmp_path, "a2", host_id, rules, *options)
    assert done.returncode == 2, done.stdout + done.stderr
    for word in says:
        assert word in done.stderr + done.stdout
    assert is_untouched(network, "a2")
    assert wanted(onos) == before


def test_a_second_host_of_the_same_id_waits_and_touches_nothing(onos, network, talking, tmp_path):
    before = at_rest(onos)
    said = waiting_agent(network, tmp_path, "a2", "a1", RULES, "attached already")
    assert "(a1)" in said and "Maybe" in said and "nothing is paced" in said
    assert is_untouched(network, "a2")
    assert wanted(onos) == before


def test_a_conversation_to_an_unknown_host_is_unserved_with_the_reason(onos, network, talking):
    grants = at_rest(onos)["grants"]
    announce(onos.rest, "nowhere", network.hosts["a2"].address, NOBODY, 6400, "voip/g729.1")
    try:
        one = eventually(lambda: (c := announced(onos.rest, "nowhere")) and c["reason"] and c)
        assert NOBODY in one["reason"] and "Maybe" in one["reason"]
        assert one["state"] == "unserved" and "grant" not in one
        assert wanted(onos)["grants"] == grants
        assert not network.rules(1, f"nw_dst={NOBODY}") and not network.rules(1, "tp_dst=6400")
        eventually(lambda: not limits(network, 1))
    finally:
        end(onos.rest, "nowhere")
    eventually(lambda: announced(onos.rest, "nowhere") is None)


def test_an_agents_conversation_to_an_unknown_host_is_refused_and_the_others_go_on(onos, network, talking):
    before = at_rest(onos)
    # Nobody answers for the address; with this the packets leave all the same.
    network.host("a1", "ip", "neighbour", "replace", NOBODY, "lladdr", "02:00:00:00:20:77", "dev", "eth0")
    said = network.probe("a1", "send", f"lost:{VOICE + 1}:{NOBODY}:{VOICE + 1}:50:60")
    try:
        one = eventually(lambda: (c := conversations(onos.rest, NOBODY).get(VOICE + 1)) and c["reason"] and c)
        assert one["state"] == "unserved" and NOBODY in one["reason"] and "Maybe" in one["reason"]
        assert wanted(onos)["grants"] == before["grants"]
        assert not network.rules(1, f"nw_dst={NOBODY}")
        log = network.directory / "agent-a1.log"
        eventually(lambda: f"the controller refused {one['id']}" in log.read_text())
    finally:
        network.harvest(said)
    eventually(lambda: wanted(onos) == before)


def test_a_capacity_of_nothing_is_refused_with_its_link(onos, network, talking):
    before = at_rest(onos)
    for settings, says in (
        ({"capacityKbps": 0}, "must be above 0"),
        ({"capacityKbps": -5, "delayMs": 5}, "(-5"),
        ({"capacity": 100}, "capacityKbps"),
    ):
        status, answer = ask(onos, "POST", "/v1/network/configuration", {"links": {LINK: {"paceline": settings}}})
        assert status >= 400 or status == 207, answer
        assert says in str(answer) and LINK in str(answer)
        assert wanted(onos) == before


def test_the_archive_installed_twice_is_refused_and_the_first_goes_on(onos, network, talking):
    before = at_rest(onos)
    archive = app_archive().read_bytes()
    status, answer = ask(onos, "POST", f"{APPLICATIONS}?activate=true", archive, "application/octet-stream")
    assert status == 409, answer
    assert ask(onos, "GET", PACELINE)[1]["state"] == "ACTIVE"
    assert wanted(onos) == before


@contextlib.contextmanager
def held(namespace, port):
    with entered(namespace):
        holder = socket.socket()
    with holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)

        def takes():
            """Who had it before may just be leaving it."""
            try:
                holder.bind(("0.0.0.0", port))
            except OSError as taken:
                if taken.errno != errno.EADDRINUSE:
                    raise
                return False
            return True

        eventually(takes)
        holder.listen()
        yield


def stopped(onos):
    assert ask(onos, "DELETE", f"{PACELINE}/active")[0] < 300
    eventually(lambda: ask(onos, "GET", "/paceline/v1/state")[0] in (404, 503))


def preset(onos, **settings):
    status, answer = ask(onos, "POST", f"{SETTINGS}?preset=true", settings)
    assert status < 300, answer


def starts(onos):
    return ask(onos, "GET", "/paceline/v1/state")[0] == 200


def refuses_to_start(onos, *words):
    status, answer = ask(onos, "GET", "/paceline/v1/state")
    return status == 503 and all(word in str(answer) for word in words)


def shell(onos, folder, command):
    return say(onos.space.namespace, login(folder), command)


def alarms(onos):
    return {one.get("setting"): one["sentence"] for one in ask(onos, "GET", "/paceline/v1/alarms")[1]["alarms"]}


def test_stored_settings_that_cannot_be_used_are_replaced_one_by_one_with_an_alarm(onos, network, talking, tmp_path):
    before = at_rest(onos)
    stopped(onos)
    preset(onos, mode="nonsense", usableThousandths="5000", requestsPerSecond="many", lendThousandths="7")
    ask(onos, "POST", f"{PACELINE}/active")
    eventually(lambda: starts(onos))
    eventually(lambda: {"mode", "usableThousandths", "requestsPerSecond"} <= set(alarms(onos)))
    said = alarms(onos)
    assert "(nonsense)" in said["mode"] and "it is (enforce)" in said["mode"] and "Maybe" in said["mode"]
    assert "(5000)" in said["usableThousandths"] and "it is (960)" in said["usableThousandths"]
    assert "(many)" in said["requestsPerSecond"]
    assert "lendThousandths" not in said
    assert ask(onos, "GET", "/paceline/v1/state")[1]["mode"] == "enforce"
    # Its commands are there, and say so, too.
    assert "setting mode" in shell(onos, tmp_path, "paceline:alarms")
    # What ONOS would hand over a moment later does not end the alarm: it is stored still.
    preset(onos, mode="enforce", usableThousandths="960", requestsPerSecond="100", lendThousandths="0")
    eventually(lambda: not {"mode", "usableThousandths", "requestsPerSecond"} & set(alarms(onos)))
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
    eventually(lambda: wanted(onos) == before)


def test_what_keeps_it_from_starting_is_named_with_a_way_out_that_works(onos, network, talking, tmp_path):
    before = at_rest(onos)
    stopped(onos)
    with held(onos.space.namespace, 9559):
        ask(onos, "POST", f"{PACELINE}/active")
        eventually(lambda: refuses_to_start(onos, "9559", "Maybe", "cfg preset"))
        eventually(lambda: "Address already in use" in onos.log())
        # ONOS lists a rule until its switch has removed it.
        eventually(lambda: "org.paceline.app" not in [flow["appId"] for device in onos.rest.devices() for flow in onos.rest.get(f"/v1/flows/{device}")["flows"]])

        preset(onos, port="9600")
        eventually(lambda: starts(onos))
        stopped(onos)
        preset(onos, port="9559")
        ask(onos, "POST", f"{PACELINE}/active")
        eventually(lambda: refuses_to_start(onos, "9559"))
        # Its commands are there, and say so, too.
        assert "has not started" in shell(onos, tmp_path, "paceline:state")
    # Whoever asks next has it try again, and be it in the shell.
    eventually(lambda: "conversations are in plan" in shell(onos, tmp_path, "paceline:state"))
    eventually(lambda: starts(onos))
    # The agent has found it again, and what was stored is as it was.
    eventually(lambda: settled(onos.rest, talking, [VOICE, FILES]))
    assert conversations(onos.rest, talking)[VOICE]["host"] == "a1"
    eventually(lambda: wanted(onos) == before)
