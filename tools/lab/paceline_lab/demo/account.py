"""Where the bottleneck's capacity goes in a managed run, from the controller's, the agents' and the wire's counters."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Callable

from ..traffic.mix import KINDS

# Reports come once a second.
EVERY_S = 1.0
KIND_OF = {kind.intent: name for name, kind in KINDS.items()}


@dataclass
class Moment:
    """What was granted, lent and sent across the bottleneck at one time, in kbit/s of what a link carries."""

    granted: float = 0.0
    lent: float = 0.0
    sent: float = 0.0
    borrowed: float = 0.0
    unused: dict[str, float] = field(default_factory=lambda: defaultdict(float))


def moment(conversations: list[dict[str, Any]], crosses: Callable[[dict[str, Any]], bool]) -> Moment:
    """Of the conversations that have a grant and cross the bottleneck; what one sends beyond grant and loan it has borrowed."""
    seen = Moment()
    for one in conversations:
        if not one.get("grant") or not crosses(one):
            continue
        lent = one.get("lent", {}).get("rateKbps", 0.0)
        may = one["grant"]["rateKbps"] + lent
        sent = one["measured"].get("rateKbps", 0.0)
        seen.granted += one["grant"]["rateKbps"]
        seen.lent += lent
        seen.sent += sent
        seen.borrowed += max(0.0, sent - may)
        seen.unused[KIND_OF.get(one["intent"], "other")] += max(0.0, may - sent)
    return seen


class EverySecond(ABC):
    """Asks the controller once a second, beside the measurement."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def run(self) -> None:
        while not self.ended.wait(EVERY_S):
            try:
                self.ask()
            except RuntimeError:
                continue  # a controller that does not answer once is a second less

    def stop(self) -> None:
        self.ended.set()
        self.thread.join(15)

    @abstractmethod
    def ask(self) -> None: ...


class Account(EverySecond):
    """What it grants, and what was sent."""

    def __init__(self, ask: Callable[[], list[dict[str, Any]]], crosses: Callable[[dict[str, Any]], bool]):
        super().__init__()
        self._ask = ask
        self._crosses = crosses
        self.moments: list[Moment] = []

    def ask(self) -> None:
        self.moments.append(moment(self._ask(), self._crosses))


def shares(moments: list[Moment], capacity_kbps: float, usable: float, link_kbps: float, goodput_kbps: float) -> dict[str, Any]:
    """
    The account, in kbit/s: the capacity, less what goes where, is the goodput.

    usable is the part of the capacity that plans may divide. Where conversations come and go between two questions the parts do
    not meet to the bit: what is left over is said as "otherwise".
    """
    count = len(moments)
    granted = sum(m.granted for m in moments) / count
    lent = sum(m.lent for m in moments) / count
    borrowed = sum(m.borrowed for m in moments) / count
    unused: dict[str, float] = defaultdict(float)
    for each in moments:
        for kind, kbps in each.unused.items():
            unused[kind] += kbps / count
    headroom = capacity_kbps * (1 - usable)
    # Loans beyond the plan are others' unused grants a second time.
    no_taker = max(0.0, capacity_kbps * usable - granted - lent)
    twice = max(0.0, granted + lent - capacity_kbps * usable)
    idle = sum(unused.values())
    return {
        "samples": count,
        "capacityKbps": round(capacity_kbps),
        "headroomKbps": round(headroom),
        "noTakerKbps": round(no_taker),
        "lentTwiceKbps": round(twice),
        "borrowedKbps": round(borrowed),
        "unusedKbps": {kind: round(kbps) for kind, kbps in sorted(unused.items(), key=lambda one: -one[1])},
        "otherwiseKbps": round(capacity_kbps - headroom - no_taker - idle + twice + borrowed - link_kbps),
        "linkKbps": round(link_kbps),
        "headersKbps": round(link_kbps - goodput_kbps),
        "goodputKbps": round(goodput_kbps),
        "grantedKbps": round(granted),
        "lentKbps": round(lent),
    }


def lines(account: dict[str, Any], names: dict[str, str]) -> list[str]:
    """As people read it: from the link's capacity to what arrives, in Mbit/s."""
    rows = [("the bottleneck", account["capacityKbps"]), ("kept free (headroom)", -account["headroomKbps"])]
    rows.append(("granted to nobody, lent to nobody", -account["noTakerKbps"]))
    rows += [(f"granted or lent, not sent: {names.get(kind, kind)}", -kbps) for kind, kbps in account["unusedKbps"].items()]
    if account["lentTwiceKbps"]:
        rows.append(("of that, lent to others", account["lentTwiceKbps"]))
    if account["borrowedKbps"]:
        rows.append(("of both, borrowed by others of the same host", account["borrowedKbps"]))
    rows.append(("otherwise (who comes and goes; what nobody manages)", -account["otherwiseKbps"]))
    rows += [("the link carries", account["linkKbps"]), ("headers, and what came twice", -account["headersKbps"])]
    rows.append(("goodput", account["goodputKbps"]))
    return [f"{name:52}{kbps / 1000:8.2f}" for name, kbps in rows]
