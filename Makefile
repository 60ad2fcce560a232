# The commands of the project; README.md says what each is for. `make site` and `make test` need only Python 3.11+.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: site test serve fuzz bench lighthouse format pins vendor screenshot clean

site: .venv/site
	$(BIN)/python build.py

test: .venv/test
	$(BIN)/python -m pytest -n auto

serve: .venv/site
	$(BIN)/python build.py serve

# The files in tests/browser that draw cases.
DRAWN_IN_BROWSER = $(addprefix tests/browser/test_,hash.py format.py live_numbers.py paths_live.py kl_live.py)

fuzz: .venv/test
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n auto --timeout=0 tests/unit tests/oracle $(DRAWN_IN_BROWSER)

bench: .venv/test
	$(BIN)/python -m pip install -q --disable-pip-version-check -r tests/benchmarks/requirements.txt
	$(BIN)/python -m tests.benchmarks

lighthouse: .venv/test
	$(BIN)/python build.py
	$(BIN)/python -m tests.lighthouse

format: .venv/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The newest versions that pyproject.toml allows, written down exactly. Run the tests afterwards.
pins:
	rm -rf .venv-pins && $(PYTHON) -m venv .venv-pins && .venv-pins/bin/python -m pip install -q -U pip
	.venv-pins/bin/python -m pip install -q --group site
	.venv-pins/bin/python -m pip freeze > publish/requirements.txt
	.venv-pins/bin/python -m pip install -q --group test
	.venv-pins/bin/python -m pip freeze | sed 's/+cpu$$//' > tests/requirements.txt
	rm -rf .venv-pins

# Fetches the vendored files anew (needs npm, and Debian's fonts-lmodern for the font).
vendor: .venv/test
	$(BIN)/python -m publish.vendor renew

# The pictures in README.md and of links to the site.
screenshot: .venv/test
	$(BIN)/python build.py
	$(BIN)/python -m tests.screenshot

clean:
	rm -rf .venv site .cache

.venv/site: publish/requirements.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed; say which: make PYTHON=python3.12')"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -r publish/requirements.txt
	@touch $@

.venv/test: tests/requirements.txt .venv/site
	$(BIN)/python -m pip install -q --disable-pip-version-check -r tests/requirements.txt
	$(BIN)/python -m tests.browser_tools
	@touch $@
