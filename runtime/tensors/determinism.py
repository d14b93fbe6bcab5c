"""What did a program ask for that trilith does anyway? The same results each time, precise ones.

Every operation gives the same bits on every machine, and float32 is multiplied as float32. What a
program sets is kept for it to ask for, and changes nothing.
"""

from __future__ import annotations

from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ...dialects.frames import warn_user

#: The modes by number, and what is set now.
_MODES = ("default", "warn", "error")
_PRECISIONS = ("highest", "high", "medium")
_set = {"mode": 0, "precision": 0}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for the same results each time, which every operation gives anyway.

    >>> use_deterministic_algorithms(True)
    >>> are_deterministic_algorithms_enabled()
    True
    >>> use_deterministic_algorithms(False)
    """
    for name, value in (("mode", mode), ("warn_only", warn_only)):
        kind: Any = type(value)
        if kind is not bool:
            where = " (position 1)" if name == "mode" else ""
            raise TrilithTypeError(
                f"_set_deterministic_algorithms(): argument '{name}'{where} must be bool, not "
                f"{kind.__name__}"
            )
    _set["mode"] = 0 if not mode else 1 if warn_only else 2


def are_deterministic_algorithms_enabled() -> bool:
    """Tell whether a program asked for the same results each time.

    >>> are_deterministic_algorithms_enabled()
    False
    """
    return _set["mode"] > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Tell whether a program asked for warnings where results may differ: there are none.

    >>> is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return _set["mode"] == 1


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Ask for the same results each time by a number, or by its word.

    >>> set_deterministic_debug_mode("error")
    >>> get_deterministic_debug_mode()
    2
    >>> set_deterministic_debug_mode(0)
    """
    given: Any = debug_mode
    if not isinstance(given, (int, str)):
        raise TrilithTypeError(f"debug_mode must be str or int, but got {type(given)}")
    if isinstance(given, str):
        if given not in _MODES:
            raise TrilithRuntimeError(
                "invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got "
                f"{given}"
            )
        given = _MODES.index(given)
    if given not in range(3):
        raise TrilithRuntimeError(
            f"invalid value of debug_mode, expected 0, 1, or 2, but got {given}"
        )
    _set["mode"] = int(given)


def get_deterministic_debug_mode() -> int:
    """Return 0, 1 or 2: what was asked for.

    >>> get_deterministic_debug_mode()
    0
    """
    return _set["mode"]


def set_float32_matmul_precision(precision: str) -> None:
    """Allow products of float32 matrices to be less precise; they never are.

    >>> set_float32_matmul_precision("high")
    >>> get_float32_matmul_precision()
    'high'
    >>> set_float32_matmul_precision("highest")
    """
    given: Any = precision
    if not isinstance(given, str):
        raise TrilithRuntimeError(
            f"set_float32_matmul_precision expects a str, but got {type(given).__name__}"
        )
    if given not in _PRECISIONS:
        warn_user(
            f"{given} is not one of 'highest', 'high', or 'medium'; the current"
            "setFloat32MatmulPrecision call has no effect."
        )
        return
    _set["precision"] = _PRECISIONS.index(given)


def get_float32_matmul_precision() -> str:
    """Return what was allowed for products of float32 matrices.

    >>> get_float32_matmul_precision()
    'highest'
    """
    return _PRECISIONS[_set["precision"]]
