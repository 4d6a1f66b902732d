"""One ONOS with the application for all tests of this folder; their switches are `switch`."""

from __future__ import annotations

import pytest
from paceline_lab.networks.space import running_onos


@pytest.fixture(scope="package")
def onos(tmp_path_factory):
    with running_onos("pli", tmp_path_factory.mktemp("onos") / "home") as runs:
        yield runs
