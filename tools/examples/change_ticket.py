#!/usr/bin/env python3
"""A change ticket (as of ServiceNow or Jira) carried out on Paceline by plain HTTP: draft, difference, trial, check, confirm.

Each write carries the ticket and a key of its own, so that it can be sent again after a lost answer.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import time
import urllib.error
import urllib.request

TRIES = 5


class Paceline:
    def __init__(self, root: str, user: str, password: str, ticket: str) -> None:
        self.root = root.rstrip("/") + "/"
        self.ticket = ticket
        self.authorization = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def get(self, path: str) -> dict:
        return self._send("GET", path, None)

    def write(self, method: str, path: str, body: dict | None = None) -> dict:
        return self._send(method, path, None if body is None else json.dumps(body).encode())

    def _send(self, method: str, path: str, body: bytes | None) -> dict:
        request = urllib.request.Request(self.root + path, data=body, method=method)
        request.add_header("Authorization", self.authorization)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if method != "GET":
            request.add_header("Change-Ticket", self.ticket)
            # One key for each step of one run: what is sent again is not done again.
            request.add_header("Idempotency-Key", f"{self.ticket}/{RUN}/{method}/{path}")
        for attempt in range(TRIES):
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.loads(answer.read() or b"{}")
            except urllib.error.HTTPError as refusal:
                retry = refusal.headers.get("Retry-After")
                problem = json.loads(refusal.read())
                if not retry or attempt == TRIES - 1:
                    raise SystemExit(f"{self.ticket}: refused: {problem['detail']}") from None
                time.sleep(float(retry))
            except OSError:
                if attempt == TRIES - 1:
                    raise
                time.sleep(1)
        raise AssertionError("every try ends above")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8181/onos/paceline/v1", help="default: %(default)s")
    parser.add_argument("--user", default="onos", help="default: %(default)s")
    parser.add_argument("--password", default="rocks")
    parser.add_argument("--ticket", required=True, help="such as CHG0030001")
    parser.add_argument("--intent", required=True, help="a class of the intent tree")
    parser.add_argument("--least-kbps", type=float, required=True, help="its new least rate")
    parser.add_argument("--most-losers", type=int, default=0, help="give up where more conversations would lose (default: %(default)s)")
    chosen = parser.parse_args()
    paceline = Paceline(chosen.url, chosen.user, chosen.password, chosen.ticket)

    tree = paceline.get("intents")
    nodes = [node for node in tree["intents"] if node.get("class") == chosen.intent and "intent" not in node]
    if not nodes:
        raise SystemExit(f"{chosen.ticket}: there is no class ({chosen.intent}).")
    nodes[0]["minimumRateKbps"] = chosen.least_kbps
    draft = f"policy/drafts/{chosen.ticket}"
    paceline.write("PUT", draft, tree)

    difference = paceline.get(draft + "/difference")
    print(f"{chosen.ticket}: {difference['winners']} would win, {difference['losers']} would lose, {difference['rates']} rates would change.")
    if difference["losers"] > chosen.most_losers:
        raise SystemExit(f"{chosen.ticket}: too many would lose. The draft stays for somebody to decide.")

    version = paceline.write("POST", draft + "/commit", {"confirmWithinSeconds": 300})
    print(f"{chosen.ticket}: version {version['version']} is on trial until {version['confirmUntil']}.")
    alarms = paceline.get("alarms")["alarms"]
    if alarms:
        paceline.write("POST", "policy/rollback", {})
        raise SystemExit(f"{chosen.ticket}: rolled back: {alarms[0]['sentence']}")
    version = paceline.write("POST", "policy/confirm", {})
    print(f"{chosen.ticket}: version {version['version']} is confirmed.")
    return 0


RUN = str(time.time_ns())

if __name__ == "__main__":
    sys.exit(main())
