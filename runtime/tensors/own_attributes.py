"""What else does a program keep on a tensor? Attributes of names that no tensor has.

They lie in the state of a tensor, which only few have: whoever has none pays for none.
"""

from __future__ import annotations

from typing import Any

from ...dialects.attributes.fixed import write
from ...dialects.locks import imported
from .fields import TensorFields


def set_attribute(tensor: TensorFields, name: str, value: object) -> None:
    """Keep an attribute; what tensors have themselves is assigned as they say.

    >>> import trilith as tri
    >>> x = tri.ones(2)
    >>> x.origin = "a camera"
    >>> x.origin
    'a camera'
    """
    try:
        write(tensor, name, value)
    except AttributeError:
        if hasattr(type(tensor), name) or not tensor.is_concrete:
            raise
        state = tensor.own_state()
        if state.attributes is None:
            state.attributes = {}
        state.attributes[name] = value


def attributes_of(tensor: TensorFields) -> dict[str, Any]:
    """Return what a program keeps on a tensor."""
    state = tensor.state
    return {} if state is None or state.attributes is None else state.attributes


def pickled(tensor: TensorFields, reduced: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return how a tensor is pickled with its attributes: they are assigned to what comes back."""
    attributes = attributes_of(tensor)
    return (*reduced, (None, dict(attributes))) if attributes else reduced


def shared(tensor: TensorFields, copy: Any) -> Any:
    """Give the attributes of a tensor, themselves, to its shallow copy, which is returned."""
    for name, value in attributes_of(tensor).items():
        setattr(copy, name, value)
    return copy


def copied(tensor: TensorFields, copy: Any, memo: dict[int, Any]) -> Any:
    """Give copies of the attributes of a tensor to its copy, which is returned."""
    for name, value in attributes_of(tensor).items():
        setattr(copy, name, imported("copy").deepcopy(value, memo))
    return copy
