"""Packets out of order are told from those that were sent again."""

import random
import struct

import pytest
from paceline_lab.networks.reordering import AROUND, SEGMENT_BYTES, Flow, Segment, parsed

FULL = SEGMENT_BYTES


def counted(*arrived, start=1_000):
    """Of packets, each its number and its timestamp, or that of an earlier copy."""
    flow = Flow()
    flow.took(Segment("10.0.0.1", 5000, 6000, (start - 1) % AROUND, 0, True, 0))
    for number, stamp in arrived:
        flow.took(Segment("10.0.0.1", 5000, 6000, (start + number * FULL) % AROUND, FULL, False, stamp))
    return flow.count


def test_packets_in_order_are_just_counted():
    count = counted((0, 10), (1, 10), (2, 11))
    assert (count.packets, count.reordered, count.retransmitted, count.duplicates) == (3, 0, 0, 0)


def test_one_that_was_overtaken_is_reordered():
    count = counted((0, 10), (2, 11), (3, 11), (1, 10), (4, 12))
    assert (count.packets, count.reordered, count.retransmitted) == (5, 1, 0)


def test_those_that_a_quicker_way_overtakes_are_each_reordered():
    # 4 to 6 are on the new way.
    count = counted((0, 10), (4, 14), (1, 11), (5, 15), (2, 12), (6, 16), (3, 13), (7, 17))
    assert (count.packets, count.reordered) == (8, 3)


def test_one_of_the_same_millisecond_as_what_overtook_it_was_not_sent_again():
    assert counted((0, 10), (2, 10), (1, 10)).reordered == 1


def test_what_was_lost_and_sent_again_is_not_reordered():
    count = counted((0, 10), (2, 11), (3, 11), (4, 12), (1, 14), (5, 14))
    assert (count.packets, count.reordered, count.retransmitted) == (6, 0, 1)


def test_a_hole_of_which_one_packet_is_late_and_one_was_lost():
    count = counted((0, 10), (4, 12), (2, 11), (5, 13), (1, 15), (3, 15), (6, 16))
    assert (count.packets, count.reordered, count.retransmitted) == (7, 1, 2)


def test_what_comes_twice_counts_as_a_duplicate_only():
    count = counted((0, 10), (1, 10), (1, 14), (2, 11), (0, 15))
    assert (count.packets, count.duplicates, count.reordered, count.retransmitted) == (5, 2, 0, 0)


@pytest.mark.parametrize("start", [AROUND - 2 * FULL, AROUND - 1, 0])
def test_numbers_begin_anew(start):
    count = counted((0, 10), (1, 10), (3, 11), (2, 10), (4, 12), start=start)
    assert (count.packets, count.reordered, count.duplicates) == (5, 1, 0)


def test_timestamps_begin_anew():
    assert counted((0, AROUND - 2), (2, AROUND - 1), (1, 3)).retransmitted == 1


def test_a_second_connection_of_the_same_ports_begins_anew():
    flow = Flow()
    for start in (5_000, 100):
        flow.took(Segment("10.0.0.1", 5000, 6000, start, 0, True, 0))
        flow.took(Segment("10.0.0.1", 5000, 6000, start + 1, FULL, False, 10))
    assert (flow.count.packets, flow.count.reordered, flow.count.duplicates) == (2, 0, 0)


def test_without_timestamps_nothing_is_claimed():
    flow = Flow()
    with pytest.raises(ValueError, match=r"10\.0\.0\.1:5000.*tcp_timestamps"):
        flow.took(Segment("10.0.0.1", 5000, 6000, 1, FULL, False, None))


def test_of_any_order_as_many_are_reordered_as_the_rfc_counts():
    """RFC 4737, section 3.3, written down without gaps: what nothing was lost of."""
    dice = random.Random(4737)
    for _ in range(200):
        order = sorted(range(60), key=lambda number: number + dice.choice((0, 0, 0, dice.uniform(0, 12))))
        expected, late = 0, 0
        for number in order:
            late += number < expected
            expected = max(expected, number + 1)
        # No packet is sent before one with a smaller number.
        assert counted((0, 100), *((number + 1, 100 + number // 3) for number in order)).reordered == late


def test_a_frame_is_read():
    options = b"\x01\x01\x08\x0a" + struct.pack("!II", 77, 5)
    tcp = struct.pack("!HHIIBBHHH", 5000, 6000, 123, 9, 8 << 4, 0x18, 0, 0, 0) + options
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + 32 + 700, 1, 0, 64, 6, 0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    frame = bytes(12) + b"\x08\x00" + ip + tcp
    assert parsed(frame) == Segment("10.0.0.1", 5000, 6000, 123, 700, False, 77)
    assert parsed(frame[:40]) is None
    assert parsed(bytes(60)) is None
