"""Functions that are compiled ahead of time: for every size of a range, run without a compiler."""

from __future__ import annotations

import inspect
import os
import pickle
import random
import struct
import subprocess
import sys
import textwrap
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.devices import features
from trilith.runtime.devices.cpu import host_target
from trilith.runtime.devices.objects import is_known_host
from trilith.runtime.programs import program as programs

WEIGHT = tri.tensor([[1.0, -2.0], [0.5, 4.0], [3.0, 0.25]])


def softmax(x: Any) -> Any:
    e = tri.exp(x - x.amax(1, True))
    return e / e.sum(1, True)


def pieces(x: Any) -> Any:
    """Asks twice: for short inputs, and for an even number of rows."""
    n = x.shape[0]
    if n < 8:
        return x.sum(0)
    return (x[: n // 2] if n % 2 == 0 else x[1:]).sum(0)


def centred(x: Any) -> Any:
    return x - x.sum(0) / x.shape[0]


def linear(x: Any, bias: Any) -> Any:
    return {"y": x @ WEIGHT + bias, "width": (x.shape[1], None)}


def joined(pair: Any, other: Any) -> Any:
    x, y = pair
    both = tri.cat([x, y, other["z"]])
    return [both[1:] - both[:-1], both, both]


BATCH = tri.dim("batch", min=0, max=2000)


def _array(*shape: int) -> Any:
    return np.sin(np.arange(np.prod(shape), dtype=np.float32)).reshape(shape)


#: A function, what it is exported for, and what makes its arguments.
CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], Callable[[int], tuple[Any, ...]]]] = {
    "softmax": (softmax, (tri.spec((BATCH, 8)),), lambda n: (_array(n, 8),)),
    "pieces": (pieces, (tri.spec((BATCH, 3)),), lambda n: (_array(n, 3),)),
    "centred": (centred, (tri.spec((BATCH, 3)),), lambda n: (_array(n, 3),)),
    "linear": (linear, (tri.spec((BATCH, 3)), 1.0), lambda n: (_array(n, 3), 0.5 * n)),
    "joined": (
        joined,
        ((tri.spec((BATCH,)), tri.spec((2 * BATCH + 1,))), {"z": tri.spec((3,))}),
        lambda n: ((_array(n), _array(2 * n + 1)), {"z": _array(3)}),
    ),
}


def _outcome(found: Any) -> Any:
    if isinstance(found, tri.Tensor):
        return found.dtype, tuple(found.shape), found.stride(), found.numpy().tobytes()
    if isinstance(found, dict):
        return {key: _outcome(value) for key, value in found.items()}  # pyright: ignore
    if isinstance(found, (tuple, list)):
        return [_outcome(item) for item in found]  # pyright: ignore
    return found


@pytest.mark.parametrize("name", CASES)
def test_every_size_of_the_range(name: str):
    function, specs, arguments = CASES[name]
    program = tri.export(function, *specs)
    assert program.is_covered
    for n in (0, 1, 2, 3, 5, 7, 8, 9, 10, 63, 64, 65, 1000, 1001, 2000):
        given = arguments(n)
        made = [_as_tensors(argument) for argument in given]
        for again in (program, pickle.loads(pickle.dumps(program))):
            assert _outcome(again(*given)) == _outcome(function(*made)), n


def _as_tensors(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return tri.from_numpy(value.copy())
    if isinstance(value, tuple):
        return tuple(map(_as_tensors, value))  # pyright: ignore
    return {k: _as_tensors(v) for k, v in value.items()} if isinstance(value, dict) else value  # pyright: ignore


def test_guards_of_plans():
    program = tri.export(pieces, tri.spec((tri.dim("batch", max=100), 3)))
    assert ("batch == 1",) in program.guards
    assert ("7 >= batch",) in program.guards
    assert len(program.guards) == 4
    assert repr(program) == "<ExportedProgram pieces: batch from 1 to 100, 4 plans>"


def test_several_dims_without_ends():
    specs = tri.spec((tri.dim("a"), tri.dim("b"))), tri.spec((tri.dim("b"), tri.dim("c", min=2)))
    program = tri.export(lambda x, y: x @ y, *specs)
    assert not program.is_covered  # nobody has looked at every size
    for a, b, c in ((1, 1, 2), (4, 1, 3), (1, 7, 2), (5, 6, 7), (300, 2, 33)):
        x, y = _array(a, b), _array(b, c)
        np.testing.assert_allclose(program(x, y).numpy(), x @ y, rtol=1e-4, atol=1e-5)


def test_a_loop_over_a_dim_is_refused_with_its_line():
    def unrolled(x: Any) -> Any:
        total = x[0]
        for row in range(1, x.shape[0]):
            total = total + x[row]
        return total

    with pytest.raises(
        ValueError, match="needs more than 6 plans for all sizes of batch"
    ) as caught:
        tri.export(unrolled, tri.spec((BATCH, 3)))
    error: Any = caught.value
    assert "batch == 40" in error.message
    assert error.location.line == inspect.getsourcelines(unrolled)[1] + 2
    assert tri.export(unrolled, tri.spec((4, 3)))(np.ones((4, 3), np.float32)).tolist() == [4] * 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((np.ones((4, 4), np.float32), 1.0), "tensor 0 must have the shape (4, 3), but has (4, 4)"),
        ((np.ones((4, 3)), 1.0), "tensor 0 must be trilith.float32, but is trilith.float64"),
        ((np.ones(4, np.float32), 1.0), "tensor 0 must have the shape (4, 3), but has (4,)"),
        ((np.float32(1), 1.0), "argument 0 must be a tensor or an array, not float32"),
        ((np.ones((4, 3), np.float32), 1), "argument 1 must be of the kind float, not int"),
        ((np.ones((4, 3), np.float32),), "positional arguments must be a tuple of 2"),
        (
            (np.ones((3, 4), np.float32).T, 1.0),
            "tensor 0 must have the strides (3, 1), but has (1, 4): contiguous() makes them so",
        ),
        (
            (np.ones((2001, 3), np.float32), 1.0),
            "was exported for batch from 0 to 2000, which is 2001 here",
        ),
        ((np.ones((4, 3), np.float32), 1e39), "takes numbers of less than 3e+38 alone"),
    ],
)
def test_other_arguments_are_refused(arguments: Any, words: str):
    program = tri.export(linear, tri.spec((BATCH, 3)), 1.0)
    with pytest.raises((TypeError, ValueError)) as caught:
        program(*arguments)
    assert words in str(caught.value)


REFUSED: dict[str, tuple[Callable[[Any], Any], tuple[Any, ...], str]] = {
    "a key": (lambda x: {1: x}, (tri.spec((3,)),), "returns what cannot be stored in a file"),
    "an offset": (
        lambda x: x.storage_offset() + x,
        (tri.spec((3,)),),
        "asks where an argument lies in its storage",
    ),
    "a dim": (
        lambda x: x * 1.0,
        (tri.spec((tri.dim("a") * tri.dim("b"),)),),
        "the dim 'a' is no size of an argument, but in expressions of others",
    ),
}


@pytest.mark.parametrize(("function", "specs", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_exported(function: Any, specs: Any, words: str):
    with pytest.raises((TypeError, ValueError)) as caught:
        tri.export(function, *specs)
    assert words in str(caught.value)


def test_an_error_of_the_program_says_at_which_sizes():
    with pytest.raises(RuntimeError, match=r"size of tensor a \(40\)") as caught:
        tri.export(lambda x: x + tri.ones(3), tri.spec((tri.dim("rows"),)))
    error: Any = caught.value
    assert error.hint == "it is traced at rows = 40, with sizes that may be others"


def test_writes_to_arguments_are_made():
    def step(weight: Any, gradient: Any) -> None:
        weight -= 0.5 * gradient

    n = tri.dim("n", max=50)
    program = tri.export(step, tri.spec((n,)), tri.spec((n,)))
    weight, gradient = tri.ones(7), tri.arange(7.0)
    assert program(weight, gradient) is None
    assert weight.tolist() == [1 - 0.5 * k for k in range(7)]
    with pytest.raises(RuntimeError, match="shares memory with another one"):
        program(weight, weight)


# ---- without a compiler

_WITHOUT = """
import sys

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("xdsl", "llvmlite"):
            raise ImportError(f"{name} is not there")

sys.meta_path.insert(0, Refusing())
import numpy as np
import trilith as tri

program = tri.load_program(sys.argv[1])
for n in (0, 1, 2, 5, 8, 9, 100, 101):
    x = np.sin(np.arange(n * 3, dtype=np.float32)).reshape(n, 3)
    middle = x[: n // 2] if n % 2 == 0 else x[1:]
    np.testing.assert_allclose(
        program(x).numpy(), (x if n < 8 else middle).sum(0), rtol=1e-5, atol=1e-5
    )
assert not any(name.startswith(("xdsl", "llvmlite")) for name in sys.modules)
assert "trilith.compiler.driver" not in sys.modules
print("done", program.guards[0][0])
"""


@pytest.mark.skipif(not is_known_host(), reason="elsewhere LLVM links the code")
def test_a_process_without_a_compiler(tmp_path: Path):
    file = tmp_path / "pieces.trilith"
    tri.export(pieces, tri.spec((BATCH, 3))).save(file)
    assert [path.name for path in tmp_path.iterdir()] == ["pieces.trilith"]
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_WITHOUT), str(file)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TRILITH_CACHE_DIR": str(tmp_path / "none")},
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("done")


# ---- files of any content


def test_a_damaged_file_is_refused():
    data = tri.export(centred, tri.spec((BATCH, 3))).to_bytes()
    generator = random.Random(5)
    for _ in range(300):
        changed = bytearray(data)
        place = generator.randrange(len(data))
        changed[place] ^= 1 << generator.randrange(8)
        with pytest.raises(ValueError, match=r"exported program|form|reads"):
            programs.ExportedProgram(bytes(changed[: generator.choice([place, len(data)])]))


def test_altered_content_with_a_right_digest_is_refused_or_runs():
    """Whoever writes a file can make its digest right: what it says is checked all the same."""
    data = tri.export(centred, tri.spec((tri.dim("n", max=9), 3))).to_bytes()
    header = struct.Struct("<8sIQQ32s")
    magic, version, text_length, *_ = header.unpack_from(data)
    body = data[header.size :]
    text = body[:text_length]
    generator = random.Random(6)
    x = _array(4, 3)
    expected = programs.ExportedProgram(data)(x).tolist()
    refused = 0
    for _ in range(400):
        changed = bytearray(text)
        for _ in range(generator.randrange(1, 3)):
            place = generator.randrange(len(text))
            changed[place : place + 1] = generator.choice([b"9", b"-", b"[", b"]", b"", b"0", b"n"])
        other = bytes(changed) + body[text_length:]
        made = header.pack(magic, version, len(changed), len(other), sha256(other).digest())
        try:
            found = programs.ExportedProgram(made + other)(x)
        except (ValueError, TypeError, RuntimeError):
            refused += 1
        else:
            # What is left is a name, a guard's words, a range: nothing of what is computed.
            assert found.tolist() == expected
    assert refused > 200


def test_a_cpu_that_lacks_a_feature_is_told(monkeypatch: pytest.MonkeyPatch):
    program = tri.export(centred, tri.spec((BATCH, 3)))
    assert program.needs == tuple(features.needed_features(host_target()))
    if features.host_features() is None:
        pytest.skip("nobody knows this CPU's features")
    monkeypatch.setattr(features, "host_features", lambda: frozenset({"sse2", "64bit"}))
    with pytest.raises(
        RuntimeError, match=r"was compiled for the CPU .*, and this one lacks .*avx"
    ):
        programs.ExportedProgram(program.to_bytes())


@pytest.mark.skipif(not is_known_host(), reason="features are asked for there alone")
def test_features_are_those_that_llvm_finds():
    known = features.host_features()
    assert known is not None
    words = host_target().rpartition("|")[2].split(",")
    there = {word[1:] for word in words if word[0] == "+"}
    missing = {word[1:] for word in words if word[0] == "-"}
    assert known <= there
    assert not known & missing
    assert set(features.needed_features(host_target())) == known
