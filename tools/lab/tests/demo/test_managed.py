"""What a managed run leaves of itself at the controller."""

import io
from types import SimpleNamespace

import pytest
from paceline_lab.demo.lab import BOTTLENECKS
from paceline_lab.demo.managed import Management
from paceline_lab.demo.variants import MANAGED_RUNS, Variant
from paceline_lab.terminal import Terminal
from paceline_lab.traffic.mix import paper_mix

TREE = {"utilityFunctions": {"web": {"throughputKbps": [100.0]}}}


class Fails:
    """A controller that keeps its settings and its tree, and does not answer when it is told to."""

    def __init__(self):
        self.settings, self.tree, self.links, self.silent_at = {}, TREE, {}, set()

    def get(self, path):
        return self.tree

    def configure(self, tree):
        self.answer("links")
        self.links = tree

    def call(self, method, path, body=None):
        self.answer(method)
        if path.endswith("/intents"):
            self.tree = body
        elif method == "PUT":
            self.settings[path] = body
        else:
            del self.settings[path]

    def answer(self, what):
        if what in self.silent_at:
            self.silent_at.remove(what)
            raise RuntimeError(f"the controller does not answer {what}")


def management():
    one = Management(None, Terminal(io.StringIO()))
    one.network = SimpleNamespace(bottleneck=BOTTLENECKS[1], servers=(), clients=(), ways=lambda: [("s1", "s1-s2")])
    one.controller = Fails()
    one.start_agents = lambda servers: None
    return one


def test_what_could_not_be_put_right_is_before_the_next_run():
    one = management()
    variant = Variant(tables=30, capacity=10, settings=(("epsilonThousandths", 100),))
    one.begin(variant)
    assert one.controller.settings and one.controller.tree != TREE
    one.controller.silent_at = {"DELETE"}
    with pytest.raises(RuntimeError, match="does not answer DELETE"):
        one.end()
    one.begin()
    assert one.controller.settings == {} and one.controller.tree == TREE and one.undo == []
    told = one.controller.links["links"]["s1-s2"]["paceline"]
    assert told == {"capacityKbps": 100_000, "delayMs": 5.0}


def test_no_run_begins_with_what_another_had_wrong():
    one = management()
    one.begin(Variant(settings=(("epsilonThousandths", 100),)))
    for _ in range(2):
        one.controller.silent_at = {"DELETE"}
        with pytest.raises(RuntimeError):
            one.begin()
    one.begin()
    assert one.controller.settings == {}


def test_what_may_have_been_done_though_nobody_said_so_is_put_right_too():
    one = management()
    one.controller.silent_at = {"links"}
    with pytest.raises(RuntimeError):
        one.begin(Variant(capacity=10))
    one.end()
    assert one.controller.links["links"]["s1-s2"]["paceline"]["capacityKbps"] == 100_000


@pytest.mark.parametrize(
    ("mode", "agents", "rules"),
    [("managed", "1234", 0), ("partly-managed", "124", 6), ("agents-missing", "123", 0), ("agents-missing-found", "123", 6)],
)
def test_agents_are_on_all_servers_but_the_one_that_has_none(mode, agents, rules):
    one = management()
    one.network.servers = ("1", "2", "3", "4")
    started = []
    one.start_agents = started.extend
    one.begin(MANAGED_RUNS[mode])
    assert "".join(started) == agents
    assert len(one.controller.settings.get("/paceline/v1/naming-rules", {"rules": []})["rules"]) == rules


def test_the_measurement_waits_for_all_but_those_of_whom_nobody_knows(monkeypatch):
    one = management()
    one.applications = paper_mix(10, apart=True)
    one.matched = lambda: {user.id: {"installed": True} for user in one.applications if user.server < 3}
    monkeypatch.setattr("paceline_lab.demo.managed.is_installed", lambda conversation: conversation["installed"])
    monkeypatch.setattr("paceline_lab.demo.managed.GRANT_S", 0.0)
    monkeypatch.setattr("paceline_lab.demo.managed.time.sleep", lambda seconds: None)
    one.variant = MANAGED_RUNS["agents-missing"]
    one.wait_for_grants(lambda: "", set)
    one.variant = MANAGED_RUNS["agents-missing-found"]
    with pytest.raises(RuntimeError, match="1 of 10 conversations have no rate installed"):
        one.wait_for_grants(lambda: "", set)


def test_a_run_remembers_what_any_plan_could_give_and_how_long_solving_took():
    one = management()
    one.controller.call = lambda method, path: {"elapsedMs": 1.23456, "solution": {"upperBound": {"theta1": 2.8954}}, "certificate": {"leastUtility": "proved"}}
    assert one.bound() == {"leastUtility": 2.895, "proved": True, "solveMs": 1.235}
    one.controller.call = lambda method, path: {"elapsedMs": 60_000, "outcome": "undecided"}
    assert one.bound() is None
