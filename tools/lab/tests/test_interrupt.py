"""Ctrl-C is heard even where the moment is bad, and once."""

import subprocess
import sys

from paceline_lab.checkout import LAB

BEGIN = """
import os, signal, sys, time
from paceline_lab.__main__ import Interrupted, heed_interrupts
from paceline_lab.machine.ledger import Ledger
heed_interrupts()
"""


def run(text):
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + text], env={"PYTHONPATH": str(LAB)}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_interrupt_that_a_destructor_swallows_is_raised_again():
    said = run("""
class Swallows:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
try:
    Swallows()
    print("went on")
    time.sleep(50)
except Interrupted:
    print("heard")
""")
    assert said == "went on\nheard\n"


def test_cleaning_up_is_not_interrupted_again(tmp_path):
    said = run(f"""
from pathlib import Path
ledger = Ledger.open(Path({str(tmp_path / 'ledger')!r}))
try:
    os.kill(os.getpid(), signal.SIGTERM)
except Interrupted:
    ledger.undo()
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1.5)
    print("whole")
""")
    assert said == "whole\n"
