"""How end-to-end tests go side by side: one process a group, each with a /run of its own, and so names of its own."""

from __future__ import annotations

import ctypes
import os
import subprocess

import pytest

CLONE_NEWNS = 0x00020000
# What programs of the tests expect to find in it.
FOLDERS = ("/run/netns", "/run/lock", "/run/openvswitch", "/run/sshd")


def pytest_configure(config):
    if hasattr(config, "workerinput") and os.geteuid() == 0:
        own_run_folder()


def own_run_folder():
    """Network namespaces and sockets have names below /run: nobody else sees this process's."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "This process can have no mounts of its own. Maybe run without -n.")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    for folder in FOLDERS:
        os.makedirs(folder)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Tests that share a running ONOS or mininet's names go one after the other; a folder has one of them."""
    for item in items:
        if item.get_closest_marker("e2e"):
            item.add_marker(pytest.mark.xdist_group(str(item.path.parent)))
