# Put "include contracts.mk" into your Makefile.

.PHONY: contracts contracts-check

contracts: ## write what the schemas produce
	contracts generate

contracts-check: ## fail when generated files differ from the schemas, or fixtures and witnesses from what they show
	contracts check
	contracts conformance schemas
	contracts test
