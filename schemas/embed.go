// Package schemas offers the contract sources to programs as files.
//
// The files are what a person edits: the catalog of JSON Schemas under
// catalog/, read by the generator of this repository and imported by name from
// other projects. The package does nothing when it is loaded.
package schemas

import (
	"embed"
	"io/fs"
)

//go:embed catalog/*.json
var files embed.FS

// FS returns the sources as a read-only file system with slash-separated paths
// such as "catalog/actor_ref.v1.json". Fixtures are not part of it.
func FS() fs.FS { return files }
