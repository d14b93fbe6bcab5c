"""How probable is a sequence of labels that moments spell, whatever their alignment is?

Each moment says a label or a blank; repeated labels are one, blanks are left out: A. Graves et al.,
"Connectionist temporal classification" (2006). The states of an example are its labels with blanks
around them; a path stays in a state, goes on to the next one, or leaves out a blank between labels
that differ. One moment is taken for all examples at once, with logarithms in float64.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...dialects.diagnostics import TrilithRuntimeError
from .bodies import Array, Arrays

#: Below all logarithms but that of 0.
_LOWEST = np.finfo(np.float64).min
_CHECKING = "(while checking arguments for ctc_loss_allocate_outputs)"


def ctc_loss(operands: Arrays, results: Arrays, *, blank: int, zero_infinity: bool) -> None:
    """Fill the negated logarithm of the probability of each example's labels."""
    paths = _paths(*_four(operands), blank)
    last = np.full(paths.said.shape[1:], -np.inf)
    for moment, state in _walk(paths):
        is_end = paths.lengths == moment + 1
        last[is_end] = state[is_end]
    (found,) = results
    found[...] = _losses(paths, last)


def ctc_loss_backward(
    operands: Arrays, results: Arrays, *, blank: int, zero_infinity: bool
) -> None:
    """Fill the gradient of logarithms of probabilities that are those of a softmax, as PyTorch's.

    It is that of what the softmax was computed from: all of an example sum up to 0.
    """
    grad, (found,) = operands[0], results
    paths = _paths(*_four(operands[1:]), blank)
    shares, losses = _shares(paths)
    probable = operands[1].astype(np.float64)
    slopes = np.exp(probable)
    slopes[..., blank] -= shares[..., ::2].sum(-1)
    examples = np.arange(len(losses))
    for place in range(paths.targets.shape[1]):
        share = np.where(place < paths.target_lengths, shares[..., 2 * place + 1], 0)
        slopes[:, examples, paths.targets[:, place]] -= share
    # What cannot be said has a share of 0 in no probability.
    slopes[np.isneginf(probable) | np.isinf(losses)[:, None]] = np.nan
    slopes *= grad.astype(np.float64)[:, None]
    is_over: Array = np.arange(len(slopes))[:, None] >= paths.lengths
    if zero_infinity:
        is_over = is_over | np.isinf(losses)
    slopes[is_over] = 0
    found[...] = slopes


@dataclass(frozen=True, slots=True)
class _Paths:
    """The states of all examples: `said[moment, example, state]` is how probable its label is.

    `skips` are 0 for those that can be entered from two states before, and else -inf.
    """

    said: Array
    skips: Array
    targets: Array
    lengths: Array
    target_lengths: Array


def _four(operands: Arrays) -> tuple[Array, Array, Array, Array]:
    first, second, third, fourth = operands
    return first, second, third, fourth


def _paths(
    log_probs: Array, targets: Array, lengths: Array, target_lengths: Array, blank: int
) -> _Paths:
    """Return the states, or refuse lengths and labels."""
    targets = _rows(targets, target_lengths)
    moments, examples, labels = log_probs.shape
    _check_lengths(lengths, moments)
    is_there = np.less(np.arange(int(targets.shape[1])), target_lengths[:, None])
    targets = np.where(is_there, targets, blank)
    if ((targets < 0) | (targets >= labels)).any():
        raise TrilithRuntimeError(f"targets must be in label range, 0 to {labels - 1}")
    states = np.full((examples, 2 * targets.shape[1] + 1), blank)
    states[:, 1::2] = targets
    skips = np.full(states.shape, -np.inf)
    skips[:, 2:][states[:, 2:] != states[:, :-2]] = 0
    said = np.take_along_axis(log_probs, states[None], 2).astype(np.float64)
    return _Paths(said, skips, targets, lengths, target_lengths)


def _losses(paths: _Paths, last: Array) -> Array:
    """Return the losses, given the states after the last moment of each example."""
    examples = np.arange(len(last))
    end = 2 * paths.target_lengths
    label = np.where(end > 0, last[examples, np.maximum(end - 1, 0)], -np.inf)
    found = -np.logaddexp(last[examples, end], label)
    return np.where(paths.lengths > 0, found, np.where(end > 0, np.inf, -0.0))


def _rows(targets: Array, target_lengths: Array) -> Array:
    """Return the labels of each example in a row, given in rows or one after the other."""
    short = target_lengths[target_lengths < 0]
    if short.size:
        raise TrilithRuntimeError(
            f"Expected target_lengths to have value at least 0, but got value {short[0]} "
            f"{_CHECKING}"
        )
    longest = int(target_lengths.max(initial=0))
    if targets.ndim == 2:
        if targets.shape[1] < longest:
            raise TrilithRuntimeError(
                f"Expected tensor to have size at least {longest} at dimension 1, but got size "
                f"{targets.shape[1]} for argument #2 'targets' {_CHECKING}"
            )
        return targets[:, :longest]
    total = int(target_lengths.sum())
    if len(targets) != total:
        raise TrilithRuntimeError(
            f"Expected tensor to have size {total} at dimension 0, but got size {len(targets)} "
            f"for argument #2 'targets' {_CHECKING}"
        )
    rows = np.zeros((len(target_lengths), longest), np.int64)
    rows[np.arange(longest) < target_lengths[:, None]] = targets
    return rows


def _check_lengths(lengths: Array, moments: int) -> None:
    for length in lengths.tolist():
        if not 0 <= length <= moments:
            bound = f"least {0}" if length < 0 else f"most {moments}"
            raise TrilithRuntimeError(
                f"Expected input_lengths to have value at {bound}, but got value {length} "
                f"{_CHECKING}"
            )


def _walk(paths: _Paths) -> Iterator[tuple[int, Array]]:
    """Return, moment by moment, how probable it is to come to each state and to say its label."""
    said = paths.said
    padded = np.full((said.shape[1], said.shape[2] + 2), -np.inf)
    state = padded[:, 2:]
    # From the state itself, from the one before, from the one before that.
    ways = np.empty((3, *state.shape))
    for moment in range(int(paths.lengths.max(initial=0))):
        if moment:
            ways[0] = state
            ways[1] = padded[:, 1:-1]
            np.add(padded[:, :-2], paths.skips, out=ways[2])
            # No difference of infinities: what is lower than all numbers stays 0.
            base = np.maximum(ways.max(0), _LOWEST)
            ways -= base
            np.exp(ways, out=ways)
            np.log(ways.sum(0), out=state)
            state += base
            state += said[moment]
        else:
            state[:, :2] = said[0, :, :2]
        yield moment, state


def _shares(paths: _Paths) -> tuple[Array, Array]:
    """Return which share of an example's probability goes through each state, and the losses.

    What comes after a state is what comes before it where moments and labels are reversed: both are
    walked at once.
    """
    moments, examples, states = paths.said.shape
    each = np.arange(len(paths.lengths))
    ends, lasts = paths.lengths - 1, 2 * paths.target_lengths[:, None]
    moment = np.maximum(np.subtract(ends, np.arange(int(moments))[:, None]), 0)
    state = np.maximum(np.subtract(lasts, np.arange(int(states))), 0)
    # State s of the reversed labels is entered from s - 2 if this one is entered from that.
    skips = np.full(paths.skips.shape, -np.inf)
    skips[:, 2:] = paths.skips[each[:, None], state[:, :-2]]
    said = paths.said[moment[:, :, None], each[:, None], state]
    both = _Paths(
        np.concatenate([paths.said, said], 1),
        np.concatenate([paths.skips, skips]),
        paths.targets,
        np.concatenate([paths.lengths] * 2),
        paths.target_lengths,
    )
    walked = np.full(both.said.shape, -np.inf)
    for number, probable in _walk(both):
        walked[number] = probable
    before, after = walked[:, :examples], walked[:, examples:]
    losses = _losses(paths, before[moment[0], each])
    after = after[moment[:, :, None], each[:, None], state]
    # A state has said its label once before and once after.
    shares = np.exp(before + after - paths.said + losses[:, None])
    # Those behind the last one belong to longer labels of other examples.
    shares[:, np.arange(int(states)) > lasts] = 0
    return shares, losses
