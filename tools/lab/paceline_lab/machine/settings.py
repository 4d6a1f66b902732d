"""Settings of the kernel that hold for the whole machine: shared by those who need them, set back by the last.

Two runs side by side that each remember what they found would set it back across each other: the second finds the first one's.
So what was found stands in one file, with everybody who needs it. It is not below /run, of which runs side by side have one each.
Only in the machine's own network namespace can these be set.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from . import net_namespaces
from .processes import started_at

REGISTER = Path("/var/lib/paceline-machine-settings.json")
# All ports of a userspace datapath share one packet socket, whose buffer bounds every queue in the switch.
SOCKET_BUFFERS = {"net.core.wmem_default": str(8 << 20), "net.core.rmem_default": str(8 << 20)}


def hold(settings: dict[str, str], holder: str, root: Path = Path("/proc/sys"), register: Path = REGISTER) -> None:
    """Sets what the holder needs, until it releases it or ends; it is safe to repeat."""
    with net_namespaces.machine(), opened(register) as held:
        for name, value in settings.items():
            path = root / name.replace(".", "/")
            now = path.read_text().strip() if path.exists() else None
            if now != value and not os.access(path, os.W_OK):
                raise RuntimeError(
                    f"{name} must be {value}, and only the machine's own network namespace may set it; this one has {now or 'no such setting'}. "
                    "Maybe run this there; a container has its own unless it shares the machine's."
                )
            one = held.setdefault(name, {"found": now, "set": value, "holders": {}})
            if not living(one["holders"]) and now != one["set"]:
                one["found"] = now  # what a run left that was killed was set right since
            one["set"] = value
            one["holders"][holder] = [os.getpid(), started_at(os.getpid())]
            if now != value:
                path.write_text(value)


def release(holder: str, root: Path = Path("/proc/sys"), register: Path = REGISTER) -> None:
    """Sets back what nobody else needs any more; it is safe to repeat."""
    with net_namespaces.machine(), opened(register) as held:
        for name, one in list(held.items()):
            one["holders"].pop(holder, None)
            if not living(one["holders"]):
                path = root / name.replace(".", "/")
                if path.read_text().strip() != one["found"]:
                    path.write_text(one["found"])
                del held[name]


def living(holders: dict[str, list[Any]]) -> bool:
    """Whether anybody needs it. Who ended without a word needs nothing any more."""
    return any(began is not None and started_at(pid) == began for pid, began in holders.values())


@contextmanager
def opened(register: Path) -> Iterator[dict[str, Any]]:
    """What is held, for one at a time; the file is there only while something is."""
    while True:
        with open(register, "a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not is_there(file, register):
                continue  # somebody has taken it away while this one waited
            file.seek(0)
            held = json.loads(file.read() or "{}")
            try:
                yield held
            finally:
                if held:
                    file.seek(0)
                    file.truncate()
                    file.write(json.dumps(held))
                else:
                    register.unlink()
            return


def is_there(file: IO[str], path: Path) -> bool:
    """Whether what is open is what stands there now. It may be taken away at any moment: whoever asks twice may see both."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
