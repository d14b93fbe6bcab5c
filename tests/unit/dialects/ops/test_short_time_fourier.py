"""Are stft's columns the transforms of windows, and does istft give the signal back?"""

from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects import frames

face: Any = tri
RANDOM = np.random.default_rng(11)


def windowed(signal: Any, points: int, hop: int, window: Any) -> Any:
    """Return the transforms of all windows of a signal, one in each column."""
    starts = range(0, len(signal) - points + 1, hop)
    return np.stack([np.fft.rfft(signal[k : k + points] * window) for k in starts], axis=1)


@pytest.mark.parametrize("hop", [1, 3])
def test_columns_are_transforms_of_windows(hop: int):
    signal, window = RANDOM.random(20), RANDOM.random(8)
    options = {"hop_length": hop, "window": tri.tensor(window), "return_complex": True}
    found = face.stft(tri.tensor(signal), 8, center=False, **options)
    np.testing.assert_allclose(found.numpy(), windowed(signal, 8, hop, window), atol=1e-12)
    centered = face.stft(tri.tensor(signal), 8, **options)
    expected = windowed(np.pad(signal, 4, mode="reflect"), 8, hop, window)
    np.testing.assert_allclose(centered.numpy(), expected, atol=1e-12)


def test_short_windows_stand_in_the_middle():
    signal, window = RANDOM.random(20), RANDOM.random(5)
    found = face.stft(
        *(tri.tensor(signal), 8, 2, 5),
        **{"window": tri.tensor(window), "center": False, "return_complex": True},
    )
    expected = windowed(signal, 8, 2, np.pad(window, (1, 2)))
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


@pytest.mark.parametrize("is_complex", [False, True])
def test_signals_come_back(is_complex: bool):
    signal = RANDOM.random((2, 64)) + (1j * RANDOM.random((2, 64)) if is_complex else 0)
    window = tri.hann_window(16, dtype=tri.float64)

    def there_and_back(x: Any) -> Any:
        spectra = face.stft(x, 16, window=window, return_complex=True, normalized=True)
        options = {"window": window, "normalized": True, "length": 64}
        return face.istft(spectra, 16, return_complex=is_complex, **options)

    for of in (there_and_back, tri.compile(there_and_back)):
        np.testing.assert_allclose(of(tri.tensor(signal)).numpy(), signal, atol=1e-12)


def test_refusals_are_those_of_torch():
    x, window = tri.ones(8), tri.ones(4)
    with pytest.raises(RuntimeError, match="stft requires the return_complex parameter be given"):
        face.stft(x, 4, window=window)
    with pytest.raises(RuntimeError) as caught:
        face.stft(x, 4, hop_length=0, window=window, return_complex=True)
    error: Any = caught.value
    assert error.message == (
        "stft(trilith.FloatTensor[12], n_fft=4, hop_length=0, win_length=4, "
        "window=trilith.FloatTensor{[4]}, normalized=0, onesided=None, return_complex=1, "
        "align_to_window=None) : expected hop_length > 0, but got hop_length=0"
    )
    with pytest.raises(RuntimeError, match="window overlap add min: 1"):
        face.istft(tri.ones(3, 5) + 0j, 4, window=tri.zeros(4))


def test_a_signal_without_a_window_is_warned_of(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(frames, "WARNED", set[str]())
    with pytest.warns(UserWarning, match="A window was not provided"):
        face.stft(tri.ones(8), 4, return_complex=True)
