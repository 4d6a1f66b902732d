"""The small programs in C, which whoever needs them first compiles."""

from __future__ import annotations

import concurrent.futures
import os

import pytest
from paceline_lab.machine import native

# It needs the compiler that only what is end to end has.
pytestmark = pytest.mark.e2e


def test_several_may_find_them_missing_at_the_same_moment(tmp_path):
    with concurrent.futures.ThreadPoolExecutor(4) as builders:
        built = [future.result() for future in [builders.submit(native.build, tmp_path) for _ in range(4)]]
    assert built == [tmp_path] * 4
    assert sorted(os.listdir(tmp_path)) == sorted([*native.PROGRAMS, native.CLOCK])
    assert all(os.access(tmp_path / name, os.X_OK) for name in native.PROGRAMS)
