"""What do contractions compute? Sums of products over shared dims, each bounded by its terms.

Every one is brought to the form of an einsum: operands are spread over one index space, multiplied
there, and added along what is left out of the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .conversions import placed
from .evaluation import OPERATIONS, Value, fresh
from .intervals import LARGEST, NORMAL, ROUNDOFF, Array, Bounds, exactly, settled, total, wrap
from .reductions import dims_of, final
from .semantics import DTYPES, FLOATS, INTEGERS, Invalid, Shape, broadcast

#: Products that the oracle wants to hold at once.
MOST_PRODUCTS = 2**20


def check_dtypes(*operands: Value, dtypes: Sequence[str] = DTYPES[1:]) -> str:
    """Return the one dtype of operands, or refuse them."""
    dtype = operands[0].dtype
    if dtype not in dtypes or any(x.dtype != dtype for x in operands):
        raise Invalid("dtypes of a contraction")
    return dtype


def multiplied(a: Bounds, b: Bounds, dtype: str) -> Bounds:
    """Return bounds of products that are not rounded, or that are added with one rounding."""
    known = a.known & b.known
    if dtype in INTEGERS:
        exact = a.low * b.low
        return Bounds(exact, exact, known)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
    # Of a product that overflows on its own the sum may be finite: it may be fused.
    finite = np.isfinite(low) & np.isfinite(high)
    given = np.isfinite(a.low) & np.isfinite(b.low)
    known = known & (finite | ~given)
    if dtype != "float64":
        return Bounds(low, high, known)
    # A product of float64 may be inexact in this oracle too.
    whole = (low == np.floor(low)) & (abs(low) < 2.0**52) & (low == high)
    slack = np.where(whole, 0.0, np.spacing(np.maximum(abs(low), abs(high))))
    slack = np.where(np.isfinite(slack), slack, 0.0)
    return Bounds(low - slack, high + slack, known)


def contracted(terms: Bounds, dtype: str, roundings: int = 1) -> Bounds:
    """Return sums along the last axis; those of floats are not rounded to the dtype yet."""
    if dtype in INTEGERS:
        sums = wrap(terms.low.sum(-1), dtype)
        return Bounds(sums, sums, np.asarray(terms.known.all(-1)))
    return total(terms, dtype, terms.low.shape[-1] + roundings)


def rounded_once(bounds: Bounds, dtype: str) -> Bounds:
    """Round sums of floats to the dtype of the result."""
    return bounds if dtype in INTEGERS else final(bounds, dtype)


def summed(equation: str, dtype: str, *operands: Bounds) -> Bounds:
    """Return bounds of an einsum of two operands or more, before they are rounded."""
    inputs, output = equation.split("->")
    subscripts = inputs.split(",")
    sizes: dict[str, int] = {}
    for letters, operand in zip(subscripts, operands, strict=True):
        for letter, size in zip(letters, operand.low.shape, strict=True):
            if sizes.setdefault(letter, size) != size:
                raise Invalid("sizes differ")
    left_out = [letter for letter in sizes if letter not in output]
    order = [*output, *left_out]
    if math.prod(sizes.values()) > MOST_PRODUCTS:
        raise Invalid("more products than this oracle wants to hold")

    def spread(letters: str) -> Callable[[Array], Array]:
        places = [letters.index(letter) for letter in order if letter in letters]
        shape = [sizes[letter] if letter in letters else 1 for letter in order]
        return lambda part: part.transpose(places).reshape(shape)

    parts = [x.map(spread(letters)) for letters, x in zip(subscripts, operands, strict=True)]
    terms = parts[0]
    for number, part in enumerate(parts[1:]):
        if number and dtype in FLOATS:
            # A product of two that overflows is not what it is in a wider dtype.
            size = np.maximum(np.abs(terms.low), np.abs(terms.high))
            terms = terms._replace(known=terms.known & (size < LARGEST[dtype]))
        terms = multiplied(terms, part, dtype)
    if len(operands) > 2:
        # One sum inside another: a zero among its terms may meet an infinity, or their sum does.
        finite = np.isfinite(terms.low) & np.isfinite(terms.high)
        terms = terms._replace(known=terms.known & finite)
    shape = [sizes[letter] for letter in output]
    everything = [sizes[letter] for letter in order]
    count = math.prod(sizes[letter] for letter in left_out)
    flat = terms.map(lambda part: np.broadcast_to(part, everything).reshape([*shape, count]))
    # Of several sums one inside another, each product meets the roundings of all of them.
    return contracted(flat, dtype, len(operands) + len(left_out))


def _letters(first: int, count: int) -> str:
    return "".join(chr(ord("a") + first + number) for number in range(count))


# ---- matrices


def unrounded_matmul(a: Value, b: Value) -> tuple[str, Bounds]:
    """Return the dtype of a matrix product and its sums as they are formed."""
    dtype = check_dtypes(a, b)
    if not a.shape or not b.shape or a.shape[-1] != b.shape[0 if len(b.shape) == 1 else -2]:
        raise Invalid("shapes of matmul")
    batch = broadcast(a.shape[:-2], b.shape[:-2])
    rows, columns = a.shape[-2:-1], b.shape[-1:] if len(b.shape) > 1 else ()
    shape = (*batch, *rows, *columns)
    inner = a.shape[-1]
    if math.prod(shape) * inner > MOST_PRODUCTS:
        raise Invalid("more products than this oracle wants to hold")
    # [..., M, 1, K] times [..., 1, N, K]
    left = a.bounds.map(lambda part: (part if part.ndim > 1 else part[None])[..., :, None, :])
    right = b.bounds.map(
        lambda part: np.swapaxes(part if part.ndim > 1 else part[:, None], -1, -2)[..., None, :, :]
    )
    bounds = contracted(multiplied(left, right, dtype), dtype)
    return dtype, bounds.map(lambda part: part.reshape(shape))


def _matmul(a: Value, b: Value) -> Value:
    dtype, bounds = unrounded_matmul(a, b)
    return fresh(dtype, bounds.low.shape, rounded_once(bounds, dtype))


def _of_rank(rank_a: int, rank_b: int) -> Callable[[Value, Value], Value]:
    def operation(a: Value, b: Value) -> Value:
        if (len(a.shape), len(b.shape)) != (rank_a, rank_b):
            raise Invalid("ranks")
        if rank_a == 3 and a.shape[0] != b.shape[0]:
            raise Invalid("batches")
        return _matmul(a, b)

    return operation


def _inner(a: Value, b: Value) -> Value:
    dtype = check_dtypes(a, b)
    if not a.shape or not b.shape:
        found = OPERATIONS["mul"](a, b)
        assert isinstance(found, Value)
        return found
    first, second = _letters(0, len(a.shape) - 1), _letters(9, len(b.shape) - 1)
    equation = f"{first}z,{second}z->{first}{second}"
    bounds = summed(equation, dtype, a.bounds, b.bounds)
    return fresh(dtype, bounds.low.shape, rounded_once(bounds, dtype))


def _outer(a: Value, b: Value) -> Value:
    if len(a.shape) != 1 or len(b.shape) != 1:
        raise Invalid("no vectors")
    column = OPERATIONS["unsqueeze"](a, 1)
    found = OPERATIONS["mul"](column, b)
    assert isinstance(found, Value)
    return found


def _kron(a: Value, b: Value) -> Value:
    """Multiply views whose dims stand in turn, then join the dims of the product two by two."""
    check_dtypes(a, b)
    rank = max(len(a.shape), len(b.shape))
    first, second = ((1,) * (rank - len(x.shape)) + x.shape for x in (a, b))
    spread = OPERATIONS["reshape"](a, tuple(n for size in first for n in (size, 1)))
    other = OPERATIONS["reshape"](b, tuple(n for size in second for n in (1, size)))
    product = OPERATIONS["mul"](spread, other)
    sizes = tuple(x * y for x, y in zip(first, second, strict=True))
    found = OPERATIONS["view"](product, sizes)
    assert isinstance(found, Value)
    return found


def _dotted(a: Value, b: Value, *, dims: tuple[Shape, Shape]) -> Value:
    dtype = check_dtypes(a, b)
    gone = [[dim % len(x.shape) for dim in some] for x, some in zip((a, b), dims, strict=True)]
    first, second = _letters(0, len(a.shape)), list(_letters(9, len(b.shape)))
    for left, right in zip(*gone, strict=True):
        second[right] = first[left]
    kept = [letter for place, letter in enumerate(first) if place not in gone[0]]
    kept += [letter for place, letter in enumerate(second) if place not in gone[1]]
    equation = f"{first},{''.join(second)}->{''.join(kept)}"
    bounds = summed(equation, dtype, a.bounds, b.bounds)
    return fresh(dtype, bounds.low.shape, rounded_once(bounds, dtype))


def _along_dim(a: Value, b: Value, *, dim: int = -1) -> Value:
    dtype = check_dtypes(a, b, dtypes=FLOATS)
    shape = broadcast(a.shape, b.shape)
    if not shape or a.shape[dim] != b.shape[dim]:
        raise Invalid("sizes of vectors")
    place = dim % len(a.shape) - len(a.shape)

    def last(part: Array) -> Array:
        return np.moveaxis(np.broadcast_to(part, shape), place, -1)

    terms = multiplied(a.bounds.map(last), b.bounds.map(last), dtype)
    bounds = contracted(terms, dtype)
    return fresh(dtype, bounds.low.shape, rounded_once(bounds, dtype))


def _einsum(equation: str, a: Value, b: Value) -> Value:
    """Contract two operands whose sizes are at least 2; the result lies as the sums are formed.

    PyTorch multiplies batches of matrices: dims of both, then those of the left, then those of the
    right operand, and looks at that in the order of the result.
    """
    dtype = check_dtypes(a, b)
    inputs, output = equation.split("->")
    left, right = inputs.split(",")
    if min(*a.shape, *b.shape, 2) < 2:
        raise Invalid("sizes that PyTorch leaves out of the product")
    bounds = summed(equation, dtype, a.bounds, b.bounds)
    group = [2 if letter not in left else int(letter not in right) for letter in output]
    order = sorted(range(len(output)), key=lambda place: (group[place], place))
    packed = fresh(dtype, tuple(bounds.low.shape[place] for place in order), bounds)
    strides = tuple(packed.strides[order.index(place)] for place in range(len(output)))
    return fresh(dtype, bounds.low.shape, rounded_once(bounds, dtype), strides)


# ---- products that are added to


def scaled_sum(
    added: Bounds, product: Bounds, dtype: str, beta: float = 1, alpha: float = 1
) -> Bounds:
    """Return bounds of beta times what is given and alpha times a product, rounded to the dtype.

    Both are scaled and added in the dtype of the sums: at most four roundings.
    """
    if dtype in INTEGERS:
        exact = wrap(alpha * product.low + (beta * added.low if beta else 0), dtype)
        known = product.known & added.known if beta else product.known
        return Bounds(exact, exact, np.broadcast_to(known, exact.shape))
    parts = [(alpha * product.low, alpha * product.high)]
    known = product.known
    if beta:
        parts.append((beta * added.low, beta * added.high))
        known = known & added.known
    low = sum((np.minimum(*ends) for ends in parts), np.zeros(()))
    high = sum((np.maximum(*ends) for ends in parts), np.zeros(()))
    size = sum((np.maximum(*map(np.abs, ends)) for ends in parts), np.zeros(()))
    slack = 4 * (ROUNDOFF[dtype] + 2.0**-53) * np.where(np.isfinite(size), size, 0.0)
    # A part may be too large for the dtype although the sum is not.
    limit = LARGEST["float64" if dtype == "float64" else "float32"]
    known = known & ~(np.isfinite(size) & (size > limit))
    # Whole numbers that stay small are exact.
    points = (low == high) & (low == np.floor(low)) & (size < 2.0**24)
    slack = np.where(points, 0.0, slack)
    zero = (low == 0) & (high == 0)
    low, high = np.where(zero, -0.0, low - slack), np.where(zero, 0.0, high + slack)
    return final(settled(low, high, known), dtype)


def _added(sums: Callable[[Value, Value], tuple[str, Bounds]], dtypes: Sequence[str]) -> Any:
    def operation(x: Value, a: Value, b: Value, *, beta: float = 1, alpha: float = 1) -> Value:
        dtype = check_dtypes(x, a, b, dtypes=dtypes)
        if dtype in INTEGERS and (isinstance(beta, float) or isinstance(alpha, float)):
            raise Invalid("float factors of integers")
        _, product = sums(a, b)
        shape = product.low.shape
        if broadcast(x.shape, shape) != shape:
            raise Invalid("what is added to does not broadcast")
        return fresh(dtype, shape, scaled_sum(x.bounds, product, dtype, beta, alpha))

    return operation


def _products_of(equation: str) -> Callable[[Value, Value], tuple[str, Bounds]]:
    subscripts = equation.partition("->")[0].split(",")

    def sums(a: Value, b: Value) -> tuple[str, Bounds]:
        if any(len(x.shape) != len(s) for x, s in zip((a, b), subscripts, strict=True)):
            raise Invalid("ranks")
        return a.dtype, summed(equation, a.dtype, a.bounds, b.bounds)

    return sums


_ADDED_OUTER = _added(_products_of("a,b->ab"), ("float32", "float64"))


def _addr(x: Value, a: Value, b: Value, *, beta: float = 1, alpha: float = 1) -> Value:
    """Add a product element by element: it lies as other functions of three operands do."""
    found = _ADDED_OUTER(x, a, b, beta=beta, alpha=alpha)
    factors = a.bounds.low[np.isfinite(a.bounds.low) & (a.bounds.low != 0)]
    scaled = np.abs(alpha * factors)
    if alpha and np.any((scaled < NORMAL[found.dtype]) | (scaled > LARGEST[found.dtype])):
        raise Invalid("a factor that is scaled first loses digits by it")
    column = OPERATIONS["unsqueeze"](a, 1)
    assert isinstance(column, Value)
    return placed(found.dtype, (x, column, b), (found.dtype,) * 3, found.bounds)


def _linear(x: Value, weight: Value, bias: Value | None = None) -> Value:
    dtype = check_dtypes(x, weight, *(() if bias is None else (bias,)), dtypes=FLOATS)
    if len(weight.shape) != 2 or not x.shape:
        raise Invalid("ranks")
    lead = _letters(0, len(x.shape) - 1)
    product = summed(f"{lead}z,yz->{lead}y", dtype, x.bounds, weight.bounds)
    if bias is None:
        return fresh(dtype, product.low.shape, final(product, dtype))
    if bias.shape != weight.shape[:1]:
        raise Invalid("the shape of a bias")
    once = scaled_sum(bias.bounds, product, dtype)
    # The product of narrow floats may be rounded before the bias is added.
    twice = scaled_sum(bias.bounds, final(product, dtype), dtype)
    low, high = np.minimum(once.low, twice.low), np.maximum(once.high, twice.high)
    # A product that only one of both roundings makes infinite may meet a bias of the other sign.
    known = once.known & twice.known & (np.isnan(once.low) == np.isnan(twice.low))
    return fresh(dtype, product.low.shape, settled(low, high, known))


def _check_extremes(dtype: str, *operands: Value, steps: int) -> None:
    """Refuse what is multiplied in several steps, some of which may overflow or lose digits."""
    largest, smallest = math.log(max(steps, 1)), 0.0
    for x in operands:
        sizes = np.abs(x.bounds.low)
        usual = np.log(sizes[np.isfinite(sizes) & (sizes > 0)])
        largest += max(float(usual.max(initial=0.0)), 0.0)
        smallest += min(float(usual.min(initial=0.0)), 0.0)
    if largest > math.log(LARGEST[dtype]) or smallest < math.log(NORMAL[dtype]):
        raise Invalid("a product of some of the operands may be too large, or too small")


def _bilinear(a: Value, b: Value, weight: Value, bias: Value | None = None) -> Value:
    given = () if bias is None else (bias,)
    dtype = check_dtypes(a, b, weight, *given, dtypes=("float32", "float64"))
    _check_extremes(dtype, a, weight, b, steps=a.shape[-1] * b.shape[-1])
    lead = _letters(0, len(a.shape) - 1)
    product = summed(f"{lead}x,oxy,{lead}y->{lead}o", dtype, a.bounds, weight.bounds, b.bounds)
    if bias is None:
        return fresh(dtype, product.low.shape, final(product, dtype))
    return fresh(dtype, product.low.shape, scaled_sum(bias.bounds, product, dtype))


def _chain(*matrices: Value) -> Value:
    dtype = check_dtypes(*matrices, dtypes=("float32", "float64"))
    _check_extremes(dtype, *matrices, steps=math.prod(x.shape[-1] for x in matrices[:-1]))
    letters = _letters(0, len(matrices) + 1)
    equation = ",".join(a + b for a, b in pairwise(letters)) + f"->{letters[0]}{letters[-1]}"
    bounds = summed(equation, dtype, *(x.bounds for x in matrices))
    return fresh(dtype, bounds.low.shape, final(bounds, dtype))


def _multi_dot(matrices: Sequence[Value]) -> Value:
    return _chain(*matrices)


def _matrix_power(x: Value, n: int) -> Value:
    if len(x.shape) != 2 or x.shape[0] != x.shape[1]:
        raise Invalid("no square matrix")
    if not n:
        one = exactly(np.eye(x.shape[0]))
        return fresh(check_dtypes(x, dtypes=FLOATS), x.shape, one)
    if n == 1:
        return fresh(x.dtype, x.shape, x.bounds)
    return _chain(*[x] * n)


def _cross(a: Value, b: Value, *, dim: int = -1) -> Value:
    """Return differences of two products, each of which is rounded."""
    dtype = check_dtypes(a, b, dtypes=("float32", "float64", *INTEGERS))
    shape = broadcast(a.shape, b.shape)
    (place,) = dims_of(a, dim)
    if len(a.shape) != len(b.shape) or a.shape[place] != 3 or b.shape[place] != 3:
        raise Invalid("no vectors of three")

    def turned(bounds: Bounds, shift: int) -> Bounds:
        return bounds.map(lambda part: np.roll(np.broadcast_to(part, shape), -shift, place))

    first, second = (
        multiplied(turned(a.bounds, i), turned(b.bounds, j), dtype) for i, j in ((1, 2), (2, 1))
    )
    minus = Bounds(-second.high, -second.low, second.known)
    terms = Bounds(*(np.stack(parts, -1) for parts in zip(first, minus, strict=True)))
    return fresh(dtype, shape, rounded_once(contracted(terms, dtype, 3), dtype))


OPERATIONS.update(
    {
        "matmul": _matmul,
        "mm": _of_rank(2, 2),
        "bmm": _of_rank(3, 3),
        "mv": _of_rank(2, 1),
        "dot": _of_rank(1, 1),
        "vdot": _of_rank(1, 1),
        "inner": _inner,
        "outer": _outer,
        "kron": _kron,
        "tensordot": _dotted,
        "linalg_vecdot": _along_dim,
        "einsum": _einsum,
        "addmm": _added(_products_of("ab,bc->ac"), DTYPES[1:]),
        "addmv": _added(_products_of("ab,b->a"), DTYPES[1:]),
        "addr": _addr,
        "baddbmm": _added(_products_of("zab,zbc->zac"), DTYPES[1:]),
        # The sums of each batch of narrow floats may be rounded.
        "addbmm": _added(_products_of("zab,zbc->ac"), (*INTEGERS, "float32", "float64")),
        "linear": _linear,
        "bilinear": _bilinear,
        "linalg_multi_dot": _multi_dot,
        "matrix_power": _matrix_power,
        "linalg_cross": _cross,
    }
)
