"""Is a result of trilith what torch's is: dtype, sizes, strides, values, and whose storage it has?

A difference is a kind and a detail, for instance ("dtype", "torch.bool instead of torch.int64").
"""

from typing import Any

import torch

from .library import BITS, Library, Unsupported, described, flat_outputs

Difference = tuple[str, str]

#: torch.testing's default tolerances, relative and absolute; other dtypes are exact.
TOLERANCES = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex32: (1e-3, 1e-5),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}


def compare(
    library: Library,
    wanted: Any,
    got: Any,
    scale: float = 1.0,
    with_values: bool = True,
    *,
    with_strides: bool = True,
) -> Difference | None:
    """Return the first difference between results of torch and of the library."""
    all_wanted, all_got = flat_outputs(wanted), flat_outputs(got)
    if len(all_wanted) != len(all_got):
        return "structure", f"{len(all_got)} results instead of {len(all_wanted)}"
    for w, g in zip(all_wanted, all_got, strict=True):
        if isinstance(w, torch.Tensor):
            difference = _compare_tensor(library, w, g, scale, with_values, with_strides)
        else:
            difference = _compare_plain(library, w, g)
        if difference:
            return difference
    return None


def _compare_plain(library: Library, wanted: Any, got: Any) -> Difference | None:
    """Compare what is no tensor: a number, a shape, a dtype."""
    if library.is_tensor(got):
        return "structure", f"a tensor instead of {wanted!r}"
    if isinstance(wanted, (torch.dtype, torch.device, torch.layout, torch.memory_format)):
        is_same = str(wanted).rsplit(".", 1)[-1] == str(got).rsplit(".", 1)[-1]
        return None if is_same else ("value", f"{got!r} instead of {wanted!r}")
    if type(wanted) is not type(got) and not isinstance(wanted, tuple):
        return "structure", f"{type(got).__name__} instead of {type(wanted).__name__}"
    if wanted == got or (wanted != wanted and got != got):
        return None
    if isinstance(wanted, (float, complex)) and abs(wanted - got) <= 1e-7 + 1.3e-6 * abs(wanted):
        return None
    return "value", f"{got!r} instead of {wanted!r}"


def _compare_tensor(
    library: Library,
    wanted: torch.Tensor,
    got: Any,
    scale: float,
    with_values: bool,
    with_strides: bool,
) -> Difference | None:
    """Compare one tensor: what it says about itself, then its elements."""
    if not library.is_tensor(got):
        return "structure", f"{type(got).__name__} instead of a tensor"
    facts, shape = library.facts(got), tuple(wanted.shape)
    if facts.layout is not wanted.layout:
        return "layout", f"{facts.layout} instead of {wanted.layout}"
    if facts.dtype != wanted.dtype:
        return "dtype", f"{facts.dtype} instead of {wanted.dtype}"
    if facts.shape != shape:
        return "shape", f"{facts.shape} instead of {shape}"
    if wanted.device.type == "cpu" and not _is_same_device(facts.device, library.device):
        return "device", f"{facts.device} instead of {library.device}"
    if wanted.layout is torch.sparse_coo:
        return compare(
            library,
            (wanted._indices(), wanted._values()),
            (got._indices(), got._values()),
            scale,
            with_values,
        )
    if with_strides and facts.stride != tuple(wanted.stride()):
        strides = f"{facts.stride} instead of {tuple(wanted.stride())}"
        return "stride", f"{strides} for shape {shape}"
    if with_values and wanted.numel():
        return compare_values(library, wanted, got, scale)
    return None


def _is_same_device(a: str, b: str) -> bool:
    type_a, _, index_a = a.partition(":")
    type_b, _, index_b = b.partition(":")
    is_same_index = not index_a or not index_b or index_a == index_b
    return type_a == type_b and (type_a == "cpu" or is_same_index)


def compare_values(
    library: Library, wanted: torch.Tensor, got: Any, scale: float
) -> Difference | None:
    """Compare elements: exactly, or within torch's tolerances times `scale`."""
    found = library.values(got, wanted.dtype)
    if found is None:
        return None
    relative, absolute = (bound * scale for bound in TOLERANCES.get(wanted.dtype, (0.0, 0.0)))
    elements = wanted.detach().resolve_conj().resolve_neg()
    if elements.dtype in BITS:
        wider = BITS[elements.dtype][1]
        found, elements = found.to(wider), elements.to(wider)
    if torch.equal(found, elements):
        return None
    try:
        torch.testing.assert_close(
            found,
            elements.contiguous(),
            rtol=relative,
            atol=absolute,
            equal_nan=True,
            check_stride=False,
        )
    except AssertionError as error:
        return "value", " ".join(str(error).split())[:220]
    return None


def compare_mutation(
    library: Library, torch_inputs: list[torch.Tensor], inputs: list[Any]
) -> Difference | None:
    """Every argument must be after the call what torch's is."""
    for number, (tensor, mine) in enumerate(zip(torch_inputs, inputs, strict=False)):
        if tensor.layout is torch.strided and tensor.numel():
            difference = compare(library, tensor, mine)
            if difference:
                return "mutation", f"tensor argument {number}: {': '.join(difference)}"
    return None


def compare_aliasing(
    library: Library, wanted: Any, got: Any, torch_inputs: list[torch.Tensor], inputs: list[Any]
) -> Difference | None:
    """Every result must share storage with an input where torch's does; views also the offset."""
    if library.device.startswith("meta"):
        return None
    strided = [tensor for tensor in torch_inputs if tensor.layout is torch.strided]
    if len(torch_inputs) == len(inputs):
        pairs = zip(torch_inputs, inputs, strict=True)
        inputs = [mine for tensor, mine in pairs if tensor.layout is torch.strided]
    pointers = {tensor.untyped_storage().data_ptr() for tensor in strided}
    for w, g in zip(flat_outputs(wanted), flat_outputs(got), strict=True):
        if not isinstance(w, torch.Tensor) or w.layout is not torch.strided or not w.numel():
            continue
        is_view = w.untyped_storage().data_ptr() in pointers
        if is_view != library.shares(g, inputs):
            copies = "shares storage with an input, torch copies"
            return "alias", "a copy instead of a view" if is_view else copies
        offset = library.facts(g).offset
        if is_view and offset != w.storage_offset():
            return "offset", f"storage_offset {offset} instead of {w.storage_offset()}"
    return None


def judge_error(wanted: Exception, got: Exception | None) -> Difference:
    """Return the kind and detail where torch raised: the library must raise the same type.

    torch lacks some kernels (`"abs_cpu" not implemented for 'Bool'`) and has assertions meant for
    its own developers; there a library may raise anything, or compute a result (beyond-torch).
    """
    is_gap = isinstance(wanted, NotImplementedError) or "INTERNAL ASSERT" in str(wanted)
    text = " ".join(f"torch raises {type(wanted).__name__}: {wanted}".split())
    if got is None:
        return ("beyond-torch" if is_gap else "missing-error"), text
    if is_gap or isinstance(got, type(wanted)):
        return "ok-error", ""
    if isinstance(got, (Unsupported, NotImplementedError)):
        return "unsupported", described(got)
    return "wrong-error", f"{described(got)} | {text}"
