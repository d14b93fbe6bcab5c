"""What hands out random numbers? A generator: a seed, and how many blocks of its stream are taken.

Block c of the stream of a seed is Philox 4x32-10 of the counter c under the key seed
(`dialects/ops/scalars/philox.py`), and each element of a draw is made of one block. A generator
hands out the seed and the number of the first block, and counts on by the elements that are drawn:
equal seeds and equal calls give equal numbers, on every device and however many threads there are.
No number is made here. The numbers are not PyTorch's, which come of another generator.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ...dialects.attributes.device import Device, cpu
from ...dialects.attributes.dtype import uint8
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.symint import SymInt
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ...dialects.locks import new_lock
from ...dialects.records import record, replace
from .tensor import Tensor, tensor_from_bytes

#: The seed of a process that sets none.
DEFAULT_SEED = 67280421310721

#: How many bytes of a state are the seed, and how many the number of the next block.
_PART = 8
_MASK = (1 << 64) - 1


class Generator:
    """A source of random numbers: a seed and how far its stream has been read.

    >>> import trilith as tri
    >>> first, second = tri.Generator(), tri.Generator().manual_seed(3)
    >>> bool((tri.rand(5, generator=first) == tri.rand(5, generator=second)).all())
    False
    """

    __slots__ = ("__weakref__", "_block", "_device", "_lock", "_seed")

    #: Arguments of this name are generators for the rows, which do not know this class.
    is_generator: ClassVar[bool] = True

    def __init__(self, device: Device | str | None = None) -> None:
        """Start at the beginning of the default seed's stream."""
        self._device = cpu if device is None else Device(device)
        self._seed = DEFAULT_SEED
        self._block = 0
        self._lock = new_lock()

    @property
    def device(self) -> Device:
        """The device that it draws for."""
        return self._device

    def __repr__(self) -> str:
        """Return what PyTorch prints, with an address as of any object."""
        return f"<trilith.Generator object at {id(self):#x}>"

    def manual_seed(self, seed: int) -> Generator:
        """Go to the beginning of a seed's stream.

        >>> Generator().manual_seed(-1).initial_seed() == 2**64 - 1
        True
        """
        number = _seed_of(seed)
        with self._lock:
            self._seed, self._block = number, 0
        return self

    def seed(self) -> int:
        """Go to the beginning of the stream of a seed that nobody can guess, and return that."""
        number = int.from_bytes(os.urandom(_PART), "little")
        self.manual_seed(number)
        return number

    def initial_seed(self) -> int:
        """Return the seed."""
        return self._seed

    def get_state(self) -> Tensor:
        """Return the seed and the number of the next block, as 16 bytes.

        >>> Generator().manual_seed(3).get_state().tolist()
        [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        """
        with self._lock:
            parts = self._seed, self._block
        data = b"".join(part.to_bytes(_PART, "little") for part in parts)
        return tensor_from_bytes(TensorSpec.of((2 * _PART,), uint8, cpu), data)

    def set_state(self, new_state: Tensor) -> Generator:
        """Go back to where `get_state` was called."""
        if not isinstance(new_state, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance] - the user may give anything
            raise TrilithTypeError(
                f"expected a torch.ByteTensor, but got {type(new_state).__name__}"
            )
        if new_state.dtype is not uint8 or not new_state.device.is_host:
            raise TrilithTypeError("RNG state must be a torch.ByteTensor")
        data = bytes(new_state.tolist())
        if len(data) != 2 * _PART:
            raise TrilithRuntimeError("RNG state is wrong size")
        parts = [int.from_bytes(data[begin : begin + _PART], "little") for begin in (0, _PART)]
        with self._lock:
            self._seed, self._block = parts
        return self

    def clone_state(self) -> Generator:
        """Return another generator that draws the same numbers from now on."""
        made = Generator(self._device)
        with self._lock:
            made._seed, made._block = self._seed, self._block
        return made

    def take(self, count: int) -> tuple[int, int]:
        """Take so many blocks: (key, number of the first one), each as 64 bits with a sign.

        >>> source = Generator().manual_seed(7)
        >>> source.take(5), source.take(1)
        ((7, 0), (7, 5))
        """
        with self._lock:
            seed, block = self._seed, self._block
            self._block = (block + count) & _MASK
        return _signed(seed), _signed(block)

    def give_back(self, taken: tuple[int, int], count: int) -> None:
        """Put blocks back that nobody has used, unless others were taken since.

        >>> source = Generator().manual_seed(7)
        >>> source.give_back(source.take(5), 5)
        >>> source.take(1)
        (7, 0)
        """
        with self._lock:
            before = (self._block - count) & _MASK
            if (_signed(self._seed), _signed(before)) == taken:
                self._block = before

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the state; the default generator stays the default one."""
        if self is default_generator:
            return _default, ()
        return _restored, (str(self._device), self._seed, self._block)


default_generator = Generator()


def _default() -> Generator:
    return default_generator


def _restored(device: str, seed: int, block: int) -> Generator:
    made = Generator(device)
    made._seed, made._block = seed, block  # pyright: ignore[reportPrivateUsage] - its own module
    return made


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _seed_of(seed: Any) -> int:
    """Return a seed as 64 bits; a negative one counts from their end."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TrilithRuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
    number = int(seed)
    if not -(1 << 63) <= number < 1 << 64:
        raise TrilithValueError("Overflow when unpacking long long")
    return number & _MASK


def source_of(generator: Generator | None, device: Device) -> Generator:
    """Return the generator of a draw on a device: the default one for all if none is given."""
    if generator is None:
        return default_generator
    if generator.device.type != device.type:
        raise TrilithRuntimeError(
            f"Expected a '{device.type}' device type for generator but found "
            f"'{generator.device.type}'"
        )
    return generator


@record
class Draw:
    """What each call of a plan takes from a generator, None for the default one.

    `index` is the number of the plan's argument for the key; that for the counter follows it.
    `count` is how many blocks are taken; it may be an expression of sizes.
    """

    index: int
    generator: Generator | None
    count: int

    def at(self, values: Mapping[str, int], index: int | None = None) -> Draw:
        """Return the same for known sizes, and with another index."""
        count: Any = self.count
        if type(count) is SymInt:
            count = count.expression.evaluate(values)
        return replace(self, count=count, index=self.index if index is None else index)


def with_draws(scalars: Sequence[Any], draws: Sequence[Draw]) -> list[Any]:
    """Return the numbers of a call with the keys and counters that it takes from generators."""
    numbers = [*scalars]
    for draw in draws:
        # What is between are sizes, which a plan finds out itself.
        numbers += [0] * (draw.index + 2 - len(numbers))
        source = default_generator if draw.generator is None else draw.generator
        numbers[draw.index : draw.index + 2] = source.take(draw.count)
    return numbers
