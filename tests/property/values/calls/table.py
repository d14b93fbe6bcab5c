"""Which calls are drawn by a function of their own? `CALLS` has one for each, by operation.

What a function returns may be refused, then another call is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..program import Step
from .activating import ACTIVATING
from .arranging import ARRANGING
from .multiplying import MULTIPLYING
from .plain import PLAIN
from .reducing import REDUCING
from .windows import WINDOWS

if TYPE_CHECKING:
    from ..drawing import Drawer

Call = Callable[["Drawer", str], Step]

#: Operations that are drawn as often as another group, however many each has.
GROUPS: Mapping[str, Mapping[str, Call]] = {
    "arranging": ARRANGING,
    "reducing": REDUCING,
    "multiplying": MULTIPLYING,
    "windows": WINDOWS,
    "activating": ACTIVATING,
}
CALLS: Mapping[str, Call] = {
    **PLAIN,
    **{name: call for group in GROUPS.values() for name, call in group.items()},
}
