"""How does a person run passes on a file of IR? The command `trilith-opt`, as MLIR's `mlir-opt`.

    trilith-opt FILE -p tri-promote-types,cse --print-ir-after-all
    trilith-opt FILE --target-pipeline cpu -t tri-asm

The options of xDSL's `xdsl-opt` work here too.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import TypeVar

from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass, PassPipeline
from xdsl.printer import Printer
from xdsl.targets import get_all_targets
from xdsl.transforms import get_all_passes
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import DiagnosticException, ParseError, ShrinkException
from xdsl.xdsl_opt_main import xDSLOptMain

from ...dialects.tri.sizes import verifying
from ..analysis.dominance import check_dominance
from ..targets.table import named_pipelines
from . import command_line
from .ir_dumps import IrDumps
from .located_parser import LocatedParser
from .refusal import Kind, Refusal, system_refusal
from .refusals import Source, invalid_module, step_refusal, syntax_refusal, unknown
from .reproducer import Reproducer
from .running import end_at_once, opened, run_tool
from .universe import TRILITH_UNIVERSE, kernel_texts

#: What of xDSL is offered beside our own; `xdsl-opt` offers everything, and ours too.
XDSL_DIALECTS = ("builtin", "func", "arith", "math", "scf")
XDSL_PASSES = ("canonicalize", "cse", "dce", "licm", "control-flow-hoist")
XDSL_TARGETS = ("mlir",)

_T = TypeVar("_T")


class TrilithOpt(xDSLOptMain):
    """xDSL's driver with our dialects, passes and targets, MLIR's options and short messages."""

    dumps: IrDumps
    reproducer: Reproducer | None
    arguments: Sequence[str]
    source: Source

    def __init__(self, arguments: Sequence[str], program: str = command_line.PROGRAM) -> None:
        """Read the command line of a program; nothing of a dialect is loaded yet."""
        self.arguments, self.program = arguments, program
        super().__init__(command_line.DESCRIPTION, arguments)

    def register_all_dialects(self) -> None:
        """Register our dialects and those that they are mixed with."""
        known = get_all_dialects()
        for name in XDSL_DIALECTS:
            self.ctx.register_dialect(name, known[name])
        for name, factory in TRILITH_UNIVERSE.all_dialects.items():
            self.ctx.register_dialect(name, factory)

    def register_all_passes(self) -> None:
        """Register our passes and the general ones of xDSL."""
        known = get_all_passes()
        self.available_passes.update(TRILITH_UNIVERSE.all_passes)
        self.available_passes.update({name: known[name] for name in XDSL_PASSES})

    def register_all_targets(self) -> None:
        """Register MLIR text and our targets."""
        known = get_all_targets()
        self.available_targets.update({name: known[name] for name in XDSL_TARGETS})
        self.available_targets.update(kernel_texts())

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        """Register xDSL's options, then what MLIR's tool has beside them."""
        command_line.prepare(arg_parser, self.program)
        super().register_all_arguments(arg_parser)
        known = get_all_targets()
        targets = {name: known[name] for name in XDSL_TARGETS} | kernel_texts()
        command_line.add_run_options(arg_parser, targets)
        command_line.add_dump_options(arg_parser)
        command_line.add_show_options(arg_parser, self.available_passes, targets)

    def setup_pipeline(self) -> None:
        """Make the passes that were asked for, and what watches them."""
        given = self.args
        text: str = given.passes
        specs = command_line.read_pipeline(text)
        device: str | None = given.target_pipeline
        if device is not None:
            pipelines = named_pipelines()
            if device not in pipelines:
                raise unknown("pipeline", device, pipelines)
            steps = (*pipelines[device].function, *pipelines[device].kernel_steps())
            specs = [*command_line.read_pipeline(",".join(map(str, steps))), *specs]
        available = self.available_passes
        passes = [command_line.configure(spec, "pass", available) for spec in specs]
        self.pipeline = PassPipeline(tuple(passes))
        self.dumps = self.asked_dumps()
        self.reproducer = self.asked_reproducer()

    def asked_dumps(self) -> IrDumps:
        """Return what shows the IR: after all passes, unless the options name fewer moments."""
        given = self.args
        names: str = given.print_ir_after
        shown = frozenset(name for name in names.split(",") if name)
        for name in sorted(shown - self.available_passes.keys()):
            raise unknown("pass", name, self.available_passes)
        is_narrowed = bool(shown) or given.print_ir_before_all
        is_asked = given.print_ir_after_change or given.print_ir_tree_dir is not None
        return IrDumps(
            self.spell,
            before_all=given.print_ir_before_all,
            after_all=given.print_ir_after_all
            or given.print_between_passes
            or (is_asked and not is_narrowed),
            after=shown,
            only_changes=given.print_ir_after_change,
            folder=given.print_ir_tree_dir,
        )

    def asked_reproducer(self) -> Reproducer | None:
        """Return where a failing pass is written down, with the options that it depends on."""
        if self.args.crash_reproducer is None:
            return None
        flags = ("--allow-unregistered-dialect", "--disable-verify")
        return Reproducer(
            self.args.crash_reproducer, tuple(flag for flag in flags if flag in self.arguments)
        )

    # ---- running

    def run(self) -> None:
        """Read, transform and print the input, piece by piece."""
        file: str | None = self.args.output_file
        buffer = StringIO()
        output = opened(sys.stdout, "stdout") if file is None else buffer
        try:
            for number, text in enumerate(self.read_pieces()):
                if number:
                    output.write("// -----\n")
                try:
                    output.write(self.processed(text))
                except Refusal as refusal:
                    if not self.is_expected(refusal):
                        raise
                    output.write(f"{refusal}\n")
        except ShrinkException:
            if not self.args.shrink:
                raise
            print("Success, can shrink")
            return
        if file is not None:
            try:
                Path(file).write_text(buffer.getvalue(), encoding="utf-8")
            except OSError as error:
                raise system_refusal(error, file) from error
        if self.args.shrink:
            print("Failure, can't shrink")
            raise SystemExit(1)

    def is_expected(self, refusal: Refusal) -> bool:
        """Whether an option asks to print a refusal instead of failing, as in xdsl-opt."""
        return (self.args.parsing_diagnostics and refusal.kind is Kind.SYNTAX) or (
            self.args.verify_diagnostics and refusal.kind is Kind.INVALID
        )

    def read_pieces(self) -> list[str]:
        """Return the input, split where asked for; newlines keep the numbers of the lines."""
        if self.args.input_file == "-":
            self.args.input_file = None
        if self.args.input_file is None:
            opened(sys.stdin, "stdin")
        stream, _ = self.get_input_stream()
        with stream:
            data = stream.read()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            message = f"{self.get_input_name()}:{line}: error: this is not UTF-8 text"
            raise Refusal(Kind.SYNTAX, message) from error
        if not self.args.split_input_file:
            return [text]
        pieces: list[str] = []
        lines = 0
        for piece in re.split(r"^// -----[ \t\r]*$", text, flags=re.MULTILINE):
            pieces.append("\n" * lines + piece)
            lines += piece.count("\n")
        return pieces

    def processed(self, text: str) -> str:
        """Return what becomes of one piece of the input."""
        self.source = Source(self.get_input_name(), text)
        module = self.parsed(text)
        self.verify(module)
        self.apply_passes(module)
        return self.attempt(
            ("-t", self.args.target), module, lambda: self.output_resulting_program(module)
        )

    def parsed(self, text: str) -> ModuleOp:
        """Return the module of a text; whatever the parser raises is told with a place."""
        parser = None
        try:
            parser = LocatedParser(self.ctx, text, self.get_input_name())
            return parser.parse_module(not self.args.no_implicit_module)
        except ParseError as error:
            raise syntax_refusal(error) from error
        except ShrinkException:
            raise
        except RecursionError as error:
            message = f"{self.get_input_name()}: error: the text nests too deeply"
            raise Refusal(Kind.SYNTAX, message) from error
        except Exception as error:
            assert parser is not None
            kind = Kind.INVALID if isinstance(error, DiagnosticException) else Kind.SYNTAX
            raise syntax_refusal(parser.failure(error), kind) from error

    def verify(self, module: ModuleOp, after: str = "") -> None:
        """Verify a module, as it was read or as the pass `after` left it."""
        if self.args.disable_verify:
            return
        try:
            with verifying(module):
                module.verify()
            check_dominance(module)
        except ShrinkException:
            raise
        except Exception as error:
            raise invalid_module(error, module, self.source, after) from error

    def apply_passes(self, prog: ModuleOp) -> None:
        """Run the passes in order, verifying and showing the module around each."""
        times: list[tuple[str, float]] = []

        def run(step: ModulePass) -> None:
            began = time.perf_counter()
            step.apply(self.ctx, prog)
            times.append((step.name, time.perf_counter() - began))
            self.verify(prog, after=step.name)

        for step in self.pipeline.passes:
            self.dumps.before_pass(step.name, prog)
            self.attempt(("-p", str(step.spec())), prog, lambda step=step: run(step))
            self.dumps.after_pass(step.name, prog)
        if self.args.time_passes:
            for name, seconds in [*times, ("total", sum(seconds for _, seconds in times))]:
                print(f"{1000 * seconds:10.3f} ms  {name}", file=sys.stderr)

    def attempt(self, step: tuple[str, str], module: ModuleOp, action: Callable[[], _T]) -> _T:
        """Do one step; a failure becomes a refusal and, if asked for, a file that repeats it."""
        before = "" if self.reproducer is None else self.spell(module)
        try:
            return action()
        except (ShrinkException, OSError):
            raise
        except Exception as error:
            command = shlex.join(["trilith-opt", *self.arguments])
            if self.reproducer is not None:
                command = self.reproducer.command(step)
            refusal = step_refusal(error, step[1], self.source, command)
            if self.reproducer is not None:
                try:
                    self.reproducer.write(step, str(refusal), before)
                except OSError as failure:
                    raise Refusal(
                        refusal.kind, str(refusal), str(system_refusal(failure))
                    ) from error
                if refusal.kind is not Kind.CRASH:
                    refusal = Refusal(refusal.kind, str(refusal), f"  repeat it with: {command}")
            raise refusal from error

    def spell(self, module: ModuleOp) -> str:
        """Return a module as text, in the form that was asked for."""
        stream = StringIO()
        printer = Printer(
            stream,
            print_generic_format=self.args.print_op_generic,
            print_debuginfo=self.args.print_debuginfo,
        )
        printer.print_op(module)
        return stream.getvalue()


def main(arguments: Sequence[str] | None = None, program: str = command_line.PROGRAM) -> None:
    """Run the tool on the command line's arguments; `program` is what it was called by."""
    words = sys.argv[1:] if arguments is None else arguments

    def run() -> int:
        TrilithOpt(words, program).run()
        return 0

    def refuse(error: Exception) -> Refusal:
        refusal = step_refusal(error, "", Source("stdout", ""), "")
        return command_line.said_by(program, refusal)

    # xDSL's options --disable-verify and --syntax-highlight change its classes for good.
    verification, colored = Attribute.__post_init__, Diagnostic.colored
    try:
        run_tool(run, refuse)
    finally:
        Attribute.__post_init__ = verification
        Diagnostic.colored = colored


def console() -> None:
    """Run the command `trilith-opt`."""
    end_at_once(main)


if __name__ == "__main__":
    console()
