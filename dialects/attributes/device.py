"""Where does a tensor live?

Devices are named by PyTorch's grammar: a type, and an index without sign, blank or leading zero.
The default device of a thread is kept here too, because `with Device("meta"):` sets it.
"""

import io
import itertools
import operator
import re
import threading
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..diagnostics import TrilithRuntimeError, TrilithTypeError
from ..locks import new_lock
from ..unusual import PLACES
from .fixed import Fixed

DEVICE_TYPES = (
    *("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga"),
    *("maia", "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone"),
)
#: The type of the host, whose memory Python reads, and of tensors that have no elements.
HOST, META = "cpu", "meta"
MAXIMUM_INDEX = 2**31 - 1
_GRAMMAR = re.compile(r"([a-zA-Z_]+)(?::(0|[1-9][0-9]*))?")
_MISSING: Any = object()
_SIGNATURES = " * (trilith.device device)\n{reason} * (str type, int index = -1)\n"


class Device(Fixed):
    """A device type with an index or none, made from a string, from (type, index) or from an index.

    Equal devices are one object. No index (`index` is None) means the current device of the type
    and differs from index 0. Used as a context manager, a device is the default of the factories.
    What code decides by is asked for: `is_host`, `has_values` and `has_indices`.

    >>> Device("cuda:1"), Device("cuda", 1) is Device("cuda:1"), Device("cuda") == Device("cuda:0")
    (device(type='cuda', index=1), True, False)
    """

    __slots__ = ("__weakref__", "has_indices", "has_values", "index", "is_host", "type")
    type: str
    index: int | None
    #: Whether Python reads its memory.
    is_host: bool
    #: Whether tensors on it have elements: not on meta.
    has_values: bool
    #: Whether there may be several of its type. The host and meta are one each.
    has_indices: bool

    def __new__(
        cls,
        type: "Device | str | bytes | int" = _MISSING,
        index: int | None = _MISSING,
        *rest: object,
        device: "Device | str | bytes | int" = _MISSING,
        **unknown: object,
    ) -> "Device":
        """Parse the arguments as PyTorch does and return the one object for the result."""
        if unknown:
            raise _wrong_arguments(type, index, rest, device, unknown)
        if type is _MISSING and device is not _MISSING and index is _MISSING:
            return _from_one(device, "device=")
        if type is _MISSING or rest or device is not _MISSING:
            raise _wrong_arguments(type, index, rest, device, unknown)
        if index is _MISSING:
            return _from_one(type)
        if isinstance(type, bytes):
            type = type.decode("utf-8", "replace")
        if not isinstance(type, str):
            raise TrilithTypeError(
                f"device(): argument 'type' (position 1) must be str, not {_type_name(type)}"
            )
        if index is not None:
            index = _check_index(index)
        name, parsed_index = parse(type)
        if parsed_index is not None:
            raise TrilithRuntimeError(
                "type (string) must not include an index because index was passed explicitly: "
                f"{type}"
            )
        return intern(name, index)

    def __str__(self) -> str:
        """Return `type` or `type:index`."""
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        """Return the form PyTorch prints."""
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as (type[, index])."""
        arguments = (self.type,) if self.index is None else (self.type, self.index)
        return Device, arguments

    def __lt__(self, other: object) -> bool:
        """Refuse: devices have no order."""
        return _refuse_order(other)

    __le__ = __gt__ = __ge__ = __lt__

    def __enter__(self) -> "Device":
        """Make this device the default of this thread until the block ends."""
        count = len(_defaults.contexts)
        try:
            _defaults.contexts.append(_current(self))
            _tell()
        except BaseException:
            # An interrupt: the block is not entered, and nobody leaves it.
            del _defaults.contexts[count:]
            _tell()
            raise
        return self

    if TYPE_CHECKING:

        def __exit__(
            self,
            kind: "type[BaseException] | None",
            error: BaseException | None,
            traceback: TracebackType | None,
        ) -> None:
            """Return to the default device from before the block."""


# What Python's own errors call it, as PyTorch's do: "'trilith.device' object is not callable".
Device.__name__ = "trilith.device"


def parse(text: str) -> tuple[str, int | None]:
    """Split a device string into type and index.

    >>> parse("opencl:12"), parse("cpu")
    (('opencl', 12), ('cpu', None))
    >>> parse("cuda:01")
    Traceback (most recent call last):
    trilith.dialects.diagnostics.TrilithRuntimeError: Invalid device string: 'cuda:01'
    """
    if not text:
        raise TrilithRuntimeError("Device string must not be empty")
    match = _GRAMMAR.fullmatch(text)
    if match is None:
        raise TrilithRuntimeError(f"Invalid device string: '{text}'")
    name, digits = match.groups()
    if name not in DEVICE_TYPES:
        raise TrilithRuntimeError(
            f"Expected one of {', '.join(DEVICE_TYPES)} device type at start of device string: "
            f"{name}"
        )
    if digits is None:
        return name, None
    # Ten digits hold every 32-bit index; longer ones are refused before Python reads them.
    if len(digits) > 10 or int(digits) > MAXIMUM_INDEX:
        raise TrilithRuntimeError(
            f"Could not parse device index '{digits}' in device string '{text}'"
        )
    return name, int(digits)


_interned: weakref.WeakValueDictionary[tuple[str, int | None], Device] = (
    weakref.WeakValueDictionary()
)
_lock = new_lock()


def intern(device_type: str, index: int | None) -> Device:
    """Return the one object for a checked type and index.

    >>> intern("cpu", None) is cpu
    True
    """
    with _lock:
        found = _interned.get((device_type, index))
        if found is None:
            found = object.__new__(Device)
            object.__setattr__(found, "type", device_type)
            object.__setattr__(found, "index", index)
            object.__setattr__(found, "is_host", device_type == HOST)
            object.__setattr__(found, "has_values", device_type != META)
            object.__setattr__(found, "has_indices", device_type not in (HOST, META))
            _interned[device_type, index] = found
        return found


class _Accelerator:
    """The device type that a bare index means, or who can tell."""

    __slots__ = ("is_known", "is_there", "kind", "offered")

    def __init__(self) -> None:
        self.kind: str | None = None
        self.is_known = False
        self.offered: str | None = None
        self.is_there: Callable[[], bool] = bool


_accelerator = _Accelerator()


def get_accelerator() -> str | None:
    """Return the device type that a bare index means, None if there is no accelerator."""
    found = _accelerator
    if not found.is_known and found.offered is not None and found.is_there():
        found.kind, found.is_known = found.offered, True
    return found.kind


def is_accelerator(device_type: str) -> bool:
    """Tell whether a bare index means a device type; nobody is asked about a type not offered.

    >>> is_accelerator("cpu")
    False
    """
    found = _accelerator
    return device_type == (found.kind if found.is_known else found.offered) == get_accelerator()


def offer_accelerator(device_type: str, is_there: Callable[[], bool]) -> None:
    """Let a bare index mean a device type where `is_there` says that it has a device.

    It is asked when the answer is first needed, and again until it says yes; never after
    `set_accelerator`.
    """
    _accelerator.offered, _accelerator.is_there = device_type, is_there


def set_accelerator(device_type: str | None) -> None:
    """Say which device type a bare index means; None means that there is no accelerator.

    >>> set_accelerator("opencl")
    >>> Device(1)
    device(type='opencl', index=1)
    >>> set_accelerator(None)
    """
    kind = None if device_type is None else parse(device_type)[0]
    _accelerator.kind, _accelerator.is_known = kind, True


def forget_accelerator() -> None:
    """Undo `set_accelerator`: what was offered is asked again."""
    _accelerator.kind, _accelerator.is_known = None, False


def as_device(value: "Device | str | bytes | int | None") -> Device:
    """Return the device that a `device=` argument names; None is the default device.

    >>> as_device("meta"), as_device(None)
    (device(type='meta'), device(type='cpu'))
    """
    if isinstance(value, Device):
        return value
    return get_default_device() if value is None else _from_one(value)


def home_of(device: Device) -> Device:
    """Return the device that a tensor made on `device` reports: without an index, the current one.

    The host and meta have one memory each and no index. The current device of a type is what
    `set_current_index` said in this thread, else the default device if that has the type, else the
    first.

    >>> home_of(Device("cpu:1")), home_of(Device("opencl"))
    (device(type='cpu'), device(type='opencl', index=0))
    >>> with Device("opencl:1"):
    ...     home_of(Device("opencl"))
    device(type='opencl', index=1)
    """
    if not device.has_indices:
        return cpu if device.is_host else meta
    if device.index is not None:
        return device
    index = _defaults.indices.get(device.type)
    if index is not None:
        return intern(device.type, index)
    default = get_default_device()
    if default.type == device.type and default.index is not None:
        return default
    return intern(device.type, 0)


class _Defaults(threading.local):
    def __init__(self) -> None:
        #: The devices whose blocks the thread is in, the innermost last; None is below all.
        self.contexts: list[Device | None] = [None]
        self.chosen: Device | None = None
        self.indices: dict[str, int] = {}


_defaults = _Defaults()


def _has_left(device: Device | None) -> None:
    if device is None:
        _defaults.contexts.append(None)
        raise TrilithRuntimeError("device context left more often than entered")
    _tell()


class _Leaving(io.RawIOBase):
    """Its `__exit__` leaves the innermost device's block.

    Python takes an interrupt before the first step of a function in Python, also of an `__exit__`:
    the block would stay entered for good. So what leaves it is C's up to the step that has left it:
    this `__exit__` drops what it is told of exceptions and calls `close`.
    """

    _contexts = map(operator.attrgetter("contexts"), itertools.repeat(_defaults))
    close: Any = map(_has_left, map(operator.methodcaller("pop"), _contexts)).__next__

    @property
    def closed(self) -> bool:
        """Whether there is nothing to close when this object ends."""
        return True


if not TYPE_CHECKING:
    Device.__exit__ = staticmethod(_Leaving().__exit__)


def set_current_index(device_type: str, index: int | None) -> int | None:
    """Choose the current device of a type in this thread; None takes the choice back.

    Returns what was chosen before.

    >>> set_current_index("opencl", 1)
    >>> home_of(Device("opencl"))
    device(type='opencl', index=1)
    >>> set_current_index("opencl", None)
    1
    """
    before = _defaults.indices.pop(device_type, None)
    if index is not None:
        _defaults.indices[device_type] = index
    _tell()
    return before


def default_devices() -> tuple[Any, ...]:
    """Return what this thread's choice of devices is, so that it can be restored."""
    return _defaults.chosen, tuple(_defaults.contexts), tuple(sorted(_defaults.indices.items()))


def restore_default_devices(choice: tuple[Any, ...]) -> None:
    """Choose devices as they were chosen before.

    >>> restore_default_devices(default_devices())
    """
    chosen, contexts, indices = choice
    _defaults.chosen = chosen
    _defaults.contexts[:] = contexts
    _defaults.indices.clear()
    _defaults.indices.update(indices)


def placement() -> object:
    """Return what decides where a thread's operations put results: a part of the key of a plan.

    >>> placement()
    device(type='cpu')
    """
    indices = _defaults.indices
    if indices:
        return get_default_device(), *sorted(indices.items())
    # As in get_default_device: this stands before every call.
    return _defaults.contexts[-1] or _defaults.chosen or cpu


def get_default_device() -> Device:
    """Return where factories of this thread put tensors: the innermost context, the choice, or cpu.

    >>> with Device("meta"):
    ...     get_default_device()
    device(type='meta')
    """
    return _defaults.contexts[-1] or _defaults.chosen or cpu


def set_default_device(value: "Device | str | int | None") -> None:
    """Choose the default device of this thread, existing or not; None returns to cpu.

    >>> set_default_device("opencl")
    >>> get_default_device()
    device(type='opencl')
    >>> set_default_device(None)
    """
    _defaults.chosen = None if value is None else _current(as_device(value))
    _tell()


def _tell() -> None:
    """Tell those who do not ask each time whether `placement()` may be another one than usual."""
    is_usual = not (_defaults.contexts[-1] or _defaults.chosen or _defaults.indices)
    (PLACES.remove if is_usual else PLACES.add)("place")


def _current(device: Device) -> Device:
    """Return the device itself, or the first one if it is the accelerator's type alone."""
    is_open = device.index is None and is_accelerator(device.type)
    return home_of(device) if is_open else device


def _from_one(value: object, keyword: str = "") -> Device:
    if isinstance(value, Device):
        return value
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        return intern(*parse(value))
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        got, rest = f"{keyword}{_type_name(value)}", ", " if keyword else ""
        raise _combination(got + rest, f"arguments have invalid types: (!{got}!{rest})")
    index = _check_index(value)
    accelerator = get_accelerator()
    if accelerator is None:
        raise no_accelerator()
    return intern(accelerator, index)


def no_accelerator() -> TrilithRuntimeError:
    """Return the error of what needs an accelerator where there is none."""
    return TrilithRuntimeError("Cannot access accelerator device when none is available.")


def _check_index(index: object) -> int:
    if isinstance(index, bool) or not hasattr(index, "__index__"):
        raise TrilithTypeError(
            f"device(): argument 'index' (position 2) must be int, not {_type_name(index)}"
        )
    number = operator.index(index)  # pyright: ignore[reportArgumentType]  # hasattr does not narrow
    if number < 0:
        raise TrilithRuntimeError("Device index must not be negative")
    if number > MAXIMUM_INDEX:
        raise TrilithRuntimeError(f"Could not parse device index '{number}'")
    return number


def _wrong_arguments(
    device_type: object,
    index: object,
    rest: tuple[object, ...],
    device: object,
    unknown: dict[str, object],
) -> TrilithTypeError:
    """Return the error for arguments that fit neither signature."""
    given = [_type_name(value) for value in (device_type, index, *rest) if value is not _MISSING]
    named = {"device": device}
    if device_type is _MISSING and index is not _MISSING:
        given, named = given[1:], {"index": index, "device": device}
    named |= unknown
    keywords = [name for name, value in named.items() if value is not _MISSING]
    got = ", ".join(given) + "".join(f"{name}={_type_name(named[name])}, " for name in keywords)
    reason = f"keywords were incorrect: {', '.join(keywords)}" if keywords else ""
    return _combination(got, reason)


def _combination(got: str, reason: str) -> TrilithTypeError:
    because = f"      didn't match because some of the {reason}\n" if reason else ""
    return TrilithTypeError(
        f"device() received an invalid combination of arguments - got ({got}), "
        f"but expected one of:\n{_SIGNATURES.format(reason=because)}"
    )


def _type_name(value: object) -> str:
    return "trilith.device" if isinstance(value, Device) else type(value).__name__


def _refuse_order(other: object) -> bool:
    if isinstance(other, Device):
        raise TrilithTypeError("comparison not implemented")
    return NotImplemented


# Held here so that the two devices every program uses are never interned anew.
cpu = Device(HOST)
meta = Device(META)
