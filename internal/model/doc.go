// Package model is the typed, target-neutral form of a contract.
//
// A resolved graph enters; a Model leaves: every schema location with its keywords
// as plain fields, and the types that all targets agree on (which objects are
// structs, what is optional or nullable, where defaults and normalisations apply).
// Targets read the model and never a schema file. It is plain structs and ordered
// slices, so that it prints as JSON and has a digest.
package model
