"""Which operations copy what a view shows? Those called as views are, with `_copy` behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....attributes.memory_format import contiguous_format
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...gradients.views import OF_COPIES
from .storage_views import bind_as_strided, bind_pairs


def _copied(t: TensorLanguage, view: Any) -> Any:
    return t.call("clone", view, memory_format=contiguous_format)


def _copying(name: str) -> Callable[..., Any]:
    """Return the expansion of the copies of a view, or of the parts that a tensor is cut into."""

    def expand(t: TensorLanguage, **arguments: Any) -> Any:
        if name == "squeeze" and arguments["dim"] is None:
            del arguments["dim"]
        found = t.call(name, *arguments.values())
        if isinstance(found, (tuple, list)):
            parts: list[Any] = list(found)  # pyright: ignore[reportUnknownArgumentType]
            return tuple([_copied(t, part) for part in parts])
        return _copied(t, found)

    return expand


def _itself(t: TensorLanguage, input: Any) -> Any:
    return _copied(t, input)


for _view, _parameters, _example in (
    ("diagonal", "int offset=0, int dim1=0, int dim2=1", "(tri.ones(2, 2))  # tensor([1., 1.])"),
    ("expand", "int[] size", "(tri.ones(1), (2,))  # tensor([1., 1.])"),
    ("permute", "int[] dims", "(tri.ones(1, 2), (1, 0)).shape  # trilith.Size([2, 1])"),
    ("select", "int dim, int index", "(tri.arange(3), 0, 1)  # tensor(1)"),
    (
        "slice",
        "int dim=0, int? start=None, int? end=None, int step=1",
        "(tri.arange(3), 0, 1)  # tensor([1, 2])",
    ),
    ("squeeze", "int[] dim=None", "(tri.ones(1, 2))  # tensor([1., 1.])"),
    ("t", "", "(tri.ones(1, 2)).shape  # trilith.Size([2, 1])"),
    ("transpose", "int dim0, int dim1", "(tri.ones(1, 2), 0, 1).shape  # trilith.Size([2, 1])"),
    (
        "unfold",
        "int dimension, int size, int step",
        "(tri.arange(2), 0, 1, 1).shape  # trilith.Size([2, 1])",
    ),
    ("unsqueeze", "int dim", "(tri.ones(2), 0).shape  # trilith.Size([1, 2])"),
    ("narrow", "int dim, int start, int length", "(tri.arange(3), 0, 1, 2)  # tensor([1, 2])"),
    ("view_as_real", "", "(tri.tensor(1j))  # tensor([0., 1.])"),
):
    composite(
        f"{_view}_copy(Tensor input{', ' if _parameters else ''}{_parameters})",
        f"What `{_view}` shows, as a copy.",
        f"tri.{_view}_copy{_example}",
        _copying(_view),
        gradient=OF_COPIES[_view],
        methods=("narrow_copy",) if _view == "narrow" else (),
        has_out=True,
    )
for _view, _parameters, _example, _bind in (
    (
        "as_strided",
        ", int[] size, int[] stride, int? storage_offset=None",
        "(tri.arange(4), (2,), (3,))  # tensor([0, 3])",
        bind_as_strided,
    ),
    ("view_as_complex", "", "(tri.tensor([1., 2.]))  # tensor(1.+2.j)", bind_pairs),
):
    composite(
        f"{_view}_copy(Tensor input{_parameters})",
        f"What `{_view}` shows, as a copy.",
        f"tri.{_view}_copy{_example}",
        _copying(_view),
        gradient=OF_COPIES[_view],
        methods=(),
        has_out=True,
        binder=_bind,
        looks_at_offset=True,
        opens_integers=_view == "as_strided",
    )
for _view, _parameters, _example in (
    ("split", "int split_size, int dim=0", "(tri.arange(2), 1)"),
    ("split_with_sizes", "int[] split_sizes, int dim=0", "(tri.arange(2), (1, 1))"),
    ("unbind", "int dim=0", "(tri.arange(2))"),
):
    composite(
        f"{_view}_copy(Tensor input, {_parameters})",
        f"What `{_view}` shows, as copies.",
        f"len(tri.{_view}_copy{_example})  # 2",
        _copying(_view),
        gradient=OF_COPIES[_view],
        methods=(),
        returns="tuple[Tensor, ...]",
    )
for _name in ("alias_copy", "detach_copy"):
    composite(
        f"{_name}(Tensor input)",
        "A contiguous copy.",
        f"tri.{_name}(tri.ones(2))  # tensor([1., 1.])",
        _itself,
        gradient=OF_COPIES["alias"] if _name == "alias_copy" else None,
        methods=(),
        has_out=True,
    )
