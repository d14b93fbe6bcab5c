# RUN: python %s | filecheck %s
# RUN: not python %s --wrong 2>&1 | filecheck %s --check-prefix=WRONG

# A Python file is a test like a file of IR: what it prints is checked.

import sys

import trilith as tri

# CHECK: name: trilith
print("name:", tri.__name__)

# WRONG: ValueError: ['--wrong']
if sys.argv[1:]:
    raise ValueError(sys.argv[1:])
