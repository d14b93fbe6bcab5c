"""How does a Python number stand in the key of a plan? With its kind, or with its value.

A plan takes most numbers when it runs, as arguments of its kernels. Such a number stands in a key
with its kind: a `ScalarSpec`, or its type in a short key, which is made before anything is looked
up. A number whose value the plan holds stands with `known_number`: one that an operation looks at,
one that is a default, and one that 64 bits have no room for. What is no operand is a static value,
and stands with `identity_of`.
"""

from __future__ import annotations

from ...dialects.attributes.spec import ScalarSpec

#: Integers from the first up to the second, which is none of them, are arguments of kernels.
FIRST_INTEGER, END_OF_INTEGERS = -(2**63), 2**63

#: A type and a text.
KnownNumber = tuple[type, str]


def is_argument(number: object) -> bool:
    """Whether a plan can take a number when it runs.

    >>> is_argument(2**63 - 1), is_argument(2**63), is_argument(1e300)
    (True, False, True)
    """
    return not isinstance(number, int) or FIRST_INTEGER <= number < END_OF_INTEGERS


def known_number(number: object) -> KnownNumber:
    """Return what stands for a number whose value a plan holds: 0.0 is not -0.0, 1 is not True.

    >>> known_number(-0.0)
    (<class 'float'>, '-0.0')
    """
    return type(number), repr(number)


def number_part(number: object, *, is_known: bool) -> KnownNumber | ScalarSpec:
    """Return what stands for a number of which a plan knows the value, or not.

    >>> number_part(2.5, is_known=True), number_part(2.5, is_known=False)
    ((<class 'float'>, '2.5'), ScalarSpec('float'))
    """
    return known_number(number) if is_known else ScalarSpec.of(number)
