"""The wire with the queues that share a link fairly: real frames and a real TCP, between two namespaces."""

import contextlib
import socket
import statistics
import struct
import subprocess
import sys
import time
from collections import Counter

import pytest
from paceline_lab.machine import native
from paceline_lab.networks.cables import plain_frames
from test_wire import Wire, drain, ends, frame, one_of_five, packet_socket, sh  # noqa: F401 `ends` is a fixture

pytestmark = pytest.mark.e2e

IPV4, ALL = 0x0800, 0x0003
SO_TIMESTAMPNS = 35


def ip_frame(number, destination=1, port=1, size=1000, dscp=0):
    """UDP from 10.0.0.1; the number is its first data."""
    head = bytes.fromhex("020000000002020000000001") + IPV4.to_bytes(2, "big")
    addresses = bytes((10, 0, 0, 1, 10, 0, 1, destination))
    ip = struct.pack(">BBHHHBBH", 0x45, dscp << 2, size - 14, 0, 0, 64, 17, 0) + addresses
    udp = struct.pack(">HHHH", port, 5000, size - 34, 0)
    return (head + ip + udp + number.to_bytes(4, "big")).ljust(size, b"\0")


def number_of(frame):
    return int.from_bytes(frame[42:46], "big")


def ip_ends():
    sender, receiver = packet_socket("pltesta", "xa"), packet_socket("pltestb", "xb")
    receiver.bind(("xb", IPV4))
    return sender, receiver


def shares(tmp_path, queue):
    """
    Frames of each of nine flows: eight of one user, and one of another that offers as much as those eight together.
    They are counted in the order in which they leave, while all have more; when they do so plays no part.
    """
    wire = Wire(tmp_path, "--rate", "20000000", "--fifo", "1000000", "--delay-us", "0", "--queue", queue)
    sender, receiver = ip_ends()
    flows = []
    for _ in range(100):
        for flow in range(1, 9):
            for one in ((1, flow), (2, 9)):
                sender.send(ip_frame(len(flows), *one))
                flows.append(one)
    # At first whoever is new has a whole turn.
    left = [flows[number_of(frame)] for _, frame in drain(receiver)][60:660]
    totals = wire.end()["forward"]
    assert totals["offeredPackets"] == 1600 == totals["forwardedPackets"] + totals["droppedPackets"]
    # Whoever waits longer than 100 ms is CoDel's business: 0.64 s of frames came at once, far fewer than the limit.
    assert totals["droppedPackets"] == totals["codelDroppedPackets"] > 0
    return Counter(left)


def test_per_user_a_user_of_eight_flows_has_as_much_as_one_of_one(ends, tmp_path):  # noqa: F811
    one_of_five(lambda: shares(tmp_path, "per-user"), lambda left: left[2, 9] == pytest.approx(sum(left.values()) - left[2, 9], rel=0.05))


def test_fq_codel_gives_each_of_nine_flows_the_same(ends, tmp_path):  # noqa: F811
    one_of_five(lambda: shares(tmp_path, "fq-codel"), lambda left: len(left) == 9 and max(left.values()) - min(left.values()) <= 0.05 * 600 / 9)


@pytest.mark.parametrize(
    ("queue", "weights"), [("weighted", "10:1900,18:2100,1000"), ("htb", "10:7600,18:8400,4000")]
)  # fmt: skip
def test_classes_share_a_real_link_by_their_weights(ends, tmp_path, queue, weights):  # noqa: F811
    def measured():
        wire = Wire(tmp_path, "--rate", "20000000", "--fifo", "1000000", "--delay-us", "0", "--queue", queue, "--weights", weights)
        sender, receiver = ip_ends()
        for number in range(1500):
            # For CoDel, which drops of whom waits too long, each class is of many flows.
            sender.send(ip_frame(number, port=number % 500, dscp=(10, 18, 0)[number % 3]))
        # 0.6 s of frames came at once, and all have more until the first class of them is sent.
        left = Counter(number_of(frame) % 3 for _, frame in drain(receiver)[50:1050])
        totals = wire.end()["forward"]
        assert totals["droppedPackets"] == totals["codelDroppedPackets"] and totals["forwardedPackets"] > 1050
        return [left[one] for one in range(3)]

    one_of_five(measured, lambda left: left == [pytest.approx(share, rel=0.1) for share in (380, 420, 200)])


SO_PRIORITY = 12
# By DSCP, in Mbit/s: what each class of a link of 20 always has, and what is sent to it. The first leaves most of its own.
RATES, OFFERED = {10: 7.6, 18: 8.4, 0: 4.0}, {10: 1.0, 18: 15.0, 0: 15.0}
TICKS, TICK_S = 1500, 0.002
# So many frames take 80 ms.
PIECE = 200


def parts_of_a_link(folder, wire_options, priorities):
    """Of what arrives of each class while others wait; the senders' kernel knows their frames by these priorities."""
    folder.mkdir()
    wire = Wire(folder, "--delay-us", "0", *wire_options)
    receiver = packet_socket("pltestb", "xb")
    receiver.bind(("xb", IPV4))
    senders = {dscp: packet_socket("pltesta", "xa") for dscp in RATES}
    for dscp, sender in senders.items():
        sender.setblocking(False)
        sender.setsockopt(socket.SOL_SOCKET, SO_PRIORITY, priorities[dscp])
    owed, began, number = Counter(), time.monotonic(), 0
    for tick in range(TICKS):
        time.sleep(max(0.0, began + tick * TICK_S - time.monotonic()))
        for dscp, sender in senders.items():
            owed[dscp] += OFFERED[dscp] * 1e6 / 8 * TICK_S / 1000
            while owed[dscp] >= 1:
                owed[dscp] -= 1
                number += 1
                # What its queue does not take is lost. Of many flows CoDel takes little.
                with contextlib.suppress(OSError):
                    sender.send(ip_frame(dscp, port=number % 400, dscp=dscp))
    arrived = [number_of(frame) for _, frame in drain(receiver)]
    wire.end()
    for each in (*senders.values(), receiver):
        each.close()
    # Without the first, when nothing waits yet, and the last, when some classes have nothing any more.
    steady = arrived[len(arrived) // 5 : len(arrived) * 3 // 5]
    # A pause of the machine lets queues run empty, and nothing is divided then: that spoils a few pieces.
    pieces = [Counter(steady[first : first + PIECE]) for first in range(0, len(steady) - PIECE, PIECE)]
    return [statistics.median(piece[dscp] for piece in pieces) / PIECE for dscp in RATES]


@pytest.mark.lasts(12)
def test_htb_divides_a_link_as_the_kernels_own_does(ends, tmp_path, capsys):  # noqa: F811
    marks = {dscp: 0x10000 + 16 * place for place, dscp in enumerate(RATES, 1)}
    ours_options = ["--rate", "20000000", "--fifo", "1000000", "--queue", "htb", "--weights", "10:7600,18:8400,4000"]

    def measured():
        number = len(list(tmp_path.iterdir()))
        ours = parts_of_a_link(tmp_path / f"wire-{number}", ours_options, dict.fromkeys(RATES, 0))
        tc = "ip netns exec pltesta tc"
        sh(f"{tc} qdisc add dev xa root handle 1: htb")
        sh(f"{tc} class add dev xa parent 1: classid 1:1 htb rate 20mbit ceil 20mbit")
        for dscp, mark in marks.items():
            sh(f"{tc} class add dev xa parent 1:1 classid 1:{mark & 0xffff:x} htb rate {RATES[dscp]}mbit ceil 20mbit")
        theirs = parts_of_a_link(tmp_path / f"kernel-{number}", ["--rate", "0"], marks)
        sh(f"{tc} qdisc del dev xa root")
        return ours, theirs

    def alike(both):
        with capsys.disabled():
            print("\nparts of the link, wire and kernel:", *([round(part, 3) for part in parts] for parts in both))
        return both[0] == [pytest.approx(part, abs=0.03) for part in both[1]] and both[1][0] == pytest.approx(0.05, abs=0.03)

    one_of_five(measured, alike)


def test_by_priority_a_real_link_sends_one_class_before_the_other_and_what_is_not_ip_first(ends, tmp_path):  # noqa: F811
    def measured():
        wire = Wire(tmp_path, "--rate", "20000000", "--fifo", "1000000", "--delay-us", "0", "--queue", "priority", "--weights", "48:1,18:1,1")
        sender, receiver = packet_socket("pltesta", "xa"), packet_socket("pltestb", "xb")
        receiver.bind(("xb", ALL))
        for number in range(300):
            sender.send(ip_frame(number))
            sender.send(ip_frame(number, dscp=18))
            sender.send(frame(number))
        left = ["not IP" if got[12:14] != IPV4.to_bytes(2, "big") else got[15] >> 2 for _, got in drain(receiver, 900)]
        assert wire.end()["forward"]["droppedPackets"] == 0
        # All but who came while the first were sent.
        return left[50:250].count("not IP"), left[650:].count(0)

    one_of_five(measured, lambda found: found[0] >= 195 and found[1] >= 245)


def test_an_address_may_be_farther_away_than_the_others_behind_the_same_queue(ends, tmp_path):  # noqa: F811
    wire = Wire(tmp_path, "--rate", "20000000", "--fifo", "1000000", "--delay-us", "20000", "--delays", "10.0.1.2=150000,10.0.1.3=80000")
    sender, receiver = ip_ends()
    receiver.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    rounds = []

    def measured():
        """When each of three frames arrived, in ms, by whom of the four it was for."""
        sent, at_ms = time.time_ns(), {}
        for number in range(12):
            sender.send(ip_frame(number, destination=1 + number % 4))
        for number, at in drain(receiver, 12, stamped):
            at_ms.setdefault(number % 4, []).append((at - sent) / 1e6)
        # Whoever has none of his own has the link's.
        for who, delay in enumerate((20, 150, 80, 20)):
            assert len(at_ms[who]) == 3 and delay <= min(at_ms[who])
        rounds.append(at_ms)
        return at_ms

    # A busy machine may add to all, and after a pause as long as between two of them both are due at once.
    one_of_five(measured, lambda at_ms: max(at_ms[0] + at_ms[3]) < min(at_ms[2]) and max(at_ms[2]) < min(at_ms[1]))
    assert wire.end()["forward"]["forwardedPackets"] == 12 * len(rounds)


def stamped(receiver):
    """A frame's number, and the kernel's time of its arrival in ns."""
    frame, ancillary, _, _ = receiver.recvmsg(4096, 64)
    seconds, nanos = struct.unpack("qq", ancillary[0][2])
    return number_of(frame), seconds * 1_000_000_000 + nanos


def delays_beside_a_greedy_sender(folder, queue):
    """Of a small packet each 20 ms, in ms, beside a flow of 1.2 times the rate; by the kernel's time of its arrival."""
    folder.mkdir()
    wire = Wire(folder, "--rate", "10000000", "--fifo", "1000000", "--delay-us", "0", "--queue", queue)
    sender, receiver = ip_ends()
    receiver.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    sent = {}
    began = time.monotonic()
    for tick in range(1000):
        time.sleep(max(0.0, began + tick * 0.002 - time.monotonic()))
        for _ in range(3):
            sender.send(ip_frame(0))
        if tick % 10 == 0:
            sent[tick + 1] = time.time_ns()
            sender.send(ip_frame(tick + 1, destination=2, size=100))
    delays = [(at - sent[number]) / 1e6 for number, at in drain(receiver, receive=stamped) if number in sent]
    wire.end()
    # After a pause of the machine all of them come at once, and CoDel may take one.
    assert len(delays) > 80
    return statistics.median(delays)


def test_a_sender_that_never_slows_down_delays_itself_and_nobody_else(ends, tmp_path):  # noqa: F811
    behind = delays_beside_a_greedy_sender(tmp_path / "fifo", "fifo")
    beside = delays_beside_a_greedy_sender(tmp_path / "fq-codel", "fq-codel")
    # A frame takes 0.8 ms; the rest is room for a machine that has other work. In the FIFO it is 200 ms by the middle.
    assert behind > 50
    assert beside < min(20, behind / 5)


SINK = """
import socket, sys
server = socket.create_server((sys.argv[1], 5090))
print("listening", flush=True)
connection = server.accept()[0]
while connection.recv(1 << 16):
    pass
"""
SOURCE = """
import socket, struct, sys, threading, time
connection = socket.create_connection((sys.argv[1], 5090))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"cubic")
def send():
    try:
        while True:
            connection.sendall(bytes(1 << 16))
    except OSError:
        pass
threading.Thread(target=send, daemon=True).start()
time.sleep(3)
for _ in range(100):  # 5 s
    time.sleep(0.05)
    said = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 128)
    print(struct.unpack_from("I", said, 68)[0] / 1000)
"""


def smoothed_round_trip(folder, queue):
    """The median of a TCP connection's own, in ms, from its fourth to its eighth second."""
    folder.mkdir()
    wire = Wire(folder, "--rate", "20000000", "--fifo", "1000000", "--delay-us", "5000", "--queue", queue)
    words = ["ip", "netns", "exec", "pltestb", sys.executable, "-c", SINK, "10.9.0.2"]
    sink = subprocess.Popen(words, stdout=subprocess.PIPE)
    try:
        assert sink.stdout.readline() == b"listening\n"
        source = ["ip", "netns", "exec", "pltesta", sys.executable, "-c", SOURCE, "10.9.0.2"]
        said = subprocess.run(source, capture_output=True, text=True, timeout=60, check=True).stdout
    finally:
        sink.kill()
        sink.communicate()
    return statistics.median(map(float, said.split())), wire.end()["forward"]


@pytest.mark.lasts(20)
def test_one_tcp_flow_keeps_a_short_queue_where_the_fifo_lets_it_fill(ends, tmp_path):  # noqa: F811
    for end, address in (("a", "10.9.0.1"), ("b", "10.9.0.2")):
        plain_frames(["ip", "netns", "exec", f"pltest{end}"], f"x{end}")
        sh(f"ip -n pltest{end} address add {address}/24 dev x{end}")
    long, _ = smoothed_round_trip(tmp_path / "fifo", "fifo")
    short, totals = smoothed_round_trip(tmp_path / "fq-codel", "fq-codel")
    # Both ways take 10 ms. CoDel holds 5 ms beside that, and the FIFO up to 400; the rest is room for a busy machine.
    assert long > 40 and short < long / 3
    assert totals["droppedPackets"] == totals["codelDroppedPackets"] > 0
    # It does so without leaving the link idle: 8 s of 20 Mbit/s are 20 MB.
    assert totals["forwardedBytes"] > 0.4 * 20e6


def test_a_queue_that_is_not_known_is_refused_with_those_that_are():
    programs = native.build()
    words = [str(programs / "wire"), "--a", "lo", "--b", "lo", "--queue", "red"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2
    assert "queue (red) must be fifo, fq-codel, per-user, weighted, profiled, priority or htb" in done.stderr


def test_without_codel_nothing_is_counted_as_its_drops(ends, tmp_path):  # noqa: F811
    wire = Wire(tmp_path, "--rate", "1000000", "--fifo", "10000", "--delay-us", "0")
    sender, receiver = ip_ends()
    for number in range(50):
        sender.send(ip_frame(number))
    drain(receiver)
    totals = wire.end()["forward"]
    assert totals["droppedPackets"] > 0 == totals["codelDroppedPackets"]
