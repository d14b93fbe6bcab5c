"""Which programs cannot be recorded? Those that need values, or the memory of their arguments."""

from ...dialects.diagnostics import TrilithTypeError


class NotTraceable(TrilithTypeError):
    """What a function does cannot be recorded; `compile` runs such a function step by step."""


class OffsetNeeded(NotTraceable):
    """The function depends on where its arguments lie in their storage."""


class WroteBefore(NotTraceable):
    """The function fails after it has written to an argument; the cause is why it fails."""
