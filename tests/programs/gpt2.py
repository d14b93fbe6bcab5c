"""A GPT-2: what comes after each token of a text? Embeddings, blocks of attention, a tied head.

Parameters are a dict with the names of the published checkpoints.
"""

import math

import trilith as torch
import trilith.nn.functional as F

Parameters = dict[str, torch.Tensor]


def spread(*shape: int, step: float, scale: float) -> torch.Tensor:
    """Return numbers that look drawn and are the same everywhere."""
    numbers = torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)
    return (torch.sin(numbers * step) * scale).float().view(shape)


def initialize(vocabulary: int, context: int, width: int, layers: int) -> Parameters:
    scale = 0.5 / math.sqrt(width)
    parameters = {
        "wte.weight": spread(vocabulary, width, step=1.3, scale=0.4),
        "wpe.weight": spread(context, width, step=0.7, scale=0.2),
    }
    for layer in range(layers):
        name = f"h.{layer}."
        for place, (part, inner, outer) in enumerate(
            (
                ("attn.c_attn", width, 3 * width),
                ("attn.c_proj", width, width),
                ("mlp.c_fc", width, 4 * width),
                ("mlp.c_proj", 4 * width, width),
            )
        ):
            step = 1.1 + 0.17 * place + 0.31 * layer
            # GPT-2's matrices are (inner, outer).
            parameters[f"{name}{part}.weight"] = spread(inner, outer, step=step, scale=4 * scale)
            parameters[f"{name}{part}.bias"] = spread(outer, step=step + 0.05, scale=scale)
        for part in ("ln_1", "ln_2"):
            parameters[f"{name}{part}.weight"] = 1 + spread(width, step=0.9, scale=0.1)
            parameters[f"{name}{part}.bias"] = spread(width, step=0.8, scale=0.1)
    parameters["ln_f.weight"] = 1 + spread(width, step=0.6, scale=0.1)
    parameters["ln_f.bias"] = spread(width, step=0.5, scale=0.1)
    return parameters


def layer_norm(x: torch.Tensor, parameters: Parameters, name: str) -> torch.Tensor:
    weight = parameters[f"{name}.weight"]
    return F.layer_norm(x, weight.shape, weight, parameters[f"{name}.bias"], 1e-5)


def linear(x: torch.Tensor, parameters: Parameters, name: str) -> torch.Tensor:
    bias, weight = parameters[f"{name}.bias"], parameters[f"{name}.weight"]
    size_out = (*x.size()[:-1], weight.size(1))
    return torch.addmm(bias, x.view(-1, x.size(-1)), weight).view(size_out)


def written_out(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Causal attention, step by step."""
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    mask = torch.tril(torch.ones(q.size(-2), k.size(-2), dtype=torch.bool))
    att = att.masked_fill(~mask, float("-inf"))
    att = F.softmax(att, dim=-1)
    return att @ v


def attention(
    x: torch.Tensor, parameters: Parameters, name: str, heads: int, flash: bool
) -> torch.Tensor:
    B, T, C = x.size()
    q, k, v = linear(x, parameters, f"{name}.c_attn").split(C, dim=2)
    q = q.view(B, T, heads, C // heads).transpose(1, 2)
    k = k.view(B, T, heads, C // heads).transpose(1, 2)
    v = v.view(B, T, heads, C // heads).transpose(1, 2)
    if flash:
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=True)
    else:
        y = written_out(q, k, v)
    y = y.transpose(1, 2).contiguous().view(B, T, C)
    return linear(y, parameters, f"{name}.c_proj")


def mlp(x: torch.Tensor, parameters: Parameters, name: str) -> torch.Tensor:
    x = F.gelu(linear(x, parameters, f"{name}.c_fc"), approximate="tanh")
    return linear(x, parameters, f"{name}.c_proj")


def forward(tokens: torch.Tensor, parameters: Parameters, heads: int, flash: bool) -> torch.Tensor:
    """Return the logits of the next token, for each token of each text."""
    _, T = tokens.size()
    pos = torch.arange(0, T, dtype=torch.long, device=tokens.device)
    tok_emb = F.embedding(tokens, parameters["wte.weight"])
    pos_emb = F.embedding(pos, parameters["wpe.weight"])
    x = tok_emb + pos_emb
    layers = sum(name.endswith("ln_1.weight") for name in parameters)
    for layer in range(layers):
        name = f"h.{layer}"
        x = x + attention(
            layer_norm(x, parameters, f"{name}.ln_1"), parameters, f"{name}.attn", heads, flash
        )
        x = x + mlp(layer_norm(x, parameters, f"{name}.ln_2"), parameters, f"{name}.mlp")
    x = layer_norm(x, parameters, "ln_f")
    return F.linear(x, parameters["wte.weight"])  # the head is the embedding


def forward_written_out(tokens: torch.Tensor, parameters: Parameters) -> torch.Tensor:
    return forward(tokens, parameters, 4, flash=False)


def forward_flash(tokens: torch.Tensor, parameters: Parameters) -> torch.Tensor:
    return forward(tokens, parameters, 4, flash=True)


def loss(tokens: torch.Tensor, parameters: Parameters) -> torch.Tensor:
    """Return how surprising a text is: the mean cross entropy of each next token."""
    logits = forward(tokens[:, :-1], parameters, 4, flash=True)
    return F.cross_entropy(logits.view(-1, logits.size(-1)), tokens[:, 1:].reshape(-1))


def greedy(tokens: torch.Tensor, parameters: Parameters, count: int) -> torch.Tensor:
    """Return a text with the most likely tokens appended, one after the other."""
    for _ in range(count):
        logits = forward_flash(tokens, parameters)[:, -1, :]
        _, best = torch.topk(logits, k=1, dim=-1)
        tokens = torch.cat((tokens, best), dim=1)
    return tokens
