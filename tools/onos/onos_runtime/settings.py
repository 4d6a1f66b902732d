"""What one ONOS is told when it starts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Settings:
    run_directory: Path
    rest_port: int = 8181
    ssh_port: int = 8101
    openflow_port: int = 6653
    cluster_port: int = 9876
    heap: str = "1g"
    network_cfg: str | None = None
    keep_rules: bool = False
    fresh: bool = False

    @property
    def karaf_base(self) -> Path:
        """One level below: ONOS reads ../config and ../apps from where it runs."""
        return self.run_directory / "karaf"

    @property
    def tls_directory(self) -> Path:
        """The certificates by which host agents and the application know each other."""
        return self.run_directory / "tls"

    def password(self) -> str:
        """Of the user onos, which an operator may have changed."""
        try:
            users = self.login_files[0].read_text()
        except OSError:
            users = ""
        entry = re.search(r"^\s*onos\s*=\s*([^,\s]*)", users, re.MULTILINE)
        return entry[1] if entry else "rocks"

    @property
    def login_files(self) -> tuple[Path, ...]:
        """Users with their roles, and the key by which the console is known again."""
        return (self.karaf_base / "etc" / "users.properties", self.karaf_base / "etc" / "host.key")

    @property
    def stored(self) -> tuple[Path, ...]:
        """What ONOS finds again, or its operator: the logs of its stores, what was exported of them, its applications' archives and bundles, users and certificates."""
        return (
            self.karaf_base / "data" / "db", self.karaf_base / "data" / "paceline", self.karaf_base / "system", self.run_directory / "apps",
            self.tls_directory, *self.login_files,
        )  # fmt: skip

    @property
    def pid_file(self) -> Path:
        return self.run_directory / "onos.json"

    @property
    def log_file(self) -> Path:
        return self.karaf_base / "data" / "log" / "karaf.log"

    @property
    def console_file(self) -> Path:
        return self.run_directory / "console.log"

    def ports(self) -> dict[str, int]:
        return {
            "rest": self.rest_port,
            "ssh": self.ssh_port,
            "openflow": self.openflow_port,
            "cluster": self.cluster_port,
        }
