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
    "nansum": lambda a: a.holes.nansum(),
    "nanmean": lambda a: a.holes.nanmean(),
    "norm": lambda a: a.x.norm(),
    "count_nonzero": lambda a: a.x.count_nonzero(),
    "layer_norm": lambda a: F.layer_norm(a.x, (4,), eps=a.eps),
    "rms_norm": lambda a: F.rms_norm(a.x, (4,), eps=a.eps),
    "mm": lambda a: a.x.mm(a.y.T),
    "bmm": lambda a: a.x[None].bmm(a.y.T[None]),
    "mv": lambda a: a.x.mv(a.y[0]),
    **{
        name: lambda a, name=name: getattr(torch, name)(a.x[0], a.y[0])
        for name in ("dot", "vdot", "outer", "ger")
    },
    "addmm": lambda a: torch.addmm(a.input, a.x, a.y.T),
    "linear": lambda a: F.linear(a.x, a.weight, a.bias),
    "trace": lambda a: a.input.trace(),
    "xlogy": lambda a: torch.xlogy(a.x, a.y),
    "logit": lambda a: a.u.logit(),
    "log10": lambda a: a.y.log10(),
    "concat": lambda a: torch.concat([a.x, a.y]),
    "concatenate": lambda a: torch.concatenate([a.x, a.y]),
    "diff": lambda a: a.x.diff(),
    "one_hot": lambda a: F.one_hot(a.n, a.num_classes),
    "embedding": lambda a: F.embedding(a.n, a.weight),
    "range": lambda a: torch.arange(a.start, a.end + 1.0),
    "quantile": lambda a: a.x.quantile(a.q),
    "bincount": lambda a: a.n.bincount(),
}
OF_TWO = set("dist equal allclose inner logaddexp".split())
ALONG_DIM = set("argmin var std logsumexp softmax softmin log_softmax argsort".split())
OF_ONE = set("sinh cosh tan erfc".split())


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
