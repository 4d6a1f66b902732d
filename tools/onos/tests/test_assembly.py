"""Whether ONOS is assembled is known without assembling it again."""

from __future__ import annotations

import pytest
from onos_runtime import assembly
from onos_runtime.errors import OnosError


@pytest.fixture
def target(tmp_path, monkeypatch):
    monkeypatch.setattr(assembly, "KARAF", tmp_path / "karaf")
    monkeypatch.setattr(assembly, "_STAMP", tmp_path / "assembled")
    return tmp_path


def test_what_maven_has_assembled_among_other_modules_is_not_assembled_again(target, monkeypatch):
    (target / "karaf/system").mkdir(parents=True)
    assert not assembly.is_assembled()
    assembly.note_assembled()
    assert assembly.is_assembled()
    monkeypatch.setattr(assembly, "inputs_digest", lambda: "of other inputs")
    assert not assembly.is_assembled()


def test_what_nobody_has_assembled_is_not_said_to_be(target):
    with pytest.raises(OnosError, match=r"Maybe run build without --done"):
        assembly.note_assembled()
    assert not assembly.is_assembled()
