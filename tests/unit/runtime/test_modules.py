"""Are the modules that programs for PyTorch begin with there, and do they answer as PyTorch's?"""

import importlib
import subprocess
import sys
import warnings
from typing import Any

import pytest

import trilith as tri
from trilith.dialects import frames

T: Any = tri


@pytest.mark.parametrize(
    "name",
    [
        *("random", "cuda", "version", "testing", "nn.init", "backends", "backends.cudnn"),
        *("backends.cuda", "backends.mps", "backends.mkl", "backends.mkldnn", "backends.openmp"),
    ],
)
def test_a_module_can_be_imported_and_is_the_attribute(name: str):
    found = importlib.import_module(f"trilith.{name}")
    whole: Any = tri
    for part in name.split("."):
        whole = getattr(whole, part)
    assert found is whole


def test_random_is_no_file_that_hides_the_one_of_python():
    script = (
        "import sys\nimport trilith.random\nfrom trilith.random import fork_rng, manual_seed\n"
        "import random\nprint(random.__file__ == sys.modules['random'].__file__, fork_rng)"
    )
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert found.stdout.startswith(b"True <function fork_rng")


def test_cuda_is_not_there():
    assert (T.cuda.is_available(), T.cuda.device_count(), T.cuda.is_initialized()) == (
        False,
        0,
        False,
    )
    assert (T.cuda.memory_allocated(), T.cuda.memory_stats(), T.cuda.get_arch_list()) == (0, {}, [])
    assert T.cuda.manual_seed_all(3) is T.cuda.empty_cache() is T.cuda.seed() is None
    assert not isinstance(tri.ones(1), T.cuda.FloatTensor)
    for name in ("current_device", "synchronize", "get_device_name", "init", "mem_get_info"):
        with pytest.raises(AssertionError, match=r"^Torch not compiled with CUDA enabled"):
            getattr(T.cuda, name)()
    with pytest.raises(AttributeError, match=r"module 'trilith\.cuda' has no attribute 'graphs'"):
        _ = T.cuda.graphs


def test_flags_of_libraries_are_kept():
    cudnn = T.backends.cudnn
    assert (cudnn.enabled, cudnn.benchmark, cudnn.deterministic) == (True, False, False)
    with cudnn.flags(enabled=True, benchmark=True):
        assert (cudnn.benchmark, cudnn.benchmark_limit) == (True, 10)
        cudnn.deterministic = True
    assert (cudnn.benchmark, cudnn.deterministic, cudnn.benchmark_limit) == (False, False, None)
    with pytest.raises(RuntimeError, match=r"^set_benchmark_cudnn expects a bool, but got str"):
        cudnn.benchmark = "yes"
    assert (cudnn.version(), cudnn.is_available(), T.backends.mps.is_available()) == (None,) + (
        (False,) * 2
    )
    matmul = T.backends.cuda.matmul
    matmul.allow_tf32 = True
    assert (matmul.allow_tf32, tri.get_float32_matmul_precision()) == (True, "high")
    tri.set_float32_matmul_precision("highest")
    assert not matmul.allow_tf32
    for change in (lambda: matmul.bogus, lambda: setattr(matmul, "bogus", 1)):
        with pytest.raises(AttributeError, match=r"^Unknown attribute bogus"):
            change()
    T.backends.cuda.enable_flash_sdp(False)
    assert not T.backends.cuda.flash_sdp_enabled()
    T.backends.cuda.enable_flash_sdp(True)


def test_the_version_names_no_toolkit():
    version = T.version
    assert version.__version__ == tri.__version__
    assert (version.cuda, version.hip, version.rocm, version.xpu, version.debug) == (
        *(None, None, None, None),
        False,
    )


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_what_is_called_how():
    x = tri.ones(1)
    assert [tri.typename(each) for each in (x, 3, int, len)] == [
        *("trilith.FloatTensor", "int", "int", "len"),
    ]
    found = [tri.is_storage(each) for each in (x, x.untyped_storage(), T.Tensor.storage(x), 3)]
    assert found == [False, True, True, False]
    assert (tri.is_distributed(x), T.Tensor.is_distributed(x)) == (False, False)


@pytest.mark.parametrize("name", ["setWarnOnlyOnce", "flush_denormal"])
def test_flags_of_the_process_are_bools(name: str):
    setter = T.set_flush_denormal if name == "flush_denormal" else T.set_warn_always
    with pytest.raises(RuntimeError, match=rf"^{name} expects a bool, but got int"):
        setter(1)


def test_numbers_close_to_0_are_never_rounded_to_it():
    assert T.set_flush_denormal(False)
    assert not T.set_flush_denormal(True)


def test_warnings_that_are_given_once_may_be_given_each_time():
    counts: list[int] = []
    for is_always in (True, False):
        T.set_warn_always(is_always)
        assert T.is_warn_always_enabled() is is_always
        with warnings.catch_warnings(record=True, action="always") as caught:
            for _ in range(3):
                frames.warn_once("said by a test of warnings")
        counts.append(len(caught))
    assert counts == [3, 0]


def test_files_are_memory(tmp_path: Any):
    path = tmp_path / "elements"
    path.write_bytes(bytes(12))
    private: Any = tri.from_file(str(path), size=3)
    private.fill_(1)
    assert (private.tolist(), path.read_bytes()) == ([1, 1, 1], bytes(12))
    shared: Any = tri.from_file(str(path), shared=True, size=4, dtype=tri.int32)
    shared[3] = 7
    assert path.read_bytes() == bytes(12) + b"\7\0\0\0"
    assert tri.from_file(str(path)).shape == (0,)
    for keywords, text in (
        ({"size": 5}, f"file <{path}> size <16> is smaller than the required mapping size <20>"),
        ({"size": -1}, f"unable to mmap -4 bytes from file <{path}>: Cannot allocate memory (12)"),
    ):
        with pytest.raises(RuntimeError) as caught:
            T.from_file(str(path), **keywords)
        assert str(caught.value).split("\n")[0] == text
    with pytest.raises(RuntimeError, match="in read-only mode: No such file or directory"):
        tri.from_file(str(tmp_path / "none"), size=1)
