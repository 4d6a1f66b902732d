"""Real exporters: what Open vSwitch and nfreplay send of a transfer is the transfer, as `tools/paceline elephants` sees it."""

import contextlib
import json
import math
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.networks.emulated_network import EmulatedNetwork
from paceline_lab.networks.own_ovs import wait_until_true
from paceline_lab.networks.space import Space
from paceline_lab.networks.topology import Host, Topology

pytestmark = pytest.mark.e2e

JAR = ROOT / "tools/elephants/target/paceline-elephants.jar"
SENDER, RECEIVER = Host("a", 1, 1), Host("b", 2, 1)
BYTES = 8_000_000
# Headers, and what TCP sends again, come on top of the data. What is told twice is twice as much.
MOST = 1.8 * BYTES
# Of a frame of 1514 bytes, and of any frame.
MOST_PACKET, ETHERNET = 1500, 14
SAMPLING, SAMPLED_BYTES = 16, 40_000_000
# Open vSwitch tells of a packet where it comes in and again where it goes out. Either can be switched off, by the opposite of
# what its manual says (3.1): one true and the other false is once, whichever way it is taken.
ONCE = ("cache_max_flows=1000", "other_config:enable-input-sampling=false", "other_config:enable-output-sampling=true")
# How often chance may be blamed for a sample that is too far off.
UNLIKELY = 1e-6
RECEIVE = "import socket,sys; s=socket.create_server((sys.argv[1], 5001), family=int(sys.argv[2])); print(flush=True); c=s.accept()[0]\nwhile c.recv(65536): pass"
SEND = "import socket,sys; c=socket.create_connection((sys.argv[1], 5001)); c.sendall(bytes(int(sys.argv[2])))"


class Place(EmulatedNetwork):
    """Two hosts at a switch; exporters and the collector are where the switch is."""

    def open(self) -> "Place":
        super().open()
        self.stand_alone()
        wait_until_true(lambda: "1 received" in self.host("a", "ping", "-c1", "-W1", RECEIVER.address, check=False), "the first ping")
        return self

    def transfer(self, family: int, size: int = BYTES) -> None:
        to = RECEIVER.address6 if family == socket.AF_INET6 else RECEIVER.address
        receiver = self.popen(sys.executable, "-c", RECEIVE, to, str(int(family)), host="b", stdout=subprocess.PIPE)
        assert receiver.stdout is not None and receiver.stdout.readline() == b"\n"
        self.host("a", sys.executable, "-c", SEND, to, str(size))
        assert receiver.wait(timeout=120) == 0

    def sent(self) -> tuple[int, int]:
        """The packets and bytes of IP that the switch had from the sender, by its port's counters."""
        port = re.search(r"rx pkts=(\d+), bytes=(\d+)", self.ofctl("dump-ports", 1, str(self.port("a"))))
        assert port
        packets, size = map(int, port.groups())
        return packets, size - ETHERNET * packets

    def export(self, table: str, *columns: str) -> None:
        """As docs/operate/elephants.md says, but each second."""
        kind, timeout = {"netflow": ("NetFlow", "active-timeout=1"), "ipfix": ("IPFIX", "cache_active_timeout=1")}[table]
        self.vsctl("--", "set", "bridge", "s1", f"{table}=@one", "--", "--id=@one", "create", kind, 'targets="127.0.0.1:2055"', timeout, *columns)

    def export_no_more(self, table: str) -> None:
        # What has ended is told when it was idle for a while, or over the active timeout.
        time.sleep(4)
        self.vsctl("clear", "bridge", "s1", table)
        time.sleep(1)

    def listen(self) -> subprocess.Popen:
        collector = self.popen(
            "java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", str(JAR), "--listen", "127.0.0.1:2055", "--from", "127.0.0.1",
            "--bytes", "5M", "--prefix", "32", "--json", "-", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert collector.stderr is not None and "listening at UDP port 2055" in collector.stderr.readline()
        return collector


@pytest.fixture(scope="module")
def place():
    with contextlib.closing(Space("plrecords")) as space, contextlib.closing(Place(space, Topology(1, (), (SENDER, RECEIVER)))) as one:
        yield one.open()


def ended(place: Place, collector: subprocess.Popen) -> tuple[dict, str]:
    # Whoever is told to end reads no more.
    wait_until_true(lambda: place.inside("ss", "-Hlun", "sport = :2055").split()[1] == "0", "the reading of what was sent")
    collector.send_signal(signal.SIGTERM)
    out, messages = collector.communicate(timeout=120)
    return json.loads(out), messages


def is_the_transfer(result: dict, messages: str, family: int) -> None:
    """One alpha flow from the sender to the receiver with all its bytes, told once; nothing was lost or not understood."""
    assert BYTES <= the_flow(result, messages, family)["bytes"] <= MOST


def the_flow(result: dict, messages: str, family: int) -> dict:
    source, destination = (host.address6 if family == socket.AF_INET6 else host.address for host in (SENDER, RECEIVER))
    flows = [flow for flow in result["alphaFlows"] if flow["source"] == source]
    assert [flow["destination"] for flow in flows] == [destination], (result, messages)
    now = time.strftime("%Y-%m-%dT%H", time.gmtime(time.time() - 60)), time.strftime("%Y-%m-%dT%H", time.gmtime())
    assert flows[0]["start"].startswith(now), "exporters say when it was"
    assert "sequence 0 records and 0 datagrams were lost; 0 datagrams malformed" in messages, messages
    assert " 0 datagrams of others" in messages
    return flows[0]


@pytest.mark.lasts(7)
@pytest.mark.parametrize(
    ("table", "family"),
    [("netflow", socket.AF_INET), ("ipfix", socket.AF_INET), ("ipfix", socket.AF_INET6)],
    ids=["netflow-5", "ipfix", "ipfix-ipv6"],
)
def test_open_vswitch(place: Place, table: str, family: int):
    collector = place.listen()
    place.export(table, *(("sampling=1", *ONCE) if table == "ipfix" else ()))
    place.transfer(family)
    place.export_no_more(table)
    is_the_transfer(*ended(place, collector), family)


@pytest.mark.lasts(15)
def test_samples_of_open_vswitch_are_about_what_was_sent(place: Place):
    """One packet of 16 is looked at, and what is said is corrected by that."""
    collector = place.listen()
    before = place.sent()
    place.export("ipfix", f"sampling={SAMPLING}", *ONCE)
    place.transfer(socket.AF_INET, SAMPLED_BYTES)
    place.export_no_more("ipfix")
    packets, size = (now - then for now, then in zip(place.sent(), before))
    said = the_flow(*ended(place, collector), socket.AF_INET)["bytes"]
    print(f"said {said} of {size} bytes in {packets} packets, {said / size - 1:+.2%}; at most {by_chance(size) / size:.2%}")
    assert size > SAMPLED_BYTES and said == pytest.approx(size, abs=by_chance(size))


def by_chance(size: int) -> float:
    """
    What samples may be off, in bytes. Each packet of s bytes counts as N s with probability 1/N, by itself, so the sum is
    right in the mean, and its variance is (N - 1) times the sum of s^2, at most (N - 1) S size for packets of at most S
    bytes. No packet is off by more than N S. Bernstein: the sum is off by t with probability at most
    2 exp(-t^2 / 2 / (variance + N S t / 3)); solved for t.
    """
    variance, most, exponent = (SAMPLING - 1) * MOST_PACKET * size, SAMPLING * MOST_PACKET / 3, math.log(2 / UNLIKELY)
    return exponent * most + math.sqrt((exponent * most) ** 2 + 2 * exponent * variance)


def test_files_of_nfcapd_and_what_nfreplay_sends_of_them(place: Place, tmp_path: Path):
    """nfdump's own collector stores Open vSwitch's datagrams; its files are read, and sent again as NetFlow 9 they are the same."""
    files = tmp_path / "nfcapd"
    files.mkdir()
    # Else it begins another file at each five minutes of the clock, so that there may be two.
    nfcapd = place.popen("nfcapd", "-l", str(files), "-t", str(10**9), "-p", "2056", "-b", "127.0.0.1", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until_true(lambda: "127.0.0.1:2056" in place.inside("ss", "-lun"), "nfcapd")
    columns = ["create", "NetFlow", 'targets="127.0.0.1:2056"', "active-timeout=1"]
    place.vsctl("--", "set", "bridge", "s1", "netflow=@one", "--", "--id=@one", *columns)
    place.transfer(socket.AF_INET)
    time.sleep(4)
    place.vsctl("clear", "bridge", "s1", "netflow")
    time.sleep(1)
    nfcapd.terminate()
    nfcapd.wait(timeout=60)
    (file,) = files.glob("nfcapd.*")
    words = ["java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", str(JAR), "--bytes", "5M", "--prefix", "32", "--json", "-", str(file)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (flow,) = json.loads(done.stdout)["alphaFlows"]
    assert flow["source"] == SENDER.address and BYTES <= flow["bytes"] <= MOST
    collector = place.listen()
    place.inside("nfreplay", "-H", "127.0.0.1", "-p", "2055", "-v", "9", "-r", str(file))
    time.sleep(0.5)
    result, messages = ended(place, collector)
    is_the_transfer(result, messages, socket.AF_INET)
    assert result["alphaFlows"][0]["bytes"] == pytest.approx(flow["bytes"], rel=0.01)
