"""What does damaged IR look like? Texts of the FileCheck files with one to three changes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parents[2] / "filecheck"
_RUN = re.compile(r"^\s*// RUN:(.*)$", re.MULTILINE)
_TOKEN = re.compile(r'"[^"\n]*"|[%!#@^]?[\w.$]+|->|[^\s\w]')
_NUMBER = re.compile(r"(?<![\w.])-?\d+")
_TYPE = re.compile(r"\b(?:i1|i8|i16|i32|i64|ui8|si32|si64|bf16|f16|f32|f64|index)\b")
TYPES = ("i1", "i7", "i32", "i64", "ui8", "si64", "bf16", "f16", "f32", "f64", "index", "f0", "i0")
NUMBERS = ("0", "-1", "1", "2", "63", "64", "65537", "2147483648", "9223372036854775807")
HUGE = ("9223372036854775808", "-9223372036854775809", "1" + "0" * 40, "9" * 5000, "0x7f", "1e999")
LETTERS = "\"'\\{}[]()<>%!#@^:,=*+-/|?.;&~`$_ \t\n\0\x7f0aZ\u00e9\u00b2\u0663\u4e2d\ufeff"
UNCLOSED = '"' + "ab" * 40

Edit = Callable[[str, Random], str]


@dataclass(frozen=True, slots=True)
class Case:
    """A text, and the words of the command line that read it."""

    words: tuple[str, ...]
    text: str


def cases() -> list[Case]:
    """Return the undamaged inputs: each file with the words of each of its RUN lines."""
    found: dict[Case, None] = {}
    for file in sorted(FOLDER.rglob("*.mlir")):
        if file.name == "errors.mlir":
            continue  # its command lines are wrong
        text = file.read_text(encoding="utf-8")
        lines = "\n".join(line.strip() for line in _RUN.findall(text)).replace("\\\n", " ")
        for line in lines.splitlines():
            command = line.partition(" | ")[0].removeprefix("not ").replace("2>&1", "").strip()
            name, *words = shlex.split(command)
            if name == "trilith-opt" and "%s" in words:
                words.remove("%s")
                if not any("tree-dir" in word or "reproducer" in word for word in words):
                    for piece in text.split("// -----\n"):
                        found[Case(tuple(words), piece)] = None
    return list(found)


def damaged(text: str, draw: Random) -> str:
    """Return a text with one to three changes."""
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        text = draw.choice(EDITS)(text, draw)
    return text


def _place(pattern: re.Pattern[str], text: str, draw: Random) -> tuple[int, int]:
    """Return where one of the matches is; an empty place if there is none."""
    found = [match.span() for match in pattern.finditer(text)]
    return draw.choice(found) if found else (len(text), len(text))


def _replace(pattern: re.Pattern[str], choices: tuple[str, ...]) -> Edit:
    def edit(text: str, draw: Random) -> str:
        start, end = _place(pattern, text, draw)
        return text[:start] + draw.choice(choices) + text[end:]

    return edit


def _replace_everywhere(pattern: re.Pattern[str], choices: tuple[str, ...]) -> Edit:
    """Replace a token by another wherever it stands: what comes out is more often valid."""

    def edit(text: str, draw: Random) -> str:
        start, end = _place(pattern, text, draw)
        token = text[start:end]
        new = draw.choice(choices)
        return pattern.sub(lambda found: new if found[0] == token else found[0], text)

    return edit


def _delete_letters(text: str, draw: Random) -> str:
    start = draw.randrange(len(text) + 1)
    return text[:start] + text[start + draw.choice((1, 1, 2, 5, 20)) :]


def _insert_letter(text: str, draw: Random) -> str:
    start = draw.randrange(len(text) + 1)
    return text[:start] + draw.choice(LETTERS) + text[start:]


def _delete_token(text: str, draw: Random) -> str:
    start, end = _place(_TOKEN, text, draw)
    return text[:start] + text[end:]


def _double_token(text: str, draw: Random) -> str:
    start, end = _place(_TOKEN, text, draw)
    return text[:end] + " " + text[start:end] + text[end:]


def _swap_tokens(text: str, draw: Random) -> str:
    first, second = sorted((_place(_TOKEN, text, draw), _place(_TOKEN, text, draw)))
    if first[1] > second[0]:
        return text
    (a, b), (c, d) = first, second
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _copy_token(text: str, draw: Random) -> str:
    """Put one token in the place of another: another value, type, name or operation."""
    start, end = _place(_TOKEN, text, draw)
    from_start, from_end = _place(_TOKEN, text, draw)
    return text[:start] + text[from_start:from_end] + text[end:]


def _edit_lines(change: Callable[[list[str], int, Random], None]) -> Edit:
    def edit(text: str, draw: Random) -> str:
        lines = text.splitlines(keepends=True) or [""]
        change(lines, draw.randrange(len(lines)), draw)
        return "".join(lines)

    return edit


def _delete_line(lines: list[str], number: int, draw: Random) -> None:
    del lines[number : number + draw.choice((1, 1, 3))]


def _double_line(lines: list[str], number: int, draw: Random) -> None:
    lines.insert(number, lines[number])


def _move_line(lines: list[str], number: int, draw: Random) -> None:
    line = lines.pop(number)
    lines.insert(draw.randrange(len(lines) + 1), line)


def _truncate(text: str, draw: Random) -> str:
    return text[: draw.randrange(len(text) + 1)]


EDITS: tuple[Edit, ...] = (
    _delete_letters,
    _insert_letter,
    _delete_token,
    _double_token,
    _swap_tokens,
    _copy_token,
    _copy_token,
    _replace(_NUMBER, NUMBERS),
    _replace(_NUMBER, NUMBERS),
    _replace(_NUMBER, HUGE),
    _replace(_TYPE, TYPES),
    _replace_everywhere(_NUMBER, (*NUMBERS, "16", "4096")),
    _replace_everywhere(_TYPE, TYPES),
    _replace(_TOKEN, (UNCLOSED, "{", "}", ")", '"\\q"', "%0", "loc(unknown)")),
    _edit_lines(_delete_line),
    _edit_lines(_double_line),
    _edit_lines(_move_line),
    _truncate,
)
