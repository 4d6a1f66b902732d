"""Alarms that were raised, from what ONOS has told of them: also those that are over when somebody looks."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from urllib.parse import urlencode

from ..networks.controller import Controller
from ..networks.space import entered

STREAM = "/paceline/restconf/streams/changes"
# The first request of RESTCONF reads its model, which takes a busy machine half a minute.
ANSWERS_S = 180.0


def now() -> datetime:
    return datetime.now(UTC)


def raised(namespace: str, controller: Controller, since: datetime, until: datetime) -> list[str]:
    """
    The sentences of those that an ONOS in this namespace has raised in that time, first things first: it keeps what it has told, until the
    application ends. Of a conversation, a link and so on it tells the first alarm, and the next one when that is over.
    """
    times = urlencode({"start-time": said(since), "stop-time": said(until)})
    request = urllib.request.Request(f"{controller.base}{STREAM}?{times}", headers={"Authorization": controller.authorization, "Accept": "text/event-stream"})
    try:
        with entered(namespace), urllib.request.urlopen(request, timeout=ANSWERS_S) as answer:
            return list(sentences(line.decode() for line in answer))
    except OSError as problem:
        raise RuntimeError(f"the controller does not tell of its alarms: {problem}") from None


def said(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sentences(lines: Iterable[str]) -> Iterator[str]:
    """Of server-sent events."""
    for line in lines:
        if line.startswith("data: "):
            alarm = json.loads(line.removeprefix("data: "))["ietf-restconf:notification"].get("paceline-plan:alarm-raised")
            if alarm:
                yield alarm["sentence"]
