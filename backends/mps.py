"""Are there devices of Apple's Metal? None that are driven here."""


def is_available() -> bool:
    """Tell that there is no such device.

    >>> is_available()
    False
    """
    return False


def is_built() -> bool:
    """Tell that nothing was built for such devices."""
    return False
