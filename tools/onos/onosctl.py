#!/usr/bin/env python3
"""Builds, starts and stops a real ONOS on the loopback of this machine.

Exit codes: 0 done; 1 it cannot be done, and why; 2 wrong usage; 3 (status) not running or not ready; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
from pathlib import Path

from onos_runtime import assembly
from onos_runtime.archive import Archive
from onos_runtime.errors import OnosError
from onos_runtime.progress import Progress
from onos_runtime.runtime import Runtime
from onos_runtime.settings import Settings


def port(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text} is no port; give a number from 1 to 65535")
    return int(text)


def heap(text: str) -> str:
    if not re.fullmatch(r"[1-9]\d*[mg]", text):
        raise argparse.ArgumentTypeError(f"{text} is no heap size; give something like 1g or 768m")
    return text


def network_cfg(text: str) -> str:
    try:
        return json.dumps(json.loads(Path(text).read_text()))
    except (OSError, ValueError) as why:
        raise argparse.ArgumentTypeError(f"{text} is no network configuration: {why}") from why


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 86400:
        raise argparse.ArgumentTypeError(f"{text} is no time in seconds")
    return value


def parser() -> argparse.ArgumentParser:
    root = argparse.ArgumentParser(
        prog="onosctl.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = root.add_subparsers(dest="command", required=True, metavar="build|up|down|status")
    run = argparse.ArgumentParser(add_help=False)
    run.add_argument("--run-dir", type=Path, default=Path(os.environ.get("PACELINE_RUN", assembly.PROJECT / ".run")) / "onos",
                     help="where this ONOS lives while it runs (default: %(default)s)")
    run.add_argument("--rest-port", type=port, default=8181, help="REST and web pages (default: %(default)s)")
    run.add_argument("--ssh-port", type=port, default=8101, help="console (default: %(default)s)")
    run.add_argument("--openflow-port", type=port, default=6653, help="switches (default: %(default)s)")
    run.add_argument("--cluster-port", type=port, default=9876, help="ONOS's own (default: %(default)s)")
    run.add_argument("--quiet", action="store_true", help="say only the conclusion")
    build = commands.add_parser("build", help="assemble ONOS with Maven, unless that is done already")
    build.add_argument("--quiet", action="store_true", help="say only the conclusion")
    build.add_argument("--done", action="store_true", help="only note that Maven has just packaged it, with other modules")
    up = commands.add_parser("up", parents=[run], help="start it and wait until it truly answers; harmless where it runs")
    up.add_argument("--app", type=Path, action="append", default=[], metavar="OAR",
                    help="install and activate this application archive; may be repeated")
    up.add_argument("--network-cfg", type=network_cfg, metavar="FILE",
                    help="network configuration (JSON) that ONOS knows from its start on; read only where it is not running yet")
    up.add_argument("--keep-rules", action="store_true",
                    help="after a restart under traffic: the rules that switches hold stay and are known; without it ONOS removes them")
    up.add_argument("--fresh", action="store_true",
                    help="start anew, without the policy, settings, users and certificates that `down` or a crash has left")
    up.add_argument("--heap", type=heap, default="1g", help="Java heap at most (default: %(default)s)")
    up.add_argument("--timeout", type=seconds, default=240.0, metavar="SECONDS", help="how long to wait (default: %(default)s)")
    down = commands.add_parser("down", parents=[run], help="stop it; the next up finds policy, settings, users and certificates again")
    down.add_argument("--forget", action="store_true", help="leave nothing; also where it does not run any more")
    down.add_argument("--now", action="store_true", help="by force and at once, as a power cut ends it")
    status = commands.add_parser("status", parents=[run], help="what runs and whether it is ready")
    status.add_argument("--json", action="store_true", help="for programs")
    return root


def build(progress: Progress) -> str:
    worked = assembly.assemble(progress)
    progress.clear()
    return f"ONOS is assembled after {progress.seconds():.0f} s." if worked else "ONOS was already assembled."


def status_text(status: dict) -> str:
    if not status["running"]:
        return "ONOS is not running."
    lines = [f"process {status['pid']}, {status['megabytes']} MB"]
    lines += [f"port {number}: {name}" for name, number in status["ports"].items()]
    lines += [f"application {name}: {state}" for name, state in status["applications"].items()]
    lines += [status["certificate"]] if status["certificate"] else []
    lines.append("ONOS is ready." if status["ready"] else f"ONOS is not ready: {status['missing']}.")
    return "\n".join(lines)


def run(arguments: argparse.Namespace) -> int:
    progress = Progress(arguments.quiet)
    if arguments.command == "build" and arguments.done:
        assembly.note_assembled()
        return 0
    if arguments.command == "build":
        print(build(progress))
        return 0
    settings = Settings(
        arguments.run_dir.absolute(), arguments.rest_port, arguments.ssh_port,
        arguments.openflow_port, arguments.cluster_port, getattr(arguments, "heap", "1g"), getattr(arguments, "network_cfg", None),
        getattr(arguments, "keep_rules", False), getattr(arguments, "fresh", False),
    )
    runtime = Runtime(settings, progress)
    if arguments.command == "status":
        status = runtime.status()
        print(json.dumps(status, indent=2) if arguments.json else status_text(status))
        return 0 if status["running"] and status["ready"] else 3
    if arguments.command == "down":
        with runtime.alone():
            print(runtime.down(arguments.forget, arguments.now))
        return 0
    archives = [Archive.read(path) for path in arguments.app]
    with runtime.alone():
        build(progress)
        print(runtime.up(archives, arguments.timeout))
    return 0


def main() -> int:
    arguments = parser().parse_args()
    # A TERM is treated as Ctrl-C, so that both clean up.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run(arguments)
    except OnosError as failure:
        print(f"\n{failure}" if sys.stderr.isatty() else failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
