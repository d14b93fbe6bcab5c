"""What does PyTorch's dispatcher call a row? Its errors about layouts say that name.

It follows from the row and from what a call gives for numbers; `torch_kernels` has the names of the
kernels below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ...attributes.spec import ScalarSpec
from .opspec import ViewOp
from .row import OpSpec

_PLACES = ("Tensor.", "nn.functional.")
#: Rows that PyTorch computes by an operation of another name, or by an overload of its own.
_COMPUTED_BY: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("chunk", "split", "split_with_sizes", "tensor_split"), "as_strided"),
        **dict.fromkeys(("hsplit", "vsplit", "dsplit"), "as_strided"),
        **dict.fromkeys(("fliplr", "flipud"), "flip"),
        **dict.fromkeys(("softmax", "softmin"), "_softmax"),
        **dict.fromkeys(("sort", "argsort", "msort"), "sort.stable"),
        **{name: f"{name}.out" for name in ("logical_and", "logical_not", "logical_or")},
        **{name: f"{name}.correction" for name in ("std", "std_mean", "var", "var_mean")},
        "adaptive_avg_pool2d": "_adaptive_avg_pool2d",
        "cummax": "_cummax_helper",
        "cummin": "_cummin_helper",
        "log_softmax": "_log_softmax",
        "logical_xor": "logical_xor.out",
        "logsumexp": "logsumexp.out",
        "mean": "mean.dim",
        "new_ones": "fill_.Scalar",
        "rand_like": "uniform_",
        "randn_like": "normal_",
        "unfold": "unfold",
        "where": "where.self",
    }
)
#: Rows whose form for numbers is the one without a name of its own.
_OF_NUMBERS = frozenset({"clamp", "clamp_max", "clamp_min"})


def operation_of(row: OpSpec, bound: Mapping[str, Any], *, is_writing: bool = False) -> str:
    """Return what PyTorch computes a call by, with the overload behind a point.

    A view is made by `as_strided`, and of operands that may be numbers each kind has an overload.

    >>> from ..table import TABLE
    >>> operation_of(TABLE["gt"], {"other": 0}), operation_of(TABLE["exp"], {}, is_writing=True)
    ('gt.Scalar', 'exp_')
    """
    named = row.torch_name
    for place in _PLACES:
        named = named.removeprefix(place)
    name = _COMPUTED_BY.get(named)
    if name is not None:
        return name
    if isinstance(row, ViewOp):
        return "as_strided"
    name = named.replace(".", "_") + "_" * is_writing
    others = [
        bound[each.name]
        for each in row.schema.parameters[1:]
        if each.takes_number
        and bound.get(each.name) is not None
        and not each.is_left_out(bound[each.name])
    ]
    if not others:
        return name
    if all(map(_is_tensor, others)):
        return f"{name}.Tensor"
    return name if named in _OF_NUMBERS else f"{name}.Scalar"


def _is_tensor(value: Any) -> bool:
    spec = getattr(value, "spec", None)
    return spec is not None and not isinstance(spec, ScalarSpec)
