# Every target does its own set-up; a machine needs Go 1.26 or newer, git and make.
.DEFAULT_GOAL := help
SHELL := /bin/bash
GO ?= go
TOOLS := $(CURDIR)/.cache/bin
STATICCHECK_VERSION := v0.8.2
FUZZTIME ?= 30s

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | sort | awk -F'\t' '{printf "  %-10s %s\n", $$1, $$2}'

.PHONY: generate
generate: ## Generate and seal the catalog: the main job
	$(GO) run ./internal/regen
	$(GO) run ./cmd/contracts verify

.PHONY: check
check: ## Report generated files that differ from their sources, and witnesses that fail
	$(GO) run ./cmd/contracts check
	$(GO) run ./cmd/contracts conformance schemas
	$(GO) run ./cmd/contracts test

.PHONY: test
test: ## Run all tests
	$(GO) test ./...

.PHONY: race
race: ## Run the tests of concurrent code under the race detector
	$(GO) test -race ./runtime/... ./internal/build/... ./internal/output/... ./internal/cli/...
	$(GO) test -race -run Parallel ./internal/testkit/catalogtest

.PHONY: lint
lint: $(TOOLS)/staticcheck-$(STATICCHECK_VERSION) ## Formatting, vet and staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	$< ./...

$(TOOLS)/staticcheck-$(STATICCHECK_VERSION):
	GOBIN=$(TOOLS) $(GO) install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	mv $(TOOLS)/staticcheck $@

.PHONY: bench
bench: ## Measure ratios against other tools, in one run
	$(MAKE) -C bench

.PHONY: compare
compare: ## Score ours and other generators on the test suite and on real schemas
	bench/compare.sh

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (30s)
	@grep -rl --include='*_test.go' '^func Fuzz' . | while read -r file; do \
		dir=$$(dirname "$$file"); \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' "$$file"); do \
			echo "$$dir $$target"; \
			$(GO) test "$$dir" -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) || exit 1; \
		done; \
	done

.PHONY: cover
cover: ## Print the statements that tests reach, by package
	$(GO) test -cover ./...

.PHONY: clean-tree
clean-tree: ## Fail when generating changes what git has
	$(GO) generate ./...
	@changed=$$(git status --porcelain); test -z "$$changed" || { echo "go generate changed the tree:"; echo "$$changed"; exit 1; }

.PHONY: ci
ci: lint test race check clean-tree ## What CI runs
