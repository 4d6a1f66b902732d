"""What is left of a namespace with hosts whose run was killed, and that only this is cleared."""

import contextlib
import subprocess
from pathlib import Path

import pytest
from paceline_lab.machine.ledger import namespace_of
from paceline_lab.networks.space import Space, inside

from switches.steps import eventually


def names():
    return {file.name for file in Path("/run/netns").glob("plspace*")}


def test_a_name_that_might_be_a_host_of_another_is_refused():
    with pytest.raises(ValueError, match=r"\(plspace-b\) .* Maybe plspaceb"):
        Space("plspace-b")


@pytest.mark.e2e
def test_hosts_of_a_killed_run_go_though_the_next_one_has_others():
    with contextlib.closing(Space("plspaceb")) as another:
        another.add_namespace("plspaceb-x")
        Space("plspace").add_namespace("plspace-x")  # and it is killed
        began = subprocess.Popen(inside("plspace-x", "sleep", "100"))
        eventually(lambda: namespace_of(began.pid) == Path("/run/netns/plspace-x").stat().st_ino)
        with contextlib.closing(Space("plspace")) as following:
            assert began.wait(60) != 0
            assert names() == {"plspace", "plspaceb", "plspaceb-x"}
            following.add_namespace("plspace-a")
        assert names() == {"plspaceb", "plspaceb-x"}
    assert names() == set()
