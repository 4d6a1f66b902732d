"""What all scenarios have around them: a network of their own, ONOS beside it where somebody is to be managed, and nothing left of either."""

from __future__ import annotations

import contextlib
import shutil
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ..networks import ovs
from ..networks.emulated_network import EmulatedNetwork
from ..networks.space import Onos, Space, running_onos
from ..terminal import Terminal

Network = TypeVar("Network", bound=EmulatedNetwork)


def staged(
    namespace: str, managed: bool, says: str, build: Callable[[Space], Network], act: Callable[[Terminal, Network, Onos | None, Path], int],
    command: str = "demo", onos_home: Path | None = None,
) -> int:
    """
    Builds the network, and ONOS if somebody is to be managed; what `act` returns is the exit code. Its last argument is a folder for a while.
    ONOS lives in this home, else in that folder.
    """
    ovs.require()
    home = Path(tempfile.mkdtemp(prefix=f"paceline-{namespace}-"))
    home.chmod(0o755)
    terminal = Terminal(name=command)
    terminal.step(f"{'starting ONOS and ' if managed else ''}building the network: {says}")
    try:
        with contextlib.ExitStack() as stack:
            onos = stack.enter_context(running_onos(namespace, onos_home or home / "onos")) if managed else None
            space = onos.space if onos else stack.enter_context(contextlib.closing(Space(namespace)))
            network = stack.enter_context(contextlib.closing(build(space)))
            network.open()
            try:
                return act(terminal, network, onos, home)
            except BaseException:
                # An interrupt that led here was heard and is not to be repeated.
                signal.setitimer(signal.ITIMER_REAL, 0)
                raise
    finally:
        shutil.rmtree(home, ignore_errors=True)
