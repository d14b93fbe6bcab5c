"""How is a call drawn whose arguments follow rules of their own? Views, joins, casts, creations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..oracle.semantics import DTYPES, FLOATS, INTEGERS, REALS, Invalid, Shape
from ..program import Named, Step

if TYPE_CHECKING:
    from ..drawing import Drawer

_FORMATS = ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")
#: Methods that convert to the dtype they are called after.
CASTS = ("float", "double", "half", "bfloat16", "bool", "byte", "char", "short", "int", "long")


def _reshaped(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    count = math.prod(d.value(x).shape)
    sizes: list[int] = []
    rest = count
    for _ in range(d.random.randrange(4)):
        divisors = [n for n in range(1, rest + 1) if rest % n == 0][:12] if rest else [0, 1, 3]
        sizes.append(d.random.choice(divisors))
        rest = rest // sizes[-1] if sizes[-1] else 0
    if rest != 1 or not sizes:
        sizes.append(rest if count else 0)
    d.random.shuffle(sizes)
    if count and d.random.random() < 0.3:
        sizes[d.random.randrange(len(sizes))] = -1
    return Step(operation, (x, tuple(sizes)))


def _flattened(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    rank = len(d.value(x).shape)
    return Step(operation, (x, d.dim(rank), d.dim(rank)) if d.random.random() < 0.7 else (x,))


def _permuted(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    rank = len(d.value(x).shape)
    return Step(operation, (x, tuple(d.random.sample(range(rank), rank))))


def _two_dims(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    rank = len(d.value(x).shape)
    return Step(operation, (x, d.dim(rank), d.dim(rank)))


def _alone(d: Drawer, operation: str) -> Step:
    return Step(operation, (d.tensor(),))


def _rounded(d: Drawer, operation: str) -> Step:
    if d.random.random() < 0.3:
        decimals = (("decimals", d.random.choice((-1, 1, 2, 3))),)
        return Step(operation, (d.tensor(("float32", "float64")),), decimals)
    return Step(operation, (d.tensor(REALS),))


def _matrix(d: Drawer, operation: str) -> Step:
    return Step(operation, (d.tensor(rank=2),))


def _expanded(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    shape = d.value(x).shape
    sizes = [
        d.random.choice((2, 3, 5)) if size == 1 and d.random.random() < 0.7 else size
        for size in shape
    ]
    sizes = [-1 if d.random.random() < 0.2 else size for size in sizes]
    extra = [d.random.choice((1, 2, 3)) for _ in range(d.random.choice((0, 0, 1, 2)))]
    if len(extra) + len(sizes) > 5:
        extra = []
    return Step(operation, (x, (*extra, *sizes)))


def _squeezed(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    rank = len(d.value(x).shape)
    return Step(operation, (x,) if d.random.random() < 0.5 else (x, d.dim(rank)))


def _unsqueezed(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    rank = len(d.value(x).shape)
    if rank == 5:
        raise Invalid("enough dims")
    return Step(operation, (x, d.dim(rank + 1)))


def _selected(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=1)
    shape = d.value(x).shape
    dim = d.dim(len(shape))
    if not shape[dim]:
        raise Invalid("nothing to select")
    return Step(operation, (x, dim, d.random.randrange(-shape[dim], shape[dim])))


def _narrowed(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=1)
    shape = d.value(x).shape
    dim = d.dim(len(shape))
    start = d.random.randrange(shape[dim] + 1)
    length = d.random.randrange(shape[dim] - start + 1)
    return Step(operation, (x, dim, start, length))


def _indexed(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    items: list[Any] = []
    for size in d.value(x).shape:
        kind = d.random.random()
        if kind < 0.15 and len(d.value(x).shape) < 4:
            items.append(None)
        if kind < 0.25 and "..." not in items:
            items.append("...")
            break
        if kind < 0.5 and size:
            items.append(d.random.randrange(-size, size))
        else:
            ends = [d.random.choice((None, d.random.randrange(-size - 1, size + 2))) for _ in "ab"]
            items.append(("slice", *ends, d.random.choice((None, None, 1, 2, 3))))
    return Step(operation, (x, tuple(items)))


def _unfolded(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=1)
    shape = d.value(x).shape
    if len(shape) == 5:
        raise Invalid("enough dims")
    dim = d.dim(len(shape))
    size = d.random.randrange(min(shape[dim], 5) + 1)
    return Step(operation, (x, dim, size, d.random.choice((1, 2, 3))))


def _diagonal(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=2)
    rank = len(d.value(x).shape)
    return Step(operation, (x, d.random.choice((0, 0, 1, -1, 2)), d.dim(rank), d.dim(rank)))


def _copied(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    memory_format = d.random.choice(_FORMATS[:3] if operation == "contiguous" else _FORMATS)
    given = (("memory_format", Named(memory_format)),) if d.random.random() < 0.6 else ()
    return Step(operation, (x,), given)


def _cast(d: Drawer, operation: str) -> Step:
    keywords: list[tuple[str, Any]] = []
    if d.random.random() < 0.2:
        keywords.append(("copy", True))
    if d.random.random() < 0.2:
        keywords.append(("memory_format", Named(d.random.choice(_FORMATS))))
    return Step(operation, (d.tensor(), Named(d.random.choice(DTYPES))), tuple(keywords))


def _joined(d: Drawer, operation: str) -> Step:
    first = d.tensor(rank=1 if operation == "cat" else 0)
    shape = d.value(first).shape
    rank = len(shape) + (operation == "stack")
    if rank > 5:
        raise Invalid("enough dims")
    dim = d.dim(rank)
    parts = [first]
    for _ in range(d.random.choice((0, 1, 1, 2, 3))):
        sizes = shape
        if operation == "cat":
            place = dim % rank
            sizes = (*shape[:place], d.random.choice((0, 1, 2, 3, 7)), *shape[place + 1 :])
            sizes = (0,) if d.random.random() < 0.05 else sizes
        parts.append(d.tensor(shape=sizes if d.random.random() < 0.6 else shape))
    return Step(operation, (tuple(parts), dim))


def _padded(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=1)
    value = d.value(x)
    count = d.random.randrange(1, len(value.shape) + 1)
    pad = tuple(d.random.choice((-2, -1, 0, 0, 1, 2, 3)) for _ in range(2 * count))
    keywords: list[tuple[str, Any]] = []
    if d.random.random() < 0.6:
        keywords.append(("value", d.number(value.dtype, as_input=False)))
    return Step(operation, (x, pad), tuple(keywords))


def _where(d: Drawer, operation: str) -> Step:
    condition = d.tensor(("bool",))
    shape = d.value(condition).shape
    first: Any = d.tensor(shape=d.beside(shape))
    dtype = d.value(first).dtype
    near = (dtype,) if d.random.random() < 0.6 else DTYPES
    second: Any = d.tensor(near, shape=d.beside(shape))
    if d.random.random() < 0.3:
        second = d.number(dtype)
    if d.random.random() < 0.2:
        first = d.number(dtype)
    if operation == "where_method":
        return Step(operation, (d.tensor(shape=d.beside(shape)), condition, second))
    return Step(operation, (condition, first, second))


def _clamped(d: Drawer, operation: str) -> Step:
    x = d.tensor(DTYPES[1:])
    value = d.value(x)
    as_numbers = d.random.random() < 0.6
    limits: list[Any] = [
        d.number(value.dtype)
        if as_numbers
        else d.tensor((value.dtype,), shape=d.beside(value.shape))
        for _ in "ab"
    ]
    if operation != "clamp":
        return Step(operation, (x, limits[0]))
    if d.random.random() < 0.4:
        limits[d.random.randrange(2)] = None
    return Step(operation, (x, *limits))


def _divided(d: Drawer, operation: str) -> Step:
    rounding = d.random.choice((None, "floor", "trunc"))
    name = {None: "true_divide", "floor": "floor_divide", "trunc": "trunc_divide"}[rounding]
    step = d.call("floor_divide") if rounding else d.call("true_divide")
    assert step.operation in (name, "floor_divide")
    return Step(operation, step.arguments, (("rounding_mode", rounding),) if rounding else ())


def _by_divisor(d: Drawer, operation: str) -> Step:
    """Integers must not be divided by zero: divisors are nonzero inputs or numbers."""
    x = d.tensor(DTYPES[1:])
    value = d.value(x)
    if d.random.random() < 0.3:
        divisor: Any = d.number(value.dtype)
    else:
        dtypes = (value.dtype,) if d.random.random() < 0.6 else DTYPES[1:]
        if value.dtype in INTEGERS:
            kinds = ("nonzero",) * 9 + ("small",)
        else:
            kinds = ("nonzero", "uniform", "special")
        divisor = d.new_input(dtypes, d.beside(value.shape), kinds=kinds)
    return Step(operation, (x, divisor))


def _raised(d: Drawer, operation: str) -> Step:
    floats = d.random.random() < 0.6
    base: Any = d.tensor(FLOATS if floats else DTYPES, domain=(0.0, 20.0))
    value = d.value(base)
    kind = d.random.random()
    if kind < 0.5:
        exponents = (0, 1, 2, 3, 5, 0.5, -0.5, -1, -2, 2.5)
        return Step(operation, (base, d.random.choice(exponents)))
    exponent = d.tensor((value.dtype,), shape=d.beside(value.shape), domain=(0.0, 20.0))
    if kind < 0.7:
        base = d.number(value.dtype, as_input=False)
    return Step(operation, (base, exponent))


def _reflected(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    return Step(operation, (d.number(d.value(x).dtype, as_input=False), x))


def _multiplied(d: Drawer, operation: str) -> Step:
    floats = d.random.random() < 0.7
    a = d.tensor(FLOATS if floats else INTEGERS, rank=1)
    value = d.value(a)
    inner = value.shape[-1]
    columns = d.random.choice((0, 1, 2, 3, 5, 8, 17))
    shapes: list[Shape] = [(inner,), (inner, columns), (inner, columns)]
    if len(value.shape) > 2:
        shapes.append((*d.beside(value.shape[:-2]), inner, columns))
    else:
        shapes.append((d.random.choice((1, 2, 3)), inner, columns))
    return Step(operation, (a, d.tensor((value.dtype,), shape=d.random.choice(shapes))))


def _filled(d: Drawer, operation: str) -> Step:
    dtype = d.random.choice(DTYPES)
    keywords = (("dtype", Named(dtype)),) if d.random.random() < 0.7 else ()
    arguments: list[Any] = [d.shape()]
    if operation == "full":
        arguments.append(d.number(dtype))
    return Step(operation, tuple(arguments), keywords)


def _filled_like(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    dtype = d.random.choice(DTYPES) if d.random.random() < 0.5 else d.value(x).dtype
    keywords: list[tuple[str, Any]] = [("dtype", Named(dtype))]
    if d.random.random() < 0.3:
        keywords.append(("memory_format", Named(d.random.choice(_FORMATS))))
    arguments: list[Any] = [x]
    if operation == "full_like":
        arguments.append(d.number(dtype))
    return Step(operation, tuple(arguments), tuple(keywords))


def _ranged(d: Drawer, operation: str) -> Step:
    step: Any = d.random.choice((1, 1, 2, -1, 0.5, -0.25, 3))
    count = d.random.choice((0, 1, 5, 8, 20))
    start: Any = d.random.choice((0, 1, -3, 0.5, 2))
    arguments = (count,) if d.random.random() < 0.3 else (start, start + step * count, step)
    dtypes = FLOATS if any(isinstance(n, float) for n in arguments) else DTYPES[1:]
    given = (("dtype", Named(d.random.choice(dtypes))),) if d.random.random() < 0.6 else ()
    return Step(operation, arguments, given)


PLAIN: dict[str, Callable[[Drawer, str], Step]] = {
    "permute": _permuted,
    "round": _rounded,
    "conj": _alone,
    "transpose": _two_dims,
    "movedim": _two_dims,
    "t": _alone,
    "numpy_T": _alone,
    "matrix_T": _matrix,
    "expand": _expanded,
    "squeeze": _squeezed,
    "unsqueeze": _unsqueezed,
    "select": _selected,
    "narrow": _narrowed,
    "getitem": _indexed,
    "view": _reshaped,
    "reshape": _reshaped,
    "flatten": _flattened,
    "unfold": _unfolded,
    "diagonal": _diagonal,
    "clone": _copied,
    "contiguous": _copied,
    "to": _cast,
    "cat": _joined,
    "stack": _joined,
    "pad": _padded,
    "where": _where,
    "where_method": _where,
    "clamp": _clamped,
    "clamp_min": _clamped,
    "clamp_max": _clamped,
    "div": _divided,
    "floor_divide": _by_divisor,
    "remainder": _by_divisor,
    "pow": _raised,
    "rdiv": _reflected,
    "matmul": _multiplied,
    "full": _filled,
    "zeros": _filled,
    "ones": _filled,
    "full_like": _filled_like,
    "zeros_like": _filled_like,
    "ones_like": _filled_like,
    "arange": _ranged,
    **dict.fromkeys(CASTS, _alone),
}
