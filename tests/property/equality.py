"""How many values were compared bit for bit, and of which dtypes?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

#: What dtypes are counted as, in the order of the report.
CLASSES = {
    "bool": ("bool",),
    "integers": tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    "16-bit floats": ("float16", "bfloat16"),
    "floats": ("float32", "float64"),
    "complex": ("complex32", "complex64", "complex128"),
}
_CLASS_OF = {dtype: name for name, dtypes in CLASSES.items() for dtype in dtypes}


@dataclass(slots=True)
class Equal:
    """What a device gave that the CPU gives too; any NaN equals any NaN."""

    programs: int = 0
    tensors: int = 0
    values: Counter[str] = field(default_factory=Counter[str])

    def note(self, dtype: str, count: int) -> None:
        """Count a tensor that is equal."""
        self.tensors += 1
        self.values[_CLASS_OF[dtype]] += count

    def add(self, other: Equal) -> None:
        """Count what another process compared too."""
        self.programs += other.programs
        self.tensors += other.tensors
        self.values.update(other.values)

    def line(self, where: str) -> str:
        """Return the counts as one line.

        >>> equal = Equal(programs=2)
        >>> equal.note("int8", 1200), equal.note("float32", 34)
        (None, None)
        >>> print(equal.line("meta"))
        meta: 1,234 values of 2 tensors equal to the CPU's, 2 programs: 1,200 integers, 34 floats
        """
        classes = [f"{self.values[name]:,} {name}" for name in CLASSES if self.values[name]]
        return (
            f"{where}: {self.values.total():,} values of {self.tensors:,} tensors equal to the "
            f"CPU's, {self.programs:,} programs: {', '.join(classes) or 'none'}"
        )
