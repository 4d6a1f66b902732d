"""What can be said of a soak in seconds: what counts as growth, and that conversations come and go."""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
import sys

import pytest
from paceline_lab.checkout import LAB
from paceline_lab.machine.java_process import by_class
from paceline_lab.soak.samples import most_grown
from paceline_lab.soak.trend import claim, growth


def sampled(each, seed=1):
    """Two hours, two samples a minute."""
    draws = random.Random(seed)
    return [(n / 120, each(n, draws)) for n in range(240)]


@pytest.mark.parametrize("seed", range(5))
def test_what_only_varies_does_not_grow(seed):
    assert claim("heap", "MB", sampled(lambda n, draws: draws.gauss(150, 5), seed), None)["holds"]


@pytest.mark.parametrize("seed", range(5))
def test_little_in_each_sample_is_much_in_the_end(seed):
    said = claim("heap", "MB", sampled(lambda n, draws: draws.gauss(150 + n * 0.1, 5), seed), "known")
    assert not said["holds"] and said["why"] == "known"
    assert 15 < said["measured"] < 35 and said["interval"][0] < said["measured"] < said["interval"][1]


def test_a_few_that_are_far_off_say_nothing():
    points = sampled(lambda n, draws: 400 if n > 230 else 150 + draws.random())
    assert abs(growth(points)[0]) < 1


def test_what_does_not_change_at_all_does_not_grow():
    assert claim("threads", "threads", sampled(lambda n, draws: 80), None)["holds"]


HISTOGRAM = """ num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:          3000         240000  [B (java.base@17.0.13)
   2:            10         100000  org.paceline.control.proof.Proof
   3:             2         500000  org.paceline.control.proof.Proof
Total          3012         840000
"""


def test_what_a_heap_has_more_of_is_told_by_class():
    after = by_class(HISTOGRAM)
    assert after == {"[B": 240_000, "org.paceline.control.proof.Proof": 600_000}
    before = {"[B": 250_000, "java.lang.String": 7, "org.paceline.control.proof.Proof": 100_000}
    assert most_grown(before, after) == {"org.paceline.control.proof.Proof": 0.5}


def test_each_conversation_has_a_socket_of_its_own_and_is_over_soon():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ears:
        ears.bind(("127.0.0.1", 0))
        ears.settimeout(60)
        talking = subprocess.Popen(
            [sys.executable, "-m", "paceline_lab.soak.churn", "talk", "40", "1", "127.0.0.1", str(ears.getsockname()[1])],
            cwd=LAB, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            heard = set()
            while len(heard) < 30:
                heard.add(ears.recvfrom(100)[1])
            # Some of the first are gone by then, or will be.
            first, open_now = set(heard), heard
            while first <= open_now:
                open_now = {ears.recvfrom(100)[1] for _ in range(300)}
        finally:
            talking.send_signal(signal.SIGTERM)
            said = json.loads(talking.communicate(timeout=60)[0])
    assert said["opened"] >= 30
