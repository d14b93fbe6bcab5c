# The two commands of a fresh clone are `make demo` and `make test`; both first make the
# environment in .venv. A line `target: ## text` is all that `make help` needs to show it.
PYTHON ?= python3# the interpreter (3.11 or newer) that .venv is made with
N ?= 1000# programs, and examples of each property, in `make fuzz`
BENCH ?= # options of `make bench`: --quick, --only NAME, --json FILE, --help
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)# processes of the test runners
TORCH_PYTHON ?= python# an interpreter with torch 2.13 and what trilith needs, for `make conformance`
DEVICE ?= cpu# the device of `make conformance` and of `make fuzz`, such as opencl:0
OPTIONS ?= # options of `make conformance`: --family views, --ops add, --mode eager, --json FILE, --help
FUZZ ?= # options of tests/property/fuzz.py: --seed 7, --keep-going, --family strided, --operation sum
STRESS ?= # options of `make stress`: --only threads, --share 0.1, --help

# Recorded values are compared where every call is tried in native code, too. What else PyTorch's
# records say does not depend on the code.
RECORDS := $(addprefix tests/conformance/test_,observed.py sparse_record.py matrix_gradients.py sparse_gradients.py)
VALUES := $(filter-out $(RECORDS),$(wildcard tests/conformance/test_*.py))

# Tests start hundreds of processes; without bytecode each would compile the library's sources.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
STAMP := .venv/.stamp
# What `import trilith` finds in .links, for type checkers; a source distribution cannot hold links.
LINKED := __init__.py __init__.pyi __main__.py py.typed autograd backends compiler dialects runtime nn utils \
  cuda.py func.py testing.py version.py $(foreach name,fft linalg sparse special,$(name).py $(name).pyi)

.DEFAULT_GOAL := help
.PHONY: help demo test check format format-check lint types layers conformance fuzz stress bench golden stubs docs clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
	@awk -F '[?]= *|# ?' '/^[A-Z_]+ [?]= / { printf "  %-19s %s\n", $$1, $$NF }' Makefile

# Made anew only when pyproject.toml changes. Pip before 25.1 does not know --group. An editable
# install warns of folders named like the package (there is none) and leaves its egg-info.
$(STAMP): pyproject.toml
	@mkdir -p .links/trilith
	@for name in $(LINKED); do test -e .links/trilith/$$name || ln -s ../../$$name .links/trilith; done
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --editable . --group dev
	@rm -rf trilith.egg-info
	@touch $@

demo: $(STAMP) ## run examples/photo.py
	$(BIN)/python examples/photo.py

test: $(STAMP) ## run every test: units, doctests, conformance, properties, FileCheck
	$(BIN)/python -m pytest tests $(VALUES:%=--ignore=%) --numprocesses=$(JOBS)
	TRILITH_TEST_CALLS=native $(BIN)/python -m pytest $(VALUES) --numprocesses=$(JOBS)
	$(BIN)/lit --quiet --workers=$(JOBS) tests/filecheck/tools

check: format-check lint types layers test ## all that a change must pass

format: $(STAMP) ## write every file in the one format, imports sorted
	$(BIN)/ruff check --select I --fix --quiet .
	$(BIN)/ruff format .

format-check: $(STAMP) ## is every file in the one format?
	$(BIN)/ruff format --check .

lint: $(STAMP) ## ruff's rules
	$(BIN)/ruff check .

types: $(STAMP) ## pyright, strict
	$(BIN)/pyright

layers: $(STAMP) ## imports point downwards only
	$(BIN)/lint-imports

# Kernels for a device take long to build and are kept; those for the CPU are made anew. The status 2
# says that there is no torch, which is an error only where somebody named an interpreter.
conformance: export TRILITH_CACHE ?= $(if $(filter cpu,$(DEVICE)),0,1)
conformance: export TRILITH_CACHE_DIR ?= build/conformance
conformance: $(STAMP) ## on DEVICE: PyTorch's recorded answers, then torch itself if TORCH_PYTHON has it
	$(if $(OPTIONS),,$(BIN)/python -m pytest tests --device $(DEVICE) --numprocesses=$(JOBS))
	PYTHONPATH=.links $(TORCH_PYTHON) -m tests.conformance.torch --jobs $(JOBS) --device $(DEVICE) $(OPTIONS) \
	  || { [ $$? -eq 2 ] && [ "$(origin TORCH_PYTHON)" = file ]; }

fuzz: $(STAMP) ## draw N new random programs, and N examples for each property of a unit
	TRILITH_CACHE=0 $(BIN)/python -m tests.property.fuzz --count $(N) --jobs $(JOBS) --device $(DEVICE) $(FUZZ)
	TRILITH_FUZZ=$(N) $(BIN)/python -m pytest tests --numprocesses=$(JOBS) -m hypothesis -o faulthandler_timeout=0

stress: $(STAMP) ## damaged caches, threads, forks, Ctrl-C and dropped functions in full numbers
	$(BIN)/python -m tests.stress.run $(STRESS)

bench: $(STAMP) ## measure against peers in the same run
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python benchmarks/run.py $(BENCH)

golden: $(STAMP) ## rewrite the recorded texts in tests/golden
	$(BIN)/python -m pytest tests --update-golden

stubs: $(STAMP) ## rewrite the type stubs of what is made from the table of operations
	$(BIN)/python -m trilith.compiler.tools.write_stubs

docs: $(STAMP) ## build the pages of docs/ into build/docs
	$(BIN)/python -m pip install --quiet --group docs
	$(BIN)/sphinx-build --quiet --fail-on-warning docs build/docs

clean: ## remove what was built, but not .venv
	rm -rf build dist *.egg-info .hypothesis .import_linter_cache .pytest_cache .ruff_cache tests/.pytest_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
