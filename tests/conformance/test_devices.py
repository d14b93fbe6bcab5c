"""Does meta answer everything but values, and are devices and `to` refused in PyTorch's words?

Literals are what PyTorch 2.13 answered, with its name replaced.
"""

import copy
import pickle
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithError
from trilith.dialects.ops.table import TABLE

DENSE = tri.arange(24.0).reshape(2, 3, 4)
FORMS = """to() received an invalid combination of arguments - got ({got}), but expected one of:
 * (trilith.device device = None, trilith.dtype dtype = None, bool non_blocking = False, \
bool copy = False, *, trilith.memory_format memory_format = None)
 * (trilith.dtype dtype, bool non_blocking = False, bool copy = False, *, \
trilith.memory_format memory_format = None)
 * (Tensor tensor, bool non_blocking = False, bool copy = False, *, \
trilith.memory_format memory_format = None)
"""


def meta(*size: int, **keywords: Any) -> Any:
    return tri.ones(*size, device="meta", **keywords)


def refused(expression: str, **names: Any) -> TrilithError:
    scope = {"tri": tri, "x": DENSE, "m": meta(2, 3), "np": np, **names}
    with pytest.raises(TrilithError) as caught:
        eval(expression, scope)
    return caught.value


def facts(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [facts(item) for item in cast("list[Any]", value)]
    if isinstance(value, tri.Tensor):
        spec: Any = value.spec
        return (spec.shape, spec.strides, spec.dtype, value.storage_offset())
    return value


# ---- meta


#: Operations whose result has as many elements as their operands' values say, or that refuse some
#: of them.
OF_VALUES = (
    "nonzero(",
    *("allclose", "bincount", "equal", "histogram", "quantile", "one_hot"),
    "unique",
    "argwhere",
    "masked_select",
    "masked_scatter",
    "where(tri.tensor",
    "istft(",
    "repeat_interleave(tri.tensor",
    *("to_sparse(", "coalesce(", "spdiags("),
)


def examples() -> list[str]:
    """Return the examples of all rows that a device changes nothing about but the values."""
    found: list[str] = []
    for row in TABLE.values():
        code = row.example.partition("  #")[0].strip()
        if not any(word in code for word in ("\n", "from_numpy", "cpu", ".tolist(", *OF_VALUES)):
            found.append(code)
    return sorted(set(found))


@pytest.mark.parametrize("code", examples())
def test_every_example_has_the_same_facts_on_meta(code: str):
    expected = facts(eval(code, {"tri": tri}))
    with tri.device("meta"):
        value = eval(code, {"tri": tri})
    assert facts(value) == expected
    parts = cast("list[Any]", value if isinstance(value, (tuple, list)) else [value])
    assert all(part.is_meta for part in parts if isinstance(part, tri.Tensor))


@pytest.mark.parametrize("call", ["nonzero(m)", "argwhere(m)", "masked_select(m, m > 0)"])
def test_what_the_values_decide_is_refused(call: str):
    assert isinstance(refused(f"tri.{call}"), NotImplementedError)


def test_a_compiled_function_runs_nothing_on_meta():
    @tri.compile
    def f(x: Any, y: Any, number: Any) -> Any:
        z = (x @ y.t() + number).exp()
        return z, z.t()[1:], z.sum(0), x[:, 1:]

    first = f(meta(2, 3), meta(4, 3), 2.0)
    host = f(tri.ones(2, 3), tri.ones(4, 3), 2.0)
    assert facts(first) == facts(host)
    assert all(result.is_meta for result in first)
    assert f.stats().traces == 2


def test_views_share_the_storage_and_there_are_no_bytes():
    x = meta(4, 3)
    assert x[1:].t().untyped_storage().nbytes() == 48
    assert x[1:].storage_offset() == 3
    assert x.data_ptr() == 0
    assert x.untyped_storage().data_ptr() == 0
    assert tri.ones(10**12, 10**4, device="meta").nbytes == 4 * 10**16


def test_writing_on_meta_keeps_the_tensor():
    x = meta(2, 3)
    assert x.add_(1) is x
    assert x.copy_(tri.ones(2, 3)) is x
    assert x.fill_(2) is x
    names = {"tri": tri, "x": x, "out": meta(2, 3)}
    assert eval("tri.mul(x, 2, out=out)", names) is names["out"]


@pytest.mark.parametrize(
    ("expression", "kind", "message"),
    [
        ("m.cpu()", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("m.to('cpu')", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("m.tolist()", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("x[0, :2, :3].copy_(m)", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("m.numpy(force=True)", NotImplementedError, "Cannot copy out of meta tensor; no data!"),
        ("m[0, 0].item()", RuntimeError, "Tensor.item() cannot be called on meta tensors"),
        ("bool(m[0, 0])", RuntimeError, "Tensor.item() cannot be called on meta tensors"),
        ("float(m[0, 0])", RuntimeError, "Tensor.item() cannot be called on meta tensors"),
        (
            "bool(m)",
            RuntimeError,
            "Boolean value of Tensor with more than one value is ambiguous",
        ),
        (
            "np.asarray(m)",
            TypeError,
            "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor "
            "to host memory first.",
        ),
    ],
)
def test_there_is_no_data(expression: str, kind: type[Exception], message: str):
    error = refused(expression)
    assert isinstance(error, kind)
    assert error.message == message


def test_text_pickle_and_deepcopy_of_meta():
    x = meta(2, 3, dtype=tri.int8)
    assert repr(x) == "tensor(..., device='meta', size=(2, 3), dtype=trilith.int8)"
    assert str(x[0, 0]) == "tensor(..., device='meta', size=(), dtype=trilith.int8)"
    for again in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert facts(again) == facts(x)
        assert again.is_meta


# ---- mixtures

MIXED = "Tensor on device {} is not on the expected device {}!"


@pytest.mark.parametrize(
    ("expression", "given", "expected"),
    [
        ("x[0] + tri.ones(3, 4, device='meta')", "meta", "cpu"),
        ("m[0, 0] + tri.ones(2)", "cpu", "meta"),
        ("tri.ones(2) + m[0, 0]", "meta", "cpu"),
        ("tri.cat([m, tri.ones(2, 3)])", "cpu", "meta"),
        ("tri.stack([tri.ones(2, 3), m])", "meta", "cpu"),
        ("tri.where(m > 0, tri.ones(2, 3), 0)", "cpu", "meta"),
        ("tri.where(tri.ones(2, 3) > 0, m, 0)", "meta", "cpu"),
        # PyTorch returns whatever was in memory.
        ("x[0] @ tri.ones(4, 2, device='meta')", "meta", "cpu"),
        ("tri.ones(2, 3).add_(m)", "meta", "cpu"),
        ("tri.ones(()).add_(m[0, 0])", "meta", "cpu"),
        ("m.add_(tri.ones(2, 3))", "cpu", "meta"),
    ],
)
def test_mixed_devices(expression: str, given: str, expected: str):
    error = refused(expression)
    assert isinstance(error, RuntimeError)
    assert error.message == MIXED.format(given, expected)


def test_a_0_dim_host_operand_goes_along():
    number, x = tri.tensor(2.0), meta(2)
    for result in (number + x, x + number, number + x[0], tri.where(x > 0, number, number)):
        assert result.is_meta


def test_indices_of_the_host_go_along():
    x, places = meta(2, 3), tri.tensor([1, 0])
    mask = tri.tensor([[True, False, True], [False, False, False]])
    assert facts(x[places]) == facts(tri.ones(2, 3)[places])
    assert facts(x[mask]) == facts(tri.ones(2, 3)[mask])
    assert x[mask].is_meta
    x[places] = 1.0
    x[mask] = 2.0
    # PyTorch returns whatever was in memory.
    error = refused("x[places]", x=tri.ones(2, 3), places=places.to("meta"))
    assert error.message == MIXED.format("meta", "cpu")


def test_out_on_another_device():
    message = (
        "Attempting to copy from device {} to device {}, but cross-device copies are not allowed!"
    )
    error = refused("tri.add(tri.ones(2), 1, out=m[0, :2])")
    assert error.message == message.format("cpu", "meta")
    error = refused("tri.add(m, 1, out=tri.ones(2, 3))")
    assert error.message == message.format("meta", "cpu")


# ---- to

NO_ACCELERATOR = "Cannot access accelerator device when none is available."


@pytest.mark.parametrize(
    ("expression", "dtype"),
    [
        ("x.to(tri.float64, False, True)", tri.float64),
        ("x.to('cpu', tri.float64, True, True)", tri.float64),
        ("x.to(None, tri.float64)", tri.float64),
        ("x.to(device='cpu', dtype=tri.int8, non_blocking=True)", tri.int8),
        ("x.to(float)", tri.float64),
        ("x.to('cpu', float)", tri.float64),
        ("x.to(dtype=int)", tri.int64),
        ("x.to(tri.ones(1, dtype=tri.int8))", tri.int8),
        ("x.to(tensor=tri.ones(1, dtype=tri.int8))", tri.int8),
        ("x.to(tri.ones(1, dtype=tri.int8), True, True)", tri.int8),
        ("x.chalf()", tri.complex32),
        ("x.cfloat()", tri.complex64),
        ("x.cdouble()", tri.complex128),
        ("x.half()", tri.float16),
        ("x.bfloat16()", tri.bfloat16),
        ("m.to('meta', tri.float16)", tri.float16),
        ("m.to(x.to(tri.int8).to('meta'))", tri.int8),
    ],
)
@pytest.mark.filterwarnings("ignore:ComplexHalf")
def test_forms_of_to(expression: str, dtype: tri.dtype):
    found = eval(expression, {"tri": tri, "x": DENSE, "m": meta(2, 3)})
    assert found.dtype is dtype


def test_to_is_the_tensor_itself_where_nothing_changes():
    x: Any = DENSE
    m = meta(2, 3)
    assert x.to() is x
    assert x.to("cpu") is x
    assert x.to(b"cpu") is x
    assert x.to(tri.float32) is x
    assert x.to(x) is x
    assert x.cpu() is x
    assert x.cpu(memory_format=tri.contiguous_format) is x
    assert x.to(memory_format=tri.contiguous_format) is x
    assert x.to("cpu", memory_format=tri.preserve_format) is x
    assert m.to("meta") is m
    for copied in (x.to("cpu:0"), x.to("cpu", copy=True), x.to(tri.float32, copy=True)):
        assert copied is not x
        assert copied.device == tri.device("cpu")
        assert copied.data_ptr() != x.data_ptr()
    assert m.to("meta:0") is not m
    assert m.to("meta:0").device == tri.device("meta")


@pytest.mark.parametrize(
    ("call", "got"),
    [
        ("to(other=x)", "other=Tensor, "),
        ("to(foo=1)", "foo=int, "),
        ("to([1])", "list"),
        ("to('cpu', 'float32')", "str, str"),
        ("to(tri.float64, tri.float32)", "trilith.dtype, trilith.dtype"),
        ("to(tri.device('cpu'), tri.device('cpu'))", "trilith.device, trilith.device"),
        ("to(device='cpu', copy=1)", "copy=int, device=str, "),
        ("to('cpu', dtype='float32')", "str, dtype=str"),
        ("to(dtype='float32')", "dtype=str, "),
        ("to(memory_format='channels_last')", "memory_format=str, "),
        ("to('cpu', device='cpu')", "str, device=str"),
        ("to(x, tri.float64)", "Tensor, trilith.dtype"),
        ("to(x, device='cpu')", "Tensor, device=str"),
        ("to(tri.float64, device='cpu')", "trilith.dtype, device=str"),
        (
            "to(tri.float64, False, True, True)",
            "trilith.dtype, bool, bool, bool",
        ),
        ("to(tri.float64, copy=None)", "trilith.dtype, copy=NoneType"),
        ("to('cpu', None, None)", "str, NoneType, NoneType"),
        ("to(None, foo=x)", "NoneType, foo=Tensor"),
        ("to('cpu', foo=1, bar=2)", "str, bar=int, foo=int"),
    ],
)
def test_no_such_form_of_to(call: str, got: str):
    error = refused(f"x.{call}")
    assert isinstance(error, TypeError)
    assert error.message == FORMS.format(got=got)


@pytest.mark.parametrize(
    ("expression", "kind", "message"),
    [
        (
            "x.to('cpu', tri.float64, True, True, True)",
            TypeError,
            "to() takes from 0 to 4 positional arguments but 5 were given",
        ),
        ("x.to(5)", RuntimeError, NO_ACCELERATOR),
        ("x.to(-1)", RuntimeError, "Device index must not be negative"),
        (
            "x.to(device=5)",
            RuntimeError,
            NO_ACCELERATOR,
        ),
        ("x.to('float32')", RuntimeError, "Invalid device string: 'float32'"),
        ("x.cuda()", AssertionError, "Torch not compiled with CUDA enabled"),
        ("x.cuda('cuda:1')", AssertionError, "Torch not compiled with CUDA enabled"),
        ("x.to('cuda:300')", AssertionError, "Torch not compiled with CUDA enabled"),
        ("x.to('xpu')", AssertionError, "Torch not compiled with XPU enabled"),
        ("tri.ones(1, device='cuda')", AssertionError, "Torch not compiled with CUDA enabled"),
        ("x.cuda('cpu')", RuntimeError, "Invalid device, must be cuda device"),
        ("x.cuda(0)", RuntimeError, NO_ACCELERATOR),
        (
            "x.pin_memory()",
            RuntimeError,
            NO_ACCELERATOR,
        ),
        (
            "tri.ones(1, device=0)",
            RuntimeError,
            NO_ACCELERATOR,
        ),
        ("x.to('mps')", RuntimeError, "trilith has no runtime for device type 'mps'"),
        (
            "tri.ones(1, device='mps')",
            NotImplementedError,
            "trilith has no runtime for device type 'mps'",
        ),
    ],
)
def test_devices_that_are_not_there(expression: str, kind: type[Exception], message: str):
    error = refused(expression)
    assert isinstance(error, kind)
    assert error.message == message


# ---- memory formats

RANK_4 = "required rank 4 tensor to use channels_last format"
RANK_5 = "required rank 5 tensor to use channels_last_3d format"


@pytest.mark.parametrize(
    ("expression", "strides"),
    [
        ("n.to(memory_format=tri.channels_last)", (60, 1, 15, 3)),
        ("n.to(tri.float64, memory_format=tri.channels_last)", (60, 1, 15, 3)),
        ("n.to('meta', memory_format=tri.channels_last)", (60, 1, 15, 3)),
        ("n.double(memory_format=tri.channels_last)", (60, 1, 15, 3)),
        ("cl.to(tri.float64)", (60, 1, 15, 3)),
        ("cl.to('meta')", (60, 1, 15, 3)),
        ("cl.clone()", (60, 1, 15, 3)),
        ("cl.clone(memory_format=tri.preserve_format)", (60, 1, 15, 3)),
        ("cl.clone(memory_format=tri.contiguous_format)", (60, 20, 5, 1)),
        ("n.clone(memory_format=tri.channels_last)", (60, 1, 15, 3)),
        ("cl.contiguous()", (60, 20, 5, 1)),
        ("tri.ones_like(cl)", (60, 1, 15, 3)),
        ("tri.ones_like(cl, device='meta')", (60, 1, 15, 3)),
        ("tri.zeros_like(cl, memory_format=tri.contiguous_format)", (60, 20, 5, 1)),
        ("tri.zeros_like(n, memory_format=tri.channels_last)", (60, 1, 15, 3)),
        ("tri.zeros(2, 3, 1, 1).contiguous(memory_format=tri.channels_last)", (3, 1, 1, 1)),
        ("tri.zeros(2, 3, 1, 1).to(memory_format=tri.channels_last)", (3, 1, 3, 3)),
        ("tri.zeros(2, 3, 4, 5, 2).to(memory_format=tri.channels_last_3d)", (120, 1, 30, 6, 3)),
        ("tri.zeros(4, 6).t()[::2].to('meta')", (1, 3)),
        ("tri.zeros(4, 6).t().to('meta')", (1, 6)),
        ("tri.zeros(3, 1).expand(3, 4).to('meta')", (4, 1)),
        ("tri.zeros(4, 6).t()[::2].to('meta', memory_format=tri.contiguous_format)", (4, 1)),
        ("m.t().to('meta', tri.float64)", (1, 3)),
    ],
)
def test_strides_of_copies(expression: str, strides: tuple[int, ...]):
    n = tri.zeros(2, 3, 4, 5)
    cl = n.contiguous(memory_format=tri.channels_last)
    assert eval(expression, {"tri": tri, "n": n, "cl": cl, "m": meta(2, 3)}).stride() == strides


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("x.contiguous(memory_format=tri.channels_last)", RANK_4),
        ("x.clone(memory_format=tri.channels_last)", RANK_4),
        ("x.float(memory_format=tri.channels_last)", RANK_4),
        ("x.to('meta', memory_format=tri.channels_last)", RANK_4),
        ("x.to(memory_format=tri.channels_last_3d)", RANK_5),
        ("tri.zeros_like(x, memory_format=tri.channels_last)", RANK_4),
        (
            "x.transpose(0, 1).contiguous(memory_format=tri.preserve_format)",
            "preserve memory format is unsupported by the contiguous operator",
        ),
    ],
)
def test_formats_of_other_ranks(expression: str, message: str):
    error = refused(expression)
    assert isinstance(error, RuntimeError)
    assert error.message == message


def test_contiguous_asks_nothing_of_preserve_format():
    assert DENSE.contiguous(memory_format=tri.preserve_format) is DENSE
    assert DENSE.is_contiguous(memory_format=tri.preserve_format)
    assert not DENSE.is_contiguous(memory_format=tri.channels_last)
