"""A switch drops and returns between any two messages of an order: in the end it holds what the plan says, and nothing else."""

from __future__ import annotations

import contextlib
import itertools
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from interleavings.order import Order
from interleavings.pair import Pair
from interleavings.switch import Fault, Then
from switches.steps import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.lasts(110)]
PAIRS = 12


@pytest.fixture(scope="module")
def pairs(onos):
    with contextlib.ExitStack() as built:
        all_pairs = [built.enter_context(contextlib.closing(Pair(onos, number))) for number in range(1, PAIRS + 1)]
        eventually(lambda: len(onos.rest.devices()) == 2 * PAIRS)
        eventually(lambda: len(onos.rest.links()) == 2 * PAIRS)
        eventually(lambda: known(onos.rest, all_pairs))
        yield all_pairs


def known(rest, pairs):
    there = rest.get("/paceline/v1/links")["hosts"]
    missing = [pair for pair in pairs if not {pair.address(1), pair.address(2)} <= set(there)]
    for pair in missing:
        pair.appear()
    return not missing


class Conversations:
    """Asked of ONOS again and again by one for all."""

    def __init__(self, rest):
        self._rest = rest
        self._found = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self):
        while not self._ended.wait(0.2):
            # Asked once more where ONOS does not answer now: else all would wait for what was found last.
            with contextlib.suppress(RuntimeError):
                self._found = {one["id"]: one for one in self._rest.conversations()}

    def __call__(self, pair):
        return self._found.get(pair.conversation)

    def close(self):
        self._ended.set()
        self._thread.join(60)


@pytest.fixture(scope="module")
def conversations(onos):
    with contextlib.closing(Conversations(onos.rest)) as asked:
        yield asked


@pytest.fixture(scope="module")
def orders(pairs, conversations):
    """What each pair holds at each step where nothing is in the way."""
    with ThreadPoolExecutor(PAIRS) as side_by_side:
        return list(side_by_side.map(lambda pair: Order(pair, lambda: conversations(pair)), pairs))


def tried(orders, faults):
    """By all pairs side by side; what has failed, each with its fault."""
    waiting, failed = queue.SimpleQueue(), []
    for fault in faults:
        waiting.put(fault)

    def try_on(order):
        with contextlib.suppress(queue.Empty):
            while True:
                fault = waiting.get_nowait()
                try:
                    order.carried_out(fault)
                except AssertionError as why:
                    failed.append(f"{fault}: {why}")
                    return  # what is left here would be in the way of the next

    with ThreadPoolExecutor(PAIRS) as side_by_side:
        list(side_by_side.map(try_on, orders))
    return failed


def is_as_told(rest, order):
    """Whether ONOS takes all to be done that it told the switches of a pair, and they hold just that."""
    for switch in order.pair.switches:
        wanted = rest.get(f"/v1/flows/{switch.id}")["flows"]
        there = sorted(rule.cookie for rule in switch.rules)
        if sorted(int(one["id"]) % 2**64 for one in wanted) != there or {one["state"] for one in wanted} != {"ADDED"}:
            return False
        if rest.get(f"/v1/meters/{switch.id}")["meters"]:
            return False
    return True


def test_a_switch_that_drops_and_returns_between_any_two_messages_ends_right(onos, orders, capsys):
    all_end_right(onos, orders, every(orders), capsys)


@pytest.mark.long
def test_so_it_does_after_a_while_and_where_both_drop(onos, orders, capsys):
    # ONOS has noticed by then that it is gone, or it has not; a conversation that it refused is tried again meanwhile, or it is not.
    faults = [*every(orders, both=True), *every(orders, away_s=2.0), *every(orders, away_s=2.0, both=True), *every(orders, away_s=12.0)]
    all_end_right(onos, orders, faults, capsys)


def every(orders, **how):
    messages = min(len(order.messages) for order in orders)
    return [Fault(at, then, forgets, **how) for at, then, forgets in itertools.product(range(messages), Then, (False, True))]


def all_end_right(onos, orders, faults, capsys):
    began = time.monotonic()
    failed = tried(orders, faults)
    with capsys.disabled():
        print(f"\n{len(faults)} interleavings of {len(faults) // len(set(fault.at for fault in faults))} kinds in {time.monotonic() - began:.0f} s, of", sorted(len(order.messages) for order in orders), "messages", end="")
    assert not failed, "\n\n".join(failed)
    eventually(lambda: all(order.pair.holds() == order.idle and is_as_told(onos.rest, order) for order in orders))
