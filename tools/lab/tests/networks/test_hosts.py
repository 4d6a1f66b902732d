"""Processes of a network: what has ended is not kept, and what does not end is said."""

import contextlib
import os
import shutil
import signal

import pytest
from paceline_lab.networks import hosts as ends
from paceline_lab.networks.emulated_network import EmulatedNetwork
from paceline_lab.networks.hosts import Hosts
from paceline_lab.networks.space import Space
from paceline_lab.networks.topology import Link, Topology

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


def test_a_link_can_begin_anew_after_its_wire_had_to_be_killed(monkeypatch):
    monkeypatch.setattr(ends, "ENDS_S", 0.5)
    with contextlib.closing(Space("plhosts")) as space, contextlib.closing(EmulatedNetwork(space, Topology(2, (Link(1, 2, 5, 30),), ())).open()) as network:
        stuck = network._wires["1-2"]
        os.kill(stuck.pid, signal.SIGSTOP)  # it hears no SIGTERM
        with pytest.raises(RuntimeError, match=r"wire .* did not end within 0\.5 s"):
            network.change_wire("1-2")
        assert stuck not in network._processes
        monkeypatch.undo()
        network.change_wire("1-2", "--queue", "fq-codel")
        assert network._wires["1-2"].poll() is None
