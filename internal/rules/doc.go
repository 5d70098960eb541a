// Package rules reads the invariant registry of a contract: the rules in CEL that
// JSON Schema cannot say.
//
// Entering: the file invariants.yaml and the contract's model. Leaving: a Set of
// type-checked rules, which package govalidate compiles to Go and this package can
// also evaluate with cel-go's interpreter, for commands that are given schemas and
// as the second opinion on compiled code. Every problem has its place in the
// registry file, expressions to the character.
package rules
