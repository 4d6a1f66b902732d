"""Which real program stands beside each of the lab's generators, where both are compared, and what it needs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import Unusable
from ..machine.ledger import FOLDER
from ..measure_utility.applications import APPLICATIONS, Application
from ..measure_utility.hosts import CLIENT, SERVER
from ..measure_utility.models import MODELS, Model
from ..traffic.adaptation import LIVE, VOD, Ladder
from ..traffic.mix import KINDS

# Of npm, fetched when they are first needed.
LIBRARIES = Path(".run/real-programs/node_modules").absolute()
BROWSER = {"chromium-headless-shell": "chromium-headless-shell", "node": "nodejs", "npm": "npm"}


@dataclass(frozen=True)
class Pair:
    """A type with its two programs, which run at the same places (kbit/s, ms one way), the fastest first.

    `needs`: the executables of the real one, each with its Debian package. `longest_s`: after which a sample is worth 1;
    a browser on a busy machine takes seconds to begin.
    """

    name: str
    program: str
    light: Application
    real: Application
    places: tuple[tuple[float, float], ...]
    needs: dict[str, str]
    longest_s: float
    table: str
    libraries: bool = False

    @property
    def model(self) -> Model:
        return MODELS[self.light.model]


def module(name: str) -> list[str]:
    return [sys.executable, "-m", f"paceline_lab.real_programs.{name}"]


def real(light: str, says: str, use: Callable[[list[str]], list[str]], serve: tuple[str, ...] | None = None) -> Application:
    """As the light one, but for what runs."""
    one = APPLICATIONS[light]
    return Application(one.name, one.intent, says, one.model, one.limited, use, serve, one.services)


def pair(
    name: str, program: str, light: str, use: Callable[[list[str]], list[str]], places: tuple[tuple[float, float], ...], needs: dict[str, str],
    longest_s: float, table: str, serve: tuple[str, ...] | None = None,
) -> Pair:  # fmt: skip
    return Pair(name, program, APPLICATIONS[light], real(light, program, use, serve), places, needs, longest_s, table)


def browser(name: str, program: str, what: str, page: str, places: tuple[tuple[float, float], ...], needs: dict[str, str], longest_s: float, *more: str) -> Pair:
    url = f"http://{SERVER}:{KINDS[name].port}/{page}/"
    script = str(Path(__file__).with_name("browser.cjs"))
    words = ["env", f"NODE_PATH={LIBRARIES}", "node", script, str(FOLDER), what, url, *more]
    return Pair(name, program, APPLICATIONS[name], real(name, program, lambda ssh: words), places, needs, longest_s, name, libraries=True)


def film(name: str, ladder: Ladder, places: tuple[tuple[float, float], ...]) -> Pair:
    player = str(LIBRARIES / "dashjs/dist/modern/umd/dash.mediaplayer.min.js")
    return browser(name, "dash.js in Chromium", "film", f"film-{name}", places, {**BROWSER, "ffmpeg": "ffmpeg"}, 600, player, str(ladder.segments))


PAIRS = {
    one.name: one
    for one in (
        browser("web", "Chromium", "page", "page", ((8_000, 20), (4_000, 100), (1_000, 20)), BROWSER, 300),
        pair("dl", "curl", "dl", lambda ssh: [*module("download"), CLIENT, SERVER],
             ((5_000, 20), (5_000, 100), (2_000, 20)), {"curl": "curl"}, 400, "dl"),
        film("vod", VOD, ((5_000, 20), (3_000, 100), (1_500, 20))),
        film("live", LIVE, ((5_000, 20), (3_500, 60), (2_000, 20))),
        pair("ssh", "OpenSSH with a terminal", "ssh", lambda ssh: [*module("keyboard"), CLIENT, SERVER, *ssh],
             ((500, 10), (500, 60), (200, 150)), {"ssh": "openssh-client", "/usr/sbin/sshd": "openssh-server"}, 60, "ssh"),
        pair("voip", "baresip", "g711", lambda ssh: [*module("phone"), "hear", CLIENT, SERVER],
             ((140, 50), (110, 200), (70, 50)), {"baresip": "baresip-core", "stdbuf": "coreutils"}, 120, "g711", (*module("phone"), "talk", SERVER, CLIENT)),
    )
}  # fmt: skip


def missing(pairs: Iterable[Pair]) -> None:
    """Raises Unusable where a program of these is not on this machine, with the packages that bring it."""
    lacking: dict[str, tuple[str, list[str]]] = {}
    for one in pairs:
        for program, package in one.needs.items():
            if shutil.which(program) is None:
                lacking.setdefault(program, (package, []))[1].append(one.name)
    if lacking:
        said = "; ".join(f"{program} for {', '.join(types)}" for program, (_, types) in lacking.items())
        packages = " ".join(sorted({package for package, _ in lacking.values()}))
        without = {name for _, types in lacking.values() for name in types}
        others = ",".join(name for name in PAIRS if name not in without)
        raise Unusable(f"programs are missing: {said}. Maybe: apt-get install --no-install-recommends {packages}, or --types {others}")
