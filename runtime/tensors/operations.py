"""Which operations do tensors have? Those of the table, which the compiler installs (`dispatch`).

This class has none of its own. The stub beside it, which `make stubs` writes from the table, tells
type checkers all of them.
"""


class Operations:
    """The methods and operators of the rows."""

    __slots__ = ()
