"""Nobody is held back while a link is idle: one stream has what nobody was granted, whatever its utility function says, and gives way to who comes."""

from __future__ import annotations

import pytest
from paceline_lab.networks.conversations import is_installed

from controller.office import FILES, may_send_kbps, passes_whole, pool_kbps
from controller.test_receivers import download
from switches.steps import conversations, eventually, settled

pytestmark = pytest.mark.e2e
MORE, OWN = FILES + 1, FILES + 2
# What is not named is managed under the root's intent.
RULES = f"rules:\n  - intent: file-download/emailattach\n    match: {{protocol: udp, localPort: {OWN}}}\n"
# By default plans divide 95 % of a link. A stream fills nearly all that it may.
NEARLY_ALL = 0.95 * 0.9


def test_one_stream_has_what_nobody_sends_of_a_link_and_gives_way_to_who_comes(onos, network, talking):
    capacity = network.links["1-2"].mbit * 1000
    running = []

    def stream():
        return next((one for one in onos.rest.conversations() if one["host"] == "a2" and one["localPort"] != OWN), {})

    def has_the_rest():
        """The stream, where it has what no grant takes."""
        others = sum(one["grant"]["rateKbps"] for one in onos.rest.conversations() if one["host"] != "a2" and "grant" in one)
        return (one := stream()).get("measured", {}).get("rateKbps", 0) > NEARLY_ALL * capacity - others and one

    def held():
        """All that may be sent over the link now, by what the hosts' kernels hold: read twice, for what one gives up between two looks another may have."""
        read = lambda: [may_send_kbps(network, host) for host in ("a1", "a2")]
        return sum(eventually(lambda: (once := read()) == read() and once))

    def loses_nothing(kbit):
        """Whether its host's kernel drops nothing of so much that the newcomer sends."""
        counted = lambda: conversations(onos.rest, talking)[OWN]["measured"]
        before = counted()
        eventually(lambda: counted()["sentBytes"] > before["sentBytes"] + kbit * 1000 / 8)
        return counted()["droppedPackets"] == before["droppedPackets"]

    try:
        running.append(network.agent("a2", RULES))
        eventually(lambda: "a2" in [one["host"] for one in onos.rest.get("/paceline/v1/agents")["agents"]])
        running += download(network, "a2", network.hosts["a2"].address)
        eventually(lambda: stream().get("state") == "granted" and is_installed(stream()))
        alone = eventually(has_the_rest)
        assert alone["grant"]["rateKbps"] < capacity / 2 < alone["borrowing"]["upToKbps"], "a table ends far below the link"
        assert alone["measured"]["rateKbps"] > alone["grant"]["rateKbps"] + capacity / 4
        before_others = pool_kbps(network, "a2")
        # Somebody of the same host comes: it has all that it sends, and the stream what is left.
        owner = network.probe("a2", "send", f"own:{OWN}:{talking}:{OWN}:200:1000")
        sent = 200 * (1000 + 42) * 8 / 1000
        eventually(lambda: conversations(onos.rest, talking).get(OWN, {}).get("measured", {}).get("rateKbps", 0) > 0.97 * sent)
        # A pause of the machine makes a burst of what is sent, once; whoever has too little loses some in each second.
        eventually(lambda: loses_nothing(2 * sent))
        eventually(lambda: (one := stream()) and "grant" in one and one["measured"].get("rateKbps", 0) > one["grant"]["rateKbps"] + capacity / 4)
        assert held() <= capacity
        network.harvest(owner)
        # Somebody of another host comes: its rate stands, and never may more be sent than the link carries.
        speaker = network.probe("a1", "send", f"more:{MORE}:{talking}:{MORE}:200:1000")
        sums = []
        eventually(lambda: sums.append(held()) or settled(onos.rest, talking, [MORE]))
        granted = conversations(onos.rest, talking)[MORE]["grant"]["rateKbps"]
        eventually(lambda: pool_kbps(network, "a2") <= before_others - 0.9 * granted)
        sums.append(held())
        assert max(sums) <= capacity
        network.harvest(speaker)
        # Gone again, and the stream has it again.
        eventually(has_the_rest)
        # What is beyond the link fills its queue within a second, and is dropped then.
        eventually(lambda: passes_whole(network, "1-2", 5))
    finally:
        for process in reversed(running):
            network.end(process)
        # Whose agent has ended keeps its share for a while; the tests after this one reckon with nobody else.
        eventually(lambda: {c["host"] for c in onos.rest.conversations()} == {"a1"}, 90)
