"""Emulated networks of real switches and kernels, ONOS beside them, and agents in their hosts."""
