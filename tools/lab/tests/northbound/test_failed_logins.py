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
    for _ in range(AT_ONCE):
        assert guessing.get("state").is_problem(401)
    for path in ("state", "../restconf/data/paceline-plan:plan"):
        refused = guessing.get(path)
        assert refused.status == 429 and 0 < int(refused.headers["Retry-After"]) <= 5 * AT_ONCE, refused
    # Right or wrong, it is not looked at.
    assert client(PASSWORD, "127.0.5.1").get("state").is_problem(429)
    assert client(PASSWORD, "127.0.5.2").get("state").status == 200
    assert admin.get("state").status == 200
    assert "A login as (vera) from (127.0.5.1) has failed." in onos.log()
    assert Client(onos.space.namespace, "vera", PASSWORD, sources=repeat("127.0.5.1")).get("state").status == 200, "as soon as it was told"
