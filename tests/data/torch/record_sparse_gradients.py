"""Record PyTorch's gradients of operations on sparse tensors, as `sparse_gradients.json`.

python record_sparse_gradients.py    # with PyTorch installed, trilith is not imported

A case is an expression over tensors by name. Its rows hold, for each `s` of SOURCES and for real
and complex numbers, the node of the result and what is found by each way of ASKED: of each operand
that the expression names layout, whether it is coalesced, shape and elements of its gradient. A way
that PyTorch does not know is left out. The test that reads the record runs what is here with
trilith in the place of PyTorch.
"""

import json
import pathlib
import re
import warnings

#: Expressions, one a line: `c` is a sparse matrix in order, `q` a square one, the others are dense:
#: matrices `d` (of the shape of `s`), `e`, `o`, vectors `v` and `w`, and `k` of no dims.
CASES = r"""
s.to_dense()
s.to_dense(masked_grad=False)
s.coalesce()
s.clone()
-s
+s
s.conj()
s * 3
2.5 * s
s * k
s / 2
s / k
s // 2
s.div(2, rounding_mode='floor')
s.div(2, rounding_mode='trunc')
s + s
s + c
c - s
s.add(c, alpha=3)
d + s
torch.sub(d, s, alpha=3)
s * c
s * s
s * d
d * s
s * v
s ** 1
s ** 2
s ** 3
s.square()
s.sum()
s.sum(0)
s.sum((0, 1))
s.sum(1, keepdim=True)
torch.sparse.sum(s)
torch.sparse.sum(s, 0)
torch.sparse.softmax(s, 0)
torch.sparse.log_softmax(s, 0)
s @ e
torch.mm(s, e)
torch.sparse.mm(s, e)
s @ v
torch.mv(s, v)
w @ s
o.t() @ s
s @ q
torch.sparse.mm(s, q)
torch.addmm(o, s, e, beta=2, alpha=3)
torch.sparse.addmm(o, s, e, beta=2, alpha=3)
torch.bmm(torch.stack([s, s]), torch.stack([e, e]))
torch.nn.functional.linear(v, s)
torch.hspmm(s, e)
s.t()
s.T
s.mT
s.H
s.transpose(0, 0)
s.swapaxes(0, 1)
s.permute(1, 0)
torch.movedim(s, 0, 1)
s.select(0, 2)
s.select(1, 1)
s[2]
s[:, 1]
s[2, 1]
s[None]
s.unsqueeze(1)
s.unsqueeze(-1)
s.index_select(0, torch.tensor([2, 0]))
s.index_select(1, torch.tensor([1, 1]))
s.narrow_copy(0, 1, 2)
s.narrow_copy(1, 0, 3)
torch.cat([s, s])
torch.cat([s, c], 1)
torch.stack([s, s], 1)
torch.hstack([s, s])
s.abs()
s.sgn()
s.sqrt()
s.sin()
s.tanh()
s.log1p()
s.sign()
s.floor()
s.round()
s.frac()
s.relu()
s.deg2rad()
s.nan_to_num()
s.norm(1)
s.norm()
s.real
s.imag
torch.view_as_real(s)
s.to(torch.float32)
s.double()
s.coalesce().values()
d.to_sparse()
d.to_sparse(1)
d.to_sparse() * d
d.sparse_mask(s)
c.sparse_mask(q.t().narrow_copy(0, 0, 3).coalesce())
torch.nn.functional.dropout(s, 0.0)
torch.zeros_like(s)
torch.sparse_coo_tensor(s.detach()._indices(), s.detach()._values() * k, (3, 4))
"""
SOURCES = ("in order", "in any order", "hybrid")
#: What is asked of a result: its gradients, those of a dense or a sparse gradient; what leaves keep
#: of it after one backward pass and after two; and the gradient of the cubes of what came first.
ASKED = ("dense", "sparse", "kept", "kept twice", "again")


def operands(torch, source, is_complex):
    """Return the tensors of an expression by name."""
    dtype = torch.complex128 if is_complex else torch.float64
    turn = 1 + 0.5j if is_complex else 1.0

    def numbers(start, *shape):
        count = 1
        for size in shape:
            count *= size
        return (torch.arange(float(count)).reshape(shape).to(dtype) + start) * turn

    def sparse(indices, *values, shape=(3, 4)):
        held = torch.tensor(values, dtype=dtype) * turn
        return torch.sparse_coo_tensor(torch.tensor(indices), held, shape)

    sources = {
        "in order": lambda: sparse([[0, 1, 2], [3, 0, 1]], 1.5, -2.0, 3.0).coalesce(),
        "in any order": lambda: sparse([[2, 0, 2, 1], [1, 3, 1, 0]], 1.0, 2.0, 3.0, 4.0),
        "hybrid": lambda: sparse([[2, 0]], [1.0, 2.0, 0.0, 4.0], [5.0, 6.0, 7.0, 8.0]).coalesce(),
    }
    return {
        "s": sources[source](),
        "c": sparse([[0, 1, 2], [2, 0, 3]], 2.5, 1.0, -3.0).coalesce(),
        "q": sparse([[0, 1, 2, 3], [2, 0, 3, 1]], 2.5, 1.0, -3.0, 0.5, shape=(4, 4)).coalesce(),
        **{"d": numbers(-5, 3, 4), "e": numbers(-3, 4, 2), "o": numbers(-2, 3, 2)},
        **{"v": numbers(1, 4), "w": numbers(1, 3), "k": numbers(2, 1).reshape(())},
    }


def named_in(expression):
    """Return the names of operands that an expression computes with."""
    plain = re.sub(r"'\w+'|\.\w+|\w+=", "", expression)
    return [name for name in "scqdeovwk" if re.search(rf"\b{name}\b", plain)]


def plain(tensor):
    """Return the elements of a tensor as lists, complex ones as pairs."""
    tensor = tensor.detach()
    tensor = tensor.to_dense() if tensor.is_sparse else tensor
    tensor = tensor.resolve_conj()
    return [str(tensor.dtype).split(".")[-1], repr(tensor.tolist())]


def facts(tensor):
    """Return layout, order, shape and elements."""
    if tensor is None:
        return None
    layout = str(tensor.layout).split(".")[-1]
    is_in_order = tensor.is_coalesced() if tensor.is_sparse else None
    return [layout, is_in_order, list(tensor.shape), *plain(tensor)]


def weight(torch, result, layout):
    """Return a gradient of a result: dense, or at the places of a sparse one."""
    values = result.detach()
    if layout == "sparse":
        values = values.coalesce().values()
    made = torch.arange(1.0, values.numel() + 1).reshape(tuple(values.shape)).to(values.dtype)
    if layout == "dense":
        return made
    places = result.detach().coalesce().indices()
    return torch.sparse_coo_tensor(places, made, tuple(result.shape)).coalesce()


def real_sum(torch, tensor):
    """Return a real number that depends on all elements."""
    tensor = tensor.to_dense() if tensor.is_sparse else tensor
    found = tensor * tensor
    return torch.view_as_real(found).sum() if found.is_complex() else found.sum()


def found_by(torch, way, result, leaves):
    """Return what one way of ASKED finds."""
    keeps = {"retain_graph": True, "allow_unused": True}
    if way in ("dense", "sparse"):
        return torch.autograd.grad(result, leaves, weight(torch, result, way), **keeps)
    if way == "again":
        made = torch.autograd.grad(
            result, leaves, weight(torch, result, "dense"), create_graph=True, allow_unused=True
        )
        sums = [real_sum(torch, each) for each in made if each is not None and each.requires_grad]
        return torch.autograd.grad(sum(sums), leaves, **keeps)
    for leaf in leaves:
        leaf.grad = None
    for _ in range(1 + (way == "kept twice")):
        real_sum(torch, result).backward(retain_graph=True)
    return [leaf.grad for leaf in leaves]


def answer(torch, expression, source, is_complex):
    """Return the node of an expression, and what each way finds; None where it has no result."""
    given = {
        name: each.requires_grad_() for name, each in operands(torch, source, is_complex).items()
    }
    leaves = [given[name] for name in named_in(expression)]
    try:
        result = eval(expression, {"torch": torch, **given})
    except Exception:
        return None
    node = result.grad_fn and result.grad_fn.name()
    found = {"result": facts(result), "node": node, "asked": {}}
    for way in ASKED if result.requires_grad else ():
        try:
            found["asked"][way] = [facts(each) for each in found_by(torch, way, result, leaves)]
        except Exception:
            continue
    return found


def main():
    """Write the record."""
    import torch

    warnings.simplefilter("ignore")
    rows = []
    for expression in CASES.strip().splitlines():
        for source in SOURCES:
            for is_complex in (False, True):
                found = answer(torch, expression, source, is_complex)
                if found is not None:
                    rows.append({"expr": expression, "s": source, "complex": is_complex, **found})
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    path = pathlib.Path(__file__).with_name("sparse_gradients.json")
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
