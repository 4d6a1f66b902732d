"""One ONOS with the application and the paper's link, in namespaces, for all tests of this folder."""

from __future__ import annotations

import os
from unittest import mock

import pytest
from paceline_lab.networks.emulated_network import running_network
from paceline_lab.networks.space import running_onos
from paceline_lab.networks.topology import Host, Link, Topology

from northbound.http_client import Client

# With addresses of their own, as hosts of the paper's network have; other folders' have theirs by number.
PAPERS_LINK = Topology(2, (Link(1, 2, 2, 100),), (Host("p1", 1, 1, "10.1.0.1", 16), Host("p2", 2, 2, "10.1.0.2", 16)))


@pytest.fixture(scope="package")
def onos(tmp_path_factory):
    # What is held only softly is collected at once, so that it does not count as left behind by a restart.
    words = f"{os.environ.get('EXTRA_JAVA_OPTS', '')} -XX:SoftRefLRUPolicyMSPerMB=0"
    with mock.patch.dict(os.environ, EXTRA_JAVA_OPTS=words), running_onos("plm", tmp_path_factory.mktemp("onos") / "home") as runs:
        yield runs


@pytest.fixture(scope="package")
def network(onos):
    with running_network(onos, PAPERS_LINK) as built:
        yield built


@pytest.fixture
def admin(onos):
    return Client(onos.space.namespace, "onos", "rocks")
