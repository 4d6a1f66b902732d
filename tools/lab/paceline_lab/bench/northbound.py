"""How long REST's answers take on a real ONOS with thousands of conversations: what-if, and reads beside a running plan; and
how long its plans take while a viewer floods it with questions.

The conversations are announced over REST, in the mode shadow: as many meters no switch has, and none is made there. They
talk between hosts that are really there, all over a ring of switches, so that the solver has a choice of ways.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..checkout import LAB
from ..machine.processes import reap
from ..networks.controller import COMPONENT
from ..networks.emulated_network import running_network
from ..networks.own_ovs import wait_until_true
from ..networks.space import Onos, entered, inside, running_onos
from ..networks.topology import Host, Link, Topology
from ..options import NorthboundOptions
from ..terminal import Terminal
from .flooded import Compared, rows
from .questions import CONNECTIONS, Question, questions

SWITCHES = 6
HOSTS = 12
CLIENTS = 16
# In the order of the catalogue's own weight in an office: most browse.
INTENTS = ("web-browsing", "web-browsing", "file-download", "voip", "video-streaming")
READS = ("state", "conversations?limit=100", "conversations/announced/{id}", "conversations?intent=voip&limit=100", "alarms", "policy", "intents", "links")
CHANGES_A_SECOND = 5
WHAT_IFS = 5
WARM_UP_S = 20.0
TARGET_WHAT_IF_S, TARGET_READ_MS = 2.0, 20.0
# Of a planner whom nobody floods, at 99 %.
TARGET_PLANNED = 1.1
# Longer than what a user's questions may take of a processor at once.
USES_UP_S = 30.0
NEWCOMERS_A_SECOND, ROUND_S = 8, 10.0
VIEWER, PASSWORD = "vera", "secret"
VIEWER_NICE = 19
# As it is set where nobody says otherwise; before, the announcements are more.
REQUESTS_A_SECOND = "100"

RING = Topology(
    SWITCHES,
    tuple(Link(one, one % SWITCHES + 1, 2, 1000) for one in range(1, SWITCHES + 1)),
    tuple(Host(f"n{one}", one, (one - 1) % SWITCHES + 1) for one in range(1, HOSTS + 1)),
)


@dataclass(frozen=True)
class Answer:
    status: int
    seconds: float
    body: bytes


class Client:
    """One connection that is kept, as programs keep theirs."""

    def __init__(self, onos: Onos, authorization: str = ""):
        self.headers = {"Authorization": authorization or onos.rest.authorization, "Accept": "application/json"}
        with entered(onos.space.namespace):
            self.line = http.client.HTTPConnection("127.0.0.1", 8181, timeout=120)
            self.line.connect()

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """`body`: of JSON, or its bytes."""
        begun = time.monotonic()
        data = body if body is None or isinstance(body, bytes) else json.dumps(body)
        kind = {} if body is None else {"Content-Type": "application/json"}
        self.line.request(method, f"/onos/paceline/v1/{path}", data, {**self.headers, **kind, **headers})
        answer = self.line.getresponse()
        text = answer.read()
        return Answer(answer.status, time.monotonic() - begun, text)

    def close(self) -> None:
        self.line.close()


def run(options: NorthboundOptions) -> int:
    terminal = Terminal()
    options.out.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(prefix="paceline-northbound-"))
    terminal.step("starting ONOS")
    try:
        with running_onos("plnbench", home / "onos", f"--heap={options.heap}") as onos:
            try:
                terminal.step("building the network")
                with running_network(onos, RING):
                    result = measure(onos, options, terminal)
            except BaseException:
                print("".join(line for line in onos.log().splitlines(True) if "paceline" in line or "ERROR" in line)[-4000:])
                raise
    finally:
        shutil.rmtree(home, ignore_errors=True)
    (options.out / "northbound.json").write_text(json.dumps(result, indent=1) + "\n")
    print(table(result), flush=True)
    return 0


def measure(onos: Onos, options: NorthboundOptions, terminal: Terminal) -> dict[str, Any]:
    onos.rest.call("POST", f"/v1/configuration/{COMPONENT}", {"mode": "shadow", "requestsPerSecond": "0"})
    wait_until_true(lambda: onos.rest.state()["mode"] == "shadow", "the mode", 30, every_s=0.5)
    terminal.step(f"announcing {options.conversations} conversations")
    announced = announce(onos, options.conversations, terminal)
    # Not before: the web server closes a line on which nothing is said for long.
    client = Client(onos)
    try:
        terminal.step("waiting for a plan for all of them")
        planned = await_plan(client, options.conversations, terminal)
        terminal.step(f"{WHAT_IFS} what-ifs, nobody else there")
        quiet = what_ifs(client)
        terminal.step(f"{WHAT_IFS} explanations, which each ask the solver, too")
        explanations = [must(client.send("GET", f"explain/announced/c{number}"), 200).seconds for number in range(WHAT_IFS)]
        terminal.step(f"reading {options.rate:g} times a second for {options.seconds:g} s beside a running plan")
        reads = read(onos, options, terminal)
        return {
            **flooding(onos, options, terminal),
            "conversations": options.conversations,
            "heap": options.heap,
            "announceSeconds": announced,
            "plan": planned,
            "whatIf": quiet,
            "explainSeconds": explanations,
            "reads": reads,
        }
    finally:
        client.close()


def body(number: int) -> dict[str, Any]:
    """Each between two hosts at different switches; which, only the number says."""
    pick = random.Random(number)
    sender, receiver = pick.sample(RING.hosts, 2)
    while sender.switch == receiver.switch:
        sender, receiver = pick.sample(RING.hosts, 2)
    return {
        "id": f"c{number}", "intent": INTENTS[number % len(INTENTS)], "localAddress": sender.address,
        "remoteAddress": receiver.address, "protocol": "udp", "localPort": 1024 + number % 60000, "remotePort": 5000,
    }  # fmt: skip


def announce(onos: Onos, many: int, terminal: Terminal) -> float:
    begun = time.monotonic()

    def part(first: int) -> None:
        client = Client(onos)
        try:
            for number in range(first, many, 4):
                must(client.send("POST", "conversations", body(number)), 201)
                if first == 0:
                    terminal.progress(f"{number} of {many} after {time.monotonic() - begun:.0f} s")
        finally:
            client.close()

    with ThreadPoolExecutor(4) as clients:
        list(clients.map(part, range(4)))
    return time.monotonic() - begun


def await_plan(client: Client, many: int, terminal: Terminal) -> dict[str, Any]:
    def state() -> dict[str, Any]:
        return json.loads(must(client.send("GET", "state"), 200).body)

    def all_planned() -> bool:
        now = state()
        terminal.progress(f"{now['granted']} granted and {now['unserved']} not served of {many}, plan {now['planVersion']}")
        return bool(now["granted"] + now["unserved"] == many)

    wait_until_true(all_planned, "a plan for all", 300, every_s=0.5)
    found = state()
    return {**{name: found[name] for name in ("granted", "unserved")}, **found["solver"]}


def what_ifs(client: Client) -> dict[str, Any]:
    """As a ticket asks: another least rate of one class. Then the same once without waiting for it."""
    tree = json.loads(must(client.send("GET", "intents"), 200).body)
    answers = []
    for number in range(WHAT_IFS):
        answers.append(must(client.send("POST", "whatif", with_least(tree, 50 + 10 * number)), 200))
    begun = time.monotonic()
    started = must(client.send("POST", "whatif", with_least(tree, 45), Prefer="respond-async"), 202)
    operation = json.loads(started.body)["id"]
    found = {"state": "running"}
    while found["state"] == "running":
        time.sleep(0.02)
        found = json.loads(must(client.send("GET", f"operations/{operation}"), 200).body)
    last = json.loads(answers[-1].body)
    return {
        "seconds": [one.seconds for one in answers],
        "greatestBytes": max(len(one.body) for one in answers),
        "effects": len(last["effects"]),
        "asyncAcceptedSeconds": started.seconds,
        "asyncSeconds": time.monotonic() - begun,
        "asyncState": found["state"],
    }


def with_least(tree: dict[str, Any], kbps: int) -> dict[str, Any]:
    changed = json.loads(json.dumps(tree))
    for node in changed["intents"]:
        if node.get("class") == "voip" and "intent" not in node:
            node["minimumRateKbps"] = kbps
    return changed


def read(onos: Onos, options: NorthboundOptions, terminal: Terminal) -> dict[str, Any]:
    """Requests begin when their time has come, however long the one before takes; the first are not measured, as Java
    compiles what runs often."""
    stop = threading.Event()
    changes = [0]
    changer = threading.Thread(target=change, args=(onos, options.conversations, stop, changes))
    lines = threading.local()
    clients: list[Client] = []
    unmeasured, many = round(options.rate * WARM_UP_S), round(options.rate * options.seconds)
    latencies: dict[str, list[float]] = {path: [] for path in READS}

    def one(number: int, due: float) -> None:
        if not hasattr(lines, "client"):
            lines.client = Client(onos)
            clients.append(lines.client)
        kind = READS[number % len(READS)]
        path = kind.format(id=f"c{number * 7 % options.conversations}")
        must(lines.client.send("GET", path), 200)
        if number >= unmeasured:
            latencies[kind].append((time.monotonic() - due) * 1000)

    changer.start()
    try:
        with ThreadPoolExecutor(CLIENTS) as pool:
            begun = time.monotonic()
            sent = []
            for number in range(unmeasured + many):
                due = begun + number / options.rate
                time.sleep(max(0.0, due - time.monotonic()))
                terminal.progress(f"{number} of {unmeasured + many} requests, {changes[0]} changes")
                if number == unmeasured:
                    changes_before, plan_before = changes[0], onos.rest.state()["planVersion"]
                sent.append(pool.submit(one, number, due))
            for each in sent:
                each.result()
    finally:
        stop.set()
        changer.join()
        for client in clients:
            client.close()
    everything = sorted(value for values in latencies.values() for value in values)
    return {
        "requests": many,
        "ratePerSecond": options.rate,
        "changes": changes[0] - changes_before,
        "planVersions": onos.rest.state()["planVersion"] - plan_before,
        "all": summary(everything),
        "byPath": {path: summary(sorted(values)) for path, values in latencies.items()},
    }


def change(onos: Onos, many: int, stop: threading.Event, changes: list[int]) -> None:
    """One comes or goes a few times a second, so that there is always a plan to be made."""
    client = Client(onos)
    try:
        while not stop.wait(1 / CHANGES_A_SECOND):
            number = many + changes[0] // 2
            if changes[0] % 2 == 0:
                must(client.send("POST", "conversations", body(number)), 201)
            else:
                # Known to the planner's thread only after what that does at the moment.
                wait_until_true(lambda: client.send("DELETE", f"conversations/announced/c{number}").status == 204, "the arrival", 60, every_s=0.05)
            changes[0] += 1
    finally:
        client.close()


def flooding(onos: Onos, options: NorthboundOptions, terminal: Terminal) -> dict[str, Any]:
    """
    From a newcomer's announcement to its plan, by the controller's clock, in rounds without and with a viewer who floods. What the
    planner says of its own duration is the solver's part only: it leaves out how long a plan waits for the one before, for its thread and
    for a processor.
    """
    rounds = round(options.flood_s / ROUND_S / 2)
    if not rounds:
        return {}
    onos.rest.call("POST", f"/v1/configuration/{COMPONENT}", {"requestsPerSecond": REQUESTS_A_SECOND})
    with open(onos.run_directory / "karaf/etc/users.properties", "a") as users:
        users.write(f"{VIEWER} = {PASSWORD},viewer\n")
    login = "Basic " + base64.b64encode(f"{VIEWER}:{PASSWORD}".encode()).decode()
    tree, conversation = with_least(onos.rest.get("/paceline/v1/intents"), 60), "announced/c0"
    asked = questions(tree, conversation)
    wait_until_true(lambda: all(statuses(onos, login, asked)), "the viewer's log-in", 60, every_s=0.5)
    newcomers, compared = Newcomers(onos, 2 * options.conversations), Compared()
    viewer = Viewer(onos, {"authorization": login, "tree": tree, "conversation": conversation}, options.out)
    try:
        terminal.step(f"the viewer uses up what its questions may take at once, {USES_UP_S:g} s")
        viewer.say("flood")
        time.sleep(USES_UP_S)
        viewer.say("rest")
        # The first of both is not measured, as Java compiles what runs often.
        for number in range(rounds + 1):
            terminal.step(f"newcomers for {ROUND_S:g} s, and as long beside a viewer who floods: {number} of {rounds} rounds")
            quiet = newcomers.come(ROUND_S)
            viewer.say("flood")
            try:
                flooded = newcomers.come(ROUND_S)
            finally:
                answers = viewer.say("rest")
            if number == 0:
                first = answers
            else:
                compared.quiet.append(quiet)
                compared.flooded.append(flooded)
    finally:
        newcomers.close()
        viewer.end()
    counted = {kind: {status: many - first.get(kind, {}).get(status, 0) for status, many in of.items()} for kind, of in answers.items()}
    why = "what the viewer asks takes processors, or locks, that the planner waits for; see answers"
    return {
        "flood": {"connections": CONNECTIONS, "answers": counted, **compared.to_json()},
        "claims": [compared.claim("plans beside a viewer who floods, 99 %", "p99", TARGET_PLANNED, why)],
    }


def statuses(onos: Onos, login: str, asked: Sequence[Question]) -> list[bool]:
    """Whether each of the questions is answered."""
    client = Client(onos, login)
    try:
        return [client.send(question.method, question.path, question.body).status == 200 for question in asked]
    finally:
        client.close()


class Viewer:
    """See `questions`. A process of its own, and after all others: a real one has a machine of its own."""

    def __init__(self, onos: Onos, settings: dict[str, Any], folder: Path):
        self.file = folder / "viewer.json"
        self.file.write_text(json.dumps(settings))
        words = inside(onos.space.namespace, sys.executable, "-m", "paceline_lab.bench.questions", str(self.file))
        env = {**os.environ, "PYTHONPATH": str(LAB)}
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True)
        onos.space.note_process(self.process.pid, VIEWER_NICE)

    def say(self, command: str) -> dict[str, dict[str, int]]:
        """How many answers there have been until then, by kind and status."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("the viewer who floods ended; see above why")
        return json.loads(answer)

    def end(self) -> None:
        self.process.terminate()
        reap(self.process)
        self.file.unlink()


class Newcomers:
    """Each is announced, awaited in a plan, and leaves."""

    def __init__(self, onos: Onos, first: int):
        self.onos = onos
        self.number = first
        self.lines = threading.local()
        self.clients: list[Client] = []

    def come(self, seconds: float) -> list[float]:
        """Milliseconds from each one's announcement to its first plan."""
        self.clients.clear()
        self.lines = threading.local()
        count = round(seconds * NEWCOMERS_A_SECOND)
        try:
            with ThreadPoolExecutor(4) as pool:
                begun = time.monotonic()
                sent = []
                for number in range(count):
                    time.sleep(max(0.0, begun + number / NEWCOMERS_A_SECOND - time.monotonic()))
                    sent.append(pool.submit(self.one, self.number + number))
                return [each.result() for each in sent]
        finally:
            self.number += count
            self.close()

    def one(self, number: int) -> float:
        if not hasattr(self.lines, "client"):
            self.lines.client = Client(self.onos)
            self.clients.append(self.lines.client)
        client = self.lines.client
        must(client.send("POST", "conversations", body(number)), 201)
        times: dict[str, float] = {}

        def planned() -> bool:
            answer = client.send("GET", f"conversations/announced/c{number}")
            if answer.status == 200:
                times.update(json.loads(answer.body)["timesMs"])
            return "planned" in times

        wait_until_true(planned, "the plan of a newcomer", 60, every_s=0.05)
        must(client.send("DELETE", f"conversations/announced/c{number}"), 204)
        return times["planned"] - times["firstSeen"]

    def close(self) -> None:
        for client in self.clients:
            client.close()


def summary(values: list[float]) -> dict[str, float]:
    at: Callable[[float], float] = lambda part: values[min(len(values) - 1, int(len(values) * part))]
    return {"p50Ms": at(0.5), "p95Ms": at(0.95), "p99Ms": at(0.99), "mostMs": values[-1]}


def must(answer: Answer, status: int) -> Answer:
    if answer.status != status:
        raise RuntimeError(f"the controller answers {answer.status} in the place of {status}: {answer.body[:400].decode(errors='replace')}")
    return answer


def table(result: dict[str, Any]) -> str:
    what_if, reads, plan = result["whatIf"], result["reads"], result["plan"]
    slowest = max(what_if["seconds"])
    lines = [
        f"{result['conversations']} conversations announced in {result['announceSeconds']:.1f} s; "
        f"plan: {plan['granted']} granted, {plan['unserved']} not served, solved in {plan['elapsedMs']:.0f} ms by {plan['method']}",
        f"what-if, {len(what_if['seconds'])} times   slowest {slowest:6.2f} s   at most {TARGET_WHAT_IF_S:g} s   ratio {slowest / TARGET_WHAT_IF_S:.2f}"
        f"   ({what_if['effects']} effects, {what_if['greatestBytes'] / 1e6:.1f} MB)",
        f"  without waiting   accepted {what_if['asyncAcceptedSeconds'] * 1000:.0f} ms   {what_if['asyncState']} after {what_if['asyncSeconds']:.2f} s",
        f"explain, {len(result['explainSeconds'])} times   slowest {max(result['explainSeconds']):6.2f} s",
        f"{reads['requests']} reads, {reads['ratePerSecond']:g} a second, beside {reads['changes']} changes and {reads['planVersions']} plans",
    ]
    for path, one in [("all", reads["all"]), *reads["byPath"].items()]:
        lines.append(
            f"  {path:32} p50 {one['p50Ms']:7.1f} ms   p95 {one['p95Ms']:7.1f} ms   p99 {one['p99Ms']:7.1f} ms   ratio {one['p95Ms'] / TARGET_READ_MS:.2f}"
        )
    if flood := result.get("flood"):
        lines += rows("from a newcomer's announcement to its plan, beside a viewer who floods", Compared(flood["msQuiet"], flood["msFlooded"]))
        for kind, answers in flood["answers"].items():
            lines.append(f"  {kind:24} answered " + ", ".join(f"{status}: {many}" for status, many in answers.items() if many))
    return "\n".join(lines)
