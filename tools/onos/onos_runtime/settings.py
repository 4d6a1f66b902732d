"""What one ONOS is told when it starts."""

from __future__ import annotations

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
    resume: bool = False

    @property
    def karaf_base(self) -> Path:
        """One level below: ONOS reads ../config and ../apps from where it runs."""
        return self.run_directory / "karaf"

    @property
    def stored(self) -> tuple[Path, ...]:
        """What ONOS finds again: the logs of its stores, and its applications' archives and bundles."""
        return (self.karaf_base / "data" / "db", self.karaf_base / "system", self.run_directory / "apps")

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
