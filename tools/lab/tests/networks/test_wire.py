"""The link emulator between two namespaces of its own: rate, FIFO, delay and counters, frame by frame."""

import json
import math
import signal
import socket
import subprocess
import time

import pytest
from paceline_lab.machine import native
from paceline_lab.networks import cables

pytestmark = pytest.mark.e2e

NAMES = ("pltesta", "pltestw", "pltestb")
ETHERTYPE = 0x88B5  # for local experiments


def sh(words):
    subprocess.run(words.split(), check=True, capture_output=True)


@pytest.fixture
def ends():
    """Two interfaces, each in a namespace of its own, and the wire's ends between them."""
    for name in NAMES:
        subprocess.run(["ip", "netns", "del", name], capture_output=True)
    try:
        for name in NAMES:
            sh(f"ip netns add {name}")
        for end, inner in (("a", "wa"), ("b", "wb")):
            sh(f"ip link add x{end} netns pltest{end} type veth peer name {inner} netns pltestw")
            for name, interface in ((f"pltest{end}", f"x{end}"), ("pltestw", inner)):
                sh(f"ip -n {name} link set {interface} addrgenmode none")
                sh(f"ip -n {name} link set {interface} up")
        yield
    finally:
        for name in NAMES:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


def packet_socket(namespace, interface, receive_bytes=64 << 20):
    """A socket that lives in a namespace; this process does not."""
    with open("/proc/self/ns/net") as here, open(f"/run/netns/{namespace}") as there:
        os_setns(there.fileno())
        try:
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETHERTYPE))
            s.bind((interface, ETHERTYPE))
        finally:
            os_setns(here.fileno())
    s.setsockopt(socket.SOL_SOCKET, 33, receive_bytes)  # SO_RCVBUFFORCE
    # Of whoever waits for a frame that must come.
    s.settimeout(60)
    return s


def os_setns(fd):
    import ctypes

    if ctypes.CDLL(None, use_errno=True).setns(fd, 0x40000000) != 0:
        raise OSError(ctypes.get_errno(), "setns")


class Wire:
    def __init__(self, tmp_path, *more):
        programs = native.build()
        self.stats = tmp_path / "wire.jsonl"
        self.stats.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", "pltestw", str(programs / "wire"), "--a", "wa", "--b", "wb", "--stats", str(self.stats), *more]
        )
        cables.wait_until_it_counts(self.process, self.stats)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        assert self.process.wait(60) == 0
        last = json.loads(self.stats.read_text().splitlines()[-1])
        assert last["final"]
        return last


def frame(number, size=1000):
    head = b"\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01" + ETHERTYPE.to_bytes(2, "big")
    return head + number.to_bytes(4, "big") + bytes(size - len(head) - 4)


def drain(receiver, most=1 << 30, receive=lambda receiver: (time.monotonic(), receiver.recv(4096))):
    """
    All that comes, until nothing does for a second: half of that twice, as the first may have been a pause of the machine.
    Whoever knows how many must come waits for them.
    """
    got, silent = [], 0
    receiver.settimeout(0.5 if most == 1 << 30 else 60)
    while silent < 2 and len(got) < most:
        try:
            got.append(receive(receiver))
            silent = 0
        except TimeoutError:
            silent += 1
    receiver.settimeout(60)
    return got


def one_of_five(measure, is_right):
    """The first measurement that is right. A pause of a busy machine spoils one, and a wire that is wrong all."""
    seen = []
    for _ in range(5):
        seen.append(measure())
        if is_right(seen[-1]):
            return seen[-1]
    pytest.fail(f"none of these is right: {seen}")


def test_a_burst_larger_than_the_fifo_loses_exactly_what_does_not_fit(ends, tmp_path):
    # 1000 bytes at 1 Mbit/s take 8 ms: while the burst comes, at most one frame leaves.
    wire = Wire(tmp_path, "--rate", "1000000", "--fifo", "10000", "--delay-us", "0")
    sender, receiver = packet_socket("pltesta", "xa"), packet_socket("pltestb", "xb")
    began = time.monotonic()
    for number in range(50):
        sender.send(frame(number))
    burst_s = time.monotonic() - began
    got = [int.from_bytes(f[14:18], "big") for _, f in drain(receiver)]
    totals = wire.end()["forward"]
    left_meanwhile = int(burst_s / 0.008) + 1
    assert got[:10] == list(range(10)), "the first that fit are the ones that arrive, in order"
    assert 10 <= len(got) <= 10 + left_meanwhile
    assert totals["offeredPackets"] == 50
    assert totals["forwardedPackets"] == len(got)
    assert totals["droppedPackets"] == 50 - len(got)
    assert totals["droppedBytes"] == (50 - len(got)) * 1000
    assert totals["backlogMaxBytes"] <= 10000


def test_the_rate_is_kept(ends, tmp_path):
    wire = Wire(tmp_path, "--rate", "20000000", "--fifo", "10000000", "--delay-us", "0")
    sender, receiver = packet_socket("pltesta", "xa"), packet_socket("pltestb", "xb")

    def measured():
        for number in range(4000):
            sender.send(frame(number))
        got = drain(receiver, 4000)
        assert len(got) == 4000
        # The median over many stretches: a receiver that waits for a processor moves few of them.
        stretches = sorted(got[i + 2000][0] - got[i][0] for i in range(2000))
        return 2000 * 8000 / stretches[1000]

    one_of_five(measured, lambda rate: rate == pytest.approx(20e6, rel=0.05))
    assert wire.end()["forward"]["droppedPackets"] == 0


def test_every_frame_takes_the_delay_and_none_overtakes(ends, tmp_path):
    wire = Wire(tmp_path, "--rate", "0", "--delay-us", "20000", "--delay-back-us", "5000")
    there, back = packet_socket("pltesta", "xa"), packet_socket("pltestb", "xb")
    for sender, receiver, delay in ((there, back, 0.020), (back, there, 0.005)):
        delays = []
        for number in range(20):
            sent = time.monotonic()
            sender.send(frame(number, 100))
            assert int.from_bytes(receiver.recv(4096)[14:18], "big") == number
            delays.append(time.monotonic() - sent)
        assert min(delays) >= delay
        # A busy machine adds some to many of them, and less to the quickest.
        assert min(delays) < delay + 0.01
    totals = wire.end()
    assert totals["forward"]["forwardedPackets"] == totals["backward"]["forwardedPackets"] == 20


def test_the_delay_grows_with_the_load_and_none_overtakes_where_it_falls(ends, tmp_path):
    # Frames of 1000 bytes take 0.4 ms each: a link that sends them for 1.6 s has a load of 1 - exp(-1.6) at the last.
    wire = Wire(tmp_path, "--rate", "20000000", "--fifo", "10000000", "--delay-us", "0", "--load-delay", "0.1,100000")
    sender, receiver = packet_socket("pltesta", "xa"), packet_socket("pltestb", "xb")

    def alone():
        sent = time.monotonic()
        sender.send(frame(0, 100))
        receiver.recv(4096)
        return time.monotonic() - sent

    one_of_five(alone, lambda took: took < 0.03)  # It meets an idle link.
    began = time.monotonic()
    for number in range(4000):
        sender.send(frame(number))
    got = drain(receiver, 4000)
    assert [int.from_bytes(f[14:18], "big") for _, f in got] == list(range(4000))
    grown = 0.1 * (1 - math.exp(-1.6) - 0.1) / 0.9
    # Arrival stamps are of another clock, which is read a moment before ours.
    assert got[-1][0] - began >= 1.6 + grown - 0.02
    # While the load falls, each of these would take less than the one before.
    for number in range(200):
        sender.send(frame(number, 100))
        time.sleep(0.002)
    assert [int.from_bytes(f[14:18], "big") for _, f in drain(receiver, 200)] == list(range(200))
    wire.end()
    said = [json.loads(line)[way] for line in wire.stats.read_text().splitlines() for way in ("forward", "backward")]
    assert max(one["load"] for one in said) > 0.3
    for one in said:
        assert one["loadDelayUs"] == pytest.approx(100_000 * max(0, one["load"] - 0.1) / 0.9, abs=10)
    assert {one["loadDelayUs"] for one in said[1::2]} == {0}, "nothing was sent backward"


def test_more_frames_than_its_ring_holds_come_through_whole_and_in_order(ends, tmp_path):
    wire = Wire(tmp_path, "--rate", "0", "--delay-us", "2000")
    sender, receiver = packet_socket("pltesta", "xa"), packet_socket("pltestb", "xb")
    size = 200
    for start in range(0, 12_000, 500):
        for number in range(start, start + 500):
            sender.send(frame(number, size))
        assert [receiver.recv(4096) for _ in range(500)] == [frame(n, size) for n in range(start, start + 500)]
    totals = wire.end()["forward"]
    assert totals["offeredPackets"] == totals["forwardedPackets"] == 12_000
    assert totals["forwardedBytes"] == 12_000 * size


def test_a_frame_that_no_wire_would_carry_is_dropped_and_counted(ends, tmp_path):
    for name, interface in (("pltesta", "xa"), ("pltestw", "wa")):
        sh(f"ip -n {name} link set {interface} mtu 9000")
    wire = Wire(tmp_path, "--delay-us", "0")
    sender, receiver = packet_socket("pltesta", "xa"), packet_socket("pltestb", "xb")
    for size in (1514, 3000, 1514):
        sender.send(frame(size, size))
    assert [len(f) for _, f in drain(receiver)] == [1514, 1514]
    totals = wire.end()["forward"]
    assert (totals["oversizePackets"], totals["droppedPackets"], totals["droppedBytes"]) == (1, 1, 3000)


def test_it_ends_cleanly_on_an_interrupt_and_says_what_it_did(ends, tmp_path):
    wire = Wire(tmp_path)
    assert wire.end(signal.SIGINT)["forward"]["droppedPackets"] == 0


def test_an_interface_that_does_not_exist_is_named():
    programs = native.build()
    done = subprocess.run([str(programs / "wire"), "--a", "nosuch0", "--b", "nosuch1"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "nosuch0" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [(("--rate", "fast"), "rate (fast)"), (("--load-delay", "0.1"), "must be LOAD,US"), (("--load-delay", "1,70000"), "a LOAD below 1"), (("--load-delay", "0.1,x"), "(x) is not a number")],
)  # fmt: skip
def test_what_is_no_number_is_refused(words, says):
    programs = native.build()
    done = subprocess.run([str(programs / "wire"), "--a", "lo", "--b", "lo", *words], capture_output=True, text=True)
    assert done.returncode == 2
    assert says in done.stderr


def test_nobody_waits_for_a_wire_that_has_ended(tmp_path):
    stats = tmp_path / "wire.jsonl"
    log = tmp_path / "wire.out"
    with open(log, "wb") as said:
        process = subprocess.Popen(cables.wire("nowhere1", "nowhere2", 1e6, 5, stats=stats), stderr=said)
    with pytest.raises(RuntimeError, match=r"wire\.jsonl ended \(code 2\): .*nowhere1"):
        cables.wait_until_it_counts(process, stats, log)
