#!/usr/bin/env python3
"""A ticket (as of ServiceNow or Jira) that reserves a rate on Paceline by plain HTTP: ask, take what is offered, hold, commit.

With --listen it also hears of it by a signed webhook, and shows the comment that it would leave on the ticket.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import http.server
import json
import os
import queue
import sys
import threading
import time

from change_ticket import Paceline

OLDEST_S = 300


class Ear(http.server.ThreadingHTTPServer):
    """Takes webhooks: each once, and only if it is signed with our secret and of now."""

    def __init__(self, address: str, port: int) -> None:
        super().__init__((address, port), Hears)
        self.key = os.urandom(32)
        self.known: set[str] = set()
        self.events: queue.Queue[dict] = queue.Queue()
        self.url = f"http://{address}:{self.server_address[1]}/paceline"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def secret(self) -> str:
        return "whsec_" + base64.b64encode(self.key).decode()

    def is_ours(self, headers, body: bytes) -> bool:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        expected = "v1," + base64.b64encode(hmac.digest(self.key, signed, hashlib.sha256)).decode()
        is_now = abs(time.time() - int(headers["webhook-timestamp"] or 0)) < OLDEST_S
        return is_now and any(hmac.compare_digest(expected, one) for one in (headers["webhook-signature"] or "").split())

    def wait_for(self, kind: str, reservation: str) -> dict:
        while True:
            event = self.events.get(timeout=60)
            if event["type"] == kind and event["data"]["id"] == reservation:
                return event


class Hears(http.server.BaseHTTPRequestHandler):
    server: Ear

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not self.server.is_ours(self.headers, body):
            self.send_error(401)
            return
        # Said again where an answer was lost: the id tells.
        if self.headers["webhook-id"] not in self.server.known:
            self.server.known.add(self.headers["webhook-id"])
            self.server.events.put(json.loads(body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def reserve(paceline: Paceline, wish: dict) -> dict:
    answer = paceline.write("POST", "reservations/ask", wish)
    if not answer["admitted"]:
        print(f"{paceline.ticket}: {answer['refusal']}")
        if "counterOffer" not in answer:
            raise SystemExit(f"{paceline.ticket}: nothing could be had.")
        offer = answer["counterOffer"]
        print(f"{paceline.ticket}: taken instead: {offer['rateKbps']:.0f} kbit/s from {offer['start']}.")
        wish = {**wish, "rateKbps": offer["rateKbps"], "start": offer["start"]}
    held = paceline.write("POST", "reservations", wish)
    print(f"{paceline.ticket}: {held['id']} is held until {held['heldUntil']}.")
    return paceline.write("POST", f"reservations/{held['id']}/commit", {})


def comment(paceline: Paceline, event: dict) -> None:
    """What would be posted to the ticket: Jira's issue/KEY/comment takes this."""
    one = event["data"]
    text = f"{event['type']}: {one['id']}, {one['rateKbps']:.0f} kbit/s from {one['from']} to {one['to']}, {one['start']} to {one['end']}"
    print(f"{paceline.ticket}: comment {json.dumps({'body': text})}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8181/onos/paceline/v1", help="default: %(default)s")
    parser.add_argument("--user", default="onos", help="default: %(default)s; webhooks need an admin")
    parser.add_argument("--password", default="rocks")
    parser.add_argument("--ticket", required=True, help="such as CHG0030002")
    parser.add_argument("--intent", required=True, help="CLASS/INTENT that shares the rate")
    parser.add_argument("--from", required=True, dest="source", help="the IP address that sends")
    parser.add_argument("--to", required=True, help="the IP address that receives")
    parser.add_argument("--kbps", type=float, required=True)
    parser.add_argument("--minutes", type=int, required=True)
    parser.add_argument("--start", help="such as 2026-12-01T20:00:00Z; without, now")
    parser.add_argument("--deadline", help="when it must be over; without, it may not be later than asked for")
    parser.add_argument("--listen", metavar="ADDRESS", help="where Paceline reaches this machine")
    parser.add_argument("--give-back", action="store_true", help="give it back in the end, as when a change is cancelled")
    chosen = parser.parse_args()
    paceline = Paceline(chosen.url, chosen.user, chosen.password, chosen.ticket)
    wish = {
        "intent": chosen.intent, "from": chosen.source, "to": chosen.to, "rateKbps": chosen.kbps,
        "durationSeconds": 60 * chosen.minutes,
    }  # fmt: skip
    wish |= {name: given for name, given in (("start", chosen.start), ("deadline", chosen.deadline)) if given}

    ear = Ear(chosen.listen, 0) if chosen.listen else None
    webhook = ear and paceline.write("POST", "webhooks", {"url": ear.url, "events": ["reservation"], "secret": ear.secret})
    try:
        made = reserve(paceline, wish)
        if ear:
            comment(paceline, ear.wait_for("reservation.committed", made["id"]))
        print(f"{chosen.ticket}: {made['id']} is {made['state']}, {made['rateKbps']:.0f} kbit/s from {made['start']} until {made['end']}.")
        if chosen.give_back:
            paceline.write("DELETE", f"reservations/{made['id']}")
            if ear:
                comment(paceline, ear.wait_for("reservation.cancelled", made["id"]))
            print(f"{chosen.ticket}: {made['id']} is given back.")
    finally:
        if webhook:
            paceline.write("DELETE", f"webhooks/{webhook['id']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
