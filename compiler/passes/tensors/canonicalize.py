"""Which pass simplifies `tri` operations one by one? xDSL's, with the patterns of the dialect."""

from xdsl.transforms.canonicalize import CanonicalizePass

from ....dialects.tri import canonicalization

__all__ = ["CanonicalizePass", "canonicalization"]
