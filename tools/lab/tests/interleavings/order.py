"""An order of a pair: a conversation without an agent is announced, its rate becomes another, and it is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from paceline_lab.networks.conversations import is_installed

from interleavings.pair import Pair
from interleavings.switch import Fault
from switches.steps import eventually

# Of the link. What conversations may have of it is less than what one would like to have.
FIRST_KBPS, THEN_KBPS = 3000, 2000
# For ONOS to have asked a switch for all it has, and for what is not needed any more to be taken away.
SETTLED_S = 4.0
# A conversation that a switch refused is tried again after 10 s, then 20.
RIGHT_WITHIN_S = 90.0


class Order:
    def __init__(self, pair: Pair, conversation: Callable[[], dict[str, Any] | None]):
        self.pair = pair
        self._conversation = conversation
        pair.tell_capacity(FIRST_KBPS)
        self.idle = self._settled()
        self._held: list[Any] = []
        pair.script.begin()
        for do, is_right in self._steps():
            do()
            eventually(is_right, RIGHT_WITHIN_S)
            self._held.append(self._settled())
        self.messages = list(pair.script.messages)
        assert self._held[-1] == self.idle, f"There stays {self._held[-1]} of {self.idle}."
        pair.tell_capacity(FIRST_KBPS)

    def _steps(self) -> list[tuple[Callable[[], None], Callable[[], bool]]]:
        pair = self.pair
        return [
            (pair.announce, lambda: self._is_metered(FIRST_KBPS)),
            (lambda: pair.tell_capacity(THEN_KBPS), lambda: self._is_metered(THEN_KBPS)),
            (pair.end, lambda: not self._conversation()),
        ]

    def _is_metered(self, kbps: int) -> bool:
        """By one meter, at the first switch, with the rate of the plan."""
        found = self._conversation()
        return bool(
            found and is_installed(found) and found["grant"]["rateKbps"] < kbps
            and [switch.rates() for switch in self.pair.switches] == [[int(found["grant"]["rateKbps"])], []]
        )  # fmt: skip

    def _settled(self) -> Any:
        """What both switches hold, once it stays the same for a while."""
        since, held = time.monotonic(), self.pair.holds()

        def stays() -> bool:
            nonlocal since, held
            now = self.pair.holds()
            if now != held:
                since, held = time.monotonic(), now
            return time.monotonic() - since > SETTLED_S

        eventually(stays)
        return held

    def carried_out(self, fault: Fault) -> None:
        """With this fault on the way: right after each step, and all gone at the end."""
        # What ONOS writes at once it may write in fewer messages another time, and then not come to that one.
        assert any(self._comes_to(fault) for _ in range(3)), "There is no such message."

    def _comes_to(self, fault: Fault) -> bool:
        script = self.pair.script
        script.begin(fault)
        for number, ((do, is_right), held) in enumerate(zip(self._steps(), self._held, strict=True)):
            do()
            try:
                eventually(lambda: is_right() and self.pair.holds() == held, RIGHT_WITHIN_S)
            except AssertionError:
                raise AssertionError(self._wrong(number, held)) from None
        if script.fault:
            self._settled()  # The last message may still come.
        eventually(lambda: self.pair.holds() == self.idle, RIGHT_WITHIN_S)
        self.pair.tell_capacity(FIRST_KBPS)
        return script.fault is None

    def _wrong(self, step: int, held: Any) -> str:
        script = self.pair.script
        lines = [f"step {step}: {self._conversation()}"]
        for switch, (rules, meters), (right_rules, right_meters) in zip(self.pair.switches, self.pair.holds(), held, strict=True):
            lines.append(f"{switch.id} has not {[r for r in right_rules if r not in rules]}, has besides {[r for r in rules if r not in right_rules]}")
            lines.append(f"  meters {meters}, right {right_meters}")
        return "\n".join([*lines, *self.pair.as_onos_sees_it(), "not fired" if script.fault else "fired", *script.messages])
