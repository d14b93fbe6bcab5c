"""Record what PyTorch answers to indexing, as `indexing.json`.

    python record_indexing.py    # with PyTorch installed, trilith is not imported

A case is an expression over `L` (the library), `np` and the tensors of `names`. The file keeps the
result's dtype, sizes, strides and elements, or the error, and the warnings.
"""

import json
import pathlib
import warnings

import numpy as np
import torch

INDEXING = """
x[5]
x[L.tensor(5)]
x[L.tensor([5])]
x[:, L.tensor([0, 3])]
x[L.tensor([-3])]
x[L.tensor([-2])]
x[L.tensor([2**62])]
x[L.tensor([-2**63])]
x[L.tensor([1.])]
x[L.tensor([1], dtype=L.int16)]
x[L.tensor([1], dtype=L.int32)]
x[L.tensor([1, 0], dtype=L.uint8)]
x[L.tensor(1, dtype=L.uint8)]
x[L.tensor(1, dtype=L.int16)]
x[L.tensor(1.)]
x[L.tensor(True)]
x[True]
x[False]
x[True, True]
x[True, None, 0]
x[0, True]
x[[0, 1]]
x[[0, 1], [1, 2]]
x[[[0, 1], [1, 2]]]
x[[True, False]]
x[[0, slice(None)]]
x[[0.5]]
x[[]]
x[()]
x[...]
x[..., i]
x[i, :, i]
x[i, ..., i]
x[i, i, i]
x[i, i, i, i]
x[0, 0, 0, i]
x[:, None, i]
x[i, None, i]
x[i, None]
x[True, i]
x[i, True]
x[False, i]
x[L.tensor([[0], [1]]), L.tensor([[0, 1, 2]])]
x[L.tensor([0, 1]), L.tensor([0, 1, 2])]
x[L.tensor([True, False, True])]
x[L.tensor([[True, False, True]] * 2)]
x[:, L.tensor([[True, False, True]] * 2)]
x[L.tensor([True, False]), L.tensor([0])]
x[m, 1:3]
x[m, 1]
x[m, None]
x[None, m]
x[m, ..., 0]
x[m, L.tensor([0, 1, 2, 3])]
x[x > 5]
x['a']
x[1.5]
x[None, 1.5]
x[0.5:1]
x[::-1]
x[2**40]
x[{0}]
x[object()]
L.tensor(3.)[0]
L.tensor(3.)[1]
L.tensor(3.)[i]
L.tensor(3.)[L.tensor(0)]
L.tensor(3.)[True]
L.tensor(3.)[L.tensor(False)]
L.tensor(3.)[None]
L.zeros(0, 3)[L.tensor([0])]
L.zeros(0, 3)[L.tensor([], dtype=L.int64)]
L.zeros(3, 0)[L.tensor([7])]
L.zeros(0, 3)[L.zeros(0, dtype=L.bool)]
p[i]
p[:, i]
p[:, :, i]
p[:, i, i]
p[L.tensor([[0, 1], [2, 3]]).t()]
x[:, L.tensor([[0, 1], [2, 1]]).t()]
x[L.tensor([1]).expand(3)]
x[np.array([[0, 1], [1, 0]])]
x[np.array([[True, False, True]] * 2)]
x[np.array(1)]
x[np.array([0, 1], dtype=np.int16)]
x[(0, 1),]
x[range(2)]
x[L.tensor(0):L.tensor(2)]
"""

FUNCTIONS = """
y.nonzero()
y.t().nonzero()
L.nonzero(y, as_tuple=True)[1]
L.tensor(3.).nonzero()
L.tensor(0.).nonzero()
L.zeros(0, 3).nonzero()
L.nonzero(L.tensor([float('nan'), 0., -0.]))
L.nonzero(L.tensor([0j, 1j]))
L.argwhere(L.tensor(3))
L.masked_select(y, m)
L.masked_select(y, L.tensor([True, False, True]))
L.masked_select(y[0], m)
L.masked_select(y, L.tensor([1, 0, 1]))
L.masked_select(y, L.tensor(True))
L.masked_select(y.t(), m.t())
L.masked_select(y, m[:, :2])
L.masked_fill(y, m, 7)
L.masked_fill(y, m, 7j)
L.masked_fill(y, m, L.tensor(7))
L.masked_fill(y, m, L.tensor([7]))
L.masked_fill(y.int(), m, 1.5)
L.masked_fill(y.int(), m, float('nan'))
L.masked_fill(y.int(), m, 2**31)
L.masked_fill(y.bool(), m, 2)
L.masked_fill(y.to(L.uint8), m, 300)
L.masked_fill(y.to(L.uint8), m, -1)
L.masked_fill(y.half(), m, 1e6)
L.masked_fill(y, m.int(), 1)
L.masked_fill(y, m.to(L.uint8), 1)
L.masked_fill(y[0], m, 1)
L.masked_fill(y.t(), m.t(), 1)
L.masked_fill(y.t(), m[:, :2].t(), 1)
L.masked_fill(y.to(L.uint16), m, 1)
L.masked_fill(y.to(L.float8_e5m2), m, 1)
L.masked_fill(L.zeros(2, 3, 2, 2).to(memory_format=L.channels_last), L.tensor(True), 1)
L.masked_fill(L.zeros(0, 3), L.tensor(True), 1)
L.index_select(y, 1, i)
L.index_select(y, 1, i.int())
L.index_select(y, 1, i.to(L.uint8))
L.index_select(y, 1, L.tensor(2))
L.index_select(y, 1, L.tensor([[2]]))
L.index_select(y, 2, i)
L.index_select(L.arange(3.), 0, L.tensor([5]).int())
L.index_select(L.tensor(3.), 0, L.tensor([0, 0]))
L.index_select(L.tensor(3.), 0, L.tensor([0]))
L.index_select(y.t(), 0, i)
L.index_select(y.to(L.float8_e5m2), 0, i)
L.gather(y, 1, L.tensor([[0, 1], [2, 2]]))
L.gather(y, 1, L.tensor([[0, 1], [2, 2]]).t())
L.gather(y, 1, L.tensor([[0, 1], [2, 2]]).int())
L.gather(y, 1, L.tensor([[0, 1], [2, 3]]))
L.gather(y, 1, L.tensor([[0, 1], [2, -1]]))
L.gather(y, 1, L.tensor([[0, 1], [2, 2], [0, 0]]))
L.gather(y, 1, L.tensor([0]))
L.gather(y, 1, L.tensor([]))
L.gather(L.tensor(3.), 0, L.tensor([0, 0]))
L.gather(L.tensor([3., 4]), 0, L.tensor(1))
L.gather(y, 1, L.tensor([[0.]]))
L.gather(y.to(L.uint16), 1, L.tensor([[0]]))
L.take(y, L.tensor([[0, 5]]))
L.take(y, L.tensor([-6]))
L.take(y, L.tensor([0]).int())
L.take(L.zeros(0), L.tensor([0]))
L.take(L.zeros(0), L.tensor([], dtype=L.int64))
L.take(y, L.tensor([[0, 5], [1, 2]]).t())
L.take(y.t(), L.tensor([1]))
L.scatter(y, 1, L.tensor([[0, 1]]), 5)
L.scatter(y, 1, L.tensor([[0, 1]]), value=5)
L.scatter(y, 1, L.tensor([[0, 1]]), L.tensor([[8., 9.]]))
L.scatter(y, 1, L.tensor([[0, 1]]), L.tensor([[8.]]))
L.scatter(y, 1, L.tensor([[0, 1]]), L.tensor([[8, 9]]))
L.scatter(y, 1, L.tensor([[0, 1]]), L.tensor(8.))
L.scatter(y, 1, L.tensor([[0, 1]]), 2j)
L.scatter(y, 1, L.tensor([[3]]), 2)
L.scatter(y, 1, L.tensor([[-1]]), 2)
L.scatter(y, 1, L.tensor([[0], [1], [0]]), 2)
L.scatter(y, 1, L.tensor([0]), 2)
L.scatter(y.t(), 1, L.tensor([[0]]), 2)
L.scatter(y.int(), 1, L.tensor([[0]]), 2.5)
L.scatter(y, 1, L.tensor([[0, 0]]), 3, reduce='add')
L.scatter(y, 1, L.tensor([[0, 0]]), 3, reduce='multiply')
L.scatter(y, 1, L.tensor([[0, 0]]), 3, reduce='foo')
L.scatter(y, 1, L.tensor([], dtype=L.int64), L.tensor([[8.]]))
L.scatter(L.tensor(3.), 0, L.tensor(0), 4)
L.scatter_add(y, 1, L.tensor([[0, 0]]), L.tensor([[8., 9.]]))
L.scatter_add(y.bool(), 1, L.tensor([[0, 0]]), L.tensor([[False, True]]))
L.index_add(y, 1, L.tensor([0, 0]), L.tensor([[8., 9.], [1, 2]]))
L.index_add(y, 1, L.tensor([0, 0]), L.tensor([[8., 9.], [1, 2]]), alpha=2)
L.index_add(y, 1, L.tensor([0, 3]), L.tensor([[8., 9.], [1, 2]]))
L.index_add(y, 1, L.tensor([0]), L.tensor([[8., 9.], [1, 2]]))
L.index_add(y.t(), 1, L.tensor([0]), L.tensor([[8.], [1], [2]]))
L.index_add(y, 0, L.tensor([0]), y[:1].double())
L.index_copy(y, 1, L.tensor([0, 2]), L.tensor([[8., 9.], [1, 2]]))
L.index_copy(y, 1, L.tensor([0]), L.tensor([[8], [1]]))
L.index_copy(y.t(), 1, L.tensor([0]), L.tensor([[8.], [1], [2]]))
L.index_fill(y, 1, L.tensor([0, -1]), 9)
L.index_fill(y, 1, L.tensor([0, 3]), 9)
L.index_fill(y.t(), 1, L.tensor([0]), 8)
L.index_fill(y.int(), 1, L.tensor([0]), 1.5)
L.index_put(y, (i,), L.tensor(5.))
L.index_put(y, (i, i), L.tensor([5., 6.]))
L.index_put(y, (m,), L.tensor([5., 6., 7, 8]))
L.index_put(y, (m,), L.tensor([5., 6.]))
L.index_put(y, (m,), L.tensor(5.))
L.index_put(y.t(), (m.t(),), L.tensor(5.))
L.index_put(y, (i,), L.tensor(5))
L.index_put(y, (i,), L.tensor([1., 2.]))
L.index_put(y, (L.tensor([0, 0]),), L.tensor([1., 2., 3.]), accumulate=True)
L.index_put(y, (L.tensor([2]),), L.tensor([1., 2., 3.]))
L.index_put(y, (L.tensor([-1]),), L.tensor([1., 2., 3.]))
L.index_put(y.t(), (i,), L.tensor(1.))
L.index_put(y[:, ::2], (i,), L.tensor(1.))
L.index_put(y.bool(), (L.tensor([0, 0]),), L.tensor(True), accumulate=True)
L.index_put(y.to(L.uint16), (i,), L.tensor(1).to(L.uint16))
"""


def names() -> dict[str, object]:
    """Return what cases are written with; a test makes the same of trilith."""
    x = torch.arange(24.0).reshape(2, 3, 4)
    return {
        "L": torch,
        "np": np,
        "x": x,
        "p": x.permute(2, 0, 1),
        "y": torch.arange(6.0).reshape(2, 3),
        "m": torch.tensor([[True, False, True], [False, True, True]]),
        "i": torch.tensor([0, 1]),
    }


def answer(case: str) -> dict[str, object]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = eval(case, names())
        except Exception as error:
            text = str(error).split("\n")[0]
            return {"case": case, "error": [type(error).__name__, text]}
    texts = [str(item.message).split(" (Triggered")[0] for item in caught]
    return {
        "case": case,
        "dtype": str(result.dtype).removeprefix("torch."),
        "shape": list(result.shape),
        "strides": list(result.stride()),
        "offset": result.storage_offset(),
        "elements": result.float().tolist() if result.dtype != torch.int64 else result.tolist(),
        "warnings": [text for text in texts if "ComplexHalf" not in text],
    }


def main() -> None:
    torch.set_warn_always(True)
    cases = [line for line in (INDEXING + FUNCTIONS).splitlines() if line]
    recorded = {"torch": torch.__version__, "cases": [answer(case) for case in cases]}
    target = pathlib.Path(__file__).with_name("indexing.json")
    lines = ",\n".join(json.dumps(case) for case in recorded["cases"])
    target.write_text(
        f'{{"torch": "{recorded["torch"]}", "cases": [\n{lines}\n]}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main()
