"""How are joins, and operations drawn that look at a tensor otherwise or lay it out anew?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..oracle.semantics import DTYPES, Invalid
from ..program import Ref, Step
from .plain import PLAIN

if TYPE_CHECKING:
    from ..drawing import Drawer

Call = Callable[["Drawer", str], Step]


def _rank(d: Drawer, x: Ref) -> int:
    return len(d.value(x).shape)


def _several(d: Drawer, first: Ref, shapes: Callable[[], tuple[int, ...]]) -> tuple[Ref, ...]:
    """Return a tensor and up to three others."""
    dtype = d.value(first).dtype
    others = d.random.choice((0, 1, 1, 2, 3))
    dtypes = (dtype,) if d.random.random() < 0.6 else DTYPES
    return (first, *(d.tensor(dtypes, shape=shapes()) for _ in range(others)))


def _some_dims(d: Drawer, rank: int) -> tuple[int, ...]:
    chosen = d.random.sample(range(rank), d.random.randrange(min(rank, 1), rank + 1))
    return tuple(dim - rank if d.random.random() < 0.3 else dim for dim in chosen)


def _as_of(name: str) -> Call:
    """Return how a row is drawn that takes the arguments of another one."""
    return lambda d, operation: Step(operation, PLAIN[name](d, name).arguments)


def _alone(d: Drawer, operation: str) -> Step:
    return Step(operation, (d.tensor(),))


def _number(d: Drawer, operation: str) -> Step:
    return Step(operation, (d.tensor(DTYPES[1:]),))


def _matrices(d: Drawer, operation: str) -> Step:
    return Step(operation, (d.tensor(rank=2),))


def _flipped(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    return Step(operation, (x, _some_dims(d, _rank(d, x))))


def _rolled(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    dims = _some_dims(d, _rank(d, x))
    if not dims or d.random.random() < 0.2:
        return Step(operation, (x, d.random.randrange(-5, 6)))
    return Step(operation, (x, tuple(d.random.randrange(-5, 6) for _ in dims), dims))


def _turned(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=2)
    dims = tuple(d.random.sample(range(_rank(d, x)), 2))
    return Step(operation, (x, d.random.randrange(-1, 5), dims))


def _repeated(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    rank = _rank(d, x)
    least = rank if operation == "repeat" else 0
    count = d.random.randrange(least, min(rank + 2, 6) if rank < 5 else 6)
    return Step(operation, (x, tuple(d.random.choice((0, 1, 1, 1, 2, 2, 3)) for _ in range(count))))


def _stacked(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    shape = d.value(x).shape
    place = {"vstack": 0, "row_stack": 0, "dstack": 2}.get(operation, 1)
    place = 0 if operation == "hstack" and len(shape) < 2 else place

    def another() -> tuple[int, ...]:
        if place >= len(shape) or d.random.random() < 0.5:
            return shape
        return (*shape[:place], d.random.choice((0, 1, 2, 3)), *shape[place + 1 :])

    return Step(operation, (_several(d, x, another),))


def _blocks(d: Drawer, operation: str) -> Step:
    def shape() -> tuple[int, ...]:
        sizes = (0, 1, 2, 3, 4)
        return tuple(d.random.choice(sizes) for _ in range(d.random.choice((0, 1, 2, 2))))

    return Step(operation, _several(d, d.tensor(shape=shape()), shape))


def _vectors(d: Drawer, operation: str) -> Step:
    def shape() -> tuple[int, ...]:
        return (d.random.choice((0, 1, 2, 3, 4)),)

    first = d.tensor(shape=shape())
    dtype = d.value(first).dtype
    others = range(d.random.choice((0, 1, 1, 2)))
    vectors = (first, *(d.tensor((dtype,), shape=shape()) for _ in others))
    indexing = (("indexing", d.random.choice(("ij", "xy"))),) if operation == "meshgrid" else ()
    return Step(operation, vectors, indexing)


def _broadcast(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    return Step(operation, _several(d, x, lambda: d.beside(d.value(x).shape)))


def _like_another(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    target = PLAIN["expand" if operation == "expand_as" else "reshape"](d, "reshape")
    shape = d.value(x).shape
    if operation == "expand_as":
        sizes = tuple(d.random.choice((1, 2, 3)) if size == 1 else size for size in shape)
        return Step(operation, (x, d.tensor(shape=sizes)))
    x, sizes = target.arguments
    if -1 in sizes:
        raise Invalid("an inferred size")
    return Step(operation, (x, d.tensor(shape=sizes)))


def _unflattened(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=1)
    shape = d.value(x).shape
    if len(shape) > 4:
        raise Invalid("enough dims")
    dim = d.dim(len(shape))
    size = shape[dim]
    divisor = d.random.choice([n for n in range(1, max(size, 1) + 1) if not size % n][:12])
    second = -1 if size and d.random.random() < 0.3 else size // divisor
    return Step(operation, (x, dim, (divisor, second)))


def _parts(d: Drawer, operation: str) -> Step:
    least = {"hsplit": 1, "vsplit": 2, "dsplit": 3}.get(operation, 1)
    x = d.tensor(rank=least)
    shape = d.value(x).shape
    dim = d.dim(len(shape))
    if operation in ("hsplit", "vsplit", "dsplit"):
        dim = {"hsplit": int(len(shape) > 1), "vsplit": 0, "dsplit": 2}[operation]
    size = shape[dim]
    if operation in ("unbind", "unbind_copy"):
        return Step(operation, (x, dim))
    cuts = tuple(sorted(d.random.randrange(size + 1) for _ in range(d.random.choice((1, 2)))))
    if operation.startswith("split_with_sizes") or (operation == "split" and size % 2):
        given: Any = tuple(b - a for a, b in zip((0, *cuts), (*cuts, size), strict=True))
    elif operation not in ("split", "split_copy", "chunk") and d.random.random() < 0.5:
        given = cuts
    else:
        given = d.random.choice((1, 2, 3, 5))
    named = operation in ("hsplit", "vsplit", "dsplit")
    return Step(operation, (x, given) if named else (x, given, dim))


def _cut(d: Drawer, operation: str) -> Step:
    """Draw a slice with a dim, two ends and a step."""
    x = d.tensor(rank=1)
    dim = d.dim(_rank(d, x))
    size = d.value(x).shape[dim]
    start, end = sorted(d.random.randrange(size + 1) for _ in "ab")
    return Step(operation, (x, dim, start, end, d.random.choice((1, 1, 2, 3))))


def _scattered(d: Drawer, operation: str) -> Step:
    """Draw a view and something of its shape to be put there."""
    view = {"slice_scatter": _cut, "diagonal_scatter": PLAIN["diagonal"]}
    arguments: list[Any] = [*view.get(operation, PLAIN["select"])(d, "").arguments]
    x, *place = arguments
    shape = list(d.value(x).shape)
    if operation == "select_scatter":
        del shape[place[0]]
    elif operation == "slice_scatter":
        dim, start, end, step = place
        shape[dim] = len(range(start, end, step))
    else:
        offset, first, second = (int(number) for number in place)
        length = min(shape[first] + min(offset, 0), shape[second] - max(offset, 0))
        gone = (first % len(shape), second % len(shape))
        shape = [size for dim, size in enumerate(shape) if dim not in gone] + [max(length, 0)]
    source = d.tensor((d.value(x).dtype,), shape=tuple(shape))
    return Step(operation, (x, source, *place))


def _triangle(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=2)
    return Step(operation, (x, d.random.randrange(-3, 4)))


def _on_diagonal(d: Drawer, operation: str) -> Step:
    x = d.tensor(rank=1)
    rank = _rank(d, x)
    if operation == "diag" and rank > 2:
        raise Invalid("diag of more than two dims")
    arguments: tuple[Any, ...] = (x, d.random.choice((0, 0, 1, -1, 2)))
    if operation == "diag_embed":
        if rank > 4:
            raise Invalid("enough dims")
        arguments += tuple(d.random.sample(range(rank + 1), 2))
    return Step(operation, arguments)


def _masked(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    value = d.value(x)
    mask = d.tensor(("bool",), shape=d.beside(value.shape))
    return Step(operation, (x, mask, d.number(value.dtype)))


def _shuffled(d: Drawer, operation: str) -> Step:
    factor = d.random.choice((1, 2, 3))
    lead = tuple(d.random.choice((1, 2)) for _ in range(d.random.choice((0, 1, 1, 1))))
    rows, columns, channels = (d.random.choice((1, 2, 3)) for _ in "abc")
    if operation == "pixel_unshuffle":
        shape = (*lead, channels, rows * factor, columns * factor)
    elif operation == "pixel_shuffle":
        shape = (*lead, channels * factor**2, rows, columns)
    else:
        shape = (2, channels * factor, rows, columns)[: d.random.choice((3, 4))]
    return Step(operation, (d.tensor(shape=shape), factor))


def _summed(d: Drawer, operation: str) -> Step:
    x = d.tensor()
    shape = d.value(x).shape
    sizes = tuple(1 if d.random.random() < 0.4 else size for size in shape)
    return Step(operation, (x, sizes[d.random.randrange(len(shape) + 1) :]))


ARRANGING: dict[str, Call] = {
    **dict.fromkeys(("concat", "concatenate"), _as_of("cat")),
    **dict.fromkeys(("hstack", "vstack", "dstack", "column_stack", "row_stack"), _stacked),
    "block_diag": _blocks,
    "cartesian_prod": _vectors,
    "meshgrid": _vectors,
    "broadcast_tensors": _broadcast,
    "broadcast_to": _as_of("expand"),
    **dict.fromkeys(("expand_as", "view_as", "reshape_as"), _like_another),
    "swapaxes": _as_of("transpose"),
    "adjoint": _matrices,
    "batched_matrix_H": _matrices,
    **dict.fromkeys(("atleast_1d", "atleast_2d", "atleast_3d", "ravel"), _alone),
    **dict.fromkeys(("real", "conj_physical", "resolve_conj", "resolve_neg"), _alone),
    **dict.fromkeys(("alias_copy", "detach_copy"), _alone),
    "positive": _number,
    "unflatten": _unflattened,
    **dict.fromkeys(("split", "chunk", "unbind", "tensor_split", "split_with_sizes"), _parts),
    **dict.fromkeys(("hsplit", "vsplit", "dsplit"), _parts),
    **dict.fromkeys(("split_copy", "unbind_copy", "split_with_sizes_copy"), _parts),
    **{
        f"{name}_copy": _as_of(name)
        for name in (
            "diagonal",
            "expand",
            "narrow",
            "permute",
            "select",
            "squeeze",
            "t",
            "transpose",
            "unfold",
            "unsqueeze",
            "view",
        )
    },
    "slice_copy": _cut,
    "linalg_diagonal": _matrices,
    "flip": _flipped,
    **dict.fromkeys(("fliplr", "flipud"), _matrices),
    "roll": _rolled,
    "rot90": _turned,
    **dict.fromkeys(("repeat", "tile"), _repeated),
    **dict.fromkeys(("select_scatter", "slice_scatter", "diagonal_scatter"), _scattered),
    **dict.fromkeys(("tril", "triu"), _triangle),
    **dict.fromkeys(("diag", "diag_embed", "diagflat"), _on_diagonal),
    "masked_fill": _masked,
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"), _shuffled),
    "sum_to_size": _summed,
}
