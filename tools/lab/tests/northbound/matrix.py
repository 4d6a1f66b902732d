"""What the matrices of who may do what share: two branches of the tree, and things of each to act on, made anew where a request has used them up."""

from __future__ import annotations

import itertools
import json
import time

MINE, OTHER = "web-browsing", "voip"
WISH = {"intent": "{branch}", "from": "10.20.0.1", "to": "10.20.0.2", "rateKbps": 100, "durationSeconds": 3600, "conversations": 100}
CALL = {"intent": "{branch}", "localAddress": "10.20.0.1", "remoteAddress": "10.20.0.2"}
TREE = "tree"


class Office:
    """What requests are about, made anew by an admin where a request has used it up."""

    names = itertools.count()

    def __init__(self, admin, branch):
        self.admin = admin
        self.branch = branch
        self.conversation = ""
        self.reservation = ""

    def prepare(self, operation):
        branch = self.branch
        if "confirm" in operation:
            # One that those who were refused have left waits still.
            self.admin.send("POST", "policy/confirm", {})
            self.must("PUT", f"intents/{branch}", {"priority": 3})
            self.must("PUT", f"policy/drafts/{branch}", self.tree())
            self.must("POST", f"policy/drafts/{branch}/commit", {"confirmWithinSeconds": 600})
        elif operation in ("PUT intents", "PUT intents/{path}", "PATCH intents/{path}", "PUT policy/file") or ("policy" in operation and "commit" in operation) or "{name}" in operation:
            # What is put in force must differ from what is.
            self.must("PUT", f"intents/{branch}", {"priority": 3})
        if "ceiling" in operation:
            self.must("PUT", f"ceilings/{branch}", {"priority": 9})
        if "conversations/{host}" in operation or "explain" in operation or "boost" in operation or operation == "POST solve/present":
            self.converse()
        if operation == "DELETE intents/{path}" or "for-a-test" in operation:
            self.must("PUT", f"intents/{branch}/for-a-test", {"priority": 4})
        if "{name}" in operation or "policy:com" in operation:
            self.must("PUT", f"policy/drafts/{branch}", self.tree())
        if "rollback" in operation:
            for priority in (4, 5):
                self.must("PUT", f"intents/{branch}", {"priority": priority})
        if "{reservation}" in operation or "-reservation" in operation:
            self.reservation = self.must("POST", "reservations", filled(WISH, self)).json["id"]

    def converse(self):
        """A conversation that has been planned: before, there is nothing to explain."""
        number = next(self.names)
        self.conversation = f"at-{number}"
        # Of packets of its own: of two for the same ones, one is not planned.
        self.must("POST", "conversations", {"id": self.conversation, **filled(CALL, self), "protocol": "udp", "remotePort": 10_000 + number})
        until = time.monotonic() + 60
        while self.admin.get(f"explain/announced/{self.conversation}").status != 200:
            assert time.monotonic() < until, "The conversation is not planned."
            time.sleep(0.02)

    def must(self, method, path, body):
        answer = self.admin.send(method, path, body)
        assert answer.status in (200, 201), (method, path, answer)
        return answer

    def tree(self):
        tree = self.admin.get("intents").json
        for node in tree["intents"]:
            if node.get("class") == self.branch and "intent" not in node:
                node["priority"] = 9
        return tree

    def text(self):
        return json.dumps(self.tree())

    def newest_change(self):
        return [one["number"] for one in self.admin.get("changes?limit=1").json["changes"]]


def filled(value, office):
    if value is TREE:
        return office.tree()
    if isinstance(value, list):
        return [filled(part, office) for part in value]
    if isinstance(value, dict):
        return {name: filled(part, office) for name, part in value.items()}
    if isinstance(value, str):
        value = value.replace("{branch}", office.branch).replace("{reservation}", office.reservation)
        return value.replace("{conversation}", office.conversation).replace("{new}", f"new-{next(office.names)}")
    return value


def documented(admin):
    """Of each operation, the status of its success and the type of its body."""
    paths = admin.get("openapi.json").json["paths"]
    return {
        f"{verb.upper()} {path.removeprefix('/v1/')}": (
            min(int(status) for status in operation["responses"]),
            next(iter(operation.get("requestBody", {}).get("content", [])), None),
        )
        for path, verbs in paths.items()
        for verb, operation in verbs.items()
    }
