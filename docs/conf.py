"""Settings of Sphinx for `make docs`."""

project = "trilith"
extensions = ["myst_parser"]
