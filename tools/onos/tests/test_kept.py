"""What `down` leaves for the next `up`, and what it does not; without ONOS itself."""

from __future__ import annotations

import datetime
import subprocess

import pytest
from onos_runtime import certificates, home
from onos_runtime.progress import Progress
from onos_runtime.runtime import Runtime
from onos_runtime.settings import Settings


@pytest.fixture
def settings(tmp_path, monkeypatch):
    karaf = tmp_path / "assembly"
    (karaf / "etc").mkdir(parents=True)
    (karaf / "etc" / "users.properties").write_text("onos = rocks,_g_:admingroup\n")
    (karaf / "etc" / "org.apache.felix.fileinstall-deploy.cfg").write_text("")
    monkeypatch.setattr(home, "KARAF", karaf)
    return Settings(tmp_path / "run" / "onos")


@pytest.fixture
def was_up(settings):
    """A run that was up, with a policy in its stores and a user of its own; it has ended by itself."""
    home.lay(settings)
    (settings.karaf_base / "data" / "db").mkdir()
    (settings.karaf_base / "data" / "db" / "policy.log").write_text("voip: 80")
    with open(settings.karaf_base / "etc" / "users.properties", "a") as users:
        users.write("anna = secret,viewer\n")
    assert certificates.make(settings)
    runtime = Runtime(settings, Progress(quiet=True))
    runtime._remember(installed={"org.paceline.app": "digest"}, ready=True)
    return runtime


def test_down_keeps_policy_users_and_certificates_and_says_so(settings, was_up):
    (settings.karaf_base / "data" / "log" / "karaf.log").write_text("much")
    authority = (settings.tls_directory / "ca.pem").read_text()
    for _ in range(2):
        said = was_up.down(forget=False)
        assert f"stay in {settings.run_directory}" in said and "--forget" in said
    assert not settings.log_file.exists()

    home.lay(settings)
    assert (settings.karaf_base / "data" / "db" / "policy.log").read_text() == "voip: 80"
    users = (settings.karaf_base / "etc" / "users.properties").read_text()
    assert "anna = secret,viewer" in users and users.count("onos = rocks") == 1
    assert not certificates.make(settings)
    assert (settings.tls_directory / "ca.pem").read_text() == authority
    assert was_up.recorded() == {"installed": {"org.paceline.app": "digest"}, "ready": True}


def test_down_leaves_nothing_where_it_is_told_to_forget(settings, was_up):
    was_up.down(forget=False)
    assert "stay" not in was_up.down(forget=True)
    assert not settings.run_directory.exists()


def test_what_was_never_up_is_not_kept(settings):
    home.lay(settings)
    (settings.karaf_base / "data" / "db").mkdir()
    assert "stay" not in Runtime(settings, Progress(quiet=True)).down(forget=False)
    assert not settings.run_directory.exists()


def test_the_password_that_an_operator_has_set_is_used(settings):
    assert settings.password() == "rocks"
    home.lay(settings)
    (settings.karaf_base / "etc" / "users.properties").write_text("# users\nonos = new.secret,_g_:admingroup\n")
    assert settings.password() == "new.secret"


def test_a_controllers_certificate_is_renewed_before_it_ends_and_only_then(settings, was_up):
    held = settings.tls_directory / "controller.pem"
    first = held.read_text()
    ends = certificates.end(settings)
    assert not certificates.make(settings) and held.read_text() == first

    held.unlink()
    subprocess.run([certificates._MAKER, settings.tls_directory, "--days", "29"], check=True, capture_output=True)
    soon = certificates.end(settings)
    assert soon < ends
    assert "Maybe renew it" in certificates.shown(soon, soon - datetime.timedelta(days=29), settings)

    key, apart = settings.tls_directory / "ca.key", settings.tls_directory.parent / "ca.key"
    authority = (settings.tls_directory / "ca.pem").read_text()
    key.rename(apart)
    assert not certificates.make(settings) and certificates.end(settings) == soon
    apart.rename(key)
    assert not certificates.make(settings)
    assert certificates.end(settings) >= ends and (settings.tls_directory / "ca.pem").read_text() == authority
    assert "Maybe" not in certificates.shown(certificates.end(settings), soon - datetime.timedelta(days=29), settings)
    chain = ["openssl", "verify", "-CAfile", settings.tls_directory / "ca.pem", held]
    assert subprocess.run(chain, capture_output=True).returncode == 0
    key = subprocess.run(["openssl", "pkey", "-in", settings.tls_directory / "controller.key", "-pubout"], capture_output=True, text=True)
    assert key.stdout == subprocess.run(["openssl", "x509", "-in", held, "-noout", "-pubkey"], capture_output=True, text=True).stdout
    assert not list(settings.tls_directory.glob("*.new*"))


def test_certificates_are_of_the_one_authority(settings, was_up):
    made = subprocess.run([certificates._MAKER, settings.tls_directory, "srv1"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    chain = ["openssl", "verify", "-CAfile", settings.tls_directory / "ca.pem", settings.tls_directory / "srv1.pem"]
    assert subprocess.run(chain, capture_output=True).returncode == 0
    assert f"tools/certificates {settings.tls_directory} HOSTID" in certificates.advice(settings)
