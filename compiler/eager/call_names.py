"""What are the numbers of a call called, for who reads why a plan does not take them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...dialects.attributes.patterns import STRUCTURE
from ...dialects.ops.frame.row import OpSpec
from ...runtime.tensors.tensor import Tensor
from ..plan_log import names_of_numbers
from ..stored.calls import depends_on_offset, parameter_named


def names_of_call(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any], out: Tensor | None
) -> list[str]:
    """Return what the numbers of a call are called, in the order of `divided`."""
    names: list[str] = [] if out is None else names_of_numbers("out", out.spec)
    positional = row.schema.positional
    opens = row.opens_integers
    has_offsets = depends_on_offset(row, arguments, keywords)

    def add(name: str, value: Any, is_open: bool) -> None:
        if type(value) is Tensor:
            names.extend(names_of_numbers(name, value.spec))
            if has_offsets:
                names.append(f"{name}.storage_offset()")
        elif type(value) is slice and is_open:
            bounds = (("start", value.start), ("stop", value.stop))
            names.extend(f"{name}.{word}" for word, bound in bounds if type(bound) is int)
        elif isinstance(value, (tuple, list)):
            for index, item in enumerate(cast("Sequence[Any]", value)):
                add(f"{name}[{index}]", item, is_open)
        elif type(value) is int and is_open and value not in STRUCTURE:
            names.append(name)

    for index, value in enumerate(arguments):
        parameter = positional[min(index, len(positional) - 1)]
        is_rest = index >= len(positional) or (parameter.is_variadic and type(value) is int)
        number = f"[{index - len(positional) + 1}]" if is_rest else ""
        add(f"{parameter.name}{number}", value, parameter.is_open or opens)
    for name, value in keywords.items():
        parameter = parameter_named(row, name)
        add(name, value, opens or (parameter is not None and parameter.is_open))
    return names
