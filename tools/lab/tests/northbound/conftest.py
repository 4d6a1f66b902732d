"""One ONOS with the application, in a namespace, for all tests of this folder."""

from __future__ import annotations

import pytest
from paceline_lab.networks.emulated_network import running_network
from paceline_lab.networks.shell import login, say
from paceline_lab.networks.space import running_onos
from paceline_lab.networks.topology import Host, Link, Topology

from northbound.http_client import Client
from northbound.matrix import MINE, OTHER

TWO_SWITCHES = Topology(2, (Link(1, 2, 2, 10),), (Host("n1", 1, 1), Host("n2", 2, 2)))

# In Karaf's own file, which it reads at each login.
USERS = {
    "ola": "operator",
    "vera": "viewer",
    "bodo": "viewer,operator:web-browsing",
    "nemo": "manager",
    "cleo": "operator:web-browsing",
    "ada": "admin",
    # Who may log in to the shell.
    "olga": "operator,ssh",
    "vito": "viewer,ssh",
    "bert": "viewer,operator:web-browsing,ssh",
    "sam": "ssh",
    "nils": "manager,ssh",
    "clara": "operator:web-browsing,ssh",
    "adam": "admin,ssh",
}


@pytest.fixture(scope="package")
def onos(tmp_path_factory):
    with running_onos("pln", tmp_path_factory.mktemp("onos") / "home") as runs:
        with open(runs.run_directory / "karaf/etc/users.properties", "a") as users:
            users.writelines(f"{name} = secret,{roles}\n" for name, roles in USERS.items())
        yield runs


@pytest.fixture(scope="package")
def network(onos):
    with running_network(onos, TWO_SWITCHES) as built:
        yield built


@pytest.fixture
def admin(onos):
    return Client(onos.space.namespace, "onos", "rocks")


@pytest.fixture
def user(onos):
    return lambda name: Client(onos.space.namespace, name, "secret")


@pytest.fixture
def shell(onos, tmp_path):
    """Runs one command; what it prints."""
    return lambda command, sent="", user="onos", password="rocks": say(onos.space.namespace, login(tmp_path, password), command, sent, user)


@pytest.fixture
def tidy(admin):
    """Whatever was made is taken away, that the tests after this one have the network and the tree to themselves."""
    before = admin.get("intents").json
    yield
    for one in admin.get("conversations").json["conversations"]:
        if one["host"] == "announced":
            admin.send("DELETE", f"conversations/announced/{one['id']}")
    for one in admin.get("reservations").json["reservations"]:
        admin.send("DELETE", f"reservations/{one['id']}")
    for branch in (MINE, OTHER):
        admin.send("DELETE", f"policy/drafts/{branch}")
        admin.send("DELETE", f"ceilings/{branch}")
    admin.send("DELETE", "settings/lendThousandths")
    assert admin.send("PUT", "intents", before).status == 200
