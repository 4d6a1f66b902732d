"""What breaks, and what the network does then."""

from __future__ import annotations

import re
import signal
import time
from datetime import UTC, datetime, timedelta

import pytest
from paceline_lab.machine.scheduler import keep_apart, let_together
from paceline_lab.networks.controller import COMPONENT
from paceline_lab.networks.conversations import is_installed
from paceline_lab.networks.loads import LoadWatch, Sender

from switches.conftest import INTENTS, MANY
from switches.steps import announce, announced, conversations, end, eventually, figures, metered_kbps, path, ports_are_metered, settled, steady

pytestmark = pytest.mark.e2e
DSCP = 34
CUTS = 12


def test_a_flood_of_what_nobody_manages_takes_nothing_from_managed_traffic(onos, network, rest, capsys):
    address = network.hosts["d2"].address
    heard = network.probe("d2", "receive", "5024", "5006", "7000")
    said = network.probe("d1", "send", f"ssh:5024:{address}:5024:20:100", f"voip:5006:{address}:5006:50:60")

    def tc(*words):
        return network.inside("tc", *words)

    rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": str(DSCP)})
    keep_apart(tc, network.near_end(1, "1-2"), network.links["1-2"].mbit, DSCP)
    try:
        eventually(lambda: settled(rest, address, [5024, 5006]))
        eventually(lambda: len(network.rules(1, f"nw_dst={address}", f"set_field:{DSCP}->ip_dscp")) == 2)
        heard.send_signal(signal.SIGUSR1)
        time.sleep(2)
        # Twice the quick link, marked by its sender as if it were managed, and by default forwarding on the quick link.
        flood = network.probe("d3", "send", f"--dscp={DSCP}", f"flood:7000:{address}:7000:600:1200")
        time.sleep(4)
        sent = network.harvest(flood)["flood"]
        paths = {port: path(conversations(rest, address)[port]["grant"]) for port in (5024, 5006)}
    finally:
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"managedDscp": "0"})
        let_together(tc, network.near_end(1, "1-2"))
        network.harvest(said)
        time.sleep(0.5)
        arrived = network.harvest(heard)
    with capsys.disabled():
        print("\nflood", sent, {port: figures(one) for port, one in arrived.items()}, end="")
    assert paths[5024] == [1, 2, 4]
    assert arrived["7000"]["lost"] > 0 and arrived["7000"]["received"] > 0, "others keep a share, and only that"
    # In one queue with it every third of theirs would be lost, one here and one there: dozens of holes. Behind it nearly all would be.
    assert arrived["5024"]["holes"] + arrived["5006"]["holes"] <= 10
    assert all(arrived[port]["lost"] < arrived[port]["received"] / 2 for port in ("5024", "5006"))
    eventually(lambda: not network.rules(1, "ip_dscp"))


def interruption(pauses, cut):
    """How long after the cut packets came again; 0 where none were missed."""
    return max((end - cut for start, end in pauses if cut - 0.1 <= start <= cut + 0.5), default=0.0)


def test_links_are_cut_again_and_again_and_no_link_is_overloaded_while_all_go_round(onos, network, rest, capsys):
    d1, d2, d3 = (network.hosts[name] for name in ("d1", "d2", "d3"))
    address = d2.address
    ports = {"ssh": 5025, "bulk": 5084, "bulk2": 5085}
    home = {5025: [1, 2, 4], 5084: [1, 3, 4], 5085: [1, 3, 4]}
    heard = network.probe("d2", "receive", *map(str, home))
    shapes = {"ssh": (100, 60), "bulk": (300, 1000), "bulk2": (300, 1000)}
    said = network.probe("d1", "send", *(f"{n}:{p}:{address}:{p}:{shapes[n][0]}:{shapes[n][1]}" for n, p in ports.items()))
    # Without agents, so held by meters, one in each direction; whether they send makes no difference to what they may.
    metered = [Sender(d3, d2, 6701), Sender(d2, d3, 6702)]
    for one in metered:
        announce(rest, f"port-{one.port}", one.host.address, one.to.address, one.port, "file-download/emailattach")
    watch = LoadWatch(network, [*(Sender(d1, d2, port) for port in home), *metered], ("d1",))

    def go(ways):
        found = conversations(rest, address)
        led = {port: path(one["grant"]) for port, one in found.items() if "grant" in one}
        return all(led.get(port) == way for port, way in ways.items()) and settled(rest, address, ways)

    def metered_too():
        return all((c := announced(rest, f"port-{one.port}")) and is_installed(c) for one in metered)

    cuts = []
    try:
        eventually(lambda: settled(rest, address, home) and go(home) and metered_too())
        time.sleep(1.5)  # What came before the plan drains, and the links' counters begin a new second.
        heard.send_signal(signal.SIGUSR1)
        began = time.monotonic()
        with watch:
            for number in range(CUTS):
                link, round_about = (("1-2", [1, 3, 4]), ("1-3", [1, 2, 4]))[number % 2]
                cuts.append(time.monotonic())
                network.cut(link)
                eventually(lambda: go(dict.fromkeys(home, round_about)))
                network.mend(link)
                # Not for both directions of the link, which ONOS finds one by one: the next cut may leave somebody no way at all.
                eventually(lambda: go(home))
            time.sleep(1.1)
    finally:
        for one in metered:
            end(rest, f"port-{one.port}")
        for link in ("1-2", "1-3"):
            network.mend(link)
        sent = network.harvest(said)
        arrived = network.harvest(heard)
    waited = sorted(max(interruption(arrived[str(port)]["pauses"], cut) for port in home) for cut in cuts)
    backlog = {name: network.backlog(name, began) for name in ("1-2", "2-4", "1-3", "3-4")}
    drops = {name: network.drops(name, began) for name in ("2-4", "3-4")}
    with capsys.disabled():
        print(f"\n{len(cuts)} cuts, s until all came again:", [round(s, 2) for s in waited], "greatest backlogs in bytes", backlog, "drops in each second", drops)
        print({port: figures(one) for port, one in arrived.items()}, sent)
        print(watch, end="")
    assert all(one["received"] for one in arrived.values())
    assert waited[-1] > 0, "cuts are felt"
    assert watch.overloads == []
    assert len(watch.greatest) == 8, "all were led over each link at one time or another, in both directions"
    # What no agent holds back is 250 packets a second too many, whenever all go round by the quick link, which is half of the time.
    # What waits while the machine pauses may be more than a link has room for, once.
    assert all(sum(each > 100 for each in drops[name]) <= CUTS // 4 for name in ("2-4", "3-4")), drops


def test_a_capacity_that_is_told_anew_is_shared_anew_and_everybody_gets_his_rate(onos, network, rest, capsys):
    address = network.hosts["d2"].address
    ports = [5086, 5087]
    heard = network.probe("d2", "receive", *map(str, ports))
    said = network.probe("d1", "send", *(f"n{port}:{port}:{address}:{port}:600:1000" for port in ports))

    def grants():
        found = conversations(rest, address)
        return [found[port]["grant"]["rateKbps"] for port in ports]

    try:
        eventually(lambda: settled(rest, address, ports))
        rest.configure(network.settings(capacity_kbps=2_000))
        # What was sent before drains meanwhile.
        granted = steady(lambda: settled(rest, address, ports) and sum(now := grants()) <= 2 * 2_000 and now)
        heard.send_signal(signal.SIGUSR1)
        began = time.monotonic()
        time.sleep(3)
        arrived = network.harvest(heard)
        seconds = time.monotonic() - began
    finally:
        print(network.host("d1", "tc", "-s", "class", "show", "dev", "eth0"))
        print(network.harvest(said))
        rest.configure(network.settings())
    # With UDP's, IP's and Ethernet's headers, which a rate is counted with.
    measured = [arrived[str(port)]["received"] * (1000 + 42) * 8 / 1000 / seconds for port in ports]
    with capsys.disabled():
        print("\ngranted kbit/s", granted, "measured", [round(rate) for rate in measured], end="")
    for rate, grant in zip(measured, granted, strict=True):
        # It sends 5 Mbit/s.
        assert 0.5 * grant <= rate <= 1.5 * grant


def test_best_effort_keeps_another_share_as_soon_as_it_is_told(onos, network, rest):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    announce(rest, "shared", source, destination, 6800, "file-download/emailattach")

    def rate():
        return metered_kbps(rest, "shared")

    try:
        eventually(lambda: rate() > 600)
        # Of links of 3 and 30 Mbit/s conversations may use 60 and 600 kbit/s then, the rest is best effort's.
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"usableThousandths": "20"})
        eventually(lambda: 0 < (now := rate()) <= 600 and f"rate={int(now)} " in network.ofctl("dump-meters", 1))
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"usableThousandths": "960"})
        # Not just what it had before: those of the test before may have had a part of that.
        eventually(lambda: (now := rate()) > 600 and f"rate={int(now)} " in network.ofctl("dump-meters", 1))
    finally:
        rest.call("POST", f"/v1/configuration/{COMPONENT}", {"usableThousandths": "960"})
        end(rest, "shared")


def test_a_switch_that_refuses_a_rule_is_named_with_its_reason_and_asked_again(onos, network, rest):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    # Rules of others to this host, which drain, would lead this one too, or make room for its own.
    eventually(lambda: not network.rules(3, f"nw_dst={destination}"))
    # That of conversations: the edge has another one.
    full = len(network.rules(3, "table=0,"))
    network.vsctl("--", "--id=@full", "create", "Flow_Table", f"flow_limit={full}", "overflow_policy=refuse",
                  "--", "set", "bridge", "s3", "flow_tables:0=@full")  # fmt: skip
    try:
        announce(rest, "refused", source, destination, 6500, "file-download/emailattach")
        reason = eventually(lambda: "refused a rule" in (r := (announced(rest, "refused") or {}).get("reason", "")) and r)
        assert "The switch (of:0000000000000003)" in reason and "its table is full" in reason
        # Half a way is no way.
        eventually(lambda: not network.rules(1, "tp_dst=6500"))
        network.vsctl("clear", "bridge", "s3", "flow_tables")
        eventually(lambda: metered_kbps(rest, "refused"))
    finally:
        network.vsctl("clear", "bridge", "s3", "flow_tables")
        end(rest, "refused")


def seconds_until(is_right):
    """From a recovery on. How long it takes is printed; on a busy machine that says little."""
    began = time.monotonic()
    eventually(is_right)
    return time.monotonic() - began


def test_each_switch_tells_the_size_of_its_table_and_its_meters(onos, rest):
    def told():
        return [s for s in rest.get("/paceline/v1/switches")["switches"] if s["rules"].get("tableSize", 0) > 0 and s["meters"]["held"] > 0]

    eventually(lambda: len(told()) == 9)


def test_a_switch_that_comes_back_with_empty_tables_gets_its_rules_and_meters_again(onos, network, rest):
    source, destination = network.hosts["d3"].address, network.hosts["d2"].address
    announce(rest, "wiped", source, destination, 6300, "file-download/emailattach")

    def stands():
        rules, rate = network.rules(1, "tp_dst=6300", "meter:"), int(metered_kbps(rest, "wiped"))
        return len(rules) == 1 and rate and f"rate={rate} " in network.ofctl("dump-meters", 1)

    eventually(stands)
    try:
        network.disconnect(1)
        network.ofctl("del-flows", 1)
        network.ofctl("del-meters", 1)
        assert not network.rules(1)
        network.connect(1)
        eventually(stands)
        assert rest.get("/v1/devices/of:0000000000000001")["available"]
    finally:
        network.connect(1)
        end(rest, "wiped")


@pytest.mark.lasts(71)
def test_a_controller_that_is_killed_under_a_hundred_conversations_keeps_their_rates(onos, network, rest, capsys):
    address = network.hosts["d2"].address
    heard = network.probe("d2", "receive", *map(str, MANY))
    said = network.probe("d1", "send", *(f"n{port}:{port}:{address}:{port}:1:200" for port in MANY))

    def rates():
        return sorted(re.findall(r"class htb (\S+) .*?rate (\S+)", network.host("d1", "tc", "class", "show", "dev", "eth0")))

    def unsettled():
        """Whoever is not there, or has not got what it was granted."""
        found = conversations(rest, address)
        return {port: found.get(port) for port in MANY if port not in found or not is_installed(found[port])}

    def is_calm():
        """What was followed while they came is solved in full, and better plans may follow: no more of them came."""
        version = rest.get("/paceline/v1/plan")["version"]
        time.sleep(6)
        return rest.get("/paceline/v1/plan")["version"] == version and not unsettled()

    def grants():
        return {port: (one["grant"]["rateKbps"], path(one["grant"])) for port, one in conversations(rest, address).items() if "grant" in one}

    def differing():
        """Whose grant is another; None while that is so for more than it may be. A few downloads may be dealt other rates, as good for all."""
        now = grants()
        if not promised.keys() <= now.keys():
            return None
        found = {port: (promised[port], now[port]) for port in MANY if promised[port] != now[port]}
        others = [port for port, (then, later) in found.items() if then[0] != later[0] and list(INTENTS.values())[MANY.index(port) % 3] != INTENTS[5080]]
        return None if others else found

    def matches(switch):
        """Of its rules, without cookies and counters, as often as it holds them."""
        return [re.sub(r".*?(priority=.*) actions=.*", r"\1", line) for line in network.rules(switch, "priority=")]

    try:
        eventually(is_calm, 240)
        rest.call("PUT", "/paceline/v1/intents/video-streaming", {"priority": 7})
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds").replace("+00:00", "Z")
        wish = {"intent": "video-streaming", "from": network.hosts["d1"].address, "to": address, "rateKbps": 500, "start": tomorrow, "durationSeconds": 60}
        promise = rest.call("POST", "/paceline/v1/reservations", wish)["id"]
        rest.call("POST", f"/paceline/v1/reservations/{promise}/commit", {})
        told = [rest.get(f"/paceline/v1/{what}") for what in ("intents", "reservations")]
        promised, before = grants(), rates()
        assert len(before) >= len(MANY)
        eventually(lambda: ports_are_metered(network, *network.topology.numbers()))
        # Of a class that nobody uses, so that no rate changes; its time is over before the controller is back.
        tried = {"intents": [*told[0]["intents"], {"class": "on-trial"}], **{name: held for name, held in told[0].items() if name != "intents"}}
        rest.call("PUT", "/paceline/v1/policy/drafts/trial", tried)
        trial = rest.call("POST", "/paceline/v1/policy/drafts/trial/commit", {"confirmWithinSeconds": 10})
        heard.send_signal(signal.SIGUSR1)
        onos.kill()
        killed = datetime.now(UTC)
        seen = [rates()]
        # What operators told it ONOS has stored; which rules switches hold it learns from them.
        onos.up("--keep-rules")
        policy = eventually(lambda: (now := rest.get("/paceline/v1/policy"))["version"] == trial["version"] + 1 and now)
        assert (policy["actor"], policy["reason"]) == ("paceline", f"Back to version {trial['version'] - 1}.")
        assert datetime.fromisoformat(policy["at"]) > killed
        assert [rest.get(f"/paceline/v1/{what}") for what in ("intents", "reservations")] == told
        rest.call("DELETE", f"/paceline/v1/reservations/{promise}")
        took = [seconds_until(lambda: rest.state()["agents"] == 2)]
        for _ in range(30):
            seen.append(rates())
            time.sleep(0.2)
        network.wait_until_seen(rest)
        took.append(seconds_until(lambda: not unsettled()))
        time.sleep(3)
        seen.append(rates())
        # A plan that was made in haste is followed by the full one.
        changed = eventually(lambda: (found := differing()) is not None and [found])[0]
        eventually(lambda: all(len(each) == len(set(each)) for each in map(matches, range(1, 10))))
        eventually(lambda: ports_are_metered(network, *network.topology.numbers()))
    finally:
        network.harvest(said)
        arrived = network.harvest(heard)
    with capsys.disabled():
        lost = sum(one["lost"] for one in arrived.values())
        print(f"\nkilled: agents back after {took[0]:.1f} s, grants as installed {took[1]:.1f} s after the network is known;",
              f"of {len(before)} classes, changed in each sample:", [len(set(each) - set(before)) for each in seen],
              "grants that changed", changed, f"{lost} packets lost of", sum(one["received"] for one in arrived.values()), end="")  # fmt: skip
