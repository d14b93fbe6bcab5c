"""Where is the form of a row run, to learn what it does to indices and values? In a trace beside.

It takes values of the function as they are, and records into a block of its own: who asked drops
what was recorded, or moves it into the function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.tri.ops import tensor_spec
from ...runtime.tensors.interchange import over_array
from ...runtime.tensors.sparse import SparseTensor, parts_of
from ...runtime.tensors.tensor import Tensor
from .proxies import Proxy
from .scalar_proxies import ScalarProxy
from .tracer import Trace


class Unsayable(Exception):
    """A form takes more from its function than its operands: no operation could stand for it."""


class FormTrace(Trace):
    """A trace of what a form does. Rows that it calls with sparse operands are run by theirs."""

    __slots__ = ("_known", "_stand_ins", "needed")
    is_of_form = True

    def __init__(self, name: str, known: Sequence[SSAValue] | None = None) -> None:
        """Start; `known` are the tensors that forms ask for, where that is found out already."""
        super().__init__(name)
        self._known: Iterator[SSAValue] | None = None if known is None else iter(known)
        self._stand_ins: dict[SSAValue, Proxy] = {}
        #: The tensors of known numbers that the form asks for.
        self.needed: list[Tensor] = []

    def stand_in(self, value: SSAValue, spec: TensorSpec) -> Proxy:
        """Return what stands for a value of the function: the same for the same value."""
        found = self._stand_ins.get(value)
        if found is None:
            found = self._stand_ins[value] = Proxy.of(self, value, spec)
        return found

    def give(self, known: Sequence[SSAValue]) -> None:
        """Say which tensors the next form will ask for."""
        self._known = iter(known)

    def tensor(self, data: Any) -> Proxy:
        """Return a tensor with known numbers, which the function has as an argument."""
        tensor = over_array(data)
        self.needed.append(tensor)
        value = self._argument(tensor)
        return self.call("clone", Proxy.of(self, value, tensor.spec))

    def _argument(self, tensor: Tensor) -> SSAValue:
        if self._known is None:
            return super().tensor_argument(tensor.spec).value
        found = next(self._known, None)
        if found is None or tensor_spec(found) is not tensor.spec:
            raise Unsayable
        return found

    def capture(self, tensor: Tensor) -> Proxy:
        """Refuse: nothing but operands and known numbers comes into a form."""
        raise Unsayable

    def scalar_argument(self, spec: ScalarSpec, name: str | None = None) -> ScalarProxy:
        """Refuse: sizes that are operands, and keys of random numbers, are the function's."""
        raise Unsayable

    def taken_out(self) -> list[Operation]:
        """Return what has been recorded, which is in no block then."""
        operations = list(self.block.ops)
        for operation in operations:
            operation.detach()
        return operations

    def drop(self) -> None:
        """Drop what has been recorded: nothing uses values of the function any more."""
        for operation in reversed(self.taken_out()):
            operation.erase(safe_erase=False)


#: A result of a form with its parts: one value, or indices and values.
Result = tuple[TensorSpec, tuple[Proxy, ...]]


def results_of(result: Any) -> list[Result] | None:
    """Return what a form gives; None if it is more than tensors."""
    found = list(map(_result, items_of(result)))
    return None if None in found else cast("list[Result]", found)


def items_of(result: Any) -> tuple[Any, ...]:
    """Return the results of a form that gives several, or the one of another."""
    return cast("tuple[Any, ...]", result) if isinstance(result, tuple) else (result,)


def _result(item: Any) -> Result | None:
    if isinstance(item, SparseTensor):
        parts = parts_of(item)
        if all(isinstance(part, Proxy) for part in parts):
            return item.spec, cast("tuple[Proxy, ...]", parts)
    return (item.spec, (item,)) if isinstance(item, Proxy) else None


def is_view_of(part: Proxy, values: frozenset[SSAValue]) -> bool:
    """Whether a part looks at the memory of one of some values, but is not the whole of it."""
    buffer = part.buffer
    return buffer is not None and buffer.origin in values and part.value not in values
