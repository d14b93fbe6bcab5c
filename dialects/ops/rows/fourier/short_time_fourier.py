"""Which operations look at frequencies as they change? stft of windows that overlap, and back."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import Category, complex64, complex128, float32, float64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ....frames import warn_once, warn_user
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.opspec import composite
from ...frame.row import TABLE, TensorLanguage
from ...frame.view_rows import tensor_of
from ...frame.windows import overlap_add
from .fourier import BY_NUMBER, BY_ROOT, NO_SCALE

#: How PyTorch's warning about a window that is not given ends.
_RECTANGULAR = (
    "To suppress this warning and use a rectangular window, explicitly set "
    "`window=trilith.ones(n_fft, device=<device>)`."
)


def _shown(value: Any) -> str:
    return "None" if value is None else str(int(value))


def _window_shown(t: TensorLanguage, window: Any | None) -> str:
    if window is None:
        return "None"
    spec = tensor_of(t, window)
    return f"trilith.{spec.dtype.c_name}Tensor{{{list(spec.shape)}}}"


def _window_of(t: TensorLanguage, spec: TensorSpec, window: Any | None, *sizes: int) -> Any | None:
    """Return the window in the middle of `n_fft` points; one of ones over all is none."""
    points, length = sizes
    if window is None and length == points:
        return None
    if window is None:
        window = t.call("ones", (length,), dtype=spec.dtype.to_real(), device=spec.device)
    left = (points - length) // 2
    margins = (left, points - length - left)
    return t.call("pad", window, margins) if any(margins) else window


# ---- there


def _centered(t: TensorLanguage, input: Any, margin: int, mode: str) -> Any:
    """Return the signal with as much on both sides as half a window reaches over."""
    shape = tensor_of(t, input).shape
    whole = t.call("view", input, (1,) * (3 - len(shape)) + shape)
    wide = t.call("pad", whole, (margin, margin), mode)
    sizes = tensor_of(t, wide).shape
    return t.call("view", wide, sizes[len(sizes) - len(shape) :])


def _stft(
    t: TensorLanguage,
    input: Any,
    n_fft: int,
    hop_length: int | None,
    win_length: int | None,
    window: Any | None,
    center: bool,
    pad_mode: str,
    normalized: bool,
    onesided: bool | None,
    return_complex: bool | None,
    align_to_window: bool | None,
) -> Any:
    if center:
        if align_to_window is not None:
            raise TrilithRuntimeError("stft align_to_window should only be set when center = false")
        input = _centered(t, input, n_fft // 2, pad_mode)
    spec = tensor_of(t, input)
    _warn_of_window(window)
    is_complex = spec.dtype.is_complex or (
        window is not None and tensor_of(t, window).dtype.is_complex
    )
    gives_complex = is_complex if return_complex is None else return_complex
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    text = (
        f"stft(trilith.{spec.dtype.c_name}Tensor{list(spec.shape)}, n_fft={n_fft}, "
        f"hop_length={hop}, win_length={length}, window={_window_shown(t, window)}, "
        f"normalized={int(normalized)}, onesided={_shown(onesided)}, "
        f"return_complex={int(gives_complex)}, align_to_window={_shown(align_to_window)}) : "
    )
    _check_complex(return_complex, gives_complex=gives_complex)
    _check_signal(t, text, spec, (n_fft, hop, length), window)
    signal = input if spec.rank == 2 else t.call("unsqueeze", input, 0)
    frames = (
        _aligned(t, signal, n_fft, hop, length, pad_mode)
        if align_to_window and not center
        else t.call("unfold", signal, 1, n_fft, hop)
    )
    padded = _window_of(t, spec, window, n_fft, length)
    found = frames if padded is None else t.call("mul", frames, padded)
    is_half = not is_complex if onesided is None else onesided
    if is_complex and is_half:
        raise TrilithRuntimeError("Cannot have onesided output if window or input is complex")
    dtype = tensor_of(t, found).dtype
    if dtype.to_real() not in (float32, float64):
        raise TrilithRuntimeError(f"MKL FFT doesn't support tensors of type: {dtype.c_name}")
    scale = BY_ROOT if normalized else NO_SCALE
    row, last = ("fft_complex", True) if is_complex else ("fft_real", is_half)
    turned = t.call("transpose", t.call(row, found, (2,), scale, last), 1, 2)
    result = turned if spec.rank == 2 else t.call("squeeze", turned, 0)
    return result if gives_complex else t.call("view_as_real", result)


def _aligned(
    t: TensorLanguage, signal: Any, points: int, hop: int, length: int, pad_mode: str
) -> Any:
    """Return the frames whose windows, which are shorter, begin with the signal."""
    left = (points - length) // 2
    count = 1 + (tensor_of(t, signal).shape[1] - length) // hop
    wide = _centered(t, signal, points - length - left, pad_mode)
    start = points - length - 2 * left
    frames = t.call("unfold", t.call("slice", wide, 1, start), 1, points, hop)
    return t.call("narrow", frames, 1, 0, count)


def _warn_of_window(window: Any | None) -> None:
    if window is None:
        # The words run together in PyTorch, too.
        warn_once(
            "A window was not provided. A rectangular window will be applied,which is known to "
            "cause spectral leakage. Other windows such as trilith.hann_window or "
            f"trilith.hamming_window are recommended to reduce spectral leakage.{_RECTANGULAR}"
        )


def _check_complex(asked: bool | None, *, gives_complex: bool) -> None:
    """Refuse to give pairs unless somebody asks for them."""
    if gives_complex:
        return
    if asked is None:
        raise TrilithRuntimeError(
            "stft requires the return_complex parameter be given for real inputs, and will further "
            "require that return_complex=True in a future PyTorch release."
        )
    warn_once(
        "stft with return_complex=False is deprecated. In a future pytorch release, stft will "
        "return complex tensors for all inputs, and return_complex=False will raise an error.\n"
        "Note: you can still call trilith.view_as_real on the complex output to recover the old "
        "return format."
    )


def _check_signal(
    t: TensorLanguage, text: str, spec: TensorSpec, sizes: tuple[int, int, int], window: Any | None
) -> None:
    points, hop, length = sizes
    if spec.dtype.category < Category.FLOATING:
        raise TrilithRuntimeError(f"{text}expected a tensor of floating point or complex values")
    if spec.rank not in (1, 2):
        raise TrilithRuntimeError(f"{text}expected a 1D or 2D tensor")
    count = spec.shape[-1]
    if not 0 < points <= count:
        raise TrilithRuntimeError(f"{text}expected 0 < n_fft < {count}, but got n_fft={points}")
    if hop <= 0:
        raise TrilithRuntimeError(f"{text}expected hop_length > 0, but got hop_length={hop}")
    if not 0 < length <= points:
        raise TrilithRuntimeError(
            f"{text}expected 0 < win_length <= n_fft, but got win_length={length}"
        )
    if window is not None and tensor_of(t, window).shape != (length,):
        raise TrilithRuntimeError(
            f"{text}expected a 1D window tensor of size equal to win_length={length}, but got "
            f"window with size {list(tensor_of(t, window).shape)}"
        )


composite(
    "stft(Tensor input, int n_fft, int? hop_length=None, int? win_length=None, "
    "Tensor? window=None, bool center=True, str pad_mode='reflect', bool normalized=False, "
    "bool? onesided=None, bool? return_complex=None, bool? align_to_window=None)",
    "The Fourier transforms of windows of a signal: frequencies in rows, windows in columns.",
    "tri.stft(tri.ones(8), 4, window=tri.ones(4), return_complex=True).shape"
    "  # trilith.Size([3, 9])",
    _stft,
)

# ---- and back


def _istft(
    t: ValueLanguage,
    input: Any,
    n_fft: int,
    hop_length: int | None,
    win_length: int | None,
    window: Any | None,
    center: bool,
    normalized: bool,
    onesided: bool | None,
    length: int | None,
    return_complex: bool,
) -> Any:
    spec = tensor_of(t, input)
    if window is None:
        warn_once(
            "A window was not provided. A rectangular window will be applied.Please provide the "
            f"same window used by stft to make the inversion lossless.{_RECTANGULAR}"
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    text = (
        f"istft(CPU{spec.dtype.c_name}Type{list(spec.shape)}, n_fft={n_fft}, hop_length={hop}, "
        f"win_length={width}, window={_window_shown(t, window)}, center={int(center)}, "
        f"normalized={int(normalized)}, onesided={_shown(onesided)}, length={_shown(length)}, "
        f"return_complex={int(return_complex)}) "
    )
    if spec.dtype not in (complex64, complex128):
        raise TrilithRuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with "
            "return_complex=True."
        )
    is_half = spec.shape[-2] != n_fft if onesided is None and spec.rank > 1 else bool(onesided)
    _check_spectrum(text, spec, n_fft, is_half=is_half)
    _check_windows(t, text, (n_fft, hop, width), window)
    if window is not None and tensor_of(t, window).dtype.is_complex and not return_complex:
        raise TrilithRuntimeError("Complex windows are incompatible with return_complex=False")
    if return_complex and is_half:
        raise TrilithRuntimeError("Cannot have onesided output if window or input is complex")
    spectra = t.call("transpose", input if spec.rank == 3 else t.call("unsqueeze", input, 0), 1, 2)
    frames = _frames(t, spectra, n_fft, BY_ROOT if normalized else BY_NUMBER, return_complex)
    padded = _window_of(t, spec, window, n_fft, width)
    if padded is None:
        options = {"dtype": spec.dtype.to_real(), "device": spec.device}
        padded = t.call("ones", (n_fft,), **options)
    signal = _added(t, t.call("mul", frames, padded), hop)
    squares = t.call("expand", t.call("mul", padded, padded), (1, *tensor_of(t, frames).shape[1:]))
    envelope = _added(t, squares, hop)
    signal, envelope = (_cut(t, each, n_fft // 2, center, length) for each in (signal, envelope))
    _check_envelope(t, text, envelope)
    result = t.call("true_divide", signal, envelope)
    if spec.rank == 2:
        result = t.call("squeeze", result, 0)
    missing = 0 if length is None else length - tensor_of(t, result).shape[-1]
    if missing <= 0:
        return result
    warn_user(
        "The length of signal is shorter than the length parameter. Result is being padded with "
        "zeros in the tail. Please check your center and hop_length settings."
    )
    return t.call("pad", result, (0, missing))


def _check_spectrum(text: str, spec: TensorSpec, points: int, *, is_half: bool) -> None:
    if not spec.numel:
        raise TrilithRuntimeError(f"{text}: input tensor cannot be empty.")
    if spec.rank not in (2, 3):
        if spec.rank < 2:
            raise TrilithIndexError(
                f"Dimension out of range (expected to be in range of [{-spec.rank - 1}, "
                f"{spec.rank}], but got -3)"
            )
        # PyTorch counts the parts of complex numbers as a dim.
        raise TrilithRuntimeError(
            f"{text}: expected a tensor with 3 or 4 dimensions, but got {spec.rank + 1}"
        )
    found, wanted = spec.shape[-2], points // 2 + 1 if is_half else points
    if found != wanted:
        word = "n_fft / 2 + 1 when onesided=True" if is_half else "n_fft when onesided=False"
        raise TrilithRuntimeError(
            f"{text}: expected the frequency dimension (3rd to the last) of the input tensor to "
            f"match {word}, but got {found}"
        )


def _check_windows(
    t: TensorLanguage, text: str, sizes: tuple[int, int, int], window: Any | None
) -> None:
    points, hop, width = sizes
    if not 0 < hop <= width:
        raise TrilithRuntimeError(f"{text}: expected 0 < hop_length <= win_length")
    if not 0 < width <= points:
        raise TrilithRuntimeError(f"{text}: expected 0 < win_length <= n_fft")
    if window is not None and tensor_of(t, window).shape != (width,):
        raise TrilithRuntimeError(
            f"{text}: Invalid window shape. window has to be 1D and length of `win_length`"
        )


def _frames(t: TensorLanguage, spectra: Any, points: int, scale: int, is_complex: bool) -> Any:
    """Return what the spectra are those of, in rows."""
    if is_complex:
        return t.call("fft_complex", spectra, (2,), scale, False)
    half = points // 2 + 1
    if tensor_of(t, spectra).shape[2] != half:
        spectra = t.call("narrow", spectra, 2, 0, half)
    return t.call("fft_back", spectra, (2,), scale, points)


def _added(t: TensorLanguage, frames: Any, hop: int) -> Any:
    """Return the sums of frames where they overlap, each a hop behind the last."""
    return overlap_add(t, t.call("transpose", frames, 1, 2), 1, hop, 1)


def _cut(t: TensorLanguage, signal: Any, half: int, center: bool, length: int | None) -> Any:
    """Return the signal without what was put around it, or so much of it."""
    count = tensor_of(t, signal).shape[1]
    start = half if center else 0
    end = count - half if center else count
    if length is not None:
        end = start + length
    return t.call("slice", signal, 1, start, end)


def _check_envelope(t: ValueLanguage, text: str, envelope: Any) -> None:
    """Refuse windows that leave nothing of some samples, if their elements are known."""
    is_low = t.call("lt", t.call("abs", envelope), 1e-11)
    if t.number(t.call("sum", is_low)):
        raise TrilithRuntimeError(f"{text}window overlap add min: 1\n[ CPUBoolType{{}} ]")


TABLE.add(
    HostOp(
        "istft(Tensor input, int n_fft, int? hop_length=None, int? win_length=None, "
        "Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, "
        "int? length=None, bool return_complex=False)",
        "The signal that `stft` gave windows' transforms of, by its least squares.",
        "tri.istft(tri.ones(3, 1) + 0j, 4, window=tri.ones(4), center=False)"
        "  # tensor([1., 0., 0., 0.])",
        _istft,
    )
)
