"""The programs that people use, beside the lab's light ones: see `run`."""
