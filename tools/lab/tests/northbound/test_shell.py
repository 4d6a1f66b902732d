"""The shell of a running ONOS, over ssh as an operator has it: what it changes REST shows, and what it refuses changes nothing."""

from __future__ import annotations

import json
import re
import subprocess
import time
from datetime import UTC, datetime, timedelta

import pytest
from paceline_lab.networks.shell import SSH, login
from paceline_lab.networks.space import inside

from northbound.shell_client import Terminal, printed
from switches.steps import eventually

pytestmark = pytest.mark.e2e

CLEAR_LINE = "\x15"
COLOUR = re.compile(rb"\x1b\[[0-9;]*m")


@pytest.fixture
def terminal(onos, tmp_path):
    opened = Terminal(onos.space.namespace, tmp_path)
    try:
        yield opened
    finally:
        opened.close()


@pytest.mark.parametrize(
    ("command", "says"),
    [("plan", "Plan "), ("top --once", "conversations send"), ("conversations", "conversations are granted"), ("alarms", "."),
     ("conversations --state granted", "conversations are granted"), ("agents", "agent"), ("classes", "service class"), ("ledger", "is lent"), ("switches", "switches, "), ("elephants", " exporters, "), ("links", " links."),
     ("drafts", "prepared"), ("learned", "has a KPI model."), ("state", "alarms."), ("operations", "operations, "), ("reservations --calendar", "."), ("webhooks", "told."), ("enrolment-tokens", "enrol."), ("agent-certificates", "in force."), ("naming-rules", "are found."), ("naming-rules-export", "rules:"), ("policy-export", "intents:"), ("webhook-add --help", "role admin"), ("intents", "voip"), ("policy", "is in force"), ("history", "ticket"), ("reservations", "intent"),
     ("plan --help", "The plan in force"), ("reserve --help", "Reserves a rate")],
)  # fmt: skip
def test_every_command_that_looks_answers(shell, command, says):
    assert says in shell(f"paceline:{command}")


@pytest.mark.parametrize(
    ("command", "coloured"),
    [("paceline:switches", b"\x1b[32mconnected\x1b[0m"), ("paceline:explain nobody", b"\x1b[31mError executing command: There is no")],
    ids=["a table", "an error"],
)
def test_colour_is_for_a_terminal_only(network, onos, tmp_path, command, coloured):
    def shown(line, *options, **environment):
        return printed(onos.space.namespace, tmp_path, line, *options, **environment)

    def alike():
        """What is shown plainly and in colour: switches that have just come get rules in between, which are counted."""
        plain, on_terminal = shown(command), shown(command, "-tt")
        return COLOUR.sub(b"", on_terminal).replace(b"\r", b"") == plain and (plain, on_terminal)

    plain, on_terminal = eventually(alike)
    assert plain.strip() and b"\x1b" not in plain
    assert coloured in on_terminal
    name, _, argument = command.partition(" ")
    for line, options, environment in (
        (command, ("-tt",), {"TERM": "dumb"}),
        (command, ("-tt", "-o", "SendEnv=NO_COLOR"), {"NO_COLOR": "1"}),
        (command, ("-o", "SendEnv=TERM"), {}),
        (f"{command} | tac", ("-tt",), {}),
    ):
        assert b"\x1b" not in shown(line, *options, **environment), (line, options, environment)
    if not argument:
        assert b"\x1b" not in shown(f"{name} --json", "-tt")


def test_colour_and_the_live_view_at_the_shell_itself(network, terminal):
    coloured = "\x1b[32mconnected\x1b[0m"
    terminal.run("paceline:switches")
    assert coloured in terminal.raw
    for plain in ("paceline:switches | tac", "NO_COLOR = 1; paceline:switches"):
        assert "connected" in terminal.run(plain)
        assert coloured not in terminal.raw
    terminal.press("paceline:top --rows 3\n")
    terminal.shows("conversations send")
    # The screen is cleared and shown anew.
    terminal.seen = terminal.raw = ""
    terminal.shows("conversations send")
    assert "\x1b[H\x1b[2J" in terminal.raw
    terminal.press("\x03")
    terminal.shows("@")


def test_ctrl_c_while_the_live_view_is_painted_leaves_a_shell_that_answers(network, terminal):
    for round in range(8):
        terminal.press("paceline:top --rows 3\n")
        terminal.shows("conversations send")
        # The next picture is due now.
        time.sleep(0.985 + 0.004 * round)
        terminal.press("\x03")
        terminal.shows("@")
    assert "connected" in terminal.run("paceline:switches")


def test_a_reservation_is_made_listed_and_given_back(admin, network, shell):
    def reserved():
        return {one["id"]: one for one in admin.get("reservations").json["reservations"]}

    before = reserved()
    wish = "file-download 10.20.0.1 10.20.0.2 1mbit 60"
    assert "It would be admitted." in shell(f"paceline:reserve --dry-run {wish}")
    refused = shell("paceline:reserve --dry-run voip/g729.1 10.20.0.1 10.20.0.2 600kbit 60")
    assert "(voip/g729.1) can use 500 kbit/s at most each" in refused and "500 kbit/s" in refused.split("offered", 1)[1]
    assert set(reserved()) <= set(before)
    assert "Reserved as r" in shell(f"paceline:reserve {wish}")
    (made,) = (one for name, one in reserved().items() if name not in before)
    assert made["state"] == "active" and made["rateKbps"] == 1000
    assert made["id"] in shell("paceline:reservations")
    shell(f"paceline:reservation-cancel {made['id']}")
    assert made["id"] not in reserved()
    assert "There is no reservation (r999999)" in shell("paceline:reservation-cancel r999999")


def test_a_conversation_is_boosted_and_an_intent_taken_away(admin, network, shell):
    call = {"id": "by-shell", "intent": "voip", "localAddress": "10.20.0.1", "remoteAddress": "10.20.0.2"}
    assert admin.send("POST", "conversations", call).status == 201
    try:
        said = shell("paceline:boost announced/by-shell 300kbit 10")
        (made,) = re.findall(r"Reserved as (r\d+)", said)
        boost = admin.get(f"reservations/{made}").json
        shell(f"paceline:reservation-cancel {made}")
        assert (boost["intent"], boost["rateKbps"], boost["state"]) == ("voip", 300, "active")
        assert "There is no conversation (nobody)" in shell("paceline:boost nobody 300kbit 10")
    finally:
        assert admin.send("DELETE", "conversations/announced/by-shell").status == 204
    assert admin.send("PUT", "intents/voip/by-shell", {"priority": 3}).status == 201
    assert "(voip/by-shell) is taken away" in shell("paceline:intent-remove voip/by-shell")
    assert "There is no intent (voip/by-shell)" in shell("paceline:intent-remove voip/by-shell")


def test_a_conversation_is_announced_once_and_ended(admin, network, shell):
    def changes():
        return [one["operation"] for one in admin.get("changes?ticket=CHG14").json["changes"]]

    line = "paceline:conversation-announce --ticket CHG14 --protocol udp --to-port 5004 desk voip 10.20.0.1 10.20.0.2"
    assert "(announced/desk) is announced." in shell(line)
    try:
        made = admin.get("conversations/announced/desk").json
        assert (made["intent"], made["localAddress"], made["remoteAddress"]) == ("voip", "10.20.0.1", "10.20.0.2"), made
        assert (made["protocol"], made["localPort"], made["remotePort"]) == ("UDP", 0, 5004), made
        # A script may say it again.
        assert "announced already, just so" in shell(line)
        assert "is announced already: announced/desk (voip) from 10.20.0.1" in shell(line.replace("5004", "5005"))
        for bad, why in (
            (line.replace("voip", "vioip"), "There is no intent (vioip). Maybe you meant voip"),
            (line.replace("udp", "icmp"), "The protocol (icmp) is not known"),
            (line.replace("5004", "70000"), "The port (70000)"),
            (line.replace("10.20.0.2", "h2"), "The address (h2) must be one of IP"),
        ):
            assert why in shell(bad.replace(" desk ", " desk2 "))
        assert admin.get("conversations/announced/desk2").status == 404
        assert changes() == ["Conversation announced/desk is announced."]
    finally:
        (ended,) = json.loads(shell("paceline:conversation-end --json --ticket CHG14 announced/desk"))
    assert ended == {"conversation": "announced/desk", "state": "ended"}
    assert admin.get("conversations/announced/desk").status == 404
    assert "There is no conversation (announced/desk)" in shell("paceline:conversation-end announced/desk")
    assert changes() == ["Conversation announced/desk is ended.", "Conversation announced/desk is announced."]


def test_an_address_is_the_same_however_it_is_written(admin, network, shell):
    written, short, other = "2001:0DB8:0:0::1", "2001:db8::1", "2001:db8::2"
    wish = {"from": written, "to": other}
    try:
        shell(f"paceline:conversation-announce six voip {written} {other}")
        assert admin.get("conversations/announced/six").json["localAddress"] == short
        assert "announced already, just so" in shell(f"paceline:conversation-announce six voip 2001:db8:0:0:0:0:0:1 {other.upper()}")
    finally:
        admin.send("DELETE", "conversations/announced/six")
    # Nobody has it; under which name it was looked for is said.
    over_rest = admin.send("POST", "reservations/ask", {"intent": "voip", "rateKbps": 100, "durationSeconds": 60, **wish})
    body = {"paceline-reservations:input": {"intent": "voip", "rate": "100", "duration": 60, **wish}}
    over_restconf = admin.send("POST", "../restconf/operations/paceline-reservations:reserve", body, Content_Type="application/yang-data+json")
    for answer in (over_rest.text, over_restconf.text, shell(f"paceline:reserve --dry-run voip {written} {other} 100kbit 1")):
        assert f"({short})" in answer, answer
    for bad in ("2001:db8::1::2", "12345::", "h2"):
        why = f"The address ({bad}) must be one of IP. Maybe 10.0.0.1 or 2001:db8::1."
        assert why in shell(f"paceline:reserve --dry-run voip {bad} {other} 100kbit 1")
        assert why in shell(f"paceline:conversation-announce six voip {bad} {other}")
        refused = admin.send("POST", "reservations/ask", {"intent": "voip", "rateKbps": 100, "durationSeconds": 60, "from": bad, "to": other})
        assert refused.is_problem(400) and why in refused.text, refused
        body["paceline-reservations:input"]["from"] = bad
        refused = admin.send("POST", "../restconf/operations/paceline-reservations:reserve", body, Content_Type="application/yang-data+json")
        assert refused.status == 400 and bad in refused.text, refused


def test_a_reservation_is_held_committed_and_offered_later(admin, network, shell):
    wish = "--conversations 2 file-download 10.20.0.1 10.20.0.2 6mbit 60"
    (held,) = re.findall(r"Held as (r\d+) until", shell(f"paceline:reserve --hold {wish}"))
    try:
        assert admin.get(f"reservations/{held}").json["state"] == "held"
        assert held in shell(f"paceline:reservation-commit {held}")
        made = admin.get(f"reservations/{held}").json
        assert made["state"] == "active"
        assert held in shell("paceline:reservations --calendar")
        two_days = (datetime.now(UTC) + timedelta(days=2)).isoformat(timespec="seconds")
        assert f"offered  6000 kbit/s  {made['end']}" in shell(f"paceline:reserve --dry-run --deadline {two_days} {wish}")
    finally:
        shell(f"paceline:reservation-cancel {held}")
    assert "There is no reservation (r999999)" in shell("paceline:reservation-commit r999999")
    assert "The deadline (soon) must be a time" in shell(f"paceline:reserve --deadline soon {wish}")


def test_what_programs_began_is_listed_for_them(admin, shell):
    begun = admin.send("POST", "whatif", admin.get("intents").json, Prefer="respond-async").json["id"]
    assert begun in shell("paceline:operations")
    assert f"({begun}) is" in shell(f"paceline:operations {begun}")
    assert begun not in shell("paceline:operations", user="olga", password="secret")
    assert f"There is no operation ({begun}) of yours" in shell(f"paceline:operations {begun}", user="olga", password="secret")


def test_a_webhook_is_registered_listed_and_removed_and_its_secret_shown_once(admin, shell):
    url = "http://127.0.0.1:9/by-shell"
    (made,) = json.loads(shell(f"paceline:webhook-add --json --ticket CHG13 --event policy --event alarm {url}"))
    assert made["url"] == url and made["events"] == "alarm policy" and made["secret"].startswith("whsec_")
    try:
        listed = shell("paceline:webhooks")
        assert made["id"] in listed and made["secret"] not in listed
        assert sorted(admin.get(f"webhooks/{made['id']}").json["events"]) == ["alarm", "policy"]
        (change,) = admin.get("changes?limit=1").json["changes"]
        assert change["ticket"] == "CHG13"
        assert made["secret"] not in admin.get(f"changes/{change['number']}").text
        assert "There are no events (whatever)" in shell(f"paceline:webhook-add --event whatever {url}")
        assert "lacks the role admin" in shell("paceline:webhooks", user="olga", password="secret")
        assert "lacks the role admin" in shell(f"paceline:webhook-remove {made['id']}", user="olga", password="secret")
    finally:
        shell(f"paceline:webhook-remove {made['id']}")
    assert admin.get(f"webhooks/{made['id']}").status == 404
    assert "There is no webhook (nothing)" in shell("paceline:webhook-remove nothing")


def test_a_policy_goes_out_as_a_file_and_comes_back_changed(admin, shell):
    before = admin.get("policy").json["version"]
    file = shell("paceline:policy-export")
    assert file == admin.get("policy/file").text
    assert f"Version {before} is in force." in shell("paceline:policy-import", file)
    changed = file.replace("intents:\n", "intents:\n- class: by-file\n", 1)
    assert changed != file
    assert "by-file" in shell("paceline:policy-import --draft by-file", changed)
    assert admin.get("policy").json["version"] == before
    assert admin.send("DELETE", "policy/drafts/by-file").status == 204
    assert f"Version {before + 1} is in force, and goes back unless" in shell("paceline:policy-import --confirm-within 600", changed)
    assert "by-file" in admin.get("policy/file").text
    assert shell(f"paceline:policy-export {before}") == file
    shell("paceline:policy-rollback")
    assert admin.get("policy/file").text == file
    for bad, why in (("", "nothing where a file should be"), ("intents: [", "not YAML"), ("intents: 7", "intents")):
        assert why in shell("paceline:policy-import", bad)
    assert "(vito) may change nothing" in shell("paceline:policy-import", changed, user="vito", password="secret")
    assert admin.get("policy").json["version"] == before + 2


def test_the_tab_key_completes_commands_and_names(admin, network, terminal):
    call = {"id": "tab-key", "intent": "voip", "localAddress": "10.20.0.1", "remoteAddress": "10.20.0.2"}
    wish = {"intent": "voip", "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": 100, "durationSeconds": 60, "commit": True}
    secret = "whsec_" + "A" * 32
    tree = admin.get("intents").json
    assert admin.send("POST", "conversations", call).status == 201
    reservation = admin.send("POST", "reservations", wish).json["id"]
    webhook = admin.send("POST", "webhooks", {"url": "http://127.0.0.1:9/tab", "events": ["policy"], "secret": secret}).json["id"]
    assert admin.send("PUT", "policy/drafts/tab-key", tree).status == 200
    assert admin.send("PUT", "intents/tab-key", {"priority": 3}).status == 201
    version = str(admin.get("policy").json["version"])
    try:
        for typed, whole in (
            ("paceline:age", "paceline:agents"),
            ("paceline:whatif tab-", "paceline:whatif tab-key"),
            ("paceline:explain announced/tab-", "paceline:explain announced/tab-key"),
            ("paceline:proof announced/tab-", "paceline:proof announced/tab-key"),
            ("paceline:draft-commit tab-", "paceline:draft-commit tab-key"),
            ("paceline:whatif --draft tab-", "paceline:whatif --draft tab-key"),
            (f"paceline:reservation-cancel {reservation[:-1]}", reservation),
            (f"paceline:webhook-remove {webhook[:6]}", webhook),
            ("paceline:conversation-end announced/tab-", "paceline:conversation-end announced/tab-key"),
            (f"paceline:reservation-commit {reservation[:-1]}", reservation),
            ("paceline:webhook-add --event al", "alarm"),
            ("paceline:conversations --state rec", "recommended"),
            ("paceline:conversations --host anno", "--host announced"),
            ("paceline:policy-rollback ", version),
        ):
            terminal.press(CLEAR_LINE + typed + "\t")
            terminal.shows(whole)
    finally:
        terminal.press(CLEAR_LINE)
        assert admin.send("DELETE", "conversations/announced/tab-key").status == 204
        assert admin.send("DELETE", f"reservations/{reservation}").status == 204
        assert admin.send("DELETE", f"webhooks/{webhook}").status == 204
        assert admin.send("DELETE", "policy/drafts/tab-key").status == 204
        assert admin.send("PUT", "intents", tree).status == 200


def test_options_are_understood_after_arguments_too(admin, network, shell, terminal):
    wish = "10.20.0.1 --ticket CHG19 10.20.0.2 1mbit 60 --dry-run"
    assert "It would be admitted." in shell(f"paceline:reserve file-download {wish}")
    (admitted,) = json.loads(shell(f"paceline:reserve file-download {wish} --json"))
    assert admitted["rate"] == "1000 kbit/s"
    refused = shell("paceline:whatif voip --drafft x")
    assert "There is no option (--drafft). Maybe one of [" in refused and " --draft," in refused
    assert "The argument (minutes) is missing" in shell("paceline:boost announced/nobody 300kbit --ticket CHG19")
    # As typed at the shell, which reads lines in another way than those that come with ssh.
    assert "There is no draft (nothing)" in terminal.run("paceline:whatif voip --draft nothing")
    terminal.press(CLEAR_LINE + "paceline:whatif voip --dra\t")
    terminal.shows("paceline:whatif voip --draft")
    terminal.press(CLEAR_LINE)


def test_a_policy_is_compared_committed_rolled_back_and_its_history_told(admin, shell):
    before = admin.get("policy").json["version"]
    assert "of utility together" in shell("paceline:whatif --least 80 voip")
    assert "There is no draft (nothing)" in shell("paceline:whatif --draft nothing")
    assert admin.get("policy").json["version"] == before
    assert admin.send("PUT", "intents/voip", {"priority": 11}, Change_Ticket="CHG11").status == 200
    assert "CHG11" in shell("paceline:history")
    assert f"Version {before + 1} is in force" in shell("paceline:policy")
    assert "does not wait to be confirmed" in shell("paceline:policy-confirm")
    shell("paceline:policy-rollback")
    assert admin.get("policy").json["reason"] == f"Back to version {before}."


def test_what_rest_refuses_the_shell_refuses_with_an_error(onos, admin, tmp_path):
    before = admin.get("policy").json
    for option, member, value in (("least", "minimumRateKbps", -5), ("greatest", "maximumRateKbps", 0)):
        assert admin.send("PATCH", "intents/voip", {member: value}).status == 400
        for command in ("intent-set", "whatif"):
            line = f"paceline:{command} --{option} {value} voip"
            done = subprocess.run(
                inside(onos.space.namespace, *SSH, "onos@127.0.0.1", line),
                env=login(tmp_path, "rocks"), capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
            said = done.stdout + done.stderr
            assert done.returncode != 0 and "Error executing command" in said and str(value) in said, (line, done)
    assert admin.get("policy").json == before


def test_a_draft_is_prepared_compared_tried_and_confirmed(admin, shell):
    before = admin.get("policy").json["version"]
    assert "by-shell" in shell("paceline:intent-set --ticket CHG12 --draft by-shell --priority 12 voip")
    # The second goes on with what the first prepared.
    shell("paceline:intent-set --ticket CHG12 --draft by-shell --least 11 voip")
    prepared = next(one for one in admin.get("policy/drafts/by-shell").json["intents"]["intents"] if one.get("class") == "voip" and "intent" not in one)
    assert (prepared["priority"], prepared["minimumRateKbps"]) == (12, 11)
    assert admin.get("policy").json["version"] == before
    assert "of utility together" in shell("paceline:whatif --draft by-shell")
    assert "goes back unless" in shell("paceline:draft-commit --confirm-within 600 by-shell")
    assert f"Version {before + 2} is in force." in shell("paceline:policy-confirm")
    assert admin.get("policy/drafts").json["drafts"] == []
    assert "There is no draft (by-shell)" in shell("paceline:draft-remove by-shell")
    said = shell("paceline:policy-rollback")
    assert f"Back to version {before}. Version {before + 3} is in force; what changed: voip." in said
    assert "nothing would change" in shell(f"paceline:policy-rollback {before}")
    assert admin.get("policy").json["version"] == before + 3
