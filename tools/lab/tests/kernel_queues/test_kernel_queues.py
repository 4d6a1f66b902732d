"""What is said of the wire's queues beside the kernel's: claims from runs, and what may be asked."""

from __future__ import annotations

import pytest
from paceline_lab import options
from paceline_lab.kernel_queues import compare


def a_run(where, repeat=0, queue="fq-codel", shares=((20,), (20, 20, 20, 20)), **other):
    """Of 10 Mbit/s for ten seconds, where nothing is said of it."""
    whole = sum(map(sum, shares))
    run = {
        "queue": queue, "where": where, "repeat": repeat, "seconds": 10.0, "bytes": [[12_500_000 * one // whole for one in user] for user in shares],
        "sentPackets": 8000, "droppedPackets": 40, "markedPackets": 0, "roundTripMs": [25.0, 28.0], "pingMs": [21.0, 22.0], "requestMs": [95.0],
    }  # fmt: skip
    return {**run, **other}


def both(count=3, queue="fq-codel", kernel=None, wire=None):
    return [a_run(where, n, queue, **(given or {})) for n in range(count) for where, given in ((compare.KERNEL, kernel), (compare.WIRE, wire))]


def failing(runs):
    return [one["name"] for one in compare.claims(runs) if not one["holds"]]


def test_equal_runs_agree_in_all_figures():
    found = compare.claims(both())
    assert len(found) == 10 and all(one["holds"] and one["repeats"] == 3 for one in found)


@pytest.mark.parametrize(
    ("named", "wire"),
    [
        ("goodput", {"seconds": 11.0}),
        ("first user's share", {"shares": ((24,), (19, 19, 19, 19))}),
        ("farthest flow", {"shares": ((20,), (15, 25, 20, 20))}),
        ("dropped", {"droppedPackets": 60}),
        ("marked", {"markedPackets": 1}),
        ("downloads' round trip, 50 %", {"roundTripMs": [30.0] * 9}),
        ("ping, 95 %", {"pingMs": [21.0] * 9 + [40.0] * 2}),
        ("small request", {"requestMs": [120.0]}),
    ],
)
def test_what_differs_is_found_with_both_values(named, wire):
    found = [one for one in compare.claims(both(wire=wire)) if not one["holds"]]
    assert [one for one in found if named in one["name"] and one["why"].endswith("they differ")]


def test_few_or_unequal_repeats_are_no_agreement():
    # Their mean is the kernel's; the interval of two such is wide.
    runs = [*both(1, wire={"droppedPackets": 44}), *(dict(run, repeat=1) for run in both(1, wire={"droppedPackets": 36}))]
    (one,) = [one for one in compare.claims(runs) if "dropped" in one["name"]]
    assert one["measured"] == 0 and not one["holds"] and "do not show that they agree" in one["why"]


def test_users_are_held_to_shares_of_users_and_not_to_cakes_own_rules_of_dropping():
    shares = ((50,), (12, 13, 12, 13))
    runs = both(queue="per-user", kernel={"shares": shares}, wire={"shares": shares, "droppedPackets": 400, "roundTripMs": [60.0]})
    assert failing(runs) == []
    assert compare.most_off(runs[0]) == pytest.approx(0.5)
    assert "not claimed" in compare.table(runs)
    unfair = both(queue="per-user", kernel={"shares": shares})
    assert any("first user's share" in name for name in failing(unfair))


def test_a_run_without_its_partner_is_not_compared():
    assert compare.claims([a_run(compare.KERNEL)]) == []


def test_a_run_in_which_nothing_was_answered_is_named():
    assert compare.lacking(both()) == ""
    assert compare.lacking(both(1, wire={"requestMs": []})) == "fq-codel in the wire, repeat 1: no small request was answered"
    assert compare.lacking(both(1, kernel={"bytes": [[0], [9, 9, 9, 9]]})) == "fq-codel in the kernel, repeat 1: a user's downloads had nothing"


def test_a_queue_that_the_kernel_has_not_is_refused_with_those_it_has(capsys):
    with pytest.raises(SystemExit) as ended:
        options.parse(["queues", "--queues", "htb"])
    assert ended.value.code == 2
    assert "the queue (htb) has none of the kernel beside it. Maybe fq-codel, per-user" in capsys.readouterr().err
