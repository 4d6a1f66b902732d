"""What a user sees who starts ONOS twice, installs twice, or asks for the impossible."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from onos_driver import OPENFLOW, Onosctl

pytestmark = pytest.mark.e2e


def archive(path: Path, version: str, bundle: str = "") -> Path:
    """The smallest application that ONOS takes, or refuses where its bundle is not to be had."""
    with zipfile.ZipFile(path, "w") as oar:
        oar.writestr("app.xml", f"""<?xml version="1.0" encoding="UTF-8"?>
<app name="org.paceline.test" origin="Paceline" version="{version}" category="default" url="http://localhost"
     title="Test" featuresRepo="mvn:org.paceline/test/{version}/xml/features" features="test">
  <description>Nothing</description>
</app>""")
        oar.writestr("features.xml", f"""<?xml version="1.0" encoding="UTF-8"?>
<features xmlns="http://karaf.apache.org/xmlns/features/v1.2.0" name="test">
  <feature name="test" version="{version}">{bundle}</feature>
</features>""")
        oar.writestr(f"m2/org/paceline/test/{version}/test-{version}-features.xml", oar.read("features.xml"))
    return path


def test_up_is_harmless_where_onos_runs(onosctl):
    again = onosctl("up")
    assert again.returncode == 0, again.stderr
    assert "was already up" in again.stdout


def test_an_archive_may_be_installed_twice_and_replaced(onosctl, rest, tmp_path):
    first = archive(tmp_path / "a.oar", "1.0")
    assert "org.paceline.test is installed." in onosctl("up", f"--app={first}").stdout
    assert "already installed" in onosctl("up", f"--app={first}").stdout
    second = archive(tmp_path / "b.oar", "1.1")
    replaced = onosctl("up", f"--app={second}")
    assert "installed anew" in replaced.stdout, replaced.stderr
    assert rest.get("/applications/org.paceline.test")["version"] == "1.1"
    assert rest.applications()["org.paceline.test"] == "ACTIVE"


def test_an_application_that_cannot_start_is_refused_soon_and_leaves_nothing(onosctl, rest, tmp_path):
    rest.call("DELETE", "/applications/org.paceline.test")
    broken = archive(tmp_path / "broken.oar", "1.2", "<bundle>mvn:org.paceline/absent/1.0</bundle>")
    refused = onosctl("up", f"--app={broken}")
    assert refused.returncode == 1
    assert "ONOS cannot activate org.paceline.test" in refused.stderr
    assert "org.paceline:absent:jar:1.0" in refused.stderr
    assert "org.paceline.test" not in rest.applications()
    assert onosctl("status").returncode == 0


def test_status_names_what_runs(onosctl):
    status = json.loads(onosctl("status", "--json").stdout)
    assert status["running"] and status["ready"]
    assert status["ports"]["openflow"] == OPENFLOW


def test_a_taken_port_is_named_with_its_holder_and_a_way_out(onosctl, tmp_path):
    other = Onosctl(tmp_path / "other")
    refused = other("up")
    assert refused.returncode == 1
    assert "is already in use by process" in refused.stderr and "(java)" in refused.stderr
    assert "--rest-port" in refused.stderr
    assert not other.run_directory.exists()


def test_other_ports_for_a_running_onos_are_refused(onosctl):
    refused = onosctl("up", "--ssh-port=18299")
    assert refused.returncode == 1
    assert "Maybe take it down first" in refused.stderr
    anew = onosctl("up", "--fresh")
    assert anew.returncode == 1
    assert "Maybe take it down first: down --forget" in anew.stderr


def test_what_is_no_archive_is_refused_before_anything_starts(onosctl, tmp_path):
    wrong = tmp_path / "wrong.oar"
    wrong.write_text("no zip")
    refused = onosctl("up", f"--app={wrong}")
    assert refused.returncode == 1 and "is no ONOS application archive" in refused.stderr
    missing = onosctl("up", f"--app={tmp_path / 'absent.oar'}")
    assert missing.returncode == 1 and "Maybe build it first" in missing.stderr
    settings = onosctl("up", f"--network-cfg={wrong}")
    assert settings.returncode == 2 and "is no network configuration" in settings.stderr


def test_down_is_harmless_where_nothing_runs(space, tmp_path):
    down = Onosctl(tmp_path / "nothing")("down")
    assert down.returncode == 0
    assert "was not running" in down.stdout


def test_a_recorded_process_that_is_not_ours_is_left_alone(space, tmp_path):
    stranger = Onosctl(tmp_path / "runs" / "stale")
    stranger.run_directory.mkdir(parents=True)
    (stranger.run_directory / "onos.json").write_text('{"pid": 1, "start_ticks": 0, "ports": {}}')
    down = stranger("down")
    assert down.returncode == 0 and "its leftovers are removed" in down.stdout
    assert not stranger.run_directory.exists()
    assert Path("/proc/1").exists()
