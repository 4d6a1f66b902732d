import csv

import pytest
from paceline_lab.checkout import LAB
from paceline_lab.traffic import kpi
from paceline_lab.traffic.adaptation import LIVE, VOD, Conventional, Ladder, Playback

# Frames carry 1448 bytes of a film in 1514.
OVERHEAD = 1514 / 1448


def watch(ladder, kbps, round_trip_s=0.01):
    """A client alone on a link of a constant rate."""
    client, playback = Conventional(ladder), Playback(ladder)
    for index in range(ladder.segments):
        seconds = round_trip_s + ladder.segment_bytes(client.level, index) * 8 / 1000 * OVERHEAD / kbps
        client.downloaded(seconds)
        playback.passed(seconds)
        playback.arrived()
        playback.passed(playback.wait_s())
    return client, playback


@pytest.mark.parametrize("ladder, file, most", [(VOD, "metrics_dash_4sec", 0.2), (LIVE, "metrics_dash_1sec", 0.35)])
def test_a_client_alone_sees_the_quality_that_the_paper_measured(ladder, file, most):
    rows = csv.DictReader(open(LAB / "tests/measured" / f"{file}.csv"))
    errors = []
    for row in rows:
        rate = float(row["rateKbps"])
        if row["delayMs"] == "10" and rate >= 1000:
            client, _ = watch(ladder, rate)
            errors.append(abs(kpi.video(client.view()) - (float(row["meanLevel"]) / 5 * 4 + 1)))
    assert len(errors) > 10
    assert max(errors) < most
    assert sum(errors) / len(errors) < 0.12


def test_a_view_says_nothing_of_its_user_before_the_client_has_chosen_a_level():
    client = Conventional(LIVE)
    said = []
    for index in range(6):
        client.downloaded(LIVE.segment_bytes(client.level, index) * 8 / 1000 / 20_000)
        said.append(list(client.now()))
    assert said == [[], [], [], [5], [5], [5]], "on a fast link nobody is badly off, though all begin at the lowest level"
    assert kpi.video(client.view()[:2]) == 1, "which the mean of the view so far would have said"


def test_more_room_never_shows_much_less():
    seen = [kpi.video(watch(VOD, kbps)[0].view()) for kbps in range(800, 6000, 100)]
    assert all(later > earlier - 0.2 for earlier, later in zip(seen, seen[1:]))


def test_a_client_goes_up_only_with_a_margin_and_down_without():
    client = Conventional(Ladder((1000, 2000), segment_s=1, buffer_s=10, shape=(1.0,) * 9))
    for _ in range(4):
        client.downloaded(1000 / 2200)  # 2200 kbit/s: enough for the upper quality, not with 15 % to spare
    assert client.level == 0
    for _ in range(8):
        client.downloaded(1000 / 2600)
    assert client.level == 1
    for _ in range(40):
        client.downloaded(2000 / 1990)
    assert client.level == 0


def test_the_buffer_fills_up_and_then_makes_the_client_wait():
    playback = Playback(LIVE)
    for _ in range(10):
        assert playback.wait_s() == 0
        playback.arrived()
    assert playback.wait_s() == pytest.approx(1)


def test_a_slow_segment_stalls_the_film():
    playback = Playback(LIVE)
    playback.arrived()
    playback.passed(3)
    assert playback.stalled_s == pytest.approx(2)


def test_segments_are_on_average_as_long_as_their_bit_rate_says():
    for ladder in (VOD, LIVE):
        for level, kbps in enumerate(ladder.kbps):
            total = sum(ladder.segment_bytes(level, i) for i in range(ladder.segments))
            assert total * 8 / 1000 / (ladder.segments * ladder.segment_s) == pytest.approx(kbps, rel=0.001)


def test_a_ladder_that_does_not_rise_is_refused():
    with pytest.raises(ValueError, match="must rise"):
        Ladder((2, 1), 1, 1, (1.0,))
