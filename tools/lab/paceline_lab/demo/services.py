"""The real servers: one nginx, one sshd and one voice sender in every server's namespace."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import IO

from ..machine import native
from ..machine.ledger import run
from ..networks.topology import Host
from ..traffic import content
from ..traffic.mix import KINDS, Application
from .network import Network

NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log warn; worker_processes 1; user root;
events {{ worker_connections 4096; }}
http {{
  types {{ text/html html; image/bmp bmp; video/mp4 mp4 m4s; application/dash+xml mpd; }}
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_timeout 3600s; keepalive_requests 1000000;
  send_timeout 300s; default_type application/octet-stream; open_file_cache max=1000 inactive=1h;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ {listen} root {root}; }}
}}
"""

# The shell behind a session reads the start-up files of whoever runs the lab, unless its home is elsewhere: they may
# cost a second of processor a session.
SSHD = """
SetEnv HOME={folder} PATH=/usr/bin:/bin
ListenAddress {address}:22
HostKey {folder}/host_key
AuthorizedKeysFile {keys}
PidFile none
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
UseDNS no
PrintMotd no
MaxStartups 200:30:400
MaxSessions 10
"""


class Services:
    def __init__(self, network: Network, folder: Path):
        self.network = network
        self.folder = folder
        self.root = folder / "www"
        self.key = folder / "key"

    def ssh_command(self) -> list[str]:
        return [
            "ssh", "-T", "-F", "none", "-i", str(self.key), "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no",
            "-o", "UserKnownHostsFile=/dev/null", "-o", "GlobalKnownHostsFile=/dev/null", "-o", "IPQoS=none",
            "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=20",
        ]  # fmt: skip

    def start(self) -> None:
        content.write(self.root)
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.key))
        privileges = Path("/run/sshd")
        if not privileges.exists():
            # sshd wants this empty folder; the package's service would make it at boot.
            self.network.space.ledger.note("undo", ["rmdir", str(privileges)])
            privileges.mkdir(mode=0o755)
        for host in self.network.servers:
            self.start_nginx(host)
            self.start_sshd(host)

    def start_nginx(self, host: Host) -> None:
        folder = self.folder / host.name
        folder.mkdir()
        ports = [kind.port for kind in KINDS.values() if kind.name in ("web", "dl", "vod", "live")]
        listen = " ".join(f"listen {host.address}:{port};" for port in ports)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, listen=listen, root=self.root))
        words = ("nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder))
        self.network.popen(*words, host=host.name, stdout=subprocess.DEVNULL, stderr=open(folder / "nginx.err", "wb"))

    def start_sshd(self, host: Host) -> None:
        folder = self.folder / host.name
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / "host_key"))
        (folder / "sshd.conf").write_text(SSHD.format(address=host.address, folder=folder, keys=f"{self.key}.pub"))
        words = ("/usr/sbin/sshd", "-D", "-f", str(folder / "sshd.conf"), "-E", str(folder / "sshd.log"))
        self.network.popen(*words, host=host.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_calls(self, applications: list[Application]) -> list[subprocess.Popen[bytes]]:
        """The speaking side of every call."""
        port = KINDS["voip"].port
        senders = []
        for index, host in enumerate(self.network.servers):
            remotes = [f"{a.address}:{port}" for a in applications if a.kind == "voip" and a.server == index]
            if remotes:
                senders.append(self.voice(host, subprocess.DEVNULL, "send", f"{host.address}:{port}", *remotes))
        return senders

    def hear_calls(self, applications: list[Application], to: Path) -> list[subprocess.Popen[bytes]]:
        port = KINDS["voip"].port
        hearers = []
        for index, host in enumerate(self.network.clients):
            streams = [w for a in applications if a.kind == "voip" and a.client == index for w in (f"{a.address}:{port}", a.id)]
            if streams:
                hearers.append(self.voice(host, open(f"{to}.{host.name}", "ab"), "hear", *streams))
        return hearers

    def probe(self, to: Path) -> subprocess.Popen[bytes]:
        """A round trip across all bottlenecks every 20 ms."""
        client, server = self.network.farthest
        return self.voice(client, open(to, "ab"), "probe", client.address, server.address, "20")

    def voice(self, host: Host, out: IO[bytes] | int, *words: str) -> subprocess.Popen[bytes]:
        return self.network.popen(str(native.build() / "voice"), *words, host=host.name, stdout=out, stderr=self.network.log("voice"))
