"""The proof of one conversation on a network with several ways: requested, computed, installed at each place and measured."""

from __future__ import annotations

import re
import signal
import time

import pytest
from paceline_lab.networks.conversations import lent_kbps
from paceline_lab.networks.shell import login, say

from switches.steps import announce, conversations, end, eventually, path, settled

pytestmark = pytest.mark.e2e
# UDP's, IP's and Ethernet's, which a rate is counted with.
HEADERS = 42
SECONDS = 3
# What each may have at most, whatever is free; then its rate is known.
MOST_KBPS = {"remote-terminal/sshadmin": 100, "voip/g729.1": 100, "file-download/emailattach": 5_000}
# Each sends more than twice that: packets a second, and their bytes.
DEMANDS = {"ssh": (5027, 150, 160), "voip": (5007, 150, 160), "bulk": (5086, 1500, 1000), "metered": (6700, 1500, 1000)}


def proofs(rest, address, ports):
    """In full, by the sender's port."""
    found = conversations(rest, address)
    return {port: rest.get(f"/paceline/v1/conversations/{found[port]['host']}/{found[port]['id']}") for port in ports}


def installed(proof):
    return {(e["kind"], int(e["at"][3:], 16) if e["at"].startswith("of:") else e["at"]): e for e in proof["elements"]}


def has(proof):
    return proof["grant"]["rateKbps"] + lent_kbps(proof)


def bound(rest, bounds):
    for intent, kbps in bounds.items():
        rest.call("PATCH", f"/paceline/v1/intents/{intent}", {"maximumRateKbps": kbps})


def is_proven(proof):
    """All is as wanted, and what is sent is what it may have."""
    granted = has(proof)
    measured = proof["measured"].get("rateKbps")
    enforced_here = proof["host"] == "announced" or measured and 0.95 * granted <= measured <= 1.05 * granted
    return enforced_here and proof["elements"] and all(e["standing"] == "as_wanted" for e in proof["elements"])


def test_every_conversation_gets_its_rate_and_its_proof_names_each_place_that_sees_to_it(onos, network, rest, tmp_path, capsys):
    address = network.hosts["d2"].address
    bound(rest, MOST_KBPS)
    ports = {name: port for name, (port, _, _) in DEMANDS.items()}
    said = [
        network.probe(host, "send", *(f"{n}:{p}:{address}:{p}:{rate}:{size}" for n, (p, rate, size) in DEMANDS.items() if (n == "metered") == (host == "d3")))
        for host in ("d1", "d3")
    ]
    heard = network.probe("d2", "receive", *map(str, ports.values()))
    announce(rest, "metered", network.hosts["d3"].address, address, ports["metered"], "file-download/emailattach")
    try:
        eventually(lambda: settled(rest, address, ports.values()))
        for port in ports.values():
            eventually(lambda port=port: is_proven(proofs(rest, address, [port])[port]))
        heard.send_signal(signal.SIGUSR1)
        began = time.monotonic()
        time.sleep(SECONDS)
        arrived = network.harvest(heard)
        seconds = time.monotonic() - began
        # At a moment at which nothing is just being read back.
        proven = eventually(lambda: all(map(is_proven, (now := proofs(rest, address, ports.values())).values())) and now)
        shown = lambda: say(onos.space.namespace, login(tmp_path), f"paceline:proof d1/{proven[ports['bulk']]['id']}")  # noqa: E731
        told = eventually(lambda: "All is as wanted." in (text := shown()) and text)
        why = say(onos.space.namespace, login(tmp_path), f"paceline:explain d1/{proven[ports['bulk']]['id']}")
        explained = rest.get(f"/paceline/v1/explain/d1/{proven[ports['bulk']]['id']}")
    finally:
        end(rest, "metered")
        bound(rest, dict.fromkeys(MOST_KBPS))
        for each in said:
            network.harvest(each)
    rates = {
        name: (has(proven[port]), arrived[str(port)]["received"] * (DEMANDS[name][2] + HEADERS) * 8 / 1000 / seconds)
        for name, port in ports.items()
    }
    with capsys.disabled():
        print("\ngranted and measured kbit/s", {name: (granted, round(got)) for name, (granted, got) in rates.items()}, end="")
    for name, (granted, got) in rates.items():
        # Its own counters say it to a twentieth, above. Whom nobody holds is received with twice that.
        assert 0.5 * granted <= got <= 1.5 * granted, name
    for name, port in ports.items():
        proof = proven[port]
        places = installed(proof)
        ways = path(proof["grant"])
        assert {at for kind, at in places if kind == "flow_rule"} == set(ways), name
        if name == "metered":
            kbps = int(proof["grant"]["rateKbps"])
            assert places["meter", ways[0]]["found"].endswith(f"{kbps} kbit/s, burst {kbps // 8} kbit")
        else:
            assert places["pacing_class", "d1"]["found"] == f"{int(has(proof))} kbit/s"
    assert proven[ports["bulk"]]["resolvedFrom"] and path(proven[ports["bulk"]]["grant"]) == [1, 3, 4]
    rows = {step: [line for line in told.splitlines() if line.startswith(step)] for step in ("requested", "computed", "installed", "measured")}
    assert len(rows["requested"]) == len(rows["computed"]) == len(rows["measured"]) == 1, told
    assert len(rows["installed"]) == len(proven[ports["bulk"]]["elements"]) and "All is as wanted." in told, told
    assert explained["intent"]["asked"] == "file-download/emailattach"
    assert [(link["from"], link["to"]) for link in explained["links"]] == list(
        zip(proven[ports["bulk"]]["grant"]["path"], proven[ports["bulk"]]["grant"]["path"][1:], strict=False)
    )
    assert re.search(r"^granted +5\D?000 kbit/s", why, re.M) and why.count("\nlink ") == len(explained["links"]), why
