"""What is a sparse_coo tensor? Coordinates, the values at them, a shape; all else is zero.

A small, honest object: it is made, asked, coalesced and turned into a dense tensor. Everything else
raises an error that says so. Its work is done on the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Never

import numpy as np

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType, int64
from ...dialects.attributes.layout import Layout, sparse_coo
from ...dialects.attributes.memory_format import MemoryFormat, contiguous_format
from ...dialects.attributes.options import check_differentiable, check_pinned, dtype_argument
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import (
    TrilithError,
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from . import dispatch, origins, recording
from .construction import build, device_argument
from .size import Size
from .tensor import Tensor, empty_tensor, tensor_from_bytes

Array = np.ndarray[Any, Any]


class SparseTensor:
    """A tensor of layout sparse_coo: `nnz` coordinates (sparse_dim x nnz) and a value for each.

    >>> import trilith as tri
    >>> s = tri.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [3.0, 4.0, 5.0], (2, 3))
    >>> s.coalesce().values(), s.to_dense()
    (tensor([3., 9.]), tensor([[0., 0., 3.],
            [9., 0., 0.]]))
    """

    __slots__ = ("__weakref__", "_coalesced", "_coordinates", "_held", "_shape")

    def __init__(
        self, coordinates: Tensor, values: Tensor, shape: tuple[int, ...], *, coalesced: bool
    ) -> None:
        """Keep the parts; `sparse_coo_tensor` has checked them."""
        self._coordinates = coordinates
        self._held = values
        self._shape = shape
        self._coalesced = coalesced

    # What it is

    @property
    def shape(self) -> Size:
        """The sizes of the dims."""
        return Size(self._shape)

    @property
    def dtype(self) -> DType:
        """The type of the values."""
        return self._held.dtype

    @property
    def device(self) -> Device:
        """Where the parts are."""
        return self._held.device

    @property
    def layout(self) -> Layout:
        """The layout: sparse_coo."""
        return sparse_coo

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return len(self._shape)

    @property
    def is_sparse(self) -> bool:
        """Whether the layout is sparse_coo: always."""
        return True

    @property
    def requires_grad(self) -> bool:
        """Whether gradients are recorded: never."""
        return False

    def size(self, dim: int | None = None) -> Size | int:
        """Return the shape, or the size of one dim."""
        return self.shape if dim is None else self._shape[dim]

    def dim(self) -> int:
        """Return the number of dims."""
        return len(self._shape)

    def numel(self) -> int:
        """Return the number of elements, zeros included."""
        return prod(self._shape)

    def stride(self) -> tuple[int, ...]:
        """Return zeros: the elements have no order in memory."""
        return (0,) * len(self._shape)

    def storage_offset(self) -> int:
        """Return 0: there is no storage."""
        return 0

    def is_contiguous(self, memory_format: MemoryFormat = contiguous_format) -> bool:
        """Return False: the elements are not in one piece."""
        return False

    def sparse_dim(self) -> int:
        """Return how many dims the coordinates have."""
        return self._coordinates.shape[0]

    def dense_dim(self) -> int:
        """Return how many dims each value has."""
        return self._held.ndim - 1

    def is_floating_point(self) -> bool:
        """Tell whether the values are real floating-point numbers."""
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Tell whether the values are complex."""
        return self.dtype.is_complex

    def __len__(self) -> int:
        """Return the size of dim 0."""
        if not self._shape:
            raise TrilithTypeError("len() of a 0-d tensor")
        return self._shape[0]

    # Its parts

    def is_coalesced(self) -> bool:
        """Tell whether the coordinates are sorted and all different."""
        return self._coalesced

    def indices(self) -> Tensor:
        """Return the coordinates of a coalesced tensor, sparse_dim x nnz."""
        self._check_coalesced("indices")
        return self._coordinates

    def values(self) -> Tensor:
        """Return the values of a coalesced tensor, nnz x dense dims."""
        self._check_coalesced("values")
        return self._held

    def _check_coalesced(self, what: str) -> None:
        if not self._coalesced:
            raise TrilithRuntimeError(
                f"Cannot get {what} on an uncoalesced tensor, please call .coalesce() first"
            )

    def _indices(self) -> Tensor:
        """Return the coordinates, coalesced or not."""
        return self._coordinates

    def _values(self) -> Tensor:
        """Return the values, coalesced or not."""
        return self._held

    def _nnz(self) -> int:
        """Return the number of coordinates."""
        return self._coordinates.shape[1]

    # What it can become

    def coalesce(self) -> SparseTensor:
        """Return the same tensor, its coordinates sorted and the values of equal ones added."""
        if self._coalesced:
            return self
        if self._nnz() < 2:
            return SparseTensor(self._coordinates, self._held, self._shape, coalesced=True)
        coordinates = _on_host(self._coordinates)
        keys = self._keys(coordinates)
        order = np.argsort(keys, kind="stable")
        _, first, where = np.unique(keys[order], return_index=True, return_inverse=True)
        values = _on_host(self._held)[order]
        sums = _sum_runs(values, first, where.ravel(), self.dtype)
        return SparseTensor(
            _of_array(coordinates[:, order][:, first], int64, self.device),
            _of_array(sums, self.dtype, self.device),
            self._shape,
            coalesced=True,
        )

    def _keys(self, coordinates: Array) -> Array:
        """Return the number of each coordinate in row-major order."""
        keys = np.zeros(coordinates.shape[1], np.int64)
        for row, size in zip(coordinates, self._shape, strict=False):
            keys = keys * size + row
        return keys

    def to_dense(self, dtype: Any = None) -> Tensor:
        """Return the strided tensor with the same elements."""
        if dtype is not None:
            raise TrilithRuntimeError("dtype argument is not supported by sparse_to_dense")
        spec = TensorSpec.of(self._shape, self.dtype, self.device)
        if not self.device.has_values:
            return origins.uninitialised(empty_tensor(spec))
        whole = self.coalesce()
        dense = np.zeros(self._shape, self.dtype.numpy)
        dense[tuple(_on_host(whole.indices()))] = _on_host(whole.values())
        return _of_array(dense, self.dtype, self.device)

    def __repr__(self) -> str:
        """Return the parts, as PyTorch prints them."""
        coordinates, values = (_part(part) for part in (self._coordinates, self._held))
        text = f"tensor(indices={_indent(coordinates, 'indices')},\n"
        text += f"       values={_indent(values, 'values')},\n"
        is_named = self.device.has_indices
        text += f"       device='{self.device}', " if is_named else "       "
        text += f"size={self._shape}, nnz={self._nnz()}"
        if self._held.is_meta:
            text += ", device='meta'"
        usual = self._held.numel() == 0 or "dtype=" in repr(self._held)
        if usual and "dtype=" in repr(empty_tensor(TensorSpec.of((1,), self.dtype))):
            text += f", dtype={self.dtype}"
        return f"{text}, layout={self.layout})"

    def __getattr__(self, name: str) -> Never:
        """Say that an operation of dense tensors needs a dense tensor."""
        if name in _REFUSALS:
            error, text = _REFUSALS[name]
            raise error(text, hint="convert with .to_dense() first")
        if not _is_operation(name):
            raise AttributeError(f"'SparseTensor' object has no attribute '{name}'")
        raise _unavailable(name)


#: What PyTorch has words of its own for.
_NO_STORAGE = (TrilithNotImplementedError, "Cannot access storage of SparseTensorImpl")
_NO_POINTER = (
    TrilithRuntimeError,
    "Cannot access data pointer of Tensor that doesn't have storage",
)
_REFUSALS: dict[str, tuple[type[TrilithError], str]] = {
    "storage": _NO_STORAGE,
    "untyped_storage": _NO_STORAGE,
    "data_ptr": _NO_POINTER,
    "tolist": _NO_POINTER,
    "contiguous": (TrilithRuntimeError, "unsupported memory format option Contiguous"),
    "reshape": (TrilithRuntimeError, "reshape is not implemented for sparse tensors"),
    "numpy": (
        TrilithTypeError,
        "can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.",
    ),
}


def _is_operation(name: str) -> bool:
    """Whether dense tensors have a method of that name; their fields do not count."""
    if name.startswith("_") or name in {"memory", "offset", "spec"}:
        return False
    return hasattr(Tensor, name) or dispatch.installed(name) is not None


def _unavailable(name: str) -> TrilithNotImplementedError:
    return TrilithNotImplementedError(
        f"'{name}' is not available for tensors of layout {sparse_coo}",
        hint="convert with .to_dense() first",
    )


def _refusing(name: str) -> Any:
    def operator(*operands: Any) -> Never:
        raise _unavailable(name)

    operator.__name__ = name
    operator.__doc__ = "Refuse: sparse tensors are not computed with."
    return operator


_OPERATORS = (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv"),
    *("rfloordiv", "mod", "rmod", "pow", "rpow", "matmul", "rmatmul", "and", "rand", "or", "ror"),
    *("xor", "rxor", "lshift", "rshift", "neg", "pos", "abs", "invert", "lt", "le", "gt", "ge"),
    *(
        "eq",
        "ne",
        "getitem",
        "setitem",
        "bool",
        "float",
        "int",
        "complex",
        "index",
        "array",
        "iter",
    ),
)
for _name in _OPERATORS:
    setattr(SparseTensor, f"__{_name}__", _refusing(f"__{_name}__"))
# Comparing is refused, but a sparse tensor is still a key by its identity, as every tensor is.
SparseTensor.__hash__ = object.__hash__


def _part(part: Any) -> str:
    """Return the text of a part without what the whole says."""
    text = repr(part if part.is_meta else part.cpu())
    if not part.numel():
        return f"tensor([], size={tuple(part.shape)})"
    head, _, tail = text.rpartition("], ")
    return f"{head}])" if tail.startswith("dtype=") else text


def _indent(text: str, name: str) -> str:
    return text.replace("\n", "\n" + " " * (len("tensor(") + len(name) + 1))


def _sum_runs(values: Array, first: Array, where: Array, dtype: DType) -> Array:
    """Return the first value of each run with the others added in order, rounding each time."""
    is_float8 = dtype.itemsize == 1 and dtype.is_floating_point
    if is_float8 or dtype.numpy.names is not None:
        raise TrilithNotImplementedError(f"\"coalesce\" not implemented for '{dtype.c_name}'")
    sums = values[first]
    repeated = np.setdiff1d(np.arange(len(values)), first)
    for index in repeated.tolist():
        sums[where[index]] = sums[where[index]] + values[index]
    return sums


def _on_host(part: Any) -> Array:
    return np.asarray(part.numpy(force=part.device.has_indices))


def _of_array(array: Array, dtype: DType, device: Device) -> Tensor:
    recording.unrecorded("a sparse tensor is made, made dense or coalesced")
    return tensor_from_bytes(TensorSpec.of(array.shape, dtype, device), array.tobytes())


# ---- making one


def sparse_coo_tensor(
    indices: Any,
    values: Any = None,
    size: Sequence[int] | None = None,
    *,
    dtype: Any = None,
    device: Device | str | int | None = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> SparseTensor:
    """Return a sparse tensor: `indices` is sparse_dim x nnz, `values` nnz x dense dims.

    Without a size it is the smallest that holds all coordinates. Coordinates are always checked
    (`check_invariants` changes nothing). The parts may share memory with the arguments.
    `sparse_coo_tensor(size)` has no coordinates.

    >>> sparse_coo_tensor([[0, 1]], [1.0, 2.0]).shape
    trilith.Size([2])
    """
    asked = dtype_argument("sparse_coo_tensor", dtype)
    target = device_argument("sparse_coo_tensor", device)
    if values is None:
        values, size = [], tuple(indices)
        indices = np.empty((len(size), 0), np.int64)
    held = build(values, asked, target, copy=False)
    check_pinned(pin_memory)
    check_differentiable(held.dtype, requires_grad)
    if requires_grad:
        raise TrilithNotImplementedError("a sparse tensor cannot require a gradient")
    coordinates = build(indices, int64, held.device, copy=False)
    if not held.ndim:
        held = Tensor(held.untyped_storage(), TensorSpec.of((1,), held.dtype, held.device))
    shape = _checked_shape(coordinates, held, size)
    made = SparseTensor(coordinates, held, shape, coalesced=bool(is_coalesced))
    if is_coalesced and not held.is_meta:
        _check_sorted(made)
    return made


def to_sparse(self: Any) -> SparseTensor:
    """Return the elements that are not zero as a coalesced sparse tensor.

    >>> import trilith as tri
    >>> tri.eye(2).to_sparse().values()
    tensor([1., 1.])
    """
    array = _on_host(self)
    coordinates = np.stack(np.nonzero(array)) if array.ndim else np.empty((0, 0), np.int64)
    values = array[tuple(coordinates)] if array.ndim else array[array != 0]
    return SparseTensor(
        _of_array(coordinates.reshape(array.ndim, -1), int64, self.device),
        _of_array(values, self.dtype, self.device),
        tuple(self.shape),
        coalesced=True,
    )


def to_dense(self: Any) -> Any:
    """Return the tensor itself: it is dense.

    >>> import trilith as tri
    >>> tri.ones(2).to_dense()
    tensor([1., 1.])
    """
    return self


def _refused_by_dense(name: str) -> Callable[[Any], Never]:
    def method(self: Any) -> Never:
        raise TrilithRuntimeError(
            f"{name} expected sparse coordinate tensor layout but got Strided"
        )

    method.__name__ = name
    method.__doc__ = "Refuse: the tensor is dense."
    return method


dispatch.install("to_sparse", to_sparse)
dispatch.install("to_sparse_coo", to_sparse)
for _name in ("coalesce", "indices", "is_coalesced", "values"):
    dispatch.install(_name, _refused_by_dense(_name))
dispatch.install("to_dense", to_dense)


def _checked_shape(
    coordinates: Tensor, values: Tensor, size: Sequence[int] | None
) -> tuple[int, ...]:
    """Return the shape, after checking that the parts fit it and one another."""
    if coordinates.ndim != 2:
        raise TrilithRuntimeError(
            f"indices must be sparse_dim x nnz, but got: {list(coordinates.shape)}"
        )
    sparse_dim, nnz = coordinates.shape
    if values.shape[0] != nnz:
        raise TrilithRuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{nnz}, nnz from values: {values.shape[0]}"
        )
    dense_sizes = tuple(values.shape[1:])
    if coordinates.is_meta:
        if size is None:
            raise TrilithRuntimeError("the size of a sparse tensor on meta must be given")
        return tuple(size)
    array = _on_host(coordinates)
    lowest: list[int] = array.min(axis=1).tolist() if nnz else []
    for dim, index in enumerate(lowest):
        if index < 0:
            raise TrilithRuntimeError(f"found negative index {index} for dim {dim}")
    highest: list[int] = array.max(axis=1).tolist() if nnz else [-1] * sparse_dim
    if size is None:
        return (*(index + 1 for index in highest), *dense_sizes)
    shape = tuple(int(dim) for dim in size)
    if len(shape) != sparse_dim + len(dense_sizes):
        raise TrilithRuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(shape)}, "
            f"sparse_dim = {sparse_dim}, dense_dim = {len(dense_sizes)}"
        )
    for dim, (length, index) in enumerate(zip(shape, highest, strict=False)):
        if index >= length:
            raise TrilithRuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is {length} but found "
                f"index {index}"
            )
    if shape[sparse_dim:] != dense_sizes:
        raise TrilithRuntimeError(
            f"values has incorrect size, expected {[nnz, *shape[sparse_dim:]]}, got "
            f"{list(values.shape)}"
        )
    return shape


def _check_sorted(made: SparseTensor) -> None:
    keys = made._keys(_on_host(made.indices()))  # pyright: ignore[reportPrivateUsage] - same module
    if (np.diff(keys) <= 0).any():
        raise TrilithRuntimeError(
            "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor"
        )
