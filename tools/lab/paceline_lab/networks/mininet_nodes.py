"""What `paceline_mininet.py` gives to mininet: a controller, hosts with agents, switches, and a command for ONOS's shell.

They are mininet's own kinds of nodes, so that a network can also be built of them in Python:

    net = Mininet(topo=TreeTopo(2), controller=PacelineController, host=PacelineHost, switch=PacelineSwitch)

A host's agent is started with the controller, at which it enrols.
"""

from __future__ import annotations

import atexit
import functools
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from mininet.cli import CLI
from mininet.log import info
from mininet.net import Mininet
from mininet.node import Controller, Host, Node, OVSSwitch

from ..checkout import ONOSCTL, ROOT, app_archive
from ..machine.ledger import CONTROL_NICE, Ledger, namespace_of, run
from . import agents, ovs
from .cables import management_link, plain_frames
from .controller import Controller as Rest
from .own_ovs import wait_until_true
from .shell import SSH

FOLDER = Path("/run/paceline-mininet")
ONOS_RUN = Path(os.environ.get("PACELINE_RUN", ROOT / ".run")).absolute() / "mininet"
PASSWORD = ROOT / "tools/onos/password"
# Named is what is commonly tried in mininet; whatever else is sent is managed, too, under the intent of the tree's root.
RULES = """\
rules:
  - intent: file-download/emailattach
    match: {protocol: tcp, remotePort: "5001, 5201"}
  - intent: voip/g729.1
    match: {protocol: udp, remotePort: 5004}
  - intent: remote-terminal/sshadmin
    match: {protocol: tcp, localPort: 22}
  - intent: web-browsing/science_lab
    match: {protocol: tcp, localPort: "80, 443, 8000-8080"}
"""
# It would raise limits of the whole machine for good; nothing here needs that.
Mininet.inited = True
# mininet starts hosts before the controller, and does not tell one of the others.
waiting: list["PacelineHost"] = []
switches: list["PacelineSwitch"] = []


@functools.cache
def ledger() -> Ledger:
    """What this run makes outside mininet's own; undone at the end, or by the next run."""
    made = Ledger.open(FOLDER)
    atexit.register(made.undo)
    return made


def clean_up() -> None:
    ledger().undo()


class PacelineSwitch(OVSSwitch):
    """An Open vSwitch that speaks OpenFlow 1.3, in the kernel where its module is there, else in user space."""

    def __init__(self, name: str, datapath: str | None = None, protocols: str = "OpenFlow13", **params: Any):
        super().__init__(name, datapath=datapath or ("kernel" if has_kernel_module() else "user"), protocols=protocols, **params)
        ledger().note("bridges", name)
        switches.append(self)

    @classmethod
    def setup(cls) -> None:
        """Where Open vSwitch does not run, it does for the time of this run."""
        ovs.ensure(ledger())
        super().setup()

    def attach_plainly(self) -> None:
        """User space has to see the frames that a wire would carry."""
        for interface in self.intfList():
            if interface.name != "lo":
                ledger().note("links", interface.name)
                plain_frames([], interface.name)

    def links_away(self) -> dict[str, Any]:
        """What ONOS cannot see of the links to other switches: rate and delay that mininet makes (`--link tc,bw=10`)."""
        found = {}
        for near in self.intfList():
            told = link_settings(near.params)
            if not (near.link and told):
                continue
            far = near.link.intf2 if near.link.intf1 is near else near.link.intf1
            if isinstance(far.node, PacelineSwitch):
                found[f"{end_of(near)}-{end_of(far)}"] = {"paceline": told}
        return found


def end_of(interface: Any) -> str:
    return f"of:{interface.node.dpid}/{interface.node.ports[interface]}"


def link_settings(mininets: dict[str, Any]) -> dict[str, Any]:
    """mininet has Mbit/s, and delays as tc takes them."""
    told: dict[str, Any] = {}
    if rate := mininets.get("bw"):
        told["capacityKbps"] = round(rate * 1000)
    if delay := re.fullmatch(r"(\d+(?:\.\d+)?)(us|ms|s)?", str(mininets.get("delay", ""))):
        told["delayMs"] = float(delay[1]) * {"ms": 1, "s": 1000}.get(delay[2], 0.001)
    return told


def has_kernel_module() -> bool:
    if not Path("/sys/module/openvswitch").exists():
        subprocess.run(["modprobe", "--quiet", "openvswitch"], check=False, capture_output=True)
    return Path("/sys/module/openvswitch").exists()


class PacelineController(Controller):
    """ONOS with Paceline on this machine: whoever started it, or one of its own until the network stops."""

    def checkListening(self) -> None:
        """One that runs is welcome."""

    def start(self) -> None:
        self.rest = Rest()
        if not answers(self.rest):
            self.start_onos()
        self.forget_earlier_hosts()
        for switch in switches:
            switch.attach_plainly()
        if links := {name: one for switch in switches for name, one in switch.links_away().items()}:
            self.rest.configure({"links": links})
        for number, host in enumerate(waiting, 1):
            host.start_agent(number, self.rest)
        wait_until_true(self.sees_agents, "the agents' attachment to the controller", 60, every_s=0.5)

    def start_onos(self) -> None:
        info("(starts ONOS, half a minute) ")
        onosctl = [sys.executable, str(ONOSCTL)]
        ends = ["down", f"--run-dir={ONOS_RUN}", "--forget"]
        ledger().note("undo", [*onosctl, *ends])
        began = subprocess.run(
            [*onosctl, "up", f"--run-dir={ONOS_RUN}", "--fresh", "--app", str(app_archive())],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True,
        )  # fmt: skip
        if began.returncode != 0:
            raise ovs.Missing(f"ONOS does not start: {began.stderr.strip()[-600:]}")

    def forget_earlier_hosts(self) -> None:
        """Those of another run at these switches, of which mininet's next hosts have the addresses but not the MACs."""
        ours = {f"of:{switch.dpid}" for switch in switches}
        for host in self.rest.get("/v1/hosts")["hosts"]:
            if ours & {place["elementId"] for place in host["locations"]}:
                self.rest.call("DELETE", f"/v1/hosts/{host['id']}")

    def sees_agents(self) -> bool:
        attached = {one["host"] for one in self.rest.get("/paceline/v1/agents")["agents"]}
        return all(host.agent_lives() and host.name in attached for host in waiting)

    def stop(self, *words: Any, **more: Any) -> None:
        """Agents first: one that ends takes its pacing along."""
        made = ledger()
        made.end([tuple(one) for one in made.content["processes"]], polite_s=10)
        for undo in made.content["undo"]:
            run(*undo, timeout=120)
        made.content["undo"] = []
        waiting.clear()
        switches.clear()
        Node.stop(self, *words, **more)


def answers(rest: Rest) -> bool:
    try:
        return "mode" in rest.state()
    except RuntimeError:
        return False


class PacelineHost(Host):
    """A host with Paceline's agent; `--host paceline,rules=FILE` names intents by rules of your own."""

    def __init__(self, name: str, rules: str | None = None, **params: Any):
        super().__init__(name, **params)
        self.rules = Path(rules).read_text() if rules else RULES
        self.agent: subprocess.Popen[Any] | None = None
        ledger().note("namespaces", namespace_of(self.pid))
        waiting.append(self)

    def start_agent(self, number: int, rest: Rest) -> None:
        folder = ledger().folder
        for interface in self.intfNames():
            plain_frames(self.inside(), interface)
            # The agent paces in place of what `--link tc` has put there.
            run(*self.inside("tc", "qdisc", "delete", "dev", interface, "root"), check=False)
        self.connect_to_controller(number)
        (folder / f"rules-{self.name}.yaml").write_text(self.rules)
        config = folder / f"agent-{self.name}.yaml"
        interfaces = [name for name in self.intfNames() if name != "lo"]
        enrolled = agents.enrolled(rest, self.name, f"172.29.{number}.1", folder / f"enrolled-{self.name}", self.inside())
        config.write_text(f"{enrolled}interfaces: [{', '.join(interfaces)}]\nrules: rules-{self.name}.yaml\n")
        with open(folder / f"agent-{self.name}.log", "wb") as log:
            self.agent = subprocess.Popen(
                self.inside(*agents.command(config)),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        ledger().note_process(self.agent.pid, CONTROL_NICE)

    def connect_to_controller(self, number: int) -> None:
        outer = f"m-{self.name}"
        ledger().note("links", outer)
        management_link([], outer, self.inside(), str(self.pid), f"172.29.{number}.1")

    def inside(self, *words: str) -> list[str]:
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", "--", *words]

    def agent_lives(self) -> bool:
        if self.agent and self.agent.poll() is not None:
            log = (ledger().folder / f"agent-{self.name}.log").read_text(errors="replace").strip()
            raise ovs.Missing(f"the agent on {self.name} ended (code {self.agent.returncode}): {log[-600:]}")
        return self.agent is not None


class PacelineCLI(CLI):
    def do_paceline(self, line: str) -> None:
        """ONOS's shell. Usage: paceline conversations, or any other of its commands; without one, the shell itself."""
        words = [f"paceline:{line}"] if line.strip() else []
        subprocess.run([*SSH, "onos@127.0.0.1", *words], env={**os.environ, "SSH_ASKPASS": str(PASSWORD), "SSH_ASKPASS_REQUIRE": "force"},
                       check=False, stdin=subprocess.DEVNULL if words else None)  # fmt: skip
