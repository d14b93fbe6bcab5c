"""Settings of Sphinx for `make docs`."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

project = "trilith"
extensions = ["myst_parser"]
html_show_copyright = False
# IR has lines of 100 columns and more.
html_theme_options = {"page_width": "1280px", "body_max_width": "1040px"}


class MlirLexer(RegexLexer):
    """The colours of MLIR's text, which Pygments does not know."""

    name = "MLIR"
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"//.*", Comment.Single),
            (r'"(\\.|[^"\\\n])*"', String),
            (r"[%^][\w.$-]+(#\d+)?", Name.Variable),
            (r"@[\w.$-]+", Name.Function),
            (r"![\w.$]+|\b(\d+x)*(i|si|ui|f|bf)\d+\b|\b(index|complex|vector)\b", Keyword.Type),
            (r"#[\w.$]+", Name.Decorator),
            (r"\b(true|false|loc|unit)\b", Keyword.Constant),
            (r"-?\b\d+(\.\d+([eE][-+]?\d+)?)?", Number),
            (r"[A-Za-z_][\w$]*\.[\w.$]+", Name.Builtin),
            (r"[A-Za-z_][\w$]*", Name),
            (r"\s+", Text),
            (r".", Operator),
        ]
    }


def setup(app: Any) -> None:
    """Make the lexer known."""
    app.add_lexer("mlir", MlirLexer)
