"""Do programs that ask for the type of their arguments go the same way while they are traced?"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from numbers import Number
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.trace.proxies import Proxy
from trilith.compiler.trace.scalar_proxies import ScalarProxy
from trilith.compiler.trace.tape import Ghost, GhostNumber


@functools.singledispatch
def by_single_dispatch(x: Any) -> Any:
    return x * 0


@by_single_dispatch.register
def _(x: tri.Tensor) -> Any:
    return x * 1


def by_match(x: Any) -> Any:
    match x:
        case tri.Tensor():
            return x * 1
        case _:
            return x * 0


class Backend:
    """How einops finds out whose tensor it was given: by the type, which it remembers."""

    found: dict[type, bool]

    def __init__(self) -> None:
        self.found = {}

    def __call__(self, x: Any) -> Any:
        if type(x) not in self.found:
            self.found[type(x)] = isinstance(x, tri.Tensor) and not isinstance(x, np.ndarray)
        return x * int(self.found[type(x)])


def when(condition: Callable[[Any], bool]) -> Callable[[Any], Any]:
    return lambda x: x * 1 if condition(x) else x * 0


DISPATCHES: dict[str, Callable[[Any], Any]] = {
    "isinstance": when(lambda x: isinstance(x, tri.Tensor)),
    "issubclass": when(lambda x: issubclass(type(x), tri.Tensor)),
    "is_tensor": when(tri.is_tensor),
    "singledispatch": by_single_dispatch,
    "match": by_match,
    "backends": Backend(),
    "legacy type": when(lambda x: isinstance(x, tri.FloatTensor)),
    "another legacy type": when(lambda x: not isinstance(x, tri.DoubleTensor)),
    "sparse": when(lambda x: not isinstance(x, tri.SparseTensor)),
    "of a result": when(lambda x: isinstance(x.t() + 1, tri.Tensor)),
    "attributes": when(lambda x: not x.requires_grad and x.is_leaf and x.grad is None),
    "methods": when(lambda x: tri.Tensor.sum(x).ndim == 0 and hasattr(x, "sum")),
    "missing": when(lambda x: not hasattr(x, "nope") and getattr(x, "hook", None) is None),
}


@pytest.mark.parametrize("name", DISPATCHES)
def test_a_tensor_is_a_tensor_while_traced(name: str):
    compiled = tri.compile(DISPATCHES[name])
    assert compiled(tri.ones(2, 2)).tolist() == [[1, 1], [1, 1]]
    assert compiled.stats().eager_calls == 0


NUMBERS: dict[str, tuple[Any, Callable[[Any], bool]]] = {
    "int": (2, lambda n: isinstance(n, int) and not isinstance(n, float)),
    "float": (2.0, lambda n: isinstance(n, float) and not isinstance(n, int)),
    "bool": (True, lambda n: all(isinstance(n, kind) for kind in (bool, int))),
    "complex": (1j, lambda n: isinstance(n, complex)),
    "Number": (2, lambda n: isinstance(n, Number)),
    "no tensor": (2, lambda n: not isinstance(n, tri.Tensor) and not tri.is_tensor(n)),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_a_number_while_traced(name: str):
    number, is_right = NUMBERS[name]
    compiled = tri.compile(lambda x, n: x * 1 if is_right(n) else x * 0)
    assert compiled(tri.ones(2), number).tolist() == [1, 1]


def of_equal(x: Any, n: Any) -> Any:
    return x * 2 if n == 2 else x


def of_unequal(x: Any, n: Any) -> Any:
    return x if n != 2 else x * 2


def of_member(x: Any, n: Any) -> Any:
    return x * 2 if n in (1, 2) else x


def of_key(x: Any, n: Any) -> Any:
    return {2: x * 2}.get(n, x)


@pytest.mark.parametrize("function", [of_equal, of_unequal, of_member, of_key])
def test_a_number_that_is_compared_has_its_value(function: Any):
    makers: list[Any] = [tri.compile(function), tri.compile(function, static_argnames="n")]
    for compiled in makers:
        assert compiled(tri.ones(2), 2).tolist() == [2, 2]
        assert compiled(tri.ones(2), 3).tolist() == function(tri.ones(2), 3).tolist()
    with pytest.raises(TypeError, match="is not known while the function is traced") as caught:
        tri.trace(function, tri.ones(2), 2)
    assert "bind it with functools.partial" in str(caught.value)


def test_numbers_compare_with_tensors():
    x = tri.tensor([1, 2])
    assert tri.compile(lambda x, n: n == x)(x, 2).tolist() == [False, True]
    assert tri.compile(lambda x, n: n != x)(x, 2).tolist() == [True, False]
    assert tri.compile(lambda x, n: (n << x, n & x, x | n))(x, 2)[0].tolist() == [4, 8]


STAND_INS = {"Proxy": Proxy, "Ghost": Ghost, "ScalarProxy": ScalarProxy, "GhostNumber": GhostNumber}


@pytest.mark.parametrize("stand_in", STAND_INS.values(), ids=STAND_INS)
def test_what_a_stand_in_keeps_hides_no_method(stand_in: type):
    kept = {name for kind in stand_in.__mro__ for name in getattr(kind, "__slots__", ())}
    called = {name for name in dir(tri.Tensor) if callable(getattr(tri.Tensor, name))}
    assert kept & {"traced_by"}
    assert not kept & called


def test_the_sum_of_the_diagonal_while_traced():
    assert tri.compile(lambda x: x.trace() + 1)(tri.ones(2, 2)).item() == 3


#: What a tensor's methods need to be called with; all others are called with nothing.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "set_": (tri.ones(2),),
    "resize_": (2,),
    "is_set_to": (tri.ones(2),),
    "is_same_size": (tri.ones(2),),
    "count_alone": (1,),
    "count_with": (tri.ones(2),),
    "new_tensor": ([1.0],),
    "resize_as_": (tri.ones(2),),
    "as_strided_": ((2,), (1,)),
    "transpose_": (0, 1),
    "swapaxes_": (0, 1),
    "swapdims_": (0, 1),
    "unsqueeze_": (0,),
    "apply_": (abs,),
    "register_hook": (abs,),
    "register_post_accumulate_grad_hook": (abs,),
}


#: What the library asks of its own tensors.
OF_THE_LIBRARY = {
    "FIELDS",
    "check_metadata_change",
    "gradient_state",
    "is_concrete",
    "take_over",
    "version_counter",
}


def runtime_names() -> list[str]:
    """Public names of tensors that are no rows of the table."""
    tri.ones(1).sum()
    kinds = [kind for kind in tri.Tensor.__mro__ if kind.__module__.startswith("trilith.runtime")]
    own = {name for kind in kinds for name in vars(kind) if not name.startswith("_")}
    from trilith.compiler.eager.operations import EAGER
    from trilith.compiler.trace.operators import Members

    return sorted(own - set(Members(EAGER)) - OF_THE_LIBRARY)


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated", "ignore:volatile was removed")
@pytest.mark.parametrize("name", runtime_names())
def test_what_the_runtime_knows_of_a_tensor_is_right_or_refused_while_traced(name: str):
    """No member may fail because a proxy has no memory without saying so."""

    def ask(x: Any) -> Any:
        try:
            member = getattr(x * 1, name)
            return member(*ARGUMENTS.get(name, ())) if callable(member) else member
        except tri.TrilithError as error:
            return error

    found: list[Any] = []
    x = tri.ones(2, 2)
    expected = ask(x)
    with contextlib.suppress(tri.TrilithError):  # a refusal that is caught is one nevertheless
        tri.trace(lambda x: found.append(ask(x)) or x, x)
    (value,) = found
    if isinstance(value, tri.TrilithError):
        is_same = type(value) is type(expected) and value.message == expected.message
        assert is_same or "has no memory while its function is traced" in value.message
    elif isinstance(value, tri.Tensor):
        assert (value.shape, value.stride()) == (expected.shape, expected.stride())
    else:
        assert value == expected
