"""Two userspace switches and two hosts in network namespaces, with an Open vSwitch of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from paceline_lab.space import remove_namespace

PREFIX = "pot"  # paceline onos test: short, for interface names have 15 characters.
SPACE = f"{PREFIX}-net"
INSIDE = ("ip", "netns", "exec", SPACE)


def run(*command: str, check: bool = True, env: dict | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout


class Space:
    """
    A network namespace for ONOS and the switches: no port or interface meets those outside.
    A killed run's is cleared first, with all that still runs in it.
    """

    def __init__(self) -> None:
        self.close()
        run("ip", "netns", "add", SPACE)
        run(*INSIDE, "ip", "link", "set", "lo", "up")

    @staticmethod
    def close() -> None:
        remove_namespace(SPACE)


class Network:
    """h1 - s1 - s2 - h2, within the space. Close it, and nothing of it is left."""

    def __init__(self, openflow_port: int) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="paceline-ovs-"))
        self._env = {**os.environ, **{f"OVS_{name}DIR": str(self._directory) for name in ("RUN", "LOG", "DB")}}
        self._daemons: list[subprocess.Popen] = []
        self._openflow_port = openflow_port

    def open(self) -> Network:
        try:
            self._start_open_vswitch()
            self._build()
        except BaseException:
            self.close()
            raise
        return self

    def _start_open_vswitch(self) -> None:
        database = self._directory / "conf.db"
        run("ovsdb-tool", "create", str(database), "/usr/share/openvswitch/vswitch.ovsschema")
        socket = self._directory / "db.sock"
        self._daemon("ovsdb-server", str(database), f"--remote=punix:{socket}")
        _wait(socket.exists, "ovsdb-server")
        self.vsctl("--no-wait", "init")
        self._daemon("ovs-vswitchd", f"unix:{socket}")
        self.vsctl("show")

    def _daemon(self, program: str, *arguments: str) -> None:
        path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")
        log = open(self._directory / f"{program}.out", "wb")
        with log:
            self._daemons.append(
                subprocess.Popen(
                    [*INSIDE, path or program, *arguments], env=self._env, stdout=log, stderr=subprocess.STDOUT,
                    stdin=subprocess.DEVNULL, cwd=self._directory,
                )
            )

    def _build(self) -> None:
        for number in (1, 2):
            switch, host = f"{PREFIX}s{number}", f"{PREFIX}h{number}"
            self.vsctl(
                "add-br", switch, "--", "set", "bridge", switch, "datapath_type=netdev",
                "protocols=OpenFlow13", "fail_mode=secure", f"other-config:datapath-id={number:016x}",
            )
            remove_namespace(host)
            run("ip", "netns", "add", host)
            run("ip", "link", "add", f"{host}-p", "netns", SPACE, "type", "veth", "peer", "name", "eth0", "netns", host)
            self.host(number, "ip", "link", "set", "eth0", "address", f"02:00:00:00:00:{number:02x}")
            self.host(number, "ip", "address", "add", f"10.9.0.{number}/24", "dev", "eth0")
            # Checksums left to a device that is not there would be wrong in a userspace switch.
            self.host(number, "ethtool", "-K", "eth0", "tx", "off")
            self.host(number, "ip", "link", "set", "eth0", "up")
            self.inside("ip", "link", "set", f"{host}-p", "up")
            self.vsctl("add-port", switch, f"{host}-p", "--", "set", "interface", f"{host}-p", "ofport_request=1")
        self.inside("ip", "link", "add", f"{PREFIX}l1", "type", "veth", "peer", "name", f"{PREFIX}l2")
        for number in (1, 2):
            self.inside("ip", "link", "set", f"{PREFIX}l{number}", "up")
            self.vsctl(
                "add-port", f"{PREFIX}s{number}", f"{PREFIX}l{number}", "--", "set", "interface",
                f"{PREFIX}l{number}", "ofport_request=2",
            )

    def connect(self) -> None:
        for number in (1, 2):
            self.vsctl("set-controller", f"{PREFIX}s{number}", f"tcp:127.0.0.1:{self._openflow_port}")

    def vsctl(self, *arguments: str) -> str:
        socket = f"--db=unix:{self._directory}/db.sock"
        return run("ovs-vsctl", "--timeout=20", socket, *arguments, env=self._env)

    def ofctl(self, command: str, switch: int, *arguments: str) -> str:
        management = f"unix:{self._directory}/{PREFIX}s{switch}.mgmt"
        return run("ovs-ofctl", "-O", "OpenFlow13", command, management, *arguments, env=self._env)

    def host(self, number: int, *command: str, check: bool = True) -> str:
        return run("ip", "netns", "exec", f"{PREFIX}h{number}", *command, check=check)

    @staticmethod
    def inside(*command: str) -> str:
        return run(*INSIDE, *command)

    def link_down(self) -> None:
        self.inside("ip", "link", "set", f"{PREFIX}l1", "down")

    def link_up(self) -> None:
        self.inside("ip", "link", "set", f"{PREFIX}l1", "up")

    def close(self) -> None:
        for number in (1, 2):
            if self._daemons:
                subprocess.run(
                    ["ovs-vsctl", "--timeout=10", f"--db=unix:{self._directory}/db.sock", "--if-exists",
                     "del-br", f"{PREFIX}s{number}"],
                    env=self._env, capture_output=True, check=False,
                )
            remove_namespace(f"{PREFIX}h{number}")
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self._directory, ignore_errors=True)

    @staticmethod
    def leftovers() -> list[str]:
        links = [line for line in run("ip", "-o", "link").splitlines() if f" {PREFIX}" in line]
        spaces = [line for line in run("ip", "netns", "list").splitlines() if line.startswith(PREFIX)]
        return links + spaces


def _wait(condition, what: str, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not come up within {seconds:.0f} s.")
        time.sleep(0.1)
