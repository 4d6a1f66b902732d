"""The models M: from what was measured once (a sample's KPIs) to the utility from 1 to 5.

Those of Sieber et al. 2020, section 4.2, and further ones. Each says what it rests on: a published study, or this project's
choice of what is good and what is useless.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..traffic import kpi
from .emodel import g711

# Of a backup of 1 GB: done in ten minutes nobody notices it; one that lasts from evening to morning is of no use.
BACKUP_BYTES, BACKUP_BEST_S, BACKUP_WORST_S = 1_000_000_000, 600.0, 36_000.0
# Of an update of 200 MB in the background: within a minute, and longer than half a working day.
UPDATE_BYTES, UPDATE_BEST_S, UPDATE_WORST_S = 200_000_000, 60.0, 14_400.0
# Of the picture of a conference: 720p looks well from the upper one on, and below the lower one nobody is recognised.
PICTURE_BEST_KBPS, PICTURE_WORST_KBPS = 2000.0, 100.0
# Of the frames of a camera: where half of them are missing nobody recognises what happened.
FRAMES_WORST = 0.5


@dataclass(frozen=True)
class Model:
    """`kpis` are the names of what it takes; a sample that lasts `worst_after_s` is worth 1 whatever follows (None: it may last)."""

    name: str
    kpis: tuple[str, ...]
    function: Callable[..., float]
    source: str
    worst_after_s: float | None = None

    def utility(self, sample: Mapping[str, float]) -> float:
        """Raises ValueError where the sample lacks a KPI, or where the model gives no utility."""
        missing = [name for name in self.kpis if name not in sample]
        if missing:
            raise ValueError(f"The sample {dict(sample)} lacks {', '.join(missing)}, which the model {self.name} takes. Maybe another --model.")
        found = float(self.function(*(float(sample[name]) for name in self.kpis)))
        if not kpi.LEAST <= found <= kpi.MOST:
            raise ValueError(f"The model {self.name} makes {found} of {dict(sample)}; a utility is from 1 to 5.")
        return found


def by_time(seconds: float, best_s: float, worst_s: float) -> float:
    """5 until `best_s`, 1 from `worst_s`, and between them by the time's logarithm: as Egger et al. 2012 found of waiting."""
    if seconds <= best_s:
        return kpi.MOST
    return kpi.clipped(kpi.MOST - 4 * math.log(seconds / best_s) / math.log(worst_s / best_s))


def transfer(size: int, best_s: float, worst_s: float) -> Callable[[float], float]:
    """By the time that so many bytes take at a goodput in kbit/s."""
    return lambda goodput_kbps: by_time(8 * size / 1000 / goodput_kbps, best_s, worst_s) if goodput_kbps > 0 else kpi.LEAST


def frames(in_time: float) -> float:
    """By the share of frames that were there in time."""
    return kpi.clipped(1 + 4 * (in_time - FRAMES_WORST) / (1 - FRAMES_WORST))


def conference(loss: float, delay_ms: float, video_kbps: float) -> float:
    """The worse of the two that a conference has: nobody stays for a picture without speech, nor for the opposite."""
    picture = kpi.MOST if video_kbps >= PICTURE_BEST_KBPS else kpi.clipped(
        kpi.LEAST + 4 * math.log(max(video_kbps, PICTURE_WORST_KBPS) / PICTURE_WORST_KBPS) / math.log(PICTURE_BEST_KBPS / PICTURE_WORST_KBPS)
    )  # fmt: skip
    return min(g711(loss, delay_ms), picture)


CHOICE = "a choice of this project, not a study"
MODELS = {
    model.name: model
    for model in (
        Model("web", ("pageLoadS",), kpi.web, "Egger et al. 2012, search task", math.exp(3.72 / 0.88)),
        Model("download", ("downloadS",), kpi.download, "Egger et al. 2012, download of 10 MB", math.exp(8.61 / 1.68)),
        Model("video", ("meanLevel",), lambda level: kpi.video([level]), "Sieber et al. 2020, section 4.2.3: the mean of six quality levels"),
        Model("ssh", ("responseS",), kpi.ssh, "Casas et al. 2013, figure 5a: typing in a remote session", 1.2),
        Model("voice", ("loss", "delayMs"), kpi.voice, "Sun and Ifeachor 2006, equation 10 for G.729"),
        Model("g711", ("loss", "delayMs"), g711, "ITU-T G.107 (06/2015) with G.113 appendix I for G.711 with concealment, scaled to 5"),
        Model("conference", ("loss", "delayMs", "videoKbps"), conference,
              f"the worse of speech, by ITU-T G.107 as for G.711, and picture, {CHOICE}: 2 Mbit/s are worth 5, 100 kbit/s 1, by the logarithm of the rate"),
        Model("backup", ("goodputKbps",), transfer(BACKUP_BYTES, BACKUP_BEST_S, BACKUP_WORST_S),
              f"{CHOICE}: 1 GB within 10 minutes is worth 5, in 10 hours 1, by the logarithm of the time"),
        Model("update", ("goodputKbps",), transfer(UPDATE_BYTES, UPDATE_BEST_S, UPDATE_WORST_S),
              f"{CHOICE}: 200 MB within a minute is worth 5, in 4 hours 1, by the logarithm of the time"),
        Model("frames", ("framesInTime",), frames, f"{CHOICE}: all frames within a second are worth 5, half of them 1"),
    )
}  # fmt: skip


def named(text: str) -> Model:
    """One of MODELS, or FILE.py:FUNCTION, whose parameters are the names of the KPIs. Raises ValueError."""
    if text in MODELS:
        return MODELS[text]
    file, colon, name = text.rpartition(":")
    if not colon or not file.endswith(".py"):
        raise ValueError(f"the model ({text}) is not known. Maybe {', '.join(MODELS)}, or your own as FILE.py:FUNCTION")
    if not Path(file).is_file():
        raise ValueError(f"there is no file ({file}) with a model. Maybe see the spelling")
    spec = importlib.util.spec_from_file_location("paceline_model", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise ValueError(f"the file {file} has no function ({name}). Maybe see the spelling")
    says = (inspect.getdoc(function) or "the user's own").splitlines()[0]
    return Model(text, tuple(inspect.signature(function).parameters), function, says)
