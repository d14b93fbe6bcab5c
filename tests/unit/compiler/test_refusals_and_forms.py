"""Are calls taken and refused as PyTorch 2.13 takes and refuses them? Its answers are recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

X = tri.arange(6.0).reshape(2, 3)
I = tri.arange(6).reshape(2, 3)  # noqa: E741 - integers
B = X > 2
EMPTY = tri.empty_strided((2, 0, 3), (1, 6, 2))
EMPTY_INTEGERS = tri.empty_strided((2, 0, 3), (1, 6, 2), dtype=tri.int64)
EMPTY_COMPLEX = tri.empty_strided((2, 0, 3), (1, 6, 2), dtype=tri.complex64)


def where_alone(condition: tri.Tensor) -> tri.Tensor:
    where: Any = tri.where
    return tri.stack(where(condition))


def prod_over(dim: Any) -> tri.Tensor:
    return tri.prod(X, dim)


def prod_over_keyword(dim: Any) -> tri.Tensor:
    return X.prod(dim=dim)


TAKEN: dict[str, tuple[Callable[[], Any], Any]] = {
    "amax None": (lambda: tri.amax(X, None), 5.0),
    "amin None": (lambda: tri.amin(X, None), 0.0),
    "amax None keepdim": (lambda: X.amax(None, True), [[5.0]]),
    "roll None": (lambda: tri.roll(X, 1, None), [[5.0, 0.0, 1.0], [2.0, 3.0, 4.0]]),
    "where alone": (lambda: where_alone(B), [[1, 1, 1], [0, 1, 2]]),
    "where alone, 0-dim": (lambda: where_alone(tri.tensor(True)), [[0]]),
    "positive": (lambda: +X, X.tolist()),
    "copy_ complex": (lambda: X.clone().copy_(3 + 1j), [[3.0] * 3] * 2),
    "copy_ complex to integers": (lambda: I.clone().copy_(1j), [[0] * 3] * 2),
    "copy_ complex to bool": (lambda: B.clone().copy_(1j), [[True] * 3] * 2),
    "clamp 0-dim and number": (
        lambda: tri.clamp(X, tri.tensor(1.0), 3),
        [[1.0, 1.0, 2.0], [3.0, 3.0, 3.0]],
    ),
    "all of no dims": (lambda: tri.all(X, dim=[]), [[False, True, True], [True, True, True]]),
    "any of no dims": (lambda: tri.any(B, dim=()), [[False, False, False], [True, True, True]]),
    "all of uint8": (lambda: tri.all(X.to(tri.uint8), dim=[]), [[0, 1, 1], [1, 1, 1]]),
    "all of no dims, 0-dim": (lambda: tri.all(tri.tensor(2.0), dim=[]), True),
    "take_along_dim wraps": (lambda: tri.take_along_dim(X, tri.tensor([[-4]]), 1), [[2.0], [5.0]]),
    "float64 to uint8": (
        lambda: tri.tensor([2.0**32 + 300, -(2.0**32) - 1], dtype=tri.float64).to(tri.uint8),
        [44, 255],
    ),
    "method with separate dims": (lambda: X.permute(1, 0).shape, (3, 2)),
    "isinf strides": (lambda: tri.isinf(EMPTY_INTEGERS).stride(), (1, 6, 2)),
    "isfinite strides": (lambda: tri.isfinite(EMPTY_INTEGERS).stride(), (1, 6, 2)),
    "isinf strides of floats": (lambda: tri.isinf(EMPTY).stride(), (3, 3, 1)),
    "isreal strides": (lambda: tri.isreal(EMPTY).stride(), (1, 6, 2)),
    "conj_physical strides": (lambda: tri.conj_physical(EMPTY_COMPLEX).stride(), (1, 6, 2)),
    "nonzero into a wrong shape": (
        lambda: tri.nonzero(B, out=tri.empty(0, dtype=tri.int64)).stride(),
        (1, 3),
    ),
    "nonzero into strides": (
        lambda: tri.nonzero(B, out=tri.empty(3, 4, dtype=tri.int64)[:, ::2]).stride(),
        (4, 2),
    ),
}


@pytest.mark.filterwarnings("ignore:.*discards the imaginary part")
@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("name", TAKEN)
def test_taken(name: str):
    call, wanted = TAKEN[name]
    found = call()
    assert (found.tolist() if isinstance(found, tri.Tensor) else tuple(found)) == wanted


OVERFLOW = "Overflow when unpacking long long"


def of_dtype(name: str) -> Any:
    return X.to(getattr(tri, name))


RANGE = "Dimension out of range \\(expected to be in range of \\[-2, 1\\], but got 5\\)"
REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    **{
        f"{name} of {dtype} over dim 5": (
            lambda name=name, dtype=dtype: getattr(tri, name)(of_dtype(dtype), 5),
            IndexError,
            RANGE,
        )
        for name, dtype in (
            *(("amax", "complex64"), ("amin", "uint16"), ("argmax", "uint16")),
            *(("sum", "float8_e5m2"), ("mean", "float8_e5m2"), ("var_mean", "float8_e5m2")),
        )
    },
    "amax of complex numbers twice over a dim": (
        lambda: tri.amax(of_dtype("complex64"), (0, 0)),
        RuntimeError,
        "dim 0 appears multiple times",
    ),
    "amax of no complex numbers": (
        lambda: tri.amax(EMPTY_COMPLEX, (1, 1)),
        IndexError,
        "amax\\(\\): Expected reduction dim 1 to have non-zero size.",
    ),
    "argmax of complex numbers over dim 5": (
        lambda: tri.argmax(of_dtype("complex64"), 5),
        RuntimeError,
        "argmax\\(\\): does not support complex input",
    ),
    "positive bool": (lambda: +B, RuntimeError, "The `\\+` operator, on a bool tensor"),
    "flip 0": (lambda: tri.flip(X, 0), TypeError, "argument 'dims' \\(position 2\\) must be tuple"),
    "flip 0, 1": (lambda: tri.flip(X, 0, 1), TypeError, "takes 2 positional arguments but 3"),
    "flip dims=0": (lambda: X.flip(dims=0), TypeError, "argument 'dims' must be tuple of ints"),
    "permute 1, 0": (lambda: tri.permute(X, 1, 0), TypeError, "takes 2 positional arguments"),
    "reshape 6": (lambda: tri.reshape(X, 6), TypeError, "must be tuple of ints, not int"),
    "prod None": (lambda: prod_over(None), TypeError, "prod\\(\\)"),
    "prod dim=None": (lambda: prod_over_keyword(None), TypeError, "prod\\(\\)"),
    "clamp tensor and number": (
        lambda: tri.clamp(X, tri.ones(3), 3),
        TypeError,
        "clamp\\(\\) received an invalid combination of arguments - got \\(Tensor, Tensor, int\\)",
    ),
    "pow 2 3": (lambda: tri.pow(2, 3), TypeError, "pow\\(\\) received an invalid combination"),
    "remainder 2 3": (lambda: tri.remainder(2, 3), TypeError, "got \\(int, int\\)"),
    **{
        name: (
            lambda name=name: getattr(tri, name)(6, 3),
            TypeError,
            f"{name}\\(\\) received an invalid combination of arguments - got \\(int, int\\)",
        )
        for name in (
            *("bitwise_and", "bitwise_or", "bitwise_xor"),
            *("bitwise_left_shift", "bitwise_right_shift"),
        )
    },
    "gelu": (
        lambda: tri.gelu(X, approximate="asdf"),
        RuntimeError,
        "approximate argument must be either none or tanh.",
    ),
    "x[2**64]": (lambda: X[2**64], ValueError, OVERFLOW),
    "x[..., 2**64]": (lambda: X[..., 2**64], ValueError, OVERFLOW),
    "sum 2**64": (lambda: X.sum(2**64), ValueError, OVERFLOW),
    "view 2**64": (lambda: X.view(2, 2**64), TypeError, f'at pos 2 with error "{OVERFLOW}"'),
    "zeros -2**64": (lambda: tri.zeros((-(2**64),)), TypeError, OVERFLOW),
    "take_along_dim of 0-dim": (
        lambda: tri.take_along_dim(tri.tensor(5.0), tri.tensor(0), 0),
        IndexError,
        "Dimension specified as 0 but tensor has no dimensions",
    ),
    "take_along_dim without dim": (
        lambda: tri.take_along_dim(X, tri.tensor([-1])),
        IndexError,
        "index -1 is out of bounds for dimension 0 with size 6",
    ),
    "argmax of complex": (
        lambda: tri.ones(1, 3, 1, dtype=tri.complex64).argmax(-1, True),
        RuntimeError,
        "argmax\\(\\): does not support complex input",
    ),
    "cat into its operand": (
        lambda: (lambda y: tri.cat([y, y[:0]], out=y))(X[0] * 2),
        RuntimeError,
        "some elements of the input tensor and the written-to tensor refer to a single memory",
    ),
}


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, is_compiled: bool):
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=text):
        tri.compile(call)() if is_compiled else call()


def test_captured_tensor_that_changes():
    kept = tri.arange(6.0).reshape(2, 3)
    add = tri.compile(lambda x: x + kept)
    one = tri.tensor(1.0)
    traced = tri.trace(lambda x: x + kept, one).lower().compile()
    assert add(one).shape == (2, 3)
    kept.t_()
    assert add(one).tolist() == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    with pytest.raises(RuntimeError, match="uses a tensor of the enclosing program that was"):
        traced(one)
    kept.resize_(2, 2)
    assert add(one).shape == (2, 2)
    assert add.stats().calls == 3


def test_gather_of_expanded_operands():
    places = tri.arange(16).remainder(2).reshape(2, 8)
    row = tri.arange(8.0).reshape(1, 8)
    found = tri.gather(row.expand(2, 8), 0, places)
    assert found.tolist() == [row[0].tolist()] * 2
    column = tri.tensor([[5.0], [6.0]])
    found = tri.take_along_dim(column.expand(2, 8), tri.tensor([[0], [1]]).expand(2, 8), 1)
    assert found.tolist() == [[5.0] * 8, [6.0] * 8]


def test_pass_that_is_not_there():
    traced = tri.trace(lambda x: x + 1, tri.spec((2,), tri.float32))
    with pytest.raises(ValueError, match="'x' is no pass of the pipeline: tri-lower-sparse"):
        traced.after("x")


def test_dump_folder_that_cannot_be_written(tmp_path: Any, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("TRILITH_DUMP_DIR", str(file))
    with pytest.raises(RuntimeError, match="the IR cannot be written to"):
        tri.compile(lambda x: x * 3 + 1)(tri.ones(7))


def test_an_array_on_a_device_is_no_sequence():
    pyopencl = pytest.importorskip("pyopencl")
    if not tri.opencl.is_available():
        pytest.skip("no OpenCL device")
    array_module = pytest.importorskip("pyopencl.array")
    device = pyopencl.get_platforms()[0].get_devices()[0]
    queue = pyopencl.CommandQueue(pyopencl.Context([device]))
    array = array_module.zeros(queue, 4, "float32")
    for data in (array, [array, array], [[array]]):
        with pytest.raises(TypeError, match="is no sequence"):
            tri.as_tensor(data)
