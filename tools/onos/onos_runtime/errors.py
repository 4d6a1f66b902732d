"""Failures that a user can do something about."""


class OnosError(Exception):
    """Says what is wrong and a way out; onosctl prints it without a stack trace."""


class StartedByHalf(OnosError):
    """ONOS runs and will never be ready; another start most often is well."""

    def __init__(self, why: str, said: str):
        super().__init__(said)
        self.why = why
