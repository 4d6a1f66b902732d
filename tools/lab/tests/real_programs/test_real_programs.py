"""What the comparison with real programs makes of samples, what it is asked, and what the programs are given to open."""

from __future__ import annotations

import json
import os
import struct
import xml.etree.ElementTree as ElementTree

import pytest
from paceline_lab import options
from paceline_lab.claims import table
from paceline_lab.errors import Unusable
from paceline_lab.real_programs import download, pages, phone, programs
from paceline_lab.real_programs.compare import LIGHT, REAL, Compared, claim, lines, tabled
from paceline_lab.real_programs.keyboard import Screen, marked
from paceline_lab.real_programs.programs import PAIRS, missing
from paceline_lab.traffic import content
from paceline_lab.traffic.adaptation import LIVE, VOD


def compared(light, real, tabled=None):
    place = Compared("dl", "curl", 5000, 100, tabled)
    for who, utilities in ((LIGHT, light), (REAL, real)):
        for utility in utilities:
            place.add(who, [{"downloadS": 10 - utility}], [utility])
    return place


def refused(capsys, *words):
    with pytest.raises(SystemExit) as end:
        options.parse(["real-programs", *words])
    assert end.value.code == 2
    return capsys.readouterr().err


def test_programs_that_fare_alike_agree():
    made = claim(compared([3.0, 3.2, 3.1], [3.2, 3.3, 3.3]), error=0.3)
    assert made["holds"] and made["measured"] == pytest.approx(0.167) and made["repeats"] == 3
    assert made["interval"][0] < made["measured"] < made["interval"][1]
    assert "why" not in made


@pytest.mark.parametrize("real", ([3.4, 3.5], [2.6, 2.5]))
def test_a_program_that_is_off_either_way_differs_and_the_table_judges(real):
    made = claim(compared([3.0, 3.0], real, tabled=3.0), error=0.3)
    assert not made["holds"]
    assert "the table says 3.00, to which the generator is nearer" in made["why"] and "downloadS" in made["why"]
    assert "curl is nearer" in claim(compared([3.0, 3.0], real, tabled=real[0]), error=0.3)["why"]


def test_the_difference_is_taken_within_a_repeat():
    """What the machine does in one repeat falls on both programs."""
    assert claim(compared([1.0, 3.0, 5.0], [1.1, 3.1, 5.1]), error=0.3)["interval"] == [0.1, 0.1]


def test_one_repeat_has_no_interval():
    assert claim(compared([3.0], [3.1]), error=0.3)["interval"] is None


def test_claims_are_as_result_files_have_them():
    made = [claim(compared([3.0], [3.1]), 0.3), claim(compared([3.0], [4.1]), 0.3)]
    assert "FAILS" in table(json.loads(json.dumps(made)))


def test_the_last_line_is_the_conclusion():
    said = lines([compared([3.0], [3.1], 3.0), compared([3.0], [4.1])], error=0.3)
    assert said[-1] == "At 1 of 2 places the light generator agrees with the real program within 0.3 of utility."
    assert "agrees" in said[1] and "DIFFERS" in said[2]


def test_the_table_is_that_of_the_catalogue_and_says_nothing_beyond_its_places():
    assert 1 <= tabled("dl", 2000, 20) < tabled("dl", 5000, 20) <= 5
    assert tabled("dl", 1_000_000, 20) is None


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_each_type_has_three_places_or_four_and_the_fastest_first(pair):
    assert 3 <= len(pair.places) <= 4
    assert [rate for rate, _ in pair.places] == sorted((rate for rate, _ in pair.places), reverse=True)
    # Where they disagree the table judges.
    assert all(tabled(pair.table, *place) for place in pair.places)
    assert pair.light.model == pair.real.model and pair.light.limited == pair.real.limited


@pytest.mark.parametrize(
    "words, says",
    [
        (("--types", "fax"), "the type (fax) is not known. Maybe web"),
        (("--repeats", "0"), "the repeats (0) must be a whole number from 1 to 10"),
        (("--error", "9"), "(9) must be a number from 0.01 to 4 of utility"),
        (("--seconds", "soon"), "(soon) must be a number from 1 to 3600 s"),
    ],
)
def test_what_cannot_be_is_refused_with_a_way_out(capsys, words, says):
    assert says in refused(capsys, *words)


def test_the_command_that_is_kept_asks_for_the_same():
    chosen = options.parse(["real-programs", "--types", "ssh,dl,ssh", "--repeats", "2"])
    assert [pair.name for pair in chosen.pairs] == ["ssh", "dl"]
    assert options.parse(chosen.command.split()[1:]) == chosen


def test_a_missing_program_is_named_with_its_package(monkeypatch):
    monkeypatch.setattr(programs.shutil, "which", lambda name: None if name == "curl" else f"/usr/bin/{name}")
    missing([PAIRS["ssh"]])
    with pytest.raises(Unusable, match="programs are missing: curl for dl. Maybe: apt-get install --no-install-recommends curl, or --types .*ssh"):
        missing(PAIRS.values())


def test_a_download_that_is_not_whole_is_no_figure():
    assert download.seconds_of(f"1.25 {content.DOWNLOAD_BYTES}\n") == 1.25
    with pytest.raises(ValueError, match="curl has fetched 17 bytes"):
        download.seconds_of("1.25 17\n")


def test_the_echo_of_a_command_is_not_taken_for_its_answer():
    text, mark = marked("date", 7)
    assert mark.decode() not in text
    here, there = os.pipe()
    try:
        os.write(there, text.encode())
        screen = Screen(here)
        with pytest.raises(RuntimeError, match="has not shown b'done-7-'"):
            screen.until(mark, patience_s=0.05)
        os.write(there, b"\r\nSat Nov 28\r\ndone-7-\r\nready> ")
        screen.until(mark, patience_s=60)
        assert screen.shown == b"\r\nready> "
    finally:
        os.close(here)
        os.close(there)


def test_the_page_is_as_large_as_the_one_that_the_light_generator_fetches(tmp_path):
    pages.write_page(tmp_path)
    files = sorted((tmp_path / "page").iterdir())
    assert sum(file.stat().st_size for file in files) == content.PAGE_BYTES
    assert sorted(file.stat().st_size for file in files) == sorted(content.page_sizes())
    assert (tmp_path / "page/index.html").read_text().count("<img ") == content.PAGE_OBJECTS


def test_a_picture_says_its_size_and_has_all_its_rows():
    data = pages.picture(5000)
    size, offset = struct.unpack_from("<2xI4xI", data)
    width, height = struct.unpack_from("<ii", data, 18)
    assert len(data) == size == 5000 and offset + 3 * width * height <= size


def test_a_segment_is_filled_up_to_its_size_by_a_box_of_its_own():
    made = pages.padded(b"segment", 100)
    assert len(made) == 100 and made.startswith(b"segment")
    size, kind = struct.unpack_from(">I4s", made, 7)
    assert (size, kind) == (93, b"free")
    with pytest.raises(ValueError, match="does not fit into 10"):
        pages.padded(b"segment", 10)


@pytest.mark.parametrize("ladder, live", [(VOD, False), (LIVE, True)], ids=["vod", "live"])
def test_a_film_is_announced_with_the_levels_of_its_ladder(ladder, live):
    root = ElementTree.fromstring(pages.manifest(ladder, live))
    levels = root.findall(".//{*}Representation")
    assert [int(level.get("bandwidth")) for level in levels] == [kbps * 1000 for kbps in ladder.kbps]
    assert [level.get("id") for level in levels] == list("012345")
    assert float(root.find(".//{*}SegmentTemplate").get("duration")) == ladder.segment_s
    assert root.get("type") == ("dynamic" if live else "static")


SUMMARY = "EX=BareSip;CS=0;CD=14;PR=500;PS=501;PL={lost};PD=0,0;JI=3.6,2.3;DL={round_trip};IP=0.0.0.0:48774,192.0.2.2:13772;"


def test_a_phone_tells_of_what_it_has_heard():
    assert phone.told(SUMMARY.format(lost="0,0", round_trip="100.4")) == {"loss": 0, "delayMs": pytest.approx(110.2)}
    assert phone.told(SUMMARY.format(lost="25,0", round_trip="100.4"))["loss"] == pytest.approx(0.05)
    assert phone.told(SUMMARY.format(lost="0,25", round_trip="100.4"))["loss"] == 0
    assert phone.told("call: SIP Progress: 180 Ringing (/)") is None


def test_a_call_of_which_the_phone_knows_nothing_was_not_heard():
    assert phone.told("EX=BareSip;ERROR=No RTCP stats collected;")["loss"] == 1
