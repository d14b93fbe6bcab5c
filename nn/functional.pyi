"""Types of `trilith.nn.functional`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias, overload

import numpy as np

from ..dialects.attributes.device import Device as device
from ..dialects.attributes.dtype import DType as dtype
from ..runtime.tensors.generators import Generator
from ..runtime.tensors.tensor import Tensor

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def adaptive_avg_pool1d(input: _Array, output_size: _Ints) -> Tensor:
    """The means of windows of the last dim, as many as asked for."""

def adaptive_avg_pool2d(
    input: _Array, output_size: builtins.int | None | Sequence[builtins.int | None] | None
) -> Tensor:
    """The means of windows of the last 2 dims, as many as asked for."""

def adaptive_avg_pool3d(
    input: _Array, output_size: builtins.int | None | Sequence[builtins.int | None] | None
) -> Tensor:
    """The means of windows of the last 3 dims, as many as asked for."""

def adaptive_max_pool1d(
    input: _Array, output_size: _Ints, return_indices: builtins.bool = False
) -> Any:
    """The largest elements of windows of the last dim, as many as asked for."""

def adaptive_max_pool1d_with_indices(
    input: _Array, output_size: _Ints, return_indices: builtins.bool = False
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of the last dim, as many as asked for, and where they are."""

def adaptive_max_pool2d(
    input: _Array,
    output_size: builtins.int | None | Sequence[builtins.int | None] | None,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest elements of windows of the last 2 dims, as many as asked for."""

def adaptive_max_pool2d_with_indices(
    input: _Array,
    output_size: builtins.int | None | Sequence[builtins.int | None] | None,
    return_indices: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of the last 2 dims, as many as asked for, and where they
    are.
    """

def adaptive_max_pool3d(
    input: _Array,
    output_size: builtins.int | None | Sequence[builtins.int | None] | None,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest elements of windows of the last 3 dims, as many as asked for."""

def adaptive_max_pool3d_with_indices(
    input: _Array,
    output_size: builtins.int | None | Sequence[builtins.int | None] | None,
    return_indices: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of the last 3 dims, as many as asked for, and where they
    are.
    """

def affine_grid(theta: _Array, size: _Ints, align_corners: builtins.bool | None = None) -> Tensor:
    """The grid that affine maps make of the places of an image of that size, for grid_sample."""

def alpha_dropout(
    input: _Array,
    p: builtins.complex = 0.5,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
) -> Tensor:
    """The input with elements dropped as selu wants it."""

def avg_pool1d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
) -> Tensor:
    """The mean of each window of the last dim; padding counts as zeros if count_include_pad is
    set.
    """

def avg_pool2d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
    divisor_override: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of each window of the last 2 dims; padding counts as zeros if count_include_pad is
    set.
    """

def avg_pool3d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
    divisor_override: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of each window of the last 3 dims; padding counts as zeros if count_include_pad is
    set.
    """

def batch_norm(
    input: _Array,
    running_mean: _Array | None,
    running_var: _Array | None,
    weight: _Array | None = None,
    bias: _Array | None = None,
    training: builtins.bool = False,
    momentum: builtins.float = 0.1,
    eps: builtins.float = 1e-05,
) -> Tensor:
    """The elements of each channel less their mean, divided by their standard deviation, then
    scaled and moved; by running statistics if it is no training.
    """

def bilinear(input1: _Array, input2: _Array, weight: _Array, bias: _Array | None = None) -> Tensor:
    """The products of two inputs with a matrix for each output: input1 @ weight[i] @ input2."""

def binary_cross_entropy(
    input: _Array,
    target: _Array,
    weight: _Array | None = None,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The cross entropy of probabilities, each of one thing or its opposite, reduced."""

def binary_cross_entropy_with_logits(
    input: _Array,
    target: _Array,
    weight: _Array | None = None,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
    pos_weight: _Array | None = None,
) -> Tensor:
    """The binary cross entropy of sigmoid(input), reduced."""

def celu(input: _Array, alpha: builtins.complex = 1.0, inplace: builtins.bool = False) -> Tensor:
    """`celu`, which may write into its operand."""

def celu_(input: _Array, alpha: builtins.complex = 1.0) -> Tensor:
    """`input` above 0, else alpha * expm1(input / alpha), elementwise."""

def channel_shuffle(input: _Array, groups: builtins.int) -> Tensor:
    """The channels of all groups in turn."""

def conv1d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last dim of the input, for each pair
    of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv2d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last 2 dims of the input, for each
    pair of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv3d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last 3 dims of the input, for each
    pair of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv_tbc(input: _Array, weight: _Array, bias: _Array, pad: builtins.int = 0) -> Tensor:
    """A convolution over the first dim, of tensors of (time, batch, channel)."""

def conv_transpose1d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv1d to its input: each element times the weight, added up
    where windows overlap.
    """

def conv_transpose2d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv2d to its input: each element times the weight, added up
    where windows overlap.
    """

def conv_transpose3d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv3d to its input: each element times the weight, added up
    where windows overlap.
    """

def cosine_embedding_loss(
    input1: _Array,
    input2: _Array,
    target: _Array,
    margin: builtins.float = 0,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """1 less the cosine where target is 1, and the cosine beyond a margin where it is -1,
    reduced.
    """

def cosine_similarity(
    x1: _Array, x2: _Array, dim: builtins.int = 1, eps: builtins.float = 1e-08
) -> Tensor:
    """The cosine of the angle between vectors along a dim."""

def cross_entropy(
    input: _Array,
    target: _Array,
    weight: _Array | None = None,
    size_average: builtins.bool | None = None,
    ignore_index: builtins.int = -100,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
    label_smoothing: builtins.float = 0.0,
) -> Tensor:
    """The negated logarithms of the softmax of scores at the targets' classes, or weighted by
    probabilities of the classes; reduced.
    """

@overload
def ctc_loss(
    log_probs: _Array,
    targets: _Array,
    input_lengths: _Array,
    target_lengths: _Array,
    blank: builtins.int = 0,
    reduction: str = "mean",
    zero_infinity: builtins.bool = False,
) -> Tensor:
    """The negated logarithms of the probabilities that moments spell labels, with blanks between
    and repeated as they like, reduced.
    """

@overload
def ctc_loss(
    log_probs: _Array,
    targets: _Array,
    input_lengths: _Ints,
    target_lengths: _Ints,
    blank: builtins.int = 0,
    reduction: str = "mean",
    zero_infinity: builtins.bool = False,
) -> Tensor:
    """The negated logarithms of the probabilities that moments spell labels, with blanks between
    and repeated as they like, reduced.
    """

def dropout(
    input: _Array,
    p: builtins.complex = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
) -> Tensor:
    """The input with elements dropped at random."""

def dropout1d(
    input: _Array,
    p: builtins.complex = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
) -> Tensor:
    """The input with whole rows dropped."""

def dropout2d(
    input: _Array,
    p: builtins.complex = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
) -> Tensor:
    """The input with whole planes dropped."""

def dropout3d(
    input: _Array,
    p: builtins.complex = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
) -> Tensor:
    """The input with whole volumes dropped."""

def elu(input: _Array, alpha: builtins.complex = 1.0, inplace: builtins.bool = False) -> Tensor:
    """`input` above 0, else alpha * expm1(input), elementwise."""

def elu_(input: _Array, alpha: builtins.complex = 1.0, inplace: builtins.bool = False) -> Tensor:
    """`input` above 0, else alpha * expm1(input), elementwise."""

def embedding(
    input: _Array,
    weight: _Array,
    padding_idx: builtins.int | None = None,
    max_norm: builtins.float | None = None,
    norm_type: builtins.float = 2.0,
    scale_grad_by_freq: builtins.bool = False,
    sparse: builtins.bool = False,
) -> Tensor:
    """The rows of a table at indices; with max_norm, longer ones are first made shorter there."""

def embedding_bag(
    input: _Array,
    weight: _Array,
    offsets: _Array | None = None,
    max_norm: builtins.float | None = None,
    norm_type: builtins.float = 2,
    scale_grad_by_freq: builtins.bool = False,
    mode: str = "mean",
    sparse: builtins.bool = False,
    per_sample_weights: _Array | None = None,
    include_last_offset: builtins.bool = False,
    padding_idx: builtins.int | None = None,
) -> Tensor:
    """The means, sums or largest elements of bags of rows at indices: those of each row of the
    input, or those from one offset on to the next.
    """

def feature_alpha_dropout(
    input: _Array,
    p: builtins.complex = 0.5,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
) -> Tensor:
    """The input with whole channels dropped as selu wants it."""

def fold(
    input: _Array,
    output_size: _Ints,
    kernel_size: _Ints,
    dilation: _Ints = 1,
    padding: _Ints = 0,
    stride: _Ints = 1,
) -> Tensor:
    """Images from the columns that unfold gives, added up where windows overlap."""

def gaussian_nll_loss(
    input: _Array,
    target: _Array,
    var: _Operand,
    full: builtins.bool = False,
    eps: builtins.float = 1e-06,
    reduction: str = "mean",
) -> Tensor:
    """The negative logarithm of the likelihood of targets by normal distributions, reduced."""

def gelu(input: _Array, *, approximate: str = "none", out: Tensor | None = None) -> Tensor:
    """`input` * Phi(input), elementwise, Phi being the normal distribution function;
    approximate='tanh' is the usual approximation of it.
    """

def glu(input: _Array, dim: builtins.int = -1) -> Tensor:
    """One half of input times the sigmoid of the other one."""

def grid_sample(
    input: _Array,
    grid: _Array,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: builtins.bool | None = None,
) -> Tensor:
    """An image looked up at the places of a grid, between -1 and 1 along each dim."""

def group_norm(
    input: _Array,
    num_groups: builtins.int,
    weight: _Array | None = None,
    bias: _Array | None = None,
    eps: builtins.float = 1e-05,
) -> Tensor:
    """The elements of each group of channels less their mean, divided by their standard deviation;
    then scaled and moved by parameters of the channels.
    """

def gumbel_softmax(
    logits: _Array,
    tau: builtins.complex = 1,
    hard: builtins.bool = False,
    eps: builtins.float = 1e-10,
    dim: builtins.int = -1,
) -> Tensor:
    """Samples of the Gumbel-softmax distribution, `hard` ones as one-hot rows."""

def hardshrink(
    input: _Array, lambd: builtins.complex = 0.5, *, out: Tensor | None = None
) -> Tensor:
    """`input`, but 0 between -lambd and lambd, elementwise."""

def hardsigmoid(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` / 6 + 1 / 2, limited to [0, 1], elementwise."""

def hardswish(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` times its hardsigmoid, elementwise."""

def hardtanh(
    input: _Array,
    min_val: builtins.complex = -1.0,
    max_val: builtins.complex = 1.0,
    inplace: builtins.bool = False,
) -> Tensor:
    """`input` limited to [min_val, max_val], elementwise."""

def hardtanh_(
    input: _Array,
    min_val: builtins.complex = -1.0,
    max_val: builtins.complex = 1.0,
    inplace: builtins.bool = False,
) -> Tensor:
    """`input` limited to [min_val, max_val], elementwise."""

def hinge_embedding_loss(
    input: _Array,
    target: _Array,
    margin: builtins.float = 1.0,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """`input` where target is 1, and what it lacks to a margin where that is -1, reduced."""

def huber_loss(
    input: _Array,
    target: _Array,
    reduction: str = "mean",
    delta: builtins.float = 1.0,
    weight: _Array | None = None,
) -> Tensor:
    """Half the squared differences, and lines above delta, reduced."""

def instance_norm(
    input: _Array,
    running_mean: _Array | None = None,
    running_var: _Array | None = None,
    weight: _Array | None = None,
    bias: _Array | None = None,
    use_input_stats: builtins.bool = True,
    momentum: builtins.float = 0.1,
    eps: builtins.float = 1e-05,
) -> Tensor:
    """The elements of each channel of each example less their mean, divided by their standard
    deviation; then scaled and moved.
    """

def interpolate(
    input: _Array,
    size: _Ints | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    mode: str = "nearest",
    align_corners: builtins.bool | None = None,
    recompute_scale_factor: builtins.bool | None = None,
    antialias: builtins.bool = False,
) -> Tensor:
    """The tensor resampled to another size of the dims behind the first two, by mode: nearest,
    nearest-exact, linear, bilinear, trilinear, bicubic, lanczos or area.
    """

def kl_div(
    input: _Array,
    target: _Array,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
    log_target: builtins.bool = False,
) -> Tensor:
    """The divergence of Kullback and Leibler, of logarithms from probabilities, reduced."""

def l1_loss(
    input: _Array,
    target: _Array,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
    weight: _Array | None = None,
) -> Tensor:
    """The mean of absolute differences, their sum, or they themselves."""

def layer_norm(
    input: _Array,
    normalized_shape: _Ints,
    weight: _Array | None = None,
    bias: _Array | None = None,
    eps: builtins.float = 1e-05,
    cudnn_enable: builtins.bool = True,
) -> Tensor:
    """The elements of the last dims less their mean, divided by their standard deviation; then
    scaled and moved by parameters.
    """

def leaky_relu(
    input: _Array, negative_slope: builtins.complex = 0.01, inplace: builtins.bool = False
) -> Tensor:
    """`input` above 0, else input * negative_slope, elementwise."""

def leaky_relu_(
    input: _Array, negative_slope: builtins.complex = 0.01, inplace: builtins.bool = False
) -> Tensor:
    """`input` above 0, else input * negative_slope, elementwise."""

def linear(
    input: _Array, weight: _Array, bias: _Array | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The product of the last dim with a matrix of weights, and a bias added: input @ weight.T +
    bias.
    """

def local_response_norm(
    input: _Array,
    size: builtins.int,
    alpha: builtins.float = 0.0001,
    beta: builtins.float = 0.75,
    k: builtins.float = 1.0,
) -> Tensor:
    """The tensor divided by a power of the mean square of neighbouring channels."""

def log_softmax(
    input: _Array,
    dim: builtins.int | None = None,
    _stacklevel: builtins.int = 3,
    dtype: dtype | None = None,
) -> Tensor:
    """The logarithms of the softmax along a dim."""

def logsigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sigmoid, elementwise."""

def lp_pool1d(
    input: _Array,
    norm_type: builtins.complex,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The norm of each window of the last dim: the root of the sum of powers."""

def lp_pool2d(
    input: _Array,
    norm_type: builtins.complex,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The norm of each window of the last 2 dims: the root of the sum of powers."""

def lp_pool3d(
    input: _Array,
    norm_type: builtins.complex,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The norm of each window of the last 3 dims: the root of the sum of powers."""

def margin_ranking_loss(
    input1: _Array,
    input2: _Array,
    target: _Array,
    margin: builtins.float = 0,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much, and a margin, the wrong one of two inputs is larger, reduced."""

def max_pool1d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest element of each window of the last dim; with its number if return_indices is
    set.
    """

def max_pool1d_with_indices(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window of the last dim, and its number in these dims."""

def max_pool2d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest element of each window of the last 2 dims; with its number if return_indices is
    set.
    """

def max_pool2d_with_indices(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window of the last 2 dims, and its number in these dims."""

def max_pool3d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest element of each window of the last 3 dims; with its number if return_indices is
    set.
    """

def max_pool3d_with_indices(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window of the last 3 dims, and its number in these dims."""

def max_unpool1d(
    input: _Array,
    indices: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    output_size: _Ints | None = None,
) -> Tensor:
    """What goes back from a result of max_pool1d: its elements where they were, else 0."""

def max_unpool2d(
    input: _Array,
    indices: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    output_size: _Ints | None = None,
) -> Tensor:
    """What goes back from a result of max_pool2d: its elements where they were, else 0."""

def max_unpool3d(
    input: _Array,
    indices: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    output_size: _Ints | None = None,
) -> Tensor:
    """What goes back from a result of max_pool3d: its elements where they were, else 0."""

def mish(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` * tanh(softplus(input)), elementwise."""

def mse_loss(
    input: _Array,
    target: _Array,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
    weight: _Array | None = None,
) -> Tensor:
    """The mean of squared differences, their sum, or they themselves."""

def multi_margin_loss(
    input: _Array,
    target: _Array,
    p: builtins.int = 1,
    margin: builtins.float = 1.0,
    weight: _Array | None = None,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much, and a margin, other classes are above the right one, reduced."""

def multilabel_margin_loss(
    input: _Array,
    target: _Array,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much, and 1, other classes are above those that target names up to -1, reduced."""

def multilabel_soft_margin_loss(
    input: _Array,
    target: _Array,
    weight: _Array | None = None,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean over classes of the binary cross entropy of sigmoid(input), reduced."""

def native_channel_shuffle(input: _Array, groups: builtins.int) -> Tensor:
    """The same as channel_shuffle."""

def nll_loss(
    input: _Array,
    target: _Array,
    weight: _Array | None = None,
    size_average: builtins.bool | None = None,
    ignore_index: builtins.int = -100,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negated logarithms of probabilities of the targets' classes, weighted and reduced."""

def normalize(
    input: _Array,
    p: builtins.float = 2.0,
    dim: _Ints | None = 1,
    eps: builtins.float = 1e-12,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Vectors along a dim or several, divided by their p-norm or by eps if that is larger."""

def one_hot(input: _Array, num_classes: builtins.int = -1) -> Tensor:
    """A vector for each class that is 1 at its index and 0 elsewhere."""

def pad(
    input: _Array, pad: _Ints, mode: str = "constant", value: builtins.complex | None = None
) -> Tensor:
    """Margins around the last dims, (left, right, top, bottom, ...), of one value or, in modes
    reflect, replicate and circular, of elements; negative ones cut off.
    """

def pairwise_distance(
    x1: _Array,
    x2: _Array,
    p: builtins.float = 2.0,
    eps: builtins.float = 1e-06,
    keepdim: builtins.bool = False,
) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dim."""

def pdist(input: _Array, p: builtins.float = 2.0) -> Tensor:
    """The distances of all pairs of rows of a matrix, in the p-norm."""

def pixel_shuffle(input: _Array, upscale_factor: builtins.int) -> Tensor:
    """Squares of channels as squares of pixels: dims (C r^2, H, W) become (C, H r, W r)."""

def pixel_unshuffle(input: _Array, downscale_factor: builtins.int) -> Tensor:
    """Squares of pixels as channels: dims (C, H r, W r) become (C r^2, H, W)."""

def poisson_nll_loss(
    input: _Array,
    target: _Array,
    log_input: builtins.bool = True,
    full: builtins.bool = False,
    size_average: builtins.bool | None = None,
    eps: builtins.float = 1e-08,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative logarithm of the likelihood of counts by Poisson's distribution, reduced."""

def prelu(input: _Array, weight: _Array) -> Tensor:
    """`input` above 0, else input * weight; of several weights each is that of a channel."""

def relu(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """The larger of input and 0, elementwise."""

def relu6(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` limited to [0, 6], elementwise."""

def relu_(input: _Array) -> Tensor:
    """The larger of input and 0, elementwise."""

def rms_norm(
    input: _Array,
    normalized_shape: _Ints,
    weight: _Array | None = None,
    eps: builtins.float | None = None,
) -> Tensor:
    """The elements of the last dims, divided by the root of the mean of their squares; then
    scaled.
    """

def rrelu(
    input: _Array,
    lower: builtins.complex = 0.125,
    upper: builtins.complex = 0.3333333333333333,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
) -> Tensor:
    """`rrelu`, which may write into its operand."""

def rrelu_(
    input: _Array,
    lower: builtins.complex = 0.125,
    upper: builtins.complex = 0.3333333333333333,
    training: builtins.bool = False,
    generator: Generator | None = None,
) -> Tensor:
    """`input` above 0, else input times the mean of lower and upper, or random slopes in
    training.
    """

def scaled_dot_product_attention(
    query: _Array,
    key: _Array,
    value: _Array,
    attn_mask: _Array | None = None,
    dropout_p: builtins.float = 0.0,
    is_causal: builtins.bool = False,
    *,
    scale: builtins.float | None = None,
    enable_gqa: builtins.bool = False,
) -> Tensor:
    """`softmax`(query @ key.T * scale + attn_mask) @ value: each query's mean of the values,
    weighted by how its key answers it.
    """

def selu(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`selu`, which may write into its operand, elementwise."""

def selu_(input: _Array) -> Tensor:
    """1.0507 * elu(input, 1.6733), elementwise: it keeps mean and variance of layers."""

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def silu(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` * sigmoid(input), elementwise."""

def smooth_l1_loss(
    input: _Array,
    target: _Array,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
    beta: builtins.float = 1.0,
) -> Tensor:
    """Absolute differences, and parabolas below beta, reduced."""

def soft_margin_loss(
    input: _Array,
    target: _Array,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """`log`(1 + exp(-target * input)), reduced."""

def softmax(
    input: _Array,
    dim: builtins.int | None = None,
    _stacklevel: builtins.int = 3,
    dtype: dtype | None = None,
) -> Tensor:
    """The exponentials of the elements along a dim, divided by their sum."""

def softmin(
    input: _Array,
    dim: builtins.int | None = None,
    _stacklevel: builtins.int = 3,
    dtype: dtype | None = None,
) -> Tensor:
    """The softmax of the negated elements along a dim."""

def softplus(
    input: _Array,
    beta: builtins.complex = 1,
    threshold: builtins.complex = 20,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`log`(1 + exp(beta * input)) / beta, and input where beta * input is above the threshold."""

def softshrink(
    input: _Array, lambd: builtins.complex = 0.5, *, out: Tensor | None = None
) -> Tensor:
    """`input` less lambd, or with it added below 0; 0 between -lambd and lambd."""

def softsign(input: _Array) -> Tensor:
    """`input` / (1 + |input|), elementwise."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""

def tanhshrink(input: _Array) -> Tensor:
    """`input` - tanh(input), elementwise."""

def threshold(
    input: _Array,
    threshold: builtins.complex,
    value: builtins.complex,
    inplace: builtins.bool = False,
) -> Tensor:
    """`threshold`, which may write into its operand."""

def threshold_(
    input: _Array,
    threshold: builtins.complex,
    value: builtins.complex,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` above the threshold, else the value, elementwise."""

def triplet_margin_loss(
    anchor: _Array,
    positive: _Array,
    negative: _Array,
    margin: builtins.float = 1.0,
    p: builtins.float = 2,
    eps: builtins.float = 1e-06,
    swap: builtins.bool = False,
    size_average: builtins.bool | None = None,
    reduce: builtins.bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """How much nearer than negative ones, by a margin, positive ones should be, reduced."""

def triplet_margin_with_distance_loss(
    anchor: _Array,
    positive: _Array,
    negative: _Array,
    *,
    distance_function: Callable[..., Any] | None = None,
    margin: builtins.float = 1.0,
    swap: builtins.bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` by a distance that is a function of two tensors."""

def unfold(
    input: _Array, kernel_size: _Ints, dilation: _Ints = 1, padding: _Ints = 0, stride: _Ints = 1
) -> Tensor:
    """The windows of images as columns: dims (N, C, H, W) become (N, C k, windows)."""

def upsample(
    input: _Array,
    size: _Ints | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    mode: str = "nearest",
    align_corners: builtins.bool | None = None,
) -> Tensor:
    """The same as interpolate, which has taken its place."""

def upsample_bilinear(
    input: _Array,
    size: _Ints | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
) -> Tensor:
    """The same as interpolate in its mode bilinear with align_corners set."""

def upsample_nearest(
    input: _Array,
    size: _Ints | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
) -> Tensor:
    """The same as interpolate in its mode nearest, which has taken its place."""
