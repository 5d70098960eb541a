// Package generator is the identity of this program: the one place where its
// name and version stand. The provenance artifact and contracts version read it.
package generator

// The name and version of the program that writes files. The version follows
// semantic versioning; it is no build stamp, so equal sources give equal output.
const (
	Name    = "contractkit"
	Version = "0.1.0"
)
