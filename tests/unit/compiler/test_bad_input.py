"""Whatever a user gives, the answer is an error with the user's line, in at most 12 lines."""

import operator
import pickle
import re
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri

#: The calls below are wrong on purpose, so that a type checker must not look into them.
wrong: Any = tri
wrong_operator: Any = operator

F: Any = tri.tensor([1.0, 2.0, 3.0])
I: Any = tri.tensor([1, 2, 3])  # noqa: E741 - the shortest name for integers
M: Any = tri.tensor([[1.0, 2.0], [3.0, 4.0]])


def same(x: Any) -> Any:
    return x


def text(x: Any) -> object:
    return object()


def times(x: Any, s: Any) -> Any:
    return x * s


def local_function() -> Callable[[Any], Any]:
    def inner(x: Any) -> Any:
        return x

    return inner


local = local_function()

#: (call, exception, how the message begins)
CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: F + "x", TypeError, "unsupported operand type"),
    (lambda: wrong.add(F, "x"), TypeError, "add(): argument 'other' (position 2) must be Tensor"),
    (lambda: wrong.add(F), TypeError, 'add() missing 1 required positional arguments: "other"'),
    (lambda: wrong.add(F, F, beta=1), TypeError, "add() got an unexpected keyword argument 'beta'"),
    (lambda: wrong.sum(F, 0, True, 1), TypeError, "sum() takes from 2 to 3 positional arguments"),
    (lambda: F + M[:, :1].expand(2, 2), RuntimeError, "The size of tensor a (3) must match"),
    (lambda: F.sum(3), IndexError, "Dimension out of range"),
    (lambda: F.sum((0, 0)), RuntimeError, "dim 0 appears multiple times"),
    (lambda: F.to("gpu"), RuntimeError, "Expected one of cpu, cuda"),
    (lambda: F.to("cuda:x"), RuntimeError, "Invalid device string: 'cuda:x'"),
    (lambda: F.to(dtype="float32"), TypeError, "to() received an invalid combination"),
    (lambda: F.reshape(2, 2), RuntimeError, "shape '[2, 2]' is invalid for input of size 3"),
    (lambda: F.view(-1, -1), RuntimeError, "only one dimension can be inferred"),
    (lambda: M.t().view(4), RuntimeError, "view size is not compatible"),
    (lambda: F.expand(2**62, 2**62, 3), RuntimeError, ""),
    (lambda: wrong.zeros(2**62, 2**62), RuntimeError, "Storage size calculation overflowed"),
    (lambda: wrong.zeros(2**62), RuntimeError, ""),
    (lambda: wrong.zeros(-1), RuntimeError, "zeros: Dimension size must be non-negative."),
    (lambda: wrong.full((2,), 2**70), OverflowError, "int too big to convert"),
    (lambda: F[5], IndexError, "index 5 is out of bounds for dimension 0 with size 3"),
    (lambda: tri.tensor(1.0)[1:], IndexError, "slice() cannot be applied to a 0-dim tensor"),
    (lambda: F[::0], ValueError, "slice step cannot be zero"),
    (lambda: F[0, 0], IndexError, "too many indices for tensor of dimension 1"),
    (lambda: tri.slice_copy(tri.tensor(1.0)), IndexError, "slice() cannot be applied to a 0-dim"),
    (lambda: wrong.index_put_(), TypeError, "index_put_() missing 3 required positional argument"),
    (
        lambda: wrong.promote_types(tri.float32, F),
        TypeError,
        "promote_types(): argument 'type2' (position 2) must be trilith.dtype, not Tensor",
    ),
    (
        lambda: wrong.promote_types(F, F),
        TypeError,
        "promote_types(): argument 'type1' (position 1) must be trilith.dtype, not Tensor",
    ),
    (
        lambda: wrong.can_cast(tri.float32, 5),
        TypeError,
        "can_cast(): argument 'to' (position 2) must be trilith.dtype, not int",
    ),
    (lambda: wrong.nn.functional.hardtanh(F, 1j), TypeError, "'>' not supported between"),
    (
        lambda: tri.nn.functional.bilinear(M, M, M),
        IndexError,
        "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
    ),
    (lambda: ~F, TypeError, "~ (operator.invert) is only implemented on integer and Boolean-type"),
    (lambda: wrong.nn.functional.silu(1), TypeError, "silu(): argument 'input' (position 1) must"),
    (
        lambda: wrong.nn.functional.kl_div(F, F, reduction=0),
        TypeError,
        "kl_div(): argument 'reduction' must be str, not int",
    ),
    (lambda: wrong.linalg.inv(M, M), TypeError, "linalg_inv() takes 1 positional argument but 2"),
    (
        lambda: tri.take(M, tri.tensor([0, 50])),
        IndexError,
        "out of range: tried to access index 50 on a tensor of 4 elements.",
    ),
    (lambda: F["a"], TypeError, "new(): invalid data type 'str'"),
    (lambda: F[::-1], ValueError, "step must be greater than zero"),
    (lambda: M @ F, RuntimeError, ""),
    (lambda: F @ I, RuntimeError, ""),
    (
        lambda: wrong.tensor(1.0) @ F,
        RuntimeError,
        "both arguments to matmul need to be at least 1D",
    ),
    (lambda: I // 0, RuntimeError, "ZeroDivisionError"),
    (lambda: I % 0, RuntimeError, "ZeroDivisionError"),
    (lambda: I**-1, RuntimeError, "Integers to negative integer powers are not allowed."),
    (lambda: I & F, NotImplementedError, "\"bitwise_and_cpu\" not implemented for 'Float'"),
    (lambda: -wrong.tensor([True]), RuntimeError, "Negation, the `-` operator, on a bool tensor"),
    (lambda: wrong.tensor([]).amax(), RuntimeError, "amax(): Expected reduction dim to be"),
    (lambda: I.mean(), RuntimeError, "mean(): could not infer output dtype"),
    (lambda: wrong.cat([]), ValueError, ""),
    (lambda: wrong.cat([F, M]), RuntimeError, "Tensors must have same number of dimensions"),
    (
        lambda: wrong.cat([wrong.tensor(1.0)]),
        RuntimeError,
        "zero-dimensional tensor (at position 0)",
    ),
    (lambda: wrong.arange(0, 5, -1), RuntimeError, "upper bound and"),
    (lambda: wrong.tensor([[1], [1, 2]]), ValueError, "expected sequence of length 1 at dim 1"),
    (lambda: wrong.tensor("x"), TypeError, ""),
    (lambda: wrong.tensor([1], dtype="float32"), TypeError, "tensor(): argument 'dtype'"),
    (lambda: wrong.from_numpy(np.arange(3)[::-1]), ValueError, "At least one stride"),
    (lambda: wrong.from_numpy(np.array(["a"])), TypeError, "can't convert np.ndarray of type"),
    (lambda: wrong_operator.iadd(I, 1.5), RuntimeError, "result type Float can't be cast to the"),
    (lambda: wrong_operator.iadd(F, wrong.zeros(2, 3)), RuntimeError, "output with shape [3] does"),
    (lambda: wrong_operator.setitem(F, 5, 1), IndexError, "index 5 is out of bounds"),
    (lambda: wrong_operator.setitem(F, 0, "x"), TypeError, "can't assign a str to a"),
    (lambda: wrong_operator.setitem(F, 0, 10**20), ValueError, "Overflow when unpacking long long"),
    (lambda: wrong_operator.setitem(I, 0, 2**63), ValueError, "Overflow when unpacking long long"),
    (lambda: wrong_operator.setitem(F, I[:1], -(2**64)), ValueError, "Overflow when unpacking"),
    (
        lambda: wrong.nn.functional.unfold(M, 2),
        IndexError,
        "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
    ),
    (
        lambda: wrong.nn.functional.unfold(tri.tensor(1.0), 2),
        IndexError,
        "Dimension specified as 1 but tensor has no dimensions",
    ),
    (
        lambda: wrong.nn.functional.cross_entropy(tri.tensor(1.0), tri.tensor(1.0)),
        IndexError,
        "Dimension specified as 1 but tensor has no dimensions",
    ),
    (
        lambda: wrong.nn.functional.embedding(tri.tensor([True]), M),
        RuntimeError,
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
        "Long, Int; but got CPUBoolType instead (while checking arguments for embedding)",
    ),
    (
        lambda: wrong.histc(F > 0),
        NotImplementedError,
        "\"linspace_cpu\" not implemented for 'Bool'",
    ),
    (
        lambda: wrong.searchsorted(tri.tensor(1.0), 1.0),
        RuntimeError,
        "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension "
        "is 1, but we got boundaries tensor dim(0) and input value's dim(0) numel(1)",
    ),
    (
        lambda: wrong.full_like(F, tri.tensor(1j)),
        RuntimeError,
        "value cannot be converted to type float without overflow",
    ),
    (
        lambda: I.new_full((2,), tri.tensor(1j)),
        RuntimeError,
        "value cannot be converted to type int64_t without overflow",
    ),
    (
        lambda: I.masked_fill(I > 1, tri.tensor(1j)),
        RuntimeError,
        "value cannot be converted to type int64_t without overflow",
    ),
    (
        lambda: F.index_fill(0, I[:1], tri.tensor(1j)),
        RuntimeError,
        "index_fill_(): Converting complex Scalar to non-complex type is not supported",
    ),
    (lambda: pickle.dumps(wrong.compile(local)), TypeError, "can't pickle"),
    (lambda: wrong.compile(3), TypeError, "compile() takes a function, not int"),
    (lambda: wrong.compile(same, device="vulkan:0")(F), ValueError, "there is no pipeline"),
    (lambda: wrong.compile(text)(F), TypeError, ""),
    (lambda: wrong.compile(times)(F, 2**63), OverflowError, "int too big to convert"),
    (lambda: wrong.compile(same)(object()), TypeError, "a compiled function takes tensors"),
    (lambda: wrong.nothing, AttributeError, "module 'trilith' has no attribute 'nothing'"),
]


@pytest.mark.parametrize("index", range(len(CASES)))
def test_a_clear_error(index: int) -> None:
    call, kind, begin = CASES[index]
    with pytest.raises(kind) as caught:
        call()
    text = str(caught.value)
    assert text.startswith(begin), text
    assert len(text.splitlines()) <= 12
    if isinstance(caught.value, tri.TrilithError):
        assert caught.value.location is not None
        assert caught.value.location.file == __file__
        assert not isinstance(caught.value, tri.InternalError)


#: Python that needs values, inside a traced function, and what the error says to write instead.
CONTROL_FLOW: list[tuple[Callable[[Any], Any], str]] = [
    (lambda x: x if x.sum() > 0 else -x, "tri.where"),
    (lambda x: int(x.sum()) * x, "tri.int64"),
    (lambda x: float(x[0]) * x, "tri.float64"),
    (lambda x: cast("Any", [1, 2, 3])[x[0]], "tri.int64"),
    (lambda x: x * x.sum().item(), "outside"),
    (lambda x: np.exp(x), "function of trilith"),
    (lambda x: x + x.tolist()[0], "outside"),
    (lambda x: x and x, "tri.where"),
]


@pytest.mark.parametrize("index", range(len(CONTROL_FLOW)))
def test_control_flow_names_the_line_and_the_way_out(index: int) -> None:
    function, hint = CONTROL_FLOW[index]
    with pytest.raises(TypeError) as caught:
        tri.trace(function, F)
    error = caught.value
    assert isinstance(error, tri.TrilithError)
    assert error.location is not None
    assert error.location.file == __file__
    assert hint in (error.hint or "")
    assert len(str(error).splitlines()) <= 12


def test_the_line_is_the_one_in_the_function() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x * 2
        return z + y

    with pytest.raises(RuntimeError) as caught:
        tri.compile(f)(F, tri.tensor([1.0, 2.0]))
    assert "return z + y" in str(caught.value)


def test_a_proxy_that_leaked_is_refused() -> None:
    kept: list[Any] = []
    tri.compile(lambda x: kept.append(x) or x)(F)
    with pytest.raises(RuntimeError, match=r"stored while lambda\(\) was traced"):
        tri.compile(lambda x: x + kept[0])(F)


def test_a_failed_trace_leaves_nothing_behind() -> None:
    @tri.compile
    def f(x: Any) -> Any:
        return x.sum(7)

    for _ in range(2):
        with pytest.raises(IndexError):
            f(F)
    assert f.stats().plans == 0
    assert (F + 1).tolist() == [2, 3, 4], "no trace is still active"


def test_squeeze_of_none_is_no_squeeze_of_all():
    x: Any = tri.ones(2, 1)
    calls: list[Callable[[Any], Any]] = [
        lambda x: x.squeeze(None),
        lambda x: x.squeeze_(None),
    ]
    for call in calls:
        for function in (call, tri.compile(call)):
            with pytest.raises(TypeError, match="must be tuple of ints, not NoneType"):
                function(x)
    assert x.squeeze().shape == (2,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shape": (3,), "dtype": "float32"}, "dtype must be a dtype, not str"),
        ({"shape": 3}, "shape must be a tuple of integers"),
        ({"shape": (3,), "strides": 1}, "strides must be a tuple of integers"),
    ],
)
def test_a_spec_of_other_things_is_refused(arguments: dict[str, Any], message: str):
    spec: Any = tri.spec
    with pytest.raises(TypeError, match=re.escape(f"spec(): {message}")):
        spec(**arguments)
