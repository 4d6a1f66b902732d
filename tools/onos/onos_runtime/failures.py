"""Picks from ONOS's log what a person needs to see."""

from __future__ import annotations

import re

from .settings import Settings

_FATAL = re.compile(
    r"Error installing boot features|Unable to resolve root|Error installing boot feature repository"
    r"|Address already in use|Error scheduling deployment|Failed to bind"
)
_NOTABLE = re.compile(r"\| (ERROR|WARN ) \||^Caused by|^Exception in thread|^Error|^Unrecognized")
# All were seen on machines with far more work than they can do.
_BY_HALF = {
    # Karaf looks once for the list of what it is to start, which lies in the folder that was just laid out.
    "Error installing boot feature repository": "Karaf did not read the list of its features",
    # Two of its threads activated components that need each other's lock: both gave up, for good.
    "IllegalStateException: Could not obtain lock": "ONOS's components blocked each other",
    # The web container gave up on REST; nobody tries again.
    "Error deploying web application": "ONOS's web server could not set REST up",
    # Jersey did not find its own parts yet; again nobody tries again.
    "Exception finalizing HttpContext registration": "ONOS's web server could not set REST up",
}
_SHOWN = 15


def fatal_log_line(settings: Settings) -> str | None:
    """The line after which ONOS will never be ready, where there is one."""
    for line in _lines(settings):
        if _FATAL.search(line) and ("ERROR" in line or "Exception" in line):
            return line
    return None


def started_by_half(settings: Settings) -> str | None:
    """Why ONOS will never be ready after this start, though it may be after another."""
    lines = _lines(settings)
    return next((why for said, why in _BY_HALF.items() if any(said in line for line in lines)), None)


def has_framework_errors(settings: Settings) -> bool:
    """Whether bundles have failed in a way that a start which ends well was never seen to have."""
    return any("| FrameworkEvent ERROR" in line for line in _lines(settings))


def refused_activation(settings: Settings, application: str, since: int) -> bool:
    """Whether ONOS's log says, after so many lines, that it gave up on the application."""
    said = f"Unable to perform operation on application {application}"
    return any(said in line for line in _lines(settings)[since:])


def missed_a_feature(settings: Settings, since: int) -> bool:
    """Whether it gave up for a feature that it did not know then: its own are still being made known when it answers first."""
    return any("missing requirement" in line and "type=karaf.feature" in line for line in _lines(settings)[since:])


def log_length(settings: Settings) -> int:
    return len(_lines(settings))


def boot_failure(settings: Settings, what: str, since: int = 0) -> str:
    lines = _lines(settings)[since:]
    fatal = [line for line in lines if _FATAL.search(line)]
    notable = fatal or [line for line in lines if _NOTABLE.search(line)] or lines
    shown = "\n  ".join(dict.fromkeys(map(_shorten, notable[-_SHOWN:]))) or "nothing"
    return f"{what}. Its log says:\n  {shown}\nAll of it is in {settings.log_file} and {settings.console_file}."


def _shorten(line: str) -> str:
    # A chain of causes ends with the one that matters.
    return line if len(line) <= 500 else line[:150] + " ... " + line[-340:]


def _lines(settings: Settings) -> list[str]:
    lines: list[str] = []
    for file in (settings.console_file, settings.log_file):
        try:
            lines += file.read_text(errors="replace").splitlines()
        except OSError:
            continue
    return lines
