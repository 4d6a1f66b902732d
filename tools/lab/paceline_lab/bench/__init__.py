"""Benchmarks of the controller under load, and of one commit against another."""
