"""
All runs, one after the other, in the other kernel. `inside.py PLAN RESULTS` reads what is asked (JSON) and appends a line for each run.

    server --- router === wire --- client with three addresses

The queue before the link is the router's, by the kernel, and the wire only delays; or it is the wire's, and the router has none.
Everything else is the same. The router is one on purpose: from there on a packet is no longer its sender's, which would otherwise feel
the queue by its socket buffer and not by what is dropped.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TRAFFIC = str(Path(__file__).with_name("traffic.py"))
SERVER, AT_SERVER, AT_CLIENT = "10.7.0.1", "10.7.0.254", "10.8.0.254"
ONE, FOUR, ASKING = "10.8.0.11", "10.8.0.12", "10.8.0.13"
DELAY_MS = 10.0
PING_EVERY_S = 0.05
# So long the kernel may send at the link's full speed what it could not before, since this kernel is not always asked in time.
BURST_S = 0.01
KERNEL, WIRE = "kernel", "wire"
PINGED = re.compile(r"time=([\d.]+) ms")


def sh(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"`{' '.join(words)}` failed: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def inside(namespace: str) -> list[str]:
    return ["ip", "netns", "exec", namespace]


def build() -> None:
    for namespace in ("server", "router", "link", "client"):
        sh("ip", "netns", "add", namespace)
        sh("ip", "-n", namespace, "link", "set", "lo", "up")
    cable("server", "s0", "router", "r0")
    cable("router", "r1", "link", "la")
    cable("link", "lb", "client", "c0")
    address("server", "s0", SERVER)
    address("router", "r0", AT_SERVER)
    address("router", "r1", AT_CLIENT)
    for one in (ONE, FOUR, ASKING):
        address("client", "c0", one)
    sh("ip", "-n", "server", "route", "add", "default", "via", AT_SERVER)
    sh("ip", "-n", "client", "route", "add", "default", "via", AT_CLIENT)
    sh(*inside("router"), "sysctl", "-qw", "net.ipv4.ip_forward=1")
    for namespace in ("server", "client"):
        # What one run has learnt of a destination is not the next one's to use.
        sh(*inside(namespace), "sysctl", "-qw", "net.ipv4.tcp_no_metrics_save=1")


def cable(near_in: str, near: str, far_in: str, far: str) -> None:
    sh("ip", "-n", near_in, "link", "add", near, "type", "veth", "peer", "name", far, "netns", far_in)
    for namespace, end in ((near_in, near), (far_in, far)):
        # The frames of a real link, with their checksums.
        sh(*inside(namespace), "ethtool", "-K", end, "tx", "off", "rx", "off", "tso", "off", "gso", "off", "gro", "off")
        sh("ip", "-n", namespace, "link", "set", end, "up")


def address(namespace: str, interface: str, one: str) -> None:
    sh("ip", "-n", namespace, "address", "add", f"{one}/24", "dev", interface)


def begin_kernel(queue: str, rate: int) -> None:
    """With the wire's parameters, as far as the kernel lets them be chosen."""
    tc = [*inside("router"), "tc"]
    if queue == "per-user":
        sh(*tc, "qdisc", "add", "dev", "r1", "root", "handle", "2:", "cake", "bandwidth", f"{rate}bit", "besteffort", "dual-dsthost", "raw")
        return
    burst = str(round(rate / 8 * BURST_S))
    sh(*tc, "qdisc", "add", "dev", "r1", "root", "handle", "1:", "htb", "default", "1")
    shaped = ["rate", f"{rate}bit", "ceil", f"{rate}bit", "burst", burst, "cburst", burst, "quantum", "1514"]
    sh(*tc, "class", "add", "dev", "r1", "parent", "1:", "classid", "1:1", "htb", *shaped)
    codel = ["target", "5ms", "interval", "100ms", "flows", "1024", "quantum", "1514", "limit", "10240", "noecn"]
    sh(*tc, "qdisc", "add", "dev", "r1", "parent", "1:1", "handle", "2:", "fq_codel", *codel)


def end_kernel() -> None:
    sh(*inside("router"), "tc", "qdisc", "del", "dev", "r1", "root")


def kernel_counters() -> tuple[int, int, int]:
    """Sent, dropped and marked packets."""
    found = json.loads(sh(*inside("router"), "tc", "-s", "-j", "qdisc", "show", "dev", "r1"))
    queue = next(one for one in found if one["handle"] == "2:")
    marked = queue.get("ecn_mark", 0) + sum(tin.get("ecn_mark", 0) for tin in queue.get("tins", []))
    return queue["packets"], queue["drops"], marked


def wire_counters(stats: Path, after: float) -> tuple[int, int, int]:
    """Those of the first line after a moment: one comes a second. The wire marks nothing."""
    for _ in range(100):
        for line in stats.read_text().splitlines():
            if line.endswith("}") and (said := json.loads(line))["monotonic"] >= after:
                return said["forward"]["forwardedPackets"], said["forward"]["droppedPackets"], 0
        time.sleep(0.1)
    raise RuntimeError("the wire has said nothing for 10 s")


def one_run(plan: dict[str, Any], queue: str, where: str, folder: Path) -> dict[str, Any]:
    rate = plan["rate"]
    stats = folder / "wire.json"
    stats.unlink(missing_ok=True)
    link = ["--rate", str(rate), "--queue", queue] if where == WIRE else ["--rate", "0"]
    words = [*inside("link"), plan["wire"], "--a", "la", "--b", "lb", "--delay-us", str(DELAY_MS * 1000), *link, "--rate-back", "0", "--stats", str(stats)]
    running: list[subprocess.Popen[str]] = []

    def start(*words: str) -> subprocess.Popen[str]:
        running.append(subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
        return running[-1]

    if where == KERNEL:
        begin_kernel(queue, rate)
    try:
        start(*words)
        while not stats.exists():
            time.sleep(0.05)
        server = start(*inside("server"), sys.executable, TRAFFIC, "serve")
        assert server.stdout and server.stdout.readline() == "listening\n"
        user = start(*inside("client"), sys.executable, TRAFFIC, "use", SERVER, ONE, FOUR, ASKING, str(plan["warmUpS"]), str(plan["seconds"]))
        assert user.stdout and user.stdout.readline() == "measuring\n"
        counters = kernel_counters if where == KERNEL else lambda: wire_counters(stats, time.monotonic())
        before = counters()
        count = str(round((plan["seconds"] - 1) / PING_EVERY_S))
        ping = start(*inside("client"), "ping", "-n", "-i", str(PING_EVERY_S), "-c", count, "-I", ASKING, SERVER)
        # The user ends after this; a wire's line comes within a second.
        said = ""
        while not said.startswith("{"):
            said = user.stdout.readline()
            if not said:
                raise RuntimeError("the users' program ended early")
        after = counters()
        used = json.loads(said)
        pinged, _ = ping.communicate(timeout=60)
        server.send_signal(signal.SIGTERM)
        served, _ = server.communicate(timeout=60)
        trips = [ms for at, ms in json.loads(served.splitlines()[-1])["roundTrips"] if used["began"] <= at <= used["ended"]]
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        if where == KERNEL:
            end_kernel()
    sent, dropped, marked = (late - early for late, early in zip(after, before))
    last = json.loads(stats.read_text().splitlines()[-1])["forward"]
    return {
        "seconds": used["ended"] - used["began"], "bytes": used["bytes"], "requestMs": used["requestMs"], "pingMs": [float(ms) for ms in PINGED.findall(pinged)],
        "roundTripMs": trips, "sentPackets": sent, "droppedPackets": dropped, "markedPackets": marked, "wireLatenessMaxUs": last["latenessMaxUs"],
        "wireLatenessMeanUs": last["latenessMeanUs"],
    }  # fmt: skip


def main(plan_file: str, results: str) -> None:
    plan = json.loads(Path(plan_file).read_text())

    def say(**what: Any) -> None:
        # Closed at once: only then the other side of this file system has it.
        with open(results, "a") as out:
            print(json.dumps(what), file=out)

    folder = Path(results).parent
    build()
    for repeat in range(plan["repeats"]):
        for queue in plan["queues"]:
            # Who begins changes with each repeat, so that what else this machine does falls on both.
            for where in (KERNEL, WIRE) if repeat % 2 == 0 else (WIRE, KERNEL):
                say(begins=[queue, where, repeat])
                say(queue=queue, where=where, repeat=repeat, **one_run(plan, queue, where, folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
