"""The certificates by which host agents and the application know each other."""

from __future__ import annotations

import json
import subprocess

from .assembly import PROJECT
from .errors import OnosError
from .rest import Rest
from .settings import Settings

APPLICATION = "org.paceline.app"
_COMPONENT = "org.paceline.onos.PacelineComponent"
_MAKER = PROJECT / "tools" / "certificates"


def make(settings: Settings) -> bool:
    """Makes the authority's and the controller's where there are none; whether it did."""
    directory = settings.tls_directory
    if (directory / "controller.pem").exists():
        return False
    made = subprocess.run([str(_MAKER), str(directory)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise OnosError(f"The certificates for host agents cannot be made: {made.stderr.strip()}")
    return True


def tell(rest: Rest, settings: Settings) -> None:
    """The application reads where they are when it starts, so it is told before."""
    body = json.dumps({"tlsDirectory": str(settings.tls_directory)}).encode()
    status, answer = rest.call("POST", f"/configuration/{_COMPONENT}?preset=true", body)
    if status not in (200, 207):
        raise OnosError(f"ONOS does not take where the certificates are (HTTP {status}): {answer.decode(errors='replace')[:300]}")


def advice(settings: Settings) -> str:
    """How a host gets its own."""
    directory = settings.tls_directory
    return (
        f"Host agents attach to port 9559 with certificates by the authority in {directory}. A host's own: tools/certificates {directory} HOSTID; "
        "then take ca.pem, HOSTID.pem and HOSTID.key from there to the host and name them under tls: in its agent.yaml."
    )
