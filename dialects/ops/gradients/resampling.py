"""What are the nodes of resampled and sampled images called? By mode and dims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..frame.gradients import Gradient, by_steps, chosen

_WORDS = {
    "nearest": "Nearest",
    "nearest-exact": "NearestExact",
    "linear": "Linear",
    "bilinear": "Bilinear",
    "trilinear": "Trilinear",
    "bicubic": "Bicubic",
    "lanczos": "Lanczos",
}


def _choose(bound: Mapping[str, Any]) -> Gradient | None:
    word = _WORDS.get(bound["mode"])
    end = "Aa" if bound.get("antialias") else ""
    return (
        by_steps(f"Upsample{word}{bound['input'].ndim - 2}D{end}Backward0", "input")
        if word
        else None
    )


OF_INTERPOLATE = chosen(_choose)
OF_GRID_SAMPLE = by_steps(
    lambda bound: f"GridSampler{bound['input'].ndim - 2}DBackward0", "input", "grid"
)
OF_AFFINE_GRID = by_steps("AffineGridGeneratorBackward0", "theta")
