"""Which matrices, and sides of systems, are refused, and in which of PyTorch's words?"""

from __future__ import annotations

from ...attributes.dtype import Category, DType, complex64, complex128, float32, float64
from ...attributes.spec import TensorSpec
from ...diagnostics import TrilithRuntimeError
from .row import OperandSpec

#: What LAPACK computes with.
PRECISE = frozenset((float32, float64, complex64, complex128))


def matrix(operand: OperandSpec, name: str, *, argument: str = "A") -> TensorSpec:
    """Return the spec of matrices, or refuse it in the words of a function."""
    assert isinstance(operand, TensorSpec)
    if operand.rank < 2:
        raise TrilithRuntimeError(
            f"{name}: The input tensor {argument} must have at least 2 dimensions."
        )
    return operand


def square(operand: OperandSpec, name: str, *, argument: str = "A") -> TensorSpec:
    """Return the spec of square matrices, or refuse it in the words of a function."""
    spec = matrix(operand, name, argument=argument)
    rows, columns = spec.shape[-2:]
    if rows != columns:
        raise TrilithRuntimeError(
            f"{name}: {argument} must be batches of square matrices, but they are {rows} by "
            f"{columns} matrices"
        )
    return spec


def check_precise(dtype: DType, name: str, *, takes_low: bool = False) -> None:
    """Refuse what LAPACK does not compute with, in the words of a function."""
    if dtype.category < Category.FLOATING:
        raise TrilithRuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {dtype.c_name}"
        )
    if dtype not in PRECISE and not takes_low:
        raise TrilithRuntimeError(f"{name}: Low precision dtypes not supported. Got {dtype.c_name}")


def check_sides(name: str, first: TensorSpec, second: TensorSpec, *, left: bool) -> None:
    """Refuse right sides of another size than the matrices, in the words of a function."""
    size = second.shape[-2] if left else second.shape[-1]
    if size != first.shape[-1]:
        equation = "AX = B" if left else "XA = B"
        shapes = [f"{spec.shape[-2]}x{spec.shape[-1]}" for spec in (first, second)]
        raise TrilithRuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {equation} "
            f"({shapes[0]} and {shapes[1]})"
        )


def check_same(name: str, first: TensorSpec, second: TensorSpec, *, argument: str = "A") -> None:
    """Refuse right sides of another dtype than the matrices, in the words of a function."""
    if first.dtype is not second.dtype:
        raise TrilithRuntimeError(
            f"{name}: Expected {argument} and B to have the same dtype, but found {argument} of "
            f"type {first.dtype.c_name} and B of type {second.dtype.c_name} instead"
        )


def check_system(name: str, spec: TensorSpec, sides: TensorSpec) -> None:
    """Refuse a system whose sides do not fit its matrices, as PyTorch's older functions do."""
    rows, columns = spec.shape[-2:]
    if sides.dtype is not spec.dtype:
        raise TrilithRuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {sides.dtype.c_name} "
            f"and A of type {spec.dtype.c_name} instead."
        )
    if rows != columns:
        raise TrilithRuntimeError(
            f"A must be batches of square matrices, but they are {rows} by {columns} matrices"
        )
    if rows != sides.shape[-2]:
        raise TrilithRuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {columns} by {rows} "
            f"but each b matrix is {sides.shape[-2]} by {sides.shape[-1]}"
        )


def at_least_matrix(operand: OperandSpec, name: str) -> TensorSpec:
    """Return the spec of matrices as `matrix` does, in the other words that PyTorch has for it."""
    assert isinstance(operand, TensorSpec)
    if operand.rank < 2:
        raise TrilithRuntimeError(
            f"{name}: Expected tensor with 2 or more dimensions. Got size: {list(operand.shape)} "
            "instead"
        )
    return operand
