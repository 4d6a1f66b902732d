"""Failures that a user can do something about."""


class OnosError(Exception):
    """Says what is wrong and a way out; onosctl prints it without a stack trace."""


class ComponentsBlocked(OnosError):
    """ONOS's components wait for each other and will never be ready; another start most often is well."""
