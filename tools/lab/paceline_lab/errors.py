"""What goes wrong by what somebody has given."""

from __future__ import annotations


class Unusable(Exception):
    """What there is of earlier measurements cannot be used; the text says why, and what might be done."""
