"""Which places are measured, what an interrupted run goes on with, what is refused, and what a draft holds."""

from __future__ import annotations

import json

import pytest
from paceline_lab import options
from paceline_lab.errors import Unusable
from paceline_lab.measure_utility.draft import with_table
from paceline_lab.measure_utility.hosts import TO_CLIENT, TO_SERVER
from paceline_lab.measure_utility.journal import Journal
from paceline_lab.measure_utility.places import STRAIGHT, wanted
from paceline_lab.measure_utility.run import finished


def asked(*words):
    return options.parse(["measure-utility", *words])


def refused(capsys, *words):
    with pytest.raises(SystemExit) as end:
        asked(*words)
    assert end.value.code == 2
    return capsys.readouterr().err


def measured_by(function, rates, delays, tolerance):
    known = {}
    while places := wanted(known, rates, delays, tolerance):
        assert not known.keys() & set(places)
        known.update({place: function(*place) for place in places})
    return known


def test_a_flat_function_is_measured_at_nine_places():
    assert len(measured_by(lambda i, j: 3.0, 30, 30, 0.4)) == 9


def test_a_step_is_found_to_the_place():
    known = measured_by(lambda i, j: 5.0 if i >= 17 else 1.0, 30, 30, 0.4)
    assert (16, 0) in known and (17, 0) in known
    assert len(known) < 30 * 3


def test_what_does_not_depend_on_throughput_is_asked_for_at_few():
    known = measured_by(lambda i, j: 5 - (j / 15) ** 2, 30, 30, 0.4)
    assert len({i for i, _ in known}) == 3


def test_what_goes_straight_is_measured_at_few_places():
    assert len(measured_by(lambda i, j: 5 - j / 16 - (29 - i) / 16, 30, 30, 0.4)) <= 25


@pytest.mark.parametrize("tolerance", (0.1, 0.4, 1.0))
def test_what_is_not_measured_lies_between_places_that_agree(tolerance):
    def function(i, j):
        return 1 + 4 * (i / 29) ** 0.5 * (1 - (j / 29) ** 2)

    known = measured_by(function, 30, 30, tolerance)
    for i in range(30):
        for j in range(30):
            worse = max(value for (a, b), value in known.items() if a <= i and b >= j)
            better = min(value for (a, b), value in known.items() if a >= i and b <= j)
            assert worse - 1e-9 <= function(i, j) <= better + 1e-9
            assert better - worse <= STRAIGHT * tolerance + 1e-9 or (i, j) in known
    assert len(known) < 900


@pytest.mark.parametrize("rates, delays", [(1, 1), (1, 5), (5, 1), (2, 2)])
def test_small_grids_are_measured_whole_where_they_differ(rates, delays):
    assert len(measured_by(lambda i, j: 1 + i - j / 10, rates, delays, 0.05)) == rates * delays


def test_an_interrupted_run_asks_for_what_it_had_asked_for():
    whole = measured_by(lambda i, j: i / 8, 30, 30, 0.4)
    half = dict(list(whole.items())[: len(whole) // 2])
    assert set(measured_by(lambda i, j: i / 8, 30, 30, 0.4)) == set(whole)
    assert set(wanted(half, 30, 30, 0.4)) <= set(whole)


def test_samples_are_kept_and_a_line_that_was_cut_is_not(tmp_path):
    settings = {"intent": "voip/g711", "throughputKbps": (100.0,)}
    journal = Journal(tmp_path, settings, fresh=False)
    journal.add((0, 1), {"loss": 0.5})
    with open(journal.file, "a") as out:
        out.write('{"place": [0, 1], "sam')
    again = Journal(tmp_path, settings, fresh=False)
    assert again.samples == {(0, 1): [{"loss": 0.5}]}
    again.add((0, 2), {"loss": 0.0})
    assert Journal(tmp_path, settings, fresh=False).samples == {(0, 1): [{"loss": 0.5}], (0, 2): [{"loss": 0.0}]}


def test_samples_of_another_measurement_are_not_mixed_in(tmp_path):
    Journal(tmp_path, {"intent": "voip/g711", "model": "g711"}, fresh=False)
    with pytest.raises(Unusable, match="differs in model"):
        Journal(tmp_path, {"intent": "voip/g711", "model": "voice"}, fresh=False)
    assert Journal(tmp_path, {"intent": "voip/g711", "model": "voice"}, fresh=True).samples == {}


def test_samples_that_an_edited_model_cannot_judge_are_refused_with_a_way_out(tmp_path):
    file = tmp_path / "mine.py"
    words = ("mine/own", "--command", "true", "--model", f"{file}:worth", "--out", str(tmp_path / "out"))
    file.write_text("def worth(loss):\n    return 5 - loss\n")
    before = asked(*words)
    Journal(before.out, before.settings(), False).add((0, 0), {"loss": 1.0})
    # What is worth another utility now is judged anew.
    file.write_text("def worth(loss):\n    return 4 - loss\n")
    more = asked(*words, "--repeats", "1:1")
    assert finished(more, Journal(more.out, more.settings(), False)) == {(0, 0): 3}
    for edited in ("def worth(fps):\n    return fps\n", "def worth(loss):\n    return 7\n"):
        file.write_text(edited)
        after = asked(*words)
        with pytest.raises(Unusable, match="samples.jsonl has samples that the model .*mine.py:worth cannot judge.* --fresh"):
            finished(after, Journal(after.out, after.settings(), False))
    assert Journal(after.out, after.settings(), True).samples == {}


def test_the_issues_own_words_are_understood():
    got = asked("web-browsing/science_lab", "--throughput", "100:12000:30", "--delay", "0:240:30")
    assert got.rates_kbps[0] == 100 and got.rates_kbps[1] == 510.344828 and got.rates_kbps[-1] == 12000 and len(got.delays_ms) == 30
    assert got.application.name == "web" and got.model.name == "web" and got.draft == "measured-web-browsing-science_lab"
    assert "--confidence 0.2" in got.command


@pytest.mark.parametrize(
    "words, says",
    [
        (["voip/g711", "--throughput", "100:50:3"], "Maybe 100:12000:30"), (["voip/g711", "--delay", "0:5000:3"], "Maybe 0:240:30"),
        (["voip/g711", "--repeats", "5:3"], "Maybe 3:20"), (["voip /g711"], "Maybe voip/g711"), (["mine/own"], "Maybe --application"),
        (["mine/own", "--command", "true"], "needs a --model"), (["mine/own", "--serve", "true"], "says nothing without --command"),
        (["voip/g711", "--model", "fast"], "is not known"), (["voip/g711", "--from", "nowhere.csv"], "no file"),
        (["voip/g711", "--confidence", "0"], "from 0.01 to 2"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_way_out(capsys, words, says):
    assert says in refused(capsys, *words)


def test_a_failed_run_is_worth_the_least():
    got = asked("voip/g711")
    assert got.worth({"failed": 3.0}) == got.worth({"tooLongS": 120.0}) == 1
    assert got.worth({"loss": 0, "delayMs": 60}) > 4.9


def test_repeats_end_where_the_mean_is_known_and_at_the_most():
    got = asked("voip/g711", "--repeats", "3:6", "--confidence", "0.2")
    assert not got.enough([4.0, 4.0]) and got.enough([4.0, 4.0, 4.01])
    assert not got.enough([1.0, 5.0, 1.0, 5.0, 1.0]) and got.enough([1.0, 5.0, 1.0, 5.0, 1.0, 5.0])


def test_a_draft_is_the_tree_in_force_with_the_table_at_its_intent():
    tree = {"utilityFunctions": {"web": {"utility": [[3]]}}, "intents": [{"utilityFunction": "web"}, {"class": "voip", "priority": 3}]}
    table = {"class": "voip", "intent": "office/g711", "throughputKbps": [1], "delayMs": [1], "utility": [[2]]}
    drafted = with_table(json.loads(json.dumps(tree)), table, "measured", TO_CLIENT)
    assert drafted["utilityFunctions"] == {"web": {"utility": [[3]]}, "measured": table}
    assert drafted["intents"] == [
        {"utilityFunction": "web"}, {"class": "voip", "priority": 3}, {"class": "voip", "intent": "office"},
        {"class": "voip", "intent": "office/g711", "utilityFunction": "measured"},
    ]  # fmt: skip
    assert with_table(drafted, {**table, "utility": [[4]]}, "measured", TO_CLIENT)["utilityFunctions"]["measured"]["utility"] == [[4]]
    assert with_table(tree, {**table, "intent": ""}, "all", TO_CLIENT)["intents"][1] == {"class": "voip", "priority": 3, "utilityFunction": "all"}
    both = with_table(drafted, table, "up", TO_SERVER)["intents"][-1]
    assert both == {"class": "voip", "intent": "office/g711", "utilityFunction": "measured", "uploadUtilityFunction": "up"}
