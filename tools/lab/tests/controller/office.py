"""What the tests of this folder do again and again: plain HTTP requests, and what must not change by a refused one."""

from __future__ import annotations

import json
import subprocess
import threading
import time
import urllib.error
import urllib.request
from typing import Any

from paceline_lab.networks.agents import command
from paceline_lab.networks.space import Onos, entered, inside

from switches.steps import eventually, steady

APPLICATIONS = "/v1/applications"
PACELINE = f"{APPLICATIONS}/org.paceline.app"
VOICE, FILES = 5004, 5080
# One conversation a socket, so that a port names it.
# The tests say themselves who talks.
RULES = "unmatched: ignore\nrules:\n" + "".join(
    f"  - intent: {intent}\n    match: {{protocol: udp, localPort: {port}}}\n    group: socket\n"
    for start, intent in ((VOICE, "voip/g729.1"), (FILES, "file-download/emailattach"))
    for port in (start, start + 1)
)


def ask(onos: Onos, method: str, path: str, body: Any = None, kind: str = "application/json", accept: str = "application/json") -> tuple[int, Any]:
    """The status and the answer of one request below /onos, whatever they are."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Authorization": onos.rest.authorization, "Accept": accept}
    if data is not None:
        headers["Content-Type"] = kind
    request = urllib.request.Request(onos.rest.base + path, method=method, data=data, headers=headers)
    with entered(onos.space.namespace):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, understood(answer.read())
        except urllib.error.HTTPError as refused:
            return refused.code, understood(refused.read())


def understood(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.decode(errors="replace")


def wanted(onos: Onos) -> dict[str, Any]:
    """What is desired and promised: a refused request changes nothing of it."""
    rest = onos.rest
    return {
        "intents": rest.get("/paceline/v1/intents"),
        "agents": sorted(one["host"] for one in rest.get("/paceline/v1/agents")["agents"]),
        "conversations": sorted((one["host"], one["id"], one["intent"]) for one in rest.conversations()),
        "grants": [
            (one["conversation"], one["rateKbps"], one["path"]) for one in rest.get("/paceline/v1/plan")["grants"]
        ],
        "capacities": [
            (one["from"], one["to"], one["capacityKbps"]) for one in rest.get("/paceline/v1/links")["links"]
        ],
        "configuration": rest.get("/v1/network/configuration/links"),
        "settings": rest.get("/v1/configuration/org.paceline.onos.PacelineComponent"),
    }


def alarms_but_drops(onos: Onos) -> list[dict[str, Any]]:
    """What ports drop while a busy machine pauses is an alarm, too, for half a minute, whatever a test does."""
    return [one for one in onos.rest.get("/paceline/v1/alarms")["alarms"] if one["kind"] != "drops"]


# By ONOS: what was wanted there when it last stood for a while.
_stood: dict[int, dict[str, Any]] = {}


def at_rest(onos: Onos) -> dict[str, Any]:
    """What is wanted, once nothing of it changes any more: the test before may have ended what the planner still takes out of the plan."""
    now = wanted(onos)
    if now != _stood.get(id(onos)):
        # Longer than the planner waits before it solves in full what it solved in haste.
        _stood[id(onos)] = now = steady(lambda: wanted(onos), 4.0)
    return now


def refused_agent(network: Any, folder: Any, host: str, host_id: str, rules: str, *options: str) -> subprocess.CompletedProcess:
    """An agent that ends by itself, since it is refused."""
    words = agent_words(network, folder, host, host_id, rules, *options)
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def waiting_agent(network: Any, folder: Any, host: str, host_id: str, rules: str, until: str) -> str:
    """What an agent says that waits until it may begin; it is stopped once it has said that."""
    words = agent_words(network, folder, host, host_id, rules)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as agent:
        deadline = threading.Timer(120, agent.kill)
        deadline.start()
        said = ""
        while until not in said and (line := agent.stdout.readline()):
            said += line
        deadline.cancel()
        agent.terminate()
        assert agent.wait(60) == 0, said
    return said


def agent_words(network: Any, folder: Any, host: str, host_id: str, rules: str, *options: str) -> list[str]:
    (folder / "rules.yaml").write_text(rules)
    (folder / "agent.yaml").write_text(network.agent_settings(host, host_id) + "rules: rules.yaml\n")
    return inside(network.namespace(host), *command(folder / "agent.yaml"), *options)


def passes_whole(network: Any, link: str, seconds: int) -> bool:
    """Whether a link drops nothing in most of so many seconds, by its own count. A pause of the machine makes it drop some in one of them; what nobody holds back makes it drop in each."""
    since = time.monotonic()
    drops = eventually(lambda: len(found := network.drops(link, since)) >= seconds and found)
    return drops.count(0) > len(drops) / 2


def is_untouched(network: Any, host: str) -> bool:
    """Nothing of an agent is on the host."""
    queues = network.host(host, "tc", "qdisc", "show")
    return "ace1" not in queues and "paceline" not in network.host(host, "nft", "list", "tables")


def rates(network: Any, host: str) -> dict[str, str]:
    """Each class's rate in the host's kernel; the newcomers' and the pool's are no conversation's."""
    found = {}
    for line in network.host(host, "tc", "class", "show", "dev", "eth0").splitlines():
        words = line.split()
        if words[:2] == ["class", "htb"] and not words[2].endswith((":fffe", ":fffd")):
            found[words[2]] = words[words.index("rate") + 1]
    return found


UNITS = {"bit": 1e-3, "Kbit": 1, "Mbit": 1e3, "Gbit": 1e6, "Tbit": 1e9}


def kbps(text: str) -> float:
    """As tc prints a rate."""
    unit = text.lstrip("0123456789.")
    return float(text[: -len(unit)]) * UNITS[unit]


def pool_kbps(network: Any, host: str) -> float:
    """What the host's conversations may send together while some of them borrow; 0 where nobody may."""
    for line in network.host(host, "tc", "class", "show", "dev", "eth0").splitlines():
        words = line.split()
        if words[:2] == ["class", "htb"] and words[2].endswith(":fffd"):
            rate = kbps(words[words.index("rate") + 1])
            return rate if rate < UNITS["Tbit"] else 0.0
    return 0.0


def may_send_kbps(network: Any, host: str) -> float:
    """The most that the host's kernel lets its conversations send together."""
    return max(pool_kbps(network, host), sum(map(kbps, rates(network, host).values())))
