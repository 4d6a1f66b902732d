"""The E-model: how good a call over a network is, from its delay and its loss.

ITU-T G.107 (06/2015), with the default values of its table 2: clause 7.2 is the signal-to-noise ratio, 7.3 what comes with
the voice at once, 7.4 what comes later, 7.5 what the codec and lost packets do; annex B gives the opinion score. The echo
is that of the default loss of 65 dB. All levels are in dB or dBm.
"""

from __future__ import annotations

import math

from ..traffic.kpi import scaled

# Table 2: loudness of sender, receiver and side tone, noise of rooms and lines, echo, and one distortion by a codec.
SLR, RLR, STMR, DS, DR = 8.0, 2.0, 15.0, 3.0, 3.0
PS, PR, NC, NFOR = 35.0, 35.0, -70.0, -64.0
TELR, WEPL, QDU = 65.0, 110.0, 1.0

# G.113 (11/2007), appendix I: G.711 with packet loss concealment, random loss.
G711_IE, G711_BPL = 0.0, 25.1


def noise() -> float:
    """No, clause 7.2: all sources of noise together, at the 0 dBr point."""
    olr = SLR + RLR
    of_sender = PS - SLR - DS - 100 + 0.004 * (PS - olr - DS - 14) ** 2
    heard = PR + 10 * math.log10(1 + 10 ** ((10 - (STMR + DR)) / 10))
    of_receiver = RLR - 121 + heard + 0.008 * (heard - 35) ** 2
    return 10 * math.log10(sum(10 ** (one / 10) for one in (NC, of_sender, of_receiver, NFOR + RLR)))


def signal_to_noise() -> float:
    """Ro, clause 7.2."""
    return 15 - 1.5 * (SLR + noise())


def simultaneous(delay_ms: float) -> float:
    """Is, clause 7.3: a voice too loud, a side tone too loud or too low, and quantising."""
    ro = signal_to_noise()
    x = SLR + RLR + 0.2 * (64 + noise() - RLR)
    too_loud = 20 * ((1 + (x / 8) ** 8) ** (1 / 8) - x / 8)
    tone = -10 * math.log10(10 ** (-STMR / 10) + math.exp(-delay_ms / 4) * 10 ** (-TELR / 10))
    side_tone = (
        12 * (1 + ((tone - 13) / 6) ** 8) ** (1 / 8) - 28 * (1 + ((tone + 1) / 19.4) ** 35) ** (1 / 35)
        - 13 * (1 + ((tone - 3) / 33) ** 13) ** (1 / 13) + 29
    )  # fmt: skip
    q = 37 - 15 * math.log10(QDU)
    g = 1.07 + 0.258 * q + 0.0602 * q**2
    y, z = (ro - 100) / 15 + 46 / 8.4 - g / 9, 46 / 30 - g / 40
    return too_loud + side_tone + 15 * math.log10(1 + 10**y + 10**z)


def delayed(delay_ms: float) -> float:
    """Id, clause 7.4: the talker's and the listener's echo, and the delay itself, which nobody minds below 100 ms."""
    ro, t = signal_to_noise(), delay_ms
    terv = TELR - 40 * math.log10((1 + t / 10) / (1 + t / 150)) + 6 * math.exp(-0.3 * t**2)
    roe, re = -1.5 * (noise() - RLR), 80 + 2.5 * (terv - 14)
    talker = ((roe - re) / 2 + math.sqrt((roe - re) ** 2 / 4 + 100) - 1) * (1 - math.exp(-t))
    rle = 10.5 * (WEPL + 7) * (2 * t + 1) ** -0.25
    listener = (ro - rle) / 2 + math.sqrt((ro - rle) ** 2 / 4 + 169)
    if t <= 100:
        return talker + listener
    x = math.log(t / 100) / math.log(2)
    return talker + listener + 25 * ((1 + x**6) ** (1 / 6) - 3 * (1 + (x / 3) ** 6) ** (1 / 6) + 2)


def equipment(loss: float, ie: float, bpl: float) -> float:
    """Ie-eff, clause 7.5, for losses that come at random. `loss` is a fraction of one."""
    percent = 100 * loss
    return ie + (95 - ie) * percent / (percent + bpl)


def rating(loss: float, delay_ms: float, ie: float = G711_IE, bpl: float = G711_BPL) -> float:
    """R, clause 7.1, from 0 to 93.2 with the defaults. The delay is from mouth to ear, one way."""
    return signal_to_noise() - simultaneous(delay_ms) - delayed(delay_ms) - equipment(loss, ie, bpl)


def opinion(r: float) -> float:
    """The mean opinion score of a rating, from 1 to 4.5: annex B. It falls a little below 1 between, and is held there."""
    if r <= 0:
        return 1.0
    return 4.5 if r >= 100 else max(1.0, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6)


def g711(loss: float, delay_ms: float) -> float:
    """The utility of a call with G.711: its score, with the best that the model gives to any call of it as 5."""
    return scaled(opinion(rating(loss, delay_ms)), opinion(rating(0, 0)))
