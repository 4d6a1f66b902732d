"""The certificates by which host agents and the application know each other."""

from __future__ import annotations

import datetime
import json
import subprocess

from .assembly import PROJECT
from .errors import OnosError
from .rest import Rest
from .settings import Settings

APPLICATION = "org.paceline.app"
_COMPONENT = "org.paceline.onos.PacelineComponent"
_MAKER = PROJECT / "tools" / "certificates"


_SOON = datetime.timedelta(days=30)


def make(settings: Settings) -> bool:
    """Makes the authority's and the controller's where there are none, and renews what ends soon; whether there were none."""
    directory = settings.tls_directory
    existed = (directory / "controller.pem").exists()
    ends = end(settings)
    if ends is not None and ends - datetime.datetime.now(datetime.timezone.utc) >= _SOON:
        return False
    made = subprocess.run([str(_MAKER), str(directory)], capture_output=True, text=True, check=False)
    # Without the authority's key nothing can be renewed: what is there holds for some time yet, and is told of.
    if made.returncode != 0 and not existed:
        raise OnosError(f"The certificates for host agents cannot be made: {made.stderr.strip()}")
    return not existed


def end(settings: Settings) -> datetime.datetime | None:
    """When the controller's ends; None where there is none."""
    file = settings.tls_directory / "controller.pem"
    if not file.exists():
        return None
    said = subprocess.run(["openssl", "x509", "-in", str(file), "-noout", "-enddate"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        return None
    ends = datetime.datetime.strptime(said.stdout.strip().removeprefix("notAfter="), "%b %d %H:%M:%S %Y GMT")
    return ends.replace(tzinfo=datetime.timezone.utc)


def shown(ends: datetime.datetime, now: datetime.datetime, settings: Settings) -> str:
    """For a person, with what to do where it is soon."""
    left = f"the controller's certificate for host agents holds until {ends:%Y-%m-%d} ({max(0, (ends - now).days)} days)"
    soon = f". Maybe renew it (tools/certificates {settings.tls_directory}); the next `up` does it, too" if ends - now < _SOON else ""
    return left + soon


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
        f"Host agents attach to port 9559 with certificates by the authority in {directory}. A host's own: paceline:enrolment-token-make HOSTID in ONOS's "
        "shell, and with what that shows paceline-agent enrol --controller HERE TOKEN on the host, which says what its agent.yaml needs; "
        f"or tools/certificates {directory} HOSTID."
    )
