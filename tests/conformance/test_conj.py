"""Are conjugates the views that PyTorch 2.13 has: what they share, show and write, and errors?

Each program is run operation by operation, and as a compiled function of its tensors.
"""

import copy
import json
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function
from trilith.runtime.execution.artifact import Artifact

from .device_names import on_cpu
from .on_devices import differs

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch" / "conj.json"
ROWS: list[Any] = json.loads(DATA.read_text(encoding="utf-8"))["rows"]
#: Rows for compiled functions, which return tensors.
OF_TENSORS = [row for row in ROWS if row[1][0] != "value"]

#: What cannot be traced gives the same answers step by step.
STEP_BY_STEP = "ignore:.*runs step by step:trilith.TrilithWarning"


def operands() -> dict[str, Any]:
    x = tri.tensor([[1 + 2j, 3 + 4j], [5 + 6j, 7 - 8j]])
    return {"x": x, "c": x.conj(), "n": tri.tensor([[1j, 2], [3, 4 - 1j]])}


def describe(result: Any, given: dict[str, Any]) -> list[Any]:
    if not isinstance(result, tri.Tensor):
        return ["value", repr(result)]
    memory = result.untyped_storage().data_ptr()
    shared = [name for name in "xn" if given[name].untyped_storage().data_ptr() == memory]
    same = [name for name, tensor in given.items() if tensor is result]
    place = [list(result.shape), list(result.stride()), result.storage_offset()]
    elements = "" if result.is_meta else str(result.tolist())
    looks = [result.is_conj(), shared, same, elements, str(given["x"].tolist())]
    return ["tensor", result.dtype.name, *place, *looks]


def run(program: str, given: dict[str, Any]) -> Any:
    *statements, expression = program.split("; ")
    names: dict[str, Any] = {"torch": tri, **given}
    exec("\n".join(statements), names)
    return eval(expression, names)


def answer(program: str, *, is_compiled: bool) -> list[Any]:
    given = operands()
    try:
        if not is_compiled:
            return describe(run(program, given), given)
        function = tri.compile(lambda x, c, n: run(program, {"x": x, "c": c, "n": n}))
        return describe(function(*given.values()), given)
    except (TypeError, ValueError, IndexError, RuntimeError, BufferError) as error:
        name = type(error).__name__.replace("DLPack", "").removeprefix("Trilith")
        return ["error", name, str(error).splitlines()[0]]


def unquoted(text: str) -> str:
    """Return a text in which all quotation marks are alike: `repr` chooses by what is inside."""
    return text.replace('"', "'").replace("\\'", "'")


def check(program: str, found: list[Any], recorded: list[Any], device: str) -> None:
    if found[0] == "value" and device != "cpu":
        found, recorded = ([on_cpu(unquoted(text)) for text in row] for row in (found, recorded))
    is_equal = found == recorded
    wrong = differs("conj", program, is_equal=is_equal, device=device)
    assert not wrong, f"{found} instead of {recorded}"


@pytest.mark.parametrize(("program", "recorded"), ROWS)
def test_at_once(program: str, recorded: list[Any], tested_device: str) -> None:
    check(program, answer(program, is_compiled=False), recorded, tested_device)


@pytest.mark.filterwarnings(STEP_BY_STEP)
@pytest.mark.parametrize(("program", "recorded"), OF_TENSORS)
def test_compiled(program: str, recorded: list[Any], tested_device: str) -> None:
    check(program, answer(program, is_compiled=True), recorded, tested_device)


def test_versions_are_shared() -> None:
    x: Any = tri.tensor([1j])
    c: Any = x.conj()
    c.add_(1)
    x.mul_(2)
    assert (x._version, c._version, c.real._version) == (2, 2, 2)


def test_compiled_functions_see_and_return_conjugates() -> None:
    @tri.compile
    def rotate(z: Any, w: Any) -> Any:
        turned = z.conj()
        turned.mul_(1j)
        return turned, turned[0] + w, turned.H

    x = tri.tensor([[1 + 1j, 2], [3, 4j]])
    turned, row, back = rotate(x.conj(), tri.tensor([1j, 1j]).conj())
    assert rotate.stats().eager_calls == 0
    # x is seen as its conjugate's conjugate: the writes go into it as they are.
    assert x.tolist() == [[-1 + 1j, 2j], [3j, -4 + 0j]]
    assert (turned.is_conj(), row.is_conj(), back.is_conj()) == (False, False, True)
    assert turned.data_ptr() == back.data_ptr() == x.data_ptr()
    assert row.tolist() == [-1 + 0j, 1j]
    assert back.tolist() == [[-1 - 1j, -3j], [-2j, -4 + 0j]]


def test_copies_and_pickles() -> None:
    """What PyTorch's pickles keep, its deep copies carry out."""
    x = tri.tensor([1 + 2j, 3j])
    kept, deep = pickle.loads(pickle.dumps(x.conj())), copy.deepcopy(x.conj())
    assert (kept.is_conj(), deep.is_conj()) == (True, False)
    assert kept.tolist() == deep.tolist() == [1 - 2j, -3j]
    shallow = copy.copy(x.conj())
    assert shallow.is_conj()
    assert shallow.data_ptr() == x.data_ptr()


def test_what_changes_in_place_stays_conjugate() -> None:
    c = tri.tensor([[1 + 2j, 3j]]).conj()
    assert c.t_().is_conj()
    assert c.resize_(1).tolist() == [1 - 2j]
    other = tri.tensor([5j])
    assert c.set_(other).tolist() == [-5j]
    assert other.set_(c).tolist() == [5j]


def test_arrays_of_conjugates() -> None:
    c = tri.tensor([1j]).conj()
    for use in (c.numpy, lambda: np.asarray(c)):
        with pytest.raises(RuntimeError, match="Can't call numpy"):
            use()
    with pytest.raises(BufferError, match="Can't export tensors with the conjugate bit set"):
        tri.from_dlpack(c)
    assert c.resolve_conj().numpy().tolist() == [-1j]
    assert tri.tensor(c).tolist() == [-1j]
    assert tri.asarray(c) is c


def test_half_precision() -> None:
    x = tri.tensor([1 + 2j]).to(tri.complex32)
    c = x.conj()
    assert c.tolist() == [1 - 2j]
    c.copy_(tri.tensor([3j]).to(tri.complex32))
    assert x.tolist() == [-3j]


def test_artifacts_keep_the_bit() -> None:
    compiled = tri.trace(lambda z: z.conj(), tri.spec((2,), tri.complex64)).lower().compile()
    stored = Artifact.from_bytes(compiled.artifact.to_bytes())
    assert stored.outputs[0].spec.is_conj
    assert pickle.loads(pickle.dumps(compiled))(tri.tensor([1j, 2j])).tolist() == [-1j, -2j]


@pytest.mark.parametrize("stage", ["traced", "lowered"])
def test_the_interpreter_conjugates(stage: str) -> None:
    def function(z: Any) -> Any:
        turned = z.conj()[1:]
        return turned, turned * z[:2], turned.sum()

    spec = tri.tensor([1j, 2, 3 + 1j]).conj().spec
    elements = np.array([1j, 2, 3 + 1j], np.complex64)
    traced = tri.trace(function, spec)
    module = traced.module if stage == "traced" else traced.lower().module
    seen, product, total = interpret_function(module, [elements])
    np.testing.assert_array_equal(seen, elements.conj()[1:])
    np.testing.assert_array_equal(product, elements.conj()[1:] * elements[:2])
    assert total == 5 - 1j


def test_the_specs_of_conjugates() -> None:
    spec = tri.tensor([1j]).spec
    seen = spec.conjugated(True)
    assert seen is tri.tensor([1j]).conj().spec
    assert seen is pickle.loads(pickle.dumps(seen))
    assert seen.conjugated(False) is spec
    assert repr(seen) == "TensorSpec((1,), trilith.complex64, is_conj=True)"
    with pytest.raises(RuntimeError, match="no conjugates"):
        tri.ones(1).spec.conjugated(True)
