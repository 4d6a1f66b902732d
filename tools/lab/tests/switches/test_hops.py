"""How the counters of hops are put together: what came, what was lost, and who says to have dropped it."""

from collections import Counter

import pytest

from switches.hops import Hops, between, near_end, nothing_lost_that_nobody_dropped, sockets_dropped, udp_dropped

LISTED = """p_raw 0 0 *:h-d3 * skmem:(r0,rb8388608,t0,tb8388608,f0,w0,o0,bl0,d12)
p_raw 0 0 *:w1-3 * skmem:(r0,rb212992,t0,tb33554432,f0,w0,o0,bl0,d0)
p_raw 0 0 *:w1-3 * skmem:(r0,rb212992,t0,tb33554432,f0,w0,o0,bl0,d3)
"""


def counted(*came, **dropped):
    at = [names[0] for names in Hops.AT]
    return {"steady": Counter(dict(zip(at, came))), "everybody": Counter(dict(zip(at, (2 * one for one in came)))),
            "dropped": Counter({"by meters": 0, **{name.replace("_", " "): many for name, many in dropped.items()}})}  # fmt: skip


def test_a_socket_says_how_many_packets_it_had_no_room_for():
    assert sockets_dropped(LISTED) == {"h-d3": 12, "w1-3": 3}


def test_each_hop_has_what_came_to_it_and_not_to_the_next():
    none = counted(0, 0, 0, 0, 0, 0)
    hops = between(none, counted(100, 90, 90, 89, 89, 89))
    assert [(hop["steadyLost"], hop["lost"]) for hop in hops] == [(10, 20), (0, 0), (1, 2), (0, 0), (0, 0)]
    assert all(hop["full"] == hop["metered"] == 0 for hop in hops), "so these were lost, and nobody has dropped them"


def test_what_somebody_dropped_counts_where_it_did():
    after = counted(100, 100, 100, 100, 100, 100, by_meters=7, link_3_4=0)
    after["dropped"] |= Counter({"h-d3": 2, "link 3-4": 5, "from h-d2": 1})
    hops = {hop["hop"]: (hop["full"], hop["metered"]) for hop in between(counted(0, 0, 0, 0, 0, 0), after)}
    assert hops == {"switch 1": (2, 7), "links from 1": (0, 0), "switches 2 and 3": (0, 0), "links to 4": (5, 0), "switch 4": (1, 0)}


def test_the_near_end_of_a_cable():
    assert [near_end(one) for one in ("w1-3", "l4-3", "eth0")] == ["l1-3", "w4-3", "h-d2"]


def test_a_receivers_socket_says_what_it_had_no_room_for():
    rows = "  sl  local_address remote_address\n 1: 0000:1AF4 0000:0000 07 0 0 0 0 0 1 2 c0 4\n 2: 0000:1AF5 0000:0000 07 0 0 0 0 0 1 2 c0 9\n"
    assert udp_dropped(rows, 6900) == 4


@pytest.mark.parametrize(("wrong", "hop"), [({}, {}), ({"gapMs": 800.0}, {"steadyLost": 3}), ({}, {"steadyLost": 2, "full": 2}), ({"notRead": 1, "withoutRoom": 1}, {})])
def test_what_somebody_dropped_or_a_pause_explains_is_no_loss_by_a_change(wrong, hop):
    nothing_lost_that_nobody_dropped(told(wrong, hop))


@pytest.mark.parametrize(("wrong", "hop"), [({}, {"lost": 8}), ({}, {"steadyLost": 1}), ({"notRead": 1}, {}), ({"notLeft": 1}, {}), ({"mbit": 1.0}, {})])
def test_what_nobody_dropped_is_a_loss(wrong, hop):
    with pytest.raises(AssertionError):
        nothing_lost_that_nobody_dropped(told(wrong, hop))


def told(wrong, hop):
    first = {"hop": "switch 1", "steadyLost": 0, "lost": 7, "full": 0, "metered": 7}
    one = {"kind": "changes", "seconds": 5.0, "mbit": 20.0, "gapMs": 12.0, "sent": 9, "received": 9, "notLeft": 0, "notRead": 0, "withoutRoom": 0}
    return {**one, **wrong, "hops": [{**first, **hop}]}
