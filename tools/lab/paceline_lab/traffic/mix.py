"""Who talks: the paper's mix of applications, with the addresses that they get in the lab."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace


@dataclass(frozen=True)
class Kind:
    """One of the paper's application types. A conversation's intent shows in its server's port."""

    name: str
    intent: str
    port: int
    protocol: str
    kpi: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind("web", "web-browsing/science_lab", 80, "tcp", "page load time, s"),
        Kind("dl", "file-download/emailattach", 8080, "tcp", "time of 10 MB, s"),
        Kind("vod", "video-streaming/bbb", 8081, "tcp", "mean quality level"),
        Kind("live", "video-streaming/bbb_live", 8082, "tcp", "mean quality level"),
        Kind("ssh", "remote-terminal/sshadmin", 22, "tcp", "response time, s"),
        Kind("voip", "voip/g729.1", 5004, "udp", "loss and delay"),
    )
}

HOSTS = 3
# A server more, beside the first one, where a tenth of the applications is to have one of its own.
APART = HOSTS
PREFIX = 16
# Between which server and which client the users of a network with so many bottlenecks talk, in turn: with one, each with each. With
# three in a row a server is before each of them and a client behind: of nine users two cross all three, two cross two, five cross one,
# and each link has five.
ENDS = {
    1: tuple((place % HOSTS, place // HOSTS) for place in range(HOSTS**2)),
    3: ((0, 2), (0, 0), (1, 2), (2, 2), (1, 1), (0, 2), (2, 2), (0, 1), (0, 0)),
}


def server_name(index: int) -> str:
    return f"plsrv{index + 1}"


def client_name(index: int) -> str:
    return f"plcli{index + 1}"


def server_address(index: int) -> str:
    return f"10.0.1.{index + 1}"


def client_address(index: int, number: int) -> str:
    """`number` 0 is the client host's own address, which no application uses."""
    return f"10.0.{11 + index}.{number or 254}"


@dataclass(frozen=True)
class Application:
    """One user's application: a conversation from a server to a device with an address of its own."""

    id: str
    kind: str
    server: int
    client: int
    address: str
    # So many bottlenecks it crosses.
    links: int = 1

    @property
    def server_address(self) -> str:
        return server_address(self.server)

    def to_json(self) -> dict[str, object]:
        return {**asdict(self), "serverAddress": self.server_address, "port": KINDS[self.kind].port}


# A host has so many devices' addresses at most.
DEVICES = 250
MOST_APPLICATIONS = HOSTS * DEVICES


def counts(applications: int) -> dict[str, int]:
    """A fifth of each class, and video half on demand, half live. What does not divide goes to the first types."""
    if not 1 <= applications <= MOST_APPLICATIONS:
        raise ValueError(
            f"The number of applications ({applications}) must be from 1 to {MOST_APPLICATIONS}. Maybe 40."
        )
    fifth, rest = divmod(applications, 5)
    classes = {name: fifth + (1 if i < rest else 0) for i, name in enumerate(("web", "dl", "video", "ssh", "voip"))}
    video = classes.pop("video")
    result = {**classes, "vod": video - video // 2, "live": video // 2}
    return {name: result[name] for name in KINDS if result[name] > 0}


def most_applications(bottlenecks: int) -> int:
    ends = [client for _, client in ENDS[bottlenecks]]
    return DEVICES * len(ends) // max(ends.count(client) for client in ends)


def paper_mix(applications: int, bottlenecks: int = 1, apart: bool = False) -> list[Application]:
    mix = placed([kind for kind, count in counts(applications).items() for _ in range(count)], bottlenecks)
    return a_tenth_apart(mix) if apart else mix


def a_tenth_apart(applications: list[Application]) -> list[Application]:
    """One in ten, rounded up, has the server apart. All of them are the first server's, so that their ways stay the same; their types are spread."""
    first = [one.id for one in applications if one.server == 0]
    count = -(-len(applications) // 10)
    moved = {first[(2 * number + 1) * len(first) // (2 * count)] for number in range(count)}
    return [replace(one, server=APART) if one.id in moved else one for one in applications]


def even_mix(applications: int, kinds: tuple[str, ...]) -> list[Application]:
    """These kinds in turn."""
    return placed([kinds[number % len(kinds)] for number in range(applications)])


def placed(kinds: list[str], bottlenecks: int = 1) -> list[Application]:
    """Every kind is spread evenly over servers and clients."""
    made: list[Application] = []
    used = [0] * HOSTS
    numbers: dict[str, int] = {}
    for place, kind in enumerate(kinds):
        number = numbers[kind] = numbers.get(kind, 0) + 1
        server, client = ENDS[bottlenecks][place % len(ENDS[bottlenecks])]
        used[client] += 1
        links = 1 if bottlenecks == 1 else client + 1 - server
        made.append(Application(f"{kind}-{number}", kind, server, client, client_address(client, used[client]), links))
    return made
