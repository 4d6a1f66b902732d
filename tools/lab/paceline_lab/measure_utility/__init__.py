"""Utility functions from measurements: see `run`."""
