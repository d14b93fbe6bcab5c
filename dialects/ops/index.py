"""Which row stands in which module, and what names does it give? Written by `make stubs`."""

#: How many bytes the modules of rows had.
NBYTES = 375729
#: The rows of each module.
ROWS = {
    "added_products": """
add_outer addbmm addmm addmv addr baddbmm
""",
    "agreement": """
allclose equal
""",
    "arithmetic": """
abs add floor_divide maximum minimum mul neg positive reciprocal remainder sign sub true_divide
trunc_divide
""",
    "attention": """
scaled_dot_product_attention
""",
    "broadcasting": """
atleast_1d atleast_2d atleast_3d broadcast_tensors broadcast_to expand_as
""",
    "clamping": """
clamp clamp_both clamp_max clamp_min
""",
    "comparison": """
bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq ge gt
isnan le logical_and logical_not logical_or logical_xor lt ne where where_method
""",
    "complex_numbers": """
angle conj_elements conj_physical isfinite isinf isreal sgn
""",
    "composite": """
div rdiv rsub
""",
    "contraction": """
matmul matmul_unrounded
""",
    "conversion": """
cast clone contiguous
""",
    "creation": """
empty empty_like empty_permuted empty_strided fill full full_like full_strided ones ones_like
scalar_tensor uninitialised zeros zeros_like
""",
    "creation_methods": """
new_empty new_empty_strided new_full new_ones new_zeros type_as
""",
    "dim_views": """
adjoint alias batched_matrix_H diagonal expand matrix_H matrix_T movedim narrow numpy_T permute
select slice squeeze swapaxes t transpose unfold unsqueeze
""",
    "einsum": """
einsum
""",
    "einsum_equations": """

""",
    "extremes": """
aminmax argmax max max_along min min_along
""",
    "floating_parts": """
frexp
""",
    "gathering": """
gather gather_along index_select take take_at
""",
    "grids": """
cartesian_prod combinations meshgrid tril_indices triu_indices unravel_index
""",
    "indexing": """
getitem
""",
    "joining": """
cat constant_pad pad stack
""",
    "linear_layers": """
bilinear linear
""",
    "masking": """
argwhere index_put masked_fill masked_select nonzero places
""",
    "mathematics": """
cos erf exp exp2 expm1 gelu log log1p log2 relu rsqrt sigmoid silu sin sqrt tanh
""",
    "matrix_chains": """
chain_matmul kron linalg_diagonal linalg_multi_dot matrix_power
""",
    "moments": """
var_mean
""",
    "padding": """

""",
    "pair_distances": """
cdist pdist
""",
    "placing": """
masked_scatter put scatter_reduce take_along_dim
""",
    "power": """
pow power square
""",
    "products": """
bmm dot inner linalg_vecdot mm mv outer vdot
""",
    "ranges": """
arange eye linspace logspace range_of
""",
    "reduction": """
all amax amin any mean prod sum
""",
    "repeating": """
flip fliplr flipud repeat repeat_interleave roll rot90 tile view_copy
""",
    "reshaping": """
flatten ravel reshape reshape_as unflatten view view_as
""",
    "rounding": """
ceil floor round round_decimals round_even trunc
""",
    "scaled_slices": """
renorm sum_to_size
""",
    "scans": """
cumprod cumsum
""",
    "scattering": """
index_add index_copy index_fill put_at scatter scatter_add scatter_along
""",
    "splitting": """
chunk dsplit hsplit split split_with_sizes tensor_split unbind vsplit
""",
    "stacking": """
column_stack dstack hstack row_stack vstack
""",
    "storage_views": """
as_strided conj conj_view imag real resolve_conj resolve_neg strided_view view_as_complex
view_as_real view_as_sizes_or_dtype view_dtype
""",
    "tensor_products": """
tensordot
""",
    "to_methods": """
bfloat16 bool byte cdouble cfloat chalf char cpu cuda double float half int long pin_memory short
to transfer
""",
    "triangles": """
diag diag_embed diagflat tril triu
""",
    "vector_products": """
block_diag cross linalg_cross linalg_vander place_blocks vander
""",
    "writing": """
as_strided_scatter copy put_window with_strides zero
""",
}
#: Functions of the face and of modules below it.
FUNCTIONS = """
abs abs_:abs absolute:abs add addbmm addmm addmv addmv_:addmv addr adjoint all allclose amax amin
aminmax angle any arange argmax argwhere as_strided as_strided_scatter atleast_1d atleast_2d
atleast_3d baddbmm bilinear bitwise_and bitwise_left_shift bitwise_not bitwise_or
bitwise_right_shift bitwise_xor block_diag bmm broadcast_tensors broadcast_to cartesian_prod cat
cdist ceil ceil_:ceil chain_matmul chunk clamp clamp_:clamp clamp_max clamp_max_:clamp_max
clamp_min clamp_min_:clamp_min clip:clamp clip_:clamp clone column_stack combinations conj
conj_physical conj_physical_:conj_physical cos cos_:cos cross cumprod cumsum diag diag_embed
diagflat diagonal div divide:div dot dsplit dstack einsum empty empty_like empty_permuted
empty_strided eq equal erf erf_:erf exp exp2 exp2_:exp2 exp_:exp expm1 expm1_:expm1 eye fill
fill_:fill flatten flip fliplr flipud floor floor_:floor floor_divide frexp full full_like gather
ge gelu ger:outer gt hsplit hstack imag index_add index_copy index_fill index_put
index_put_:index_put index_select inner isfinite isinf isnan isreal kron le
linalg.cross:linalg_cross linalg.diagonal:linalg_diagonal linalg.matmul:matmul
linalg.matrix_power:matrix_power linalg.multi_dot:linalg_multi_dot linalg.vander:linalg_vander
linalg.vecdot:linalg_vecdot linspace log log1p log1p_:log1p log2 log2_:log2 log_:log logical_and
logical_not logical_or logical_xor logspace lt masked_fill masked_scatter masked_select matmul
matrix_power max maximum mean meshgrid min minimum mm moveaxis:movedim movedim mul multiply:mul mv
narrow ne neg neg_:neg negative:neg negative_:neg nn.functional.bilinear:bilinear
nn.functional.linear:linear nn.functional.pdist:pdist
nn.functional.scaled_dot_product_attention:scaled_dot_product_attention
nn.functional.sigmoid:sigmoid nn.functional.tanh:tanh nonzero ones ones_like outer pad pdist
permute positive pow prod put ravel real reciprocal reciprocal_:reciprocal relu relu_:relu
remainder renorm repeat_interleave reshape resolve_conj resolve_neg roll rot90 round round_:round
row_stack rsqrt rsqrt_:rsqrt rsub scalar_tensor scatter scatter_add scatter_reduce select sgn
sigmoid sigmoid_:sigmoid sign silu sin sin_:sin special.exp2:exp2 special.expit:sigmoid
special.expm1:expm1 special.log1p:log1p split split_with_sizes sqrt sqrt_:sqrt square
square_:square squeeze stack sub subtract:sub sum swapaxes swapdims:transpose t take take_along_dim
tanh tanh_:tanh tensor_split tensordot tile transpose tril tril_indices triu triu_indices
true_divide trunc trunc_:trunc unbind unflatten unravel_index unsqueeze vander var_mean vdot
view_as_complex view_as_real view_copy vsplit vstack where zero_:zero zeros zeros_like
"""
#: Methods, operators and properties of tensors.
MEMBERS = """
H:matrix_H T:numpy_T __abs__:abs __add__:add __and__:bitwise_and __eq__:eq
__floordiv__:floor_divide __ge__:ge __getitem__:getitem __gt__:gt __iadd__:add __iand__:bitwise_and
__ifloordiv__:floor_divide __ilshift__:bitwise_left_shift __imod__:remainder __imul__:mul
__invert__:bitwise_not __ior__:bitwise_or __ipow__:pow __irshift__:bitwise_right_shift __isub__:sub
__itruediv__:true_divide __ixor__:bitwise_xor __le__:le __lshift__:bitwise_left_shift __lt__:lt
__matmul__:matmul __mod__:remainder __mul__:mul __ne__:ne __neg__:neg __or__:bitwise_or
__pos__:positive __pow__:pow __radd__:add __rand__:bitwise_and __rfloordiv__:floor_divide
__rlshift__:bitwise_left_shift __rmatmul__:matmul __rmod__:remainder __rmul__:mul
__ror__:bitwise_or __rpow__:pow __rrshift__:bitwise_right_shift __rshift__:bitwise_right_shift
__rsub__:sub __rtruediv__:rdiv __rxor__:bitwise_xor __sub__:sub __truediv__:true_divide
__xor__:bitwise_xor abs abs_:abs absolute:abs absolute_:abs add add_:add addbmm addbmm_:addbmm
addmm addmm_:addmm addmv addmv_:addmv addr addr_:addr adjoint all allclose amax amin aminmax angle
any argmax argwhere as_strided as_strided_:as_strided as_strided_scatter baddbmm baddbmm_:baddbmm
bfloat16 bitwise_and bitwise_and_:bitwise_and bitwise_left_shift
bitwise_left_shift_:bitwise_left_shift bitwise_not bitwise_not_:bitwise_not bitwise_or
bitwise_or_:bitwise_or bitwise_right_shift bitwise_right_shift_:bitwise_right_shift bitwise_xor
bitwise_xor_:bitwise_xor bmm bool broadcast_to byte cdouble ceil ceil_:ceil cfloat chalf char chunk
clamp clamp_:clamp clamp_max clamp_max_:clamp_max clamp_min clamp_min_:clamp_min clip:clamp
clip_:clamp clone conj conj_physical conj_physical_:conj_physical contiguous copy_:copy cos
cos_:cos cpu cross cuda cumprod cumprod_:cumprod cumsum cumsum_:cumsum diag diag_embed diagflat
diagonal div div_:div divide:div divide_:div dot double dsplit eq eq_:eq equal erf erf_:erf exp
exp2 exp2_:exp2 exp_:exp expand expand_as expm1 expm1_:expm1 fill_:fill flatten flip fliplr flipud
float floor floor_:floor floor_divide floor_divide_:floor_divide frexp gather ge ge_:ge ger:outer
gt gt_:gt half hsplit imag index_add index_add_:index_add index_copy index_copy_:index_copy
index_fill index_fill_:index_fill index_put index_put_:index_put index_select inner int isfinite
isinf isnan isreal kron le le_:le log log1p log1p_:log1p log2 log2_:log2 log_:log logical_and
logical_and_:logical_and logical_not logical_not_:logical_not logical_or logical_or_:logical_or
logical_xor logical_xor_:logical_xor long lt lt_:lt mH:batched_matrix_H mT:matrix_T masked_fill
masked_fill_:masked_fill masked_scatter masked_scatter_:masked_scatter masked_select matmul
matrix_power max maximum mean min minimum mm moveaxis:movedim movedim mul mul_:mul multiply:mul
multiply_:mul mv narrow ne ne_:ne neg neg_:neg negative:neg negative_:neg new_empty
new_empty_strided new_full new_ones new_zeros nonzero outer permute pin_memory positive pow
pow_:pow prod put put_:put ravel real reciprocal reciprocal_:reciprocal relu relu_:relu remainder
remainder_:remainder renorm renorm_:renorm repeat repeat_interleave reshape reshape_as resolve_conj
resolve_neg roll rot90 round round_:round rsqrt rsqrt_:rsqrt scatter scatter_:scatter scatter_add
scatter_add_:scatter_add scatter_reduce scatter_reduce_:scatter_reduce select sgn sgn_:sgn short
sigmoid sigmoid_:sigmoid sign sign_:sign sin sin_:sin split split_with_sizes sqrt sqrt_:sqrt square
square_:square squeeze squeeze_:squeeze sub sub_:sub subtract:sub subtract_:sub sum sum_to_size
swapaxes swapaxes_:swapaxes swapdims:transpose swapdims_:transpose t t_:t take take_along_dim tanh
tanh_:tanh tensor_split tile to transpose transpose_:transpose tril tril_:tril triu triu_:triu
true_divide true_divide_:true_divide trunc trunc_:trunc type_as unbind unflatten unfold unsqueeze
unsqueeze_:unsqueeze vdot view:view_as_sizes_or_dtype view_as vsplit where:where_method zero_:zero
"""
#: Functions of NumPy.
UFUNCS = """
add bitwise_and bitwise_or bitwise_xor divide:div equal:eq floor_divide greater:gt greater_equal:ge
less:lt less_equal:le matmul multiply:mul not_equal:ne power:pow remainder subtract:sub
true_divide:div
"""
