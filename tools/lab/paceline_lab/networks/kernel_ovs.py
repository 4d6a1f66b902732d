"""Open vSwitch with the kernel's datapath, which honours set_queue, whatever this machine's kernel has: in a Linux in user mode.

The switches are in the other kernel and are set up from here, by OVSDB and OpenFlow over TCP. A host's interface is a
tap, whose other end is the other kernel's.
"""

from __future__ import annotations

import subprocess

from ..machine.ledger import SWITCH_NICE, run
from . import user_mode
from .cables import cable, plain_frames
from .emulated_network import EmulatedNetwork
from .own_ovs import wait_until_true
from .space import Space, inside
from .topology import Host, Topology

HERE, THERE = "172.30.0.1", "172.30.0.2"
OVSDB_PORT, OPENFLOW_PORT = 6641, 6660
BOOT_SECONDS, MEMORY_MB = 180, 500


class OpenVSwitchInUserMode:
    """Speaks to the daemons in the other kernel as `OwnOpenVSwitch` does to those of this one."""

    datapath = "system"

    def __init__(self, space: Space):
        self.space = space

    def vsctl(self, *words: str) -> str:
        return run(*inside(self.space.namespace, "ovs-vsctl", "--timeout=60", f"--db=tcp:{THERE}:{OVSDB_PORT}", *words))

    def ofctl(self, command: str, bridge: str, *words: str) -> str:
        target = f"tcp:{THERE}:{OPENFLOW_PORT + int(bridge[1:])}"
        return run(*inside(self.space.namespace, "ovs-ofctl", "-O", "OpenFlow13", command, target, *words))


class KernelSwitches(EmulatedNetwork):
    """Links between the switches are the other kernel's: as fast as a port's queues let them be."""

    controller = HERE

    def __init__(self, space: Space, topology: Topology):
        super().__init__(space, topology)
        self.ovs = OpenVSwitchInUserMode(space)  # type: ignore[assignment]
        self._interfaces = {f"h-{host.name}": f"vec{n}" for n, host in enumerate(topology.hosts, 1)}

    def open(self) -> "KernelSwitches":
        try:
            here = inside(self.space.namespace)
            cable(here, "k-here", here, "k-there", self.space.namespace)
            self.inside("ip", "address", "add", f"{HERE}/30", "dev", "k-here")
            for host in self.topology.hosts:
                self.inside("ip", "tuntap", "add", f"h-{host.name}", "mode", "tap")
            self._boot()
            for host in self.topology.hosts:
                self._add_host_itself(host)
            for switch in self.topology.numbers():
                self._add_switch(switch)
            for host in self.topology.hosts:
                self._add_port(host.switch, self._interfaces[f"h-{host.name}"], self.port(host.name))
            for link in self.topology.links:
                for near, far in ((link.a, link.b), (link.b, link.a)):
                    self._add_port(near, f"l{near}-{far}", self.port(link.name))
        except BaseException:
            self.close()
            raise
        return self

    def _plug_in(self, host: Host) -> None:
        """Its interface is the near end of the other kernel's, which keeps hold of it wherever it goes."""
        self.inside("ip", "link", "set", f"h-{host.name}", "netns", self.namespace(host.name), "name", "eth0")
        plain_frames(self.entering(host.name), "eth0")

    def _boot(self) -> None:
        cables = "".join(
            f"ip link add l{link.a}-{link.b} type veth peer name l{link.b}-{link.a}\n"
            f"for end in l{link.a}-{link.b} l{link.b}-{link.a}; do ip link set $end txqueuelen 100 up; done\n"
            for link in self.topology.links
        )
        (self.directory / "command").write_text(
            f"""export OVS_RUNDIR=$WORK OVS_LOGDIR=$WORK OVS_DBDIR=$WORK
ip address add {THERE}/30 dev vec0
for interface in vec0 {" ".join(self._interfaces.values())}; do ip link set $interface up; done
{cables}
ovsdb-tool create $WORK/conf.db /usr/share/openvswitch/vswitch.ovsschema
ovsdb-server $WORK/conf.db --remote=punix:$WORK/db.sock --remote=ptcp:{OVSDB_PORT} &
until [ -S $WORK/db.sock ]; do sleep 0.1; done
ovs-vsctl --db=unix:$WORK/db.sock --no-wait init
# In the first 10 s of a machine it finds no processor, and starts no thread for packets without a flow.
until [ "$(cut -d. -f1 /proc/uptime)" -ge 10 ]; do sleep 0.1; done
ovs-vswitchd unix:$WORK/db.sock &
until [ -e $WORK/stop ]; do sleep 0.2; done
"""
        )
        devices = ["vec0:transport=raw,ifname=k-there,depth=64"]
        devices += [f"{vec}:transport=tap,ifname={near},depth=64" for near, vec in self._interfaces.items()]
        words = user_mode.words(self.directory, MEMORY_MB, *devices)
        said = self.directory / "uml.out"
        with open(said, "wb") as log:
            self.popen(
                *words, nice=SWITCH_NICE, stdout=log, stderr=subprocess.STDOUT,
                env=user_mode.environment(self.directory),
            )  # fmt: skip
        wait_until_true(lambda: bool(self.vsctl("show")), "Open vSwitch in user mode", BOOT_SECONDS, log=said)

    def connect(self, *switches: int) -> None:
        for switch in switches or self.topology.numbers():
            self.vsctl("set-controller", f"s{switch}", f"tcp:{self.controller}:{self.openflow_port}", f"ptcp:{OPENFLOW_PORT + switch}")

    def queues(self, near: int, far: int, kbit: int, managed_share: float = 0.9) -> None:
        """Two queues at a port: 0 for everybody, 1 for who is managed, which comes first."""
        managed = round(kbit * managed_share) * 1000
        self.vsctl(
            "set", "port", f"l{near}-{far}", "qos=@both", "--", "--id=@both", "create", "qos", "type=linux-htb",
            f"other-config:max-rate={kbit * 1000}", "queues:0=@rest", "queues:1=@managed",
            "--", "--id=@rest", "create", "queue", f"other-config:min-rate={kbit * 1000 - managed}", "other-config:priority=1",
            "--", "--id=@managed", "create", "queue", f"other-config:min-rate={managed}", "other-config:priority=0",
        )  # fmt: skip

    def close(self) -> None:
        (self.directory / "stop").touch()
        super().close()
        run(*inside(self.space.namespace, "ip", "link", "delete", "k-here"), check=False)
