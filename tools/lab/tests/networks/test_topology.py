"""What the demo's networks are to be, before anything of them is made."""

import pytest
from paceline_lab.demo.network import Bottleneck, in_a_row
from paceline_lab.networks.topology import Host
from paceline_lab.traffic.mix import APART, ENDS, HOSTS, client_address, server_address

BOTTLENECK = Bottleneck(50_000_000, 500_000, 5.0)


def test_a_link_is_the_bottleneck_that_was_asked_for():
    (link,) = in_a_row(BOTTLENECK, 1).links
    assert (link.mbit, link.fifo_bytes, link.delay_ms) == (50, 500_000, 5.0)


@pytest.mark.parametrize("count", ENDS)
def test_users_cross_as_many_links_as_their_ends_say(count):
    topology = in_a_row(BOTTLENECK, count)
    assert [(link.a, link.b) for link in topology.links] == [(left, left + 1) for left in range(1, count + 1)]
    servers, clients = topology.hosts[:HOSTS], topology.hosts[HOSTS:]
    for server, client in ENDS[count]:
        crossed = clients[client].switch - servers[server].switch
        assert crossed == (1 if count == 1 else client + 1 - server)


def test_the_demos_hosts_have_the_addresses_that_its_users_talk_to():
    topology = in_a_row(BOTTLENECK, 1)
    expected = [server_address(index) for index in range(HOSTS)] + [client_address(index, 0) for index in range(HOSTS)]
    assert [host.address for host in topology.hosts] == expected
    assert {host.network for host in topology.hosts} == {"10.0.0.0/16"} and not any(host.address6 for host in topology.hosts)
    for what in ("name", "mac", "management"):
        assert len({getattr(host, what) for host in topology.hosts}) == 2 * HOSTS


@pytest.mark.parametrize("count", ENDS)
def test_a_server_apart_is_beside_the_first_and_has_what_it_takes_for_itself(count):
    hosts = in_a_row(BOTTLENECK, count, apart=True).hosts
    servers, clients = hosts[:-HOSTS], hosts[-HOSTS:]
    assert (len(servers), servers[APART].address, servers[APART].switch) == (HOSTS + 1, server_address(APART), servers[0].switch)
    assert [client.address for client in clients] == [client_address(index, 0) for index in range(HOSTS)]
    for what in ("name", "mac", "management", "address"):
        assert len({getattr(host, what) for host in hosts}) == 2 * HOSTS + 1


def test_a_host_without_an_address_has_both_kinds_by_its_number():
    host = Host("a1", 11, 1)
    assert (host.address, host.address6, host.network) == ("10.20.0.11", "fd00:20::11", "10.20.0.0/24")


@pytest.mark.parametrize(
    ("address", "prefix", "asks"), [("10.1.0.1", 16, "10.1.255.254"), ("10.2.0.1", 30, "10.2.0.2"), ("10.2.0.2", 30, "10.2.0.1"), ("", 24, "10.20.0.254")]
)
def test_a_host_makes_itself_known_by_asking_for_another_address_of_its_network(address, prefix, asks):
    assert Host("a", 1, 1, address, prefix).neighbour == asks


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"number": 0}, r"number \(0\) of the host a must be from 1 to 254"),
        ({"number": 255}, r"number \(255\) of the host a must be"),
        ({"prefix": 31}, r"prefix \(31\) of the host a must be from 1 to 30"),
        ({"address6": "fd00:1::1"}, r"host a has an IPv6 address \(fd00:1::1\) and none of IPv4"),
        ({"address": "10.1.0"}, r"address \(10\.1\.0\) of the host a is no IPv4 address"),
        ({"address": "fd00:1::1"}, r"address \(fd00:1::1\) of the host a is no IPv4 address"),
        ({"address": "10.1.0.1", "address6": "10.1.0.1"}, r"address \(10\.1\.0\.1\) of the host a is no IPv6 address"),
    ],
)
def test_a_host_that_cannot_be_is_refused_where_it_is_made(given, says):
    with pytest.raises(ValueError, match=f"{says}.* Maybe "):
        Host(**{"name": "a", "number": 1, "switch": 1, **given})
