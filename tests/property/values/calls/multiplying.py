"""How are contractions drawn? Matrix products of all kinds, and what is added to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..oracle.semantics import FLOATS, INTEGERS, Shape
from ..program import Ref, Step

if TYPE_CHECKING:
    from ..drawing import Drawer

Call = Callable[["Drawer", str], Step]
_WIDE = ("float32", "float64")
_SIZES = (0, 1, 2, 3, 5, 8, 17)
#: Dims that are summed, in results that PyTorch forms by one product of matrices.
_EQUATIONS = (
    "ij,jk->ik",
    "ij,kj->ik",
    "ji,jk->ik",
    "bij,bjk->bik",
    "bhid,bhjd->bhij",
    "bhij,bhjd->bihd",
    "ijk,jkl->il",
    "ijk,lkj->il",
    "i,i->",
    "ij,ij->",
    "ij,j->i",
    "bi,bi->b",
    "abc,cd->abd",
)


def _dtypes(d: Drawer, wide: bool = False) -> Sequence[str]:
    if d.random.random() < 0.7:
        return _WIDE if wide else FLOATS
    return _WIDE if wide else INTEGERS


def _size(d: Drawer) -> int:
    return d.random.choice(_SIZES)


def _operands(d: Drawer, shapes: Sequence[Shape], dtypes: Sequence[str]) -> list[Ref]:
    """Return tensors of one dtype."""
    refs: list[Ref] = []
    for shape in shapes:
        refs.append(d.tensor(dtypes, shape=shape, domain=(-9.0, 9.0)))
        dtypes = (d.value(refs[0]).dtype,)
    return refs


def _matrices(d: Drawer, operation: str) -> Step:
    rows, inner, columns, batch = (_size(d) for _ in "abcd")
    shapes: dict[str, list[Shape]] = {
        "mm": [(rows, inner), (inner, columns)],
        "bmm": [(batch, rows, inner), (batch, inner, columns)],
        "mv": [(rows, inner), (inner,)],
    }
    vectors: list[Shape] = [(inner,), (inner,)]
    return Step(operation, tuple(_operands(d, shapes.get(operation, vectors), _dtypes(d))))


def _of_last(d: Drawer, operation: str) -> Step:
    a = d.tensor(_dtypes(d), rank=1, domain=(-9.0, 9.0))
    value = d.value(a)
    lead = tuple(d.random.choice((1, 2, 3)) for _ in range(d.random.choice((0, 1, 2))))
    return Step(operation, (a, d.tensor((value.dtype,), shape=(*lead, value.shape[-1]))))


def _vectors(d: Drawer, operation: str) -> Step:
    return Step(operation, tuple(_operands(d, [(_size(d),), (_size(d),)], _dtypes(d))))


def _krons(d: Drawer, operation: str) -> Step:
    def shape() -> Shape:
        return tuple(d.random.choice((1, 2, 3)) for _ in range(d.random.choice((1, 2, 2, 3))))

    return Step(operation, tuple(_operands(d, [shape(), shape()], _dtypes(d))))


def _dotted(d: Drawer, operation: str) -> Step:
    a = d.tensor(_dtypes(d), rank=1, domain=(-9.0, 9.0))
    value = d.value(a)
    rank = len(value.shape)
    gone = d.random.sample(range(rank), d.random.randrange(min(rank, 2) + 1))
    kept = [d.random.choice((1, 2, 3)) for _ in range(d.random.choice((0, 1, 1)))]
    shape = [value.shape[dim] for dim in gone] + kept
    order = d.random.sample(range(len(shape)), len(shape))
    places = tuple(order.index(place) for place in range(len(gone)))
    b = d.tensor((value.dtype,), shape=tuple(shape[place] for place in order))
    return Step(operation, (a, b), (("dims", (tuple(gone), places)),))


def _along_dim(d: Drawer, operation: str) -> Step:
    a = d.tensor(FLOATS, rank=1, domain=(-9.0, 9.0))
    value = d.value(a)
    shape = tuple(1 if d.random.random() < 0.2 else size for size in value.shape)
    b = d.tensor((value.dtype,), shape=(*shape[:-1], value.shape[-1]))
    return Step(operation, (a, b))


def _einsum(d: Drawer, operation: str) -> Step:
    equation = d.random.choice(_EQUATIONS)
    sizes = {letter: d.random.choice((2, 3, 4, 7)) for letter in equation if letter.isalpha()}
    inputs = equation.partition("->")[0].split(",")
    shapes = [tuple(sizes[letter] for letter in letters) for letters in inputs]
    return Step(operation, (equation, *_operands(d, shapes, _dtypes(d))))


def _added(d: Drawer, operation: str) -> Step:
    rows, inner, columns, batch = (_size(d) for _ in "abcd")
    matrices: list[Shape] = [(rows, inner), (inner, columns)]
    batches: list[Shape] = [(batch, *shape) for shape in matrices]
    shapes: dict[str, tuple[list[Shape], Shape]] = {
        "addmm": (matrices, (rows, columns)),
        "addmv": ([(rows, inner), (inner,)], (rows,)),
        "addr": ([(rows,), (columns,)], (rows, columns)),
        "addbmm": (batches, (rows, columns)),
        "baddbmm": (batches, (batch, rows, columns)),
    }
    factors, shape = shapes[operation]
    if operation != "addmv":
        shape = tuple(1 if d.random.random() < 0.15 else size for size in shape)
        shape = shape[d.random.choice((0, 0, 0, 1)) :]
    refs = _operands(d, [shape, *factors], _dtypes(d, wide=operation in ("addr", "addbmm")))
    is_whole = d.value(refs[0]).dtype in INTEGERS
    keywords: list[tuple[str, Any]] = []
    if d.random.random() < 0.4:
        keywords.append(("beta", d.random.choice((0, 2, -1) if is_whole else (0, 0.5, -1, 2))))
    if d.random.random() < 0.4:
        keywords.append(("alpha", d.random.choice((2, -1, 3) if is_whole else (0.5, -1, 2))))
    return Step(operation, tuple(refs), tuple(keywords))


def _linear(d: Drawer, operation: str) -> Step:
    x = d.tensor(FLOATS, rank=1, domain=(-9.0, 9.0))
    value = d.value(x)
    count = d.random.choice((1, 2, 3, 5))
    shapes: list[Shape] = [(count, value.shape[-1]), (count,)]
    refs = _operands(d, shapes[: d.random.choice((1, 2))], (value.dtype,))
    return Step(operation, (x, *refs))


def _bilinear(d: Drawer, operation: str) -> Step:
    lead = tuple(d.random.choice((1, 2, 3)) for _ in range(d.random.choice((1, 1, 2))))
    left, right, count = (d.random.choice((1, 2, 3, 5)) for _ in "abc")
    shapes: list[Shape] = [(*lead, left), (*lead, right), (count, left, right), (count,)]
    return Step(operation, tuple(_operands(d, shapes[: d.random.choice((3, 4))], _WIDE)))


def _chained(d: Drawer, operation: str) -> Step:
    count = d.random.choice((2, 3, 3))
    sizes = [d.random.choice((1, 2, 3, 5)) for _ in range(count + 1)]
    refs = tuple(_operands(d, list(pairwise(sizes)), _WIDE))
    return Step(operation, (refs,))


def _powers(d: Drawer, operation: str) -> Step:
    size = d.random.choice((1, 2, 3, 5))
    x = d.tensor(_WIDE, shape=(size, size), domain=(-9.0, 9.0))
    return Step(operation, (x, d.random.choice((0, 1, 2, 3))))


def _crossed(d: Drawer, operation: str) -> Step:
    shape = [d.random.choice((1, 2, 3)) for _ in range(d.random.choice((1, 2, 3)))]
    dim = d.random.randrange(len(shape))
    shape[dim] = 3
    other = tuple(1 if n != dim and d.random.random() < 0.2 else s for n, s in enumerate(shape))
    dtypes = (*_WIDE, *INTEGERS)
    refs = _operands(d, [tuple(shape), other], dtypes)
    return Step(operation, tuple(refs), (("dim", dim),))


MULTIPLYING: dict[str, Call] = {
    **dict.fromkeys(("mm", "bmm", "mv", "dot", "vdot"), _matrices),
    "inner": _of_last,
    "outer": _vectors,
    "kron": _krons,
    "tensordot": _dotted,
    "linalg_vecdot": _along_dim,
    "einsum": _einsum,
    **dict.fromkeys(("addmm", "addmv", "addr", "addbmm", "baddbmm"), _added),
    "linear": _linear,
    "bilinear": _bilinear,
    "linalg_multi_dot": _chained,
    "matrix_power": _powers,
    "linalg_cross": _crossed,
}
