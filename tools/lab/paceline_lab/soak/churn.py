"""Conversations that come and go: each is a UDP socket of its own, which says something for some seconds and is closed.

    python3 -m paceline_lab.soak.churn talk PER_SECOND SEED ADDRESS PORT
    python3 -m paceline_lab.soak.churn hear PORT

Both go on until SIGTERM; whoever talks then prints {"opened": N}.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import random
import signal
import socket
import sys
import time

# A conversation is as short as a look-up or as long as a few words.
SHORTEST_S, LONGEST_S = 0.5, 4.0
SAYS = bytes(60)
EVERY_S = 0.25


class Ended(Exception):
    pass


def end(*_: object) -> None:
    raise Ended


def talk(per_second: float, seed: int, address: str, port: int) -> int:
    """Returns how many it has opened."""
    draws = random.Random(seed)
    opened, begins_at = 0, time.monotonic()
    # Of each open socket when it says something next, and when it is closed. The number only orders what is due at once.
    due: list[tuple[float, int, float, socket.socket]] = []
    try:
        while True:
            now = time.monotonic()
            if now >= begins_at:
                one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                one.connect((address, port))
                heapq.heappush(due, (now, opened, now + draws.uniform(SHORTEST_S, LONGEST_S), one))
                opened += 1
                # What a busy machine let wait is not made up for all at once.
                begins_at = max(begins_at + draws.expovariate(per_second), now - 1)
            while due and due[0][0] <= now:
                _, number, until, one = heapq.heappop(due)
                if now >= until:
                    one.close()
                    continue
                with contextlib.suppress(OSError):  # nobody hears it, or there is no way for the moment
                    one.send(SAYS)
                heapq.heappush(due, (now + EVERY_S, number, until, one))
            time.sleep(max(0.0, min(begins_at, due[0][0] if due else begins_at) - time.monotonic()))
    except Ended:
        return opened


def hear(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ears, contextlib.suppress(Ended):
        ears.bind(("", port))
        print("listening", flush=True)
        while True:
            ears.recv(2048)


def main() -> None:
    signal.signal(signal.SIGTERM, end)
    if sys.argv[1] == "hear":
        hear(int(sys.argv[2]))
    else:
        per_second, seed, address, port = sys.argv[2:]
        print(json.dumps({"opened": talk(float(per_second), int(seed), address, int(port))}), flush=True)


if __name__ == "__main__":
    main()
