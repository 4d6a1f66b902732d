"""The tutorial's commands, one by one in one shell, on a real ONOS and real switches: each prints what the page says."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.commands_page import Step, steps
from paceline_lab.demo.managed import PORTS, listening
from paceline_lab.machine.ledger import run
from paceline_lab.networks.small_network import NAME, OFFICE, interfaces, own_interfaces

pytestmark = pytest.mark.e2e
PAGE = ROOT / "docs/tutorial/README.md"
# What these show comes true within seconds, as the page says; asking twice changes nothing.
LOOKS = {"agents", "alarms", "conversations", "explain", "history", "intents", "policy", "proof", "reservations", "top", "whatif"}
SOON_S = 120
LONGEST_S = 600


class Shell:
    """The one that a reader pastes into. What a developer's own ONOS keeps is elsewhere."""

    def __init__(self, folder):
        self.out, self.error, self.run_folder = folder / "out", folder / "error", folder / "run"
        environment = {**os.environ, "PACELINE_RUN": str(self.run_folder), "TERM": "dumb"}
        self.bash = subprocess.Popen(["bash"], cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, command):
        """What it prints, and what it says beside that, such as how far it is; fails where the command does."""
        # A command may leave processes running, which must not keep its output open.
        self.bash.stdin.write(f"{{ {command}\n}} </dev/null >{self.out} 2>{self.error}; echo $?\n")
        self.bash.stdin.flush()
        assert select.select([self.bash.stdout], [], [], LONGEST_S)[0], f"$ {command}\ndid not end within {LONGEST_S} s"
        code = self.bash.stdout.readline().strip()
        assert code == "0", f"$ {command}\nended with {code}\n{self.out.read_text()}\n{self.error.read_text()}"
        return self.out.read_text()

    def close(self):
        self.bash.stdin.close()
        self.bash.wait(LONGEST_S)


@pytest.fixture
def shell(tmp_path):
    with contextlib.closing(Shell(tmp_path)) as one:
        try:
            yield one
        finally:
            one.say("tools/paceline network down; tools/paceline down --forget")


def is_look(step: Step) -> bool:
    name = step.command.partition("tools/paceline shell paceline:")[2].split(" ")[0]
    return name in LOOKS and "=$(" not in step.command


def left() -> set[str]:
    """Of ONOS and the network. What else this machine has is not ours."""
    spaces = {line.split(" ")[0] for line in run("ip", "netns", "list").splitlines()}
    own = {NAME} | {f"{NAME}-{host.name}" for host in OFFICE.hosts}
    return interfaces() & own_interfaces(OFFICE) | spaces & own | {what for port, what in PORTS.items() if listening(port)}


def check_that_it_survives(shell) -> None:
    """Once more is harmless, and so is a network that was killed: the next one begins with nothing of it."""
    again = "tools/paceline network up"
    said = shell.say(again)
    holder = int((shell.run_folder / "network/pid").read_text())
    os.kill(holder, signal.SIGKILL)
    assert shell.say(again) == said
    assert int((shell.run_folder / "network/pid").read_text()) != holder


@pytest.mark.lasts(140)
def test_each_command_prints_what_the_page_says_and_nothing_is_left(shell):
    assert left() == set()
    names: dict[str, str] = {}
    for step in steps(PAGE):
        if step.command == "tools/paceline network down":
            check_that_it_survives(shell)
        until = time.monotonic() + SOON_S
        output = shell.say(step.command)
        while is_look(step) and step.matches(output, names) is None and time.monotonic() < until:
            time.sleep(0.5)
            output = shell.say(step.command)
        now = step.matches(output, names)
        expected = "\n".join(step.expected)
        assert now is not None, f"{PAGE.name}:{step.line}: $ {step.command}\nprinted\n{output}\nwhere the page says\n{expected}\nwith {names}"
        names = now
    assert left() == set()
