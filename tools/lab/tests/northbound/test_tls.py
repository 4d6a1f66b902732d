"""REST over TLS as the operator guide has it: the settings are put into a running ONOS, and taken back."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import ssl
import subprocess
import warnings

import pytest
from paceline_lab.checkout import ROOT
from paceline_lab.networks.space import entered

from switches.steps import eventually

pytestmark = pytest.mark.e2e

CERTIFICATES = ROOT / "tools/certificates"
PORT = 8443
NAME = "paceline-controller"
POLICY = "restconf/data/paceline-policy:policy"


def settings(keystore):
    """What the operator guide says."""
    return {
        "org.osgi.service.http.secure.enabled": "true",
        "org.osgi.service.http.port.secure": PORT,
        "org.osgi.service.http.enabled": "false",
        "org.ops4j.pax.web.ssl.keystore": keystore,
        "org.ops4j.pax.web.ssl.keystore.type": "PKCS12",
        "org.ops4j.pax.web.ssl.password": "changeit",
        "org.ops4j.pax.web.ssl.keypassword": "changeit",
        "org.ops4j.pax.web.ssl.protocols.included": "TLSv1.2,TLSv1.3",
    }


class Https(http.client.HTTPSConnection):
    """To the name that the certificate has, wherever that is."""

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", PORT), timeout=30)
        self.sock = self._context.wrap_socket(plain, server_hostname=NAME)


def ask(namespace, context, path):
    login = {"Authorization": "Basic " + base64.b64encode(b"onos:rocks").decode()}
    with entered(namespace):
        connection = Https(NAME, context=context, timeout=30)
        try:
            connection.request("GET", path, headers=login)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


@pytest.fixture
def secured(onos, admin, tmp_path):
    """The authority's certificate, while ONOS speaks TLS only."""
    subprocess.run([CERTIFICATES, tmp_path / "tls"], check=True, capture_output=True)
    keystore = tmp_path / "tls/rest.p12"
    subprocess.run(
        ["openssl", "pkcs12", "-export", "-in", "controller.pem", "-inkey", "controller.key", "-out", keystore, "-passout", "pass:changeit"],
        cwd=tmp_path / "tls", check=True, capture_output=True,
    )  # fmt: skip
    file = onos.run_directory / "karaf/etc/org.ops4j.pax.web.cfg"
    before = file.read_text()
    changed = settings(keystore)
    kept = [line for line in before.splitlines() if line.split("=")[0].strip() not in changed]
    file.write_text("\n".join([*kept, *(f"{name} = {value}" for name, value in changed.items())]) + "\n")
    try:
        yield tmp_path / "tls/ca.pem"
    finally:
        file.write_text(before)
        eventually(lambda: answers(admin))


def answers(admin):
    try:
        return admin.is_up() and admin.get("/onos/v1/applications").status == 200
    except (OSError, http.client.HTTPException):
        return False


def is_up(namespace, context):
    """While the web server starts anew, each of its applications comes by itself, and who asks may be cut off."""
    try:
        return all(ask(namespace, context, f"/onos/paceline/{path}")[0] == 200 for path in ("v1/state", POLICY))
    except (OSError, http.client.HTTPException):
        return False


def of_old(authority):
    """Speaks nothing newer than TLS 1.1."""
    context = ssl.create_default_context(cafile=authority)
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    return context


def test_rest_and_restconf_are_served_over_tls_and_not_without(onos, admin, secured):
    space = onos.space.namespace
    trusting = ssl.create_default_context(cafile=secured)
    eventually(lambda: is_up(space, trusting))
    status, body = ask(space, trusting, f"/onos/paceline/{POLICY}")
    assert status == 200 and json.loads(body)["paceline-policy:policy"]["version"]
    with pytest.raises(ssl.SSLCertVerificationError):
        ask(space, ssl.create_default_context(), "/onos/paceline/v1/state")
    with pytest.raises((ssl.SSLError, ConnectionError)), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        ask(space, of_old(secured), "/onos/paceline/v1/state")
    with pytest.raises(OSError):
        admin.get("state")
