"""The lab's queues beside the kernel's own: see `run`."""
