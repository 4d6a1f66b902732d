"""The agent's Debian package, and its plain archive, as Maven has built them: what it puts where, whether systemd takes its unit, and what dpkg makes of it."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.machine import ledger
from paceline_lab.networks.own_ovs import wait_until_true
from paceline_lab.networks.space import Space, inside, remove_namespace
from paceline_lab.scenarios.access_link import environment
from paceline_lab.scenarios.counters import Sampler

TARGET = ROOT / "host-agent-java" / "agent" / "target"
# By Debian's name of the processor, and by JNA's.
PROCESSORS = {"amd64": "x86-64", "arm64": "aarch64"}
THIS = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
PACKAGE = TARGET / f"paceline-agent_{THIS}.deb"
ARCHIVE = TARGET / "paceline-agent.tar.gz"
UNIT = "paceline-agent.service"
# The archive of the agent's classes, which its installation makes.
CLASSES = "usr/lib/paceline/agent.jsa"


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
        "usr/share/doc/paceline-agent/changelog.gz",
        "usr/share/doc/paceline-agent/copyright",
        "usr/share/man/man8/paceline-agent.8.gz",
        "usr/share/paceline/paceline-agent.jar",
    }
    assert (unpacked / "DEBIAN" / "conffiles").read_text().split() == [
        "/etc/paceline/agent.yaml", "/etc/paceline/rules.yaml",
    ]  # fmt: skip
    page = gzip.decompress((unpacked / "usr/share/man/man8/paceline-agent.8.gz").read_bytes()).decode()
    assert page.startswith(".TH PACELINE-AGENT 8")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may pace")
def test_the_archive_runs_wherever_it_is_unpacked_with_its_native_part(tmp_path):
    subprocess.run(["tar", "-xzf", ARCHIVE, "-C", tmp_path], check=True)
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {name for name in files if not name.startswith("lib/paceline/")} == {
        "bin/paceline-agent",
        f"lib/systemd/system/{UNIT}",
        "share/doc/paceline-agent/agent.yaml",
        "share/doc/paceline-agent/copyright",
        "share/doc/paceline-agent/rules.yaml",
        "share/man/man8/paceline-agent.8.gz",
        "share/paceline/paceline-agent.jar",
    }
    assert "ExecStart=/usr/local/bin/paceline-agent run" in (tmp_path / "lib/systemd/system" / UNIT).read_text()
    settings = tmp_path / "share/doc/paceline-agent/agent.yaml"
    settings.write_text(settings.read_text() + "controller: 192.0.2.1\nhostId: srv1\n")
    # Where there is no interface it gets as far as to say so: its native part need not be written anywhere.
    with subprocess.Popen(
        ["timeout", "300", "unshare", "--net", tmp_path / "bin/paceline-agent", "run", "--config", settings],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "JAVA_TOOL_OPTIONS": "-Djna.tmpdir=/proc/nowhere"},
    ) as waiting:  # fmt: skip
        assert "There is no interface to pace on" in waiting.stdout.readline()
        waiting.terminate()
        assert waiting.wait(120) == 0
    # Without memory for one of its threads it ends, and does not go on without that thread.
    flags = subprocess.run(
        [tmp_path / "bin/paceline-agent", "--version"],
        capture_output=True, text=True, env={**os.environ, "JAVA_TOOL_OPTIONS": "-XX:+PrintFlagsFinal"}, check=True,
    ).stdout  # fmt: skip
    assert re.search(r"ExitOnOutOfMemoryError\s+= true", flags)


def said_and_shared(root, **environment):
    """What a command says, and whether Java had the agent's classes from their archive."""
    log = root / "log"
    done = subprocess.run(
        [root / "bin/paceline-agent", "--version"],
        capture_output=True, text=True, env={**os.environ, **environment, "JAVA_TOOL_OPTIONS": f"-Xlog:class+load:file={log}"},
    )  # fmt: skip
    return (done.returncode, done.stdout, done.stderr), "org.paceline.agent.PacelineAgent source: shared objects file" in log.read_text()


def javas():
    """The homes of this machine's Javas that the agent runs with, each once."""
    homes = {java.resolve().parents[1] for java in Path("/usr/lib/jvm").glob("*/bin/java")}
    releases = {home: (home / "release").read_text() for home in homes if (home / "release").exists()}
    return sorted(home for home, text in releases.items() if (version := re.search(r'^JAVA_VERSION="(\d+)', text, re.M)) and int(version[1]) >= 17)


@pytest.mark.parametrize("home", javas(), ids=lambda home: home.name)
def test_it_starts_from_the_archive_of_its_classes_and_prints_the_same_with_one_that_does_not_fit(home, tmp_path):
    """Java from version 20 on warns of that: not where programs read what a command prints."""
    subprocess.run(["tar", "-xzf", ARCHIVE, "-C", tmp_path], check=True)
    archive, jar = tmp_path / "lib/paceline/agent.jsa", tmp_path / "share/paceline/paceline-agent.jar"
    environment = {"PATH": f"{home}/bin:{os.environ['PATH']}"}
    right, shared = said_and_shared(tmp_path, **environment)
    assert (right[0], shared) == (0, False), right
    subprocess.run([tmp_path / "lib/paceline/archive-classes"], check=True, env={**os.environ, **environment})
    assert said_and_shared(tmp_path, **environment) == (right, True)
    assert not list(archive.parent.glob("agent.jsa.*")), "nothing of its making is left"

    # Another jar is started without the archive of this one, which therefore nobody warns of.
    other = shutil.copy2(jar, tmp_path / "other.jar")
    assert said_and_shared(tmp_path, **environment, PACELINE_AGENT_JAR=str(other)) == (right, False)

    whole = archive.read_bytes()
    # In its head is which Java has made it.
    java = whole.index(b"OpenJDK")
    for name, content in {
        "empty": b"",
        "half": whole[: len(whole) // 2],
        "none": b"no archive",
        "another Java's": whole[:java] + b"AnotherVM" + whole[java + 9 :],
    }.items():
        archive.write_bytes(content)
        said, shared = said_and_shared(tmp_path, **environment)
        assert (said[:2], shared) == (right[:2], False), name
    archive.write_bytes(whole)
    assert said_and_shared(tmp_path, **environment) == (right, True)
    os.utime(jar, (0, 0))
    said, shared = said_and_shared(tmp_path, **environment)
    assert (said[:2], shared) == (right[:2], False), "another jar's"


def test_unpacked_over_a_version_before_it_does_not_run_that_ones_classes(tmp_path):
    """Java tells jars apart by time and size. All versions' jars have one time; that of before has this one's size here, too."""
    unpack = ["tar", "-xzf", ARCHIVE, "-C", tmp_path]
    subprocess.run(unpack, check=True)
    right, _ = said_and_shared(tmp_path)
    subprocess.run([tmp_path / "lib/paceline/archive-classes"], check=True)
    assert said_and_shared(tmp_path) == (right, True)
    subprocess.run(unpack, check=True)
    assert said_and_shared(tmp_path) == (right, False)


def test_where_no_archive_can_be_made_none_is_left_of_before_either(tmp_path):
    subprocess.run(["tar", "-xzf", ARCHIVE, "-C", tmp_path], check=True)
    make = tmp_path / "lib/paceline/archive-classes"
    subprocess.run([make], check=True)
    # As one that was killed has left it.
    (make.parent / "agent.jsa.killed").mkdir()
    # No file may become as large as the archive.
    failed = subprocess.run(["sh", "-c", 'ulimit -f 2000 && exec "$0"', make], capture_output=True, text=True)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert f"no archive of {tmp_path}/share/paceline/paceline-agent.jar" in failed.stderr
    assert not list(make.parent.glob("agent.jsa*"))


def test_the_changelog_is_about_this_version(unpacked):
    version = subprocess.run(["dpkg-deb", "-f", PACKAGE, "Version"], check=True, capture_output=True, text=True).stdout.strip()
    newest = gzip.decompress((unpacked / "usr/share/doc/paceline-agent/changelog.gz").read_bytes()).decode().splitlines()[0]
    assert newest.startswith(f"paceline-agent ({version}) ")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="without systemd nobody can say")
def test_systemd_takes_the_unit(unpacked, tmp_path):
    text = (unpacked / "lib" / "systemd" / "system" / UNIT).read_text()
    # What it starts has to be there.
    (tmp_path / UNIT).write_text(text.replace("=/usr/bin/", f"={unpacked}/usr/bin/"))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / UNIT], capture_output=True, text=True
    )  # fmt: skip
    assert (verified.stderr, verified.returncode) == ("", 0)
    # However often it has ended, it is started again.
    assert "StartLimitIntervalSec=0" in text.split("[Service]")[0].splitlines()


class Machine:
    """This machine's files in a mount namespace of its own, where what changes lies beside them, in memory."""

    SCRIPT = """
        mount --make-rprivate / && mount -t tmpfs tmpfs "$1" && mkdir "$1/upper" "$1/work" "$1/root" &&
        mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root" &&
        mount --rbind /proc "$1/root/proc" && mount --rbind /dev "$1/root/dev" && mount -t tmpfs tmpfs "$1/root/run" &&
        cp "$2" "$1/root/run/package.deb" && echo ready && exec cat
    """

    def __init__(self, directory):
        self.directory = directory
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", self.SCRIPT, "sh", directory, PACKAGE],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        if (said := self.holder.stdout.readline().strip()) != "ready":
            self.close()
            pytest.skip(f"no files can be laid over this machine's here: {said}")

    def outside(self, *words, network=None):
        return subprocess.run([*self.entered(network), *map(str, words)], capture_output=True, text=True)

    def entered(self, network):
        return ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", *((f"--net=/run/netns/{network}",) if network else ())]

    def run(self, *words, network=None):
        """As root of it; nothing of this machine runs there."""
        return self.outside("env", "DEBIAN_FRONTEND=noninteractive", "chroot", self.directory / "root", *words, network=network)

    def start(self, *words, network):
        """The same, and it goes on."""
        return subprocess.Popen([*self.entered(network), "chroot", str(self.directory / "root"), *words],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip

    def must(self, *words):
        done = self.run(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def changed(self):
        """Every file that is not as it was, or is no more."""
        listed = self.outside("find", self.directory / "upper", "!", "-type", "d", "-printf", "%P\n").stdout
        return set(listed.splitlines())

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self.holder.stdin.close()
        self.holder.wait(30)
        self.holder.stdout.close()


@pytest.fixture
def machine(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root may install packages")
    made = Machine(tmp_path)
    try:
        yield made
    finally:
        made.close()


# Its own books, and those of what it calls where files come and go; a Java that starts clears away what killed ones left.
BOOKS = ("tmp/hsperfdata_", "var/lib/dpkg/", "var/log/dpkg.log", "var/log/alternatives.log", "var/cache/", "etc/ld.so.cache", "var/lib/systemd/catalog/")


def test_it_is_installed_configured_removed_and_purged_by_dpkg_and_nothing_stays(machine):
    # What it depends on may have come to this machine by other ways.
    install = ("dpkg", "--install", "--force-depends", "--force-confold", "/run/package.deb")
    machine.must(*install)
    assert {"usr/bin/paceline-agent", "etc/paceline/rules.yaml", CLASSES} <= machine.changed()
    assert machine.run("systemctl", "is-enabled", UNIT).stdout.strip() == "disabled"
    checked = machine.run("paceline-agent", "check", "--config", "/etc/paceline/agent.yaml")
    assert checked.returncode == 2
    assert "controller" in checked.stderr and "hostId" in checked.stderr, "it asks for what only a person knows"

    # As dpkg does when a Java comes or goes.
    machine.must("rm", f"/{CLASSES}")
    machine.must("dpkg-trigger", "--by-package=dpkg", "/usr/lib/jvm")
    machine.must("dpkg", "--force-depends", "--triggers-only", "--pending")
    machine.must("test", "-r", f"/{CLASSES}")

    machine.must("systemctl", "enable", UNIT)
    machine.must("sh", "-c", "echo 'hostId: srv1' >> /etc/paceline/agent.yaml")
    machine.must(*install)
    assert "hostId: srv1" in machine.must("cat", "/etc/paceline/agent.yaml")
    assert machine.run("systemctl", "is-enabled", UNIT).stdout.strip() == "enabled"

    machine.must("dpkg", "--remove", "paceline-agent")
    assert machine.run("test", "-e", "/usr/bin/paceline-agent").returncode == 1
    assert machine.run("test", "-e", f"/{CLASSES}").returncode == 1
    assert "hostId: srv1" in machine.must("cat", "/etc/paceline/agent.yaml")
    machine.must("dpkg", "--purge", "paceline-agent")
    assert {name for name in machine.changed() if not name.startswith(BOOKS)} == set()
    assert machine.run("test", "-e", "/etc/paceline").returncode == 1


GUIDE = ROOT / "docs" / "operate" / "small-networks.md"
OUTSIDE = "10.33.0.1"
# As the guide's uplink has.
UPLINK_KBPS = 10_000
P2P, VIDEO = 7001, 7002
RULES = f"""
rules:
  - {{intent: p2p/torrent, match: {{remotePort: {P2P}}}}}
  - {{intent: video/live, match: {{remotePort: {VIDEO}}}}}
"""


def test_three_hosts_that_reach_only_each_other_share_by_the_guide_once_they_have_the_package_and_one_key(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root may install packages")
    guide = GUIDE.read_text()
    make_key = re.search(r"^ +(umask 077; .*)$", guide, re.M)[1]
    settings = textwrap.dedent(re.search(r"```yaml\n(.*?)```", guide, re.S)[1])
    settings = re.sub("weights: .*", "weights: {p2p: 1, video: 2}", settings)
    with contextlib.ExitStack() as stack:
        space = stack.enter_context(contextlib.closing(Space("plk")))
        ledger.run(*inside(space.namespace, "ip", "link", "add", "br0", "up", "type", "bridge", "mcast_snooping", "0"))
        machines, key = {}, ""
        for number, name in enumerate(("anna", "ben", "cora"), 1):
            network = f"{space.namespace}-{name}"
            stack.callback(remove_namespace, network)
            remove_namespace(network)
            ledger.run("ip", "netns", "add", network)
            ledger.run(*inside(space.namespace, "ip", "link", "add", name, "up", "master", "br0", "type", "veth", "peer", "name", "eth0", "netns", network))
            ledger.run("ip", "-n", network, "address", "add", f"10.32.0.{number}/24", "dev", "eth0")
            ledger.run("ip", "-n", network, "link", "set", "eth0", "up")
            (tmp_path / name).mkdir()
            machine = machines[network] = Machine(tmp_path / name)
            stack.callback(machine.close)
            # By what is on this machine already: there is no way to an archive.
            install = machine.run("apt-get", "install", "--yes", "/run/package.deb", network=network)
            assert install.returncode == 0, install.stdout + install.stderr
            if not key:
                machine.must("sh", "-c", make_key)
                key = machine.must("cat", "/etc/paceline/peers.key").strip()
            else:
                machine.must("sh", "-c", f"umask 077; echo {key} > /etc/paceline/peers.key")
            machine.must("sh", "-c", 'printf %s "$1" > /etc/paceline/agent.yaml', "-", re.sub("hostId: .*", f"hostId: {name}", settings))
            machine.must("sh", "-c", 'printf %s "$1" > /etc/paceline/rules.yaml', "-", RULES)
            machine.must("paceline-agent", "check", "--config", "/etc/paceline/agent.yaml")
        anna, ben, cora = machines
        lead_outside(space, anna, ben, cora)
        for network, machine in machines.items():
            agent = machine.start("paceline-agent", "run", "--config", "/etc/paceline/agent.yaml", network=network)
            stack.callback(agent.wait, 120)
            stack.callback(agent.terminate)
        for network, machine in machines.items():
            wait_until_true(
                lambda: "peers: 2 share with this host" in machine.run("paceline-agent", "status", network=network).stdout, f"the peers of {network}", 180
            )
        for network, port in ((anna, P2P), (ben, VIDEO)):
            receiver = subprocess.Popen([*bulk(cora), "receive", str(port)], env=environment(), stdout=subprocess.PIPE, text=True)
            stack.callback(end, receiver)
            assert receiver.stdout.readline() == "listening\n"
            until = time.monotonic() + 600
            sender = subprocess.Popen([*bulk(network), "send", f"{OUTSIDE}:{port}", "--connections=2", "--at=0", f"--until={until}"], env=environment())
            stack.callback(end, sender)
        wait_until_true(lambda: is_shared(*sent_kbps(space)), "that ben sends twice as much as anna", 180)


def lead_outside(space, anna, ben, cora):
    """Behind the third host is the address that is outside for the others, over a way that carries as much as they say."""
    ledger.run("ip", "-n", cora, "address", "add", OUTSIDE, "dev", "lo")
    for network in (anna, ben):
        ledger.run("ip", "-n", network, "route", "add", OUTSIDE, "via", "10.32.0.3")
    ledger.run("tc", "-n", space.namespace, "qdisc", "add", "dev", "cora", "root", "tbf", "rate", f"{UPLINK_KBPS}kbit", "burst", "20kb", "latency", "100ms")


def bulk(network):
    return inside(network, sys.executable, "-m", "paceline_lab.scenarios.bulk")


def end(process):
    process.kill()
    process.wait(30)


def sent_kbps(space, seconds=4):
    """What anna and ben send, by the bridge's counters."""
    ports = Sampler(space.namespace, ["anna", "ben"]).start()
    begin = time.monotonic()
    time.sleep(seconds)
    until = time.monotonic()
    ports.stop()
    rates = tuple(series.kbps(begin, until) for series in ports.received.values())
    print(f"anna and ben send {rates[0]:.0f} and {rates[1]:.0f} kbit/s")
    return rates


def is_shared(anna, ben):
    """Coarse, for a busy machine: parts that are not by weight are off by half, and what nobody paces fills the way."""
    return 0.5 * UPLINK_KBPS < anna + ben < 0.95 * UPLINK_KBPS and 1.5 < ben / anna < 2.5


@pytest.mark.parametrize("processor", PROCESSORS)
def test_each_package_is_for_one_kind_of_processor(processor, tmp_path):
    package = TARGET / f"paceline-agent_{processor}.deb"
    subprocess.run(["dpkg-deb", "-R", package, tmp_path], check=True)
    said = subprocess.run(["dpkg-deb", "-f", package, "Architecture"], check=True, capture_output=True, text=True).stdout.strip()
    parts = {str(path.relative_to(tmp_path / "usr/lib/paceline")) for path in (tmp_path / "usr/lib/paceline").rglob("*") if path.is_file()}
    assert (said, parts) == (processor, {"archive-classes", "classlist", f"linux-{PROCESSORS[processor]}/libjnidispatch.so"})


@pytest.mark.parametrize("processor", PROCESSORS)
def test_lintian_finds_no_error_and_no_new_warning(processor, tmp_path):
    # It leaves files behind where it keeps what is passing.
    said = subprocess.run(
        ["lintian", "--allow-root", "--fail-on", "none", TARGET / f"paceline-agent_{processor}.deb"],
        capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    tags = {(line[0], line.split()[2]) for line in said.stdout.splitlines() if line[:2] in ("E:", "W:")}
    # JNA links its library for x86-64 so.
    assert tags <= {("W", "hardening-no-relro")}, said.stdout


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="without systemd nobody can say")
def test_the_service_is_exposed_no_more_than_it_was(unpacked):
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=50", unpacked / "lib" / "systemd" / "system" / UNIT],
        capture_output=True, text=True,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout.splitlines()[-2:]
