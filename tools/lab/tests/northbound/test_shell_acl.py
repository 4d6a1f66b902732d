"""Whoever logs in to the shell without the role admin cannot switch enforcement off there, by whatever Karaf and ONOS offer; nor can anybody but an admin by ONOS's REST."""

from __future__ import annotations

import re
import time

import pytest

from northbound.shell_client import Terminal
from switches.steps import eventually

pytestmark = pytest.mark.e2e

COMPONENT = "org.paceline.onos.PacelineComponent"
APPLICATION = "org.paceline.app"
REFUSED = re.compile("Command not found|Insufficient credentials")
OTHERS = ("sam", "nils", "clara", "vito", "bert", "olga")
READERS = ("vito", "bert", "olga")

# {bundle} is the application's, {etc} Karaf's settings, {mark} a file that nobody may write. Each is one way, if it is let through.
WAYS = (
    f"onos:cfg set {COMPONENT} mode shadow",
    f"cfg set {COMPONENT} mode shadow",
    f"onos:cfg -s set {COMPONENT} mode shadow",
    f"onos:cfg preset {COMPONENT} mode shadow",
    f"onos:cfg reset {COMPONENT} mode",
    f"onos:app deactivate {APPLICATION}",
    f"app uninstall {APPLICATION}",
    "onos:wipe-out please",
    "onos:device-remove of:0000000000000001",
    "onos:host-remove 00:00:00:00:00:01/None",
    "onos:meter-remove of:0000000000000001 1",
    "onos:device-role of:0000000000000001 127.0.0.1 none",
    "onos:portstate of:0000000000000001 1 disable",
    "onos:annotate-link of:0000000000000001/1 of:0000000000000002/1 a b",
    "bundle:stop {bundle}",
    "bundle:stop -f {bundle}",
    "bundle:uninstall {bundle}",
    "bundle:update {bundle} file:{mark}",
    "bundle:install file:{mark}",
    "bundle:refresh {bundle}",
    f"feature:uninstall {APPLICATION}",
    "feature:repo-add file:{mark}",
    f"scr:disable {COMPONENT}",
    f"config:property-set -p {COMPONENT} mode shadow",
    f"config:delete {COMPONENT}",
    f"config:edit {COMPONENT}",
    "config:install file:{mark} org.apache.karaf.command.acl.onos.cfg",
    f"cm:getConfiguration {COMPONENT}",
    "event:send a/b",
    "web:stop {bundle}",
    "http:proxy-add /onos http://127.0.0.1:9/",
    "jaas:realm-manage --realm karaf",
    "jaas:user-add sam secret",
    "jaas:update",
    "system:shutdown -f",
    "system:property -p karaf.secured.command.compulsory.roles none",
    "system:start-level 50",
    "log:set OFF",
    "shell:exec touch {mark}",
    "shell:java java.lang.System",
    "shell:new java.io.File {mark}",
    "shell:source {mark}",
    "shell:nano {etc}/users.properties",
    "shell:cat {etc}/users.properties",
    "shell:addcommand x ($.context getBundle {bundle})",
    "grep . {etc}/users.properties",
    "head {etc}/users.properties",
    "tail -n 9 {etc}/users.properties",
    "sort {etc}/users.properties",
    "less {etc}/users.properties",
    "ssh:ssh 127.0.0.1",
    # The shell is a language: methods of objects, and files.
    "($.context getBundle {bundle}) stop",
    "$.context getBundle {bundle}",
    "service:get org.onosproject.cfg.ComponentConfigService",
    "each [1] {{ onos:app deactivate " + APPLICATION + " }}",
    "x = {{ cfg set " + COMPONENT + " mode shadow }} ; x",
    "c = cfg ; eval onos:$c set " + COMPONENT + " mode shadow",
    '"text" getClass',
    "echo 'sam = secret,admin' > {mark}",
    "echo 'sam = secret,admin' >> {etc}/users.properties",
    "echo x | tee {mark}",
)  # fmt: skip


@pytest.fixture
def terminal(onos, tmp_path):
    opened = []

    def open_for(name):
        opened.append(Terminal(onos.space.namespace, tmp_path, name, "secret"))
        return opened[-1]

    yield open_for
    for one in opened:
        one.close()


@pytest.fixture
def bundle(shell):
    return re.search(r"^(\d+) .*ONOS application", re.sub(r"\x1b\[[0-9;]*m", "", shell("bundle:list -t 0")), re.MULTILINE).group(1)


@pytest.mark.parametrize("name", OTHERS)
def test_no_way_out_of_enforcement_is_open_to_a_login_without_the_role_admin(onos, admin, terminal, bundle, tmp_path, name):
    etc = onos.run_directory / "karaf/etc"
    mark = tmp_path / "mark"
    users = (etc / "users.properties").read_bytes()
    shell = terminal(name)
    for way in WAYS:
        answer = shell.run(way.format(bundle=bundle, etc=etc, mark=mark))
        assert REFUSED.search(answer), (way, answer)
    assert "secret" not in shell.run("echo done")
    assert not mark.exists() and (etc / "users.properties").read_bytes() == users
    # It is in force still.
    state = admin.get("state")
    assert state.status == 200 and state.json["mode"] == "enforce", state
    assert onos.rest.get(f"/v1/applications/{APPLICATION}")["state"] == "ACTIVE"
    assert onos.rest.get(f"/v1/applications/{APPLICATION}/health")["message"] == "ready"


@pytest.mark.parametrize("name", READERS)
def test_who_may_look_may_look_in_onos_too(terminal, bundle, name):
    shell = terminal(name)
    for command, shown in (
        (f"onos:cfg get {COMPONENT} mode", "value=enforce"),
        ("onos:apps -s", APPLICATION),
        ("onos:summary", "nodes="),
        ("bundle:list", "Paceline: ONOS application"),
        ("scr:list", COMPONENT),
        ("paceline:state | grep mode", "enforce"),
        ("paceline:state | head -n 1", "value"),
        ("jaas:whoami", name),
        ("*:help paceline:state | grep NAME", "NAME"),
    ):
        answer = shell.run(command)
        assert shown in answer and not REFUSED.search(answer), (command, answer)
    # Passwords are among the settings of others.
    assert REFUSED.search(shell.run("onos:cfg get org.onosproject.openflow.controller.impl.OpenFlowControllerImpl"))


def test_an_admin_may_do_it(terminal, admin):
    shell = terminal("adam")
    assert not REFUSED.search(shell.run(f"onos:cfg get {COMPONENT} mode"))
    assert not REFUSED.search(shell.run("echo ($.context getBundle 0)"))
    assert not REFUSED.search(shell.run("web:list"))


def test_what_is_set_past_us_is_in_the_history_with_its_user(terminal, admin, onos):
    def newest():
        changes = admin.get("changes?limit=1").json["changes"]
        return changes[0] if changes else {"actor": "nobody", "operation": "none yet"}

    def is_newest(actor, operation):
        eventually(lambda: (one := newest()) and (one["actor"], one["operation"]) == (actor, operation))

    try:
        terminal("adam").run(f"onos:cfg set {COMPONENT} lendThousandths 7")
        is_newest("adam", "The setting (lendThousandths) was set to (7) past Paceline.")
        assert admin.get("settings/lendThousandths").json["value"] == 7
        # ONOS says to nobody who asked its REST.
        onos.rest.call("POST", f"/v1/configuration/{COMPONENT}", {"lendThousandths": "8"})
        is_newest("another interface", "The setting (lendThousandths) was set to (8) past Paceline.")
        assert admin.send("PUT", "settings/lendThousandths", {"value": 9}, Change_Ticket="CHG9").status == 200
        is_newest("onos", "The setting (lendThousandths) is set to (9).")
        assert newest()["ticket"] == "CHG9"
        number = newest()["number"]
        assert admin.get(f"changes/{number}").json["before"] == "8"
        assert "value=9" in terminal("adam").run(f"onos:cfg get {COMPONENT} lendThousandths")
        # Our own change, as ONOS hands it over later, is no other.
        time.sleep(2)
        assert newest()["number"] == number
    finally:
        assert admin.send("DELETE", "settings/lendThousandths").status == 204


def test_a_new_onos_has_no_users_that_everybody_knows(onos, admin, user):
    for name in ("karaf", "guest"):
        assert type(admin)(onos.space.namespace, name, name).get("state").status == 401


@pytest.mark.parametrize("name", ("vera", "bodo", "ola", "nemo", "cleo"))
def test_by_onos_rest_nobody_but_an_admin_changes_anything(onos, admin, user, name):
    """ONOS itself wants the roles admin and viewer together for it."""
    for method, path, body in (
        ("POST", f"configuration/{COMPONENT}", {"mode": "shadow"}),
        ("POST", f"configuration/{COMPONENT}?preset=true", {"mode": "shadow"}),
        ("DELETE", f"configuration/{COMPONENT}", {"mode": "shadow"}),
        ("DELETE", f"applications/{APPLICATION}/active", None),
        ("DELETE", f"applications/{APPLICATION}", None),
        ("POST", "network/configuration", {"links": {}}),
        ("DELETE", "network/configuration", None),
        ("DELETE", "devices/of:0000000000000001", None),
        ("POST", "flows", {"flows": []}),
    ):
        assert user(name).send(method, f"../../v1/{path}", body).status == 403, (method, path)
    assert admin.get("state").json["mode"] == "enforce"
    assert onos.rest.get(f"/v1/applications/{APPLICATION}")["state"] == "ACTIVE"
