"""Which row stands in which module, and what names does it give? Written by `make stubs`."""

#: How many bytes the modules of rows had.
NBYTES = 354020
#: The rows of each module.
ROWS = {
    "arithmetic": """
abs add floor_divide maximum minimum mul neg positive reciprocal remainder sign sub true_divide
trunc_divide
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
matmul
""",
    "conversion": """
cast clone contiguous
""",
    "counters": """
element_numbers
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
    "drawing": """

""",
    "dropping": """
alpha_dropout alpha_dropout_ alpha_dropout_drawn dropout dropout_ dropout_drawn
feature_alpha_dropout feature_alpha_dropout_ feature_dropout feature_dropout_ native_dropout
native_dropout_drawn nn_functional_alpha_dropout nn_functional_dropout nn_functional_dropout1d
nn_functional_dropout2d nn_functional_dropout3d nn_functional_feature_alpha_dropout
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
    "indexing": """
getitem
""",
    "joining": """
cat constant_pad pad stack
""",
    "masking": """
argwhere index_put masked_fill masked_select nonzero places
""",
    "mathematics": """
cos erf exp exp2 expm1 gelu log log1p log2 relu rsqrt sigmoid silu sin sqrt tanh
""",
    "moments": """
var_mean
""",
    "noisy": """
gumbel_softmax gumbel_softmax_drawn nn_functional_rrelu rrelu rrelu_ rrelu_drawn sloped
""",
    "padding": """

""",
    "placing": """
masked_scatter put scatter_reduce take_along_dim
""",
    "power": """
pow power square
""",
    "random_choices": """
bernoulli bernoulli_drawn bernoulli_each_drawn bernoulli_of binomial multinomial
multinomial_keys_drawn multinomial_places_drawn poisson
""",
    "random_continuous": """
cauchy cauchy_drawn exponential exponential_drawn geometric geometric_drawn
""",
    "random_integers": """
integers_drawn randint randint_like random randperm
""",
    "random_normal": """
log_normal log_normal_drawn normal normal_around_drawn normal_drawn normal_functional
normal_unit_drawn randn randn_like
""",
    "random_uniform": """
rand rand_like uniform uniform_drawn uniform_unit_drawn
""",
    "random_words": """
checked random_integer random_normal random_open random_uniform
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
    "to_methods": """
bfloat16 bool byte cdouble cfloat chalf char cpu cuda double float half int long pin_memory short
to transfer
""",
    "triangles": """
diag diag_embed diagflat tril triu
""",
    "writing": """
as_strided_scatter copy put_window with_strides zero
""",
}
#: Functions of the face and of modules below it.
FUNCTIONS = """
abs abs_:abs absolute:abs add adjoint all alpha_dropout alpha_dropout_ amax amin aminmax angle any
arange argmax argwhere as_strided as_strided_scatter atleast_1d atleast_2d atleast_3d bernoulli
binomial bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor
broadcast_tensors broadcast_to cat ceil ceil_:ceil chunk clamp clamp_:clamp clamp_max
clamp_max_:clamp_max clamp_min clamp_min_:clamp_min clip:clamp clip_:clamp clone column_stack conj
conj_physical conj_physical_:conj_physical cos cos_:cos cumprod cumsum diag diag_embed diagflat
diagonal div divide:div dropout dropout_ dsplit dstack empty empty_like empty_permuted
empty_strided eq erf erf_:erf exp exp2 exp2_:exp2 exp_:exp expm1 expm1_:expm1 eye
feature_alpha_dropout feature_alpha_dropout_ feature_dropout feature_dropout_ fill fill_:fill
flatten flip fliplr flipud floor floor_:floor floor_divide frexp full full_like gather ge gelu gt
hsplit hstack imag index_add index_copy index_fill index_put index_put_:index_put index_select
isfinite isinf isnan isreal le linspace log log1p log1p_:log1p log2 log2_:log2 log_:log logical_and
logical_not logical_or logical_xor logspace lt masked_fill masked_scatter masked_select matmul max
maximum mean min minimum moveaxis:movedim movedim mul multinomial multiply:mul narrow
native_dropout ne neg neg_:neg negative:neg negative_:neg
nn.functional.alpha_dropout:nn_functional_alpha_dropout
nn.functional.dropout1d:nn_functional_dropout1d nn.functional.dropout2d:nn_functional_dropout2d
nn.functional.dropout3d:nn_functional_dropout3d nn.functional.dropout:nn_functional_dropout
nn.functional.feature_alpha_dropout:nn_functional_feature_alpha_dropout
nn.functional.gumbel_softmax:gumbel_softmax nn.functional.rrelu:nn_functional_rrelu
nn.functional.sigmoid:sigmoid nn.functional.tanh:tanh nonzero normal ones ones_like pad permute
poisson positive pow prod put rand rand_like randint randint_like randn randn_like randperm ravel
real reciprocal reciprocal_:reciprocal relu relu_:relu remainder repeat_interleave reshape
resolve_conj resolve_neg roll rot90 round round_:round row_stack rrelu rrelu_ rsqrt rsqrt_:rsqrt
rsub scalar_tensor scatter scatter_add scatter_reduce select sgn sigmoid sigmoid_:sigmoid sign silu
sin sin_:sin special.exp2:exp2 special.expit:sigmoid special.expm1:expm1 special.log1p:log1p split
split_with_sizes sqrt sqrt_:sqrt square square_:square squeeze stack sub subtract:sub sum swapaxes
swapdims:transpose t take take_along_dim tanh tanh_:tanh tensor_split tile transpose tril triu
true_divide trunc trunc_:trunc unbind unflatten unsqueeze var_mean view_as_complex view_as_real
view_copy vsplit vstack where zero_:zero zeros zeros_like
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
__xor__:bitwise_xor abs abs_:abs absolute:abs absolute_:abs add add_:add adjoint all amax amin
aminmax angle any argmax argwhere as_strided as_strided_:as_strided as_strided_scatter bernoulli
bernoulli_:bernoulli_of bfloat16 bitwise_and bitwise_and_:bitwise_and bitwise_left_shift
bitwise_left_shift_:bitwise_left_shift bitwise_not bitwise_not_:bitwise_not bitwise_or
bitwise_or_:bitwise_or bitwise_right_shift bitwise_right_shift_:bitwise_right_shift bitwise_xor
bitwise_xor_:bitwise_xor bool broadcast_to byte cauchy_:cauchy cdouble ceil ceil_:ceil cfloat chalf
char chunk clamp clamp_:clamp clamp_max clamp_max_:clamp_max clamp_min clamp_min_:clamp_min
clip:clamp clip_:clamp clone conj conj_physical conj_physical_:conj_physical contiguous copy_:copy
cos cos_:cos cpu cuda cumprod cumprod_:cumprod cumsum cumsum_:cumsum diag diag_embed diagflat
diagonal div div_:div divide:div divide_:div double dsplit eq eq_:eq erf erf_:erf exp exp2
exp2_:exp2 exp_:exp expand expand_as expm1 expm1_:expm1 exponential_:exponential fill_:fill flatten
flip fliplr flipud float floor floor_:floor floor_divide floor_divide_:floor_divide frexp gather ge
ge_:ge geometric_:geometric gt gt_:gt half hsplit imag index_add index_add_:index_add index_copy
index_copy_:index_copy index_fill index_fill_:index_fill index_put index_put_:index_put
index_select int isfinite isinf isnan isreal le le_:le log log1p log1p_:log1p log2 log2_:log2
log_:log log_normal_:log_normal logical_and logical_and_:logical_and logical_not
logical_not_:logical_not logical_or logical_or_:logical_or logical_xor logical_xor_:logical_xor
long lt lt_:lt mH:batched_matrix_H mT:matrix_T masked_fill masked_fill_:masked_fill masked_scatter
masked_scatter_:masked_scatter masked_select matmul max maximum mean min minimum moveaxis:movedim
movedim mul mul_:mul multinomial multiply:mul multiply_:mul narrow ne ne_:ne neg neg_:neg
negative:neg negative_:neg new_empty new_empty_strided new_full new_ones new_zeros nonzero
normal_:normal_functional permute pin_memory positive pow pow_:pow prod put put_:put random_:random
ravel real reciprocal reciprocal_:reciprocal relu relu_:relu remainder remainder_:remainder repeat
repeat_interleave reshape reshape_as resolve_conj resolve_neg roll rot90 round round_:round rsqrt
rsqrt_:rsqrt scatter scatter_:scatter scatter_add scatter_add_:scatter_add scatter_reduce
scatter_reduce_:scatter_reduce select sgn sgn_:sgn short sigmoid sigmoid_:sigmoid sign sign_:sign
sin sin_:sin split split_with_sizes sqrt sqrt_:sqrt square square_:square squeeze squeeze_:squeeze
sub sub_:sub subtract:sub subtract_:sub sum swapaxes swapaxes_:swapaxes swapdims:transpose
swapdims_:transpose t t_:t take take_along_dim tanh tanh_:tanh tensor_split tile to transpose
transpose_:transpose tril tril_:tril triu triu_:triu true_divide true_divide_:true_divide trunc
trunc_:trunc type_as unbind unflatten unfold uniform_:uniform unsqueeze unsqueeze_:unsqueeze
view:view_as_sizes_or_dtype view_as vsplit where:where_method zero_:zero
"""
#: Functions of NumPy.
UFUNCS = """
add bitwise_and bitwise_or bitwise_xor divide:div equal:eq floor_divide greater:gt greater_equal:ge
less:lt less_equal:le matmul multiply:mul not_equal:ne power:pow remainder subtract:sub
true_divide:div
"""
