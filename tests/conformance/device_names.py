"""What does a text say that speaks of a device, once the CPU stands in its place?

PyTorch leaves the CPU out of what it prints, and names every other device.
"""

import re

#: (what a text says about the device, what it would say about the CPU)
WORDS = (
    (re.compile(r",\s*device='opencl:\d+'"), ""),
    (re.compile(r"\bopencl\.(?=\w+Tensor\b)"), ""),
    (re.compile(r"device\(type='opencl', index=\d+\)"), "device(type='cpu')"),
    (re.compile(r"\bopencl(:\d+)?\b"), "cpu"),
)


def on_cpu(text: str) -> str:
    """Return the text for the CPU; lines, which may break elsewhere, become one.

    >>> on_cpu("tensor([1.],\\n       device='opencl:0')")
    'tensor([1.])'
    """
    for pattern, words in WORDS:
        text = pattern.sub(words, text)
    return " ".join(text.split())
