"""How is a view's row written down? What the modules of views share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

from ...attributes.dtype import DType
from ...attributes.spec import TensorSpec
from ...attributes.views import Strided, wrap_dim
from ...diagnostics import TrilithTypeError
from .argument_values import AttributeValue
from .opspec import (
    PLAIN_WRITING,
    TABLE,
    Attributes,
    CompositeOp,
    OutRule,
    TensorLanguage,
    ViewOp,
    Writing,
    describe,
)
from .schema import Schema

#: (operand, attributes) -> explicit attributes
Canonical = Callable[[TensorSpec, Attributes], dict[str, AttributeValue]]
#: (signature, arguments, keywords) -> the value of every parameter
Binder = Callable[[Schema, Sequence[Any], Mapping[str, Any]], dict[str, Any]]


def view_row(
    signature: str,
    doc: str,
    example: str,
    *,
    canonical: Canonical,
    apply: Callable[[Strided, Any], Strided],
    methods: tuple[str, ...] | None = None,
    torch_name: str = "",
    is_public: bool = True,
    dtype: Callable[[TensorSpec, Attributes], DType] | None = None,
    is_of_storage: bool = False,
    is_conj: bool = False,
    binder: Binder | None = None,
    looks_at_place: bool = False,
) -> None:
    """Register a view row; see `ViewOp` for the fields."""
    TABLE.add(
        ViewOp(
            **bound_by(
                binder, describe(signature, doc, example, methods, torch_name), looks_at_place
            ),
            canonical=canonical,
            apply=apply,
            is_public=is_public,
            dtype=dtype,
            is_of_storage=is_of_storage,
            is_conj=is_conj,
        )
    )


def composite(
    signature: str,
    doc: str,
    example: str,
    expand: Callable[..., Any],
    methods: tuple[str, ...] | None = None,
    *,
    is_public: bool = True,
    torch_name: str = "",
    binder: Binder | None = None,
    looks_at_place: bool = False,
    has_out: bool = False,
    returns: str = "Tensor",
    in_place: tuple[str, ...] | None = None,
    forms: tuple[str, ...] = (),
    writing: Writing = PLAIN_WRITING,
    refuse_outs: OutRule | None = None,
    kind: type[CompositeOp] = CompositeOp,
) -> None:
    """Register a row that is written in others; of which kind says who runs it."""
    TABLE.add(
        kind(
            **bound_by(
                binder, describe(signature, doc, example, methods, torch_name), looks_at_place
            ),
            expand=expand,
            is_public=is_public,
            has_out=has_out,
            returns=returns,
            in_place=in_place,
            forms=forms,
            writing=writing,
            refuse_outs=refuse_outs,
        )
    )


@dataclass(frozen=True, slots=True)
class OverloadedSchema(Schema):
    """A signature whose calls have more forms than it can say.

    `binder` sees the call before it is recorded, with concrete tensors where there are any, and
    returns the values of the parameters. `plain` is the signature without it. `looks_at_place` says
    that the binder asks where a tensor lies in its storage, which no spec says.
    """

    binder: Binder
    plain: Schema
    looks_at_place: bool = False

    def bind(
        self, arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the value of every parameter, as the binder says."""
        return self.binder(self.plain, arguments, keywords)


def bound_by(
    binder: Binder | None, described: dict[str, Any], looks_at_place: bool = False
) -> dict[str, Any]:
    """Return a row's fields with the schema that a binder belongs to."""
    if binder is None:
        return described
    schema: Schema = described["schema"]
    values = {field.name: getattr(schema, field.name) for field in fields(Schema)}
    overloaded = OverloadedSchema(
        **values, binder=binder, plain=schema, looks_at_place=looks_at_place
    )
    return described | {"schema": overloaded}


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


def strided_of(spec: TensorSpec) -> Strided:
    """Return sizes and strides, counted from the tensor's first element."""
    return Strided(spec.shape, spec.strides)
