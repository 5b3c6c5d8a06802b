# Two commands matter: `make run` and `make test`. Both set themselves up.
.PHONY: run test ci test-quick setup setup-tests check check-types check-test-types check-style soak pictures figures coverage coverage-gate settings-doc lock lab release clean

run: setup  ## the table on this machine, no hardware needed
	.venv/bin/tableside demo

test:  ## everything that must hold, with the time of each stage
	@scripts/test.sh

ci:  ## what must pass before a change is taken in: the same, and cheap tests may not reach fewer branches than before
	@scripts/test.sh counted

test-quick:  ## the daily round: a minute, what is cheap and has no table of its own
	@scripts/test.sh quick

setup:  ## .venv with the `tableside` command
	@scripts/setup.sh

setup-tests:
	@scripts/setup.sh tests

check:  ## style and types, side by side
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target check-types check-test-types check-style

check-types:
	.venv/bin/mypy

check-test-types:
	.venv/bin/mypy --config-file tests/mypy.ini tests

check-style:
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/python -m companion.phone.build style

soak: setup-tests  ## the long runs, resumable, with a report
	.venv/bin/python scripts/soak.py

lab:  ## the installed table on an emulated machine: kernel, systemd, drivers (root, QEMU)
	@scripts/setup.sh lab
	.venv/bin/python scripts/lab.py all

pictures: setup-tests  ## every picture in docs/, made by command
	.venv/bin/python -m tools.pictures
	.venv/bin/python tests/e2e/phone/pictures.py
	.venv/bin/python scripts/moving_picture.py

figures: setup-tests  ## docs/figures.md, measured on this machine
	.venv/bin/python scripts/figures.py

coverage: setup-tests  ## docs/coverage.md, branches over all processes
	.venv/bin/python scripts/coverage_doc.py

coverage-gate: setup-tests  ## the first case of each cheap test may not reach fewer branches than before
	.venv/bin/python scripts/coverage_doc.py --gate

settings-doc: setup
	.venv/bin/python scripts/settings_doc.py

COMPILE = .venv/bin/python -m uv pip compile --quiet --upgrade --no-emit-index-url --no-emit-find-links --no-header
lock:  ## pin versions anew, without addresses; with hashes what the installer runs as root
	$(COMPILE) --generate-hashes pyproject.toml -o requirements.lock
	$(COMPILE) --generate-hashes --group build -o requirements-build.lock
	$(COMPILE) --generate-hashes --no-deps --group camera -o requirements-camera.lock
	$(COMPILE) --extra dev pyproject.toml -o requirements-dev.lock

release:  ## wheel and archive of a new version: make release VERSION=0.2.0
	.venv/bin/python scripts/release.py $(VERSION)

clean:
	rm -rf .venv build dist companion/phone/dist companion/phone/node_modules
