"""Is nothing written where a bad index leads? Not even later, on a device that tells of it late."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import trilith as tri

pytestmark = pytest.mark.skipif(not tri.opencl.is_available(), reason="no OpenCL device")

Program = Callable[[tri.Tensor], object]


def bad(device: str) -> tri.Tensor:
    return tri.tensor([99], device=device)


def seven(device: str) -> tri.Tensor:
    return tri.tensor([7.0], device=device)


PROGRAMS: dict[str, Callable[[str], Program]] = {
    "put_": lambda d: lambda x: x.put_(bad(d), seven(d)),
    "put_ that adds": lambda d: lambda x: x.put_(bad(d), seven(d), True),
    "index_put_": lambda d: lambda x: x.index_put_((bad(d),), seven(d)),
    "index_copy_": lambda d: lambda x: x.index_copy_(0, bad(d), x[:1].clone()),
    "index_fill_": lambda d: lambda x: x.index_fill_(0, bad(d), 7.0),
    "scatter_reduce_": lambda d: (
        lambda x: x.flatten().scatter_reduce_(0, bad(d), seven(d), "sum", include_self=False)
    ),
    "mean": lambda d: (
        lambda x: x.flatten().scatter_reduce_(0, bad(d), seven(d), "mean", include_self=False)
    ),
}
MEMORIES: dict[str, Callable[[str], tri.Tensor]] = {
    "packed": lambda d: tri.arange(4.0, device=d),
    "with gaps": lambda d: tri.arange(8.0, device=d).reshape(2, 4)[:, ::2],
}


@pytest.mark.parametrize("device", ["cpu", "opencl"])
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("is_compiled", [False, True])
def test_nothing_is_written(name: str, memory: str, device: str, is_compiled: bool):
    program = PROGRAMS[name](device)
    if is_compiled:
        program = tri.compile(program)
    x = MEMORIES[memory](device)
    before = x.tolist()

    def run() -> None:
        program(x)
        x.tolist()  # a device tells of it when it is waited for

    with pytest.raises((IndexError, RuntimeError), match="out of"):
        run()
    assert x.tolist() == before
