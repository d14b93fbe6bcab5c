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
    "NegativeStdError": (TrilithRuntimeError, "normal expects all elements of std >= 0.0"),
    "ProbabilityError": (
        TrilithRuntimeError,
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
        "improved?  If so, please report an enhancement request to PyTorch.)",
    ),
    "MultinomialError": (
        TrilithRuntimeError,
        "probability tensor contains either `inf`, `nan` or element < 0",
    ),
    "NegativeEntryError": (
        TrilithRuntimeError,
        "invalid multinomial distribution (encountering probability entry < 0)",
    ),
    "InfiniteEntryError": (
        TrilithRuntimeError,
        "invalid multinomial distribution (encountering probability entry = infinity or NaN)",
    ),
    "TotalError": (
        TrilithRuntimeError,
        "invalid multinomial distribution (sum of probabilities <= 0)",
    ),
    "TargetError": (TrilithOutOfRangeError, "Target {0} is out of bounds."),
    "PlaceError": (
        TrilithOutOfRangeError,
        "out of range: tried to access index {0} on a tensor of {2} elements.",
    ),
    "ClassError": (TrilithRuntimeError, "target out of range"),
    "LabelError": (TrilithRuntimeError, "argument #2 'target' is out of range"),
    "FirstOffsetError": (
        TrilithRuntimeError,
        "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
        "position 0. However, got {0}\n[ trilith.LongTensor{{}} ]",
    ),
}
FAULTS = tuple(FAULT_ERRORS)
