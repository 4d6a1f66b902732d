"""Tells the agent of this host what this process does. Only the standard library is needed."""

import json
import socket


class Refused(Exception):
    """What the agent did not agree to; its words say why."""


class PacelineClient:
    """A connection to the agent; all that is said holds as long as it: closing takes it back."""

    def __init__(self, path):
        """path: of the socket, as the agent's configuration names it under `applications`."""
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._answers = self._socket.makefile("r", encoding="utf-8")

    def claim(self, intent, one=None):
        """All sockets that this process has and will have serve this intent; or only the one given.

        one: connected, or a bound UDP socket, of which all that it sends is meant.
        """
        request = {"do": "claim", "intent": intent}
        if one is not None:
            udp = one.type == socket.SOCK_DGRAM
            request["socket"] = {"protocol": "udp" if udp else "tcp", "local": _end(one.getsockname())}
            try:
                request["socket"]["remote"] = _end(one.getpeername())
            except OSError:
                if not udp:
                    raise
        self._ask(request)

    def report(self, **kpis):
        """What this process has measured itself, such as rtt_ms=12.5; the latest counts."""
        self._ask({"do": "report", "kpis": kpis})

    def grants(self):
        """A dictionary for each conversation of the sockets that this connection has claimed."""
        return self._ask({"do": "grants"})["conversations"]

    def _ask(self, request):
        self._socket.sendall((json.dumps(request) + "\n").encode())
        line = self._answers.readline()
        if not line:
            raise ConnectionError("The agent has ended the connection.")
        answer = json.loads(line)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def close(self):
        self._answers.close()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _end(address):
    host = address[0].split("%")[0]
    return f"[{host}]:{address[1]}" if ":" in host else f"{host}:{address[1]}"
