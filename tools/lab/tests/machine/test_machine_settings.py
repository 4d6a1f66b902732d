import subprocess
import sys

import pytest
from paceline_lab.checkout import LAB
from paceline_lab.machine.settings import SOCKET_BUFFERS, hold, is_there, release

NAME = "net.core.wmem_default"


@pytest.fixture
def machine(tmp_path):
    """A folder like /proc/sys, and where it is written down who needs what of it."""
    file = tmp_path / "net/core/wmem_default"
    file.parent.mkdir(parents=True)
    file.write_text("212992\n")
    return file, {"root": tmp_path, "register": tmp_path / "register.json"}


def test_the_last_of_two_sets_back_what_the_first_found(machine):
    file, where = machine
    hold({NAME: "8388608"}, "one", **where)
    hold({NAME: "8388608"}, "other", **where)
    release("one", **where)
    assert file.read_text() == "8388608"
    release("other", **where)
    assert file.read_text() == "212992"
    assert not where["register"].exists()


def test_holding_and_releasing_again_changes_nothing(machine):
    file, where = machine
    hold({NAME: "8388608"}, "one", **where)
    hold({NAME: "8388608"}, "one", **where)
    release("one", **where)
    release("one", **where)
    assert file.read_text() == "212992"


def killed(where):
    call = f"from paceline_lab.machine.settings import hold; from pathlib import Path; hold({{{NAME!r}: '8388608'}}, 'killed', Path({str(where['root'])!r}), Path({str(where['register'])!r}))"  # fmt: skip
    subprocess.run([sys.executable, "-c", call], check=True, cwd=LAB)


def test_who_was_killed_holds_nothing_and_what_it_found_is_set_back(machine):
    file, where = machine
    killed(where)
    assert file.read_text() == "8388608"
    hold({NAME: "8388608"}, "one", **where)
    release("one", **where)
    assert file.read_text() == "212992"


def test_what_was_set_right_after_a_kill_is_what_is_found(machine):
    file, where = machine
    killed(where)
    file.write_text("300000\n")
    hold({NAME: "8388608"}, "one", **where)
    release("one", **where)
    assert file.read_text() == "300000"


def test_many_at_once_lose_nobody(machine):
    file, where = machine
    call = f"""
from pathlib import Path
from paceline_lab.machine.settings import hold, is_there, release
import os
for turn in range(50):
    hold({{{NAME!r}: '8388608'}}, str(os.getpid()), Path({str(where['root'])!r}), Path({str(where['register'])!r}))
    assert Path({str(file)!r}).read_text() == '8388608'
    release(str(os.getpid()), Path({str(where['root'])!r}), Path({str(where['register'])!r}))
"""
    all_of_them = [subprocess.Popen([sys.executable, "-c", call], cwd=LAB) for _ in range(4)]
    assert [one.wait() for one in all_of_them] == [0, 0, 0, 0]
    assert file.read_text().strip() == "212992"
    assert not where["register"].exists()


def elsewhere(value, register):
    """What a process says that holds and releases the real setting in a network namespace of its own, as a container has one."""
    call = f"""
from pathlib import Path
from paceline_lab.machine.settings import hold, release
hold({{{NAME!r}: {value!r}}}, "one", register=Path({str(register)!r}))
release("one", register=Path({str(register)!r}))
"""
    # Else it would find the way back to the machine's.
    alone = 'mount --make-rprivate / && mount -t tmpfs tmpfs /run && exec "$@"'
    words = ["unshare", "--net", "--mount", "sh", "-c", alone, "sh", sys.executable, "-c", call]
    return subprocess.run(words, cwd=LAB, capture_output=True, text=True)


@pytest.mark.e2e
def test_what_only_the_machine_may_set_is_said_and_nobody_holds_it(tmp_path):
    said = elsewhere("1234567", tmp_path / "register.json")
    assert f"RuntimeError: {NAME} must be 1234567, and only the machine's own network namespace may set it" in said.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.e2e
def test_what_the_machine_has_already_is_held_and_released_without_a_write(tmp_path):
    # As long as it is held no run beside this one sets it back.
    hold(SOCKET_BUFFERS, str(tmp_path))
    try:
        said = elsewhere(SOCKET_BUFFERS[NAME], tmp_path / "register.json")
    finally:
        release(str(tmp_path))
    if "no such setting" in said.stderr:
        pytest.skip("this kernel shows the setting to the machine's own network namespace only")
    assert (said.returncode, said.stderr) == (0, "")


def test_what_was_taken_away_or_made_anew_is_not_there_any_more(tmp_path):
    path = tmp_path / "register.json"
    with open(path, "a+") as file:
        assert is_there(file, path)
        path.unlink()
        assert not is_there(file, path)
        path.touch()
        assert not is_there(file, path)
