"""How does a person call trilith's tools? By one command, `trilith`, whose first word names a tool.

    trilith cache info
    trilith cache build script.py --out FOLDER
    trilith opt FILE -p tri-promote-types,cse      # the same as trilith-opt

`python -m trilith` does the same.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import NoReturn

from ...dialects.diagnostics import InternalError, nearest
from . import cache_command
from .refusal import Kind, Refusal, system_refusal
from .running import end_at_once, opened, run_tool

EPILOG = """\
Results go to stdout, everything else to stderr. The exit status is 1 if something is wrong and 2
for a wrong command line. TRILITH_TRACEBACK=1 shows Python's traceback."""
OPT = "run passes on a file of IR; the same as trilith-opt, with its options"


class Parser(argparse.ArgumentParser):
    """A parser that refuses as the other tools do: what is wrong, and what was perhaps meant."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        said, _, choices = message.partition(" (choose from ")
        wrong = re.search(r"(?:invalid choice: '|unrecognized arguments: )([^\s'=]+)", said)
        names = re.findall(r"[\w-]+", choices or self.format_usage())
        hint = nearest(wrong[1], names) if wrong else ""
        raise Refusal(
            Kind.USAGE,
            f"{self.prog}: error: {message}{hint}",
            f"  {self.prog} --help says what there is",
        )


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    >>> given = make_parser().parse_args(["cache", "clear", "--older-than", "30"])
    >>> given.older_than
    30.0
    """
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(
        "trilith",
        description="The tools of trilith.",
        epilog=EPILOG,
        formatter_class=raw,
        allow_abbrev=False,
    )
    parser.add_argument(
        "-v", "--version", action="version", version=f"trilith {version('trilith')}"
    )
    parser.set_defaults(run=None, parser=parser, takes_rest=False)
    tools = parser.add_subparsers(metavar="TOOL", title="tools")
    tools.add_parser("opt", help=OPT, add_help=False)
    cache_command.add_commands(
        tools.add_parser(
            "cache",
            help=cache_command.HELP,
            description=cache_command.DESCRIPTION,
            formatter_class=raw,
            allow_abbrev=False,
        )
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the tool that the command line names."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] == "opt":
        from .trilith_opt import main as run_opt  # loads xDSL

        run_opt(words[1:], "trilith opt")
    else:
        run_tool(lambda: _run(words), _refuse)


def _run(words: Sequence[str]) -> int:
    opened(sys.stdout, "stdout")
    own, mark, rest = list(words), "", []
    if "--" in own:
        place = own.index("--")
        own, mark, rest = own[:place], own[place], own[place + 1 :]
    given, unknown = make_parser().parse_known_args(own)
    given.rest = rest
    if mark and not given.takes_rest:
        unknown += [mark, *rest]
    if unknown:
        given.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if given.run is None:
        given.parser.print_help()
        return 0
    return given.run(given)


def _refuse(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, OSError):
        return system_refusal(error, "stdout")
    return Refusal(Kind.CRASH, str(InternalError(f"{type(error).__name__}: {error}")))


def console() -> None:
    """Run the command `trilith`."""
    end_at_once(main)


if __name__ == "__main__":
    console()
