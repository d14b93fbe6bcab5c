"""`TRILITH_LOG=plans` says which plans are made, and why."""

from __future__ import annotations

import re

import pytest

import trilith as tri
from trilith.compiler.eager import operations as eager


def test_plans_and_their_reasons(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    eager.forget_plans()
    inputs = {size: tri.ones(size) for size in (12, 9, 5, 7)}

    @tri.compile
    def windows(x: tri.Tensor) -> tri.Tensor:
        return x[2:] + x[:-2] if x.shape[0] > 8 else x * 2

    monkeypatch.setenv("TRILITH_LOG", "plans")
    for size in (12, 9, 5, 7):
        windows(inputs[size])
    _ = inputs[9] * inputs[9], inputs[5] * inputs[5]
    printed = capsys.readouterr().err.splitlines()
    lines = [re.sub(r"in [0-9.]+ ms", "in 0 ms", line) for line in printed]
    start = "trilith: plan of test_plans_and_their_reasons.<locals>.windows in 0 ms: "
    assert lines == [
        f"{start}arguments that no plan takes",
        f"{start}other sizes than in the first call: a plan for all",
        f"{start}the plan before takes sizes with n0 > 8, which 5 has not",
        "trilith: plan of mul() in 0 ms: the first call with operands of this kind",
    ]


def test_nothing_is_said_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    eager.forget_plans()
    assert (tri.ones(3) * 2).tolist() == [2.0] * 3
    assert capsys.readouterr().err == ""
