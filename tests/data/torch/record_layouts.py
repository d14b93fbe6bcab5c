"""Record where PyTorch lays results of tensors with dims of one element: writes layouts.json.

Run it with an interpreter that has torch: python tests/data/torch/record_layouts.py
"""

import json
import pathlib

import torch

EXPRESSIONS = """
F.avg_pool1d(x,2)
F.avg_pool1d(x,2,1,1)
F.max_pool1d(x,2)
F.max_pool1d(x,2,return_indices=True)
F.max_pool1d_with_indices(x,2)
F.adaptive_avg_pool1d(x,2)
F.adaptive_avg_pool1d(x,3)
F.adaptive_avg_pool1d(x,1)
F.adaptive_max_pool1d(x,2)
F.adaptive_max_pool1d(x,3)
F.adaptive_max_pool1d(x,3,return_indices=True)
F.adaptive_max_pool1d(x,1,return_indices=True)
F.lp_pool1d(x,2.,2)
F.avg_pool1d(x[0],2)
F.max_pool1d(x[0],2,return_indices=True)
F.adaptive_max_pool1d(x[0],2)
F.adaptive_avg_pool1d(x[0],2)
F.avg_pool2d(x,2)
F.logsigmoid(x)
F.hardtanh(x)
F.relu6(x)
tri.frexp(x)
F.binary_cross_entropy_with_logits(x,x,reduction='none')
tri.lerp(x,x,.5)
tri.lerp(x,x,x)
F.group_norm(x,1)
F.group_norm(x,2)
F.conv1d(x,w)
F.conv1d(x,w,padding=1)
F.conv_transpose1d(x,w)
F.conv_transpose1d(x,w,stride=2)
F.conv3d(x[:,:,None,None],w[:,:,None,None])
F.conv2d(x[:,:,None],w[:,:,None])
F.conv2d(x[:,:,:,None],w[:,:,:,None])
F.conv_transpose2d(x[:,:,None],w[:,:,None])
F.conv_transpose3d(x[:,:,None,None],w[:,:,None,None])
F.batch_norm(x,None,None,training=True)
F.batch_norm(x[:,:,None],None,None,training=True)
F.batch_norm(x[:,:,:,None],None,None,training=True)
F.batch_norm(x,z,o)
F.batch_norm(x[:,:,None],z,o)
F.batch_norm(x,z,o,training=True)
F.instance_norm(x[:,:,None])
""".strip().splitlines()
SHAPES = ((1, 1, 5), (1, 4, 1), (1, 4, 5), (2, 4, 1), (2, 4, 5))
#: The order of dims in memory.
ORDERS = ((0, 2, 1), (2, 0, 1), (2, 1, 0))

rows = []
for expression in EXPRESSIONS:
    for shape in SHAPES:
        for order in ORDERS:
            x = torch.zeros([shape[dim] for dim in order])
            x = x.permute([order.index(dim) for dim in range(3)])
            channels, taps = shape[1], min(2, shape[2])
            names = {
                "tri": torch,
                "F": torch.nn.functional,
                "x": x,
                "w": torch.ones(channels, channels, taps),
                "z": torch.zeros(channels),
                "o": torch.ones(channels),
            }
            try:
                found = eval(expression, names)
            except (RuntimeError, ValueError):
                continue
            results = found if isinstance(found, tuple) else (found,)
            strides = [list(result.stride()) for result in results]
            rows.append([expression, list(shape), list(x.stride()), strides])

lines = ",\n".join(map(json.dumps, rows))
text = f'{{"torch": "{torch.__version__}", "rows": [\n{lines}\n]}}\n'
(pathlib.Path(__file__).parent / "layouts.json").write_text(text, encoding="utf-8")
