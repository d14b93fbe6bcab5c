"""What can be asked of trilith-opt? Its passes and pipelines as a list, its words for a shell."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields

from xdsl.passes import ModulePass

from ..targets.table import named_pipelines

PassFactories = Mapping[str, Callable[[], type[ModulePass]]]


def list_passes(factories: PassFactories) -> str:
    """Return a line per pass and its options, and the pipelines as `-p` takes them."""
    width = max(map(len, factories))
    lines = ["passes:"]
    for name, factory in factories.items():
        lines.append(f"  {name:{width}}  {describe_pass(factory)}")
    lines += ["", "pipelines:"]
    for name, target in named_pipelines().items():
        for part, steps in (("function", target.function), ("kernel", target.kernel_steps())):
            passes = ",".join(map(str, steps))
            lines.append(f"  {name} ({part}): {passes}".rstrip())
    return "\n".join(lines)


def describe_pass(factory: Callable[[], type[ModulePass]]) -> str:
    """Return the first line of a pass's docstring and its options.

    >>> from trilith.compiler.pipeline import pass_class
    >>> describe_pass(lambda: pass_class("cse"))
    'Common subexpression elimination'
    """
    try:
        made = factory()
    except ImportError as error:
        return f"(cannot be loaded: {error})"
    # A docstring of its own: not that of a base, nor the signature that a dataclass writes.
    written = inspect.cleandoc(made.__dict__.get("__doc__") or "")
    if not written or written.startswith(f"{made.__name__}("):
        written = re.sub(r"(?<!^)([A-Z])", lambda letter: f" {letter[0].lower()}", made.__name__)
    summary = written.partition("\n\n")[0].replace("\n", " ")
    options = [f"{option_name(field.name)}: {field.type}" for field in fields(made)]
    return f"{summary} [{', '.join(options)}]" if options else summary


def option_name(field: str) -> str:
    """Return how an option is spelled on the command line.

    >>> option_name("vector_bits")
    'vector-bits'
    """
    return field.replace("_", "-")


_BASH = """\
# Completion of trilith-opt for bash: eval "$(trilith-opt --completion bash)"
_trilith_opt() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" head="" words=""
  case "$previous" in
    -p|--passes|--print-ir-after)
      words="{passes}"
      case "$word" in *,*) head="${{word%,*}},"; word="${{word##*,}}" ;; esac ;;
    -t|--target) words="{targets}" ;;
    --target-pipeline) words="{pipelines}" ;;
    --completion) words="bash" ;;
    *) case "$word" in -*) words="{options}" ;; esac ;;
  esac
  COMPREPLY=()
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -P "$head" -W "$words" -- "$word")
  fi
}}
complete -o default -F _trilith_opt trilith-opt"""


def bash_completion(options: Iterable[str], passes: Iterable[str], targets: Iterable[str]) -> str:
    """Return a script that completes options, passes, targets and pipelines."""
    return _BASH.format(
        options=" ".join(options),
        passes=" ".join(passes),
        targets=" ".join(targets),
        pipelines=" ".join(named_pipelines()),
    )
