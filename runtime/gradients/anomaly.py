"""Which operation gave a gradient that is no number? A mode remembers where each was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from traceback import extract_stack, format_list
from typing import Any, Self

from ...dialects.diagnostics import Location, TrilithRuntimeError, user_location
from ...dialects.frames import is_own_file, warn_user

_TOLD = "Error detected in {0}. Traceback of forward call that caused the error:\n{1}"
_UNKNOWN = (
    "Error detected in {0}. No forward pass information available. Enable detect anomaly during "
    "forward pass for more information."
)


class _State:
    """Whether anomalies are looked for, in the whole process as in PyTorch."""

    is_enabled = False
    checks_nan = True


def is_anomaly_enabled() -> bool:
    """Return whether nodes remember where they were recorded."""
    return _State.is_enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether gradients are looked through for NaN."""
    return _State.checks_nan


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Look for anomalies from now on, or do not."""
    _State.is_enabled, _State.checks_nan = enabled, check_nan


class set_detect_anomaly:
    """Look for anomalies or not: from now on, or in a block."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        """Let the mode hold at once."""
        self._before = _State.is_enabled, _State.checks_nan
        _State.is_enabled, _State.checks_nan = mode, check_nan

    def __enter__(self) -> Self:
        """Keep the mode until the block ends."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Let hold what held before."""
        _State.is_enabled, _State.checks_nan = self._before


class detect_anomaly(set_detect_anomaly):
    """A block in which a gradient that is NaN is an error that names the line of its operation.

    >>> import trilith as tri
    >>> x = tri.tensor([-1.0], requires_grad=True)
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     with tri.autograd.detect_anomaly():
    ...         tri.sqrt(x).backward()
    Traceback (most recent call last):
    trilith...TrilithRuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output.
    ...
    """

    def __init__(self, check_nan: bool = True) -> None:
        """Warn that it takes time, as PyTorch does."""
        warn_user(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging."
        )
        super().__init__(True, check_nan)
        _State.is_enabled, _State.checks_nan = self._before
        self._check_nan = check_nan

    def __enter__(self) -> Self:
        """Look for anomalies until the block ends."""
        self._before = _State.is_enabled, _State.checks_nan
        _State.is_enabled, _State.checks_nan = True, self._check_nan
        return self


#: Where a node keeps the place of its operation, and by PyTorch's name the calls that led to it.
_PLACE, _TRACEBACK = "recorded at", "traceback_"


def remember(node: Any) -> None:
    """Note where an operation is recorded, if anomalies are looked for."""
    if _State.is_enabled:
        node.metadata[_PLACE] = user_location()
        calls = [call for call in extract_stack() if not is_own_file(call.filename)]
        node.metadata[_TRACEBACK] = format_list(calls)


def tell(node: Any) -> None:
    """Warn which calls recorded a node whose gradient fails, if that was noted."""
    if not _State.is_enabled:
        return
    calls = node.metadata.get(_TRACEBACK)
    text = _UNKNOWN if calls is None else _TOLD
    warn_user(text.format(node.name(), "".join(calls or ())))


def place_of(node: Any) -> Location | None:
    """Return where an operation was recorded, if that was noted."""
    return node.metadata.get(_PLACE)


def check(node: Any, gradients: Sequence[Any]) -> None:
    """Refuse NaN among the gradients that a node gives, if anomalies are looked for."""
    if not (_State.is_enabled and _State.checks_nan):
        return
    for number, gradient in enumerate(gradients):
        if gradient is None or not gradient.is_concrete:
            continue
        if gradient.without_gradient().isnan().any():
            raise TrilithRuntimeError(
                f"Function '{node.name()}' returned nan values in its {number}th output.",
                location=place_of(node),
                hint="the line is that of the operation whose gradient it is",
            )
