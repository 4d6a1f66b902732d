"""In which network namespace this thread is."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from pathlib import Path

# The machine's own, for processes that are in another. Who starts such processes leaves it here; see tools/conftest.py.
MACHINE = Path("/run/paceline-machine-network")


@contextlib.contextmanager
def entered(namespace: Path) -> Iterator[None]:
    """This thread is in the namespace of that file, until the end of the block."""
    # Python has setns from 3.12 on.
    setns = ctypes.CDLL(None, use_errno=True).setns
    with open("/proc/thread-self/ns/net", "rb") as home, open(namespace, "rb") as there:
        if setns(there.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter the namespace {namespace}")
        try:
            yield
        finally:
            if setns(home.fileno(), 0) != 0:
                raise OSError(ctypes.get_errno(), "cannot return from the namespace")


def machine() -> contextlib.AbstractContextManager[None]:
    """This thread is in the machine's own namespace until the end of the block."""
    return entered(MACHINE) if MACHINE.exists() else contextlib.nullcontext()
