"""An operator hears that the disk of ONOS's stores is nearly full, by what the kernel says of that disk."""

from __future__ import annotations

import re
import shutil

import pytest

from controller.office import ask
from switches.steps import eventually

pytestmark = pytest.mark.e2e
SETTING = "/paceline/v1/settings/diskAlarmMegabytes"
MEGABYTE = 1_000_000
# Others write on the same disk meanwhile, and remove what they wrote.
FAR, NEAR = 10_000 * MEGABYTE, 2_000 * MEGABYTE


@pytest.fixture
def threshold(onos):
    """Sets it, in megabytes; the default holds again afterwards."""
    yield lambda megabytes: ask(onos, "PUT", SETTING, {"value": megabytes})
    assert ask(onos, "DELETE", SETTING)[0] == 204


def said(onos):
    alarms = ask(onos, "GET", "/paceline/v1/alarms")[1]["alarms"]
    return [one["sentence"] for one in alarms if one["kind"] == "disk-nearly-full"]


def test_less_room_than_the_setting_says_is_an_alarm_until_there_is_enough(onos, threshold):
    partitions = onos.run_directory / "karaf" / "data" / "db" / "partitions"
    assert partitions.is_dir()
    assert not said(onos)
    free = shutil.disk_usage(partitions).free
    more = (free + FAR) // MEGABYTE
    assert threshold(more)[0] == 200
    sentence = eventually(lambda: next(iter(said(onos)), None))
    assert f"({partitions})" in sentence and f"({more * MEGABYTE})" in sentence
    told = re.search(r"has \((\d+)\) bytes free", sentence)
    assert told and abs(int(told[1]) - free) < NEAR
    # 0 is for no alarm, whatever is free.
    assert threshold(0)[0] == 200
    eventually(lambda: not said(onos))
    status, refusal = threshold(-1)
    assert status == 400 and "(-1)" in refusal["detail"]
    assert not said(onos)
