"""What the browser opens: the page with real pictures, and the films as DASH, of the very sizes that the light generators fetch."""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path

from ..machine.ledger import run
from ..traffic import content
from ..traffic.adaptation import LIVE, VOD, Ladder

FILMS = {"vod": VOD, "live": LIVE}
PICTURE_WIDTH = 128
FRAMES_A_SECOND = 10
# What the smallest segment has room for, and its codec as ffmpeg makes it.
PICTURE_SIZE, CODEC = "64x36", "avc1.42c00a"

PLAYER = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>A film</title><link rel="icon" href="data:,"></head>
<body><video muted></video><script>
const BUFFER_S = {buffer:g}, LIVE = {live};
async function watch(segments) {{
  const text = (await (await fetch("film.mpd")).text()).replace("BASE", new URL(".", location.href).href)
    .replace("BEGAN", new Date(Date.now() - 1000 * BUFFER_S).toISOString());
  const player = dashjs.MediaPlayer().create();
  const kept = {{ bufferTimeDefault: BUFFER_S, bufferTimeAtTopQuality: BUFFER_S, bufferTimeAtTopQualityLongForm: BUFFER_S, bufferToKeep: 60 }};
  const delay = LIVE ? {{ delay: {{ liveDelay: BUFFER_S }} }} : {{}};
  // Nobody but the film's server is there to ask, not even for the time.
  player.updateSettings({{ streaming: {{ buffer: kept, utcSynchronization: {{ enabled: false }}, ...delay }} }});
  const levels = [];
  return new Promise((resolve) => {{
    player.on("fragmentLoadingCompleted", (event) => {{
      if (event.request.type !== "MediaSegment" || event.error) return;
      levels[event.request.index] = Number(event.request.representation.id);
      if (levels.length === segments && !levels.includes(undefined)) {{ resolve(levels); player.destroy(); }}
    }});
    player.on("error", (event) => window.failed(`the player: ${{event.error.message || event.error}}`));
    player.on("playbackEnded", () => window.failed(`the film has ended with ${{levels.filter((one) => one !== undefined).length}} of ${{segments}} segments`));
    player.initialize(document.querySelector("video"), URL.createObjectURL(new Blob([text], {{ type: "application/dash+xml" }})), true);
  }});
}}
</script></body></html>
"""


def put(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    file.chmod(0o644)
    file.parent.chmod(0o755)


def picture(size: int) -> bytes:
    """A bitmap of so many bytes, all noise. What no whole row fills follows the last one, where nobody looks."""
    header = 54
    rows = (size - header) // (3 * PICTURE_WIDTH)
    if rows < 1:
        raise ValueError(f"A picture of {size} bytes has no row of {PICTURE_WIDTH} points. Maybe a larger one.")
    head = struct.pack("<2sIHHI", b"BM", size, 0, 0, header) + struct.pack("<IiiHHIIiiII", 40, PICTURE_WIDTH, rows, 1, 24, 0, 0, 0, 0, 0, 0)
    return head + os.urandom(size - header)


def index(sizes: list[int]) -> bytes:
    """The page's text of the first size, with a picture of each of the others."""
    pictures = "".join(f'<img src="{number}.bmp" alt="">' for number in range(1, len(sizes)))
    begin = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,"></head><body data-bytes="{sum(sizes)}">{pictures}<p hidden>'
    end = "</p></body></html>\n"
    return f"{begin}{'x' * (sizes[0] - len(begin) - len(end))}{end}".encode()


def write_page(root: Path) -> None:
    sizes = content.page_sizes()
    put(root / "page/index.html", index(sizes))
    for number, size in enumerate(sizes[1:], start=1):
        put(root / f"page/{number}.bmp", picture(size))


def padded(segment: bytes, size: int) -> bytes:
    """A segment of exactly that size: what is missing is a box that players pass over (ISO/IEC 14496-12, `free`)."""
    room = size - len(segment)
    if room < 8:
        raise ValueError(f"A segment of {len(segment)} bytes does not fit into {size}. Maybe a smaller picture.")
    return segment + struct.pack(">I4s", room, b"free") + bytes(room - 8)


def manifest(ladder: Ladder, live: bool) -> str:
    """The levels as dash.js is told of them. A live film has begun as long ago as its buffer is, so that so much of it is there."""
    seconds = ladder.segments * ladder.segment_s
    when = f'type="dynamic" availabilityStartTime="BEGAN" suggestedPresentationDelay="PT{ladder.buffer_s:g}S"' if live else 'type="static"'
    levels = "".join(f'<Representation id="{level}" codecs="{CODEC}" bandwidth="{kbps * 1000}" width="64" height="36"/>' for level, kbps in enumerate(ladder.kbps))
    return (
        f'<?xml version="1.0" encoding="utf-8"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" {when} '
        f'mediaPresentationDuration="PT{seconds:g}S" minBufferTime="PT{ladder.segment_s:g}S"><BaseURL>BASE</BaseURL><Period id="0" start="PT0S">'
        f'<AdaptationSet contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">'
        f'<SegmentTemplate timescale="1" duration="{ladder.segment_s:g}" startNumber="1" initialization="init.mp4" media="$RepresentationID$/$Number$.m4s"/>'
        f"{levels}</AdaptationSet></Period></MPD>\n"
    )


def write_film(root: Path, name: str) -> None:
    """One small film, at each level filled up to that level's sizes: to the line it is as large as a real one, and hardly any work to show."""
    ladder, made = FILMS[name], root.parent / f"film-{name}"
    made.mkdir()
    seconds = ladder.segments * ladder.segment_s
    group = str(round(FRAMES_A_SECOND * ladder.segment_s))
    run("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"testsrc2=size={PICTURE_SIZE}:rate={FRAMES_A_SECOND}", "-t", f"{seconds:g}",
        "-c:v", "libx264", "-profile:v", "baseline", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", group, "-keyint_min", group, "-sc_threshold", "0",
        "-f", "dash", "-seg_duration", f"{ladder.segment_s:g}", "-use_template", "1", "-use_timeline", "0", "-init_seg_name", "init.mp4",
        "-media_seg_name", "$Number$.m4s", str(made / "film.mpd"))  # fmt: skip
    there = root / f"film-{name}"
    put(there / "init.mp4", (made / "init.mp4").read_bytes())
    for level in range(len(ladder.kbps)):
        for index in range(ladder.segments):
            put(there / f"{level}/{index + 1}.m4s", padded((made / f"{index + 1}.m4s").read_bytes(), ladder.segment_bytes(level, index)))
    put(there / "film.mpd", manifest(ladder, live=name == "live").encode())
    put(there / "index.html", PLAYER.format(buffer=ladder.buffer_s, live="true" if name == "live" else "false").encode())
    shutil.rmtree(made)
