"""Plans for all sizes give what plans for single sizes give: bits, strides, views and errors."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import trilith as tri
from tests.plans import no_plans
from trilith.compiler.eager import open_plans, open_traces
from trilith.compiler.eager import operations as eager

#: The same, for calls that the stubs do not know.
_ANY: Any = tri
_F: Any = tri.nn.functional

#: Of a vector, a matrix, and three integers that may be anything.
CALLS: dict[str, Callable[[Any, Any, int, int, int], Any]] = {
    "add": lambda v, m, i, j, k: v + v[:1],
    "broadcast": lambda v, m, i, j, k: m * v,
    "transposed": lambda v, m, i, j, k: m.t() + m.t(),
    "mixed": lambda v, m, i, j, k: m.t() - tri.ones(m.shape[1], m.shape[0]),
    "number": lambda v, m, i, j, k: v * 2.5 + 1,
    "slice": lambda v, m, i, j, k: v[i:j],
    "steps": lambda v, m, i, j, k: v[i:j:2] * 2,
    "slices": lambda v, m, i, j, k: m[i:, :j] + 1,
    "item": lambda v, m, i, j, k: v[i],
    "row": lambda v, m, i, j, k: m[i] + m[:, j].sum(),
    "narrow": lambda v, m, i, j, k: v.narrow(0, i, j),
    "select": lambda v, m, i, j, k: m.select(1, i),
    "sum": lambda v, m, i, j, k: m.sum(0),
    "sum of rows": lambda v, m, i, j, k: m[i:].sum(1, True),
    "mean": lambda v, m, i, j, k: v.mean(),
    "amax": lambda v, m, i, j, k: m.amax(1),
    "matmul": lambda v, m, i, j, k: m @ m.t(),
    "vectors": lambda v, m, i, j, k: v[:i] @ v[:j],
    "cat": lambda v, m, i, j, k: tri.cat([v[:i], v[j:], v]),
    "stack": lambda v, m, i, j, k: tri.stack([v, v]),
    "reshape": lambda v, m, i, j, k: m.reshape(-1),
    "reshape of a transpose": lambda v, m, i, j, k: m.t().reshape(i, -1),
    "view": lambda v, m, i, j, k: m.view(i, j),
    "expand": lambda v, m, i, j, k: v[:1].expand(i),
    "expand to a matrix": lambda v, m, i, j, k: v.expand(i, -1),
    "unsqueeze": lambda v, m, i, j, k: m.unsqueeze(1).squeeze(),
    "permute": lambda v, m, i, j, k: m[:, :, None].permute(2, 0, 1).contiguous(),
    "flip": lambda v, m, i, j, k: v[i:].flip(0),
    "diagonal": lambda v, m, i, j, k: m.diagonal(k % 3) * 2,
    "clone": lambda v, m, i, j, k: m.t()[i:].clone(),
    "cast": lambda v, m, i, j, k: m[:, j:].to(tri.float64),
    "where": lambda v, m, i, j, k: tri.where(m > 0.5, m, v),
    "cumsum": lambda v, m, i, j, k: m[i:].cumsum(0),
    "max": lambda v, m, i, j, k: m.max(0).values,
    "places of the least": lambda v, m, i, j, k: m[i:].min(1, True).indices,
    "mean of two": lambda v, m, i, j, k: tri.var_mean(m, 0)[1],
    "extremes": lambda v, m, i, j, k: tri.aminmax(v).max,
    "fractions": lambda v, m, i, j, k: tri.frexp(v[i:]).exponent,
    "ones": lambda v, m, i, j, k: tri.ones(i, j),
    "zeros": lambda v, m, i, j, k: tri.zeros((i, 3)) + v[:3],
    "full": lambda v, m, i, j, k: tri.full((i,), 2.5),
    "as_strided": lambda v, m, i, j, k: v.as_strided((i, 2), (1, 1)),
    "unfold": lambda v, m, i, j, k: v.unfold(0, 2, 1).sum(1),
    "repeat": lambda v, m, i, j, k: v.repeat(2),
    "roll": lambda v, m, i, j, k: v.roll(1),
    "tril": lambda v, m, i, j, k: m.tril(),
    "gather": lambda v, m, i, j, k: v[tri.tensor([0, i])],
    "write": lambda v, m, i, j, k: _written(v, slice(i, j), 2.0),
    "write a vector": lambda v, m, i, j, k: _written(m, (slice(None), i), m[:, j]),
    "write a row": lambda v, m, i, j, k: _written(m, i, v),
    "add to a part": lambda v, m, i, j, k: _added(m, (slice(i, None), slice(None, j)), 1.5),
    "add in place": lambda v, m, i, j, k: m.add_(v),
    "of two parts": lambda v, m, i, j, k: v[i:] * v[: v.shape[0] - i],
    "far": lambda v, m, i, j, k: v[i : sys.maxsize],
    "view of sizes": lambda v, m, i, j, k: m.view(v.shape[0], -1) * 2,
    "view of a list": lambda v, m, i, j, k: m.view([m.shape[1], m.shape[0]]) + 1,
    "view like another": lambda v, m, i, j, k: v[: m.numel()].view(m.shape),
    "sizes of another": lambda v, m, i, j, k: tri.ones(m.shape) + m,
    "unflatten": lambda v, m, i, j, k: m.unflatten(1, (i, -1)),
    "reshape by name": lambda v, m, i, j, k: m.reshape(shape=(j, -1)),
    "max of two": lambda v, m, i, j, k: _ANY.max(v[i:], v[: v.shape[0] - i]),
    "max by name": lambda v, m, i, j, k: m[i:].max(dim=0, keepdim=True).values,
    "least of all": lambda v, m, i, j, k: m[:, j:].min(),
    "variance": lambda v, m, i, j, k: tri.var_mean(v, correction=i + 0.5)[0],
    "axis": lambda v, m, i, j, k: m.sum(axis=1, keepdims=True),
    "to": lambda v, m, i, j, k: m.to(tri.int32)[i:],
    "to itself": lambda v, m, i, j, k: v[i:].to(tri.float32),
    "copy": lambda v, m, i, j, k: m.to(tri.float32, copy=True),
    "contiguous": lambda v, m, i, j, k: v[i:].contiguous(),
    "contiguous columns": lambda v, m, i, j, k: m[:, j:].contiguous(),
    "arange": lambda v, m, i, j, k: tri.arange(i),
    "arange of two": lambda v, m, i, j, k: tri.arange(j, i),
    "arange of three": lambda v, m, i, j, k: tri.arange(j, 5 * i, k),
    "arange by name": lambda v, m, i, j, k: _ANY.arange(end=i, dtype=tri.float32),
    "arange of int32": lambda v, m, i, j, k: tri.arange(i, j, dtype=tri.int32),
    "broadcast tensors": lambda v, m, i, j, k: _ANY.broadcast_tensors(v, m)[0],
    "at least": lambda v, m, i, j, k: tri.atleast_2d(v[i:]),
    "view as bytes": lambda v, m, i, j, k: v[i:].view(tri.uint8),
    "view as larger": lambda v, m, i, j, k: v[i:].view(tri.float64),
    "view as as large": lambda v, m, i, j, k: m[i:].view(tri.int32),
    "as_strided at": lambda v, m, i, j, k: v[1:].as_strided((i, 2), (1, 1), j),
    "as_strided by name": lambda v, m, i, j, k: m.as_strided(size=(j,), stride=(i,)),
    "out": lambda v, m, i, j, k: tri.add(m, v, out=tri.zeros(m.shape)),
    "out of a part": lambda v, m, i, j, k: tri.mul(v[i:], 2.5, out=v[: max(0, v.shape[0] - i)]),
    "out of columns": lambda v, m, i, j, k: tri.sin(m[:, 0], out=m[:, 1]),
    "out of another shape": lambda v, m, i, j, k: tri.exp(v, out=tri.zeros(0)),
    "out of a sum": lambda v, m, i, j, k: tri.sum(m, 0, out=v),
    "out of a product": lambda v, m, i, j, k: tri.matmul(m, m.t(), out=tri.ones(i, i)),
    "out of another dtype": lambda v, m, i, j, k: tri.add(v, 1, out=v.to(tri.float64)),
    "out of a lesser dtype": lambda v, m, i, j, k: tri.add(v, 1, out=v.to(tri.int32)),
    "out of a factory": lambda v, m, i, j, k: tri.full((i,), 2.0, out=v[j:]),
    "out of ones": lambda v, m, i, j, k: tri.ones(m.shape, out=m.t()),
    "out expanded": lambda v, m, i, j, k: tri.add(m, 1, out=v[:1].expand(m.shape)),
    "out itself": lambda v, m, i, j, k: tri.add(m, v, out=m),
    "columns": lambda v, m, i, j, k: _written(m, (slice(i, None), 1), m[i:, 0] * 2),
    "columns of itself": lambda v, m, i, j, k: _written(m, (slice(i, None), 1), m[i:, 0]),
    "add to a column": lambda v, m, i, j, k: _added(m, (slice(i, None), 0), m[i:, 1]),
    "rows of itself": lambda v, m, i, j, k: _written(m, i, m[j]),
    "parts that meet": lambda v, m, i, j, k: v[i:].add_(v[: v.shape[0] - i]),
    "parts that do not": lambda v, m, i, j, k: v[:i].mul_(v[j : j + i]),
    "itself twice": lambda v, m, i, j, k: m.mul_(m),
    "transposed in place": lambda v, m, i, j, k: m.t().add_(v[:1]),
    "transposed of itself": lambda v, m, i, j, k: m[:i, :i].add_(m[:i, :i].t()),
    "expanded in place": lambda v, m, i, j, k: v[:1].expand(i).add_(1),
    "fill expanded": lambda v, m, i, j, k: v[:1].expand(i).fill_(3),
    "copy of itself": lambda v, m, i, j, k: m[i:].copy_(m[i:]),
    "every other": lambda v, m, i, j, k: v[::2].sub_(v[1::2]),
    "windows in place": lambda v, m, i, j, k: v.as_strided((i, 2), (1, 1)).mul_(2.0),
    "huge": lambda v, m, i, j, k: v[:1].expand(2**40 + i, 2**30),
    "pad": lambda v, m, i, j, k: _F.pad(m, (i, j, k, 1), value=0.5),
    "pad an end": lambda v, m, i, j, k: _F.pad(v, [0, i]),
    "reflect": lambda v, m, i, j, k: _F.pad(m, (i, j), mode="reflect"),
    "replicate": lambda v, m, i, j, k: _F.pad(m, (i, j), mode="replicate"),
    "wrap": lambda v, m, i, j, k: _F.pad(m, (i, j), mode="circular"),
    "roll many": lambda v, m, i, j, k: m.roll((i, j), (0, k)),
    "roll all": lambda v, m, i, j, k: m.roll(i),
    "repeat many": lambda v, m, i, j, k: m.repeat(i, j),
    "tile": lambda v, m, i, j, k: v.tile((i, j)),
    "eye": lambda v, m, i, j, k: tri.eye(i, j),
    "linspace": lambda v, m, i, j, k: tri.linspace(j, k, i),
    "linspace of int32": lambda v, m, i, j, k: tri.linspace(0, 7, i, dtype=tri.int32),
    "linspace of 16 bits": lambda v, m, i, j, k: tri.linspace(0, 1, i, dtype=tri.float16),
    "logspace": lambda v, m, i, j, k: tri.logspace(0, 1, i),
    "hann": lambda v, m, i, j, k: tri.hann_window(i, periodic=j > 2),
    "hamming": lambda v, m, i, j, k: tri.hamming_window(i, dtype=tri.float64),
    "blackman of 16 bits": lambda v, m, i, j, k: tri.blackman_window(i, dtype=tri.float16),
    "bartlett": lambda v, m, i, j, k: tri.bartlett_window(i),
    "kaiser": lambda v, m, i, j, k: tri.kaiser_window(i),
    "diagonal at": lambda v, m, i, j, k: m.diagonal(i),
    "diag": lambda v, m, i, j, k: m.diag(i),
    "diag of a vector": lambda v, m, i, j, k: v.diag(i),
    "diag_embed": lambda v, m, i, j, k: m.diag_embed(i),
    "indices": lambda v, m, i, j, k: tri.tril_indices(i, j, k),
    "largest": lambda v, m, i, j, k: m.topk(i).values,
    "places of the largest": lambda v, m, i, j, k: m.topk(i, 0).indices,
    "kth": lambda v, m, i, j, k: v.kthvalue(i).values,
    "histogram": lambda v, m, i, j, k: v.histc(i, 0, 1),
    "turned": lambda v, m, i, j, k: m.rot90(i),
    "powers": lambda v, m, i, j, k: tri.vander(v, i),
    "layer_norm": lambda v, m, i, j, k: _F.layer_norm(m, (v.shape[0],), v),
    "rms_norm": lambda v, m, i, j, k: _F.rms_norm(m, m.shape[1:]),
    "nearest": lambda v, m, i, j, k: _F.interpolate(m[None, None], (i, j)),
    "linear": lambda v, m, i, j, k: _F.interpolate(m[None], i, mode="linear"),
    "corners": lambda v, m, i, j, k: _F.interpolate(m[None], i, mode="linear", align_corners=True),
    "twice": lambda v, m, i, j, k: _F.interpolate(m[None], scale_factor=2.0),
    "by halves": lambda v, m, i, j, k: _F.interpolate(m[None], scale_factor=1.5, mode="linear"),
    "by thirds": lambda v, m, i, j, k: _F.interpolate(m[None], scale_factor=1 / 3),
    "pooled": lambda v, m, i, j, k: _F.adaptive_avg_pool1d(m, i),
    "largest pooled": lambda v, m, i, j, k: _F.adaptive_max_pool2d(m[None], (i, j)),
    "shuffled": lambda v, m, i, j, k: _F.pixel_unshuffle(m[None], i),
    "transform": lambda v, m, i, j, k: tri.fft.rfft(m, i),
}


def _written(target: Any, index: Any, value: Any) -> Any:
    target[index] = value
    return target


def _added(target: Any, index: Any, value: Any) -> Any:
    target[index] += value
    return target


def _run_nothing(*_arguments: Any, **_keywords: Any) -> None:
    """Stand for plans that take no call."""


@pytest.fixture
def fresh() -> Iterator[None]:
    """Begin without plans."""
    open_plans.REFUSED.clear()
    with no_plans():
        yield


def outcome(call: Callable[..., Any], *integers: int, rows: int, columns: int) -> Any:
    """Return what a call gives, or what it says."""
    vector = tri.from_numpy(np.arange(columns, dtype=np.float32) / 7 + 0.1)
    count = rows * columns
    matrix = tri.from_numpy(np.sin(np.arange(count, dtype=np.float32)).reshape(rows, columns))
    try:
        found = call(vector, matrix, *integers)
    except Exception as error:
        return type(error), str(error)
    is_view = found.untyped_storage().data_ptr() in {
        vector.untyped_storage().data_ptr(),
        matrix.untyped_storage().data_ptr(),
    }
    place = (is_view, found.storage_offset(), found._version)
    elements = None if found.numel() > 2**20 else found.clone().numpy().tobytes()
    return tuple(found.shape), found.stride(), found.dtype, place, elements


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("name", CALLS)
def test_any_sizes_give_what_their_own_plans_give(
    name: str, fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = CALLS[name]
    generator = random.Random(name)
    sizes = list(itertools.product((0, 1, 2, 3, 5, 8), repeat=2))
    cases = [(generator.choice(sizes), generator.choices(range(-3, 9), k=3)) for _ in range(6)]
    found: list[Any] = []
    for (rows, columns), integers in cases:
        # Whether a plan has the sizes of a call put in, as those that come often do, is not seen.
        again = [outcome(call, *integers, rows=rows, columns=columns) for _ in range(20)]
        assert again == again[:1] * 20, (rows, columns, integers)
        found.append(again[0])
    assert not open_plans.REFUSED
    eager.forget_plans()
    monkeypatch.setattr(eager.OPEN, "run", _run_nothing)
    for ((rows, columns), integers), mine in zip(cases, found, strict=True):
        alone = outcome(call, *integers, rows=rows, columns=columns)
        assert mine == alone, (rows, columns, integers)


#: Of an integer.
MANY: dict[str, Callable[[int], Any]] = {
    "factory": lambda n: tri.ones(n) + 1,
    "item": lambda n: _LONG[n],
    "slice": lambda n: _LONG[n:] + 1,
    "products": lambda n: (_LONG[n:] * _LONG[:-n]).sum(0),
    "cat": lambda n: tri.cat([_LONG[:n], _LONG[n:]]),
    "matmul": lambda n: _LONG[:n] @ _LONG[:n],
    "view": lambda n: _LONG[: 2 * n // 2].view(n, 1) * 2,
    "reshape": lambda n: _LONG[: n // 2 * 2].reshape(n // 2, -1),
    "max": lambda n: _LONG[:n].max(0),
    "mean of two": lambda n: tri.var_mean(_LONG[:n], 0),
    "cast": lambda n: _LONG[:n].to(tri.float64),
    "to itself": lambda n: _LONG[:n].contiguous().to(tri.float32),
    "narrow": lambda n: _LONG.narrow(0, n, 10) + 1,
    "counting": lambda n: tri.arange(n) + 1,
    "counting to": lambda n: tri.arange(7, n + 7),
    "bytes": lambda n: _LONG[n:].view(tri.int32) + 1,
    "windows": lambda n: _LONG.as_strided((n, 2), (1, 1), 3).sum(1),
    "out": lambda n: tri.mul(_LONG[n:], 2.0, out=_OTHER[n:]),
    "out of columns": lambda n: tri.exp(_SQUARE[n % 90 :, 1], out=_SQUARE[n % 90 :, 2]),
    "columns": lambda n: _added(_SQUARE, (slice(n % 90, None), 1), _SQUARE[n % 90 :, 2]),
    "rows": lambda n: _written(_SQUARE, slice(0, n % 40), _SQUARE[50 : 50 + n % 40]),
    "write": lambda n: _written(_LONG, slice(n, None), 0.5),
}


@pytest.mark.parametrize("name", MANY)
def test_many_sizes_make_few_plans(name: str, fresh: None) -> None:
    call = MANY[name]
    before = tri.stats()
    for size in range(2, 902):
        call(size)
    after = tri.stats()
    assert after.plans_for_all_sizes - before.plans_for_all_sizes <= 9
    assert after.table.misses - before.table.misses <= 2


_LONG, _OTHER, _SQUARE = tri.ones(1000), tri.ones(1000), tri.ones(100, 100)


@pytest.mark.usefixtures("python_calls")
def test_a_call_that_comes_often_gets_a_plan_for_its_sizes(fresh: None) -> None:
    x = tri.ones(7)
    for _ in range(open_plans.OFTEN + 2):
        _ = x + 1
    assert len(eager._plans.shortcuts) == 1  # pyright: ignore[reportPrivateUsage]


@pytest.mark.usefixtures("python_calls")
def test_sizes_that_come_often_are_not_traced_again(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = tri.ones(7), tri.ones(9)
    _ = x + 1, x / 7, x[2:], tri.aminmax(x), x.add_(1), tri.ones(7)

    def refuse(*_arguments: Any, **_keywords: Any) -> Any:
        raise AssertionError("nothing is traced")

    monkeypatch.setattr(eager, "make_plan", refuse)
    monkeypatch.setattr(eager, "make_writing_plan", refuse)
    for _ in range(open_plans.OFTEN + 2):
        _ = y + 1, y / 7, y[2:], tri.aminmax(y), y.add_(1), tri.ones(9)
    assert len(eager._plans.shortcuts) == 6  # pyright: ignore[reportPrivateUsage]
    assert y.tolist() == [11.0] * 9
    assert (y / 7)[0] == tri.tensor(11.0) / 7
    assert tri.aminmax(y).max == 11


def test_calls_that_are_refused_are_traced_on_symbols_once(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    make = open_traces.make

    def counted(*arguments: Any) -> Any:
        made.append(1)
        return make(*arguments)

    monkeypatch.setattr(open_traces, "make", counted)
    texts: set[str] = set()
    for size in range(4, 40):
        with pytest.raises(RuntimeError, match="must match the size") as caught:
            _ = tri.ones(size) + tri.ones(3)
        texts.add(str(caught.value).splitlines()[0])
    # One plan makes ones, one refusal serves all.
    assert len(made) == 2
    assert len(texts) == 36
    assert (tri.ones(3) + tri.ones(3)).tolist() == [2.0] * 3


@pytest.mark.usefixtures("python_calls")
def test_stats_of_many_sizes(fresh: None) -> None:
    before = tri.stats()
    for size in range(2, 2002):
        _ = tri.ones(size) + 1
    after = tri.stats()
    assert after.plans_for_all_sizes - before.plans_for_all_sizes == 2
    assert after.hits - before.hits == 2 * 2000 - 2
    assert after.plans_for_one_size == before.plans_for_one_size
    assert after.kernels_compiled - before.kernels_compiled <= 2
    for _ in range(20):
        _ = tri.ones(2) + 1
    assert tri.stats().plans_for_one_size - after.plans_for_one_size == 2
    _ = tri.ones(3, 4).to(tri.float64, copy=True)
    assert tri.stats().plans_for_all_sizes - before.plans_for_all_sizes >= 3


def test_a_number_that_is_refused_is_refused_for_every_size(fresh: None) -> None:
    for size in (3, 4, 5):
        x = tri.ones(size, dtype=tri.uint8)
        assert (x + 1).tolist() == [2] * size
        with pytest.raises(RuntimeError, match="cannot be converted"):
            x.fill_(1e300)


def test_the_default_device_is_a_part_of_what_makes_tensors(fresh: None) -> None:
    for size in (3, 4, 5):
        x = tri.ones(size)
        with tri.device("meta"):
            assert tri.ones(size).device.type == "meta"
            assert tri.zeros_like(x).device.type == "cpu"
            assert (x + 1).tolist() == [2.0] * size
        assert tri.ones(size).device.type == "cpu"
        assert tri.zeros_like(x).device.type == "cpu"


def test_an_operand_that_is_changed_in_a_call_is_not_read_beyond_its_end(fresh: None) -> None:
    x = tri.ones(7)
    _ = x + 1
    *_, choices = eager.OPEN._plans.plans()  # pyright: ignore[reportPrivateUsage]
    (plan,) = choices.plans
    made: Any = plan.run([x], [1], [7])
    assert made[0].tolist() == [2.0] * 7
    # A finalizer has made the operand a smaller one after its sizes were read.
    with pytest.raises(tri.TrilithError, match="changed while an operation ran"):
        plan.run([x], [1], [5000])
