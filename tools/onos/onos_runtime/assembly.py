"""Assembles ONOS with Maven, once for each state of its inputs."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from .errors import OnosError
from .progress import Progress

ROOM = Path(__file__).resolve().parent.parent
PROJECT = ROOM.parent.parent
KARAF = ROOM / "assembly" / "target" / "karaf"
_STAMP = ROOM / "assembly" / "target" / "assembled"
_LOG = ROOM / "assembly" / "target" / "assemble.log"
_MODULES = ("core-dist", "stores", "providers", "assembly")


def find_java() -> Path:
    """The java of a JDK 17: JAVA_HOME's, else the first on the path, else a well-known place."""
    candidates = []
    if "JAVA_HOME" in os.environ:
        candidates.append(Path(os.environ["JAVA_HOME"]) / "bin" / "java")
    on_path = shutil.which("java")
    if on_path:
        candidates.append(Path(on_path))
    candidates += sorted(Path("/usr/lib/jvm").glob("*17*/bin/java"))
    seen = []
    for java in candidates:
        if not os.access(java, os.X_OK):
            continue
        version = _java_version(java)
        if version == 17:
            return java.resolve()
        seen.append(f"{java} is version {version}")
    raise OnosError(
        "ONOS needs a JDK 17 and none was found ("
        + ("; ".join(seen) or "no java at all")
        + "). Maybe install one (Debian: apt install openjdk-17-jdk-headless) or set JAVA_HOME to it."
    )


def _java_version(java: Path) -> int | None:
    answer = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    found = re.search(r'version "(\d+)', answer.stderr)
    return int(found.group(1)) if found else None


def inputs_digest() -> str:
    """Changes whenever an input of the assembly does."""
    files = [PROJECT / "pom.xml", ROOM / "pom.xml"]
    for module in _MODULES:
        files.append(ROOM / module / "pom.xml")
        files += [f for f in (ROOM / module / "src" / "main").rglob("*") if f.is_file()]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(str(file.relative_to(PROJECT)).encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def is_assembled() -> bool:
    return (
        _STAMP.is_file()
        and _STAMP.read_text().strip() == inputs_digest()
        and (KARAF / "system").is_dir()
    )


def note_assembled() -> None:
    """For whoever has had Maven package the assembly with other modules: it need not be done again."""
    if not (KARAF / "system").is_dir():
        raise OnosError(f"There is no assembly in {KARAF}. Maybe run build without --done, which makes it.")
    _STAMP.write_text(inputs_digest() + "\n")


def assemble(progress: Progress) -> bool:
    """Assembles where needed; True where there was something to do."""
    if is_assembled():
        return False
    find_java()
    maven = shutil.which("mvn")
    if maven is None:
        raise OnosError(
            "ONOS is assembled with Maven and there is no mvn on the path. Maybe install it (Debian: apt install maven)."
        )
    _LOG.parent.mkdir(parents=True, exist_ok=True)
    _STAMP.unlink(missing_ok=True)
    command = [maven, "-B", "-ntp", "-pl", "tools/onos/assembly", "-am", "package"]
    command += ["-DskipTests", "-Dspotless.check.skip=true"]
    digest = inputs_digest()
    with open(_LOG, "w", encoding="utf-8") as log:
        build = subprocess.Popen(
            command, cwd=PROJECT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            while True:
                progress.show(f"Assembling ONOS with Maven: {_current_module()}")
                try:
                    if build.wait(timeout=1) == 0:
                        break
                    raise OnosError(_build_failure())
                except subprocess.TimeoutExpired:
                    continue
        except BaseException:
            build.terminate()
            build.wait()
            raise
    _STAMP.write_text(digest + "\n")
    return True


@contextlib.contextmanager
def turn(progress: Progress, patience: float) -> Iterator[None]:
    """
    One ONOS of this assembly starts at a time: it takes all processors that a small machine has, and of two that started at once one
    has started by half. Whoever has waited for so many seconds starts all the same.
    """
    handle = os.open(KARAF, os.O_RDONLY)
    try:
        until = time.monotonic() + patience
        while time.monotonic() < until:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                progress.show("Waiting for another ONOS to be up")
                time.sleep(0.2)
        yield
    finally:
        os.close(handle)


def _current_module() -> str:
    found = re.findall(r"^\[INFO\] Building (.+?) 0\.", _LOG.read_text(errors="replace"), re.M)
    return found[-1] if found else "starting"


def _build_failure() -> str:
    errors = [line for line in _LOG.read_text(errors="replace").splitlines() if "ERROR" in line]
    return (
        "Maven could not assemble ONOS:\n  "
        + "\n  ".join(errors[:12])
        + f"\nThe whole log is in {_LOG}. Maybe Maven Central cannot be reached; try again when it can."
    )
