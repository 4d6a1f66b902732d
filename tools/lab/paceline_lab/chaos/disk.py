"""A disk of its own for ONOS, which can stall and can be full: a file system in a file, at a place where the next run finds what a killed one left."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from ..machine.ledger import run

HOME = Path("/run/paceline-chaos")
# Nothing is written of it but what ONOS writes, and far more is free than ONOS warns of (`diskAlarmMegabytes`).
BYTES = 4_000_000_000


class Disk:
    def __init__(self) -> None:
        self._file = HOME / "disk.img"
        self.folder = HOME / "disk"
        self._filling = self.folder / "filling"

    def open(self) -> "Disk":
        self.close()
        self.folder.mkdir(parents=True)
        try:
            with open(self._file, "wb") as file:
                file.truncate(BYTES)
            run("mkfs.ext4", "-q", "-m", "0", str(self._file))
            run("mount", "-o", "loop", str(self._file), str(self.folder))
            return self
        except BaseException:
            self.close()
            raise

    def stall(self) -> None:
        """Whoever writes waits."""
        run("fsfreeze", "--freeze", str(self.folder))

    def go_on(self) -> None:
        run("fsfreeze", "--unfreeze", str(self.folder))

    def leave(self, size: int) -> None:
        """All is taken but so many bytes; whoever writes less than that goes on."""
        taken = self._filling.stat().st_size if self._filling.exists() else 0
        length = taken + shutil.disk_usage(self.folder).free - size
        if length <= taken:
            raise RuntimeError(f"{self.folder} has not even {size} bytes free before it is filled")
        run("fallocate", "-l", str(length), str(self._filling))

    def fill(self) -> None:
        """To the last block; whoever writes is refused."""
        # What ONOS writes meanwhile is missing to the first; the second ends when nothing is left.
        with contextlib.suppress(RuntimeError):
            self.leave(0)
        run("sh", "-c", f"cat /dev/zero >> {self._filling}", check=False)

    def empty(self) -> None:
        self._filling.unlink(missing_ok=True)

    def close(self) -> None:
        if self.folder.is_mount():
            with contextlib.suppress(RuntimeError):
                self.go_on()  # of a run that was killed meanwhile
            run("umount", "--lazy", str(self.folder))
        self._file.unlink(missing_ok=True)
        for folder in (self.folder, HOME):
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()
