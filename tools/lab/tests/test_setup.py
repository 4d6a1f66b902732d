"""What the set-up installs, by Debian's real apt and dpkg: of a package made here, into a list of packages of its own."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.machine.ledger import run

pytestmark = pytest.mark.e2e
PACKAGE = "paceline-trial"
POLICY = "/usr/sbin/policy-rc.d"
OF_A_CONTAINER = "#!/bin/sh\nexit 101\n"
# As a package asks that brings a service. None of the machine's own may be asked for, as others run here.
ASKS = f"#!/bin/sh\nset +e\n{POLICY} {PACKAGE} start\necho $? >>%s\n"


class Machine:
    """A Debian on which nothing is installed but by this test; its /usr/sbin is a copy that nobody else sees."""

    def __init__(self, folder):
        self.folder, self.answers, self.policy = folder, folder / "answers", folder / "policy"
        for name in ("package/DEBIAN", "archive", "state/lists/partial", "cache/archives/partial", "log", "none", "dpkg/info", "dpkg/updates"):
            (folder / name).mkdir(parents=True)
        (folder / "dpkg/status").touch()
        # Here, as the checkout may be where only its owner looks.
        (folder / "tools").mkdir()
        for name in ("setup.sh", "paceline"):
            shutil.copy(ROOT / "tools" / name, folder / "tools")
        self.offer()
        (folder / "sources.list").write_text(f"deb [trusted=yes] file:{folder}/archive ./\n")
        (folder / "apt.conf").write_text(
            f'Dir::State "{folder}/state"; Dir::State::status "{folder}/dpkg/status"; Dir::Cache "{folder}/cache"; Dir::Log "{folder}/log";\n'
            f'Dir::Etc::sourcelist "{folder}/sources.list"; Dir::Etc::sourceparts "{folder}/none"; Dir::Etc::parts "{folder}/none";\n'
            f'APT::Sandbox::User "root"; DPkg::Options {{ "--log={folder}/log/dpkg"; }};\n'
        )

    def offer(self):
        control = f"Package: {PACKAGE}\nVersion: 1\nArchitecture: all\nMaintainer: Paceline <none@example.org>\nDescription: empty\n"
        (self.folder / "package/DEBIAN/control").write_text(control)
        script = self.folder / "package/DEBIAN/postinst"
        script.write_text(ASKS % self.answers)
        script.chmod(0o755)
        deb = self.folder / "archive/trial.deb"
        run("dpkg-deb", "--build", "--root-owner-group", str(self.folder / "package"), str(deb))
        content = deb.read_bytes()
        listed = f"Filename: ./trial.deb\nSize: {len(content)}\nSHA256: {hashlib.sha256(content).hexdigest()}\n"
        (self.folder / "archive/Packages").write_text(control + listed)

    def set_up(self, *, rule: str | None = None, user: int = 0, packages: str = PACKAGE) -> subprocess.CompletedProcess[str]:
        """With that rule for services there before; what is there afterwards is kept in the folder."""
        before = self.folder / "rule"
        before.write_text(rule or "")
        script = f"""set -e
            mount --make-rprivate / && cp -a /usr/sbin {self.folder}/sbin && mount --bind {self.folder}/sbin /usr/sbin
            rm -f {POLICY} {self.policy}; [ ! -s {before} ] || install -m 755 {before} {POLICY}
            code=0
            setpriv --reuid={user} --clear-groups bash -c 'set -euo pipefail; root={self.folder}; . {self.folder}/tools/setup.sh
              lab_packages="{packages}"; need_packages' || code=$?
            [ ! -e {POLICY} ] || cp {POLICY} {self.policy}; exit $code"""
        environment = {**os.environ, "LC_ALL": "C", "APT_CONFIG": str(self.folder / "apt.conf"), "DPKG_ADMINDIR": str(self.folder / "dpkg")}
        return subprocess.run(["unshare", "--mount", "bash", "-c", script], env=environment, capture_output=True, text=True)

    def without_ssh(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Where nothing of the lab is installed yet, as somebody who is not root."""
        programs = self.folder / "programs"
        programs.mkdir()
        for name in ("bash", "dirname", "dpkg-query", "env", "grep", "id"):
            (programs / name).symlink_to(shutil.which(name))
        command = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", str(self.folder / "tools/paceline"), *words]
        environment = {"PATH": str(programs), "DPKG_ADMINDIR": str(self.folder / "dpkg")}
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def is_installed(self) -> bool:
        return "Status: install ok installed" in (self.folder / "dpkg/status").read_text()


@pytest.fixture
def machine():
    # Into pytest's own folders nobody but their owner may look.
    with tempfile.TemporaryDirectory(prefix="paceline-set-up-") as folder:
        os.chmod(folder, 0o755)
        before = os.umask(0o022)
        try:
            yield Machine(Path(folder))
        finally:
            os.umask(before)


def test_services_stay_off_while_packages_are_installed_and_only_then(machine):
    done = machine.set_up()
    assert done.returncode == 0, done.stderr
    assert machine.is_installed()
    assert machine.answers.read_text() == "101\n"
    assert not machine.policy.exists()


def test_a_rule_for_services_that_is_there_stays(machine):
    done = machine.set_up(rule=OF_A_CONTAINER)
    assert done.returncode == 0, done.stderr
    assert machine.answers.read_text() == "101\n"
    assert machine.policy.read_text() == OF_A_CONTAINER


def test_a_rule_that_a_killed_set_up_has_left_is_taken_away(machine):
    left = "#!/bin/sh\n# until Paceline's packages are installed\nexit 101\n"
    done = machine.set_up(rule=left)
    assert done.returncode == 0, done.stderr
    assert not machine.policy.exists()


def test_of_all_that_apt_says_only_the_reason_of_a_failure_is_shown(machine):
    done = machine.set_up(packages=f"{PACKAGE} paceline-nowhere")
    assert done.returncode == 1
    begin, reason, advice = done.stderr.splitlines()
    assert begin.endswith(f": {PACKAGE} paceline-nowhere")
    assert reason == "E: Unable to locate package paceline-nowhere"
    assert advice.startswith("paceline: the packages are not installed; the lines above say why.")
    assert not machine.policy.exists()
    assert len(machine.set_up().stderr.splitlines()) == 1


def test_what_is_installed_is_not_installed_again(machine):
    assert machine.set_up().returncode == 0
    done = machine.set_up()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.answers.read_text() == "101\n"


def test_who_may_not_install_is_told_what_is_missing_and_how_to_get_it(machine):
    done = machine.set_up(user=65534)
    assert (done.returncode, done.stderr) == (2, told(PACKAGE))


def test_the_shell_needs_ssh_and_nothing_else_of_the_lab(machine):
    done = machine.without_ssh("shell", "paceline:agents")
    assert (done.returncode, done.stderr) == (2, told("openssh-client"))


def told(package: str) -> str:
    return (
        "paceline: Debian packages are missing, and only root can install them. "
        f"Maybe: sudo apt-get install --no-install-recommends {package}\n"
    )
