"""Which public names of PyTorch are there, which shall come, which never? Writes docs/coverage.md.

    python -m tests.conformance.coverage --update

PyTorch's names are recorded in `tests/data/torch/coverage.json`. A name is there if trilith has it;
of the others `NOT_MEANT` says which are left out and why, and the rest is planned.
"""

import argparse
import json
import operator
import pathlib
import re
import textwrap

import trilith as tri

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "coverage.md"
RECORDED = ROOT / "tests" / "data" / "torch" / "coverage.json"

#: Why a name is left out, and which: patterns of whole names, in the order of the page. One that is
#: something else in another module stands with its own.
NOT_MEANT = {
    "quantised tensors": r".*quantize.*|quantized_.*|fake_quant.*|fused_moving_avg.*|q_\w+|qscheme|"
    r"int_repr|fbgemm_.*|choose_qparams.*|empty_quantized|scaled_(mm|grouped_mm)|grouped_mm",
    "libraries of other vendors": r"cudnn_.*|miopen_.*|mkldnn_.*|to_mkldnn|is_mkldnn|is_vulkan.*|"
    r"is_(ipu|maia|mtia|vulkan|xla|xpu|mps|hpu)|ipu|xpu|mtia|hpu|is_\w+_available",
    "automatic mixed precision": r".*autocast.*",
    "TorchScript, FX, and what PyTorch's own code is made of": r"import_ir_.*|fork|wait|"
    r"parse_(ir|schema|type_comment)|get_file_path|merge_type_from.*|unify_type_list|compiled_with_.*|classproperty|"
    r"while_loop|torch\.cond|profiler_.*|init_num_threads|prepare_multiprocessing.*|"
    r"get_device_module|thread_safe_generator|record_stream|const_data_ptr|module_load|storage_type|"
    r"_\w+|torch\.Tensor\.index",
    "symbolic integers": r"sym_.*",
    "nested tensors": r"is_nested|to_padded_tensor",
    "sparse layouts but sparse_coo": r"\w*(bsc|bsr|csc|csr|ccol|crow|compressed)\w*|"
    r"(col|row)_indices\w*|saddmm|hsmm|resize_as_sparse_?|to_padded.*|(indices|values)_copy",
    "statistics of distributed batches": r"batch_norm_(stats|elemt|gather.*|update.*|backward.*)",
    "forms that PyTorch itself has given up": r"symeig|reinforce|set_default_tensor_type|resize|"
    r"resize_as|norm_except_dim|native_norm|slice_inverse|wait|"
    r"(torch|torch\.Tensor)\.(eig|lstsq|solve|matrix_rank)",
    "functions of Python for each element": r"map_|map2_",
    "names that mean something else here": r"torch\.Tensor\.trace",
    "deep-learning layers with weights": r"(gru|lstm|rnn_tanh|rnn_relu)(_cell)?|"
    r"multi_head_attention_forward",
}

#: What has a name of PyTorch and is something else: `tri.trace` traces functions.
OTHERS = {("torch", "trace")}


def status(module: str, name: str) -> str:
    """Return `there`, `planned`, or why a name is not meant.

    >>> status("torch", "add"), status("torch", "cudnn_grid_sampler")
    ('there', 'libraries of other vendors')
    """
    owner = operator.attrgetter(module)(_Face)
    if (module, name) in OTHERS:
        return "a name that means something else here"
    if hasattr(owner, name):
        return "there"
    for why, names in NOT_MEANT.items():
        if is_left_out(names, module, name):
            return why
    return "planned"


def is_left_out(names: str, module: str, name: str) -> bool:
    """Whether a pattern is that of a name, alone or with its module's.

    >>> is_left_out(r"torch\\.cond", "torch", "cond")
    True
    >>> is_left_out(r"torch\\.cond", "torch.linalg", "cond")
    False
    """
    return any(re.fullmatch(names, text) for text in (name, f"{module}.{name}"))


class _Face:
    torch = tri


def text() -> str:
    """Return the page."""
    recorded: dict[str, list[str]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    lines = [
        "# What of PyTorch is there",
        "",
        "Every public function of PyTorch 2.13 and every public name of its tensors: there,",
        "planned, or not meant. `python -m tests.conformance.coverage --update` writes this page;",
        "a test keeps it true.",
        "",
        "| module | names | there | planned | not meant |",
        "|---|---|---|---|---|",
    ]
    found = {
        module: {name: status(module, name) for name in names} for module, names in recorded.items()
    }
    for module, names in found.items():
        states = list(names.values())
        there, planned = states.count("there"), states.count("planned")
        left = len(states) - there - planned
        lines.append(f"| `{module}` | {len(states)} | {there} | {planned} | {left} |")
    for module, names in found.items():
        lines += ["", f"## {module}"]
        for state in ("there", "planned", *NOT_MEANT, "a name that means something else here"):
            chosen = [name for name, here in names.items() if here == state]
            if chosen:
                title = state if state in ("there", "planned") else f"not meant, {state}"
                whole = f"**{title}** ({len(chosen)}): " + " ".join(f"`{n}`" for n in chosen)
                lines += ["", *textwrap.wrap(whole, 120, break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="rewrite docs/coverage.md")
    if parser.parse_args().update:
        PAGE.write_text(text(), encoding="utf-8")
    print("\n".join(line for line in text().splitlines() if line.startswith("|")))


if __name__ == "__main__":
    main()
