"""What the made applications make of what comes: a call's loss and delay, and the rate of a conference."""

from __future__ import annotations

import json
import socket
import time

import pytest
from paceline_lab.measure_utility.conference import FEEDBACK, LEAST_KBPS, MOST_KBPS, SO_TIMESTAMPNS, Control, Seen, arrived_ns
from paceline_lab.measure_utility.conference import heard as heard_in_conference
from paceline_lab.measure_utility.models import MODELS
from paceline_lab.measure_utility.traffic import LATEST_S, PACKET_S, TCP_WAITING, WINDOW_S, Window, waits_s

from switches.steps import eventually

SIZE = round(WINDOW_S / PACKET_S)


def heard(capsys, transit_s):
    """The second window of a call whose packets have these transits; none for one that was lost. The first is not told of."""
    window = Window()
    for number in range(2 * SIZE + 1):
        sent = window.opened + number * PACKET_S
        if (late := transit_s(number)) is not None:
            window.heard(number, sent, sent + late)
    window.close(window.opened + WINDOW_S + LATEST_S + 0.1)
    assert capsys.readouterr().out == ""
    window.close(window.opened + 2 * WINDOW_S + LATEST_S + 0.1)
    return json.loads(capsys.readouterr().out)


def test_a_call_that_comes_evenly_has_its_delay_and_the_phones(capsys):
    assert heard(capsys, lambda n: 0.05) == {"loss": 0, "delayMs": pytest.approx(110)}


def test_what_is_lost_and_what_is_later_than_the_phone_waits_is_loss(capsys):
    assert heard(capsys, lambda n: None if n % 10 == 5 else 0.05)["loss"] == pytest.approx(0.1)
    assert heard(capsys, lambda n: 0.2 if n % 10 == 5 else 0.05)["loss"] == pytest.approx(0.1)
    assert heard(capsys, lambda n: 0.08 if n % 10 == 5 else 0.05)["loss"] == 0


def test_a_call_that_nobody_hears_in_time_is_lost(capsys):
    said = heard(capsys, lambda n: 2 * LATEST_S)
    assert said["loss"] == 1 and MODELS["g711"].utility(said) == 1
    assert heard(capsys, lambda n: None)["loss"] == 1


def test_a_conference_finds_the_rate_of_its_line_and_stays_below_it():
    control, waiting_s = Control(), 0.0
    rates = []
    for _ in range(600):
        # A line of 1 Mbit/s: what is more waits.
        waiting_s = max(0.0, waiting_s + 0.1 * (control.kbps / 1000 - 1))
        control.hear(min(control.kbps, 1000), 0, waiting_s)
        rates.append(control.kbps)
    assert 600 < sum(rates[100:]) / 500 < 1000


def test_a_conference_goes_to_its_bounds_and_not_beyond():
    up, down = Control(), Control()
    for _ in range(1000):
        up.hear(up.kbps, 0, 0)
        down.hear(down.kbps, 0.5, 0)
    assert up.kbps == MOST_KBPS and down.kbps == LEAST_KBPS


def test_a_feedback_tells_of_what_came_since_the_one_before():
    seen = Seen()
    for number in range(10):
        if number != 5:
            seen.packet(number, 1250, 0.02 + number / 1000)
    # That later ones wait longer is a frame's length; that all wait is a queue.
    assert FEEDBACK.unpack(seen.feedback(0.1)) == pytest.approx((900, 0.1, 0))
    seen.packet(10, 1250, 0.03)
    seen.packet(11, 1250, 0.05)
    assert FEEDBACK.unpack(seen.feedback(0.1)) == pytest.approx((200, 0, 0.01))
    assert FEEDBACK.unpack(seen.feedback(0.1)) == (0, 0, 0)


def test_the_kernel_says_when_a_packet_has_come():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as to, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        to.bind(("127.0.0.1", 0))
        to.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)

        def sent_and_come():
            before = time.time_ns()
            out.sendto(b"x", to.getsockname())
            after = time.time_ns()
            _, told, *_ = to.recvmsg(2048, 64)
            return before, arrived_ns(told), after

        def is_on():
            _, came, after = sent_and_come()
            return came <= after

        # The machine's first socket that asks for it only has the kernel begin soon: a packet before that has the time at
        # which it is read.
        eventually(is_on)
        before, came, after = sent_and_come()
    # Over the loopback it has come before the call that sends it ends.
    assert before <= came <= after


def test_a_camera_knows_what_waits_for_its_line():
    """That the structure is Linux's: what nobody reads waits, and nothing has been taken of it."""
    with socket.create_server(("127.0.0.1", 0)) as ears, socket.socket() as line:
        ears.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1_000_000)
        line.connect(ears.getsockname())
        far, _ = ears.accept()
        line.setblocking(False)
        sent = line.send(bytes(100_000))
        with far:
            waiting, bytes_per_second = TCP_WAITING.unpack(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_WAITING.size))
            assert 0 < waiting < sent
            got = 0
            while got < sent:
                got += len(far.recv(65536))
            waiting, bytes_per_second = TCP_WAITING.unpack(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_WAITING.size))
            assert waiting == 0 and bytes_per_second > 0
    assert waits_s(TCP_WAITING.pack(50_000, 100_000)) == 0.5
    assert waits_s(TCP_WAITING.pack(50_000, 0)) == 0


def test_a_browser_waits_for_most_of_the_speech_and_no_longer():
    assert heard_in_conference([0.05] * 150) == (150, pytest.approx(0.11))
    assert heard_in_conference([0.05] * 100 + [0.2] * 50) == (150, pytest.approx(0.22))
    assert heard_in_conference([0.05] * 149 + [0.2]) == (149, pytest.approx(0.11))
    assert heard_in_conference([2.0] * 150)[0] == 0
