"""What goes wrong by what somebody has given, or by what this machine has not."""

from __future__ import annotations


class Unusable(Exception):
    """What there is of earlier measurements cannot be used; the text says why, and what might be done."""


class Missing(Exception):
    """A program, a file that is to be built first, or something of the kernel; the text says which, and where it comes from."""
