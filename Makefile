# Two commands are all a fresh machine needs: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test check format samples screenshots clean

run: $(VENV)/.base
	$(BIN)/streamlit run app.py

test: $(VENV)/.all
	scripts/ensure_browser.sh
	$(MAKE) --no-print-directory check
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile

check: $(VENV)/.all
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.all
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

samples: $(VENV)/.base
	$(BIN)/python samples/make_samples.py

screenshots: $(VENV)/.all
	$(BIN)/python docs/screenshots.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip

$(VENV)/.base: $(VENV)/bin/python requirements-base.txt
	$(PIP) -r requirements-base.txt
	touch $@

$(VENV)/.all: $(VENV)/.base requirements.txt requirements-dev.txt
	$(BIN)/python scripts/install_torch.py
	$(PIP) -r requirements-dev.txt
	touch $@
