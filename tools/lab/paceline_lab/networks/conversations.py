"""What the controller says of a conversation, against what was installed for it."""

from __future__ import annotations

from typing import Any


def is_installed(conversation: dict[str, Any]) -> bool:
    """The kernel has the granted rate, and what is lent to it, rounded down at most as tc must. In shadow it is not paced."""
    grant, installed = conversation.get("grant"), conversation.get("installed")
    if not grant or not installed or not installed["paced"]:
        return False
    granted, there = grant["rateKbps"] + lent_kbps(conversation), installed["rateKbps"]
    return granted * 0.98 - 1 <= there <= granted * 1.001 + 1


def lent_kbps(conversation: dict[str, Any]) -> float:
    return conversation.get("lent", {}).get("rateKbps", 0.0)
