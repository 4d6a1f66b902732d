"""Hours of an ordinary day in little time, and whether anything grows by it: see `run`."""
