# Everything a contributor runs. `make help` lists it. A machine needs git, make and Python 3.11 or later; the rest comes
# from the lock into .venv.

VENV ?= .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
STAMP := $(VENV)/.installed
# Arguments for the commands below: make play ARGS="--seats 3", make test ARGS="-k burrows"
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help venv proto serve play test test-long test-wheel test-runtimes golden lint audit format bench bench-peers wheel lock api-freeze clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---- environment -------------------------------------------------------------------------------------------------------

venv: $(STAMP) ## make .venv: the locked dependencies, checked by hash, and the project itself

# A hash-checked installation refuses an editable project, so that comes second, without dependencies.
$(STAMP): requirements.lock pyproject.toml
	@python="$(PYTHON)"; \
	[ -n "$$python" ] || python=$$(sh .ci/pythons | awk 'NR == 1 { print $$2 }'); \
	[ -n "$$python" ] || { echo "No Python 3.11 to 3.14 with the module venv was found. Install one (on Debian: python3 and python3-venv), or name it: make PYTHON=/path/to/python3"; exit 1; }; \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$$python is older than Python 3.11, or does not run. Name another: make PYTHON=/path/to/python3"; exit 1; }; \
	[ -x $(PY) ] && $(PY) -c '' 2>/dev/null || { echo "making $(VENV) with $$python"; "$$python" -m venv --clear $(VENV); }
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

proto: $(STAMP) ## bring the Python bindings of the .proto files up to date
	@$(PY) hatch_build.py

# ---- use ---------------------------------------------------------------------------------------------------------------

serve: proto ## start the server on 127.0.0.1:50051
	@$(BIN)/meadow serve $(ARGS)

play: proto ## play a game in this terminal
	@$(BIN)/meadow play $(ARGS)

# ---- checks ------------------------------------------------------------------------------------------------------------

# A process for each processor; tests of one file stay together, as they share servers and databases.
PARALLEL ?= -n auto --maxprocesses 8 --dist loadfile

# The second run, under another hash seed, is of the tests that must not depend on it. 5 is pytest's word for "none left
# over by ARGS".
test: proto ## run the tests (at most five minutes)
	PYTHONHASHSEED=1 $(PY) -m pytest $(PARALLEL) $(ARGS)
	PYTHONHASHSEED=2 $(PY) -m pytest $(ARGS) -m "hash_seed and not long" || [ $$? -eq 5 ]

test-long: proto ## run everything: long tests, the service on PostgreSQL, each Python 3.11 to 3.13 on this machine, both ends of the runtimes
	HYPOTHESIS_PROFILE=long $(PY) -m pytest -s -m "" --timeout 3600 $(ARGS)
	MEADOW_TEST_JOURNAL=postgres $(PY) -m pytest tests/server $(ARGS)
	@found=$$(sh .ci/pythons | grep '^3\.1[123] '); \
	printf 'Pythons found:\n%s\n' "$$found"; \
	echo "$$found" | while read -r version python; do \
	  echo "---- Python $$version: $$python"; \
	  $(MAKE) --no-print-directory test VENV=.venvs/$$version PYTHON=$$python </dev/null || exit 1; \
	done
	$(MAKE) --no-print-directory test-runtimes RUNTIME_TESTS="tests/client tests/server"

test-wheel: wheel ## build the wheel and run the tests on it, installed in a clean environment
	sh .ci/test-wheel $(PY) dist/*.whl

RUNTIME_TESTS ?= tests/client
test-runtimes: wheel ## run the client's tests on the oldest and the newest grpcio and protobuf that are allowed
	sh .ci/test-runtimes $(PY) dist/*.whl $(RUNTIME_TESTS)

golden: proto ## write the golden playthroughs anew, after a change that is meant; look at the diff
	$(PY) -m tests.golden.playthrough $(ARGS)

# Ruff asks for a reason beside each small finding of bandit's (its rules S); here bandit answers for the grave ones (B104 is S104 there).
lint: proto ## ruff, mypy strict, bandit, codespell, buf lint and buf breaking
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/bandit --quiet --severity-level medium --skip B104 -r engine server clients/python bench hatch_build.py
	$(BIN)/codespell
	$(BIN)/buf lint
	@if [ -f proto/baseline.binpb ]; then $(BIN)/buf breaking --against proto/baseline.binpb; \
	else echo "buf breaking: no baseline yet; version 1 of the API may change until the first make api-freeze"; fi

# In an environment of its own: it brings twenty packages that nothing else needs. It fails when it cannot ask.
audit: $(STAMP) ## ask the package index for known faults of the locked packages (needs the network)
	@[ -x .venvs/audit/bin/pip-audit ] || { $(PY) -m venv .venvs/audit && .venvs/audit/bin/pip install --quiet pip-audit; }
	.venvs/audit/bin/pip-audit --strict --require-hashes --disable-pip -r requirements.lock

format: proto ## let ruff put the code in form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# ---- speed -------------------------------------------------------------------------------------------------------------

bench: proto ## measure, against floor and peers in the same run; a table, and JSON on demand
	$(BIN)/meadow bench $(ARGS)

bench-peers: $(STAMP) ## install the engines that bench compares with (not in the lock; what is locked stays as it is)
	.ci/constraints requirements.lock > $(VENV)/constraints.txt
	$(PY) -m pip install --quiet --disable-pip-version-check -c $(VENV)/constraints.txt --no-build-isolation -e '.[bench]'

# ---- artifacts ---------------------------------------------------------------------------------------------------------

wheel: proto ## build the source distribution and the wheel into dist/
	rm -rf dist
	$(PY) -m build --no-isolation --outdir dist .

lock: ## renew requirements.lock from pyproject.toml (asks the package index)
	sh .ci/lock

api-freeze: proto ## record the .proto files as the API that later ones must stay compatible with
	$(BIN)/buf build --exclude-source-info -o proto/baseline.binpb

clean: ## remove environments, caches, builds and generated bindings
	rm -rf .venv .venvs dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -rf proto/.bindings-*
	find proto -name '*_pb2*.py*' -delete
	find . -name __pycache__ -prune -exec rm -rf {} +
