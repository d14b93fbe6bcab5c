"""How is the default generator told what to draw? By the functions of `tri.random`.

All devices share it: a seed gives the same numbers wherever they are drawn.
"""

from __future__ import annotations

from collections.abc import Generator as Iterator
from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any

from .generators import Generator, default_generator
from .recording import unrecorded
from .tensor import Tensor

__all__ = [
    "default_generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]


def manual_seed(seed: Any) -> Generator:
    """Set the seed of all random numbers of the process.

    >>> import trilith as tri
    >>> first = tri.manual_seed(3), tri.rand(2)
    >>> second = tri.manual_seed(3), tri.rand(2)
    >>> first[1].tolist() == second[1].tolist()
    True
    """
    unrecorded("the seed of random numbers is set")
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Set a seed that nobody can guess, and return it.

    >>> seed() == initial_seed()
    True
    >>> _ = manual_seed(3)
    """
    unrecorded("the seed of random numbers is set")
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed that was set last.

    >>> _ = manual_seed(3)
    >>> initial_seed()
    3
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Return the state of the default generator, as bytes.

    >>> import trilith as tri
    >>> state = tri.get_rng_state()
    >>> first = tri.rand(2)
    >>> tri.set_rng_state(state)
    >>> bool((tri.rand(2) == first).all())
    True
    """
    unrecorded("the state of a generator is read")
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Go back to where `get_rng_state` was called."""
    unrecorded("the state of a generator is set")
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(
    devices: Iterable[Any] | None = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str = "cuda",
) -> Iterator[None]:
    """Draw numbers in a block, after which the default generator is where it was before.

    There is one generator for all devices, so that it does not matter which ones are named.

    >>> import trilith as tri
    >>> state = tri.get_rng_state()
    >>> with tri.random.fork_rng():
    ...     _ = tri.rand(2)
    >>> bool((tri.get_rng_state() == state).all())
    True
    """
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
