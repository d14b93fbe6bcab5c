"""What does PyTorch answer where trilith says what to write instead? Prints `replacements.json`.

It needs torch 2.13. The operands are recorded with the answers.
"""

import json
from types import SimpleNamespace

import torch

OPERANDS = {
    "x": [[0.5, -1.25, 2.0, 3.5], [-0.75, 0.25, 1.5, -2.5], [4.0, 0.125, -3.0, 1.0]],
    "y": [[1.5, 0.75, 2.0, 0.5], [2.25, 1.25, 3.0, 0.25], [0.5, 2.5, 1.0, 1.75]],
    "u": [[0.25, 0.5, 0.75, 0.125], [0.0625, 0.375, 0.875, 0.625], [0.1875, 0.3125, 0.9, 0.1]],
    "holes": [[1.0, float("nan"), 2.0], [float("nan"), 4.0, 8.0]],
    "input": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]],
    "weight": [[1.0, 2.0, -1.0, 0.5], [0.25, 1.0, 3.0, -2.0]],
    "bias": [0.5, -0.5],
    "n": [1, 0, 1],
    "dim": 1,
    "eps": 1e-5,
    "value": 0.5,
    "q": 0.25,
    "alpha": 1.5,
    "negative_slope": 0.01,
    "num_classes": 3,
    "start": 1,
    "end": 4,
}
F = torch.nn.functional
SPECIAL = {
    "cummax": lambda a: a.x.cummax(a.dim).values,
    "sort": lambda a: tuple(a.x.sort(a.dim)),
    "nansum": lambda a: a.holes.nansum(),
    "nanmean": lambda a: a.holes.nanmean(),
    "norm": lambda a: a.x.norm(),
    "count_nonzero": lambda a: a.x.count_nonzero(),
    "layer_norm": lambda a: F.layer_norm(a.x, (4,), eps=a.eps),
    "rms_norm": lambda a: F.rms_norm(a.x, (4,), eps=a.eps),
    "normalize": lambda a: F.normalize(a.x, dim=a.dim),
    "cosine_similarity": lambda a: F.cosine_similarity(a.x, a.y, a.dim),
    "trace": lambda a: a.input.trace(),
    "addcmul": lambda a: torch.addcmul(a.u, a.x, a.y, value=a.value),
    "addcdiv": lambda a: torch.addcdiv(a.u, a.x, a.y, value=a.value),
    "lerp": lambda a: a.x.lerp(a.y, a.value),
    "float_power": lambda a: a.y.float_power(a.x),
    "xlogy": lambda a: torch.xlogy(a.x, a.y),
    "logit": lambda a: a.u.logit(),
    "log10": lambda a: a.y.log10(),
    "leaky_relu": lambda a: F.leaky_relu(a.x, a.negative_slope),
    "elu": lambda a: F.elu(a.x, a.alpha),
    "concat": lambda a: torch.concat([a.x, a.y]),
    "concatenate": lambda a: torch.concatenate([a.x, a.y]),
    "diff": lambda a: a.x.diff(),
    "one_hot": lambda a: F.one_hot(a.n, a.num_classes),
    "embedding": lambda a: F.embedding(a.n, a.weight),
    "range": lambda a: torch.arange(a.start, a.end + 1.0),
    "unique": lambda a: a.x.unique(),
    "quantile": lambda a: a.x.quantile(a.q),
    "bincount": lambda a: a.n.bincount(),
}
OF_TWO = set(
    """dist mse_loss l1_loss isclose fmod hypot logaddexp fmax fmin greater
greater_equal less less_equal not_equal""".split()
)
ALONG_DIM = set("argmin var std logsumexp softmax softmin log_softmax argsort".split())
OF_ONE = set(
    """frac fix deg2rad rad2deg sinh cosh tan erfc relu6 hardtanh hardsigmoid hardswish
softplus logsigmoid softsign tanhshrink""".split()
)


def plain(value: object) -> object:
    """Return an answer as lists and numbers."""
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, torch.Tensor) else value


def main() -> None:
    """Print the record."""
    held = {k: torch.tensor(v) if isinstance(v, list) else v for k, v in OPERANDS.items()}
    a = SimpleNamespace(**held)
    answers = {name: plain(call(a)) for name, call in SPECIAL.items()}
    for names, rest in ((OF_TWO, (a.y,)), (ALONG_DIM, (a.dim,)), (OF_ONE, ())):
        for name in names:
            function = getattr(torch, name, None) or getattr(F, name)
            answers[name] = plain(function(a.x, *rest))
    record = {"operands": OPERANDS, "answers": dict(sorted(answers.items()))}
    print(json.dumps(record))


if __name__ == "__main__":
    main()
