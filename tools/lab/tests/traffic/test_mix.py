from collections import Counter
from dataclasses import replace

import pytest
from paceline_lab.traffic import content
from paceline_lab.traffic.mix import APART, ENDS, HOSTS, KINDS, client_address, counts, most_applications, paper_mix


@pytest.mark.parametrize("applications", [10, 40, 80, 120])
def test_a_fifth_of_each_class_and_video_in_halves(applications):
    fifth = applications // 5
    assert counts(applications) == {
        "web": fifth, "dl": fifth, "vod": fifth // 2, "live": fifth // 2, "ssh": fifth, "voip": fifth,
    }  # fmt: skip


@pytest.mark.parametrize("applications", [1, 2, 3, 7, 41, 299])
def test_numbers_that_do_not_divide_are_still_met(applications):
    assert len(paper_mix(applications)) == applications


def test_every_application_is_a_device_of_its_own():
    mix = paper_mix(300)
    assert len({a.address for a in mix}) == len({a.id for a in mix}) == 300


def test_types_are_spread_over_servers_and_clients():
    for kind in KINDS:
        mine = [a for a in paper_mix(120) if a.kind == kind]
        for of in ("server", "client"):
            sizes = Counter(getattr(a, of) for a in mine)
            assert len(sizes) == HOSTS
        assert max(Counter(a.server for a in mine).values()) - min(Counter(a.server for a in mine).values()) <= 1


def test_in_a_row_every_link_has_as_many_users_some_of_whom_cross_all():
    mix = paper_mix(90, bottlenecks=3)
    # A server stands before the link of its number, a client behind it.
    crossed = [[link for link in range(3) if one.server <= link <= one.client] for one in mix]
    assert [len(links) for links in crossed] == [one.links for one in mix]
    assert Counter(link for links in crossed for link in links) == {0: 50, 1: 50, 2: 50}
    assert Counter(one.links for one in mix) == {1: 50, 2: 20, 3: 20}
    assert all(one.links == 1 for one in paper_mix(90))


@pytest.mark.parametrize("bottlenecks", sorted(ENDS))
@pytest.mark.parametrize(("size", "moved"), [(1, 1), (2, 1), (5, 1), (20, 2), (80, 8), (120, 12)])
def test_a_tenth_has_the_server_apart_and_nothing_else_changes(bottlenecks, size, moved):
    usual, apart = paper_mix(size, bottlenecks), paper_mix(size, bottlenecks, apart=True)
    differ = [(before, now) for before, now in zip(usual, apart, strict=True) if before != now]
    assert len(differ) == moved
    assert all((before.server, now.server) == (0, APART) and replace(now, server=0) == before for before, now in differ)


def test_no_type_is_left_out_of_the_tenth_nor_is_all_of_one_in_it():
    moved = Counter(one.kind for one in paper_mix(80, apart=True) if one.server == APART)
    assert set(moved) == set(KINDS) and max(moved.values()) <= 2


@pytest.mark.parametrize("bottlenecks", sorted(ENDS))
def test_no_host_has_more_devices_than_addresses(bottlenecks):
    most = paper_mix(most_applications(bottlenecks), bottlenecks)
    # The last one is the host's own.
    assert max(Counter(one.client for one in most).values()) <= 253 and len({one.address for one in most}) == len(most)
    assert client_address(0, 0) not in {one.address for one in most}


def test_every_intent_has_a_port_of_its_own():
    assert len({kind.port for kind in KINDS.values()}) == len(KINDS)


def test_the_page_has_its_size_in_22_parts():
    sizes = content.page_sizes()
    assert len(sizes) == 22
    assert sum(sizes) == content.PAGE_BYTES
    assert min(sizes) >= 1024


def test_too_many_applications_are_refused():
    with pytest.raises(ValueError, match="Maybe 40"):
        counts(100_000)
