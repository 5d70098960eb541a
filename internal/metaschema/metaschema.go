// Package metaschema holds the published meta-schemas of JSON Schema, so that
// schemas may refer to them where nothing is ever fetched. data/NOTICE names
// their source and licence.
package metaschema

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"github.com/contractkit/contractkit/internal/source"
)

//go:embed data
var files embed.FS

const ending = ".json"

// Find returns the meta-schema that is published under the URI, which has no
// fragment, or nil. The schemes http and https are taken for one another, as
// json-schema.org itself does. The document's path is its address without the scheme.
func Find(uri string) *source.Document { return documents()[key(uri)] }

// URIs returns the addresses of all meta-schemas, without their scheme, in no
// particular order.
func URIs() []string {
	var all []string
	for uri := range documents() {
		all = append(all, uri)
	}
	return all
}

func key(uri string) string {
	if rest, found := strings.CutPrefix(uri, "http://"); found {
		return rest
	}
	return strings.TrimPrefix(uri, "https://")
}

var documents = sync.OnceValue(func() map[string]*source.Document {
	all := map[string]*source.Document{}
	err := fs.WalkDir(files, "data", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ending) {
			return err
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		address := "json-schema.org" + strings.TrimPrefix(strings.TrimSuffix(name, ending), "data")
		all[address], err = source.Parse(address+ending, data, source.Limits{})
		return err
	})
	if err != nil {
		panic("metaschema: an embedded file is broken: " + err.Error())
	}
	return all
})
