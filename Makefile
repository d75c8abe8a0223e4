# The commands of the project. scripts/toolchain.sh and scripts/test-tools.sh install what they need.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help docs readme-picture run watch build site tested build-tests test test-all test-rust test-bucket test-postgres test-openapi test-browser test-journeys test-pages fuzz fuzz-briefly mutants bench bench-parser bench-lines bench-laptop bench-upload bench-foreign bench-peers bench-reports bench-overview bench-trend bench-listing bench-start bench-gestures bench-scale bench-failover bench-soak bench-static lighthouse static dist check-dist image deb check-packages check-moving screenshots demo check check-tools check-wasm-deps fmt clean

# Real reports of real tools. They are kept outside the repository, because they contain other people's code.
COVERAGE_SAMPLE_REPORTS ?= $(wildcard $(abspath ../shared/reports))
ifneq ($(COVERAGE_SAMPLE_REPORTS),)
export COVERAGE_SAMPLE_REPORTS
endif

# The targets of static binaries, archives and packages. The other target is aarch64-unknown-linux-musl.
TARGETS ?= x86_64-unknown-linux-musl

# Tests that run again with all reports in a bucket.
ON_EACH_STORAGE := reports:: upload::accepted:: records:: racing:: bad_input:: hostile::zip reading::signed retention:: grace:: verify:: parts::html parts::deletion parts::storage

# The tests of the whole service that run on PostgreSQL too.
ON_POSTGRES := $(shell sed '/^\#/d' server/tests/on_postgres.txt)

# Tests often wait for processes and for answers.
TEST_THREADS := $(shell echo $$((3 * $$(nproc))))

# Always the same packages. With others, cargo would rebuild the dependencies with other features.
cargo_test := cargo test --config server/tests/environment.toml --locked --workspace --exclude frontend --exclude wasm-streams --features app/ssr

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build, then serve on http://127.0.0.1:3000 (more arguments in ARGS=…)
	@SOURCES="$${SOURCES:-accept}" ACCEPT="$${ACCEPT-codecov,coveralls}" exec target/release/coverage-dashboard serve $(ARGS)

watch: ## build for development and serve; each change rebuilds and reloads (arguments of the service in ARGS=…)
	@scripts/toolchain.sh cargo leptos watch --split -- serve $(ARGS)

build: ## make the release build: target/release/coverage-dashboard and target/site
	@scripts/build.sh

test: ## run the unit tests, the whole service on SQLite, and the main journeys in Chromium; prints the time of each step
	@scripts/steps.sh build-tests+site test-rust test-journeys
	@echo "make test-all runs the rest: checks, PostgreSQL, a bucket, schemathesis, the other browser tests, and some seconds of fuzzing."

test-all: ## run what make test leaves out
	@scripts/steps.sh check-wasm-deps check test-bucket test-postgres test-openapi test-pages fuzz-briefly

build-tests:
	@scripts/toolchain.sh $(cargo_test) --no-run

test-rust: ## run the unit tests of all crates, and the tests of the whole service on SQLite
ifeq ($(COVERAGE_SAMPLE_REPORTS),)
	@echo "The sample reports (../shared/reports) are missing: the tests of real reports read nothing."
endif
	@unshare --user --map-root-user --mount mount -t tmpfs tmpfs /mnt 2>/dev/null || echo "User namespaces are not available: the test of a full disk is skipped."
	@for tool in tar bsdtar zip 7z xz bzip2 zstd pigz; do command -v $$tool >/dev/null || echo "$$tool is missing: no test archives are packed with it."; done
	scripts/with-shells.sh scripts/with-coverage-tools.sh scripts/with-foreign-clients.sh scripts/toolchain.sh scripts/with-object-storage.sh $(cargo_test) -- --test-threads $(TEST_THREADS)

test-bucket: ## run the tests of stored reports with the reports in a bucket
	scripts/toolchain.sh scripts/with-object-storage.sh --only $(cargo_test) --test it -- --test-threads $(TEST_THREADS) $(ON_EACH_STORAGE)

test-postgres: ## run the tests of the store, and the tests in server/tests/on_postgres.txt, on a temporary PostgreSQL (all tests of the service with ON_POSTGRES=, some of them with ON_POSTGRES= ARGS=…)
	scripts/with-postgres.sh scripts/toolchain.sh scripts/with-object-storage.sh sh -c '$(cargo_test) --lib -- --test-threads $(TEST_THREADS) && $(cargo_test) --test it -- --test-threads $(TEST_THREADS) $(if $(ON_POSTGRES),--exact $(ON_POSTGRES)) $(ARGS)'

# The server of browser tests and of schemathesis: the test profile builds it anyway, a release build takes minutes more.
tested := target/debug/coverage-dashboard

site: ## build the browser's files into target/site, for the server of the test profile
	@scripts/build.sh --site

tested: site
	@scripts/toolchain.sh $(cargo_test) --test it --no-run

test-browser: tested ## run all browser tests in Chromium (arguments of Playwright in ARGS=…; another build in COVERAGE_BINARY=…)
	COVERAGE_BINARY=$${COVERAGE_BINARY:-$(tested)} scripts/test-tools.sh npm test -- $(addprefix --project=,$(PROJECT)) $(ARGS)

# end2end/playwright.config.ts divides the browser tests.
test-journeys: PROJECT := journeys
test-pages: PROJECT := pages
test-journeys test-pages: test-browser

test-openapi: tested ## test with schemathesis that the service follows its OpenAPI document (its arguments in ARGS=…)
	@BINARY=$(tested) scripts/check-openapi.sh $(ARGS)

fuzz: ## fuzz the reader of coverage files and of stored lines and histories, each target for TIME=300 seconds (needs cargo-fuzz and a nightly toolchain)
	@scripts/fuzz.sh

fuzz-briefly:
	@TIME=5 scripts/fuzz.sh

mutants: ## find changes to formats and domain that no test detects, with cargo-mutants; takes hours (PACKAGES="domain", its arguments in ARGS=…)
	@scripts/mutants.sh $(ARGS)

bench: build ## run all benchmarks, even if one misses its goal; each prints ratios of one run
	@$(MAKE) --keep-going --no-print-directory bench-parser bench-lines bench-laptop bench-upload bench-foreign bench-reports bench-overview bench-trend bench-listing bench-start bench-gestures

bench-parser: ## measure the speed of reading coverage files, by format, against a bare event loop (arguments of criterion in ARGS=…)
	scripts/toolchain.sh cargo bench --locked --package formats --bench speed -- $(ARGS)

bench-lines: build ## measure lines: encoding, decoding, a union against reading, answers about one file and one line (arguments of criterion in ARGS=…)
	scripts/toolchain.sh cargo bench --locked --package lines --bench speed -- $(ARGS)
	@scripts/bench-lines.sh

bench-scale: build ## measure ten million records on PostgreSQL, and what an upload takes: 10 minutes and 25 GB (fewer in RECORDS=…, REPOSITORIES=…)
	@scripts/bench-scale.sh

bench-failover: build ## measure two instances on a PostgreSQL whose standby is promoted, and that are restarted in turn: 3 minutes (rounds in ROUNDS=…)
	@scripts/bench-failover.sh

bench-soak: build ## measure an hour of uploads, pages and exports: the memory at its end against its beginning (seconds in DURATION=…)
	@scripts/bench-soak.sh

bench-laptop: build ## measure pull and diff in a repository of 1,500 measured files
	@scripts/bench-laptop.sh

bench-upload: build ## measure an upload against tar and sync, and its memory
	@scripts/bench-upload.sh

bench-foreign: build ## measure an upload of codecov-cli against a native upload of its file (BINARY=… names another build)
	@scripts/bench-foreign.sh

bench-reports: build ## measure served reports against nginx with gzip_static
	@scripts/bench-reports.sh

bench-listing: build ## measure long histories: pages of 1,000, 100,000 and 1,000,000 records on each engine, and against nginx
	@scripts/bench-listing.sh

bench-overview: build ## measure the overview with 5,000 repositories, in every order and with every filter: goal is a median of 15 ms
	@scripts/bench-overview.sh

bench-trend: build ## measure a chart of 100,000 records against a chart of 100
	@scripts/bench-trend.sh

bench-static: static ## measure the static binary against the release build on glibc
	@scripts/bench-static.sh

bench-peers: build ## measure grcov, lcov, coverage.py, diff-cover and others on 347,000 lines against the service and its check (rounds in ROUNDS=…)
	@scripts/with-coverage-tools.sh scripts/bench-peers.sh

lighthouse: build ## measure pages with Lighthouse, as on a phone and on a desk: goal is 100 in each category
	@scripts/lighthouse.sh

bench-gestures: build ## print the times of gestures in Chromium, at full speed and at a quarter: goals are 16 and 50 ms
	scripts/test-tools.sh npx playwright test --config bench.config.ts $(ARGS)

bench-start: build ## measure a start with a million records: goal is 15 ms to the first response (another database in DATABASE=…)
	@scripts/bench-start.sh

static: build ## build the static binary of each of TARGETS=… into target/<target>/dist
	@scripts/build-static.sh $(TARGETS)

dist: static ## pack the release archive of each of TARGETS=…, its bill of materials and checksums into target/dist
	@scripts/dist.sh $(TARGETS)

check-dist: dist ## test that the archives run with nothing installed: with a cleared environment, and as root in a bare Debian 12
	@scripts/check-dist.sh $(TARGETS)

image: dist ## make an OCI image of each of TARGETS=… in target/dist
	@for target in $(TARGETS); do scripts/image.sh $$target || exit 1; done

deb: dist ## make a Debian package of each of TARGETS=… in target/dist
	@for target in $(TARGETS); do scripts/deb.sh $$target || exit 1; done

check-packages: image deb ## test the image, the Debian package, compose.yaml and the Helm chart, as far as this system can
	@scripts/check-packages.sh

check-moving: build ## test moving history from other services, as in docs/src/moving.md (another build in BINARY=…), and each sample report through each client
	@scripts/moving/check.sh
	COVERAGE_EVERY_CLIENT=1 scripts/with-foreign-clients.sh scripts/toolchain.sh $(cargo_test) --test it -- --nocapture foreign::codecov::samples a_sample_lcov_file

screenshots: build ## take screenshots of every page, light and dark, for phone and desktop, into target/screenshots
	@scripts/screenshots.sh

readme-picture: build ## take the screenshot of the README: docs/src/images/overview.png
	@scripts/screenshots.sh --readme

demo: ## upload sample reports to a running server: make demo TOKEN=… [URL=…]
	@scripts/demo.sh

docs: ## build the manual as a website into docs/book
	@scripts/docs.sh

check: ## check formatting, spelling, architecture, documents, dependencies, clippy, rustdoc, shell scripts
	@scripts/check.sh

check-tools: ## install the tools that only some checks need: typos, cargo-deny
	@scripts/check-tools.sh

check-wasm-deps: ## check that the browser's wasm contains nothing of the server
	@scripts/check-wasm-deps.sh

fmt: ## format the Rust code
	env -u RUSTUP_TOOLCHAIN cargo fmt --all
	env -u RUSTUP_TOOLCHAIN rustfmt --edition 2024 $$(git ls-files 'app/src/pages/*.rs')

clean: ## remove the files of builds and tests (the tools, which all clones share, stay)
	rm -rf target docs/book end2end/node_modules end2end/test-results end2end/bench-results end2end/screenshots-results end2end/playwright-report
