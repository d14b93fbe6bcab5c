"""An LSTM: one step of its cell, and a walk along a sequence."""

import math

import trilith as torch
import trilith.nn.functional as F

State = tuple[torch.Tensor, torch.Tensor]


def spread(*shape: int, step: float, scale: float) -> torch.Tensor:
    """Return numbers that look drawn and are the same everywhere."""
    numbers = torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)
    return (torch.sin(numbers * step) * scale).float().view(shape)


def initialize(inner: int, hidden: int) -> dict[str, torch.Tensor]:
    scale = 2 / math.sqrt(hidden)
    return {
        "weight_ih": spread(4 * hidden, inner, step=1.3, scale=scale),
        "weight_hh": spread(4 * hidden, hidden, step=1.7, scale=scale),
        "bias_ih": spread(4 * hidden, step=0.9, scale=scale),
        "bias_hh": spread(4 * hidden, step=0.7, scale=scale),
    }


def step(x: torch.Tensor, state: State, parameters: dict[str, torch.Tensor]) -> State:
    """Return hidden state and cell after one more input."""
    h, c = state
    gates = F.linear(x, parameters["weight_ih"], parameters["bias_ih"])
    gates = gates + F.linear(h, parameters["weight_hh"], parameters["bias_hh"])
    i, f, g, o = gates.chunk(4, dim=1)
    i, f, o = torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o)
    c = f * c + i * torch.tanh(g)
    h = o * torch.tanh(c)
    return h, c


def walk(inputs: torch.Tensor, parameters: dict[str, torch.Tensor]) -> tuple[torch.Tensor, State]:
    """Return the hidden states of a sequence [time, batch, inner], and the last state."""
    hidden = parameters["weight_hh"].shape[1]
    h = inputs.new_zeros(inputs.size(1), hidden)
    c = torch.zeros_like(h)
    outputs: list[torch.Tensor] = []
    for x in inputs.unbind(0):
        h, c = step(x, (h, c), parameters)
        outputs.append(h)
    return torch.stack(outputs), (h, c)
