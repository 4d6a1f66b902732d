"""What is claimed of programs of third parties, from the turns that were measured; and one turn of the cheapest, for real."""

import argparse
import json
import os
import shutil
import subprocess
import sys

import pytest
from paceline_lab.checkout import LAB, ROOT
from paceline_lab.errors import Missing
from paceline_lab.options import parse
from paceline_lab.third_party import report
from paceline_lab.third_party.asked import programs, users
from paceline_lab.third_party.programs import PROGRAMS, Program


def turn(program, users, kbps, share, rtt=10.6, without=10.5, repeat=0):
    return {"program": program, "users": users, "repeat": repeat, "kbps": kbps, "linkKbps": kbps, "shareKbps": share, "rttMs": rtt,
            "droppedPackets": 0, **({"rttWithoutMs": without} if users else {})}  # fmt: skip


def result(*turns):
    made = {"at": "2026-11-28T22:00", "commit": "abc"}
    return {"bottleneckKbps": 100_000, "baseRttMs": 10.4, "seconds": 10, "repeats": 2, "command": "tools/paceline third-party", "made": made, "turns": [*turns]}


def test_alone_it_is_held_to_the_link_and_beside_users_to_its_share_and_their_round_trip():
    made = report.claims(result(
        turn("iperf3", 0, 99_000, 99_300), turn("iperf3", 0, 98_000, 99_300, repeat=1), turn("rsync", 0, 60_000, 99_300),
        turn("iperf3", 10, 18_000, 20_000), turn("iperf3", 10, 20_000, 20_000, rtt=13.0, repeat=1),
    ))  # fmt: skip
    assert [(one["name"], one["measured"], one["holds"]) for one in made] == [
        ("iperf3, alone: of the link", 98.5, True),
        ("rsync, alone: of the link", 60.0, False),
        ("iperf3 beside 10 users: of its plan's share", 95.0, True),
        ("iperf3 beside 10 users: round trip, 95 %, above without it", 1.3, False),
    ]
    assert made[0]["repeats"] == 2 and made[0]["interval"][0] < 98.5 < made[0]["interval"][1]
    assert "interval" not in made[1] and made[1]["why"]


def test_what_was_not_measured_is_not_claimed_and_the_table_says_so():
    one = result(turn("apt", 40, 5_000, None, rtt=None))
    assert report.claims(one) == []
    assert report.table(one).splitlines()[1].split() == ["40", "apt", "5000", "-", "5000", "-", "ms", "10.50", "ms", "0"]
    assert "tools/paceline third-party" in report.markdown({**one, "claims": []})


@pytest.mark.parametrize("ask, text, says", [(users, "10,0", r"\(0\).*10,40,80"), (users, "many", r"\(many\)"), (programs, "iperf3,wget", r"\(wget\).*rsync")])
def test_what_cannot_be_asked_for_is_named(ask, text, says):
    with pytest.raises(argparse.ArgumentTypeError, match=says):
        ask(text)


def test_the_command_that_made_it_is_kept():
    options = parse(["third-party", "--users", "none", "--programs", "apt,iperf3"])
    assert [one.name for one in options.programs] == ["apt", "iperf3"] and options.users == ()
    assert options.command == "tools/paceline third-party --programs apt,iperf3 --users none --seconds 10 --repeats 3"


def test_a_program_that_is_missing_is_named_with_its_package():
    with pytest.raises(Missing, match="apt-get install no-such-package, or --programs without none"):
        Program("none", "no-such-program", "no-such-package", "").require()
    assert all(one.package for one in PROGRAMS.values())


@pytest.mark.long
@pytest.mark.e2e
@pytest.mark.skipif(not shutil.which("iperf3"), reason="iperf3 is not installed")
def test_one_stream_alone_has_the_link(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-m", "paceline_lab", "third-party", "--programs", "iperf3", "--users", "none", "--seconds", "5", "--repeats", "1", "--out", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(LAB)}, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode in (0, 1), ended.stdout + ended.stderr
    (made,) = json.loads((tmp_path / "result.json").read_text())["turns"]
    # Its grant ends where its table does; the rest is borrowed.
    assert made["kbps"] > 50_000 and made["kbps"] > made["shareKbps"] > 1_000
