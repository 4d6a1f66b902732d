"""An application tells its host's agent what it measured: what its user experiences stands beside what was predicted, and an alarm tells of the difference."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.networks.controller import COMPONENT
from paceline_lab.networks.conversations import is_installed
from paceline_lab.networks.shell import login, say
from paceline_lab.traffic import kpi

from controller.office import ask
from switches.steps import eventually

pytestmark = pytest.mark.e2e
INTENT, PORT = "web-browsing/science_lab", 5200
CLIENT = ROOT / "host-agent-java/client/src/main/python"
# No rule names what it sends, little and to nobody: it says so itself, and reports what a file has.
APPLICATION = f"""
import os, socket, sys, time
sys.path.append({str(CLIENT)!r})
from paceline_client import PacelineClient
agent = PacelineClient(sys.argv[1])
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
out.connect((sys.argv[3], {PORT}))
agent.claim("{INTENT}")
while True:
    # Asking for more than may leave holds it up here. Nobody listens, and the host there says so.
    greedy = os.path.exists(sys.argv[2] + ".greedy")
    for _ in range(100 if greedy else 1):
        try:
            out.send(bytes(1000 if greedy else 100))
        except ConnectionError:
            pass
    agent.report(page_load_s=float(open(sys.argv[2]).read()))
    time.sleep(0.3)
"""


@pytest.fixture
def page(onos, network, talking):
    """A browser on a2, by the file of the seconds that its pages take."""
    with tempfile.TemporaryDirectory(dir="/run") as folder:
        measured, door = Path(folder, "page_load_s"), Path(folder, "agent.sock")
        measured.write_text("17.4")
        agent = network.agent("a2", "unmatched: ignore\nrules: [{intent: voip, match: {localPort: 9}}]\n", f"applications: {{socket: {door}}}\n")
        eventually(door.exists)
        browser = network.popen(sys.executable, "-c", APPLICATION, str(door), str(measured), talking, host="a2")
        onos.rest.call("POST", f"/v1/configuration/{COMPONENT}", {"experienceAlarmSeconds": "1"})
        yield measured
        onos.rest.call("POST", f"/v1/configuration/{COMPONENT}", {"experienceAlarmSeconds": "30"})
        network.end(browser)
        # An agent that ends before would leave its conversations to age out.
        eventually(lambda: all(one["host"] != "a2" for one in onos.rest.conversations()), 90)
        network.end(agent)


def write(page, seconds):
    """At once, for the browser may read at any moment."""
    anew = page.with_suffix(".anew")
    anew.write_text(seconds)
    anew.replace(page)


def browsing(onos):
    return next((one for one in onos.rest.conversations() if (one["host"], one["intent"]) == ("a2", INTENT)), {})


def experienced(onos):
    return browsing(onos).get("experienced", {})


def alarms(onos):
    return [one for one in onos.rest.get("/paceline/v1/alarms")["alarms"] if one["kind"] == "experience"]


def test_what_an_application_measures_stands_beside_what_was_predicted_and_less_is_an_alarm(onos, page):
    one = eventually(lambda: (c := browsing(onos)) and is_installed(c) and "utility" in c.get("experienced", {}) and c)
    felt = one["experienced"]
    assert (felt["model"], felt["kpis"]) == ("web", {"page_load_s": 17.4}), felt
    assert felt["utility"] == pytest.approx(kpi.web(17.4), abs=1e-6)
    assert one["grant"]["utility"] > felt["utility"] + 0.5, one
    # Some seconds of what it sends must have been counted.
    (alarm,) = eventually(lambda: [each for each in alarms(onos) if each["likelyCause"] == "demand-below-grant"])
    assert alarm["conversation"] == f"a2/{one['id']}" and "Maybe" in alarm["sentence"], alarm
    status, metrics = ask(onos, "GET", "/paceline/v1/metrics", accept="text/plain")
    assert status == 200 and f'paceline_experienced_utility{{intent="{INTENT}",of="least"}} 2.2' in metrics, metrics
    # Its pages are as quick as they should be.
    write(page, "0.5")
    eventually(lambda: experienced(onos).get("utility") == 5 and not alarms(onos))
    # What no page can take is shown, and nothing is made of it.
    write(page, "-1")
    eventually(lambda: experienced(onos).get("unusable") == "page_load_s" and "utility" not in experienced(onos))


def at_most(onos, kbps):
    status, answer = ask(onos, "PATCH", f"/paceline/v1/intents/{INTENT}", {"maximumRateKbps": kbps}, "application/merge-patch+json")
    assert status == 200, answer


def learned(onos):
    return {one["name"]: one for one in onos.rest.get("/paceline/v1/learned-tables")["tables"]}


def test_what_a_user_reports_under_a_grant_teaches_of_its_utility_function_and_becomes_a_draft_when_asked(onos, page, tmp_path):
    # Hardly more than a step of the table, so that nothing is lent to it, which would explain what it reports.
    name, most = "web", 520
    at_most(onos, most)
    try:
        Path(f"{page}.greedy").touch()
        table = eventually(lambda: learned(onos).get(name), 120)
        (cell,) = table["cells"]
        grant = browsing(onos)["grant"]
        assert cell["rateKbps"] <= grant["rateKbps"] <= most, (cell, grant)
        assert cell["mean"] == pytest.approx(kpi.web(17.4), abs=1e-6) and "isAway" not in cell, cell
        assert cell["promised"] < cell["refined"] < cell["mean"], cell
        policy = {"utilityFunctions": {table["refinedName"]: table["refined"]}, "intents": [{"utilityFunction": table["refinedName"]}]}
        status, draft = ask(onos, "PUT", "/paceline/v1/policy/drafts/learned", policy)
        assert status in (200, 201), draft
        assert ask(onos, "DELETE", "/paceline/v1/policy/drafts/learned")[0] == 204
        drafted_in_the_shell(onos, tmp_path, name)
    finally:
        at_most(onos, None)


def drafted_in_the_shell(onos, folder, name):
    """What was learned of a function stands in its place in the draft, and nowhere else."""
    shell = login(folder)
    refused = say(onos.space.namespace, shell, "paceline:learned --draft CHG1")
    assert f"(--draft) needs the name of one utility function. Maybe {name}." in refused, refused
    assert ask(onos, "GET", "/paceline/v1/policy/drafts/CHG1")[0] == 404
    before = onos.rest.get("/paceline/v1/intents")
    said = say(onos.space.namespace, shell, f"paceline:learned {name} --draft CHG1")
    try:
        assert f"Draft CHG1 has {name}-learned in the place of {name}. Maybe look at paceline:whatif --draft CHG1." in said, said
        assert onos.rest.get("/paceline/v1/intents") == before
        drafted = onos.rest.get("/paceline/v1/policy/drafts/CHG1")["intents"]
        named = [[one.get("class"), one.get("intent")] for one in before["intents"] if one.get("utilityFunction") == name]
        assert named and [[one.get("class"), one.get("intent")] for one in drafted["intents"] if one.get("utilityFunction") == f"{name}-learned"] == named
        assert not [one for one in drafted["intents"] if one.get("utilityFunction") == name]
        learned_of, promised = (drafted["utilityFunctions"][f"{name}-learned"], before["utilityFunctions"][name])
        assert learned_of["utility"] != promised["utility"] and learned_of["throughputKbps"] == promised["throughputKbps"]
    finally:
        assert ask(onos, "DELETE", "/paceline/v1/policy/drafts/CHG1")[0] == 204
