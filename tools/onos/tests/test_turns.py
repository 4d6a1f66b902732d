"""Of several ONOS that are to start at once."""

from __future__ import annotations

import threading

from onos_runtime import assembly
from onos_runtime.progress import Progress


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
