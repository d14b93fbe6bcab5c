"""Which peers are there?"""

from __future__ import annotations

from opencl_peers import PyOpenCl, Pytato, Tinygrad, TrilithOpenCl
from peers import Jax, Numpy, Peer, Torch, TorchCompile, Trilith, TrilithEager
from source_peers import Numba, Numexpr

PEERS: dict[str, type[Peer]] = {
    kind.name: kind
    for kind in (
        TrilithOpenCl,
        Trilith,
        TrilithEager,
        Numpy,
        Torch,
        TorchCompile,
        Jax,
        Numba,
        Numexpr,
        Tinygrad,
        Pytato,
        PyOpenCl,
    )
}

#: Those that compare on the processor, and those that meet in the tables for OpenCL.
ON_ONE_THREAD = tuple(name for name, kind in PEERS.items() if not kind.is_opencl)
ON_OPENCL = tuple(
    name for name, kind in PEERS.items() if kind.is_opencl or kind in (Trilith, Numpy)
)
