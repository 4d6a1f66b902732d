#!/usr/bin/env python3
"""Makes a release's folder: the application, the agent's packages, who may say what in ONOS's shell, what they bring along, and checksums.

It builds what is committed, in a folder of its own, so nothing of this one gets in. The same commit gives the same bytes:
--verify builds twice, in two places, and compares.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = ("app/onos", "host-agent-java/agent")
# As project.build.outputTimestamp of the root pom.xml.
STAMP = (2026, 1, 1, 0, 0, 0)


class Failed(Exception):
    """What stood in the way, for a person."""


def call(*words: str, cwd: Path = ROOT) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"`{' '.join(words)}` failed:\n{(done.stdout + done.stderr).strip()[-3000:]}")
    return done.stdout.strip()


def checked_out(commit: str, folder: Path) -> Path:
    archive = folder / "source.tar"
    call("git", "archive", f"--output={archive}", commit)
    source = folder / "source"
    source.mkdir()
    call("tar", "-xf", str(archive), "-C", str(source))
    return source


def build(commit: str, folder: Path, out: Path) -> None:
    source = checked_out(commit, folder)
    # The tests have judged the code; here it is only made.
    call(
        "mvn", "-q", "-ntp", "-B", "package", "org.cyclonedx:cyclonedx-maven-plugin:makeBom",
        "-Dquick", "-DskipTests", "-Dspotless.check.skip", "-pl", ",".join(MODULES), "-am", cwd=source,
    )  # fmt: skip
    application, agent = (source / module / "target" for module in MODULES)
    archive = only(application.glob("*.oar"))
    version = archive.stem.removeprefix("paceline-app-")
    repacked(archive, out / f"paceline-{version}.oar")
    for package in sorted(agent.glob("*.deb")):
        processor = package.stem.rpartition("_")[2]
        shutil.copy(package, out / f"paceline-agent_{version}_{processor}.deb")
    shutil.copy(agent / "paceline-agent.tar.gz", out / f"paceline-agent-{version}.tar.gz")
    shell_access(source, out / f"paceline-shell-access-{version}.tar.gz")
    shutil.copy(application / "bom.json", out / f"paceline-{version}.cdx.json")
    shutil.copy(agent / "bom.json", out / f"paceline-agent-{version}.cdx.json")


def only(files: object) -> Path:
    found = list(files)  # type: ignore[call-overload]
    if len(found) != 1:
        raise Failed(f"One archive was to be built, not {found}.")
    return found[0]


def repacked(archive: Path, target: Path) -> None:
    """ONOS's plug-in stamps its archive with the time of the build; here each file has one time, and their order is fixed."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist()):
            entry = zipfile.ZipInfo(name, STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o40755 << 16 | 0x10) if name.endswith("/") else 0o100644 << 16
            new.writestr(entry, old.read(name))


def shell_access(source: Path, target: Path) -> None:
    """Who may say what in ONOS's own shell: to be unpacked in Karaf's etc/ of an ONOS that is not ours (docs/operate/security.md)."""
    etc = source / "tools/onos/assembly/src/main/etc"
    files = sorted([*etc.glob("org.apache.karaf.command.acl.*.cfg"), etc / "shell.init.script"])
    plain = target.with_suffix("")
    with tarfile.open(plain, "w", format=tarfile.USTAR_FORMAT) as archive:
        for file in files:
            entry = tarfile.TarInfo(file.name)
            entry.size, entry.mtime = file.stat().st_size, int(datetime(*STAMP, tzinfo=UTC).timestamp())
            with file.open("rb") as content:
                archive.addfile(entry, content)
    # Without the file's name and time in gzip's own head, which differ from build to build.
    target.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    plain.unlink()


def checksums(folder: Path) -> str:
    return "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(folder.iterdir()) if file.name != "SHA256SUMS"
    )


def package(commit: str, out: Path) -> str:
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="paceline-package-") as folder:
        build(commit, Path(folder), out)
    sums = checksums(out)
    (out / "SHA256SUMS").write_text(sums)
    return sums


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/paceline package", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "out/package", metavar="DIR", help="for the files (default: out/package)")
    parser.add_argument("--commit", default="HEAD", help="what is built (default: %(default)s)")
    parser.add_argument("--verify", action="store_true", help="build it a second time elsewhere, and fail where a byte differs")
    chosen = parser.parse_args()
    if chosen.out.exists() and not (chosen.out / "SHA256SUMS").exists() and any(chosen.out.iterdir()):
        print(f"package: {chosen.out} holds something else. Maybe choose another --out DIR", file=sys.stderr)
        return 2
    try:
        commit = call("git", "rev-parse", "--verify", f"{chosen.commit}^{{commit}}")
        shutil.rmtree(chosen.out, ignore_errors=True)
        sums = package(commit, chosen.out)
        print(sums, end="")
        if chosen.verify:
            with tempfile.TemporaryDirectory(prefix="paceline-again-") as again:
                second = package(commit, Path(again) / "out")
            if second != sums:
                raise Failed(f"a second build differs:\n{second}")
            print("A second build, in another folder, is the same bit for bit.")
        print(f"Packed {commit[:12]} into {chosen.out}; `sha256sum -c SHA256SUMS` there checks it.")
        return 0
    except Failed as problem:
        print(f"package: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
