"""Are indices right where PyTorch does not promise which of equal elements they are of?

What the input holds there is compared, and that no index is given twice. Operations with the flag
`ties` are compared so, sort and argsort unless they are asked to be stable.
"""

from __future__ import annotations

from typing import Any

import torch

from .comparison import Difference, compare, compare_values
from .library import Library, flat_outputs

#: Where the dim stands among the arguments behind the input.
DIM_PLACES = {"sort": 0, "argsort": 0, "mode": 0, "topk": 1, "kthvalue": 1}


def compare_with_ties(
    library: Library, name: str, wanted: Any, got: Any, given: Any, scale: float
) -> Difference | None:
    """Return the first difference between results, of which the last ones are indices."""
    elements, arguments, keywords = given
    difference = compare(library, wanted, got, scale, with_values=False)
    if difference is not None or not elements.numel():
        return difference
    *values, indices = flat_outputs(wanted)
    *found, places = flat_outputs(got)
    for one, other in zip(values, found, strict=True):
        difference = compare_values(library, one, other, scale)
        if difference is not None:
            return difference
    if not elements.dim() or not indices.numel():
        return compare_values(library, indices, places, scale)
    place = DIM_PLACES[name]
    dim = keywords.get("dim", arguments[place] if len(arguments) > place else -1)
    mine = library.values(places, torch.int64)
    if mine is None:
        return None
    if mine.dim() < elements.dim():
        mine, indices = mine.unsqueeze(dim), indices.unsqueeze(dim)
    if bool((mine.sort(dim)[0].diff(dim=dim) == 0).any()):
        return "value", "an index is given twice"
    here, there = (torch.take_along_dim(elements, each, dim) for each in (mine, indices))
    is_same = (here == there) | ((here != here) & (there != there))
    return None if bool(is_same.all()) else ("value", "indices are of other elements")
