module github.com/contractkit/contractkit/bench

go 1.26.0

require (
	github.com/contractkit/contractkit v0.0.0
	github.com/go-json-experiment/json v1.27.2
	github.com/google/jsonschema-go v0.4.3
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)

require golang.org/x/text v0.14.0 // indirect

replace github.com/contractkit/contractkit => ../
