"""Paceline in anybody's mininet: mn itself, with a script of its commands as its users write them."""

import os
import re
import signal
import subprocess

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.demo.managed import PORTS, listening
from paceline_lab.machine.ledger import Ledger
from paceline_lab.networks.mininet_nodes import FOLDER
from paceline_lab.networks.small_network import interfaces

pytestmark = pytest.mark.e2e
NETWORK = ("--topo", "tree,2", "--link", "tc,bw=10", "--controller", "paceline", "--host", "paceline", "--wait")
# The first pings only make the hosts known. An upload may have at most 2 Mbit/s, and h1 sends as much as it can,
# once somebody listens: else it gives up at once.
COMMANDS = """\
pingall
sh sleep 3
pingall
paceline intent-set file-download/emailattach --greatest 2000
h4 iperf -s &
h4 until ss -Hltn sport = :5001 | grep -q .; do sleep 0.1; done
h1 iperf -c h4 -t 20 > {out} &
sh sleep 12
paceline conversations --host h1
paceline links
sh timeout 120 sh -c 'until grep -q bits/sec {out}; do sleep 0.2; done'
"""


@pytest.fixture
def mn(tmp_path):
    """Runs mn with a script until it ends, and what it has printed; nothing is left of it, whatever has happened."""
    assert left() == set()
    script = tmp_path / "commands"

    def run(commands):
        script.write_text(commands)
        process = subprocess.Popen(
            ["mn", "--custom", "tools/lab/paceline_mininet.py", *NETWORK, "--test", "none", "--post", str(script)],
            cwd=ROOT, env={**os.environ, "PACELINE_RUN": str(tmp_path / "run")},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            return process.communicate(timeout=420)[0]
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            pytest.fail(f"mn goes on and on:\n{process.communicate(timeout=120)[0]}")

    yield run
    if FOLDER.exists():
        Ledger.open(FOLDER).undo()


def left():
    own = {name for name in interfaces() if re.fullmatch(r"s\d+(-eth\d+)?|m-h\d+|ovs-netdev", name)}
    folder = {str(FOLDER)} if FOLDER.exists() else set()
    return own | folder | {what for port, what in PORTS.items() if listening(port)}


@pytest.mark.lasts(113)
def test_hosts_are_paced_in_a_network_that_mn_has_made(mn, tmp_path):
    measured = tmp_path / "iperf"
    said = mn(COMMANDS.format(out=measured))
    assert "Caught exception" not in said, said
    assert said.count("*** Results: ") == 2 and "*** Results: 0% dropped (12/12 received)" in said.rpartition("*** Ping")[2], said
    row = re.search(r"^h1/\S+ +file-download/emailattach +10\.0\.0\.1 +10\.0\.0\.4 +granted +(\d+) kbit/s +(?:-|\d+ kbit/s) +(\d+) kbit/s", said, re.M)
    # What no step of its utility function fits it borrows: its rate is its grant.
    assert row and 1000 <= int(row[1]) <= 2000 and int(row[1]) - 2 <= int(row[2]) <= 2000, said
    assert len(re.findall(r"^of:\d+ +\d+ +of:\d+ +\d+ +10000 kbit/s ", said, re.M)) == 4, said
    # Whom nobody holds has all of 10 Mbit/s.
    rate = re.search(r"([\d.]+) Mbits/sec", measured.read_text())
    assert rate and 0.4 * int(row[1]) <= 1000 * float(rate[1]) <= 2 * 2000, measured.read_text()
    assert left() == set()
