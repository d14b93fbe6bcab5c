"""Which faults may a kernel report, and which error does each become?"""

from __future__ import annotations

from ..diagnostics import (
    TrilithError,
    TrilithOutOfRangeError,
    TrilithOverflowError,
    TrilithRuntimeError,
    TrilithValueError,
)

#: The error of each fault, and its words with the numbers of a check in it. The status word of a
#: launch holds the position in this table, counted from one. Append only: stored kernels hold it.
FAULT_ERRORS: dict[str, tuple[type[TrilithError], str]] = {
    "ZeroDivisionError": (TrilithRuntimeError, "ZeroDivisionError"),
    "NegativeExponentError": (
        TrilithRuntimeError,
        "Integers to negative integer powers are not allowed.",
    ),
    "IndexError": (TrilithOutOfRangeError, "index out of range in self"),
    "ValueError": (TrilithValueError, "value out of range"),
    "OverflowError": (TrilithOverflowError, "value cannot be converted without overflow"),
    "BoundsError": (
        TrilithOutOfRangeError,
        "index {0} is out of bounds for dimension {1} with size {2}",
    ),
    "UnitIntervalError": (TrilithRuntimeError, "all elements of input should be between 0 and 1"),
    "NegativeVarianceError": (TrilithValueError, "var has negative entry/entries"),
}
FAULTS = tuple(FAULT_ERRORS)
