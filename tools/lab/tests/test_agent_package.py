"""The agent's Debian package as Maven has built it: what it puts where, and whether systemd takes its unit."""

import shutil
import subprocess

import pytest

from paceline_lab.agents import ROOT

PACKAGE = ROOT / "host-agent-java" / "agent" / "target" / "paceline-agent.deb"
UNIT = "paceline-agent.service"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    if not PACKAGE.exists():
        pytest.fail(f"There is no package ({PACKAGE}). Maybe: mvn package -pl host-agent-java/agent -am")
    root = tmp_path_factory.mktemp("package")
    subprocess.run(["dpkg-deb", "-R", PACKAGE, root], check=True)
    return root


def test_every_file_is_where_it_is_looked_for(unpacked):
    files = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    assert {name for name in files if not name.startswith(("DEBIAN/", "usr/lib/"))} == {
        "etc/paceline/agent.yaml",
        "etc/paceline/rules.yaml",
        f"lib/systemd/system/{UNIT}",
        "usr/bin/paceline-agent",
        "usr/share/man/man8/paceline-agent.8",
        "usr/share/paceline/paceline-agent.jar",
    }
    assert (unpacked / "DEBIAN" / "conffiles").read_text().split() == [
        "/etc/paceline/agent.yaml", "/etc/paceline/rules.yaml",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="without systemd nobody can say")
def test_systemd_takes_the_unit(unpacked, tmp_path):
    text = (unpacked / "lib" / "systemd" / "system" / UNIT).read_text()
    # What it starts has to be there.
    (tmp_path / UNIT).write_text(text.replace("=/usr/bin/", f"={unpacked}/usr/bin/"))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / UNIT], capture_output=True, text=True
    )  # fmt: skip
    assert (verified.stderr, verified.returncode) == ("", 0)
