"""What DiffPerf's scenario sets before which run, without any network."""

import re
from types import SimpleNamespace

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.options import parse
from paceline_lab.scenarios import diffperf
from paceline_lab.scenarios.films.views import SEGMENT_S


class Said:
    """Stands for the controller: what it was told, in turn."""

    def __init__(self):
        self.settings, self.capacities = {}, []

    def call(self, method, path, body=None):
        if (name := path.partition("/settings/")[2]):
            self.settings[name] = body["value"]

    def configure(self, content):
        self.capacities.append({one["paceline"]["capacityKbps"] for one in content["links"].values()})

    def conversations(self):
        return []


class Still:
    """Stands for the network: nothing is built, and nobody sends."""

    def __init__(self):
        self.become_of, self.hosts = [], {diffperf.SERVER: SimpleNamespace(address="10.20.0.1")}

    def become(self, *what):
        self.become_of.append(what)

    def carried(self, name):
        return {"forward": {"offeredPackets": 9, "droppedPackets": 0}}

    def ways(self):
        return [(SimpleNamespace(delay_ms=1.0), "there"), (SimpleNamespace(delay_ms=1.0), "back")]

    def serve(self, home):
        pass

    def alone(self):
        pass


@pytest.fixture
def played(tmp_path, monkeypatch):
    def run(*words):
        options = parse(["demo", "--scenario", "diffperf", "--out", str(tmp_path), *words])
        said, still, seen = Said(), Still(), []

        def watched(self, classes, at, more, moments=None):
            seen.append({**said.settings, "classes": classes, "moments": moments})
            view = {"levels": [0], "stalledS": 0.0, "startupS": 1.0, "bytes": 125_000, "finished": True, "tookS": 60.0}
            return [dict(view) for _ in classes]

        monkeypatch.setattr(diffperf.Diffperf, "manage", lambda self: None)
        monkeypatch.setattr(diffperf.Diffperf, "watched", watched)
        terminal = SimpleNamespace(step=lambda text: None, progress=lambda text: None)
        made = diffperf.Diffperf(options, terminal, still, SimpleNamespace(rest=said), tmp_path)
        assert made.run() == 0
        return made, said, still, seen

    return run


def test_each_beta_runs_with_each_mean_and_gamma_and_the_controller_is_told_of_it_before(played):
    made, _, _, seen = played("--alphas=none", "--gammas=0,0.5", "--betas=0,-1", "--lower-means=F-minus,F-lower")
    assert [run["mode"] for run in made.runs[:2]] == ["cubic", "bbr"]
    told = [(one["classLowerMean"], one["classBetaThousandths"], one["classGammaThousandths"]) for one in seen[2:]]
    assert told == [(mean, beta, gamma) for mean in ("F-minus", "F-lower") for beta in (0, 1000) for gamma in (0, 500)]
    assert [(run["lowerMean"], -1000 * run["beta"], 1000 * run["gamma"]) for run in made.runs[2:]] == told


def test_clients_come_one_after_the_other_at_two_sizes_of_the_link(played):
    made, said, still, seen = played("--alphas=none", "--gammas=none", "--mode=managed", "--arrivals", "--clients=12", "--seconds=60")
    assert [(run["clients"], run["kbps"]) for run in made.runs] == [(12, 16_000), (6, 8_000)]
    assert said.capacities == [{16_000}, {8_000}] and [one[3] for one in still.become_of] == [16_000, 8_000]
    for one in seen:
        assert (one["classAlphaThousandths"], one["classBetaThousandths"], one["classGammaThousandths"], one["classPeriodSeconds"]) == (1000, 250, 500, 2)
        assert len(one["classes"]) == len(one["moments"])
    assert SEGMENT_S * made.options.segments == 60


def test_what_is_set_are_settings_of_the_application(played):
    _, said, _, _ = played("--alphas=1", "--gammas=0", "--arrivals", "--clients=12")
    known = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/reference/settings.md").read_text(), re.M))
    assert set(said.settings) <= known
