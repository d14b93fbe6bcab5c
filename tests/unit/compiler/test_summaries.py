"""What does a program print at a prompt? What it takes and gives and what to do next."""

from typing import Any

import pytest

import trilith as tri
from trilith.runtime.executor import Executable


def scale(x: Any, factor: Any) -> Any:
    return (x * factor).sum(-1), x.t()


X = tri.ones(3, 2, dtype=tri.uint8).t()


def test_every_level_says_what_it_is_and_what_comes_next():
    traced = tri.trace(scale, X, 2)
    signature = "scale(uint8[2, 3] strides [1, 2], int) -> (int64[2], uint8[3, 2])"
    assert repr(traced) == (
        f"<Traced: {signature}, 3 operations\n  print() shows the IR, .lower() makes kernels of it>"
    )
    lowered = traced.lower()
    (name,) = (kernel.symbol for kernel in lowered.kernels)
    assert repr(lowered) == (
        f"<Lowered: {signature}, 1 kernel ({name})\n"
        "  print() or .as_text(level) shows it (tri, kernel, scheduled, llvm, asm, opencl), "
        ".compile() makes it run>"
    )
    compiled = lowered.compile()
    signature = signature.replace("int)", "int64)")  # what the number is passed as
    (code,) = compiled.artifact.kernels
    assert repr(compiled) == (
        f"<Compiled: {signature}, 1 kernel ({code.name}), 1 launch\n"
        "  call it with arguments of this kind; .artifact is what it runs>"
    )
    assert repr(compiled.artifact) == (
        f"<Artifact: {signature}, 1 kernel ({code.name}), 1 launch\n"
        "  Executable(...) runs it, .to_bytes() stores it>"
    )
    assert repr(Executable(compiled.artifact)).startswith(f"<Executable: {signature}, 1 kernel")
    assert repr(code).startswith(f"<KernelCode: {code.name} for ")
    assert repr(code).endswith(
        f", {len(code.code):,} bytes, {code.pointers} pointers, {code.integers} integers>"
    )


def test_a_compiled_function_counts_kinds_of_arguments():
    function = tri.compile(scale)
    assert repr(function) == (
        "<compiled scale, for 0 kinds of arguments; .trace(...), .stats() show more>"
    )
    function(X, 2)
    assert "for 1 kind of arguments" in repr(function)
    assert len(repr(function.stats()).splitlines()) == 1


def many(*tensors: Any) -> Any:
    return [tensor.exp() for tensor in tensors]


@pytest.mark.parametrize("count", [1, 60])
def test_none_is_longer_than_a_few_lines(count: int):
    inputs = [tri.spec((1,) * 60 + (number + 1,), tri.float32) for number in range(count)]
    traced = tri.trace(many, *inputs)
    lowered = traced.lower()
    compiled = lowered.compile()
    for value in (traced, lowered, compiled, compiled.artifact):
        text = repr(value)
        assert len(text.splitlines()) == 2
        assert max(map(len, text.splitlines())) < 900
        assert " object at 0x" not in text
        assert "\\x" not in text
    for part in (*compiled.artifact.kernels, *compiled.artifact.buffers):
        assert len(repr(part)) < 400


def test_a_long_name_is_cut():
    exec(f"def {'f' * 500}(x): return x + 1", names := {})
    (function,) = (value for key, value in names.items() if key.startswith("f"))
    assert len(repr(tri.trace(function, X))) < 300


def test_an_elsewhere_and_a_conjugate_are_told():
    traced = tri.trace(
        lambda x, z: (x + 1, z.conj()),
        tri.spec((2,), tri.float32, device="meta"),
        tri.spec((2,), tri.complex64),
    )
    assert (
        "lambda(float32[2] on meta, complex64[2]) -> (float32[2] on meta, complex64[2] conj)"
        in repr(traced)
    )
