"""Downloads by curl, one after the other, each over a connection of its own: a JSON line with the time of each.

    python3 -m paceline_lab.real_programs.download LOCAL REMOTE
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

from ..traffic.client import PAUSE_S
from ..traffic.content import DOWNLOAD_BYTES
from ..traffic.mix import KINDS


def words(local: str, remote: str) -> list[str]:
    # What it measures goes to the standard error, as the file goes to the standard output.
    told = "%{stderr}%{time_total} %{size_download}\n"
    url = f"http://{remote}:{KINDS['dl'].port}/dl/10MB"
    return ["curl", "--disable", "--silent", "--show-error", "--fail", "--noproxy", "*", "--interface", local, "--output", "-", "--write-out", told, url]


def seconds_of(told: str) -> float:
    """Of one download. Raises ValueError where that was not the whole file, or is no time."""
    seconds, size = told.split()
    if int(size) != DOWNLOAD_BYTES:
        raise ValueError(f"curl has fetched {size} bytes of {DOWNLOAD_BYTES}")
    return float(seconds)


def main(local: str, remote: str) -> None:
    while True:
        done = subprocess.run(words(local, remote), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"curl has ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        print(json.dumps({"downloadS": seconds_of(done.stderr)}), flush=True)
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
