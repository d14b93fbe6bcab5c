"""What does `python -m trilith` run? The command `trilith`."""

from .compiler.tools.front_door import console

console()
