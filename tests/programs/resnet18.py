"""A ResNet-18: what is on a picture? 20 convolutions with batch norms, in eight residual blocks.

Parameters are a dict with torchvision's names.
"""

import math

import trilith as torch
import trilith.nn.functional as F

Parameters = dict[str, torch.Tensor]


def spread(*shape: int, step: float, scale: float) -> torch.Tensor:
    """Return numbers that look drawn and are the same everywhere."""
    numbers = torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)
    return (torch.sin(numbers * step) * scale).float().view(shape)


def initialize(channels: int, classes: int) -> Parameters:
    parameters: Parameters = {}

    def convolution(name: str, outer: int, inner: int, size: int) -> None:
        step = 1.1 + 0.0137 * len(parameters)
        scale = math.sqrt(4 / (inner * size * size))
        parameters[name] = spread(outer, inner, size, size, step=step, scale=scale)

    def batch_norm(name: str, count: int) -> None:
        step = 0.7 + 0.0171 * len(parameters)
        parameters[f"{name}.weight"] = 1 + spread(count, step=step, scale=0.2)
        parameters[f"{name}.bias"] = spread(count, step=step + 0.1, scale=0.2)
        parameters[f"{name}.running_mean"] = spread(count, step=step + 0.2, scale=0.2)
        parameters[f"{name}.running_var"] = 1 + spread(count, step=step + 0.3, scale=0.4)

    convolution("conv1.weight", channels, 3, 7)
    batch_norm("bn1", channels)
    inner = channels
    for stage in range(1, 5):
        outer = channels * 2 ** (stage - 1)
        for block in range(2):
            name = f"layer{stage}.{block}"
            convolution(f"{name}.conv1.weight", outer, inner, 3)
            batch_norm(f"{name}.bn1", outer)
            convolution(f"{name}.conv2.weight", outer, outer, 3)
            batch_norm(f"{name}.bn2", outer)
            if inner != outer:
                convolution(f"{name}.downsample.0.weight", outer, inner, 1)
                batch_norm(f"{name}.downsample.1", outer)
            inner = outer
    parameters["fc.weight"] = spread(classes, inner, step=1.7, scale=1 / math.sqrt(inner))
    parameters["fc.bias"] = spread(classes, step=1.9, scale=0.1)
    return parameters


def batch_norm(x: torch.Tensor, parameters: Parameters, name: str) -> torch.Tensor:
    return F.batch_norm(
        x,
        parameters[f"{name}.running_mean"],
        parameters[f"{name}.running_var"],
        parameters[f"{name}.weight"],
        parameters[f"{name}.bias"],
        training=False,
    )


def basic_block(x: torch.Tensor, parameters: Parameters, name: str, stride: int) -> torch.Tensor:
    identity = x
    out = F.conv2d(x, parameters[f"{name}.conv1.weight"], stride=stride, padding=1)
    out = F.relu(batch_norm(out, parameters, f"{name}.bn1"))
    out = F.conv2d(out, parameters[f"{name}.conv2.weight"], stride=1, padding=1)
    out = batch_norm(out, parameters, f"{name}.bn2")
    if f"{name}.downsample.0.weight" in parameters:
        identity = F.conv2d(x, parameters[f"{name}.downsample.0.weight"], stride=stride)
        identity = batch_norm(identity, parameters, f"{name}.downsample.1")
    out += identity
    return F.relu(out, inplace=True)


def forward(x: torch.Tensor, parameters: Parameters) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the scores of the classes, and the last feature map."""
    x = F.conv2d(x, parameters["conv1.weight"], stride=2, padding=3)
    x = F.relu(batch_norm(x, parameters, "bn1"))
    x = F.max_pool2d(x, kernel_size=3, stride=2, padding=1)
    for stage in range(1, 5):
        for block in range(2):
            stride = 2 if stage > 1 and block == 0 else 1
            x = basic_block(x, parameters, f"layer{stage}.{block}", stride)
    features = x
    x = F.adaptive_avg_pool2d(x, (1, 1))
    x = torch.flatten(x, 1)
    return F.linear(x, parameters["fc.weight"], parameters["fc.bias"]), features


def classify(x: torch.Tensor, parameters: Parameters) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the three most likely classes of each picture, with their probabilities."""
    scores, _ = forward(x, parameters)
    probabilities, classes = F.softmax(scores, dim=1).topk(3, dim=1)
    return probabilities, classes
