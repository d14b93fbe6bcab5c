"""Which singular values count as 0? Those below tolerances, an absolute and a relative one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.dtype import float64
from ....attributes.limits import finfo
from ....attributes.spec import TensorSpec
from ...frame.row import TensorLanguage
from ...frame.schema import Binder, Schema, parse_schema


def with_one_tolerance(name: str, meaning: str) -> Binder:
    """Return what reads calls with one tolerance, PyTorch's older form; the other one is 0.

    >>> schema = parse_schema("f(Tensor input, *, Operand? atol=None, Operand? rtol=None)")
    >>> with_one_tolerance("tol", "atol")(schema, ["x", 0.5], {})
    {'input': 'x', 'atol': 0.5, 'rtol': 0.0, 'hermitian': False}
    """

    def bind(
        schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> dict[str, Any]:
        if len(arguments) < 2 and name not in keywords:
            return schema.bind(arguments, keywords)
        older = f"{schema.name}(Tensor input, Operand {name}, bool hermitian=False)"
        bound = parse_schema(older).bind(arguments, keywords)
        one = {"atol": 0.0, "rtol": 0.0, meaning: bound[name]}
        return {"input": bound["input"], **one, "hermitian": bound["hermitian"]}

    return bind


def tolerance(t: TensorLanguage, values: Any, spec: TensorSpec, atol: Any, rtol: Any) -> Any:
    """Return below what singular values count as 0: a tensor of a value for each matrix.

    Numbers are tensors of float64, as PyTorch makes them, so that no plan is for one value.
    """

    def for_each(value: Any) -> Any:
        if isinstance(t.spec(value), TensorSpec):
            return t.call("unsqueeze", value, -1)
        return t.call("full", (1,), value, dtype=float64, device=spec.device)

    largest = t.call("amax", values, (-1,), True)
    usual = finfo(spec.dtype).eps * max(spec.shape[-2:])
    least = for_each(0.0 if atol is None else atol)
    if rtol is not None:
        share = for_each(rtol)
    elif atol is not None:
        share = t.call("where", t.call("gt", least, 0.0), 0.0, for_each(usual))
    else:
        share = for_each(usual)
    return t.call("maximum", t.call("mul", largest, share), least)
