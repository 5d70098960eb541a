// Package docs offers the pages that the program itself shows.
package docs

import "embed"

// Diagnostics holds a page for each package that reports: diagnostics/<package>.md
// with a section for each code.
//
//go:embed diagnostics/*.md
var Diagnostics embed.FS
