"""Which parameters of a row is a tensor an argument for? Asked where tensors share memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ...dialects.ops.frame.row import OpSpec
from ...runtime.tensors.tensor import Tensor


def names_of_tensors(row: OpSpec, bound: Mapping[str, Any]) -> dict[int, list[str]]:
    """Return by the `id` of each tensor the parameters that it is an argument for."""
    names: dict[int, list[str]] = {}
    for parameter in row.schema.parameters:
        value = bound[parameter.name]
        items = cast("list[Any]", value) if isinstance(value, list) else [value]
        for item in items:
            if isinstance(item, Tensor):
                names.setdefault(id(item), []).append(parameter.name)
    return names
