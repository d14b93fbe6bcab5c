"""Kernels for OpenCL give the CPU's bits: every row, every order of a reduction, every fault."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import StringAttr

import trilith as tri
from trilith.compiler.kernels.counters import KernelCounters
from trilith.compiler.kernels.table import KERNELS, kernel_text
from trilith.dialects.diagnostics import TrilithError
from trilith.dialects.ops.frame.opspec import ElementwiseOp
from trilith.dialects.ops.table import TABLE

from .conftest import CompileKernel, ReadKernel
from .opencl_runner import Runner, compare, open_runner, same_bits

TARGETS = ("opencl-cpu", "opencl-gpu")
DTYPES = (
    *("bool", "uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)


def in_fuzz(*cases: tuple[Any, ...]) -> list[Any]:
    """Return cases for `make fuzz` alone: a kernel takes PoCL 0.1 s the first time it is seen."""
    wanted = cases if "TRILITH_FUZZ" in os.environ else ()
    return [pytest.param(*case, marks=pytest.mark.hypothesis) for case in wanted]


def on_both(kinds: Iterable[str], *on_gpu: str, rare: Iterable[str] = ()) -> list[Any]:
    """Return pairs of a kind and a target: all for the CPU, some with the schedule of a GPU.

    Those that are `rare`, and the others with the schedule of a GPU, are for the fuzz.
    """
    rest = [(kind, "opencl-gpu") for kind in (*kinds, *rare) if kind not in on_gpu]
    rest += [(kind, "opencl-cpu") for kind in rare]
    pairs = [(kind, "opencl-cpu") for kind in kinds] + [(kind, "opencl-gpu") for kind in on_gpu]
    return [*pairs, *in_fuzz(*rest)]


#: Those that rows are tried on, with how many operands, and which part of the rows: all on float32,
#: every third on the others.
ROW_DTYPES = ("uint8", "int32", "bfloat16", "float32", "complex64")
ROW_CASES = [
    *((dtype, count, 1 if dtype == "float32" else 3) for dtype in ROW_DTYPES for count in (1, 2)),
    *in_fuzz(*((dtype, n, 1) for dtype in ROW_DTYPES if dtype != "float32" for n in (1, 2))),
]
#: Those that are cast from.
CAST_DTYPES = ("float32", "int64", *in_fuzz(("float64",), ("uint8",), ("bfloat16",)))
#: Rows that can be called with tensors alone; the others are behind `pow`, `div`, `to`, `clamp`.
ROWS = sorted(
    name
    for name, row in TABLE.items()
    if isinstance(row, ElementwiseOp) and (hasattr(tri, name) or hasattr(tri.Tensor, name))
)


@pytest.fixture(scope="module")
def runner() -> Runner:
    """A runner on a CPU device."""
    found = open_runner()
    if isinstance(found, str):
        pytest.skip(found)
    return found


def draw(dtype: Any, *shape: int, seed: int = 0) -> tri.Tensor:
    """Return random values, special ones among them, and small integers."""
    rng = np.random.default_rng(seed)
    count = int(np.prod(shape))
    raw = rng.integers(0, 256, (count, dtype.itemsize), np.uint8).reshape(-1)
    if dtype is tri.bool:
        values: Any = raw & 1
    elif dtype.is_complex or dtype.is_floating_point:
        parts = 2 * count if dtype.is_complex else count
        values = rng.standard_normal(parts) * 10.0 ** rng.integers(-3, 3, parts)
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 1e30, -1e-40, 2.5, 3.5]
        values[: parts // 8] = rng.choice(special, parts // 8)
        real = {8: np.float32, 16: np.float64}[dtype.itemsize] if dtype.is_complex else dtype.numpy
        with np.errstate(all="ignore"):
            values = values.astype(real)
    else:
        values = raw.view(dtype.numpy).copy()
        values[::2] = rng.integers(0, 5, len(values[::2])).astype(dtype.numpy)
    tensor = tri.empty(shape, dtype=dtype)
    data = np.ascontiguousarray(values).tobytes()
    ctypes.memmove(tensor.data_ptr(), data, len(data))
    return tensor


def normal(*shape: int, seed: int = 0) -> tri.Tensor:
    """Return normal float32 values."""
    return tri.from_numpy(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def row_functions(operands: list[tri.Tensor]) -> dict[str, Any]:
    """Return the functions of rows that take some operands."""
    found: dict[str, Any] = {}
    for name in ROWS:
        function: Any = getattr(tri, name, None) or getattr(tri.Tensor, name)
        try:
            tri.trace(function, *operands)
        except (TrilithError, TypeError):
            continue
        found[name] = function
    return found


@pytest.mark.parametrize(("dtype", "count", "step"), ROW_CASES)
def test_rows_on_random_data(runner: Runner, dtype: str, count: int, step: int) -> None:
    operands = [draw(getattr(tri, dtype), 203, seed=seed) for seed in range(count)]
    first = ROW_DTYPES.index(dtype) % step
    rows = dict(list(row_functions(operands).items())[first::step])
    assert rows
    problem = compare(runner, lambda *xs: tuple(f(*xs) for f in rows.values()), *operands)
    assert not problem, (problem, list(rows))


@pytest.mark.filterwarnings("ignore:Casting complex values to real")
@pytest.mark.parametrize("source", CAST_DTYPES)
def test_casts(runner: Runner, source: str) -> None:
    x = draw(getattr(tri, source), 203)
    targets = [getattr(tri, name) for name in DTYPES if name != source]

    def cast(x: tri.Tensor) -> tuple[tri.Tensor, ...]:
        return tuple(x.to(target) for target in targets)

    problem = compare(runner, cast, x)
    assert not problem, (problem, targets)


SIZES = (0, 1, 31, 32, 33, 1000, 16384, 16385, 100000)
REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "prod": lambda x: (1 + x * 1e-4).prod(),
    "amax": lambda x: x.amax(),
    "argmax": lambda x: x.argmax(),
    "any": lambda x: (x > 4).any(),
    "exp": lambda x: (x - 1).exp().sum(),
    "int": lambda x: x.to(tri.int32).sum(),
    "half": lambda x: x.to(tri.float16).sum(),
    "complex": lambda x: (x.to(tri.complex64) * (1 + 2j)).sum(),
}


@pytest.mark.parametrize(("kind", "target"), on_both(REDUCTIONS, "sum"))
def test_a_whole_tensor_is_reduced_in_the_order_of_the_cpu(
    runner: Runner, kind: str, target: str
) -> None:
    for size in SIZES:
        if size or kind not in ("amax", "argmax"):
            assert not compare(runner, REDUCTIONS[kind], normal(size), target=target), size


ROW_REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "columns": lambda x: x.sum(0),
    "rows": lambda x: x.sum(1),
    "transposed": lambda x: x.T.sum(1),
    "every other": lambda x: x[:, ::2].sum(),
    "every other row": lambda x: x[::2, 1:].exp().sum(),
    "argmax of columns": lambda x: x.argmax(0),
    "argmax of rows": lambda x: x.argmax(1),
    "largest of columns": lambda x: x.amax(0),
    "largest and where": lambda x: (*x.max(1), *x.min(0)),
    "both extremes": lambda x: (*x.aminmax(dim=1), *x.aminmax()),
    "variance and mean": lambda x: (*tri.var_mean(x, 1), *tri.var_mean(x, 0)),
    "mantissa and exponent": lambda x: tuple(tri.frexp(x)),
    "truth of columns": lambda x: (x > 0).all(0),
    "centred": lambda x: (x - x.mean(1, keepdim=True)).square().sum(1),
    "variance": lambda x: (x - x.mean(1, keepdim=True)).square().mean(1).sqrt(),
    "softmax": lambda x: (x - x.amax(1, keepdim=True)).exp() / x.exp().sum(1, keepdim=True),
    "double": lambda x: x.to(tri.float64).sum(0),
}
RARE_REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "two at once": lambda x: (x.sum(1) * 2 + x.amax(1), x.prod(1)),
    "with the rest": lambda x: x + x.sum(1, keepdim=True),
    "complex rows": lambda x: (x.to(tri.complex128) * 1j).sum(1),
    "narrow rows": lambda x: x.to(tri.bfloat16).argmax(1),
    "repeated": lambda x: x.expand(3, *x.shape).sum((0, 2)),
}


@pytest.mark.filterwarnings("ignore:var_mean")
@pytest.mark.parametrize(
    ("kind", "target"),
    on_both(ROW_REDUCTIONS, "columns", "rows", "argmax of rows", "variance", rare=RARE_REDUCTIONS),
)
def test_rows_and_columns_are_reduced_in_the_order_of_the_cpu(
    runner: Runner, kind: str, target: str
) -> None:
    shapes = [(1, 1), (3, 31), (33, 3), (130, 70), (5, 1000), (2, 16391), (20000, 2)]
    for shape in shapes:
        function = ROW_REDUCTIONS.get(kind) or RARE_REDUCTIONS[kind]
        assert not compare(runner, function, normal(*shape), target=target), shape


@pytest.mark.parametrize("target", TARGETS)
def test_special_values_and_nothing_at_all(runner: Runner, target: str) -> None:
    special = draw(tri.float32, 9, 70, seed=3)
    rows, both = ROW_REDUCTIONS["rows"], RARE_REDUCTIONS["two at once"]
    for x in (special, tri.empty(0, 5), tri.empty(5, 0)):
        assert not compare(runner, rows, x, target=target)
    assert not compare(runner, both, special, target=target)
    for shape in ((0, 5), (5, 0)):
        x = normal(*shape)
        assert not compare(runner, SHAPED["matmul"], x, x, target=target), shape


SHAPED: dict[str, Callable[[Any, Any], Any]] = {
    "transposed": lambda x, y: x.T + y.T,
    "across": lambda x, y: x.T.contiguous() * 2,
    "both ways": lambda x, y: x[:, :7] + y.T[:7].T,
    "permuted": lambda x, y: x.reshape(-1, 5, 2).permute(2, 0, 1).contiguous(),
    "broadcast": lambda x, y: x[:, None, :3] * y[None, :, :3],
    "steps": lambda x, y: x[1::3, ::2] - y[1::3, ::2],
    "cat": lambda x, y: tri.cat([x, y[:, :3], x.T.T], 1),
    "stack": lambda x, y: tri.stack([x, y], 1),
    "pad": lambda x, y: tri.pad(x, (1, 2, -1, 3), value=7.0),
    "flip": lambda x, y: x.flip(0, 1),
    "where": lambda x, y: tri.where(x > y, x.T.T, 0.0),
    "matmul": lambda x, y: x @ y.T,
    "matmul of integers": lambda x, y: x.to(tri.int64) @ y.to(tri.int64).T,
    "vector": lambda x, y: x @ y[0],
    "batched": lambda x, y: x.reshape(5, -1, 2) @ y.reshape(5, 2, -1),
    "range": lambda x, y: tri.arange(100) * 3,
    "triangle": lambda x, y: x.tril(),
}
RARE_SHAPED: dict[str, Callable[[Any, Any], Any]] = {
    "matmul of complex": lambda x, y: x.to(tri.complex64) @ (y * 1j).T,
    "matmul of steps": lambda x, y: (x[:, ::2] @ y[:, ::2].T + x[0, 0]) * 2,
    "matmul of double": lambda x, y: x.to(tri.float64).T @ y.to(tri.float64),
}


@pytest.mark.parametrize(
    ("kind", "target"),
    on_both(SHAPED, "transposed", "broadcast", "cat", "matmul", rare=RARE_SHAPED),
)
def test_shapes_and_strides(runner: Runner, kind: str, target: str) -> None:
    function = SHAPED.get(kind) or RARE_SHAPED[kind]
    for shape in ((70, 50), (1, 10), (33, 40), (65, 130)):
        x, y = normal(*shape), normal(*shape, seed=1)
        assert not compare(runner, function, x, y, target=target), shape


def places(*shape: int, below: int) -> tri.Tensor:
    """Return random indices."""
    return tri.from_numpy(np.random.default_rng(5).integers(-below, below, shape))


INDEXED: dict[str, Callable[[Any, Any], Any]] = {
    "rows": lambda x, i: x[i],
    "pairs": lambda x, i: x[i, i % 7],
    "columns": lambda x, i: x[:, i % 7],
    "gather": lambda x, i: x.gather(1, (i % 7)[:, None]),
    "written": lambda x, i: x.index_put((i,), x[:1]),
    "added": lambda x, i: x.index_put((i,), x[:1] * 2, accumulate=True),
    "scattered": lambda x, i: x.scatter(1, (i % 7)[:, None], x[:, :1] + 1),
}


@pytest.mark.parametrize(("kind", "target"), on_both(INDEXED, "rows", "added"))
def test_indices_that_are_computed(runner: Runner, kind: str, target: str) -> None:
    x, i = normal(20, 7), places(20, below=20)
    assert not compare(runner, INDEXED[kind], x, i, target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_a_fault_is_reported_with_its_numbers(runner: Runner, target: str) -> None:
    x = normal(20, 7)
    for bad in (20, -21, 10**12):
        indices = tri.tensor([0, 3, bad, 5])
        assert not compare(runner, INDEXED["rows"], x, indices, target=target)
    by_zero = tri.tensor([1, 2, 0, 4] * 100)
    assert not compare(runner, tri.floor_divide, tri.ones(400, dtype=tri.int64), by_zero)


def test_numbers_are_passed_in_the_low_bits(runner: Runner) -> None:
    def scaled(x: tri.Tensor, a: float, b: int) -> tri.Tensor:
        return x * a + b

    def moved(x: tri.Tensor, a: int) -> tri.Tensor:
        return x.to(tri.int64) + a

    x = normal(100)
    assert not compare(runner, scaled, x, 2.5, -3)
    assert not compare(runner, moved, x, -(2**40))


def test_texts_of_several_kernels_are_one_program(runner: Runner) -> None:
    def both(x: tri.Tensor, y: tri.Tensor) -> tri.Tensor:
        return tri.maximum(x, tri.minimum(x, y))

    specs = [tri.spec((10,), tri.float32)] * 2
    texts: list[str] = []
    for function in (tri.maximum, tri.minimum, both):
        (kernel,) = tri.trace(function, *specs).lower().kernels
        kernel.properties["sym_name"] = StringAttr(f"kernel{len(texts)}")
        texts.append(kernel_text(kernel, "opencl"))
    program = runner.cl.Program(runner.context, "".join(texts)).build()
    assert sorted(kernel.function_name for kernel in program.all_kernels()) == [
        "kernel0",
        "kernel1",
        "kernel2",
    ]


#: Ops that no row is made of, or not in every type.
PAYLOAD = (
    *(f"arith.{op} %a, %b : f32" for op in ("maximumf", "minimumf", "maxnumf", "minnumf")),
    "arith.minimumf %a, %b : f64",
    *(f"math.copysign %a, %b : {type_}" for type_ in ("f32", "f64")),
    *(f"kernel.fmod %a, %b : {type_}" for type_ in ("f32", "f64")),
    *(
        f"arith.{op} %a, %b : {type_}"
        for op in ("addi", "muli", "subi", "maxsi", "maxui", "minsi", "minui", "xori")
        for type_ in ("i8", "i16")
    ),
    *(f"math.absi %a : {type_}" for type_ in ("i8", "i32")),
    *(f"arith.sitofp %a : {source} to f32" for source in ("i8", "i32", "i64")),
    *(f"arith.uitofp %a : {source} to f64" for source in ("i16", "i64")),
    *(f"arith.extsi %a : {source} to i64" for source in ("i8", "i16", "i32")),
)


NUMPY_NAMES = {"f32": "float32", "f64": "float64", **{f"i{b}": f"int{b}" for b in (8, 16, 32, 64)}}


def payload_kernel(op: str) -> tuple[str, str, str]:
    """Return the text of a kernel of one op, and the types of its operands and of its result."""
    source, _, target = op.rpartition(" : ")[2].partition(" to ")
    target = target or source
    text = f"""
    kernel.func @f(%n: index, %x: !kernel.buffer<{source}, [1]> {{kernel.access = "read"}},
        %y: !kernel.buffer<{source}, [1]> {{kernel.access = "read"}},
        %z: !kernel.buffer<{target}, [1]> {{kernel.access = "write", kernel.noalias}}) {{
      kernel.map (%i) to (%n) {{
        %a = kernel.load %x[%i] : {source}
        %b = kernel.load %y[%i] : {source}
        %r = {op}
        kernel.store %r, %z[%i]
      }}
    }}"""
    return text, source, target


def test_ops_of_the_payload(
    runner: Runner, compile_kernel: CompileKernel, read_kernel: ReadKernel
) -> None:
    texts = {op: payload_kernel(op) for op in PAYLOAD}
    codes = {
        op: KERNELS.get(read_kernel(text), KernelCounters(), "opencl-cpu")
        for op, (text, _, _) in texts.items()
    }
    runner.prepare(list(codes.values()))
    for op, (text, source, target) in texts.items():
        dtype = getattr(tri, NUMPY_NAMES[source])
        inputs = [draw(dtype, 500, seed=seed).numpy() for seed in (1, 2)]
        wanted = np.zeros(500, NUMPY_NAMES[target])
        compile_kernel(text)(500, *inputs, wanted)
        buffers = [runner.buffer(values.tobytes()) for values in (*inputs, np.zeros_like(wanted))]
        runner.launch(codes[op], [(buffer, 0) for buffer in buffers], [500, 0, 0, 0])
        found = np.frombuffer(runner.read(buffers[2], wanted.nbytes), wanted.dtype)
        assert same_bits(found, wanted), op


def test_a_difference_is_seen(runner: Runner) -> None:
    def plain(x: tri.Tensor) -> tri.Tensor:
        return x + 1

    def more(x: tri.Tensor) -> tri.Tensor:
        return x + 1.0000001

    problem = compare(runner, plain, normal(10), expected=more)
    assert "differ" in problem
