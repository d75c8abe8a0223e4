# The way in: make run, make test. Everything that they need is installed by scripts/toolchain.sh and scripts/test-tools.sh.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help docs readme-picture run build test test-rust test-postgres test-openapi test-browser fuzz fuzz-briefly mutants bench bench-parser bench-upload bench-reports bench-overview bench-trend bench-listing bench-start dist check-dist check-moving screenshots demo check check-tools check-wasm-deps fmt clean

# Real reports of real tools, kept beside the repository: they hold other people's code.
COVERAGE_SAMPLE_REPORTS ?= $(wildcard $(abspath ../shared/reports))
ifneq ($(COVERAGE_SAMPLE_REPORTS),)
export COVERAGE_SAMPLE_REPORTS
endif

# Tests that run once more with all reports in a bucket.
ON_EACH_STORAGE := reports:: upload:: records:: racing:: bad_input:: hostile::zip reading::signed retention:: grace:: verify::

# Always the same packages: with others, cargo would build what they depend on once more, with other features.
cargo_test := cargo test --locked --package app --package domain --package report --package server --features app/ssr

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build, then serve on http://127.0.0.1:3000 (more arguments in ARGS=…)
	@exec target/release/coverage-dashboard serve $(ARGS)

build: ## the release build: target/release/coverage-dashboard and target/site
	@scripts/build.sh

test: check-wasm-deps check build test-rust test-openapi test-browser fuzz-briefly ## everything: checks, build, Rust tests, browser tests, a little fuzzing

test-rust: ## unit and integration tests of app, domain, report and server, on SQLite and then on PostgreSQL
ifeq ($(COVERAGE_SAMPLE_REPORTS),)
	@echo "The sample reports are not there (../shared/reports): the tests of real reports have nothing to read."
endif
	@unshare --user --map-root-user --mount mount -t tmpfs tmpfs /mnt 2>/dev/null || echo "There are no user namespaces here: the test of a full disk has no disk to fill."
	@for tool in tar bsdtar zip 7z xz bzip2 zstd pigz; do command -v $$tool >/dev/null || echo "There is no $$tool here: archives are not packed with it."; done
	scripts/toolchain.sh scripts/with-object-storage.sh $(cargo_test)
	scripts/toolchain.sh scripts/with-object-storage.sh --only $(cargo_test) --test it -- $(ON_EACH_STORAGE)
	scripts/with-postgres.sh scripts/toolchain.sh scripts/with-object-storage.sh $(cargo_test) --lib --test it

test-postgres: ## the tests of the service once more, on a throw-away PostgreSQL (arguments of cargo test in ARGS=…)
	scripts/with-postgres.sh scripts/toolchain.sh scripts/with-object-storage.sh $(cargo_test) --lib --test it -- $(ARGS)

test-browser: build ## the pages in Chromium, against the release build (arguments of Playwright in ARGS=…)
	scripts/test-tools.sh npm test -- $(ARGS)

test-openapi: build ## that the service does what its OpenAPI document says, with schemathesis (its arguments in ARGS=…)
	@scripts/check-openapi.sh $(ARGS)

fuzz: ## fuzz the reader of reports, each target for TIME=300 seconds (needs cargo-fuzz and a nightly toolchain)
	@scripts/fuzz.sh

fuzz-briefly:
	@TIME=5 scripts/fuzz.sh

mutants: ## what no test of report and domain notices, with cargo-mutants; takes hours (PACKAGES="domain", its arguments in ARGS=…)
	@scripts/mutants.sh $(ARGS)

bench: build ## all benchmarks, one that misses its goal or not; each prints ratios of one run
	@$(MAKE) --keep-going --no-print-directory bench-parser bench-upload bench-reports bench-overview bench-trend bench-listing bench-start

bench-parser: ## how fast coverage reports are read, by format, against a bare event loop (arguments of criterion in ARGS=…)
	scripts/toolchain.sh cargo bench --locked --package report --bench speed -- $(ARGS)

bench-upload: build ## an upload against tar and sync, and its memory
	@scripts/bench-upload.sh

bench-reports: build ## a served report against nginx with gzip_static
	@scripts/bench-reports.sh

bench-listing: build ## long histories: pages of 1,000, 100,000 and 1,000,000 records on each engine, and against nginx
	@scripts/bench-listing.sh

bench-overview: build ## the overview with 5,000 repositories, in every order and with every filter: a median under 30 ms
	@scripts/bench-overview.sh

bench-trend: build ## a chart of 100,000 records against one of 100
	@scripts/bench-trend.sh

bench-start: build ## a start with a million records: under 200 ms to the first answer (another database in DATABASE=…)
	@scripts/bench-start.sh

dist: build ## the archive for installing elsewhere with its parts and checksums, into target/dist
	@scripts/dist.sh

check-dist: dist ## that it runs with nothing installed: with a cleared environment, and as root in a bare Debian 12
	@scripts/check-dist.sh

check-moving: build ## that history moves here from other services, as docs/src/moving.md says (another build in BINARY=…)
	@scripts/moving/check.sh

screenshots: build ## every page, light and dark, for a phone and a desk, into target/screenshots
	@scripts/screenshots.sh

readme-picture: build ## the picture of the README: docs/src/images/overview.png
	@scripts/screenshots.sh --readme

demo: ## upload sample reports to a running server: make demo TOKEN=… [URL=…]
	@scripts/demo.sh

docs: ## the manual as a website, into docs/book
	@scripts/docs.sh

check: ## formatting, spelling, architecture, documents, dependencies, clippy, rustdoc, shell scripts
	@scripts/check.sh

check-tools: ## install what only some checks need: typos, cargo-deny
	@scripts/check-tools.sh

check-wasm-deps: ## that nothing of the server reaches the browser's wasm
	@scripts/check-wasm-deps.sh

fmt: ## format the Rust code
	env -u RUSTUP_TOOLCHAIN cargo fmt --all

clean: ## remove what builds and tests leave (the tools, shared by all clones, stay)
	rm -rf target docs/book end2end/node_modules end2end/test-results end2end/screenshots-results end2end/playwright-report
