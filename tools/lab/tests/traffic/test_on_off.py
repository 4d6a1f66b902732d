"""When users are away: by their seed alone, as long in the mean as was asked, and never before what they began has ended."""

import io
from statistics import mean

import pytest
from paceline_lab.demo.admissions import Admissions
from paceline_lab.demo.managed import Management
from paceline_lab.terminal import Terminal
from paceline_lab.traffic import measure
from paceline_lab.traffic.measure import Samples
from paceline_lab.traffic.mix import paper_mix
from paceline_lab.traffic.on_off import OnOff, Turns

MEANS = OnOff(10, 4)


def aways(seed, count):
    """(time on before it, the time off) of a user whose requests take no time."""
    now, turns, found, asked_every = 0.0, Turns(MEANS, seed, 0.0), [], 0.05
    came = now
    while len(found) < count:
        if away := turns.away(now):
            found.append((now - came, away))
            now = came = now + away.seconds
        now += asked_every
    return found


def test_a_seed_has_the_same_times_each_time_and_another_has_others():
    assert aways("1/web-1", 5) == aways("1/web-1", 5) != aways("1/web-2", 5)


def test_times_are_exponentially_distributed_with_the_means_that_were_asked_for_and_half_of_those_off_close():
    found = [one for number in range(50) for one in aways(f"1/{number}", 20)]
    on, off = [one for one, _ in found], [away.seconds for _, away in found]
    assert mean(on) == pytest.approx(10, rel=0.1) and mean(off) == pytest.approx(4, rel=0.1)
    # Exponentially: as many are longer than the mean as exp(-1).
    for values in (on, off):
        assert sum(value > mean(values) for value in values) / len(values) == pytest.approx(0.368, abs=0.04)
    assert mean(away.closes for _, away in found) == pytest.approx(0.5, abs=0.05)


def test_who_is_busy_goes_when_it_is_done_and_not_a_second_time_at_once():
    turns = Turns(MEANS, "1/web-1", 100.0)
    away = turns.away(100_000.0)
    assert away and turns.away(100_000.0 + away.seconds) is None


# -- in a run's figures


def request(name, start, finished=True):
    return {"id": name, "kind": name.split("-")[0], "start": start, "end": start + 1, "kpi": 1.0, "utility": 4.0, "bytes": 1, "finished": finished}


def off(name, at, until, closed=False):
    return {"event": "away", "id": name, "at": at, "until": until, "closed": closed}


def summary(*records):
    users = [one for one in paper_mix(5) if one.kind in ("web", "dl", "ssh")]
    return measure.summary("managed", Samples(window=(100.0, 120.0), records=list(records)), users, None)


def test_who_was_away_and_asked_for_nothing_is_left_out_and_who_waited_in_vain_is_not():
    run = summary(request("web-1", 101), off("dl-1", 90, 130, True), off("web-1", 110, 115), off("web-1", 130, 140))
    assert run["silentConversations"] == ["ssh-1"] and run["onOff"]["absent"] == ["dl-1"] and run["minUtility"] == 1
    # Of three users and 20 s, 25.
    assert (run["onOff"]["timesOff"], run["onOff"]["closed"], run["onOff"]["offPercent"]) == (2, 1, 41.7)
    assert summary(request("web-1", 101), off("dl-1", 90, 130), off("ssh-1", 118, 130))["minUtility"] == 4
    assert "onOff" not in summary(request("web-1", 101))


def test_nobody_waits_for_users_who_are_away():
    assert measure.away_at([off("dl-1", 90, 130), off("web-1", 100, 110), request("ssh-1", 100)], 120.0) == {"dl-1"}


def test_what_calls_took_is_held_against_what_each_was_promised():
    voice = [{"stream": name, "second": second, "received": 50, "first": 0, "last": 49, "delayMs": ms} for second in (99, 105, 106) for name, ms in (("voip-1", 50.0), ("voip-2", 20.0))]
    samples, run = Samples(window=(100.0, 120.0), voice=voice), {}
    measure.add_delays(run, samples, {"voip-1": 34.0, "web-1": 8.0})
    assert run == {"callsMs": {"oneWay": 35.0, "promised": 34.0, "beyond": 16.0}}
    measure.add_delays(run, samples, {})
    assert run == {"callsMs": {"oneWay": 35.0}}
    measure.add_delays(silent := {}, Samples(window=(100.0, 120.0)), {"voip-1": 34.0})
    assert silent == {}


# -- what the controller promises meanwhile


class Told(Management):
    """What the controller would say, one answer after the other."""

    def __init__(self, users, *answers):
        super().__init__(None, Terminal(io.StringIO()))
        self.applications, self.answers = users, list(answers)

    def matched(self):
        return self.answers.pop(0)


def test_a_measurement_waits_for_all_rates_but_those_of_users_who_are_away(monkeypatch):
    monkeypatch.setattr("paceline_lab.demo.managed.time.sleep", lambda _: None)
    rated = {"grant": {"rateKbps": 100.0}, "installed": {"rateKbps": 100.0, "paced": True}}
    users = [one for one in paper_mix(5) if one.kind in ("web", "dl")]
    management = Told(users, {"web-1": {}}, {"web-1": rated}, {"web-1": rated, "dl-1": rated})
    management.wait_for_grants(lambda: "", lambda: {"dl-1"})
    assert len(management.answers) == 1
    waits = Told(users, {"web-1": rated}, {"web-1": rated, "dl-1": rated})
    waits.wait_for_grants(lambda: "", set)
    assert waits.answers == []


def conversation(utility, seen, installed=None):
    times = {"firstSeen": seen} | ({"installed": installed} if installed else {})
    return {"timesMs": times, "grant": {"utility": utility, "delayMs": 34.0}}


def test_returns_are_counted_once_each_with_how_long_their_rate_took():
    seconds = iter([
        {"web-1": conversation(4.0, 500.0, 520.0), "dl-1": conversation(3.0, 900.0, 920.0)},
        {"web-1": conversation(4.0, 500.0, 520.0), "dl-1": {"timesMs": {"firstSeen": 1500.0}}},
        {"web-1": conversation(2.0, 2000.0, 2040.0), "dl-1": conversation(3.5, 1500.0, 1530.0), "ssh-1": {"timesMs": {"firstSeen": 2100.0}}},
        {"ssh-1": {"timesMs": {"firstSeen": 2100.0}}, "web-2": {"timesMs": {"firstSeen": 3900.0}}},
    ])  # fmt: skip
    asked = Admissions(lambda: next(seconds), since_ms=1000.0)
    for _ in range(4):
        asked.ask()
    # The last may have come at this moment.
    assert asked.returns() == {"count": 4, "withoutRate": 1, "ms": {"p50": 35.0, "p95": 39.5}}
    assert asked.targets() == {"web-1": pytest.approx(2.4), "dl-1": pytest.approx(3.05)}
    assert asked.promised_ms() == {"web-1": 34.0, "dl-1": 34.0}
    assert Admissions(dict, 0.0).returns() == {"count": 0, "withoutRate": 0, "ms": None}
