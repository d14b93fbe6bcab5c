"""Which row stands in which module, and what names does it give? Written by `make stubs`."""

#: How many bytes the modules of rows had.
NBYTES = 1168457
#: The rows of each module.
ROWS = {
    "creation.closed_ranges": """
range
""",
    "creation.counters": """
element_numbers
""",
    "creation.filled": """
empty empty_like empty_permuted empty_strided fill full full_like full_strided ones ones_like
scalar_tensor uninitialised zeros zeros_like
""",
    "creation.grids": """
cartesian_prod combinations meshgrid tril_indices triu_indices unravel_index
""",
    "creation.new_methods": """
new_empty new_empty_strided new_full new_ones new_zeros type_as
""",
    "creation.quotients": """

""",
    "creation.ranges": """
arange eye linspace logspace range_of
""",
    "creation.window_functions": """
bartlett_window blackman_window hamming_window hann_window kaiser_window
""",
    "elementwise.activations": """
above_threshold exponential_unit gated gelu hard_sigmoid hard_swish hardshrink leaky_unit
log_sigmoid mish_unit relu silu sloped soft_plus soft_shrink threshold
""",
    "elementwise.angles": """
acos acosh asin asinh atan atan2 atanh cosh log10 sinh tan
""",
    "elementwise.arithmetic": """
abs add floor_divide maximum minimum mul neg positive reciprocal remainder sign sub true_divide
trunc_divide
""",
    "elementwise.clamping": """
clamp clamp_both clamp_max clamp_min clamp_min_unseen
""",
    "elementwise.comparison": """
bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq ge gt
invert isnan le logical_and logical_not logical_or logical_xor lt ne where where_method
""",
    "elementwise.complex_numbers": """
angle conj_elements conj_physical isfinite isinf isreal sgn
""",
    "elementwise.composite": """
div rdiv rsub
""",
    "elementwise.conversion": """
cast clone contiguous
""",
    "elementwise.exponents": """
deg2rad float_power ldexp rad2deg
""",
    "elementwise.floating_parts": """
frexp
""",
    "elementwise.interpolating": """
addcdiv addcmul lerp
""",
    "elementwise.mathematics": """
cos erf erfc exp exp2 expm1 log log1p log2 rsqrt sigmoid sin sqrt tanh
""",
    "elementwise.missing_values": """
fmax fmin isclose nan_to_num replace_non_finite
""",
    "elementwise.polynomials": """
special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v
special_chebyshev_polynomial_w special_shifted_chebyshev_polynomial_t
special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v
special_shifted_chebyshev_polynomial_w
""",
    "elementwise.power": """
pow power square
""",
    "elementwise.recurrences": """
polynomial_of_degree special_hermite_polynomial_h special_hermite_polynomial_he
special_laguerre_polynomial_l special_legendre_polynomial_p
""",
    "elementwise.remainders": """
fmod frac gcd lcm
""",
    "elementwise.rounding": """
ceil floor round round_decimals round_even trunc
""",
    "elementwise.signs": """
complex copysign heaviside hypot isneginf isposinf next_after nextafter polar signbit
""",
    "elementwise.special_functions": """
digamma erfinv i0 lgamma logit logit_of_wide normal_probability sinc special_airy_ai
special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 special_entr special_erfcx
special_i0e special_i1 special_i1e special_log_ndtr special_modified_bessel_i0
special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1 special_ndtr
special_ndtri special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1
special_spherical_bessel_j0
""",
    "elementwise.special_pairs": """
gamma_derivative logaddexp logaddexp2 mvlgamma polygamma special_xlog1py special_zeta xlogy
""",
    "elementwise.to_methods": """
bfloat16 bool byte cdouble cfloat chalf char cpu cuda double float half int long pin_memory short
to transfer
""",
    "fourier.fourier": """
fft_back fft_complex fft_fft fft_hfft fft_ifft fft_ihfft fft_irfft fft_real fft_rfft
""",
    "fourier.fourier_dims": """
fft_fft2 fft_fftfreq fft_fftn fft_fftshift fft_hfft2 fft_hfftn fft_ifft2 fft_ifftn fft_ifftshift
fft_ihfft2 fft_ihfftn fft_irfft2 fft_irfftn fft_rfft2 fft_rfftfreq fft_rfftn
""",
    "fourier.short_time_fourier": """
istft stft
""",
    "indexing.gathering": """
gather gather_along index_select take take_at
""",
    "indexing.index_reductions": """
index_reduce
""",
    "indexing.masking": """
argwhere index_put masked_fill masked_select nonzero places
""",
    "indexing.placing": """
masked_scatter put scatter_reduce take_along_dim
""",
    "indexing.scattering": """
put_at scatter scatter_add scatter_along
""",
    "indexing.slices": """
index_add index_copy index_fill
""",
    "indexing.subscripts": """
getitem
""",
    "indexing.writing": """
as_strided_scatter copy put_window with_strides zero
""",
    "linalg.conditions": """
linalg_cond nuclear_norm
""",
    "linalg.decompositions": """
linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh linalg_general_values linalg_hermitian
linalg_hermitian_values linalg_matrix_exp linalg_qr linalg_singular linalg_singular_values
linalg_svd linalg_svdvals matrix_exp qr svd
""",
    "linalg.factored_systems": """
cholesky cholesky_inverse cholesky_solve linalg_lu linalg_lu_solve linalg_permutation lu_solve
lu_unpack
""",
    "linalg.least_squares": """
linalg_least_squares linalg_lstsq linalg_matrix_rank linalg_pinv pinverse
""",
    "linalg.linear_systems": """
det inverse linalg_cholesky linalg_cholesky_ex linalg_det linalg_eliminate linalg_factor linalg_inv
linalg_inv_ex linalg_inverse linalg_lu_factor linalg_lu_factor_ex linalg_slogdet linalg_solution
linalg_solve linalg_solve_ex linalg_solve_triangular linalg_tensorinv linalg_tensorsolve logdet
slogdet
""",
    "linalg.matrices": """

""",
    "linalg.reflections": """
geqrf linalg_householder_product lu orgqr ormqr triangular_solve
""",
    "linalg.tolerances": """

""",
    "networks.activation_functions": """
celu elu glu hardtanh leaky_relu nn_functional_celu nn_functional_hardsigmoid
nn_functional_hardswish nn_functional_mish nn_functional_relu nn_functional_rrelu
nn_functional_selu nn_functional_silu nn_functional_threshold prelu relu6 rrelu selu softplus
softshrink softsign tanhshrink
""",
    "networks.adaptive_pooling": """
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
adaptive_max_pool1d_with_indices adaptive_max_pool2d_with_indices adaptive_max_pool3d_with_indices
nn_functional_adaptive_max_pool1d nn_functional_adaptive_max_pool2d
nn_functional_adaptive_max_pool3d
""",
    "networks.alignment_losses": """
ctc_loss ctc_loss_backward ctc_loss_of nn_functional_ctc_loss
""",
    "networks.attention": """
scaled_dot_product_attention
""",
    "networks.bags": """
embedding_bag nn_functional_embedding_bag
""",
    "networks.batch_norms": """
batch_inference batch_norm batch_statistics instance_norm instance_statistics native_batch_norm
nn_functional_batch_norm nn_functional_instance_norm
""",
    "networks.class_losses": """
cross_entropy nll_loss nll_loss_backward nll_loss_of
""",
    "networks.convolution": """
conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution
""",
    "networks.convolution_checks": """

""",
    "networks.cubics": """

""",
    "networks.distances": """
cosine_embedding_loss cosine_similarity nn_functional_cosine_embedding_loss
nn_functional_triplet_margin_loss normalize pairwise_distance triplet_margin_loss
triplet_margin_with_distance_loss
""",
    "networks.embeddings": """
embedding nn_functional_embedding one_hot
""",
    "networks.folding": """
fold local_response_norm max_unpool1d max_unpool2d max_unpool3d nn_functional_unfold
""",
    "networks.grid_sampling": """
affine_grid affine_grid_generator grid_sample grid_sampler grid_sampler_2d grid_sampler_3d
""",
    "networks.group_norms": """
group_norm native_group_norm nn_functional_group_norm
""",
    "networks.loss_reductions": """

""",
    "networks.losses": """
huber_error huber_loss l1_loss mse_loss smooth_error smooth_l1_loss squared_error
""",
    "networks.margin_losses": """
hinge_embedding_loss margin_ranking_loss multi_margin_loss multilabel_margin_loss
multilabel_soft_margin_loss nn_functional_hinge_embedding_loss nn_functional_margin_ranking_loss
soft_margin_loss
""",
    "networks.norms": """
layer_norm native_layer_norm rms_norm
""",
    "networks.pool_shapes": """

""",
    "networks.pooling": """
avg_pool1d avg_pool2d avg_pool3d largest_of_windows lp_pool1d lp_pool2d lp_pool3d max_pool1d
max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d max_pool3d_with_indices
nn_functional_max_pool1d nn_functional_max_pool2d nn_functional_max_pool3d
""",
    "networks.probability_losses": """
binary_cross_entropy binary_cross_entropy_with_logits cross_entropy_of_two gaussian_nll_loss kl_div
nn_functional_binary_cross_entropy_with_logits nn_functional_kl_div nn_functional_poisson_nll_loss
not_negative poisson_nll_loss self_information
""",
    "networks.resampling": """
interpolate upsample upsample_bilinear upsample_nearest
""",
    "networks.softmax": """
log_softmax log_softmax_backward nn_functional_log_softmax nn_functional_softmax softmax
softmax_backward softmin special_log_softmax
""",
    "products.added_products": """
add_outer addbmm addmm addmv addr baddbmm
""",
    "products.contraction": """
matmul matmul_unrounded
""",
    "products.einsum": """
einsum
""",
    "products.einsum_equations": """

""",
    "products.index_maps": """
contract
""",
    "products.linear_layers": """
bilinear linear
""",
    "products.matrix_chains": """
chain_matmul kron linalg_diagonal linalg_multi_dot matrix_power
""",
    "products.pair_distances": """
cdist pdist
""",
    "products.products": """
bmm dot inner linalg_vecdot mm mv outer vdot
""",
    "products.tensor_products": """
tensordot
""",
    "products.vector_products": """
block_diag cross linalg_cross linalg_vander place_blocks vander
""",
    "random.choices": """
bernoulli bernoulli_drawn bernoulli_each_drawn bernoulli_of binomial binomial_drawn multinomial
multinomial_keys_drawn multinomial_places_drawn poisson poisson_drawn
""",
    "random.continuous": """
cauchy cauchy_drawn exponential exponential_drawn geometric geometric_drawn
""",
    "random.drawing": """

""",
    "random.dropping": """
alpha_dropout alpha_dropout_ alpha_dropout_drawn dropout dropout_ dropout_drawn
feature_alpha_dropout feature_alpha_dropout_ feature_dropout feature_dropout_ native_dropout
native_dropout_drawn nn_functional_alpha_dropout nn_functional_dropout nn_functional_dropout1d
nn_functional_dropout2d nn_functional_dropout3d nn_functional_feature_alpha_dropout
""",
    "random.integers": """
integers_drawn randint randint_like random randperm
""",
    "random.noisy": """
gumbel_softmax gumbel_softmax_drawn rrelu_drawn straight_through
""",
    "random.normal": """
log_normal log_normal_drawn normal normal_around_drawn normal_drawn normal_functional
normal_unit_drawn randn randn_like
""",
    "random.uniform": """
rand rand_like uniform uniform_drawn uniform_unit_drawn
""",
    "random.words": """
checked random_integer random_normal random_open random_uniform
""",
    "rearranging.aliases": """
concat concatenate constant_pad_nd frobenius_norm spmm
""",
    "rearranging.joining": """
cat constant_pad pad stack
""",
    "rearranging.padding": """

""",
    "rearranging.repeating": """
flip fliplr flipud repeat repeat_interleave repeated_indices roll rot90 tile view_copy
""",
    "rearranging.shuffling": """
channel_shuffle native_channel_shuffle pixel_shuffle pixel_unshuffle
""",
    "rearranging.stacking": """
column_stack dstack hstack row_stack vstack
""",
    "rearranging.triangles": """
diag diag_embed diagflat trace tril triu
""",
    "rearranging.window_scatters": """
diagonal_scatter fill_diagonal select_scatter slice_scatter
""",
    "reductions.agreement": """
allclose equal
""",
    "reductions.counting": """
count_nonzero nanmean nansum sum_without_nan
""",
    "reductions.covariances": """
corrcoef cov
""",
    "reductions.differences": """
cumulative_trapezoid diff trapezoid trapz
""",
    "reductions.exponent_sums": """
logsumexp logsumexp_real
""",
    "reductions.extremes": """
aminmax argmax argmin max max_along min min_along
""",
    "reductions.joint_scans": """
cummax cummax_along cummin cummin_along logcumsumexp logcumsumexp_complex logcumsumexp_real
""",
    "reductions.moments": """
std std_mean var var_mean
""",
    "reductions.reduction": """
all amax amin any mean prod sum
""",
    "reductions.scaled_slices": """
renorm sum_to_size
""",
    "reductions.scans": """
cumprod cumsum
""",
    "reductions.slopes": """
gradient
""",
    "reductions.vector_norms": """
dist linalg_matrix_norm linalg_norm linalg_vector_norm norm
""",
    "sorting.histograms": """
bincount histogram
""",
    "sorting.order_statistics": """
median nanmedian nanquantile quantile
""",
    "sorting.searching": """
bucketize histc is_among isin nonzero_static search_rows searchsorted
""",
    "sorting.selection": """
elements_of_ranks kthvalue median_along mode topk
""",
    "sorting.sorting": """
argsort msort sort
""",
    "sorting.uniqueness": """
order_of_rows unique unique_consecutive
""",
    "sparse.composites": """

""",
    "sparse.conversion": """
coalesce sparse_mask to_dense to_sparse
""",
    "sparse.creation": """

""",
    "sparse.diagonals": """
sparse_spdiags
""",
    "sparse.dims": """

""",
    "sparse.entries": """
coo_added coo_keys coo_order coo_picked
""",
    "sparse.entry_products": """
coo_matmul coo_mm
""",
    "sparse.factors": """

""",
    "sparse.functions": """
dsmm hspmm smm sparse_addmm sparse_mm sparse_sampled_addmm sspaddmm
""",
    "sparse.joining": """

""",
    "sparse.matrices": """

""",
    "sparse.products": """

""",
    "sparse.reductions": """
sparse_log_softmax sparse_softmax sparse_sum
""",
    "sparse.refusals": """

""",
    "sparse.selecting": """
coo_placed
""",
    "sparse.sums": """

""",
    "sparse.writes": """

""",
    "sparse.zero_preserving": """

""",
    "views.broadcasting": """
atleast_1d atleast_2d atleast_3d broadcast_tensors broadcast_to expand_as
""",
    "views.dim_views": """
adjoint alias batched_matrix_H diagonal expand matrix_H matrix_T movedim narrow numpy_T permute
select slice squeeze swapaxes t transpose unfold unsqueeze
""",
    "views.reshaping": """
flatten ravel reshape reshape_as unflatten view view_as
""",
    "views.splitting": """
chunk dsplit hsplit split split_with_sizes tensor_split unbind vsplit
""",
    "views.storage_views": """
as_strided conj conj_view imag real resolve_conj resolve_neg strided_view view_as_complex
view_as_real view_as_sizes_or_dtype view_dtype
""",
    "views.view_copies": """
alias_copy as_strided_copy detach_copy diagonal_copy expand_copy narrow_copy permute_copy
select_copy slice_copy split_copy split_with_sizes_copy squeeze_copy t_copy transpose_copy
unbind_copy unfold_copy unsqueeze_copy view_as_complex_copy view_as_real_copy
""",
}
#: Functions of the face and of modules below it.
FUNCTIONS = """
abs abs_:abs absolute:abs acos acos_:acos acosh acosh_:acosh adaptive_avg_pool1d
adaptive_max_pool1d add addbmm addcdiv addcmul addmm addmv addmv_:addmv addr adjoint
affine_grid_generator alias_copy all allclose alpha_dropout alpha_dropout_ amax amin aminmax angle
any arange arccos:acos arccos_:acos arccosh:acosh arccosh_:acosh arcsin:asin arcsin_:asin
arcsinh:asinh arcsinh_:asinh arctan2:atan2 arctan:atan arctan_:atan arctanh:atanh arctanh_:atanh
argmax argmin argsort argwhere as_strided as_strided_copy as_strided_scatter asin asin_:asin asinh
asinh_:asinh atan atan2 atan_:atan atanh atanh_:atanh atleast_1d atleast_2d atleast_3d avg_pool1d
baddbmm bartlett_window batch_norm bernoulli bilinear binary_cross_entropy_with_logits bincount
binomial bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor
blackman_window block_diag bmm broadcast_tensors broadcast_to bucketize cartesian_prod cat cdist
ceil ceil_:ceil celu celu_:celu chain_matmul channel_shuffle cholesky cholesky_inverse
cholesky_solve chunk clamp clamp_:clamp clamp_max clamp_max_:clamp_max clamp_min
clamp_min_:clamp_min clip:clamp clip_:clamp clone column_stack combinations complex concat
concatenate conj conj_physical conj_physical_:conj_physical constant_pad_nd conv1d conv2d conv3d
conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution copysign corrcoef cos
cos_:cos cosh cosh_:cosh cosine_embedding_loss cosine_similarity count_nonzero cov cross ctc_loss
cummax cummin cumprod cumsum cumulative_trapezoid deg2rad deg2rad_:deg2rad det detach_copy diag
diag_embed diagflat diagonal diagonal_copy diagonal_scatter diff digamma dist div divide:div dot
dropout dropout_ dsmm dsplit dstack einsum embedding embedding_bag empty empty_like empty_permuted
empty_strided eq equal erf erf_:erf erfc erfc_:erfc erfinv exp exp2 exp2_:exp2 exp_:exp expand_copy
expm1 expm1_:expm1 eye feature_alpha_dropout feature_alpha_dropout_ feature_dropout
feature_dropout_ fft.fft2:fft_fft2 fft.fft:fft_fft fft.fftfreq:fft_fftfreq fft.fftn:fft_fftn
fft.fftshift:fft_fftshift fft.hfft2:fft_hfft2 fft.hfft:fft_hfft fft.hfftn:fft_hfftn
fft.ifft2:fft_ifft2 fft.ifft:fft_ifft fft.ifftn:fft_ifftn fft.ifftshift:fft_ifftshift
fft.ihfft2:fft_ihfft2 fft.ihfft:fft_ihfft fft.ihfftn:fft_ihfftn fft.irfft2:fft_irfft2
fft.irfft:fft_irfft fft.irfftn:fft_irfftn fft.rfft2:fft_rfft2 fft.rfft:fft_rfft
fft.rfftfreq:fft_rfftfreq fft.rfftn:fft_rfftn fill fill_:fill fix:trunc fix_:trunc flatten flip
fliplr flipud float_power floor floor_:floor floor_divide fmax fmin fmod frac frac_:frac frexp
frobenius_norm full full_like gather gcd gcd_:gcd ge gelu geqrf ger:outer gradient greater:gt
greater_equal:ge grid_sampler grid_sampler_2d grid_sampler_3d group_norm gt hamming_window
hann_window hardshrink heaviside hinge_embedding_loss histc histogram hsplit hspmm hstack hypot i0
i0_:i0 imag index_add index_copy index_fill index_put index_put_:index_put index_reduce
index_select inner instance_norm inverse isclose isfinite isin isinf isnan isneginf isposinf isreal
istft kaiser_window kl_div kron kthvalue layer_norm lcm lcm_:lcm ldexp ldexp_:ldexp le lerp less:lt
less_equal:le lgamma linalg.cholesky:linalg_cholesky linalg.cholesky_ex:linalg_cholesky_ex
linalg.cond:linalg_cond linalg.cross:linalg_cross linalg.det:linalg_det
linalg.diagonal:linalg_diagonal linalg.eig:linalg_eig linalg.eigh:linalg_eigh
linalg.eigvals:linalg_eigvals linalg.eigvalsh:linalg_eigvalsh
linalg.householder_product:linalg_householder_product linalg.inv:linalg_inv
linalg.inv_ex:linalg_inv_ex linalg.lstsq:linalg_lstsq linalg.lu:linalg_lu
linalg.lu_factor:linalg_lu_factor linalg.lu_factor_ex:linalg_lu_factor_ex
linalg.lu_solve:linalg_lu_solve linalg.matmul:matmul linalg.matrix_exp:linalg_matrix_exp
linalg.matrix_norm:linalg_matrix_norm linalg.matrix_power:matrix_power
linalg.matrix_rank:linalg_matrix_rank linalg.multi_dot:linalg_multi_dot linalg.norm:linalg_norm
linalg.pinv:linalg_pinv linalg.qr:linalg_qr linalg.slogdet:linalg_slogdet linalg.solve:linalg_solve
linalg.solve_ex:linalg_solve_ex linalg.solve_triangular:linalg_solve_triangular
linalg.svd:linalg_svd linalg.svdvals:linalg_svdvals linalg.tensorinv:linalg_tensorinv
linalg.tensorsolve:linalg_tensorsolve linalg.vander:linalg_vander linalg.vecdot:linalg_vecdot
linalg.vector_norm:linalg_vector_norm linspace log log10 log10_:log10 log1p log1p_:log1p log2
log2_:log2 log_:log log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not
logical_or logical_xor logit logit_:logit logspace logsumexp lt lu lu_solve lu_unpack
margin_ranking_loss masked_fill masked_scatter masked_select matmul matrix_exp matrix_power max
max_pool1d max_pool1d_with_indices max_pool2d max_pool3d maximum mean median meshgrid min minimum
mm mode moveaxis:movedim movedim msort mul multinomial multiply:mul mv mvlgamma nan_to_num
nan_to_num_:nan_to_num nanmean nanmedian nanquantile nansum narrow narrow_copy native_batch_norm
native_channel_shuffle native_dropout native_group_norm native_layer_norm ne neg neg_:neg
negative:neg negative_:neg nextafter nn.functional.adaptive_avg_pool1d:adaptive_avg_pool1d
nn.functional.adaptive_avg_pool2d:adaptive_avg_pool2d
nn.functional.adaptive_avg_pool3d:adaptive_avg_pool3d
nn.functional.adaptive_max_pool1d:nn_functional_adaptive_max_pool1d
nn.functional.adaptive_max_pool1d_with_indices:adaptive_max_pool1d_with_indices
nn.functional.adaptive_max_pool2d:nn_functional_adaptive_max_pool2d
nn.functional.adaptive_max_pool2d_with_indices:adaptive_max_pool2d_with_indices
nn.functional.adaptive_max_pool3d:nn_functional_adaptive_max_pool3d
nn.functional.adaptive_max_pool3d_with_indices:adaptive_max_pool3d_with_indices
nn.functional.affine_grid:affine_grid nn.functional.alpha_dropout:nn_functional_alpha_dropout
nn.functional.avg_pool1d:avg_pool1d nn.functional.avg_pool2d:avg_pool2d
nn.functional.avg_pool3d:avg_pool3d nn.functional.batch_norm:nn_functional_batch_norm
nn.functional.bilinear:bilinear nn.functional.binary_cross_entropy:binary_cross_entropy
nn.functional.binary_cross_entropy_with_logits:nn_functional_binary_cross_entropy_with_logits
nn.functional.celu:nn_functional_celu nn.functional.celu_:celu
nn.functional.channel_shuffle:channel_shuffle nn.functional.conv1d:conv1d
nn.functional.conv2d:conv2d nn.functional.conv3d:conv3d nn.functional.conv_tbc:conv_tbc
nn.functional.conv_transpose1d:conv_transpose1d nn.functional.conv_transpose2d:conv_transpose2d
nn.functional.conv_transpose3d:conv_transpose3d
nn.functional.cosine_embedding_loss:nn_functional_cosine_embedding_loss
nn.functional.cosine_similarity:cosine_similarity nn.functional.cross_entropy:cross_entropy
nn.functional.ctc_loss:nn_functional_ctc_loss nn.functional.dropout1d:nn_functional_dropout1d
nn.functional.dropout2d:nn_functional_dropout2d nn.functional.dropout3d:nn_functional_dropout3d
nn.functional.dropout:nn_functional_dropout nn.functional.elu:elu nn.functional.elu_:elu
nn.functional.embedding:nn_functional_embedding
nn.functional.embedding_bag:nn_functional_embedding_bag
nn.functional.feature_alpha_dropout:nn_functional_feature_alpha_dropout nn.functional.fold:fold
nn.functional.gaussian_nll_loss:gaussian_nll_loss nn.functional.gelu:gelu nn.functional.glu:glu
nn.functional.grid_sample:grid_sample nn.functional.group_norm:nn_functional_group_norm
nn.functional.gumbel_softmax:gumbel_softmax nn.functional.hardshrink:hardshrink
nn.functional.hardsigmoid:nn_functional_hardsigmoid nn.functional.hardswish:nn_functional_hardswish
nn.functional.hardtanh:hardtanh nn.functional.hardtanh_:hardtanh
nn.functional.hinge_embedding_loss:nn_functional_hinge_embedding_loss
nn.functional.huber_loss:huber_loss nn.functional.instance_norm:nn_functional_instance_norm
nn.functional.interpolate:interpolate nn.functional.kl_div:nn_functional_kl_div
nn.functional.l1_loss:l1_loss nn.functional.layer_norm:layer_norm
nn.functional.leaky_relu:leaky_relu nn.functional.leaky_relu_:leaky_relu
nn.functional.linear:linear nn.functional.local_response_norm:local_response_norm
nn.functional.log_softmax:nn_functional_log_softmax nn.functional.logsigmoid:log_sigmoid
nn.functional.lp_pool1d:lp_pool1d nn.functional.lp_pool2d:lp_pool2d
nn.functional.lp_pool3d:lp_pool3d
nn.functional.margin_ranking_loss:nn_functional_margin_ranking_loss
nn.functional.max_pool1d:nn_functional_max_pool1d
nn.functional.max_pool1d_with_indices:max_pool1d_with_indices
nn.functional.max_pool2d:nn_functional_max_pool2d
nn.functional.max_pool2d_with_indices:max_pool2d_with_indices
nn.functional.max_pool3d:nn_functional_max_pool3d
nn.functional.max_pool3d_with_indices:max_pool3d_with_indices
nn.functional.max_unpool1d:max_unpool1d nn.functional.max_unpool2d:max_unpool2d
nn.functional.max_unpool3d:max_unpool3d nn.functional.mish:nn_functional_mish
nn.functional.mse_loss:mse_loss nn.functional.multi_margin_loss:multi_margin_loss
nn.functional.multilabel_margin_loss:multilabel_margin_loss
nn.functional.multilabel_soft_margin_loss:multilabel_soft_margin_loss
nn.functional.native_channel_shuffle:native_channel_shuffle nn.functional.nll_loss:nll_loss
nn.functional.normalize:normalize nn.functional.one_hot:one_hot nn.functional.pad:pad
nn.functional.pairwise_distance:pairwise_distance nn.functional.pdist:pdist
nn.functional.pixel_shuffle:pixel_shuffle nn.functional.pixel_unshuffle:pixel_unshuffle
nn.functional.poisson_nll_loss:nn_functional_poisson_nll_loss nn.functional.prelu:prelu
nn.functional.relu6:relu6 nn.functional.relu:nn_functional_relu nn.functional.relu_:relu
nn.functional.rms_norm:rms_norm nn.functional.rrelu:nn_functional_rrelu nn.functional.rrelu_:rrelu
nn.functional.scaled_dot_product_attention:scaled_dot_product_attention
nn.functional.selu:nn_functional_selu nn.functional.selu_:selu nn.functional.sigmoid:sigmoid
nn.functional.silu:nn_functional_silu nn.functional.smooth_l1_loss:smooth_l1_loss
nn.functional.soft_margin_loss:soft_margin_loss nn.functional.softmax:nn_functional_softmax
nn.functional.softmin:softmin nn.functional.softplus:softplus nn.functional.softshrink:softshrink
nn.functional.softsign:softsign nn.functional.tanh:tanh nn.functional.tanhshrink:tanhshrink
nn.functional.threshold:nn_functional_threshold nn.functional.threshold_:threshold
nn.functional.triplet_margin_loss:nn_functional_triplet_margin_loss
nn.functional.triplet_margin_with_distance_loss:triplet_margin_with_distance_loss
nn.functional.unfold:nn_functional_unfold nn.functional.upsample:upsample
nn.functional.upsample_bilinear:upsample_bilinear nn.functional.upsample_nearest:upsample_nearest
nonzero nonzero_static norm normal not_equal:ne nuclear_norm ones ones_like orgqr ormqr outer pad
pairwise_distance pdist permute permute_copy pinverse pixel_shuffle pixel_unshuffle poisson
poisson_nll_loss polar polygamma positive pow prelu prod put qr quantile rad2deg rad2deg_:rad2deg
rand rand_like randint randint_like randn randn_like randperm range ravel real reciprocal
reciprocal_:reciprocal relu relu_:relu remainder renorm repeat_interleave reshape resolve_conj
resolve_neg rms_norm roll rot90 round round_:round row_stack rrelu rrelu_:rrelu rsqrt rsqrt_:rsqrt
rsub scalar_tensor scatter scatter_add scatter_reduce searchsorted select select_copy
select_scatter selu selu_:selu sgn sigmoid sigmoid_:sigmoid sign signbit silu sin sin_:sin sinc
sinc_:sinc sinh sinh_:sinh slice_copy slice_scatter slogdet smm softmax sort
sparse.addmm:sparse_addmm sparse.log_softmax:sparse_log_softmax sparse.mm:sparse_mm
sparse.sampled_addmm:sparse_sampled_addmm sparse.softmax:sparse_softmax
sparse.spdiags:sparse_spdiags sparse.sum:sparse_sum special.airy_ai:special_airy_ai
special.bessel_j0:special_bessel_j0 special.bessel_j1:special_bessel_j1
special.bessel_y0:special_bessel_y0 special.bessel_y1:special_bessel_y1
special.chebyshev_polynomial_t:special_chebyshev_polynomial_t
special.chebyshev_polynomial_u:special_chebyshev_polynomial_u
special.chebyshev_polynomial_v:special_chebyshev_polynomial_v
special.chebyshev_polynomial_w:special_chebyshev_polynomial_w special.digamma:digamma
special.entr:special_entr special.erf:erf special.erfc:erfc special.erfcx:special_erfcx
special.erfinv:erfinv special.exp2:exp2 special.expit:sigmoid special.expm1:expm1
special.gammaln:lgamma special.hermite_polynomial_h:special_hermite_polynomial_h
special.hermite_polynomial_he:special_hermite_polynomial_he special.i0:i0 special.i0e:special_i0e
special.i1:special_i1 special.i1e:special_i1e
special.laguerre_polynomial_l:special_laguerre_polynomial_l
special.legendre_polynomial_p:special_legendre_polynomial_p special.log1p:log1p
special.log_ndtr:special_log_ndtr special.log_softmax:special_log_softmax special.logit:logit
special.logsumexp:logsumexp special.modified_bessel_i0:special_modified_bessel_i0
special.modified_bessel_i1:special_modified_bessel_i1
special.modified_bessel_k0:special_modified_bessel_k0
special.modified_bessel_k1:special_modified_bessel_k1 special.multigammaln:mvlgamma
special.ndtr:special_ndtr special.ndtri:special_ndtri special.polygamma:polygamma
special.psi:digamma special.round:round
special.scaled_modified_bessel_k0:special_scaled_modified_bessel_k0
special.scaled_modified_bessel_k1:special_scaled_modified_bessel_k1
special.shifted_chebyshev_polynomial_t:special_shifted_chebyshev_polynomial_t
special.shifted_chebyshev_polynomial_u:special_shifted_chebyshev_polynomial_u
special.shifted_chebyshev_polynomial_v:special_shifted_chebyshev_polynomial_v
special.shifted_chebyshev_polynomial_w:special_shifted_chebyshev_polynomial_w special.sinc:sinc
special.softmax:softmax special.spherical_bessel_j0:special_spherical_bessel_j0
special.xlog1py:special_xlog1py special.xlogy:xlogy special.zeta:special_zeta split split_copy
split_with_sizes split_with_sizes_copy spmm sqrt sqrt_:sqrt square square_:square squeeze
squeeze_copy sspaddmm stack std std_mean stft sub subtract:sub sum svd swapaxes swapdims:transpose
t t_copy take take_along_dim tan tan_:tan tanh tanh_:tanh tensor_split tensordot threshold
threshold_:threshold tile topk transpose transpose_copy trapezoid trapz triangular_solve tril
tril_indices triplet_margin_loss triu triu_indices true_divide trunc trunc_:trunc unbind
unbind_copy unflatten unfold_copy unique unique_consecutive unravel_index unsafe_chunk:chunk
unsafe_split:split unsafe_split_with_sizes:split_with_sizes unsqueeze unsqueeze_copy vander var
var_mean vdot view_as_complex view_as_complex_copy view_as_real view_as_real_copy view_copy vsplit
vstack where xlogy xlogy_:xlogy zero_:zero zeros zeros_like
"""
#: Methods, operators and properties of tensors.
MEMBERS = """
H:matrix_H T:numpy_T __abs__:abs __add__:add __and__:bitwise_and __eq__:eq
__floordiv__:floor_divide __ge__:ge __getitem__:getitem __gt__:gt __iadd__:add __iand__:bitwise_and
__ifloordiv__:floor_divide __ilshift__:bitwise_left_shift __imod__:remainder __imul__:mul
__invert__:invert __ior__:bitwise_or __ipow__:pow __irshift__:bitwise_right_shift __isub__:sub
__itruediv__:true_divide __ixor__:bitwise_xor __le__:le __lshift__:bitwise_left_shift __lt__:lt
__matmul__:matmul __mod__:remainder __mul__:mul __ne__:ne __neg__:neg __or__:bitwise_or
__pos__:positive __pow__:pow __radd__:add __rand__:bitwise_and __rdiv__:rdiv
__rfloordiv__:floor_divide __rlshift__:bitwise_left_shift __rmatmul__:matmul __rmod__:remainder
__rmul__:mul __ror__:bitwise_or __rpow__:pow __rrshift__:bitwise_right_shift
__rshift__:bitwise_right_shift __rsub__:sub __rtruediv__:rdiv __rxor__:bitwise_xor __sub__:sub
__truediv__:true_divide __xor__:bitwise_xor abs abs_:abs absolute:abs absolute_:abs acos acos_:acos
acosh acosh_:acosh add add_:add addbmm addbmm_:addbmm addcdiv addcdiv_:addcdiv addcmul
addcmul_:addcmul addmm addmm_:addmm addmv addmv_:addmv addr addr_:addr adjoint all allclose amax
amin aminmax angle any arccos:acos arccos_:acos arccosh:acosh arccosh_:acosh arcsin:asin
arcsin_:asin arcsinh:asinh arcsinh_:asinh arctan2:atan2 arctan2_:atan2 arctan:atan arctan_:atan
arctanh:atanh arctanh_:atanh argmax argmin argsort argwhere as_strided as_strided_:as_strided
as_strided_scatter asin asin_:asin asinh asinh_:asinh atan atan2 atan2_:atan2 atan_:atan atanh
atanh_:atanh baddbmm baddbmm_:baddbmm bernoulli bernoulli_:bernoulli_of bfloat16 bincount
bitwise_and bitwise_and_:bitwise_and bitwise_left_shift bitwise_left_shift_:bitwise_left_shift
bitwise_not bitwise_not_:bitwise_not bitwise_or bitwise_or_:bitwise_or bitwise_right_shift
bitwise_right_shift_:bitwise_right_shift bitwise_xor bitwise_xor_:bitwise_xor bmm bool broadcast_to
byte cauchy_:cauchy cdouble ceil ceil_:ceil cfloat chalf char cholesky cholesky_inverse
cholesky_solve chunk clamp clamp_:clamp clamp_max clamp_max_:clamp_max clamp_min
clamp_min_:clamp_min clip:clamp clip_:clamp clone coalesce conj conj_physical
conj_physical_:conj_physical contiguous copy_:copy copysign copysign_:copysign corrcoef cos
cos_:cos cosh cosh_:cosh count_nonzero cov cpu cross cuda cummax cummin cumprod cumprod_:cumprod
cumsum cumsum_:cumsum deg2rad deg2rad_:deg2rad det diag diag_embed diagflat diagonal
diagonal_scatter diff digamma digamma_:digamma dist div div_:div divide:div divide_:div dot double
dsplit eq eq_:eq equal erf erf_:erf erfc erfc_:erfc erfinv erfinv_:erfinv exp exp2 exp2_:exp2
exp_:exp expand expand_as expm1 expm1_:expm1 exponential_:exponential fill_:fill
fill_diagonal_:fill_diagonal fix:trunc fix_:trunc flatten flip fliplr flipud float float_power
float_power_:float_power floor floor_:floor floor_divide floor_divide_:floor_divide fmax fmin fmod
fmod_:fmod frac frac_:frac frexp gather gcd gcd_:gcd ge ge_:ge geometric_:geometric geqrf ger:outer
greater:gt greater_:gt greater_equal:ge greater_equal_:ge gt gt_:gt half hardshrink
hardshrink_:hardshrink heaviside heaviside_:heaviside histc histogram hsplit hypot hypot_:hypot i0
i0_:i0 imag index_add index_add_:index_add index_copy index_copy_:index_copy index_fill
index_fill_:index_fill index_put index_put_:index_put index_reduce index_reduce_:index_reduce
index_select inner int inverse isclose isfinite isinf isnan isneginf isposinf isreal istft kron
kthvalue lcm lcm_:lcm ldexp ldexp_:ldexp le le_:le lerp lerp_:lerp less:lt less_:lt less_equal:le
less_equal_:le lgamma lgamma_:lgamma log log10 log10_:log10 log1p log1p_:log1p log2 log2_:log2
log_:log log_normal_:log_normal log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and
logical_and_:logical_and logical_not logical_not_:logical_not logical_or logical_or_:logical_or
logical_xor logical_xor_:logical_xor logit logit_:logit logsumexp long lt lt_:lt lu lu_solve
mH:batched_matrix_H mT:matrix_T masked_fill masked_fill_:masked_fill masked_scatter
masked_scatter_:masked_scatter masked_select matmul matrix_exp matrix_power max maximum mean median
min minimum mm mode moveaxis:movedim movedim msort mul mul_:mul multinomial multiply:mul
multiply_:mul mv mvlgamma mvlgamma_:mvlgamma nan_to_num nan_to_num_:nan_to_num nanmean nanmedian
nanquantile nansum narrow narrow_copy ne ne_:ne neg neg_:neg negative:neg negative_:neg new_empty
new_empty_strided new_full new_ones new_zeros nextafter nextafter_:nextafter nonzero nonzero_static
norm normal_:normal_functional not_equal:ne not_equal_:ne orgqr ormqr outer permute pin_memory
pinverse polygamma:gamma_derivative polygamma_:gamma_derivative positive pow pow_:pow prelu prod
put put_:put qr quantile rad2deg rad2deg_:rad2deg random_:random ravel real reciprocal
reciprocal_:reciprocal relu relu_:relu remainder remainder_:remainder renorm renorm_:renorm repeat
repeat_interleave reshape reshape_as resolve_conj resolve_neg roll rot90 round round_:round rsqrt
rsqrt_:rsqrt scatter scatter_:scatter scatter_add scatter_add_:scatter_add scatter_reduce
scatter_reduce_:scatter_reduce select select_scatter sgn sgn_:sgn short sigmoid sigmoid_:sigmoid
sign sign_:sign signbit sin sin_:sin sinc sinc_:sinc sinh sinh_:sinh slice_scatter slogdet smm
softmax sort sparse_mask split split_with_sizes sqrt sqrt_:sqrt square square_:square squeeze
squeeze_:squeeze sspaddmm std stft sub sub_:sub subtract:sub subtract_:sub sum sum_to_size svd
swapaxes swapaxes_:swapaxes swapdims:transpose swapdims_:transpose t t_:t take take_along_dim tan
tan_:tan tanh tanh_:tanh tensor_split tile to to_dense to_sparse to_sparse_coo:to_sparse topk trace
transpose transpose_:transpose triangular_solve tril tril_:tril triu triu_:triu true_divide
true_divide_:true_divide trunc trunc_:trunc type_as unbind unflatten unfold uniform_:uniform unique
unique_consecutive unsafe_chunk:chunk unsafe_split:split unsafe_split_with_sizes:split_with_sizes
unsqueeze unsqueeze_:unsqueeze var vdot view:view_as_sizes_or_dtype view_as vsplit
where:where_method xlogy xlogy_:xlogy zero_:zero
"""
#: Functions of NumPy.
UFUNCS = """
add arccos:acos arccosh:acosh arcsin:asin arcsinh:asinh arctan2:atan2 arctan:atan arctanh:atanh
bitwise_and bitwise_or bitwise_xor copysign deg2rad degrees:rad2deg divide:div equal:eq float_power
floor_divide fmax fmin fmod gcd greater:gt greater_equal:ge heaviside hypot lcm less:lt
less_equal:le matmul multiply:mul nextafter not_equal:ne power:pow rad2deg radians:deg2rad
remainder signbit subtract:sub true_divide:div
"""
