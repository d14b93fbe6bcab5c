"""What tests of tiles share: the text of a convolution."""

from __future__ import annotations

_OF_FILTERS = """
kernel.func @of_filters(%o: index, %h: index, %w: index, %c: index, %p: index, %q: index,
    %x: !kernel.buffer<f32, [IMAGE]> {kernel.access = "read"},
    %f: !kernel.buffer<f32, [?, 0, 0, ?, ?, 1]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%j, %y, %i) to (%o, %h, %w) {
    %s = kernel.reduce fma (%l, %a, %b) to (%c, %p, %q) {lanes = 1, block = 0} : f32 {
      %u = kernel.load %x[%j, %y, %i, %l, %a, %b] : f32
      %v = kernel.load %f[%j, %y, %i, %l, %a, %b] : f32
      kernel.yield %u, %v : f32, f32
    }
    kernel.store %s, %z[%j, %y, %i]
  }
}
"""


def of_filters(image: str) -> str:
    """Return a convolution whose results lie as planes; the image has these strides."""
    return _OF_FILTERS.replace("[IMAGE]", f"[{image}]")
