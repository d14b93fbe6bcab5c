"""Which options does trilith-opt take beside those of xDSL's driver, and how are they read?"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, parse_pipeline, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError

from ...dialects.diagnostics import TrilithError, nearest
from ..targets.table import named_pipelines
from .listing import PassFactories, bash_completion, list_passes, option_name
from .refusal import Kind, Refusal
from .refusals import unknown

DESCRIPTION = "Run trilith's passes on a file of IR (or on stdin) and print the result."
#: What the tool is called, unless it is a word of another program.
PROGRAM = "trilith-opt"
EPILOG = """\
examples:
  trilith-opt f.mlir -p tri-promote-types,cse --print-ir-after-all
  trilith-opt f.mlir --target-pipeline cpu -t tri-llvm
  trilith-opt f.mlir --target-pipeline cpu --crash-reproducer crash.mlir

The result goes to stdout or to -o, everything else to stderr. The exit status is 1 for an input
that is refused and 2 for a wrong command line. TRILITH_TRACEBACK=1 shows Python's traceback."""

_Configurable = TypeVar("_Configurable", bound=ArgSpecConvertible)


class Show(argparse.Action):
    """An option that prints a text and ends the program, as --help does."""

    def __init__(self, *words: Any, text: Callable[[], str], **settings: Any) -> None:
        """Keep what makes the text."""
        super().__init__(*words, **settings)
        self.text = text

    def __call__(self, parser: argparse.ArgumentParser, *arguments: Any) -> None:
        """Print the text and exit."""
        print(self.text())
        parser.exit()


def prepare(parser: argparse.ArgumentParser, program: str = PROGRAM) -> None:
    """Set what holds for all options; a later option may replace one of the same name."""
    parser.prog = program
    parser.epilog = EPILOG.replace(PROGRAM, program)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.allow_abbrev = False
    parser.conflict_handler = "resolve"

    def refuse(message: str) -> NoReturn:
        raise _usage_refusal(message, option_words(parser))

    parser.error = refuse


def said_by(program: str, refusal: Refusal) -> Refusal:
    """Return a refusal of the command line in the name of the program that it was given to.

    >>> print(said_by("trilith opt", unknown("pass", "tri-fuze", ["tri-fuse"])))
    trilith opt: error: there is no pass 'tri-fuze'; did you mean 'tri-fuse'?
      there are: tri-fuse
    """
    if refusal.kind is not Kind.USAGE or program == PROGRAM:
        return refusal
    named = re.compile(rf"^( *){PROGRAM}(:| --help)", re.MULTILINE)
    return Refusal(refusal.kind, named.sub(rf"\g<1>{program}\2", str(refusal)))


def option_words(parser: argparse.ArgumentParser) -> list[str]:
    """Return the long options of a parser."""
    return list(dict.fromkeys(re.findall(r"--[a-z][a-z-]*", parser.format_usage())))


def _usage_refusal(message: str, options: list[str]) -> Refusal:
    wrong = re.match(r"unrecognized arguments: .*?(-[^\s=]+)", message)
    hint = nearest(wrong[1], options) if wrong else ""
    return Refusal(
        Kind.USAGE,
        f"trilith-opt: error: {message}{hint}",
        "  trilith-opt --help names all options",
    )


def add_run_options(
    parser: argparse.ArgumentParser, targets: Mapping[str, Callable[[], type[ArgSpecConvertible]]]
) -> None:
    """Add the options that say what runs."""

    def target(text: str) -> str:
        configure(read_spec(text), "target", targets)
        return text

    # In a group of its own, because only new groups take over the handler of conflicts.
    group = parser.add_argument_group("what runs")
    group.add_argument(
        *("-p", "--passes"),
        default="",
        metavar="PASSES",
        help="passes in the order in which they run, as a,b{x=1},c; --list-passes names them",
    )
    group.add_argument(
        *("-t", "--target"),
        default="mlir",
        metavar="TARGET",
        type=target,
        help=f"what the result is printed as: {', '.join(targets)}",
    )
    group.add_argument(
        "--disable-verify",
        action="store_true",
        help="verify neither the input nor what each pass leaves",
    )
    group.add_argument(
        "--target-pipeline",
        metavar="DEVICE",
        help=f"run all passes for a device, before those of -p: {', '.join(named_pipelines())}",
    )
    group.add_argument(
        "--crash-reproducer",
        metavar="FILE",
        type=Path,
        help="if a pass fails, write the IR before it and the command that repeats it",
    )


def add_dump_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that show the IR between passes."""
    group = parser.add_argument_group("printing between passes")
    for moment, meaning in (
        ("before-all", "show the IR before each pass"),
        ("after-all", "show the IR after each pass"),
        ("after-change", "show the IR after the passes that change it"),
    ):
        group.add_argument(f"--print-ir-{moment}", action="store_true", help=meaning)
    group.add_argument(
        "--print-ir-after", default="", metavar="PASSES", help="show the IR after these passes"
    )
    group.add_argument(
        "--print-ir-tree-dir",
        type=Path,
        metavar="DIR",
        help="write what is shown into numbered files of a folder, one per pass",
    )


def add_show_options(
    parser: argparse.ArgumentParser, passes: PassFactories, targets: Iterable[str]
) -> None:
    """Add the options that print something and exit."""
    group = parser.add_argument_group("about the tool")
    group.add_argument(
        *("-v", "--version"),
        action=Show,
        nargs=0,
        text=lambda: f"trilith-opt {version('trilith')} (xDSL {version('xdsl')})",
        help="show the version and exit",
    )
    group.add_argument(
        "--list-passes",
        action=Show,
        nargs=0,
        text=lambda: list_passes(passes),
        help="show all passes, a line each, and the pipelines, and exit",
    )
    group.add_argument(
        "--completion",
        action=Show,
        choices=["bash"],
        text=lambda: bash_completion(option_words(parser), passes, targets),
        help="show a script that completes command lines in a shell, and exit",
    )


def read_spec(text: str) -> ArgSpec:
    """Read the name and the options of a target: `tri-asm{cpu=x86-64-v3}`.

    >>> read_spec("tri-asm{cpu=x86-64-v3}").parameters
    {'cpu': ('x86-64-v3',)}
    """
    try:
        spec = parse_spec(text)
    except (ArgSpecParseError, RuntimeError, StopIteration) as error:
        raise _misspelt(text, error) from error
    if str(spec.name) != text.partition("{")[0] or ("{" in text and not text.endswith("}")):
        raise _misspelt(text, ValueError("expected NAME or NAME{option=value}"))
    return spec


def read_pipeline(text: str) -> list[ArgSpec]:
    """Read passes and their options: `cse,kernel-schedule{target=cpu}`.

    >>> [spec.name for spec in read_pipeline("cse,kernel-schedule{target=cpu}")]
    ['cse', 'kernel-schedule']
    """
    try:
        return list(parse_pipeline(text.replace("\n", "").strip()))
    except (ArgSpecParseError, RuntimeError) as error:
        raise _misspelt(text, error) from error


def _misspelt(text: str, error: BaseException) -> Refusal:
    reason = "it ends too early" if isinstance(error, (RuntimeError, StopIteration)) else str(error)
    return Refusal(Kind.USAGE, f"trilith-opt: error: '{text}' cannot be read", reason)


def configure(
    spec: ArgSpec, what: str, factories: Mapping[str, Callable[[], type[_Configurable]]]
) -> _Configurable:
    """Return the pass or target that a spec names, with its options."""
    if spec.name not in factories:
        raise unknown(what, spec.name, factories)
    try:
        made = factories[spec.name]()
    except ImportError as error:
        message = f"trilith-opt: error: the {what} '{spec.name}' cannot be loaded: {error}"
        raise Refusal(Kind.CRASH, message) from error
    known = [option_name(field.name) for field in fields(made)]
    for option in spec.parameters:
        if option_name(option) not in known and not getattr(made, "takes_any_option", False):
            raise unknown(f"option of {spec.name}", option, known)
    try:
        return made.from_spec(spec)
    except ValueError as error:
        words = error.message if isinstance(error, TrilithError) else str(error)
        reason = re.sub(r"<class '(\w+)'>", r"\1", words)
        raise Refusal(Kind.USAGE, f"trilith-opt: error: {spec.name}: {reason}") from error
