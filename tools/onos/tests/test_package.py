"""What a release brings for an ONOS that is not assembled here."""

from __future__ import annotations

import importlib.util
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ETC = ROOT / "tools/onos/assembly/src/main/etc"


def load():
    spec = importlib.util.spec_from_file_location("package", ROOT / "tools/package.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_who_may_say_what_in_the_shell_is_one_archive_the_same_each_time(tmp_path):
    first, again = tmp_path / "first.tar.gz", tmp_path / "again.tar.gz"
    load().shell_access(ROOT, first)
    load().shell_access(ROOT, again)
    assert first.read_bytes() == again.read_bytes()
    assert sorted(tmp_path.iterdir()) == [again, first]
    with tarfile.open(first) as archive:
        assert set(archive.getnames()) == {file.name for file in ETC.glob("*acl*")} | {"shell.init.script"}
        for member in archive:
            assert archive.extractfile(member).read() == (ETC / member.name).read_bytes()
