# Set-up, checks and the report. `make help` tells what there is.

PYTHON ?= python3
UV ?= uv
BIN := .venv/bin
SETUP := .venv/.set-up
TEST_SETUP := .venv/.test-set-up
NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb))
REPORT := out/report

# Nothing of the user's own Jupyter, IPython or matplotlib settings reaches a run, and nothing is written into them.
export JUPYTER_NO_CONFIG := 1
export JUPYTER_CONFIG_DIR := $(CURDIR)/.venv/etc/jupyter
export JUPYTER_PATH := $(CURDIR)/.venv/share/jupyter
export JUPYTER_DATA_DIR := $(CURDIR)/.venv/share/jupyter
export JUPYTER_RUNTIME_DIR := $(CURDIR)/.venv/runtime
export IPYTHONDIR := $(CURDIR)/.venv/ipython
export MPLCONFIGDIR := $(CURDIR)/.venv/matplotlib
# A recorded widget has no kernel behind it: the panel of notebook 4 then shows itself as plain tables.
export WORKBENCH_STATIC := 1

# What is taken out of recorded notebooks: timestamps and the patch version of Python; outputs, counts and cell ids stay.
STRIP := --keep-output --keep-count --keep-id --extra-keys "metadata.language_info.version"
LOCK_OPTIONS := --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock"
CHECKS := lint types unit notebooks

.DEFAULT_GOAL := help
.PHONY: help setup report test $(CHECKS) record lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(SETUP) ## make .venv and install the locked versions into it

$(SETUP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		found=$$($(PYTHON) --version 2>/dev/null || echo missing); \
		echo "Python 3.11 or newer is needed, and $(PYTHON) is $$found: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "Setting up .venv with the locked versions (once; a minute or two) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@# Kernels talk over the loopback interface here, of which ipykernel would warn every time.
	@mkdir -p $(IPYTHONDIR)/profile_default
	@echo 'get_config().IPKernelApp.log_level = "ERROR"' > $(IPYTHONDIR)/profile_default/ipython_kernel_config.py
	@touch $@

# What only tests need beside the lock: clients that cannot share an environment, and MCP servers written for Node.js.
$(TEST_SETUP): $(SETUP) tests/interop/openwop-client-1.txt tests/interop/openwop-client-2.txt tests/npm/package-lock.json
	@for major in 1 2; do \
		rm -rf .venv/interop/$$major; \
		$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --require-hashes \
			--target .venv/interop/$$major -r tests/interop/openwop-client-$$major.txt || exit 1; \
	done
	@rm -rf .venv/npm; mkdir -p .venv/npm; cp tests/npm/package.json tests/npm/package-lock.json .venv/npm/
	@if command -v npm >/dev/null; then \
		npm ci --prefix .venv/npm --ignore-scripts --no-audit --no-fund --silent; \
	else echo "npm is not there: the tests that read MCP servers written for Node.js are skipped."; fi
	@touch $@

report: $(SETUP) ## run the main job on a bundled sample catalog: one page, Markdown, figures and the evidence
	@$(BIN)/workbench report sample:twenty --out $(REPORT) --force

test: $(SETUP) ## everything that must pass: lint, types, unit, notebooks
	@passed=""; failed=""; \
	for check in $(CHECKS); do \
		echo "--- $$check"; begun=$$(date +%s); \
		if $(MAKE) --no-print-directory $$check; \
		then passed="$$passed $$check ($$(($$(date +%s) - begun)) s)"; \
		else failed="$$failed $$check"; fi; \
	done; \
	echo "---"; \
	if [ -n "$$failed" ]; then echo "Failed:$$failed. Passed:$${passed:- none}."; exit 1; fi; \
	echo "All passed:$$passed."

lint: $(SETUP) ## ruff's rules and format, and the layers of the imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-logo --no-cache

types: $(SETUP) ## mypy, strict
	@$(BIN)/mypy

# A file stays on one worker, so that what its tests share is made once; the slow folders come first.
unit: $(TEST_SETUP) ## the tests
	@$(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder

notebooks: $(SETUP) ## run every notebook and compare its outputs with the recorded ones
ifeq ($(NOTEBOOKS),)
	@echo "There are no notebooks yet: skipped."
else
	@$(BIN)/nbstripout $(STRIP) --verify $(NOTEBOOKS) || { \
		echo "These notebooks hold timestamps or versions: make record" >&2; exit 1; }
	@$(BIN)/python -m pytest -q --nbval --nbval-current-env --nbval-cell-timeout=60 \
		--nbval-sanitize-with=notebooks/sanitize.cfg $(NOTEBOOKS)
endif

record: $(SETUP) ## run the notebooks and the README's examples and keep what they show now; look at the difference
ifneq ($(NOTEBOOKS),)
	@$(BIN)/jupyter execute --inplace $(NOTEBOOKS)
	@$(BIN)/nbstripout $(STRIP) $(NOTEBOOKS)
endif
	@$(BIN)/python tests/test_readme.py

lock: ## choose new versions for both lock files (needs uv)
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: pipx install uv, or make lock UV=/path/to/uv" >&2; exit 1; }
	$(UV) pip compile pyproject.toml --group build --group lint --group test $(LOCK_OPTIONS) --output-file requirements.lock
	$(UV) pip compile --group peers --constraint requirements.lock $(LOCK_OPTIONS) --output-file requirements-peers.lock

clean: ## remove what was made, but for .venv
	rm -rf out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -not -path './.venv/*' -prune -exec rm -rf {} +
