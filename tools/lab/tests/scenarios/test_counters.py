"""Counters of interfaces that are there, and of some that are not: a run that is interrupted takes them down first."""

import contextlib
import threading

import pytest
from paceline_lab.scenarios import counters
from paceline_lab.scenarios.counters import Sampler


@pytest.fixture
def thrown(monkeypatch):
    """What threads end with that nobody catches; it would be a traceback on the screen."""
    found = []
    monkeypatch.setattr(threading, "excepthook", found.append)
    return found


@pytest.fixture
def here(monkeypatch):
    """The namespace is the test's own, which needs no root."""
    monkeypatch.setattr(counters, "entered", lambda namespace: contextlib.nullcontext())


def test_what_is_there_is_counted_at_once(here, thrown):
    sampler = Sampler("plx", ["lo"]).start()
    sampler.stop()
    assert len(sampler.sent["lo"].at) == len(sampler.received["lo"].total) >= 1
    assert thrown == []


def test_an_interface_that_is_gone_before_the_first_reading_is_one_message(here, thrown):
    sampler = Sampler("plx", ["lo", "h-b", "h-a"]).start()
    with pytest.raises(RuntimeError, match="^the namespace plx has no interface h-a, h-b, so that nothing counts there.$"):
        sampler.stop()
    assert sampler.received["lo"].at == []
    assert thrown == []


def test_so_is_a_namespace_that_is_gone(thrown):
    sampler = Sampler("no-such-namespace", ["lo"]).start()
    with pytest.raises(RuntimeError, match="the counters of the namespace no-such-namespace cannot be read: .*No such file"):
        sampler.stop()
    assert thrown == []
