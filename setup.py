"""What stands on the page of a package index? README.md, with names of files in place of links.

The project has no public address. A link into the repository would lead nowhere on such a page; the
files themselves are in the source distribution. Everything else is in pyproject.toml.
"""

import re
from pathlib import Path

from setuptools import setup

_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
_NOTE = "\nThe files that this page names are in the source distribution.\n"


def _named(link: re.Match[str]) -> str:
    text, file = link.groups()
    return f"`{file}`" if text == file else f"{text} (`{file}`)"


_readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
setup(
    script_name="setup.py",  # so that it is not taken for a module of the package beside it
    long_description=_LINK.sub(_named, _readme) + _NOTE,
    long_description_content_type="text/markdown",
)
