"""Configuration of lit: `lit tests/filecheck`; tests/test_filecheck.py runs them in pytest."""

import os
import sys

import lit.formats

config.name = "trilith"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir", ".py"]
config.excludes = ["lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "..", "..", "build", "lit")
tools = os.path.dirname(sys.executable)
config.environment["PATH"] = tools + os.pathsep + os.environ["PATH"]
