"""What is a tensor made of? A storage, a description, an offset, and what only few have besides."""

from __future__ import annotations

from typing import Any, Self

from ...dialects.attributes.default_dtype import get_default_complex_dtype, get_default_dtype
from ...dialects.attributes.extents import check_bounds, storage_extent
from ...dialects.attributes.fixed import write
from ...dialects.attributes.promotion import WRAPPED, Operand
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.unusual import INFERENCE
from ..execution.storage import UntypedStorage
from ..gradients.state import GradientState
from .recording import unrecorded

#: What PyTorch says when the metadata of a tensor may not be changed.
METADATA_IS_FIXED = (
    "{} is not allowed on a Tensor created from .data or .detach().\n"
    "If your intent is to change the metadata of a Tensor (such as sizes / strides / storage / "
    "storage_offset)\nwithout autograd tracking the change, remove the .data / .detach() call and "
    "wrap the change in a `with torch.no_grad():` block."
)


class VersionCounter:
    """How often the elements of the tensors that share it were written in place."""

    __slots__ = ("value",)

    def __init__(self, value: int = 0) -> None:
        """Begin at a number."""
        self.value = value


class TensorState:
    """What only a tensor has that went through `.data`, `set_`, its `TensorImpl` or gradients."""

    __slots__ = (
        "allows_metadata_change",
        "attributes",
        "gradient",
        "has_dtype",
        "has_storage",
        "is_reserved",
        "is_wrapped_number",
        "versions",
    )

    def __init__(self) -> None:
        """Begin as every tensor is."""
        #: None means the counter of the storage.
        self.versions: VersionCounter | None = None
        self.allows_metadata_change = True
        self.is_wrapped_number = False
        #: The storage was made larger than the tensor, to be grown into.
        self.is_reserved = False
        self.has_dtype = True
        self.has_storage = True
        #: What a program keeps on the tensor, under names of its own.
        self.attributes: dict[str, Any] | None = None
        #: What gradients know of the tensor, if it has to do with them.
        self.gradient: GradientState | None = None


class TensorFields:
    """The fields of a tensor and what keeps them sound.

    `memory` is the storage, `spec` the interned description, `offset` the index of the first
    element in elements and `byte_offset` in bytes. `state` is None on most tensors. An object of
    this class itself is a tensor that is being made: anybody may set its fields.
    """

    __slots__ = ("__weakref__", "byte_offset", "memory", "offset", "spec", "state")
    memory: UntypedStorage
    byte_offset: int
    offset: int
    spec: TensorSpec
    state: TensorState | None
    #: Whether there are elements: what stands for a tensor while tracing has none.
    is_concrete = True
    #: For one that stands for many tensors at once: the level of the mapping, and what maps.
    batch_level: tuple[int, Any] | None = None

    def address(self) -> int:
        """Return where the first element is, after proving that the storage holds every element.

        Raises TrilithRuntimeError if the storage has become too small.
        """
        self.check_extent()
        spec = self.spec
        reach = storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
        return self.memory.address(self.byte_offset, reach)

    def check_extent(self) -> None:
        """Raise unless the storage, which may have been resized, holds every element."""
        spec = self.spec
        try:
            check_bounds(
                spec.shape, spec.strides, self.offset, spec.dtype.itemsize, self.memory.length
            )
        except TrilithRuntimeError as error:
            error.hint = "the storage was resized after the tensor was made"
            raise

    def check_concrete(self) -> None:
        """Raise unless there is memory: what stands for a tensor while tracing has none."""

    def own_state(self) -> TensorState:
        """Return the state, made if there is none."""
        if self.state is None:
            write(self, "state", TensorState())
        assert self.state is not None
        return self.state

    def alias(self) -> Self:
        """Return another tensor of the same fields, which counts versions with this one."""
        made = _new(type(self))
        write(made, "state", None)
        made.take_over(self.memory, self.spec, self.offset)
        made.count_with(self)
        return made

    def take_over(self, memory: UntypedStorage, spec: TensorSpec, offset: int) -> None:
        """Become a view whose bounds are already proven."""
        write(self, "memory", memory)
        write(self, "offset", offset)
        write(self, "byte_offset", offset * spec.dtype.itemsize)
        write(self, "spec", spec)

    def check_metadata_change(self, what: str) -> None:
        """Raise if the metadata of this tensor may not be changed."""
        unrecorded(f"a tensor of the enclosing program is changed ({what})")
        if self.state is not None and not self.state.allows_metadata_change:
            raise TrilithRuntimeError(METADATA_IS_FIXED.format(what))

    @property
    def operand(self) -> Operand:
        """What promotion looks at: a wrapped number counts as the Python number it stands for."""
        if self.state is None or not self.state.is_wrapped_number:
            return self.spec.operand
        dtype = self.spec.dtype
        if dtype.is_complex:
            dtype = get_default_complex_dtype()
        elif dtype.is_floating_point:
            dtype = get_default_dtype()
        return Operand(dtype, WRAPPED)

    # Inference mode and versions

    def is_inference(self) -> bool:
        """Tell whether the tensor's memory was obtained in inference mode.

        >>> import trilith as tri
        >>> with tri.inference_mode():
        ...     x = tri.ones(2)
        >>> x.is_inference(), (x + 1).is_inference()
        (True, False)
        """
        return self.memory.is_inference

    @property
    def _version(self) -> int:
        """How many times the tensor, or one that it shares memory with, was changed in place.

        Raises TrilithRuntimeError for a tensor that was made in inference mode, unless it counts on
        its own.
        """
        return self.told_version()

    def told_version(self) -> int:
        """Return `_version`, or refuse."""
        if self._is_uncounted:
            raise TrilithRuntimeError("Inference tensors do not track version counter.")
        return self.count_of_versions()

    @property
    def _is_uncounted(self) -> bool:
        """Whether PyTorch counts no versions; what `.data` gives counts its own."""
        return (self.state is None or self.state.versions is None) and self.is_inference()

    def check_mode(self) -> None:
        """Raise if the tensor was made in inference mode, and this thread is not in it."""
        if self._is_uncounted and not INFERENCE.is_here():
            raise TrilithRuntimeError(
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can "
                "make a clone to get a normal tensor before doing inplace update.See "
                "https://github.com/pytorch/rfcs/pull/17 for more details."
            )

    def count_of_versions(self) -> int:
        """Return `_version`; `.data` and what `set_` has given other memory count on their own."""
        versions = None if self.state is None else self.state.versions
        return self.memory.version if versions is None else versions.value

    def version_counter(self) -> object:
        """Return what counts versions: tensors that have it in common are written together."""
        versions = None if self.state is None else self.state.versions
        return self.memory if versions is None else versions

    def bump(self) -> None:
        """Count a change in place."""
        versions = None if self.state is None else self.state.versions
        if versions is None:
            self.memory.bump()
        else:
            versions.value += 1
            self.memory.break_seal()

    def count_alone(self, value: int) -> None:
        """Count versions from a number on, together with nobody."""
        self.own_state().versions = VersionCounter(value)

    def count_with(self, other: TensorFields) -> None:
        """Count versions together with the tensor that this one is a view of."""
        if other.state is not None and other.state.versions is not None:
            self.own_state().versions = other.state.versions


_new = object.__new__
