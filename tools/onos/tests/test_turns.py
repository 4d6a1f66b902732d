"""Of several ONOS that are to start at once."""

from __future__ import annotations

import fcntl
import os
import threading

import pytest
from onos_runtime import assembly
from onos_runtime.errors import OnosError
from onos_runtime.progress import Progress
from onos_runtime.runtime import Runtime
from onos_runtime.settings import Settings


def test_the_next_begins_when_the_one_before_is_up(tmp_path, monkeypatch):
    monkeypatch.setattr(assembly, "KARAF", tmp_path)
    order = []

    def next_one():
        with assembly.turn(Progress(True), 60):
            order.append("next")

    thread = threading.Thread(target=next_one)
    with assembly.turn(Progress(True), 60):
        thread.start()
        thread.join(1)
        assert thread.is_alive()
        order.append("first")
    thread.join(60)
    assert order == ["first", "next"]


def test_nobody_waits_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(assembly, "KARAF", tmp_path)
    with assembly.turn(Progress(True), 60), assembly.turn(Progress(True), 0.3):
        pass


def alone(folder):
    return Runtime(Settings(folder / "onos"), Progress(True)).alone()


@pytest.mark.parametrize("module, name", [(os, "open"), (fcntl, "flock")])
def test_a_folder_that_another_onosctl_removes_in_between_is_made_once_more(tmp_path, monkeypatch, module, name):
    folder, call = tmp_path / "gone", getattr(module, name)

    def removed_first(*words):
        monkeypatch.setattr(module, name, call)
        folder.rmdir()
        return call(*words)

    monkeypatch.setattr(module, name, removed_first)
    with alone(folder):
        with pytest.raises(OnosError, match="Another onosctl is at work below"), alone(folder):
            pass
    assert not folder.exists()
