"""Processes of a network: what has ended is not kept, and what does not end is said."""

import contextlib
import shutil

import pytest

from paceline_lab.hosts import Hosts
from paceline_lab.space import Space

pytestmark = pytest.mark.e2e


@pytest.fixture
def hosts():
    with contextlib.closing(Space("plhosts")) as space:
        made = Hosts(space)
        try:
            yield made
        finally:
            shutil.rmtree(made.directory)


def test_a_process_that_has_ended_is_not_kept(hosts):
    ended = hosts.popen("true")
    assert ended.wait(60) == 0
    goes_on = hosts.popen("sleep", "100")
    assert hosts._processes == [goes_on]
    hosts.end(ended)
    hosts.end(goes_on)
    assert hosts._processes == []
