"""How is a view's row written down? What the modules of views share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ...attributes.spec import TensorSpec
from ...attributes.views import Strided, wrap_dim
from ...diagnostics import TrilithTypeError
from .argument_values import AttributeValue
from .opspec import ViewOp
from .row import Attributes, TensorLanguage, registering
from .schema import Schema

#: (operand, attributes) -> explicit attributes
Canonical = Callable[[TensorSpec, Attributes], dict[str, AttributeValue]]
#: Adds a view; the fields are those of `ViewOp`.
view_row = registering(ViewOp)


def with_tensors(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Bind separate tensors to the one parameter of a signature, a list."""
    for place, argument in enumerate(arguments):
        if not hasattr(argument, "spec"):
            raise TrilithTypeError(
                f"expected Tensor as element {place} in argument 0, "
                f"but got {type(argument).__name__}"
            )
    return schema.bind((tuple(arguments),), keywords)


def refuse_integers(
    name: str,
    parameters: Mapping[str, int],
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
) -> None:
    """Refuse one integer where PyTorch wants a sequence; parameters with their places."""
    for parameter, place in parameters.items():
        value = arguments[place] if place < len(arguments) else keywords.get(parameter, ())
        if not isinstance(value, (tuple, list)):
            raise TrilithTypeError(
                f"{name}(): argument '{parameter}' (position {place}) must be tuple of ints, "
                f"not {type(value).__name__}"
            )


def wrapped(*names: str) -> Canonical:
    """Return a rule that counts the dims called `names` from the left."""

    def canonical(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
        values = dict(attributes)
        for name in names:
            dim: Any = attributes[name]
            if isinstance(dim, tuple):
                items = cast("tuple[int, ...]", dim)
                values[name] = tuple(wrap_dim(item, spec.rank) for item in items)
            else:
                values[name] = wrap_dim(dim, spec.rank)
        return values

    return canonical


def unchanged(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    """Return the attributes as they are."""
    return dict(attributes)


def tensor_of(t: TensorLanguage, value: Any) -> TensorSpec:
    """Return the spec of an operand that is a tensor."""
    spec = t.spec(value)
    assert isinstance(spec, TensorSpec)
    return spec


def laid_out(t: TensorLanguage, value: Any, strides: tuple[int, ...]) -> Any:
    """Return a tensor with the strides that one has into which PyTorch writes it.

    Most often it has them, or other ones for dims of one element or where there is no element,
    which only a view tells apart.
    """
    spec = tensor_of(t, value)
    if spec.strides == strides:
        return value
    pairs = zip(spec.shape, spec.strides, strides, strict=True)
    if spec.numel and any(size != 1 and step != wanted for size, step, wanted in pairs):
        return value
    return t.call("as_strided", value, spec.shape, strides)


def strided_of(spec: TensorSpec) -> Strided:
    """Return sizes and strides, counted from the tensor's first element."""
    return Strided(spec.shape, spec.strides)
