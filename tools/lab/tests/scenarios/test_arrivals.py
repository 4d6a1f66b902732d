"""Who comes when in DiffPerf's third scenario, how it is scaled, and what is claimed of it."""

from collections import Counter

import pytest
from paceline_lab.scenarios import diffperf_report
from paceline_lab.scenarios.films import arrivals
from paceline_lab.scenarios.films.arrivals import Scale


def test_the_papers_own_size_is_the_papers():
    paper = Scale(150, 600.0)
    assert (paper.a_second, paper.kbps, paper.period_s) == (1.0, 200_000, 15)


@pytest.mark.parametrize("scale", [Scale(30, 60.0), Scale(12, 120.0)])
def test_at_any_size_each_has_as_much_and_as_many_come_while_a_film_lasts(scale):
    assert scale.kbps / scale.clients == pytest.approx(200_000 / 150)
    assert scale.a_second * scale.seconds / scale.clients == pytest.approx(600 / 150)
    assert scale.seconds / scale.period_s == pytest.approx(600 / 15, rel=0.34), "whole seconds"


def test_half_as_many_are_the_second_size_and_there_are_as_many_of_each_class_as_the_paper_has():
    assert arrivals.sizes(24) == (24, 12) and arrivals.sizes(20) == (18, 6) and arrivals.sizes(7) == (6,)
    assert Counter(arrivals.classes(24, 1)) == {"gold": 4, "silver": 8, "bronze": 12}
    assert arrivals.classes(24, 1) == arrivals.classes(24, 1) != arrivals.classes(24, 2)


def test_clients_come_one_after_the_other_by_chance_at_the_rate():
    scale = Scale(600, 600.0)
    at = arrivals.moments(scale, 1)
    assert len(at) == 600 and at == sorted(at) == arrivals.moments(scale, 1) and at[0] == 0
    gaps = [after - before for before, after in zip(at, at[1:])]
    middle = sum(gaps) / len(gaps)
    assert middle == pytest.approx(1 / scale.a_second, rel=0.15)
    spread = (sum((gap - middle) ** 2 for gap in gaps) / len(gaps)) ** 0.5
    assert spread == pytest.approx(middle, rel=0.2), "of a Poisson process both are alike"


def run(clients, gold=60.0, silver=61.0, bronze=62.0):
    names = ["gold", "silver", "bronze"]
    views = [{"tookS": took, "stalledS": 0.0, "startupS": 1.0, "levels": [0], "bytes": 125_000, "finished": True} for took in (gold, silver, bronze)]
    return {"clients": clients, "kbps": 8000, "aSecond": 0.4, **arrivals.of_views(views, names, [0.0, 1.0, 2.5])}


def test_each_class_has_its_means_and_each_client_its_time():
    found = run(6)
    assert found["perClass"]["silver"] == {"clients": 1, "tookMeanS": 61.0, "stalledMeanS": 0.0, "qoeMean": -2.9, "kbpsMean": 16}
    assert found["there"][2] == {"class": "bronze", "cameS": 2.5, "wentS": 64.5} and found["unfinished"] == 0
    (gold, *_) = arrivals.chart(found).lines
    assert gold.points == [(0.0, 0), (0.0, 1), (60.0, 0)]
    assert "bronze" in arrivals.table([found])


def test_gold_is_to_be_first_and_sizes_are_to_be_alike():
    order, other_order, alike = arrivals.claims([run(12), run(6, bronze=70.0)])
    assert order["holds"] and other_order["holds"] and alike["holds"] and alike["measured"] == 11.4
    assert not arrivals.claims([run(12, gold=63.0)])[0]["holds"]
    assert not arrivals.claims([run(12), run(6, gold=30.0, silver=30.0)])[2]["holds"]


def test_a_report_shows_both_sizes_with_who_was_there_when(tmp_path):
    made = {"clients": 12, "paperClients": 40, "seconds": 60, "paperSeconds": 600, "seed": 1, "bottleneckKbps": 15_000,
            "runs": [{"arrivals": True, "mode": "service-classes", **run(many)} for many in (12, 6)] + [{"arrivals": True, "mode": "service-classes", "error": "broke off"}]}  # fmt: skip
    diffperf_report.write(tmp_path, {**made, "claims": arrivals.claims(arrivals.whole(made))})
    report = (tmp_path / "report.md").read_text()
    assert "Clients that come and go" in report and "![Clients that are there](arrivals-6.svg)" in report and "12 and 6 clients" in report
    assert "gold" in (tmp_path / "arrivals-12.svg").read_text()
