"""Whoever guesses passwords at a running ONOS is slowed down and logged, and nobody else is."""

from __future__ import annotations

from itertools import repeat

import pytest

from northbound.http_client import Client

pytestmark = pytest.mark.e2e
AT_ONCE = 10
PASSWORD = "secret"


def test_who_guesses_waits_and_nobody_else_does(onos, admin):
    def client(password, source):
        return Client(onos.space.namespace, "vera", password, patient=False, sources=repeat(source))

    guessing = client("wrong", "127.0.5.1")

    def refused_after(path):
        """How many guesses are looked at, until one is not. On a slow machine another is due before the last one is answered."""
        for guesses in range(10 * AT_ONCE):
            answer = guessing.get(path)
            if answer.status != 401:
                assert answer.status == 429 and 0 < int(answer.headers["Retry-After"]) <= 5 * AT_ONCE, answer
                return guesses
        pytest.fail(f"{10 * AT_ONCE} guesses at {path} are looked at")

    assert guessing.get("state").is_problem(401)
    assert refused_after("state") >= AT_ONCE - 1
    refused_after("../restconf/data/paceline-plan:plan")
    # Right or wrong, it is not looked at.
    assert any(refused_after("state") is not None and client(PASSWORD, "127.0.5.1").get("state").is_problem(429) for _ in range(3))
    assert client(PASSWORD, "127.0.5.2").get("state").status == 200
    assert admin.get("state").status == 200
    assert "A login as (vera) from (127.0.5.1) has failed." in onos.log()
    assert Client(onos.space.namespace, "vera", PASSWORD, sources=repeat("127.0.5.1")).get("state").status == 200, "as soon as it was told"
