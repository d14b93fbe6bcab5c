"""Where do random numbers come from? From a counter: Philox 4x64-10, keyed by the seed.

Block number c of the stream of a seed is Philox(key=seed, counter=c), four words of 64 bits. A
generator is the pair (seed, number of the next block); every draw of n words takes ceil(n / 4)
blocks, so equal seeds and equal calls give equal numbers on every machine, and no draw depends on
threads. The words are made on the host and copied to the device. The numbers made of them:

- `rand`: the leading bits of a word as a fraction in [0, 1): 53 for float64, 24 for float32, 11 for
  float16, 8 for bfloat16;
- `randn`: the Box-Muller transform of two words, in float64, then rounded;
- `randint`: the high word of the product of the word and the width of the range (a bias below
  2**-32 for ranges up to 2**32).

They are not PyTorch's numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ...dialects.attributes.default_dtype import get_default_dtype
from ...dialects.attributes.device import Device, cpu, get_default_device, home_of
from ...dialects.attributes.dtype import (
    DType,
    bfloat16,
    bool_,
    complex32,
    float16,
    float32,
    float64,
    int64,
)
from ...dialects.attributes.layout import strided
from ...dialects.attributes.limits import iinfo
from ...dialects.attributes.options import check_flags, check_unoffered, dtype_argument
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.strides import preserve_strides
from ...dialects.diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from ...dialects.locks import new_lock
from .construction import device_argument
from .tensor import Tensor, empty_tensor, tensor_from_bytes

Array = np.ndarray[Any, Any]

#: The seed of a process that sets none.
DEFAULT_SEED = 67280421310721

#: How many leading bits of a word a fraction has: as many as the significand.
_FRACTION_BITS = {float64: 53, float32: 24, float16: 11, bfloat16: 8}


class Generator:
    """A source of random numbers: a seed and how far its stream has been read.

    >>> first, second = Generator(), Generator()
    >>> bool((first.words(5) == second.words(5)).all())
    True
    """

    __slots__ = ("_block", "_lock", "_seed", "device")

    def __init__(self, device: Device | str = cpu) -> None:
        """Start at the beginning of the default seed's stream; words are made on the host."""
        self.device = Device(device)
        self._seed = DEFAULT_SEED
        self._block = 0
        self._lock = new_lock()

    def manual_seed(self, seed: int) -> Generator:
        """Go to the beginning of a seed's stream."""
        number = int(seed)
        if not -(1 << 63) <= number < 1 << 64:
            raise TrilithRuntimeError(
                f"Overflow when unpacking long long: the seed {number} needs more than 64 bits"
            )
        with self._lock:
            self._seed = number & ((1 << 64) - 1)
            self._block = 0
        return self

    def initial_seed(self) -> int:
        """Return the seed."""
        return self._seed

    def get_state(self) -> tuple[int, int]:
        """Return the seed and the number of the next block."""
        with self._lock:
            return self._seed, self._block

    def set_state(self, state: tuple[int, int]) -> Generator:
        """Go back to where `get_state` was called."""
        with self._lock:
            self._seed, self._block = state
        return self

    def words(self, count: int) -> Array:
        """Return the next words of the stream, uint64."""
        with self._lock:
            seed, block = self._seed, self._block
            self._block += -(-count // 4)
        # NumPy adds one to the counter before the first block.
        source = np.random.Philox(key=seed, counter=(block - 1) % (1 << 256))
        return source.random_raw(count)


default_generator = Generator()

_guards: list[Callable[[], None]] = []


def before_drawing(guard: Callable[[], None]) -> None:
    """Call `guard` before numbers are drawn; it may raise.

    The compiler sets one: a function that is recorded must not keep numbers that were drawn once.
    """
    _guards.append(guard)


def manual_seed(seed: int) -> Generator:
    """Set the seed of all random numbers of the process.

    >>> import trilith as tri
    >>> first = tri.manual_seed(3), tri.rand(2)
    >>> second = tri.manual_seed(3), tri.rand(2)
    >>> first[1].tolist() == second[1].tolist()
    True
    """
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """Return the seed that was set last.

    >>> _ = manual_seed(3)
    >>> initial_seed()
    3
    """
    return default_generator.initial_seed()


# ---- words to numbers


def _fractions(words: Array, bits: int) -> Array:
    """Return numbers in [0, 1) from the leading bits."""
    return (words >> np.uint64(64 - bits)).astype(np.float64) * 2.0**-bits


def _uniform(source: Generator, count: int, dtype: DType) -> Array:
    part = dtype.to_real()
    if part not in _FRACTION_BITS:
        raise TrilithNotImplementedError(
            f"\"check_uniform_bounds\" not implemented for '{dtype.c_name}'"
        )
    if dtype.is_complex:
        pairs = _fractions(source.words(2 * count), _FRACTION_BITS[part])
        return pairs[0::2] + 1j * pairs[1::2]
    return _fractions(source.words(count), _FRACTION_BITS[part])


def _normal(source: Generator, count: int, dtype: DType) -> Array:
    part = dtype.to_real()
    if part not in _FRACTION_BITS:
        raise TrilithNotImplementedError(
            f"\"normal_kernel_cpu\" not implemented for '{dtype.c_name}'"
        )
    needed = 2 * count if dtype.is_complex else count
    pairs = _fractions(source.words(needed + needed % 2), 53)
    # 1 - u is in (0, 1]: its logarithm exists.
    radius = np.sqrt(-2.0 * np.log1p(-pairs[0::2]))
    angle = 2.0 * np.pi * pairs[1::2]
    both = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()[:needed]
    if dtype.is_complex:
        # Of a complex number the variance is 1, half of it in each part.
        return (both[0::2] + 1j * both[1::2]) * np.sqrt(0.5)
    return both


def _below(words: Array, width: int) -> Array:
    """Return integers in [0, width): the high word of words * width."""
    if width >= 1 << 64:
        return words
    low, high = words & np.uint64(0xFFFFFFFF), words >> np.uint64(32)
    small, large = np.uint64(width & 0xFFFFFFFF), np.uint64(width >> 32)
    middle = (low * small >> np.uint64(32)) + high * small
    carried = (middle & np.uint64(0xFFFFFFFF)) + low * large
    return high * large + (middle >> np.uint64(32)) + (carried >> np.uint64(32))


# ---- tensors


def _sizes(function: str, arguments: tuple[Any, ...]) -> tuple[int, ...]:
    """Return sizes given as integers or as one sequence."""
    if not arguments:
        raise TrilithTypeError(f'{function}() missing 1 required positional arguments: "size"')
    sizes: Any = arguments
    if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)):
        (sizes,) = arguments
    for size in sizes:
        if isinstance(size, bool) or not hasattr(size, "__index__"):
            raise TrilithTypeError(
                f"{function}(): argument 'size' (position 1) must be tuple of ints, not "
                f"{type(size).__name__}"
            )
    return tuple(int(size) for size in sizes)


def _draw(
    function: str,
    spec: TensorSpec,
    generator: Generator | None,
    numbers: Callable[[Generator, int, DType], Array],
) -> Tensor:
    """Return a tensor of drawn numbers; on meta there are none to draw."""
    if generator is not None and not isinstance(generator, Generator):  # pyright: ignore[reportUnnecessaryIsInstance] - the user may give anything
        raise TrilithTypeError(
            f"{function}(): argument 'generator' must be trilith.Generator, not "
            f"{type(generator).__name__}"
        )
    for guard in _guards:
        guard()
    if not spec.device.has_values:
        return empty_tensor(spec)
    drawn = numbers(generator or default_generator, spec.numel, spec.dtype)
    flat = TensorSpec.of((spec.numel,), spec.dtype, spec.device)
    made = tensor_from_bytes(flat, _encoded(drawn, spec.dtype).tobytes())
    return Tensor(made.untyped_storage(), spec)


def _encoded(numbers: Array, dtype: DType) -> Array:
    if dtype is complex32:
        pairs = np.empty(numbers.shape, dtype.numpy)
        pairs["real"], pairs["imag"] = numbers.real, numbers.imag
        return pairs
    return numbers.astype(dtype.numpy)


def _spec(
    function: str,
    size: tuple[int, ...],
    default: DType,
    options: dict[str, Any],
    strides: tuple[int, ...] | None = None,
) -> TensorSpec:
    """Return the spec that a factory's keyword arguments ask for; refuse the others."""
    dtype = dtype_argument(function, options.pop("dtype", None)) or default
    device = device_argument(function, options.pop("device", None)) or get_default_device()
    flags = {name: options.pop(name, None) for name in ("requires_grad", "pin_memory")}
    layout = options.pop("layout", None)
    if layout is not None and layout is not strided:
        raise TrilithNotImplementedError(f"{function} of layout {layout} is not offered")
    for name in options:
        raise TrilithTypeError(f"{function}() got an unexpected keyword argument '{name}'")
    check_flags(function, **flags)
    check_unoffered(dtype, **flags)
    return TensorSpec.of(size, dtype, home_of(device), strides)


def rand(*size: Any, generator: Generator | None = None, **options: Any) -> Tensor:
    """Return uniform random numbers in [0, 1); sizes are integers or one sequence.

    `options` are dtype, device, layout, requires_grad and pin_memory, as of other factories.

    >>> import trilith as tri
    >>> x = tri.rand(2, 3)
    >>> x.shape, bool(((x >= 0) & (x < 1)).all())
    (trilith.Size([2, 3]), True)
    """
    spec = _spec("rand", _sizes("rand", size), get_default_dtype(), options)
    return _draw("rand", spec, generator, _uniform)


def randn(*size: Any, generator: Generator | None = None, **options: Any) -> Tensor:
    """Return random numbers of the normal distribution of mean 0 and variance 1.

    >>> import trilith as tri
    >>> tri.randn((2, 3), dtype=tri.float64).dtype
    trilith.float64
    """
    spec = _spec("randn", _sizes("randn", size), get_default_dtype(), options)
    return _draw("randn", spec, generator, _normal)


def randint(*arguments: Any, generator: Generator | None = None, **options: Any) -> Tensor:
    """Return random integers in [low, high): `randint(high, size)` or `randint(low, high, size)`.

    >>> import trilith as tri
    >>> x = tri.randint(3, 5, (100,))
    >>> x.dtype, sorted(set(x.tolist()))
    (trilith.int64, [3, 4])
    """
    names = ("low", "high", "size")
    bound: dict[str, Any] = dict(zip(names[3 - len(arguments) :], arguments, strict=False))
    bound |= {name: options.pop(name) for name in names if name in options}
    if set(bound) < {"high", "size"} or len(arguments) > 3:
        raise TrilithTypeError("randint() takes (high, size) or (low, high, size)")
    size = bound["size"]
    if not isinstance(size, (tuple, list)):
        raise TrilithTypeError(
            f"randint(): argument 'size' (position {len(bound)}) must be tuple of ints, not "
            f"{type(size).__name__}"
        )
    low, high = int(bound.get("low", 0)), int(bound["high"])
    if low >= high:
        raise TrilithRuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    spec = _spec("randint", _sizes("randint", (cast("list[Any]", size),)), int64, options)
    _check_range(low, high, spec.dtype)

    def integers(source: Generator, count: int, dtype: DType) -> Array:
        drawn = _below(source.words(count), high - low) + np.uint64(low % (1 << 64))
        return drawn if low >= 0 else drawn.view(np.int64)

    return _draw("randint", spec, generator, integers)


def _check_range(low: int, high: int, dtype: DType) -> None:
    """Refuse bounds that the dtype cannot hold; floats hold whole numbers up to their precision."""
    if dtype.is_complex:
        raise TrilithRuntimeError(
            "check_random_bounds handles only integral, floating-point and boolean types"
        )
    if dtype.is_floating_point:
        limit = 1 << _FRACTION_BITS.get(dtype, 1)
        lowest, highest = -limit, limit
    elif dtype is bool_:
        lowest, highest = 0, 1
    else:
        lowest, highest = iinfo(dtype).min, iinfo(dtype).max
    name = _C_NAMES.get(dtype.c_name, dtype.c_name)
    for label, value in (("from", low), ("to - 1", high - 1)):
        if not lowest <= value <= highest:
            raise TrilithRuntimeError(f"{label} is out of bounds for {name}")


_C_NAMES = {
    "Bool": "bool",
    "Byte": "unsigned char",
    "Char": "signed char",
    "Short": "short",
    "Int": "int",
    "Long": "long",
    "UInt16": "unsigned short",
    "UInt32": "unsigned int",
    "UInt64": "unsigned long",
    "Half": "c10::Half",
    "BFloat16": "c10::BFloat16",
    "Float": "float",
    "Double": "double",
}


def _like(
    function: str,
    input: Any,
    options: dict[str, Any],
    numbers: Callable[[Generator, int, DType], Array],
) -> Tensor:
    found = getattr(input, "spec", None)
    if not isinstance(found, TensorSpec):
        raise TrilithTypeError(
            f"{function}(): argument 'input' (position 1) must be Tensor, not "
            f"{type(input).__name__}"
        )
    if options.get("device") is None:
        options["device"] = found.device
    strides = preserve_strides(found.shape, found.strides)
    spec = _spec(function, found.shape, found.dtype, options, strides)
    return _draw(function, spec, None, numbers)


def rand_like(input: Any, **options: Any) -> Tensor:
    """Return uniform random numbers with the shape, dtype, device and layout of another tensor.

    >>> import trilith as tri
    >>> tri.rand_like(tri.zeros(2, 3)).shape
    trilith.Size([2, 3])
    """
    return _like("rand_like", input, options, _uniform)


def randn_like(input: Any, **options: Any) -> Tensor:
    """Return normal random numbers with the shape, dtype, device and layout of another tensor.

    >>> import trilith as tri
    >>> tri.randn_like(tri.zeros(2, 3)).shape
    trilith.Size([2, 3])
    """
    return _like("randn_like", input, options, _normal)


def randperm(n: int, *, generator: Generator | None = None, **options: Any) -> Tensor:
    """Return the integers below n in a random order.

    >>> import trilith as tri
    >>> sorted(tri.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    if n < 0:
        raise TrilithRuntimeError(f"n must be non-negative, got {n}")
    spec = _spec("randperm", (n,), int64, options)

    def shuffled(source: Generator, count: int, dtype: DType) -> Array:
        return np.argsort(source.words(count), kind="stable")

    return _draw("randperm", spec, generator, shuffled)
