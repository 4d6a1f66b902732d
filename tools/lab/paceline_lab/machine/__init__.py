"""This machine: what is made on it and undone, its settings, its processes."""
