"""How does `x.imag = y` run? The part is a view, and written as by `copy_`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dialects.diagnostics import TrilithError, without_own_frames
from ...runtime.tensors.overlap import refuse_internal_overlap
from .assignments import assigned_tensor
from .operands import as_number
from .scalar_proxies import ScalarProxy


def make_part(name: str, whole: property, methods: Mapping[str, Any]) -> property:
    """Return the property of a part of a tensor, `real` or `imag`, which can be assigned."""
    read: Any = whole.fget
    copy, fill, conjugate = methods["copy_"], methods["fill_"], methods["conj"]

    def write(self: Any, value: Any) -> None:
        try:
            number = value if isinstance(value, ScalarProxy) else as_number(value)
            is_mirrored = name == "imag" and self.is_conj()
            # The imaginary part of a conjugate is no view: the negated values are written.
            part = read(conjugate(self) if is_mirrored else self)
            if number is None:
                values = assigned_tensor(value, part.dtype)
                copy(part, values.to(part.dtype).neg() if is_mirrored else values)
                return
            refuse_internal_overlap(part.spec)
            fill(part, number)
            if is_mirrored:
                copy(part, part.neg())
        except TrilithError as error:
            raise without_own_frames(error) from None

    write.__name__ = name
    write.__doc__ = f"Write a number or a tensor into {name}."
    return property(read, write, doc=read.__doc__)
