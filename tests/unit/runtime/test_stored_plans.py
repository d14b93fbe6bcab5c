"""Is the stored form of a plan for all sizes the plan, and is anything else refused?"""

from __future__ import annotations

import hashlib
import json
import operator
import random
import struct
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.eager import open_traces
from trilith.compiler.eager.row_plans import OpenPlan
from trilith.dialects.attributes.settings import current
from trilith.dialects.attributes.symint import ShapeEnv
from trilith.dialects.diagnostics import TrilithError, TrilithValueError
from trilith.dialects.ops.table import TABLE
from trilith.runtime.execution.artifact import Artifact
from trilith.runtime.execution.sizes_form import decode_plan, decode_plan_at, encode_plan
from trilith.runtime.executor import Executable
from trilith.runtime.plan_function import plan_function

CALLS: dict[str, tuple[str, Callable[[], Any], Callable[..., Any]]] = {
    "add": ("add", lambda: (tri.rand(5, 4), 2.5), operator.add),
    "matmul": ("matmul", lambda: (tri.rand(5, 4), tri.rand(4, 6)), np.matmul),
    "sum": ("sum", lambda: (tri.rand(5, 4),), np.sum),
    "getitem": ("getitem", lambda: (tri.rand(9, 4), slice(2, 7)), operator.getitem),
    "reshape": ("reshape", lambda: (tri.rand(6, 4), (8, 3)), np.reshape),
    "unfold": ("unfold", lambda: (tri.rand(9), 0, 4, 3), np.array),
}


def made(name: str) -> tuple[Artifact, ShapeEnv, list[int], list[int | None]]:
    row, arguments, _ = CALLS[name]
    plan = open_traces.make(TABLE[row], arguments(), {}, current(), "value", None)
    assert isinstance(plan, OpenPlan)
    numbers = list(plan.env.hints.values())
    leasts: list[int | None] = [2 if n in plan.env.positive else None for n in plan.env.hints]
    return plan.artifact, plan.env, numbers, leasts


@pytest.mark.parametrize("name", CALLS)
def test_what_is_read_is_what_was_written(name: str):
    artifact, env, numbers, leasts = made(name)
    found = decode_plan(encode_plan(artifact, env, {"note": 3}), numbers, leasts)
    written: Any = plan_function(artifact, env)
    read: Any = plan_function(found.artifact, found.env)
    assert read.source == written.source
    assert found.notes == {"note": 3}


@pytest.mark.parametrize("name", ["add", "matmul", "sum", "getitem"])
def test_a_plan_read_for_other_sizes_computes(name: str):
    artifact, env, _, leasts = made(name)
    data = encode_plan(artifact, env, {})
    arguments, oracle = CALLS[name][1](), CALLS[name][2]
    tensors = [item for item in arguments if isinstance(item, tri.Tensor)]
    others = [
        t.new_tensor(np.random.default_rng(1).random([s + 3 for s in t.shape])) for t in tensors
    ]
    scalars = [item for item in arguments if isinstance(item, float)]
    numbers = [n for t in others for n in t.spec.numbers]
    slices: list[Any] = [item for item in arguments if isinstance(item, slice)]
    numbers += [number for item in slices for number in (item.start, item.stop)]
    given = [item for item in arguments if not isinstance(item, tri.Tensor)]
    expected = oracle(*[np.asarray(t) for t in others], *given)
    whole: Any = plan_function(*_of(decode_plan(data, numbers, leasts)))
    fixed = Executable(decode_plan_at(data, numbers)[0])
    for results in (whole(others, scalars, numbers), fixed.run(others, scalars)):
        np.testing.assert_allclose(np.asarray(results[0]), expected, rtol=1e-5)


def _of(found: Any) -> tuple[Artifact, ShapeEnv]:
    return found.artifact, found.env


def test_sizes_that_no_guard_lets_through_are_refused():
    artifact, env, _, leasts = made("matmul")
    data = encode_plan(artifact, env, {})
    reads: list[Callable[[list[int]], Any]] = [
        lambda numbers: decode_plan(data, numbers, leasts),
        lambda numbers: decode_plan_at(data, numbers),
    ]
    for read in reads:
        read([5, 4, 4, 6])
        with pytest.raises(TrilithValueError, match="not valid"):
            read([5, 4, 3, 6])
        with pytest.raises(TrilithValueError, match="another number of sizes"):
            read([5, 4, 4])


HEADER = struct.Struct("<8sIQQ32s")


def taken_apart(data: bytes) -> tuple[dict[str, Any], bytes]:
    length = HEADER.unpack_from(data)[2]
    body = data[HEADER.size :]
    return json.loads(body[:length]), body[length:]


def put_together(content: Any, blobs: bytes) -> bytes:
    """Return a stored artifact whose own digest is right: what gets behind the authentication."""
    text = json.dumps(content).encode()
    body = text + blobs
    digest = hashlib.blake2b(body, digest_size=32).digest()
    return HEADER.pack(b"trilith\0", 5, len(text), len(body), digest) + body


ODD: list[Any] = [
    *(0, 1, -1, 2**62, -(2**63), 2**64, 7, True, None, "", "n0", [], {}, [[1, 0]], 1.5),
    *({"n": [[1, 0]]}, {"n": [[2, 1, 1]]}, {"n": [[1, [[[1, 0]], [[0]]]]]}, {"n": [[-1, 0]]}),
]


def changed(value: Any, chance: random.Random) -> Any:
    """Return a JSON value with one part of it replaced by another one, or left out."""
    if not isinstance(value, (dict, list)) or not value or chance.random() < 0.1:
        return chance.choice(ODD)
    found = cast("Any", value)
    keys: list[Any] = list(found) if isinstance(value, dict) else list(range(len(found)))
    copied, key = found.copy(), chance.choice(keys)
    if chance.random() < 0.1:
        del copied[key]
    else:
        copied[key] = changed(copied[key], chance)
    return copied


@pytest.mark.parametrize("name", CALLS)
def test_an_altered_plan_is_refused_or_stays_in_its_memory(name: str):
    artifact, env, numbers, leasts = made(name)
    content, blobs = taken_apart(encode_plan(artifact, env, {}))
    chance = random.Random(5)
    refused = 0
    for _ in range(400):
        data = put_together(changed(content, chance), blobs)
        try:
            fixed, _ = decode_plan_at(data, numbers)
            Executable(fixed)
        except TrilithError:
            refused += 1
        try:
            found = decode_plan(data, numbers, leasts)
            plan_function(found.artifact, found.env)
        except TrilithError:
            continue
    assert refused > 100


@pytest.mark.parametrize("name", CALLS)
def test_truncations_and_flipped_bits_are_refused(name: str):
    artifact, env, numbers, leasts = made(name)
    data = encode_plan(artifact, env, {})
    chance = random.Random(6)
    for _ in range(200):
        altered = bytearray(data)
        if chance.random() < 0.5:
            del altered[chance.randrange(len(data)) :]
        else:
            altered[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        with pytest.raises(TrilithValueError):
            decode_plan(bytes(altered), numbers, leasts)
        with pytest.raises(TrilithValueError):
            decode_plan_at(bytes(altered), numbers)
