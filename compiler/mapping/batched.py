"""What is a tensor that stands for one example of many? It looks like one, and holds them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Self

from ...dialects.attributes.fixed import write
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithRuntimeError
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.missing import missing_member
from ...runtime.tensors.tensor import Tensor

_NO_ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling "
    ".item() on a Tensor, please try to rewrite what you're doing with other operations. If error "
    "is occurring somewhere inside PyTorch internals, please file a bug report."
)
_NO_CONDITION = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We "
    "don't support that yet, please file an issue at https://github.com/pytorch/pytorch/issues ."
)
_ESCAPED = (
    "Either your tensor may have escaped from inside a function being vmapped and this is a user "
    "error (see https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal "
    "functorch error in `gen_vmap_plumbing` Please file an issue if it looks like the latter"
)
#: What only a tensor with memory of its own has.
_OF_MEMORY = frozenset({"memory", "offset", "byte_offset"})


class Mapping:
    """One run of a mapped function: its level, how many examples there are, how they draw."""

    __slots__ = ("is_over", "layer", "level", "randomness", "size")

    def __init__(self, level: int, size: int, randomness: str, layer: Any) -> None:
        """Begin."""
        self.level, self.size, self.randomness, self.layer = level, size, randomness, layer
        self.is_over = False


class _Fields(TensorFields):
    """A batched tensor that is being made: anybody may set its fields."""

    __slots__ = ("batch_level", "mapping", "value")
    mapping: Mapping
    value: Any


class BatchedTensor(_Fields, Tensor):
    """A tensor as a mapped function sees it: that of one example.

    `value` is that of all examples, whose dim comes first. It may be batched itself, as a value of
    a mapping around, or have a gradient there.
    """

    __slots__ = ()
    is_concrete = False
    #: Whoever asks whether a call is about values of the running function asks for this.
    traced_by = None

    @classmethod
    def of(cls, mapping: Mapping, value: Any) -> Self:
        """Return what stands for one example of a tensor whose first dim is that of examples."""
        made: Any = object.__new__(_Fields)
        made.mapping, made.value = mapping, value
        made.batch_level = mapping.level, mapping.layer
        made.state = None
        made.spec = _of_one(value.spec)
        made.__class__ = cls
        return made

    def check_alive(self) -> None:
        """Refuse a tensor that was kept after its function had returned."""
        if self.mapping.is_over:
            raise TrilithRuntimeError(_ESCAPED)

    # ---- what a tensor says of its memory

    def alias(self) -> Self:
        """Return another tensor of the same elements, of which no gradient is known here."""
        return self.of(self.mapping, self.value)

    def without_gradient(self) -> Self:
        """Return another tensor of the same elements, of which no gradient is known here."""
        return self.of(self.mapping, self.value)

    def detach(self) -> Self:
        """Return the elements, of which nothing is recorded at any level."""
        return self.of(self.mapping, self.value.detach())

    @property
    def data(self) -> Self:
        """The tensor's elements, as a view."""
        return self.detach()

    @data.setter
    def data(self, value: Any) -> NoReturn:
        raise TrilithRuntimeError("vmap: the elements of an example cannot be replaced by others")

    def _become(self, name: str, see: Callable[[], Any]) -> Self:
        seen = see()
        write(self, "value", seen.value)
        write(self, "spec", seen.spec)
        return self

    def is_inference(self) -> bool:
        """Tell whether the memory of the examples was obtained in inference mode."""
        return self.value.is_inference()

    def bump(self) -> None:
        """Count a change in place."""
        self.value.bump()

    def count_of_versions(self) -> int:
        """Return how often the elements were written in place."""
        return self.value.count_of_versions()

    def version_counter(self) -> object:
        """Return what counts versions of the elements."""
        return self.value.version_counter()

    def storage_offset(self) -> int:
        """Return where the first example begins in its storage."""
        return self.value.storage_offset()

    def check_concrete(self) -> None:
        """Say nothing: what is asked for elements refuses by itself."""

    # ---- what has no meaning for many examples at once

    def item(self) -> NoReturn:
        """Refuse: there is one number for each example."""
        raise TrilithRuntimeError(_NO_ITEM)

    tolist = item

    def numpy(self, *, force: bool = False) -> NoReturn:
        """Refuse: there is an array for each example."""
        raise TrilithRuntimeError(_NO_ITEM)

    def __bool__(self) -> bool:
        """Refuse: a program goes one way for all examples."""
        raise TrilithRuntimeError(_NO_CONDITION)

    def __index__(self) -> int:
        """Refuse: there is one number for each example."""
        raise TrilithRuntimeError(_NO_ITEM)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        """Refuse: there is an array for each example."""
        raise TrilithRuntimeError(_NO_ITEM)

    def __iter__(self) -> Iterator[Any]:
        """Yield the parts of dim 0."""
        return super().__iter__()

    def __format__(self, specification: str) -> str:
        """Print it."""
        return repr(self)

    def __repr__(self) -> str:
        """Show the elements of all examples."""
        return f"BatchedTensor(lvl={self.mapping.level}, bdim=0, value={self.value!r})"

    def __getattr__(self, name: str) -> Any:
        """Refuse what needs the memory of one example."""
        if name in _OF_MEMORY:
            raise TrilithRuntimeError(
                "Cannot access data pointer of Tensor that doesn't have storage",
                hint="a mapped function cannot look into the memory of its tensors",
            )
        raise missing_member(name, "'Tensor' object")


#: Programs that print the class of a tensor see what they expect.
BatchedTensor.__name__ = BatchedTensor.__qualname__ = "Tensor"


def _of_one(spec: TensorSpec) -> TensorSpec:
    """Return the spec of one example."""
    return TensorSpec.of(
        spec.shape[1:], spec.dtype, spec.device, spec.strides[1:], is_conj=spec.is_conj
    )
