"""What programmed senders owe at every moment, in virtual time, and that their sockets take turns."""

import socket
import time

import pytest
from paceline_lab.scenarios.generator import BACKLOG_S, UDP_FRAME, Due, Program, send

FRAME = 1000


def sent(program, step):
    """How many frames each interval has, where somebody looks every `step` seconds; before the first, as many as warm up."""
    due, now, found = Due(program, FRAME, program.at - 1), program.at - 1, [0] * (len(program.kbps) + 1)
    while now < program.end - 1e-9:
        now += step
        frames = due.frames(min(now, program.end))
        due.sent(frames)
        found[min(max(0, int((now - step / 2 - program.at) // program.interval_s + 1)), len(program.kbps))] += frames
    return found


@pytest.mark.parametrize("step", [0.001, 0.01, 0.07])
def test_each_interval_has_its_own_rate_and_none_is_lost_at_the_edges(step):
    program = Program(at=100.0, interval_s=2.0, kbps=(400, 1600, 800))
    found = sent(program, step)
    # 50, 200 and 100 frames a second; an edge within a step may give a few to its neighbour.
    assert found == pytest.approx([50, 100, 400, 200], abs=2 + 200 * step)
    assert sum(found) == pytest.approx(750, abs=1)


def test_before_the_first_interval_the_first_rate_holds_and_after_the_last_the_last():
    program = Program(10.0, 5.0, (1, 2, 3))
    assert [program.rate_at(t) for t in (0, 9.9, 10.1, 15.1, 24.9, 99)] == [1, 1, 1, 2, 3, 3]
    assert program.end == 25.0


def test_what_could_not_be_sent_for_long_is_never_made_up_for():
    due = Due(Program(0.0, 100.0, (8000,)), FRAME, 0.0)
    assert due.frames(30.0) == int(1000 * BACKLOG_S)


def test_a_slow_flow_is_late_by_no_frame():
    due = Due(Program(0.0, 100.0, (1,)), FRAME, 0.0)
    # A frame takes 8 s at 1 kbit/s.
    assert due.next() == pytest.approx(8.0)
    assert due.frames(7.9) == 0
    assert due.frames(8.0001) == 1


@pytest.mark.parametrize(("interval", "kbps"), [(0, (1,)), (1, ()), (1, (0,)), (-1, (5,)), (1, (5, -1))])
def test_programs_that_cannot_be_are_refused(interval, kbps):
    with pytest.raises(ValueError, match="must be positive"):
        Program(0.0, interval, kbps)


def test_sockets_take_turns_and_count_their_datagrams_together():
    frames, interval_s = 100, 0.5
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(5)
        program = Program(time.monotonic(), interval_s, (frames * UDP_FRAME / 125 / interval_s,))
        send("udp", f"127.0.0.1:{receiver.getsockname()[1]}", 0, 8, 0, program)
        heard = [receiver.recvfrom(2048) for _ in range(frames // 2)]
    assert [int.from_bytes(datagram[:8], "big") for datagram, _ in heard] == list(range(frames // 2))
    ports = [port for _, (_, port) in heard]
    assert len(set(ports)) == 8 and ports[:8] == ports[8:16]
