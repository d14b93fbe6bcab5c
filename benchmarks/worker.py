"""What does a measuring process do? It serves one peer: requests and answers are lines of JSON.

`python worker.py trilith` reads requests from the standard input.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import repeat
from typing import Any

import numpy as np
from array_programs import ONE_OPS, fingerprint, make_inputs
from gradient_programs import LOSSES
from model_programs import MODELS
from operation_programs import OPERATIONS, numbers_of
from peers import Peer
from product_programs import PRODUCTS
from registry import PEERS
from size_programs import SizeRun
from slice_loops import SLICE_LOOPS, refuse_wrong
from sparse_programs import SPARSE_CASES

#: A sample is at least this long, so that reading the clock does not count.
SAMPLE_NS = 20_000
LEAST_SAMPLES = 3


def time_calls(call: Callable[[], Any], seconds: float, least: int = LEAST_SAMPLES) -> float:
    """Return the median time of a call in ns, from samples that together last about `seconds`.

    There are at least so many samples.
    """
    clock = time.perf_counter_ns
    start = clock()
    call()
    batch = max(1, SAMPLE_NS // max(1, clock() - start))
    samples: list[float] = []
    end = clock() + int(seconds * 1e9)
    while len(samples) < least or clock() < end:
        start = clock()
        for _ in repeat(None, batch):
            call()
        spent = clock() - start
        samples.append(spent / batch)
        if spent < SAMPLE_NS // 2:  # the first call was no typical one
            batch *= 2
            samples.clear()
    return statistics.median(samples)


def _nothing(*inputs: Any) -> None:
    """Do nothing, as a function does."""


#: How often a call is made before its latency is measured: ours is machine code after 20,000.
OFTEN_CALLED = 25_000
#: Calls that are made so often end within a second.
SHORT_CALL_NS = 40_000
#: How many operations the smallest loops make at least.
LOOP_CALLS = 30


class Worker:
    """Answers requests for one peer."""

    def __init__(self, peer: Peer) -> None:
        """Prepare nothing yet."""
        self.peer = peer
        self.call: Callable[[], Any] = int
        #: What a call takes of which only that is left out: Python, and the arguments.
        self.empty: Callable[[], Any] = int
        self.sizes: SizeRun | None = None
        #: Bytes that what was prepared last reads and writes.
        self.nbytes = (0, 0)
        #: Whether a call was made so often that what that makes faster is fast.
        self.is_often_called = False

    def version(self) -> str:
        """Return the peer's version."""
        return self.peer.version()

    def prepare(
        self, program: str, shape: list[int], of_numpy: bool = False
    ) -> dict[str, Any] | None:
        """Make inputs and function, call it once, and return what it computed, in short.

        Inputs are the peer's own arrays, or NumPy's.
        """
        self.call = int  # the memory of the last program goes first
        if not self.peer.can_run(program):
            return None
        function = self.peer.function(program)
        values = make_inputs(program, tuple(shape))
        inputs = values if of_numpy else [self.peer.array(value) for value in values]
        start = time.perf_counter_ns()
        result = function(*inputs)
        first = time.perf_counter_ns() - start
        for _ in range(1, self.peer.first_calls):
            function(*inputs)
        self.call, self.empty = (
            self._settled(partial(function, *inputs)),
            partial(_nothing, *inputs),
        )
        numbers = self.peer.numpy(result)
        self._note_bytes(values, numbers)
        return {"first": first, "result": fingerprint(numbers)}

    def _note_bytes(self, inputs: Sequence[Any], result: Any) -> None:
        """Remember how much is read and written; a result has elements as the first input has."""
        written = result.size * inputs[0].itemsize
        self.nbytes = sum(value.nbytes for value in inputs), written

    def _settled(self, call: Callable[[], Any]) -> Callable[[], Any]:
        """Return a call that was made before, when the library has done all it does for it.

        The first short one is made often: then a process has learnt that calls come often, too.
        """
        self.peer.settle()
        if not self.is_often_called:
            call()  # with the code that is better
            start = time.perf_counter_ns()
            call()
            if time.perf_counter_ns() - start < SHORT_CALL_NS:
                for _ in range(OFTEN_CALLED):
                    call()
                self.is_often_called = True
                self.peer.settle()
        return call

    def prepare_function(self, program: str, size: int) -> dict[str, Any] | None:
        """Call a function of one array once, by its name, and return what it computed."""
        self.call = int
        function = self.peer.named(program)
        if function is None:
            return None
        values = np.random.default_rng(size).uniform(0.05, 0.95, size).astype(np.float32)
        array = self.peer.array(values)
        result = function(array)
        self.call = self._settled(partial(function, array))
        return {"result": fingerprint(self.peer.numpy(result))}

    def count_operations(self, program: str, size: int) -> int | None:
        """Return how many operations a function is for each element, if the library tells."""
        return self.peer.operations(program, self.peer.array(np.ones(size, np.float32)))

    def enqueue(
        self, program: str, shape: list[int], calls: int, rounds: int, behind: list[Any] | None
    ) -> dict[str, Any]:
        """Return what a call takes that does not wait, in ns by round, and how many kernels it has.

        The clock stops before the device has finished. `behind` is a program and a shape that keep
        the device busy from the beginning of a round; without it the device is idle then, and its
        threads are woken again and again.
        """
        peer: Any = self.peer
        function, wait = peer.enqueueing(program), peer.library.opencl.synchronize
        inputs = [peer.array(value) for value in make_inputs(program, tuple(shape))]
        occupy: list[tuple[Any, list[Any]]] = []
        if behind is not None:
            name, large = behind
            values = [peer.array(value) for value in make_inputs(name, tuple(large))]
            occupy = [(peer.enqueueing(name), values)]
            occupy[0][0](*values)
        with peer.library.opencl.profile() as profile:
            function(*inputs)
        times: list[float] = []
        for _ in range(rounds):
            wait()
            for other, values in 4 * occupy:
                other(*values)
            start = time.perf_counter_ns()
            for _ in repeat(None, calls):
                function(*inputs)
            times.append((time.perf_counter_ns() - start) / calls)
        wait()
        return {"times": times, "kernels": sum(row.count for row in profile.rows)}

    def prepare_memory(self, read: int, written: int) -> None:
        """Prepare to move as many bytes as a program does, as fast as NumPy can.

        Reading is a dot product; a program that also writes is compared with a copy.
        """
        length = max((read + written) // 8, 64)
        source, target = np.ones(length, np.float32), np.ones(length, np.float32)
        call: Any = partial(np.copyto, target, source) if written * 8 > read else None
        self.call = call or partial(np.dot, source, target)

    def bytes_moved(self) -> tuple[int, int]:
        """Return (bytes read, bytes written) if every element of what was prepared moves once."""
        return self.nbytes

    def prepare_multiply_adds(self, dtype: str, elements: int) -> int:
        """Prepare a loop of multiply-adds that waits for nothing, and return how many they are."""
        call, count = self.peer.multiply_adds(np.dtype(dtype), elements)
        self.call = self._settled(call)
        return count

    def measure(self, seconds: float, least: int = LEAST_SAMPLES) -> float:
        """Return the median time of what was prepared, in ns."""
        return time_calls(self.call, seconds, least)

    def measure_above(self, seconds: float) -> float:
        """Return by how much what was prepared takes longer than an empty function, in ns.

        What makes a call faster when it has come often enough has done so: all peers are called so
        often before.
        """
        for _ in range(OFTEN_CALLED):
            self.call()
        return max(1.0, time_calls(self.call, seconds) - time_calls(self.empty, seconds / 4))

    def prepare_operation(self, program: str, side: int) -> dict[str, Any] | None:
        """Call an operation once, on a matrix with so many rows, and return what it computed."""
        self.call = int
        operation, peer = PRODUCTS.get(program) or OPERATIONS[program], self.peer
        function = peer.operation(operation)
        if function is None:
            return None
        values = operation.make(side)
        inputs = [peer.array(value) for value in values]
        numbers = numbers_of(peer.on_host(function(*inputs)))
        self._note_bytes(values, numbers)
        self.call = self._settled(partial(function, *inputs))
        return {"result": fingerprint(np.ones(numbers.size) if operation.is_random else numbers)}

    def prepare_model(self, program: str) -> dict[str, Any] | None:
        """Run a block of a network once, if the library has what it calls."""
        self.call = int
        model, namespace = MODELS[program], self.peer.namespace()
        if not all(hasattr(namespace, name) for name in model.layers):
            return None
        function = self.peer.compiled(model.body)
        values = model.make()
        inputs = [self.peer.array(value) for value in values]
        numbers = numbers_of(function(*inputs))
        self._note_bytes(values, numbers)
        self.call = self._settled(partial(function, *inputs))
        return {"result": fingerprint(numbers)}

    def prepare_gradient(self, program: str) -> dict[str, Any] | None:
        """Compute a loss and its gradients once, if the library can."""
        self.call = int
        loss = LOSSES[program]
        function = self.peer.differentiated(loss.body, loss.differentiated)
        if function is None:
            return None
        inputs = [self.peer.array(value) for value in loss.make()]
        result = function(*inputs)
        self.function, self.call = function, self._settled(partial(function, *inputs))
        return {"result": fingerprint(numbers_of(result))}

    def prepare_sparse(self, program: str, entries: int) -> dict[str, Any]:
        """Compute with sparse tensors once, and return the result, of a sparse one the values."""
        case, library = SPARSE_CASES[program], self.peer.library
        function, inputs = case.function(library), case.make(library, entries)
        self.call = partial(function, *inputs)
        result = self._settled(self.call)()
        numbers = result.coalesce().values() if result.is_sparse else result
        return {"result": fingerprint(numbers_of(numbers))}

    def count_kernels(self) -> int:
        """Return how many kernels a call runs that was prepared last: ours tell."""
        stats = self.function.stats()
        return stats.kernels_compiled + stats.kernels_loaded + stats.kernels_reused

    def prepare_sizes(self, program: str, largest: int) -> dict[str, Any]:
        """Call a program with its first sizes, and return what it computed, in short.

        As for latencies, what many calls make faster is fast then: of these sizes, no others.
        """
        self.sizes = SizeRun(self.peer, program, largest)
        result = fingerprint(self.sizes.learn())
        self.sizes.repeat(OFTEN_CALLED)
        return {"result": result}

    def time_sizes(self, count: int) -> tuple[float, float] | None:
        """Return the times of calls in ns: with sizes never seen, and with the same again."""
        return self.sizes and self.sizes.time(count)

    def count_plans(self, calls: int) -> dict[str, Any]:
        """Return how many plans of ours as many sizes as calls make, and the time of a call."""
        run = self.sizes
        assert run is not None
        before = run.function.stats()
        spent = run.calls(calls)
        after = run.function.stats()
        return {
            "plans": after.table.misses - before.table.misses,
            "kernels": after.kernels_compiled - before.kernels_compiled,
            "time": spent,
        }

    def prepare_loop(self, program: str, side: int) -> float:
        """Return the time of a loop's first run, in ns; its kernels have run with fewer elements.

        A result that NumPy does not confirm is an error.
        """
        loop = SLICE_LOOPS[program]
        function = self.peer.eager(loop.body)
        for _ in range(OFTEN_CALLED // LOOP_CALLS):
            function(self.peer.array(loop.make(4)))
        value = loop.make(side)
        array = self.peer.array(value)
        start = time.perf_counter_ns()
        result = function(array)
        spent = time.perf_counter_ns() - start
        refuse_wrong(program, self.peer.numpy(result), value)
        self.call = partial(function, array)
        return spent

    def first_calls(self, limit: int) -> list[float]:
        """Return the times of first calls of functions of one operation, in ns.

        The compiler has compiled another function before, and kept nothing on the disk.
        """
        found = [self.prepare(name, [64]) for name in list(ONE_OPS)[:limit]]
        return [answer["first"] for answer in found if answer is not None]

    def trace(self, program: str, repeats: int) -> list[float] | None:
        """Return the times from a Python function to text, in ns; the text is thrown away."""
        inputs = [self.peer.array(value) for value in make_inputs(program, (64, 64))]
        times: list[float] = []
        for _ in range(repeats):
            start = time.perf_counter_ns()
            text = self.peer.text(program, inputs)
            times.append(time.perf_counter_ns() - start)
            if text is None:
                return None
        return times

    def new_shapes(self, program: str, count: int) -> dict[str, Any]:
        """Return the times of calls with sizes never seen, and how often that compiled."""
        function = self.peer.function(program)
        times: list[float] = []
        compiled: list[int | None] = []
        for size in range(65, 67 + count):
            values = make_inputs(program, (size, 2 * size + 1))
            inputs = [self.peer.array(value) for value in values]
            start = time.perf_counter_ns()
            function(*inputs)
            times.append(time.perf_counter_ns() - start)
            compiled.append(self.peer.compilations(function))
        # The first two calls compile: some peers learn from the second that sizes change.
        before, after = compiled[1], compiled[-1]
        told = None if before is None or after is None else after - before
        return {"times": times[2:], "compiled": told}


def serve(worker: Worker, answers: Any) -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"answer": getattr(worker, request.pop("do"))(**request)}
        except Exception as error:  # the table says what failed; the other peers go on
            answer = {"error": f"{type(error).__name__}: {error}".partition("\n")[0]}
        print(json.dumps(answer), file=answers, flush=True)


def main() -> None:
    """Run; what the libraries print goes to the standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    serve(Worker(PEERS[sys.argv[1]]()), answers)
    gc.freeze()  # as in processes.ENDS_SOON


if __name__ == "__main__":
    main()
