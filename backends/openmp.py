"""Is OpenMP there? Loops are shared among threads without it."""


def is_available() -> bool:
    """Tell that it is not used.

    >>> is_available()
    False
    """
    return False
