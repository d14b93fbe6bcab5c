"""What is a sparse_coo tensor? Coordinates, the values at them, a shape; all else is zero.

It is a tensor without memory of its own: its parts are tensors, on its device. What is computed
with it is said in the table of operations (`dialects/ops/rows/sparse`); what asks for a storage, an
address or strides is refused here, in PyTorch's words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self, SupportsIndex

from ...dialects.attributes.dtype import int64
from ...dialects.attributes.fixed import write
from ...dialects.attributes.layout import sparse_coo
from ...dialects.attributes.memory_format import MemoryFormat, contiguous_format
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ...dialects.unusual import INFERENCE
from . import recording
from .fields import TensorFields
from .host_view import host_elements
from .own_attributes import copied as copy_attributes
from .own_attributes import pickled
from .own_attributes import shared as share_attributes
from .printing import format_part
from .sparse_refusals import not_resizable, refuse_memory, unavailable
from .tensor import Tensor, empty_tensor


class SparseTensor(Tensor):
    """A tensor of layout sparse_coo: `nnz` coordinates (sparse_dim x nnz) and a value for each.

    >>> import trilith as tri
    >>> s = tri.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [3.0, 4.0, 5.0], (2, 3))
    >>> s.coalesce().values(), s.to_dense()
    (tensor([3., 9.]), tensor([[0., 0., 3.],
            [9., 0., 0.]]))
    """

    __slots__ = ("_coalesced", "_coordinates", "_held", "_is_inference")
    FIELDS = Tensor.FIELDS | {"_coalesced", "_coordinates", "_held", "_is_inference"}
    _coalesced: bool
    _coordinates: Tensor
    _held: Tensor
    #: Whether the tensor, not its parts, was made in inference mode.
    _is_inference: bool

    def __new__(
        cls, coordinates: Tensor, values: Tensor, shape: Sequence[int], *, coalesced: bool
    ) -> Self:
        """Keep the parts; `sparse_coo_tensor` has checked them."""
        made = object.__new__(cls)
        write(made, "state", None)
        write(made, "_is_inference", INFERENCE.is_here())
        made._take(coordinates, values, shape, coalesced)
        return made

    def hold(
        self, coordinates: Tensor, values: Tensor, shape: Sequence[int], *, coalesced: bool
    ) -> None:
        """Become the tensor of these parts: what was written in place."""
        self.check_mode()
        self._take(coordinates, values, shape, coalesced)

    def _take(
        self, coordinates: Tensor, values: Tensor, shape: Sequence[int], coalesced: bool
    ) -> None:
        spec = TensorSpec.of(tuple(shape), values.dtype, values.device, layout=sparse_coo)
        write(self, "spec", spec)
        write(self, "_coordinates", coordinates)
        write(self, "_held", values)
        write(self, "_coalesced", coalesced)

    def take_parts(self, other: SparseTensor) -> None:
        """Become the tensor of the parts of another one."""
        self.hold(other._coordinates, other._held, other.spec.shape, coalesced=other._coalesced)

    # What it is

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

    # Its parts

    def is_coalesced(self) -> bool:
        """Tell whether the coordinates are sorted and all different."""
        return self._coalesced

    def _coalesced_(self, coalesced: bool) -> Self:
        """Say whether the coordinates are in order and all different, and return self."""
        write(self, "_coalesced", coalesced)
        return self

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

    # Python values

    def item(self) -> bool | int | float | complex:
        """Return the only element as a Python number."""
        if self.spec.numel != 1:
            raise TrilithRuntimeError(
                f"a Tensor with {self.spec.numel} elements cannot be converted to Scalar"
            )
        return self.to_dense().item()

    def __format__(self, specification: str) -> str:
        """Format as text: there is no number."""
        if specification:
            raise TrilithTypeError("unsupported format string passed to Tensor.__format__")
        return str(self)

    # Others of the same parts

    def alias(self) -> Self:
        """Return another tensor of the same parts."""
        parts = self._coordinates, self._held, self.spec.shape
        made = type(self)(*parts, coalesced=self._coalesced)
        write(made, "_is_inference", self._is_inference)
        return made

    def check_concrete(self) -> None:
        """Refuse to become a part of a traced function."""
        recording.unrecorded("a sparse tensor is computed with")

    def is_inference(self) -> bool:
        """Tell whether the tensor was made in inference mode."""
        return self._is_inference

    @property
    def _is_uncounted(self) -> bool:
        return self._is_inference

    def count_of_versions(self) -> int:
        """Return how many times the tensor was changed in place."""
        versions = None if self.state is None else self.state.versions
        return 0 if versions is None else versions.value

    def version_counter(self) -> object:
        """Return what counts versions; None if nothing was written yet."""
        return None if self.state is None else self.state.versions

    def bump(self) -> None:
        """Count a change in place."""
        state = self.own_state()
        if state.versions is None:
            self.count_alone(0)
        assert state.versions is not None
        state.versions.value += 1

    def _become(self, name: str, see: Callable[[], TensorFields]) -> Self:
        """Take over the parts of what `see` makes, as method `name`."""
        made = see()
        if not isinstance(made, SparseTensor):
            raise unavailable(name, self)
        self.take_parts(made)
        self.bump()
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Pickle the parts and the flag."""
        parts = self._coordinates, self._held, tuple(self.spec.shape), self._coalesced
        return pickled(self, (_rebuild_sparse_tensor, parts))

    def __copy__(self) -> Tensor:
        """Return another tensor of the same parts."""
        return share_attributes(self, self.data)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        """Return a tensor of copies of the parts."""
        if id(self) not in memo:
            indices: Any = self._coordinates.__deepcopy__(memo)
            values: Any = self._held.__deepcopy__(memo)
            made = SparseTensor(indices, values, self.spec.shape, coalesced=self._coalesced)
            memo[id(self)] = copy_attributes(self, made, memo)
        return memo[id(self)]

    # Its sizes, in place

    def sparse_resize_(self, size: Sequence[int], sparse_dim: int, dense_dim: int) -> Tensor:
        """Change the shape, in which entries stay where they are, and return self.

        With entries, sizes only grow, and no dim becomes sparse or dense.

        >>> import trilith as tri
        >>> tri.eye(2).to_sparse().sparse_resize_((2, 3), 2, 0).shape
        trilith.Size([2, 3])
        """
        shape = tuple(size)
        self._check_resize(shape, sparse_dim, dense_dim)
        dense = shape[sparse_dim:]
        if not self._nnz():
            return self.sparse_resize_and_clear_(shape, sparse_dim, dense_dim)
        values: Any = self._held
        if tuple(values.shape[1:]) != dense:
            larger = values.new_zeros((self._nnz(), *dense))
            larger[tuple(slice(0, kept) for kept in values.shape)] = values
            values = larger
        self.hold(self._coordinates, values, shape, coalesced=self._coalesced)
        self.bump()
        return self

    def _check_resize(self, shape: tuple[int, ...], sparse_dim: int, dense_dim: int) -> None:
        if sparse_dim + dense_dim != len(shape):
            raise TrilithRuntimeError(
                f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(shape)},"
                f" sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
            )
        if not self._nnz():
            return
        for kind, before, after in (
            ("sparse", self.sparse_dim(), sparse_dim),
            ("dense", self.dense_dim(), dense_dim),
        ):
            if before != after:
                raise not_resizable(
                    f"changing the number of {kind} dimensions (from {before} to {after})"
                )
        for kind, first, end in (("sparse", 0, sparse_dim), ("dense", sparse_dim, len(shape))):
            before, after = self.spec.shape[first:end], shape[first:end]
            if any(new < old for new, old in zip(after, before, strict=True)):
                raise not_resizable(
                    f"shrinking the size of {kind} dimensions (from {list(before)} to "
                    f"{list(after)})"
                )

    def sparse_resize_and_clear_(
        self, size: Sequence[int], sparse_dim: int, dense_dim: int
    ) -> Tensor:
        """Change the shape, drop all entries, and return self."""
        shape = tuple(size)
        if sparse_dim + dense_dim != len(shape):
            self._check_resize(shape, sparse_dim, dense_dim)
        device = self.spec.device
        coordinates = empty_tensor(TensorSpec.of((sparse_dim, 0), int64, device))
        values = empty_tensor(TensorSpec.of((0, *shape[sparse_dim:]), self.spec.dtype, device))
        self.hold(coordinates, values, shape, coalesced=True)
        self.bump()
        return self

    def resize_as_sparse_(self, other: Any) -> Tensor:
        """Resize to the shape of another sparse tensor."""
        return self.sparse_resize_(other.shape, other.sparse_dim(), other.dense_dim())

    def resize_as_(self, other: Any, memory_format: MemoryFormat | None = None) -> Any:
        """Resize to the shape of another sparse tensor."""
        return self.resize_as_sparse_(other)

    # Text

    def __repr__(self) -> str:
        """Return the parts, as PyTorch prints them."""
        text = f"tensor(indices={_part(self._coordinates, 'indices')},\n"
        text += f"       values={_part(self._held, 'values')},\n"
        device = self.device
        is_named = device.has_indices or not device.has_values
        text += f"       device='{device}', " if is_named else "       "
        text += f"size={tuple(self.spec.shape)}"
        if device.has_values:
            text += f", nnz={self._nnz()}"
        usual = self._held.numel() == 0 or "dtype=" in repr(self._held)
        if usual and "dtype=" in repr(empty_tensor(TensorSpec.of((1,), self.dtype))):
            text += f", dtype={self.dtype}"
        return f"{text}, layout={self.layout})"

    def _repr_html_(self) -> str:
        """Return the text: there is no table."""
        return f"<pre>{self!r}</pre>"


def _part(part: Any, name: str) -> str:
    """Return the text of a part behind its name, without what the whole says."""
    if part.is_meta:
        return f"tensor(..., size={tuple(part.shape)})"
    if not part.numel():
        return f"tensor([], size={tuple(part.shape)})"
    whole = part.cpu()
    column = len(f"tensor({name}=")
    return format_part(host_elements(whole.memory, whole.spec, whole.offset), whole.spec, column)


def parts_of(tensor: SparseTensor) -> tuple[Tensor, Tensor]:
    """Return the indices and the values of a sparse tensor, in whatever order they are.

    >>> import trilith as tri
    >>> parts_of(tri.eye(1).to_sparse())
    (tensor([[0],
            [0]]), tensor([1.]))
    """
    return tensor._indices(), tensor._values()  # pyright: ignore[reportPrivateUsage] - same module


def _rebuild_sparse_tensor(
    coordinates: Tensor, values: Tensor, shape: tuple[int, ...], coalesced: bool
) -> SparseTensor:
    return SparseTensor(coordinates, values, shape, coalesced=coalesced)


refuse_memory(SparseTensor)
