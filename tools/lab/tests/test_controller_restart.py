"""A controller that is killed and comes back, under conversations that go on: nothing changes on the wire."""

import re
import subprocess
import sys
import threading
import time

import pytest
from paceline_lab.controller import wait_until
from paceline_lab.first_packet import FirstPacket
from paceline_lab.ledger import Ledger
from paceline_lab.managed import ONOSCTL, is_installed
from paceline_lab.options import FirstPacketOptions
from paceline_lab.terminal import Terminal

pytestmark = pytest.mark.e2e

CONVERSATIONS = 100


class Wire:
    """Watches what the senders' kernels pace their conversations at."""

    def __init__(self, hosts):
        self.hosts = hosts
        self.seen = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def rates(self):
        found = {}
        for host in self.hosts:
            shown = subprocess.run(
                host.command("tc", "class", "show", "dev", host.interface), capture_output=True, text=True, check=True
            ).stdout
            for line in shown.splitlines():
                if one := re.match(r"class htb (\S+) parent \S+ .*rate (\S+) ", line):
                    found[host.name, one[1]] = one[2]
        return found

    def watch(self):
        while not self.over.wait(0.25):
            self.seen.append(self.rates())

    def changes(self):
        self.over.set()
        self.thread.join()
        return [
            f"{key}: {before.get(key)} -> {after.get(key)}"
            for before, after in zip(self.seen, self.seen[1:], strict=False)
            for key in before.keys() | after.keys()
            if before.get(key) != after.get(key)
        ]


def rules(controller):
    """Every rule of every switch, whoever's it is, but for its counters."""
    return sorted(
        (device, str(sorted((c["type"], str(c)) for c in flow["selector"]["criteria"])), flow["priority"], flow["state"])
        for device in controller.devices()
        for flow in controller.get(f"/v1/flows/{device}")["flows"]
    )


def grants(lab):
    return {name: (one["grant"]["rateKbps"], one["grant"]["path"]) for name, one in lab.management.matched().items()}


def whole(lab):
    found = lab.management.matched()
    return len(found) == CONVERSATIONS and all(is_installed(one) for one in found.values())


def test_a_controller_killed_and_restarted_changes_no_rate_and_doubles_no_rule(tmp_path):
    ledger = Ledger.open()
    try:
        lab = FirstPacket(FirstPacketOptions(CONVERSATIONS, 20.0, 1.0, tmp_path), Terminal(), ledger)
        lab.prepare()
        lab.open_all()
        controller = lab.management.controller
        # Default rules come with the first packets; those that are on their way are let arrive.
        wait_until("the switches' rules at rest", lambda: all(rule[3] == "ADDED" for rule in rules(controller)), 30)
        promised, ruled = grants(lab), rules(controller)
        assert len(promised) == CONVERSATIONS
        wire = Wire(lab.network.servers)
        wire.thread.start()
        time.sleep(1)
        again = subprocess.run([sys.executable, str(ONOSCTL), "restart", "--crash"], capture_output=True, text=True, check=False)
        assert again.returncode == 0, again.stderr
        wait_until("everybody's return", lambda: whole(lab), 60)
        time.sleep(2)
        assert wire.changes() == []
        assert grants(lab) == promised
        wait_until("the rules' return", lambda: rules(controller) == ruled, 30)
        assert lab.broken == []
    finally:
        ledger.undo()
