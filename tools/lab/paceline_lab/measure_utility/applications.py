"""What runs between the two hosts: an application of the lab's, or commands of the user's own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from .hosts import CLIENT, SERVER, TO_CLIENT, TO_SERVER

TRAFFIC, CONFERENCE, BROWSE = (f"paceline_lab.measure_utility.{name}" for name in ("traffic", "conference", "browse"))


@dataclass(frozen=True)
class Application:
    """`intent` is whose it is where nothing else is said; `serve` and `use` are what runs on the server and the client.

    `services`: it needs the lab's web and ssh servers, and `use` takes what logs in at them.
    """

    name: str
    intent: str
    says: str
    model: str
    limited: str
    use: Callable[[list[str]], list[str]]
    serve: tuple[str, ...] | None = None
    services: bool = False

    def with_limit(self, direction: str) -> Application:
        return replace(self, limited=direction)


def browsed(kind: str, intent: str, says: str, model: str) -> Application:
    return Application(
        kind, intent, says, model, TO_CLIENT,
        lambda ssh: [sys.executable, "-m", BROWSE, kind, CLIENT, SERVER, *(ssh if kind == "ssh" else [])], services=True,
    )  # fmt: skip


def made(name: str, intent: str, says: str, model: str, serve: str, use: str, limited: str = TO_CLIENT, module: str = TRAFFIC) -> Application:
    return Application(
        name, intent, says, model, limited, lambda ssh: [sys.executable, "-m", module, use, CLIENT, SERVER],
        (sys.executable, "-m", module, serve, SERVER, CLIENT),
    )  # fmt: skip


APPLICATIONS = {
    one.name: one
    for one in (
        browsed("web", "web-browsing/science_lab", "a page of 1.3 MB over six connections (nginx)", "web"),
        browsed("dl", "file-download/emailattach", "a file of 10 MB over one connection (nginx)", "download"),
        browsed("vod", "video-streaming/bbb", "a film of 60 s in six qualities (nginx)", "video"),
        browsed("live", "video-streaming/bbb_live", "a live film of 60 s in six qualities (nginx)", "video"),
        browsed("ssh", "remote-terminal/sshadmin", "commands in a session of OpenSSH", "ssh"),
        made("g711", "voip/g711", "a call: 50 packets a second with 160 bytes of speech", "g711", "call-talk", "call-hear"),
        made("conference", "conferencing/browser", "a video conference of browsers: speech, and video up to 2.5 Mbit/s whose rate follows what waits in the line", "conference",
             "show", "see", module=CONFERENCE),
        made("camera", "surveillance/camera", "a camera: 15 frames a second, 2 Mbit/s, over TCP; what its line does not take in time it leaves out", "frames", "camera", "watch"),
        made("desktop", "remote-desktop/office", "a desktop: each key changes 30 kB of the screen", "ssh", "desktop-serve", "desktop"),
        made("backup", "backup/nightly", "an upload as fast as it may", "backup", "bulk-serve", "upload", TO_SERVER),
        made("update", "software-update/background", "a download as fast as it may", "update", "bulk-serve", "download"),
    )
}


def own(command: str, serve: str | None, model: str, limited: str) -> Application:
    """The user's commands, as their shell would run them."""
    return Application("own", "", f"`{command}`", model, limited, lambda ssh: ["sh", "-c", command], ("sh", "-c", serve) if serve else None)


def environment() -> dict[str, str]:
    """What the commands find beside the user's own."""
    lab = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return {**os.environ, "PYTHONPATH": lab, "PYTHONUNBUFFERED": "1", "PACELINE_SERVER": SERVER, "PACELINE_CLIENT": CLIENT}

