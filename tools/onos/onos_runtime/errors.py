"""The one kind of failure that a user can do something about."""


class OnosError(Exception):
    """Says what is wrong and a way out; onosctl prints it without a stack trace."""
