"""What samples of shared links show: a link that was sent too much, a flow that starved, and neither where there is none."""

from __future__ import annotations

import pytest
from paceline_lab.claims import table
from paceline_lab.soak import judge
from paceline_lab.soak.judge import Entitlement, FlowRecord, Sample

KBPS, CAPACITY = 1000.0, 5000.0
GUARANTEE = "reserved"


def samples(
    seconds=40, load=lambda second: 4800.0, entitled=lambda second: KBPS, granted=lambda second: 4500.0, may_send=lambda second: 4700.0, at_once=lambda second: 100.0
):
    sent, found = 0.0, []
    for second in range(seconds + 1):
        kbps = entitled(second)
        said = {} if kbps is None else {"f": (Entitlement(GUARANTEE, kbps, 3.0),)}
        found.append(Sample(float(second), {"1-2": round(sent)}, {"1-2": may_send(second)}, {"1-2": granted(second)}, {"1-2": at_once(second)}, said))
        sent += load(second) * 125
    return found


def record(seconds=40, tried=lambda second: 2 * KBPS, had=lambda second: KBPS):
    made, tried_bytes, had_bytes = FlowRecord(), 0.0, 0.0
    for quarter in range(4 * seconds + 1):
        made.tried.add(quarter / 4, round(tried_bytes))
        made.arrived.add(quarter / 4, round(had_bytes))
        tried_bytes += tried(quarter // 4) * 125 / 4
        had_bytes += had(quarter // 4) * 125 / 4
    return {"f": made}


def of_links(found):
    return {claim["name"].partition(": ")[2]: claim for claim in judge.of_links(found, {"1-2": CAPACITY}, 0.96)}


def test_a_link_that_carries_all_it_is_sent_is_not_overloaded():
    assert all(claim["holds"] for claim in of_links(samples()).values())


def test_one_second_in_which_more_left_the_port_than_the_link_carries_is_found():
    claims = of_links(samples(load=lambda second: 5100.0 if second == 20 else 4800.0))
    above = claims["seconds in which more left the switch's port than the link carries"]
    assert not above["holds"] and above["measured"] == pytest.approx(2.5) and above["interval"][0] > 0
    assert "5100 of 5000 kbit/s from 20.0 s to 21.0 s" in above["why"]
    assert claims["most that left the switch's port within a second"]["measured"] == 102
    assert claims["most that a plan grants"]["holds"]


def test_a_plan_that_grants_more_than_the_usable_part_is_found():
    claims = of_links(samples(granted=lambda second: 4850.0 if second == 7 else 4500.0))
    assert [name for name, claim in claims.items() if not claim["holds"]] == ["most that a plan grants"]


def test_what_may_be_sent_above_the_usable_part_is_found_though_nobody_sends_it():
    claims = of_links(samples(may_send=lambda second: 4850.0 if second == 7 else 4700.0))
    assert [name for name, claim in claims.items() if not claim["holds"]] == ["most that hosts and meters let those send whom a plan could know"]


def of_queue(most_bytes, dropped=0, found=None):
    waiting = {"1-2": [(float(second), most_bytes if second == 7 else 500) for second in range(40)]}
    claims = judge.of_queues(samples(at_once=lambda second: 100.0 if second == 3 else 50.0) if found is None else found, {"1-2": CAPACITY}, waiting, {"1-2": dropped})
    return [claim["holds"] for claim in claims]


def test_a_queue_that_is_longer_than_all_may_send_at_once_is_found_and_so_is_a_drop():
    # 100 kbit are 12,500 bytes: 20 ms of the link.
    assert of_queue(12_500) == [True, True]
    assert of_queue(12_501) == [False, True]
    assert of_queue(12_500, dropped=1) == [True, False]
    assert of_queue(0, found=[]) == [False, True]


def test_samples_that_are_closer_than_a_second_are_no_seconds():
    twice = [judge.Sample(at, {"1-2": round(bytes_)}, {"1-2": 0.0}, {"1-2": 0.0}, {"1-2": 0.0}, {}) for at, bytes_ in ((0.0, 0), (0.8, 0), (1.0, 250_000), (2.0, 800_000))]
    assert [round(one.kbps) for one in judge.loads(twice)] == [2000, 4400]


def test_nothing_that_was_sampled_is_no_proof():
    assert not any(claim["holds"] for claim in of_links([]).values())


def of_flows(found, records):
    (claim,) = judge.of_flows(judge.windows(found, records), {GUARANTEE: "who asks has less than is reserved"})
    return claim


def test_a_flow_that_has_its_guarantee_does_not_starve():
    claim = of_flows(samples(), record())
    assert claim["holds"] and claim["repeats"] == 7 and claim["interval"][0] == 0 < claim["interval"][1]


def test_a_flow_that_has_half_of_its_guarantee_for_some_seconds_starves():
    claim = of_flows(samples(), record(had=lambda second: KBPS / 2 if 20 <= second < 25 else KBPS))
    assert not claim["holds"] and "f had 500 of 1000 kbit/s from 20.0 s to 25.0 s" in claim["why"]
    assert "FAILS" in table([claim])


def test_a_flow_that_had_nothing_at_all_starves():
    records = record(had=lambda second: 0.0)
    assert of_flows(samples(), records)["measured"] == 100
    # Nor does it help that nobody counted anything of it.
    assert not of_flows(samples(), {"f": FlowRecord(records["f"].tried)})["holds"]


def test_who_asks_for_less_than_its_guarantee_or_began_just_now_is_not_judged():
    assert of_flows(samples(), record(tried=lambda second: KBPS / 2, had=lambda second: 0.0))["repeats"] == 0
    begins = record(tried=lambda second: 2 * KBPS if second >= 20 else 0.0, had=lambda second: KBPS if second >= 23 else 0.0)
    claim = of_flows(samples(), begins)
    assert claim["holds"] and claim["repeats"] == 3


def test_a_scheme_may_take_its_time_to_follow_and_no_longer():
    grows = {"entitled": lambda second: KBPS if second < 20 else 2 * KBPS}
    asking = {"tried": lambda second: 3 * KBPS}
    assert of_flows(samples(**grows), record(**asking, had=lambda second: KBPS if second < 22 else 2 * KBPS))["holds"]
    assert not of_flows(samples(**grows), record(**asking, had=lambda second: KBPS if second < 27 else 2 * KBPS))["holds"]
    # What shrinks counts at once.
    shrinks = samples(entitled=lambda second: KBPS if second < 21 else KBPS / 2)
    assert of_flows(shrinks, record(had=lambda second: KBPS if second < 20 else KBPS / 2))["holds"]


def test_a_reservation_that_was_not_admitted_for_a_moment_is_judged_anew():
    claim = of_flows(samples(entitled=lambda second: None if second == 17 else KBPS), record(had=lambda second: 0.0 if 15 <= second < 20 else KBPS))
    assert claim["holds"] and claim["repeats"] == 5


def test_whoever_loses_its_reservation_for_long_is_judged_before_and_after():
    claim = of_flows(samples(120, entitled=lambda second: KBPS if second < 20 or second > 80 else None), record(120))
    assert claim["holds"] and claim["repeats"] == 9


def test_a_guarantee_of_which_nothing_was_judged_does_not_hold():
    (claim,) = judge.of_flows([], {GUARANTEE: "says"})
    assert not claim["holds"] and claim["why"]
