"""`python3 -m paceline_lab demo ...`. Exit codes: 0 done; 1 a run failed; 2 wrong usage or this machine lacks something;
130 interrupted."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from . import options
from .bench import first_packet, northbound
from .chaos import run as chaos
from .demo import run as demo
from .errors import Missing, Unusable
from .machine.ledger import Busy, Ledger
from .scenarios import aqos, diffperf, elephants, smallnet


# Not an Exception, as KeyboardInterrupt is none: nobody catches it by the way.
class Interrupted(BaseException):
    pass


ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AGAIN_S = 1.0


def heed_interrupts() -> None:
    for one in ENDS:
        signal.signal(one, interrupt)


def interrupt(number: int, frame: object) -> NoReturn:
    # Once is enough: a second Ctrl-C must not stop the cleaning-up half-way.
    for one in ENDS:
        signal.signal(one, signal.SIG_IGN)
    # What is raised inside a destructor or in the middle of an import is lost. So it is raised until cleaning up begins.
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
    raise Interrupted


def undo_all() -> None:
    """Once more from the start: the interrupt may have come before there was anything to undo, or in the middle of it."""
    try:
        Ledger.open().undo()
    except Busy:
        pass  # what there is belongs to another run


def main() -> int:
    chosen = options.parse()
    measuring = isinstance(chosen, options.MeasureUtilityOptions)
    evaluating = isinstance(chosen, options.EvaluateOptions)
    name = sys.argv[1]
    # What is recorded already needs nothing made on this machine.
    if os.geteuid() != 0 and not (measuring and chosen.recorded):
        print(f"{name}: this makes network namespaces and needs root. Maybe use sudo.", file=sys.stderr)
        return 2
    try:
        heed_interrupts()
        if isinstance(chosen, options.Clean):
            Ledger.open().undo()
            print("Nothing is left of any earlier run.")
            return 0
        if isinstance(chosen, options.FirstPacketOptions):
            return first_packet.run(chosen)
        if isinstance(chosen, options.ChaosOptions):
            return chaos.run(chosen)
        # These load SciPy, which takes a second that the others need not wait.
        if isinstance(chosen, options.SoakOptions):
            from .soak import run as soak
            from .soak import schemes

            return schemes.run(chosen) if chosen.schemes else soak.run(chosen)
        if isinstance(chosen, options.MeasureUtilityOptions):
            from .measure_utility import run as measure_utility

            return measure_utility.run(chosen)
        if isinstance(chosen, options.RealProgramsOptions):
            from .real_programs import run as real_programs

            return real_programs.run(chosen)
        if isinstance(chosen, options.ThirdPartyOptions):
            from .third_party import run as third_party

            return third_party.run(chosen)
        if isinstance(chosen, options.QueuesOptions):
            from .kernel_queues import run as kernel_queues

            return kernel_queues.run(chosen)
        if isinstance(chosen, options.EvaluateOptions):
            from .evaluate import run as evaluate

            return evaluate.run(chosen)
        if isinstance(chosen, options.NorthboundOptions):
            return northbound.run(chosen)
        if isinstance(chosen, options.AqosOptions):
            return aqos.run(chosen)
        if isinstance(chosen, options.DiffperfOptions):
            return diffperf.run(chosen)
        if isinstance(chosen, options.ElephantOptions):
            return elephants.run(chosen)
        if isinstance(chosen, options.SmallNetOptions):
            return smallnet.run(chosen)
        return demo.run(chosen)
    except Interrupted:
        if os.geteuid() == 0:
            undo_all()
        kept = " What was measured is kept: the same command goes on with it." if measuring or evaluating else ""
        print(f"\n{name}: interrupted; everything that it had made is gone.{kept}", file=sys.stderr)
        return 130
    except (Busy, Missing, Unusable, demo.Refused) as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return 2
    except (RuntimeError, OSError) as problem:
        print(f"{name}: failed: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
