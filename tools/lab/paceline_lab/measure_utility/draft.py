"""A measured table as a draft of the policy at a running controller. Nothing goes by it until an operator commits it."""

from __future__ import annotations

from typing import Any

from ..networks.controller import Controller
from .hosts import TO_SERVER


def register(controller: Controller, name: str, table: dict[str, Any], limited: str) -> dict[str, Any]:
    """Puts the tree in force, with this table at its intent, as a draft; what the controller says of it. Raises RuntimeError."""
    tree = controller.get("/paceline/v1/intents")
    return controller.call("PUT", f"/paceline/v1/policy/drafts/{name}", with_table(tree, table, name, limited))


def with_table(tree: dict[str, Any], table: dict[str, Any], name: str, limited: str) -> dict[str, Any]:
    """The tree with the table, under that name, at the table's class and intent; nodes that are missing are made.

    What was measured of the direction to the server is the function of uploads, and leaves that of downloads as it is.
    """
    here = {"class": table["class"], **({"intent": table["intent"]} if table["intent"] else {})}
    nodes = [dict(node) for node in tree["intents"]]
    above = [{"class": table["class"]}, *({"class": table["class"], "intent": part} for part in prefixes(table["intent"]))]
    for path in above:
        if not any(same(node, path) for node in nodes):
            nodes.append(dict(path))
    for node in nodes:
        if same(node, here):
            node["uploadUtilityFunction" if limited == TO_SERVER else "utilityFunction"] = name
    return {**tree, "utilityFunctions": {**tree.get("utilityFunctions", {}), name: table}, "intents": nodes}


def prefixes(intent: str) -> list[str]:
    parts = intent.split("/") if intent else []
    return ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]


def same(node: dict[str, Any], path: dict[str, Any]) -> bool:
    return node.get("class") == path.get("class") and node.get("intent") == path.get("intent")
