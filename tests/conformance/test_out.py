"""Which `out=` does PyTorch refuse, and in which words? Recorded answers of PyTorch 2.13."""

from __future__ import annotations

from typing import Any

import pytest

import trilith as tri


def names() -> dict[str, Any]:
    f = tri.ones(2, 2)
    return {"torch": tri, "f": f, "d": f.double(), "i": f.int(), "b": f.bool()}


#: (expression, exception, its text)
REFUSED = [
    (
        "torch.sum(f,0,dtype=torch.float64,out=f.clone())",
        RuntimeError,
        "Expected out tensor to have dtype double, but got float instead",
    ),
    (
        "torch.mean(f,0,dtype=torch.float64,out=f.clone())",
        RuntimeError,
        "Expected out tensor to have dtype double, but got float instead",
    ),
    (
        "torch.prod(f,0,dtype=torch.float64,out=i.clone())",
        RuntimeError,
        "Expected out tensor to have dtype double, but got int instead",
    ),
    (
        "torch.nansum(f,0,dtype=torch.float64,out=f.clone())",
        RuntimeError,
        "nansum: provided dtype must match dtype of result. Got Float and Double.",
    ),
    (
        "torch.softmax(f,0,out=d.clone())",
        RuntimeError,
        "Expected out tensor to have dtype float, but got double instead",
    ),
    (
        "torch.complex(f,f,out=torch.ones(2,dtype=torch.complex128))",
        RuntimeError,
        "Expected object of scalar type ComplexFloat but got scalar type ComplexDouble for "
        "argument 'out'",
    ),
    (
        "torch.take(f,torch.tensor([0]),out=d.clone())",
        RuntimeError,
        "take(): self and out expected to have the same dtype, but got self.dtype = Float and "
        "out.dtype = Double",
    ),
    (
        "torch.tril(f,out=d.clone())",
        RuntimeError,
        "Expected out tensor to have dtype float, but got double instead",
    ),
    (
        "torch.diag(f,out=d.clone())",
        RuntimeError,
        "Expected out tensor to have dtype float, but got double instead",
    ),
    (
        "torch.fft.irfft(f,out=torch.ones(2,dtype=torch.complex64))",
        RuntimeError,
        "irfft expects a floating point output tensor, but got ComplexFloat",
    ),
    (
        "torch.fft.ifftn(f,out=d.clone())",
        RuntimeError,
        "fftn expects a complex output tensor, but got Double",
    ),
    (
        "torch.fft.ihfft(d,out=torch.ones(2,dtype=torch.complex64))",
        RuntimeError,
        "Found dtype ComplexFloat but expected ComplexDouble",
    ),
    (
        "torch.cat([f,f],out=torch.ones(4,2,dtype=torch.int32))",
        TypeError,
        "torch.cat(): input types can't be cast to the desired output type Int",
    ),
    (
        "torch.where(b,f,f,out=d.clone())",
        RuntimeError,
        "Expected out type to be Float but got Double",
    ),
    (
        "torch.matmul(f,f,out=d.clone())",
        RuntimeError,
        "Expected out tensor to have dtype float, but got double instead",
    ),
    (
        "torch.stack([f,f],out=torch.ones(2,2,2,dtype=torch.int32))",
        TypeError,
        "torch.cat(): input types can't be cast to the desired output type Int",
    ),
    (
        "torch.round(f,out=d.clone())",
        RuntimeError,
        "Found dtype Double but expected Float",
    ),
    (
        "torch.floor(f,out=d.clone())",
        RuntimeError,
        "Found dtype Double but expected Float",
    ),
    (
        "torch.trunc(f,out=d.clone())",
        RuntimeError,
        "Found dtype Double but expected Float",
    ),
    (
        "torch.sign(f,out=d.clone())",
        RuntimeError,
        "Found dtype Double but expected Float",
    ),
    (
        "torch.neg(f,out=d.clone())",
        RuntimeError,
        "Found dtype Double but expected Float",
    ),
    (
        "torch.abs(f,out=d.clone())",
        RuntimeError,
        "Found dtype Double but expected Float",
    ),
    (
        "torch.exp(f,out=i.clone())",
        RuntimeError,
        "result type Float can't be cast to the desired output type Int",
    ),
    (
        "torch.amax(f,0,out=torch.ones(2,dtype=torch.float64))",
        RuntimeError,
        "Expected the dtype for input and out to match, but got Float for input's dtype and Double "
        "for out's dtype.",
    ),
    (
        "torch.argmax(f,0,out=torch.ones(2,dtype=torch.int32))",
        RuntimeError,
        "Expected out tensor to have dtype long int, but got int instead",
    ),
    (
        "torch.any(f,0,out=torch.ones(2,dtype=torch.float32))",
        RuntimeError,
        "any only supports bool tensor for result, got: Float",
    ),
    (
        "torch.index_select(f,0,torch.tensor([0]),out=torch.ones(1,2,dtype=torch.float64))",
        RuntimeError,
        "index_select(): self and result must have the same scalar type",
    ),
    (
        "torch.gather(f,0,torch.tensor([[0]]),out=torch.ones(1,1,dtype=torch.float64))",
        RuntimeError,
        "Expected out tensor to have dtype float, but got double instead",
    ),
    (
        "torch.clamp(f,0,1,out=d.clone())",
        RuntimeError,
        "Found dtype Double but expected Float",
    ),
    (
        "torch.add(f,f,out=f.t())",
        RuntimeError,
        "unsupported operation: some elements of the input tensor",
    ),
    (
        "torch.isnan(f,out=b)",
        TypeError,
        "isnan() got an unexpected keyword argument 'out'",
    ),
    (
        "torch.nonzero(f,out=torch.ones(1,dtype=torch.float32))",
        RuntimeError,
        "nonzero: Expected out tensor to have scalar type Long but got scalar typeFloat",
    ),
    (
        "f.add(f,out=f)",
        TypeError,
        "add() got an unexpected keyword argument 'out'",
    ),
    (
        "torch.bitwise_not(i,out=i.long())",
        RuntimeError,
        "Found dtype Long but expected Int",
    ),
    (
        "torch.isposinf(f,out=f.clone())",
        RuntimeError,
        "isposinf does not support non-boolean outputs.",
    ),
    (
        "torch.reciprocal(i,out=i.clone())",
        RuntimeError,
        "result type Float can't be cast to the desired output type Int",
    ),
]


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize(("expression", "kind", "text"), REFUSED)
def test_refused(expression: str, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        eval(expression, names())
    assert str(caught.value).replace("trilith.", "torch.").startswith(text)


#: (expression, dtype of the result, its values)
ACCEPTED = [
    ("torch.eq(f, f, out=i.clone())", "int32", [[1, 1], [1, 1]]),
    ("torch.sum(f + 0.7, 0, out=torch.ones(2, dtype=torch.int32))", "int32", [2, 2]),
    ("torch.mean(f, 0, out=torch.ones(2, dtype=torch.float64))", "float64", [1.0, 1.0]),
    ("torch.any(f, 0, out=torch.ones(2, dtype=torch.uint8))", "uint8", [1, 1]),
    ("torch.arange(3, out=torch.ones(3))", "float32", [0.0, 1.0, 2.0]),
    ("torch.zeros(2, out=torch.ones(2, dtype=torch.int32))", "int32", [0, 0]),
    ("torch.cat([f, f], out=torch.ones(0, dtype=torch.float64)).sum(0)", "float64", [4.0, 4.0]),
    ("torch.pow(f, 2, out=d.clone())", "float64", [[1.0, 1.0], [1.0, 1.0]]),
    ("torch.add(f, f, out=d.t())", "float64", [[2.0, 2.0], [2.0, 2.0]]),
    (
        "torch.slice_scatter(torch.arange(6).view(2, 3), torch.ones(1, 3), 0, 1, "
        "out=torch.zeros(5, 5, dtype=torch.int64).t()[:2, :3])",
        "int64",
        [[0, 1, 2], [1, 1, 1]],
    ),
]


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize(("expression", "dtype", "values"), ACCEPTED)
def test_accepted(expression: str, dtype: str, values: list[object]) -> None:
    found = eval(expression, names())
    assert found.dtype is getattr(tri, dtype)
    assert found.tolist() == values
