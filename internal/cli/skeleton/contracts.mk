# Put "include contracts.mk" into your Makefile.

.PHONY: contracts contracts-check

contracts: ## write what the schemas produce
	contracts generate

contracts-check: ## fail when generated files differ from the schemas, or fixtures from their names
	contracts check
	contracts conformance schemas
