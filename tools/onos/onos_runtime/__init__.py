"""Builds, starts and stops a real ONOS on this machine."""
