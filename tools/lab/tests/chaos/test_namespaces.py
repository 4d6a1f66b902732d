"""Which network namespaces a run has left."""

from __future__ import annotations

import os
from pathlib import Path

from paceline_lab.chaos.namespaces import Namespaces


def test_what_was_there_before_or_is_of_others_is_not_left(tmp_path: Path):
    for name in ("space-old", "other", "spacecraft"):
        (tmp_path / name).touch()
    namespaces = Namespaces("space", tmp_path)
    for name in ("space", "space-a1", "another", "spaceship-a1"):
        (tmp_path / name).touch()
    assert namespaces.left() == ["the network namespace space is left", "the network namespace space-a1 is left"]


def test_nothing_is_left_once_all_are_removed(tmp_path: Path):
    namespaces = Namespaces("space", tmp_path)
    (tmp_path / "space").touch()
    namespaces.note()
    (tmp_path / "space").unlink()
    assert namespaces.left() == []


def test_a_process_that_stays_in_one_keeps_it_though_its_name_is_gone(tmp_path: Path):
    namespaces = Namespaces("space", tmp_path)
    (tmp_path / "space-a1").symlink_to("/proc/self/ns/net")
    namespaces.note()
    (tmp_path / "space-a1").unlink()
    assert f"the process {os.getpid()} is left in the network namespace space-a1" in namespaces.left()
