"""What is known of a tensor, or of a Python scalar, before it has data?"""

import operator
import weakref

# What Python's own tables of weak references remove their dead with.
from _weakref import (
    _remove_dead_weakref,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
)
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, Never, TypeAlias, TypeVar

import numpy as np

from ..diagnostics import TrilithRuntimeError, TrilithTypeError
from .default_dtype import get_default_complex_dtype, get_default_dtype
from .device import Device, cpu
from .dtype import DType, bool_, int64
from .extents import MAXIMUM_INT64, are_not_negative, check_sizes, checked_nbytes, numel
from .fixed import Fixed, write
from .layout import Layout, strided
from .patterns import FEWEST, Pattern, full_strides, pattern_of
from .promotion import DIMENSIONED, WRAPPED, ZERO_DIM, Operand
from .strides import Ints, contiguous_strides, is_contiguous
from .symint import SymInt, is_symbolic

_Key: TypeAlias = tuple[Ints, DType, Device, Ints | None, Layout, bool]


class SpecFields:
    """The fields of a spec, in the making: nothing guards them until it becomes a `TensorSpec`."""

    __slots__ = (
        "__weakref__",
        "device",
        "dtype",
        "is_conj",
        "is_contiguous",
        "layout",
        "nbytes",
        "numbers",
        "numel",
        "operand",
        "pattern",
        "rank",
        "shape",
        "strides",
    )
    shape: Ints
    dtype: DType
    device: Device
    strides: Ints
    layout: Layout
    is_conj: bool
    rank: int
    numel: int
    nbytes: int
    is_contiguous: bool
    operand: Operand
    #: What of it is structure, and the numbers that this leaves open: see `patterns`.
    pattern: Pattern
    numbers: Ints


class TensorSpec(SpecFields, Fixed):
    """Shape, dtype, device, strides and layout of a tensor; equal specs are one object.

    Of one that `is_conj` the memory holds the conjugates of the elements.
    Make it with `TensorSpec.of`. Derived once: `rank`, `numel`, `nbytes` (of the elements, not of
    the storage), `is_contiguous` and `operand`, what promotion looks at. A sparse_coo spec has
    strides of 0 and is not contiguous.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> spec = TensorSpec.of((4, 3), float32)
    >>> spec, spec.numel, spec.nbytes
    (TensorSpec((4, 3), trilith.float32), 12, 48)
    >>> spec is TensorSpec.of((4, 3), float32, strides=(3, 1))
    True
    """

    __slots__ = ()

    def __new__(cls, *_args: object, **_keywords: object) -> Never:
        """Refuse: `of` finds the one object."""
        raise TrilithTypeError("use TensorSpec.of(shape, dtype, device, strides, layout)")

    @staticmethod
    def of(
        shape: Ints,
        dtype: DType,
        device: Device = cpu,
        strides: Ints | None = None,
        layout: Layout = strided,
        is_conj: bool = False,
    ) -> "TensorSpec":
        """Return the one spec with these fields; no strides means contiguous.

        Shape and strides are tuples. A new combination is checked: integers, not negative, and
        all that follows from them fits into 64 bits.

        >>> from trilith.dialects.attributes.dtype import float32
        """
        reference = _table.get((shape, dtype, device, strides, layout, is_conj))
        if reference is not None:
            found = reference()
            if found is not None:
                return found
        return _intern(shape, dtype, device, strides, layout, is_conj)

    def __getattr__(self, name: str) -> Any:
        """Derive a field when it is first asked for."""
        derive = _DERIVED.get(name)
        if derive is None:
            raise AttributeError(f"'TensorSpec' object has no attribute '{name}'")
        value = derive(self)
        write(self, name, value)
        return value

    def conjugated(self, is_conj: bool) -> "TensorSpec":
        """Return the same spec of memory that holds the conjugates of the elements, or does not.

        >>> from trilith.dialects.attributes.dtype import complex64
        >>> TensorSpec.of((2,), complex64).conjugated(True)
        TensorSpec((2,), trilith.complex64, is_conj=True)
        """
        if is_conj is self.is_conj:
            return self
        return TensorSpec.of(
            self.shape, self.dtype, self.device, self.strides, self.layout, is_conj
        )

    def __repr__(self) -> str:
        """Return shape and dtype, and the other fields where they are not the usual ones."""
        parts = [repr(self.shape), repr(self.dtype)]
        if self.device is not cpu:
            parts.append(f"device='{self.device}'")
        if self.layout is not strided:
            parts.append(f"layout={self.layout}")
        elif self.strides != contiguous_strides(self.shape):
            parts.append(f"strides={self.strides}")
        if self.is_conj:
            parts.append("is_conj=True")
        return f"TensorSpec({', '.join(parts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the fields, so that the receiving process interns it again."""
        fields = (self.shape, self.dtype, self.device, self.strides, self.layout)
        return TensorSpec.of, (*fields, True) if self.is_conj else fields


#: Specs by all their fields. Of a spec of numbers the entry of its pattern is the one that counts,
#: and this one saves time; a spec of expressions is here alone.
_table: dict[_Key, "weakref.KeyedRef[_Key, TensorSpec]"] = {}
#: Entries whose spec has died. They are noted by a function of C's, which no signal handler can
#: interrupt, and removed when a spec is next made.
_dead: "deque[weakref.KeyedRef[_Key, TensorSpec]]" = deque()
_K = TypeVar("_K")
_R = TypeVar("_R", bound="weakref.ReferenceType[TensorSpec]")


def _the_one(table: dict[_K, _R], key: _K, reference: _R) -> TensorSpec:
    """Return the spec that a table has under a key: that of a reference, if there was none.

    There is no lock, as native code takes none: it adds what is not there, and puts a new spec in
    the place of a dead one. Each step here is one of C's, and none removes a spec that is alive.
    """
    while True:
        spec = table.setdefault(key, reference)()
        if spec is not None:
            return spec
        _remove_dead_weakref(table, key)


def _remember(key: _Key, spec: TensorSpec) -> None:
    """Enter a spec under a key for as long as it lives."""
    _table[key] = weakref.KeyedRef(spec, _dead.append, key)


def _forget_dead() -> None:
    while _dead:
        try:
            reference = _dead.popleft()
        except IndexError:  # a finalizer has come in between
            return
        # The entry may already belong to a successor, which is alive.
        _remove_dead_weakref(_table, reference.key)


def forget_dead_of(pattern: Pattern) -> None:
    """Remove the specs of a pattern that have died."""
    specs = pattern.specs
    for numbers, reference in list(specs.items()):
        if reference() is None:
            _remove_dead_weakref(specs, numbers)
    pattern.room = max(2 * len(specs), FEWEST)


def _intern(
    shape: Ints,
    dtype: DType,
    device: Device,
    strides: Ints | None,
    layout: Layout,
    is_conj: bool,
) -> TensorSpec:
    shape = _integers(shape)
    check_sizes(shape)
    if layout is not strided or strides is None:
        all_strides = full_strides(shape, layout)
    else:
        all_strides = _checked_strides(shape, _integers(strides))
    if is_conj and not dtype.is_complex:
        raise TrilithRuntimeError(f"elements of {dtype} have no conjugates to be kept as")
    key = (shape, dtype, device, all_strides, layout, is_conj)
    _forget_dead()
    reference = _table.get(key)
    spec = None if reference is None else reference()
    if spec is None:
        spec = _entered(_make(key, all_strides), key)
    if strides is None:
        # The short form gets an entry of its own: a hit then computes no strides.
        _remember((shape, dtype, device, None, layout, is_conj), spec)
    return spec


def _make(key: _Key, strides: Ints) -> Any:
    shape, dtype, device, _, layout, is_conj = key
    spec: Any = object.__new__(SpecFields)
    spec.shape = shape
    spec.dtype = dtype
    spec.device = device
    spec.strides = strides
    spec.layout = layout
    spec.is_conj = is_conj
    # Refuse now what does not fit into 64 bits; the rest is derived when it is asked for.
    spec.nbytes = checked_nbytes(shape, dtype.itemsize)
    spec.numel = numel(shape)
    spec.__class__ = TensorSpec
    return spec


def _entered(spec: Any, key: _Key) -> TensorSpec:
    """Return the spec that is known from now on by the fields of a new one."""
    if is_symbolic((*spec.shape, *spec.strides)):
        return _the_one(_table, key, weakref.KeyedRef(spec, _dead.append, key))
    # Native code looks at these, and asks nobody. Of expressions they would be a question.
    pattern, numbers = _pattern_of(spec)
    write(spec, "pattern", pattern)
    write(spec, "numbers", numbers)
    found = _known_to(pattern, numbers, spec)
    _remember(key, found)
    return found


def _known_to(pattern: Pattern, numbers: Ints, spec: TensorSpec) -> TensorSpec:
    """Return the spec that a pattern has for some numbers, this new one if none."""
    found = _the_one(pattern.specs, numbers, weakref.ref(spec))
    if len(pattern.specs) > pattern.room:
        forget_dead_of(pattern)
    return found


def spec_of(pattern: Pattern, numbers: Ints) -> TensorSpec:
    """Return the spec that has a pattern and numbers, which are known to be possible.

    What `of` checks and derives at once is left until somebody asks.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> spec = TensorSpec.of((4, 1), float32, strides=(8, 1))
    >>> spec_of(spec.pattern, spec.numbers) is spec
    True
    """
    reference = pattern.specs.get(numbers)
    if reference is not None and (found := reference()) is not None:
        return found
    spec: Any = object.__new__(SpecFields)
    spec.pattern = pattern
    spec.numbers = numbers
    spec.__class__ = TensorSpec
    return _known_to(pattern, numbers, spec)


def _pattern_of(spec: TensorSpec) -> tuple[Pattern, Ints]:
    return pattern_of(spec.shape, spec.strides, spec.dtype, spec.device, spec.layout, spec.is_conj)


#: A spec has either its fields or its pattern and numbers from the start.
_DERIVED: dict[str, Callable[[TensorSpec], Any]] = {
    "shape": lambda spec: spec.pattern.with_numbers(spec.numbers)[0],
    "strides": lambda spec: spec.pattern.with_numbers(spec.numbers)[1],
    "dtype": lambda spec: spec.pattern.dtype,
    "device": lambda spec: spec.pattern.device,
    "layout": lambda spec: spec.pattern.layout,
    "is_conj": lambda spec: spec.pattern.is_conj,
    "rank": lambda spec: len(spec.shape),
    "nbytes": lambda spec: checked_nbytes(spec.shape, spec.dtype.itemsize),
    "numel": lambda spec: numel(spec.shape),
    "is_contiguous": lambda spec: (
        spec.layout is strided and is_contiguous(spec.shape, spec.strides)
    ),
    "pattern": lambda spec: _pattern_of(spec)[0],
    "numbers": lambda spec: _pattern_of(spec)[1],
    "operand": lambda spec: Operand(spec.dtype, DIMENSIONED if spec.shape else ZERO_DIM),
}


def _integers(values: Ints) -> Ints:
    try:
        if is_symbolic(values):
            # Of an expression it must be known that it is 2 or more: 0 and 1 are structure.
            sizes: tuple[Any, ...] = values
            kept: Any = [v if type(v) is SymInt and v > 1 else operator.index(v) for v in sizes]
            return tuple(kept)
        return tuple(map(operator.index, values))
    except TypeError:
        raise TrilithTypeError(f"sizes and strides must be integers, but got {values}") from None


def _checked_strides(shape: Ints, strides: Ints) -> Ints:
    if len(strides) != len(shape):
        raise TrilithRuntimeError(
            f"dimensionality of sizes ({len(shape)}) must match "
            f"dimensionality of strides ({len(strides)})"
        )
    reach = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True) if size)
    is_small = reach <= MAXIMUM_INT64 and all(stride <= MAXIMUM_INT64 for stride in strides)
    if not (is_small and are_not_negative(strides)):
        raise TrilithRuntimeError(
            f"Storage size calculation overflowed with sizes={list(shape)} "
            f"and strides={list(strides)}"
        )
    return strides


ScalarKind: TypeAlias = Literal["bool", "int", "float", "complex"]


class ScalarSpec(Fixed):
    """A Python scalar operand, which takes part in promotion weakly; one object per kind.

    Its dtype follows the default dtype at the time it is asked for.

    >>> ScalarSpec.of(2.5), ScalarSpec.of(2.5).dtype, ScalarSpec.of(True).dtype
    (ScalarSpec('float'), trilith.float32, trilith.bool)
    """

    __slots__ = ("__weakref__", "kind")
    kind: ScalarKind

    def __new__(cls, kind: ScalarKind) -> "ScalarSpec":
        """Return the one object of a kind."""
        return _scalars[kind]

    @staticmethod
    def of(value: object) -> "ScalarSpec":
        """Return the spec of a Python or NumPy scalar, which PyTorch does not tell apart.

        >>> ScalarSpec.of(np.float32(1))
        ScalarSpec('float')
        """
        found = _by_type.get(type(value))
        if found is not None:
            return found
        for kind, abstract in _ABSTRACT_KINDS:
            if isinstance(value, abstract):
                return _scalars[kind]
        raise TrilithTypeError(
            f"a Python scalar is a bool, int, float or complex, not {type(value).__name__}"
        )

    @property
    def dtype(self) -> DType:
        """The dtype it brings to promotion."""
        match self.kind:
            case "bool":
                return bool_
            case "int":
                return int64
            case "float":
                return get_default_dtype()
            case "complex":
                return get_default_complex_dtype()

    @property
    def operand(self) -> Operand:
        """What promotion looks at."""
        return Operand(self.dtype, WRAPPED)

    def __repr__(self) -> str:
        """Return the kind."""
        return f"ScalarSpec('{self.kind}')"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle as the kind, so that the same object comes back."""
        return ScalarSpec, (self.kind,)


def _make_scalar(kind: ScalarKind) -> ScalarSpec:
    spec = object.__new__(ScalarSpec)
    object.__setattr__(spec, "kind", kind)
    return spec


_KINDS: tuple[ScalarKind, ...] = ("bool", "int", "float", "complex")
_scalars: dict[str, ScalarSpec] = {kind: _make_scalar(kind) for kind in _KINDS}
_by_type: dict[type, ScalarSpec] = {
    bool: _scalars["bool"],
    int: _scalars["int"],
    float: _scalars["float"],
    complex: _scalars["complex"],
}
_ABSTRACT_KINDS: tuple[tuple[ScalarKind, tuple[type, ...]], ...] = (
    ("bool", (bool,)),
    ("int", (int, np.integer)),
    # As in PyTorch, which asks NumPy's bool for a float.
    ("float", (float, np.floating, np.bool_)),
    ("complex", (complex, np.complexfloating)),
)
