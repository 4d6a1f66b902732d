"""Two SIP phones (baresip) that call each other: a JSON line with loss and delay of each call, by the phone's own RTCP.

    python3 -m paceline_lab.real_programs.phone talk|hear LOCAL REMOTE

`talk` calls again and again; `hear` answers, and says what its phone has told of a call that is over. Both send G.711, as
phones do. Loss is that of what is heard (RFC 3550, section 6.4.1). Of delay RTCP knows only the round trip: half of it
counts, and what the light generator's phone adds, the speech of a packet and the buffer before it is played.
"""

from __future__ import annotations

import array
import json
import math
import re
import signal
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path
from typing import Any

from ..machine.ledger import FOLDER
from ..measure_utility.traffic import JITTER_BUFFER_S, PACKETISATION_S

PORT, RATE, TONE_HZ = 5060, 8000, 400
# A phone tells what it has heard each 5 s; the last time that is about 10 s of speech.
CALL_S, BETWEEN_S, ENDS_S = 14, 1.0, 3.0
MODULES = ("g711", "aufile", "aubridge")

CONFIG = """
sip_listen {local}:{port}
audio_source aufile,{speech}
audio_player aubridge,ear
audio_alert aubridge,bell
audio_srate {rate}
rtp_stats yes
module_path {modules}
{loaded}
module_tmp account.so
module_app menu.so
module_app rtcpsummary.so
"""
SUMMARY = re.compile(r"EX=BareSip;(.*)")


def speech(file: Path) -> None:
    """A tone as long as a call, and longer than one that ends late."""
    period = array.array("h", (round(8000 * math.sin(2 * math.pi * TONE_HZ * n / RATE)) for n in range(RATE // TONE_HZ)))
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(period.tobytes() * (TONE_HZ * 3 * CALL_S))


def modules() -> str:
    """Where Debian has the phone's; it is told by no program."""
    for folder in (Path("/usr/lib/baresip/modules"), *Path("/usr/lib").glob("*/baresip/modules")):
        if folder.is_dir():
            return str(folder)
    sys.exit("baresip has no modules below /usr/lib. Maybe: apt-get install --reinstall baresip-core")


def settings(folder: Path, local: str) -> None:
    speech(folder / "speech.wav")
    loaded = "\n".join(f"module {name}.so" for name in MODULES)
    (folder / "config").write_text(CONFIG.format(local=local, port=PORT, speech=folder / "speech.wav", rate=RATE, modules=modules(), loaded=loaded))
    (folder / "accounts").write_text(f"<sip:phone@{local}:{PORT};transport=udp>;regint=0;answermode=auto;audio_codecs=PCMU/{RATE}/1\n")
    (folder / "contacts").touch()


def told(line: str) -> dict[str, float] | None:
    """The KPIs of a call that is over; none where the line is of something else. A call of which RTCP has said nothing was not heard."""
    if not (found := SUMMARY.search(line)):
        return None
    fields = dict(part.split("=", 1) for part in found[1].strip().strip(";").split(";") if "=" in part)
    if "ERROR" in fields or float(fields["PR"]) <= 0:
        return {"loss": 1.0, "delayMs": 1000 * (JITTER_BUFFER_S + PACKETISATION_S)}
    # The first of two is what is received.
    lost = max(0.0, float(fields["PL"].split(",")[0]))
    return {
        "loss": round(min(1.0, lost / float(fields["PR"])), 6),
        "delayMs": round(float(fields["DL"]) / 2 + 1000 * (JITTER_BUFFER_S + PACKETISATION_S), 3),
    }


def hear(folder: str, remote: str) -> None:
    # It is told to end by a signal, and says each call's summary at once only without a buffer.
    with subprocess.Popen(["stdbuf", "-oL", "baresip", "-f", folder], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as phone:
        try:
            assert phone.stdout
            for line in phone.stdout:
                if kpis := told(line):
                    print(json.dumps(kpis), flush=True)
                elif "init failed" in line or "could not" in line:
                    print(line.strip(), file=sys.stderr, flush=True)
        finally:
            end(phone)


def talk(folder: str, remote: str) -> None:
    while True:
        words = ["baresip", "-f", folder, "-t", str(CALL_S), "-e", f"/dial sip:phone@{remote}:{PORT}"]
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as phone:
            try:
                phone.wait()
            finally:
                end(phone)
        time.sleep(BETWEEN_S)


def end(phone: subprocess.Popen[Any]) -> None:
    phone.terminate()
    try:
        phone.wait(ENDS_S)
    except subprocess.TimeoutExpired:
        phone.kill()


def main(what: str, local: str, remote: str) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix=f"phone-{what}-", dir=FOLDER) as folder:
        settings(Path(folder), local)
        {"talk": talk, "hear": hear}[what](folder, remote)


if __name__ == "__main__":
    main(*sys.argv[1:])
