"""Elephants on a running network: ways and queues of their own, a split that follows the traffic, and one that is found while it runs."""

from __future__ import annotations

import ipaddress
import itertools
import json
import re
import signal
import statistics
import subprocess
import sys
import time

import pytest

from controller.office import ask, kbps
from elephants.conftest import BACKUP, FRESH, PAUSING, V1
from switches.steps import arriving, eventually, figures, path

pytestmark = pytest.mark.e2e
BETA = 6800
fresh_ports = itertools.count(FRESH[0])
# Of UDP, a second, that nobody plans.
PACKETS = 600
ELEPHANT_DSCP = 10
COUNTED = {"othersSentKbps", "elephantsDroppedPackets", "othersDroppedPackets"}
# Sends to all who connect, so much at a time. SIGUSR1 lets it pause, and go on.
SOURCE = """
import signal, socket, sys, threading, time
talking = threading.Event()
talking.set()
signal.signal(signal.SIGUSR1, lambda *_: talking.clear() if talking.is_set() else talking.set())
port, size, pause = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
server = socket.create_server(("", port))
print("listening", flush=True)
def serve(connection):
    try:
        while True:
            talking.wait()
            connection.sendall(bytes(size))
            time.sleep(pause)
    except OSError:
        connection.close()
while True:
    threading.Thread(target=serve, args=server.accept()[:1], daemon=True).start()
"""
# Says when it had so much.
SINK = """
import json, signal, socket, sys, time
sink = socket.create_connection((sys.argv[1], int(sys.argv[2])))
sink.settimeout(0.2)
ended, got, crossed, began = [], 0, None, time.monotonic()
signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
while not ended:
    try:
        part = sink.recv(65536)
    except TimeoutError:
        continue
    if not part:
        break
    got += len(part)
    if crossed is None and got >= int(sys.argv[3]):
        crossed = time.monotonic()
seconds = time.monotonic() - began
print(json.dumps({"bytes": got, "seconds": seconds, "crossed": crossed}))
"""


@pytest.fixture
def streams(onos, divided):
    """Sources on a1 and whoever takes what they send, ended with the test."""
    network, begun = divided, []

    class Streams:
        def serve(self, port, size=65536, pause=0.0):
            begun.append(network.popen(sys.executable, "-c", SOURCE, str(port), str(size), str(pause), host="a1", stdout=subprocess.PIPE, text=True))
            assert begun[-1].stdout.readline() == "listening\n"
            return begun[-1]

        def take(self, port, threshold=1 << 40, host="b1"):
            begun.append(network.popen(sys.executable, "-c", SINK, network.hosts["a1"].address, str(port), str(threshold), host=host, stdout=subprocess.PIPE, text=True))
            return begun[-1]

        def result(self, sink):
            begun.remove(sink)
            return network.harvest(sink)

    try:
        yield Streams()
    finally:
        for process in reversed(begun):
            network.end(process)
        eventually(lambda: not [one for one in onos.rest.conversations() if one["host"] == "a1"])
        for setting in ("elephantBranches", "elephantMegabytes", "elephantSeconds"):
            ask(onos, "DELETE", f"{V1}/settings/{setting}")


def conversations(onos, port):
    return [one for one in onos.rest.conversations() if one["localPort"] == port]


def let_go(onos, port, many):
    """So many elephants that nobody holds."""
    found = conversations(onos, port)
    free = [one for one in found if one["state"] == "granted" and one["scheme"] == "elephant-isolation" and one.get("installed", {}).get("paced") is False]
    return free if len(free) == many else None


def marked(network, port):
    """The rules at the first switch that mark the packets of this port for the elephants' queues."""
    return network.rules(1, f"tp_src={port}", f"set_field:{ELEPHANT_DSCP}->ip_dscp")


def ping(network):
    """Median and deviation in ms, of a host without an agent. A pause of the machine costs some and delays others, but not the half."""
    said = network.host("a2", "ping", "-c", "60", "-i", "0.05", network.hosts["b1"].address)
    trips = [float(ms) for ms in re.findall(r" time=([\d.]+) ms", said)]
    assert len(trips) > 30, said
    return statistics.median(trips), statistics.pstdev(trips)


def queues(onos, port):
    """What REST says of a port that can be divided."""
    switches = onos.rest.get(f"{V1}/switches")["switches"]
    return next(one for switch in switches for one in switch["queues"]["ports"] if one["name"] == port)


def others_kbps(network, port):
    """What the others' queue of a port has by the kernel's word; 0 where it is one queue."""
    for line in network.inside("tc", "class", "show", "dev", port).splitlines():
        words = line.split()
        if words[:2] == ["class", "htb"] and words[2].endswith(":3"):
            return kbps(words[words.index("rate") + 1])
    return 0.0


def test_pings_wait_for_no_elephant(onos, divided, streams, capsys):
    network = divided
    idle = ping(network)
    streams.serve(BACKUP)
    sinks = [streams.take(BACKUP) for _ in range(4)]
    eventually(lambda: let_go(onos, BACKUP, 4))
    eventually(lambda: len(marked(network, BACKUP)) == 4)
    time.sleep(3)
    middle, deviation = ping(network)
    # Both ways are theirs: also where what they sent before they were known made one look full of others.
    for port in ("l1-2", "l1-3"):
        eventually(lambda: (said := queues(onos, port)).get("elephantsSentKbps", 0) > 1_000 and said.keys() >= COUNTED)
    # Each port of theirs has two queues.
    for port in ("l1-2", "l2-4", "l1-3", "l3-4"):
        eventually(lambda: others_kbps(network, port))
    sent = [streams.result(sink) for sink in sinks]
    mbit = sum(one["bytes"] * 8e-6 / one["seconds"] for one in sent)
    with capsys.disabled():
        print(f"\nping {middle:.1f} ms (sd {deviation:.1f}) beside four elephants of {mbit:.0f} Mbit/s together, {idle[0]:.1f} ms (sd {idle[1]:.1f}) idle", end="")
    # One queue of 200 kB would add 53 ms. What exactly it is, the scenario measures.
    assert middle < idle[0] + 30
    # Of 60 there are. Elephants that are held as trickles are have a few hundredths of that.
    assert mbit > 10


def dropped(network):
    """What the queues of the namespace's interfaces, and of the hosts', have dropped so far, by where."""
    found = {}
    for host in (None, *network.hosts):
        said = network.host(host, "tc", "-s", "-j", "qdisc", "show") if host else network.inside("tc", "-s", "-j", "qdisc", "show")
        for queue in json.loads(said):
            name = f"{host or ''}:{queue['dev']} {queue['kind']} {queue.get('handle', '')} {queue.get('parent', 'root')}"
            found[name] = queue.get("drops", 0)
    return found


def measured(one):
    return one["measured"].get("rateKbps", 0)


@pytest.mark.lasts(40)
def test_a_booked_circuit_holds_its_rate_beside_other_elephants_and_pings_stay_calm(onos, divided, streams, capsys):
    network = divided
    idle = ping(network)
    network.cut("1-3")
    reservations = f"{V1}/reservations"
    asked = {"intent": "backup", "from": network.hosts["a1"].address, "to": network.hosts["b1"].address, "durationSeconds": 600, "commit": True}
    booked = None
    try:
        eventually(lambda: len(onos.rest.links()) == 6)
        status, refused = ask(onos, "POST", reservations, {**asked, "rateKbps": 25_000})
        assert status == 409 and "elephantThousandths" in refused["detail"], refused
        assert ask(onos, "PUT", f"{V1}/settings/elephantThousandths", {"value": 450})[0] == 200
        status, refused = ask(onos, "POST", reservations, {**asked, "rateKbps": 25_000})
        assert status == 409, refused
        # Between prefixes it is promised as much, for they stand at the same two switches.
        sides = {one: prefix(network, one) for one in ("a", "b")}
        status, answer = ask(onos, "POST", f"{reservations}/ask", {"intent": "backup", "from": sides["a"], "to": sides["b"], "durationSeconds": 600, "rateKbps": 25_000})
        assert (status, answer["counterOffer"]["rateKbps"]) == (200, refused["counterOffer"]["rateKbps"]), answer
        status, answer = ask(onos, "POST", reservations, {**asked, "from": "10.0.0.0/8", "to": sides["b"], "rateKbps": 1_000})
        assert status == 409 and "stand at 2 switches" in answer["detail"], answer
        rate = refused["counterOffer"]["rateKbps"]
        streams.serve(BACKUP)
        streams.take(BACKUP)
        # With four beside it a fair share is far below what can be booked.
        for _ in range(4):
            streams.take(BACKUP, host="b2")
        eventually(lambda: let_go(onos, BACKUP, 5))
        b1 = network.hosts["b1"].address

        def circuit_and_others():
            found = conversations(onos, BACKUP)
            (one,) = [each for each in found if each["remoteAddress"] == b1]
            return one, [each for each in found if each is not one]

        time.sleep(4)
        before = measured(circuit_and_others()[0])
        assert 0 < before < 0.9 * rate, "what is promised is more than it has without"
        status, booked = ask(onos, "POST", reservations, {**asked, "rateKbps": rate})
        assert status == 201, booked

        def held():
            one, others = circuit_and_others()
            return one["installed"]["paced"] is False and all(each["installed"]["paced"] for each in others) and sum(each["installed"]["rateKbps"] for each in others)

        left = eventually(held)
        assert rate + left < 30_000
        # What is counted are frames, a second long; TCP of the circuit takes a while to grow.
        had = eventually(lambda: (now := measured(circuit_and_others()[0])) >= 0.95 * rate and now)
        middle, deviation = ping(network)
        with capsys.disabled():
            print(f"\ncircuit of {rate} kbit/s: {before} kbit/s before it was booked, {had} after, others held to {left} together; ping {middle:.1f} ms (sd {deviation:.1f}), {idle[0]:.1f} idle", end="")
        assert middle < idle[0] + 30
        assert ask(onos, "DELETE", f"{reservations}/{booked['id']}")[0] in (200, 204)
        booked = None
        eventually(lambda: let_go(onos, BACKUP, 5))
    finally:
        if booked and "id" in booked:
            ask(onos, "DELETE", f"{reservations}/{booked['id']}")
        ask(onos, "DELETE", f"{V1}/settings/elephantThousandths")
        network.mend("1-3")
        eventually(lambda: len(onos.rest.links()) == 8)


def prefix(network, side):
    """The smallest prefix that both hosts of a side are in."""
    both = [int(ipaddress.IPv4Address(network.hosts[f"{side}{i}"].address)) for i in (1, 2)]
    return str(ipaddress.ip_network((both[0], 32 - (both[0] ^ both[1]).bit_length()), strict=False))


def received(network, host):
    """When, and how many bytes its interface had by then."""
    for line in network.host(host, "cat", "/proc/net/dev").splitlines():
        name, _, counts = line.partition(":")
        if name.strip() == "eth0":
            return time.monotonic(), int(counts.split()[0])
    raise AssertionError(f"{host} has no eth0.")


def is_had(seen, kbit):
    """Whether it is received over the last second of what was seen."""
    (then, before), (now, after) = next((one for one in reversed(seen) if one[0] <= seen[-1][0] - 1), seen[0]), seen[-1]
    return now - then >= 1 and (after - before) * 8e-3 / (now - then) >= kbit


@pytest.mark.lasts(40)
def test_a_lent_circuit_is_had_again_when_its_owner_sends(onos, divided, streams, capsys):
    """Between prefixes: of b1's side only b1 is in it, and b2 has what is lent."""
    network = divided
    network.cut("1-3")
    reservations = f"{V1}/reservations"
    b1 = network.hosts["b1"].address
    asked = {"intent": "backup", "from": prefix(network, "a"), "to": b1, "durationSeconds": 600, "adaptive": True}
    booked = None

    def apart():
        """The owner of the circuit, and the others."""
        found = onos.rest.get(f"{V1}/elephants")["apart"]
        return [one for one in found if one["to"] == b1], [one for one in found if one["to"] != b1]

    def is_held():
        owner, others = apart()
        return len(owner) == 1 and len(others) == 4 and owner[0].get("circuitKbps") == rate and all(one["paced"] for one in others)

    def is_lent():
        owner, others = apart()
        return len(owner) == 1 and len(others) == 4 and not any(one["paced"] for one in others) and sum(one.get("measuredKbps", 0) for one in others) > 20_000

    try:
        eventually(lambda: len(onos.rest.links()) == 6)
        assert ask(onos, "PUT", f"{V1}/settings/elephantThousandths", {"value": 450})[0] == 200
        owner = streams.serve(PAUSING)
        streams.take(PAUSING)
        streams.serve(BACKUP)
        for _ in range(4):
            streams.take(BACKUP, host="b2")
        eventually(lambda: let_go(onos, BACKUP, 4) and let_go(onos, PAUSING, 1))
        rate = ask(onos, "POST", f"{reservations}/ask", {**asked, "rateKbps": 25_000})[1]["counterOffer"]["rateKbps"]
        status, booked = ask(onos, "POST", reservations, {**asked, "rateKbps": rate, "commit": True})
        assert status == 201 and booked["from"] == asked["from"], booked
        eventually(is_held)
        owner.send_signal(signal.SIGUSR1)
        silent = time.monotonic()
        eventually(is_lent)
        lent = time.monotonic() - silent
        seen = [received(network, "b1")]
        owner.send_signal(signal.SIGUSR1)
        began = time.monotonic()
        held = 0.0

        def again():
            nonlocal held
            held = held or (is_held() and time.monotonic() - began)
            seen.append(received(network, "b1"))
            return held and is_had(seen, 0.95 * rate)

        eventually(again)
        took = seen[-1][0] - began
        with capsys.disabled():
            print(f"\ncircuit of {rate} kbit/s: others had what it left {lent:.1f} s after its owner fell silent, were held again {held:.1f} s after it sent, and it was received over the second that ended {took:.1f} s after that", end="")
        assert ask(onos, "DELETE", f"{reservations}/{booked['id']}")[0] in (200, 204)
        booked = None
        eventually(lambda: let_go(onos, BACKUP, 4))
    finally:
        if booked and "id" in booked:
            ask(onos, "DELETE", f"{reservations}/{booked['id']}")
        ask(onos, "DELETE", f"{V1}/settings/elephantThousandths")
        network.mend("1-3")
        eventually(lambda: len(onos.rest.links()) == 8)


def counted(network, switch):
    """What passed the rules of a switch that take the elephants' mark off packets of IPv4."""
    rules = network.rules(switch, f"nw_tos={ELEPHANT_DSCP << 2}", "set_field:0->ip_dscp")
    return sum(int(re.search(r"n_packets=(\d+)", rule)[1]) for rule in rules) if rules else None


def test_packets_that_their_sender_marks_as_an_elephants_lose_the_mark(onos, divided):
    network = divided
    eventually(lambda: None not in (counted(network, 1), counted(network, 4)))

    def stands():
        """Switches count what has passed up to a second later, and where they had to wait for a processor later still."""
        first = counted(network, 1), counted(network, 4)
        time.sleep(2)
        return (counted(network, 1), counted(network, 4)) == first and first

    before = eventually(stands)
    b2 = network.hosts["b2"].address
    heard = network.probe("b2", "receive", str(BETA))
    said = network.probe("a2", "send", f"--dscp={ELEPHANT_DSCP}", f"beta:{BETA}:{b2}:{BETA}:200:100")
    eventually(lambda: counted(network, 1) > before[0] + 200)
    network.harvest(said)
    assert network.harvest(heard)[str(BETA)]["received"] > 100
    assert counted(network, 4) == before[1], "they come to the last switch without it"


def test_where_no_port_is_divided_an_elephant_is_held_to_a_rate_and_says_so(onos, divided, streams):
    onos.rest.configure({"devices": {"of:0000000000000004": {"paceline": {"queueAgent": "nobody"}}}})
    try:
        streams.serve(BACKUP)
        streams.take(BACKUP)
        # As soon as it is found it may have a first, small rate.
        eventually(lambda: [c for c in conversations(onos, BACKUP) if c.get("code") == "not-kept-apart" and c.get("grant", {}).get("rateKbps", 0) > 10_000])
        eventually(lambda: marked(divided, BACKUP) == [])
    finally:
        onos.rest.configure({"devices": {"of:0000000000000004": {"paceline": {"queueAgent": "divider"}}}})
    eventually(lambda: let_go(onos, BACKUP, 1))
    eventually(lambda: len(marked(divided, BACKUP)) == 1)


@pytest.mark.lasts(32)
def test_the_split_follows_traffic_that_nobody_plans_and_then_loses_none_of_it(onos, divided, streams, capsys):
    network = divided
    network.cut("1-3")
    try:
        streams.serve(BACKUP)
        for _ in range(4):
            streams.take(BACKUP)
        # The controller may hear of the cut after it has heard of them.
        eventually(lambda: {tuple(path(one["grant"])) for one in let_go(onos, BACKUP, 4) or []} == {(1, 2, 4)})
        eventually(lambda: len(marked(network, BACKUP)) == 4)
        # What was counted while they began is no longer counted then.
        eventually(lambda: 0 < others_kbps(network, "l1-2") < 5_000)
        before = others_kbps(network, "l1-2")
        b1 = network.hosts["b1"].address
        heard = network.probe("b1", "receive", str(BETA))
        # More than others have, and not so much more that the frames by which links are found are all dropped.
        said = network.probe("a2", "send", f"beta:{BETA}:{b1}:{BETA}:{PACKETS}:1000")
        began = time.monotonic()
        try:
            eventually(lambda: others_kbps(network, "l1-2") > 1.1 * PACKETS * 1042 * 8e-3)
        except AssertionError:
            network.end(said)
            network.end(heard)
            raise
        took = time.monotonic() - began
        time.sleep(1)  # What waited before drains.
        network.harvest(heard)

        def nearly_all():
            """A split that does not follow loses two fifths, each time. A pause of the machine may lose as much once."""
            arrived = arriving(network, "b1", BETA, 4)
            print(figures(arrived))
            return arrived["lost"] < 0.2 * arrived["received"] and arrived["received"] > PACKETS and arrived

        arrived = eventually(nearly_all)
        network.harvest(said)
        with capsys.disabled():
            print(f"\nothers had {before:.0f} kbit/s of the port, and {others_kbps(network, 'l1-2'):.0f} {took:.1f} s after {PACKETS * 1042 * 8e-6:.1f} Mbit/s of UDP began; {arrived['lost']} of {arrived['received']} lost then", end="")
    finally:
        network.mend("1-3")
        eventually(lambda: len(onos.rest.links()) == 8)


@pytest.mark.lasts(15)
def test_an_elephant_is_found_while_it_runs_and_is_led_apart_in_order(onos, divided, streams, capsys):
    network = divided
    for setting, value in (("elephantBranches", "file-download"), ("elephantMegabytes", 3), ("elephantSeconds", 5)):
        assert ask(onos, "PUT", f"{V1}/settings/{setting}", {"value": value})[0] == 200
    # Asked again on the same ONOS, what is left of the flow before must not match this one.
    port = next(fresh_ports)
    # Others on the quick way, so that it has a reason to leave that.
    b2 = network.hosts["b2"].address
    beside = network.probe("a2", "send", f"beta:{BETA}:{b2}:{BETA}:1000:1000")
    # Below what it is granted: nothing waits for it, and nothing of it has to be lost.
    streams.serve(port, 12_500, 0.01)
    watch = network.module("paceline_lab.networks.reordering", host="b1")
    try:
        assert watch.stdout.readline() == "listening\n"
        drops = dropped(network)
        sink = streams.take(port, 3_000_000)
        eventually(lambda: marked(network, port))
        apart = time.monotonic()
        (one,) = eventually(lambda: let_go(onos, port, 1))
        time.sleep(10)
        network.harvest(beside)
        again = re.search(r"retrans:\d+/(\d+)", network.host("a1", "ss", "-tin", "sport", "=", f":{port}"))
        result = streams.result(sink)
    finally:
        order = network.harvest(watch)
    (flow,) = [each for each in order["flows"] if each["fromPort"] == port]
    # The queues of a port are made as it is divided.
    lost = {name: more for name, count in dropped(network).items() if (more := count - drops.get(name, 0)) > 0}
    with capsys.disabled():
        print(f"\nled apart {apart - result['crossed']:.1f} s after it had sent 3 MB, by {path(one['grant'])}; {flow['reordered']} of {flow['packets']} packets "
              f"reordered, {again[1] if again else 0} sent again; {order['missed']} not seen; dropped: {lost or 'none'}", end="")  # fmt: skip
    assert path(one["grant"]) == [1, 3, 4], "it has the other way"
    # What was lost on the way and sent again is no packet out of order.
    assert flow["reordered"] + order["missed"] <= 0.001 * (flow["packets"] - flow["duplicates"]), flow
