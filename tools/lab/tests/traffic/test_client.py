"""What a user's requests leave on record."""

import asyncio
from types import SimpleNamespace

from paceline_lab.traffic import content
from paceline_lab.traffic.client import User

SIZES = content.page_sizes()
PIECE = 4096


class Paced:
    """A connection whose answers come in small pieces, as those of its neighbours do meanwhile."""

    def __init__(self):
        self.done, self.received = None, 0

    async def get(self, path):
        size = SIZES[int(path.rpartition("/")[2])]
        self.done, self.received = asyncio.get_running_loop().create_future(), 0
        while self.received < size:
            await asyncio.sleep(0)
            self.received = min(size, self.received + PIECE)
        self.done.set_result(None)
        return self.received


def user(told):
    host = SimpleNamespace(seed=1, reports=None, tell=told.append)
    settings = {"id": "web-1", "kind": "web", "address": "10.0.11.1", "serverAddress": "10.0.1.1", "port": 80}
    one = User(host, settings)
    connections = [Paced() for _ in range(content.PAGE_CONNECTIONS)]

    async def connection(number=0):
        return connections[number]

    one.connection = connection
    return one


def test_a_page_has_the_bytes_of_all_its_connections():
    told = []
    asyncio.run(user(told).request_web())
    assert [record["bytes"] for record in told] == [content.PAGE_BYTES]


def test_an_unfinished_page_has_what_has_come_on_all_its_connections():
    so_far = []

    async def watched():
        one = user([])
        page = asyncio.ensure_future(one.request_web())
        while not page.done():
            await asyncio.sleep(0)
            if record := one.partial():
                so_far.append(record["bytes"])

    asyncio.run(watched())
    # A piece of each may have come since.
    assert so_far[-1] >= content.PAGE_BYTES - content.PAGE_CONNECTIONS * PIECE
