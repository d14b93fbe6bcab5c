"""Which dtypes of `out=` does PyTorch refuse in words of its own? A rule for each kind of words."""

from __future__ import annotations

from ...attributes.c_types import c_type
from ...attributes.dtype import DType, bool_, uint8
from ...attributes.promotion import can_cast
from ...diagnostics import TrilithRuntimeError, TrilithTypeError
from .writing import OutRule


def found_dtype(result: DType, out: DType) -> None:
    """Refuse another dtype as the kernels of one operand do (round, clamp)."""
    if out is not result:
        raise TrilithRuntimeError(f"Found dtype {out.c_name} but expected {result.c_name}")


def out_tensor_dtype(result: DType, out: DType) -> None:
    """Refuse another dtype as matmul, gather and argmax do."""
    if out is not result:
        raise TrilithRuntimeError(
            f"Expected out tensor to have dtype {c_type(result)}, but got {c_type(out)} instead"
        )


def mantissa_and_exponent(result: DType, out: DType) -> None:
    """Refuse another dtype as frexp does."""
    if out is not result:
        what = (
            f"mantissa to have dtype {c_type(result)}"
            if result.is_floating_point
            else "exponent to have int dtype"
        )
        raise TrilithRuntimeError(f"trilith.frexp() expects {what} but got {c_type(out)}")


def expected_dtype(name: str) -> OutRule:
    """Return the rule of the norms of matrices, which name the function."""

    def rule(result: DType, out: DType) -> None:
        if out is not result:
            raise TrilithRuntimeError(
                f"{name} expected out tensor dtype {result.c_name} but got: {out.c_name}"
            )

    return rule


def safely_castable(name: str, what: str = "result") -> OutRule:
    """Return the rule of linear algebra that casts, which names the function and its result."""

    def rule(result: DType, out: DType) -> None:
        if not can_cast(result, out):
            raise TrilithRuntimeError(
                f"{name}: Expected {what} to be safely castable from {result.c_name} dtype, but "
                f"got {what} with dtype {out.c_name}"
            )

    return rule


def histogram_dtype(what: str, rest: str = "") -> OutRule:
    """Return the rule of histograms, whose results are of the dtype of the input."""

    def rule(result: DType, out: DType) -> None:
        if out is not result:
            raise TrilithRuntimeError(
                f"torch.histogram: input tensor and {what} tensor should have the same dtype, but "
                f"got input {c_type(result)} and {what} {c_type(out)}{rest}"
            )

    return rule


def expected_scalar_type(result: DType, out: DType) -> None:
    """Refuse another dtype as solve_triangular does."""
    if out is not result:
        raise TrilithRuntimeError(f"expected scalar type {result.c_name} but found {out.c_name}")


def out_type(result: DType, out: DType) -> None:
    """Refuse another dtype as where does."""
    if out is not result:
        raise TrilithRuntimeError(f"Expected out type to be {result.c_name} but got {out.c_name}")


def input_and_out_match(result: DType, out: DType) -> None:
    """Refuse another dtype as amax and amin do."""
    if out is not result:
        raise TrilithRuntimeError(
            "Expected the dtype for input and out to match, but got "
            f"{result.c_name} for input's dtype and {out.c_name} for out's dtype."
        )


def provided_dtype(result: DType, out: DType) -> None:
    """Refuse another dtype than the one that was asked for as nansum does."""
    if out is not result:
        raise TrilithRuntimeError(
            "nansum: provided dtype must match dtype of result. "
            f"Got {out.c_name} and {result.c_name}."
        )


def scalar_type(result: DType, out: DType) -> None:
    """Refuse another dtype as complex and polar do."""
    if out is not result:
        raise TrilithRuntimeError(
            f"Expected object of scalar type {result.c_name} but got scalar type {out.c_name} for "
            "argument 'out'"
        )


def taken(result: DType, out: DType) -> None:
    """Refuse another dtype as take does."""
    if out is not result:
        raise TrilithRuntimeError(
            "take(): self and out expected to have the same dtype, but got "
            f"self.dtype = {result.c_name} and out.dtype = {out.c_name}"
        )


def transformed(name: str) -> OutRule:
    """Return the rule of a Fourier transform: real results and complex ones do not mix."""

    def rule(result: DType, out: DType) -> None:
        is_kind = out.is_complex if result.is_complex else out.is_floating_point
        if not is_kind:
            kind = "complex" if result.is_complex else "floating point"
            raise TrilithRuntimeError(
                f"{name} expects a {kind} output tensor, but got {out.c_name}"
            )
        if name == "ihfft":
            found_dtype(result, out)  # it ends with a conjugate, which is no cast

    return rule


def joined(result: DType, out: DType) -> None:
    """Refuse what cannot be cast as cat and stack do."""
    if not can_cast(result, out):
        raise TrilithTypeError(
            "trilith.cat(): input types can't be cast to the desired output type " + out.c_name
        )


def same_scalar_type(name: str) -> OutRule:
    """Return the rule of index_select: self and result are of one dtype."""

    def rule(result: DType, out: DType) -> None:
        if out is not result:
            raise TrilithRuntimeError(f"{name}(): self and result must have the same scalar type")

    return rule


def truth(name: str) -> OutRule:
    """Return the rule of all and any, which give bool or uint8."""

    def rule(result: DType, out: DType) -> None:
        if out not in (bool_, uint8):
            raise TrilithRuntimeError(
                f"{name} only supports bool tensor for result, got: {out.c_name}"
            )

    return rule


def boolean(name: str) -> OutRule:
    """Return the rule of isposinf and isneginf."""

    def rule(result: DType, out: DType) -> None:
        if out is not result:
            raise TrilithRuntimeError(f"{name} does not support non-boolean outputs.")

    return rule


def positions(result: DType, out: DType) -> None:
    """Refuse what nonzero cannot write its indices to."""
    if out is not result:
        raise TrilithRuntimeError(
            f"nonzero: Expected out tensor to have scalar type {result.c_name} but got scalar "
            f"type{out.c_name}"
        )
