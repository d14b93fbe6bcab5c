"""Record what PyTorch's conjugate views are, share and write, as `conj.json`.

    python record_conj.py        # with PyTorch installed, trilith is not imported

A row is [program, answer]. A program is statements and an expression, split by `; `, over `x`, a
2x2 complex64 tensor, `c`, which is `x.conj()`, and `n`, a tensor of other memory. The answer of a
tensor is ["tensor", dtype, shape, strides, storage offset, is_conj, whose storage it has, which of
them it is, elements, elements of x], of an exception ["error", type, first line of the text], of
anything else ["value", repr].
"""

import json
import pathlib
from typing import Any

import torch

PROGRAMS = """
c
c.conj()
c.conj().conj()
c.real
c.imag + 0
c.H
c.mH
c.adjoint()
c.t()
c.T.H
c[0]
c[0, 1]
c[None]
c[..., ::2]
c.view(4)
c.reshape(4)
c.t().reshape(4)
c.flatten()
c.expand(2, 2, 2)
c.diagonal()
c.unfold(0, 1, 1)
c.as_strided((2,), (2,), 1)
c.split(1)[1]
c.unbind()[1]
c.detach()
c.squeeze()
c.contiguous()
c.t().contiguous()
c.clone()
c.resolve_conj()
x.resolve_conj()
c.resolve_neg()
c.conj_physical()
x.conj_physical()
torch.conj_physical(c)
torch.conj(c)
torch.resolve_conj(c)
c.to(torch.complex64)
c.to(torch.complex64, copy=True)
c.to(torch.complex128)
c.cfloat()
c.cdouble()
c.cpu()
c.type_as(x)
c + 0
c * c
-c
c.abs()
c.sum()
c.sum(0)
c.prod()
c.mean(1)
c @ c
c @ x
c.H @ c
c[0] @ c
c == x
torch.where(c.imag > -4, c, n)
torch.stack([c, x])
torch.cat([c, n])
torch.empty_like(c).is_conj()
torch.zeros_like(c)
c.new_zeros(2)
c.flip(0)
c.roll(1)
c.repeat(2, 1)
c.tril()
c[[0, 1]]
c[torch.tensor([1])]
c[c.real > 2]
c.masked_fill(c.real > 2, 1j)
c.gather(0, torch.tensor([[0, 1]]))
c.index_select(1, torch.tensor([1]))
c.nonzero()
torch.is_conj(c)
torch.is_conj(x)
c.is_conj()
c.is_neg()
x.real.conj().is_conj()
x.is_set_to(c)
c.is_contiguous()
c.tolist()
c[1, 1].item()
complex(c[1, 1])
str(c)
[str(row) for row in c]
c.view(torch.float32)
c.view(torch.complex64)
torch.view_as_real(c)
c.numpy()
c.numpy(force=True).tolist()
c.__dlpack__()
c.add_(1j)
c.mul_(2j)
c.conj_physical_()
x.conj_physical_()
c.copy_(n)
c.copy_(x)
n.copy_(c)
n.copy_(c.t())
x.copy_(c)
c.fill_(3j)
c.zero_()
c.add_(x)
x.add_(c)
x.sub_(c.t())
c.mul_(x.t())
c.copy_(c.t())
x.copy_(c.t())
torch.add(c, 1j, out=c)
torch.add(x, 1j, out=n.conj())
torch.mul(n, c, out=x)
torch.matmul(n, c, out=torch.zeros(2, 2, dtype=torch.complex64).conj())
c += 1j; c
c[0] = 5j; c
c[0, 1] += 5j; c
c[:, 1] = n[0]; c
c[:] = c.clone(); c
c.t()[0] = 7j; c
c[[1]] = 7j; c
c[c.real > 2] = 7j; c
x[0] = c[0]; x
x[1] = 9j; c
x[1] = 9j; c + 0
c.real.add_(1); c
d = c[0]; d.mul_(1j); c
d = c.H; d[0, 1] = 1j; c
d = c.conj(); d[0, 1] = 1j; c
d = x.clone().conj(); d.add_(1j); d
d = n.conj(); d.add_(1j); d.conj()
n.conj().add_(c); n
c.index_fill_(0, torch.tensor([1]), 4j)
c.masked_fill_(c.real > 2, 1j)
c.index_add_(0, torch.tensor([0]), n[:1])
c.put_(torch.tensor([1]), torch.tensor([4j]))
torch.zeros(0, dtype=torch.complex64).conj()
torch.ones(3, dtype=torch.complex128).conj() * 1j
torch.tensor(2j).conj()
torch.tensor([1.5]).conj()
x.to("meta").conj()
x.conj().to("meta")
x.to("meta").H + 1
""".strip().splitlines()


def operands() -> dict[str, Any]:
    x = torch.tensor([[1 + 2j, 3 + 4j], [5 + 6j, 7 - 8j]])
    return {"x": x, "c": x.conj(), "n": torch.tensor([[1j, 2], [3, 4 - 1j]])}


def describe(result: Any, given: dict[str, Any]) -> list[Any]:
    if not isinstance(result, torch.Tensor):
        return ["value", repr(result)]
    storage = result.untyped_storage().data_ptr()
    shared = [name for name in "xn" if given[name].untyped_storage().data_ptr() == storage]
    same = [name for name, tensor in given.items() if tensor is result]
    dtype = str(result.dtype).removeprefix("torch.")
    place = [list(result.shape), list(result.stride()), result.storage_offset()]
    elements = "" if result.is_meta else str(result.tolist())
    looks = [result.is_conj(), shared, same, elements, str(given["x"].tolist())]
    return ["tensor", dtype, *place, *looks]


def answer(program: str) -> list[Any]:
    given = operands()
    *statements, expression = program.split("; ")
    try:
        names: dict[str, Any] = {"torch": torch, **given}
        exec("\n".join(statements), names)
        return describe(eval(expression, names), given)
    except Exception as error:
        return ["error", type(error).__name__, str(error).splitlines()[0]]


if __name__ == "__main__":
    rows = [[program, answer(program)] for program in PROGRAMS]
    target = pathlib.Path(__file__).with_name("conj.json")
    lines = ",\n".join(json.dumps(row) for row in rows)
    text = f'{{"torch": "{torch.__version__}", "rows": [\n{lines}\n]}}\n'
    target.write_text(text, encoding="utf-8")
