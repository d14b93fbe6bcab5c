"""What does PyTorch call the kernel that computes a row? Its errors about dtypes say that name.

No row has it: what a row computes does not depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: By row; behind a point stands which of several kernels a row has. The others are called as the
#: row is.
TORCH_KERNELS: Mapping[str, str] = MappingProxyType(
    {
        **{
            name: f"{name}_cpu"
            for name in (
                *(
                    "abs",
                    "acosh",
                    "aminmax",
                    "angle",
                    "arange",
                    "argmax",
                    "argmin",
                    "asinh",
                    "atan2",
                    "atanh",
                    "bitwise_and",
                    "bitwise_not",
                    "bitwise_or",
                ),
                *(
                    "bitwise_xor",
                    "cosh",
                    "ctc_loss",
                    "eq",
                    "flip",
                    "frexp",
                    "ge",
                    "geqrf",
                    "gt",
                    "index_copy",
                    "index_fill",
                ),
                *("le", "linspace", "logical_and", "logical_not", "logical_or", "logical_xor"),
                *("logaddexp", "logaddexp2", "logspace", "lt", "sinc", "xlogy"),
                *("maximum", "minimum", "mul", "ne", "neg", "reciprocal"),
                *("remainder", "repeat_interleave", "rsqrt", "sigmoid", "sign", "silu", "sinh"),
                "take",
                *("logspace", "lt", "maximum", "minimum", "mul", "ne", "neg", "reciprocal"),
                *("remainder", "repeat_interleave", "rsqrt", "sigmoid", "sign", "silu", "take"),
                *("linalg_svd", "orgqr", "ormqr", "range"),
                *(
                    "copysign",
                    "fmax",
                    "fmin",
                    "fmod",
                    "frac",
                    "gcd",
                    "heaviside",
                    "hypot",
                    "isneginf",
                ),
                *("hardshrink", "isposinf", "lcm", "log_sigmoid", "polar", "signbit", "threshold"),
                "where",
            )
        },
        **{
            name: f"{name}_vml_cpu"
            for name in (
                *("acos", "asin", "atan", "ceil", "cos", "erf", "erfc", "erfinv", "exp", "expm1"),
                *("floor", "i0", "lgamma"),
                *("log", "log10", "log1p", "log2", "round", "sin", "sqrt", "tan", "tanh", "trunc"),
            )
        },
        **{
            f"special_{name}": f"{name}_cpu"
            for name in (
                *("airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "entr", "erfcx"),
                *("i0e", "i1", "i1e", "log_ndtr", "modified_bessel_i0", "modified_bessel_i1"),
                *("modified_bessel_k0", "modified_bessel_k1", "ndtri", "scaled_modified_bessel_k0"),
                *("scaled_modified_bessel_k1", "spherical_bessel_j0", "xlog1py", "zeta"),
                *("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l"),
                "legendre_polynomial_p",
            )
        },
        **{
            f"special_{shift}chebyshev_polynomial_{kind}": f"{shift}chebyshev_polynomial_{kind}_cpu"
            for shift in ("", "shifted_")
            for kind in "tuvw"
        },
        "add": "add_stub",
        "cummax_along": "cummax_cpu",
        "cummin_along": "cummin_cpu",
        "addcdiv": "addcdiv_cpu_out",
        "addcmul": "addcmul_cpu_out",
        "cross_entropy_of_two": "binary_cross_entropy",
        "cumprod": "cumprod_out_cpu",
        "cumsum": "cumsum_out_cpu",
        "logcumsumexp": "logcumsumexp_out_cpu",
        "all": "copy_",
        "amax": "max_values_cpu",
        "amin": "min_values_cpu",
        "any": "copy_",
        "bitwise_left_shift": "lshift_cpu",
        "bitwise_right_shift": "rshift_cpu",
        "cast": "copy_kernel",
        "cast.bytes": "copy_",
        "clamp_both": "clamp_cpu",
        "clamp_both.number": "clamp_scalar_cpu",
        "clamp_max": "minimum_cpu",
        "clamp_max.number": "clamp_max_scalar_cpu",
        "clamp_min": "maximum_cpu",
        "clamp_min.number": "clamp_min_scalar_cpu",
        "clamp_min_unseen": "maximum_cpu",
        "clamp_min_unseen.number": "clamp_min_scalar_cpu",
        "conj_elements": "conj_cpu",
        "exponential_unit": "elu_cpu",
        "floor_divide": "div_floor_cpu",
        "floor_divide.float8": "div_floor_cpu_reduced_float",
        "full": "fill_cpu",
        "gamma_derivative": "polygamma",
        "gated": "glu_cpu",
        "gather": "scatter_gather_tensor_cpu",
        "gelu": "GeluKernelImpl",
        "group_norm": "GroupNormKernelImpl",
        "bincount": "bincount_cpu",
        "histogram": "histogram_cpu",
        "histogram.edges": "histogramdd",
        "hard_sigmoid": "hardsigmoid_cpu",
        "hard_swish": "hardswish_cpu",
        "huber_error": "huber_cpu",
        "index_add": "scatter_gather_tensor_cpu",
        "index_add.vector": "index_add_",
        "logit_of_wide": "logit_cpu",
        "leaky_unit": "leaky_relu_cpu",
        "lerp": "lerp_kernel_tensor",
        "lerp.number": "lerp_kernel_scalar",
        "matmul.batches": "bmm",
        "matmul.dot": "dot",
        "matmul.matrices": "addmm_impl_cpu_",
        "matmul.vector": "addmv_impl_cpu",
        "max": "max_all",
        "max_along": "max_cpu",
        "mean": "sum_cpu",
        "min": "min_all",
        "min_along": "min_cpu",
        "var_mean": "std_cpu",
        "linalg_vector_norm": "norm_cpu",
        "median": "median_cpu",
        "median.out": "median_out",
        "sum_without_nan": "nansum_cpu",
        "mish_unit": "mish_cpu",
        "mul.float8": "mul_cpu_reduced_float",
        "multi_margin_loss": "multi_margin_loss_cpu_kernel",
        "multilabel_margin_loss": "multilabel_margin_loss_forward_out_frame",
        "next_after": "nextafter_cpu",
        "nextafter": "nextafter_cpu",
        "nonzero": "nonzero_count_cpu",
        "pad": "fill_cpu",
        "power": "pow",
        "histc": "histogram_cpu",
        "isin": "isin_default_cpu",
        "kthvalue": "kthvalue_cpu",
        "mode": "mode_cpu",
        "searchsorted": "searchsorted_out_cpu",
        "sort": "sorting_kernel_method_name",
        "topk": "topk_cpu",
        "prod": "prod_out_cpu",
        "put": "take_put_cpu",
        "relu": "clamp_min_scalar_cpu",
        "round_decimals": "round_cpu",
        "round_even": "round_vml_cpu",
        "scatter": "scatter_gather_tensor_cpu",
        "scatter.number": "scatter_gather_scalar_cpu",
        **{
            f"scatter_reduce.{reduce}": f"scatter_gather_tensor_cpu_reduce_{reduce}"
            for reduce in ("sum", "prod", "mean", "amax", "amin")
        },
        "sgn": "sign_cpu",
        "sigmoid.float8": "sigmoid_cpu_reduced_float",
        "layer_norm": "LayerNormKernelImpl",
        "log_softmax": "log_softmax_kernel_impl",
        "log_softmax.last": "log_softmax_lastdim_kernel_impl",
        "nll_loss": "nll_loss_out_frame",
        "nll_loss.planes": "nll_loss2d_forward_out_frame",
        "softmax": "softmax_kernel_impl",
        "softmax.last": "softmax_lastdim_kernel_impl",
        "normal_probability": "erf_vml_cpu",
        "sloped": "prelu_cpu",
        "self_information": "xlogy_cpu",
        "smooth_error": "smooth_l1_cpu",
        "squared_error": "mse_cpu",
        "soft_plus": "softplus_cpu",
        "soft_shrink": "softshrink_check",
        "square": "pow",
        "sub": "add_stub",
        "sum": "sum_cpu",
        "take_at": "index_cpu",
        "true_divide": "div_cpu",
        "true_divide.float8": "div_cpu_reduced_float",
        "trunc_divide": "div_trunc_cpu",
        "trunc_divide.float8": "div_trunc_cpu_reduced_float",
    }
)


def not_implemented(kernel: str) -> str:
    """Return PyTorch's words for a dtype that a kernel, named as in the table, is not made for.

    >>> print(not_implemented("exp"), not_implemented("eye"), sep="\\n")
    "exp_vml_cpu" not implemented for '{dtype}'
    "eye" not implemented for '{dtype}'
    """
    return f"\"{TORCH_KERNELS.get(kernel, kernel)}\" not implemented for '{{dtype}}'"
