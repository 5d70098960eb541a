package bundle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/internal/model"
)

func TestEmit(t *testing.T) {
	m := &model.Model{Contract: "c", Documents: []model.Document{
		{Path: "s/a/x.json", Digest: "sha256:1", ID: "x", Source: []byte(`{"maximum":1.50,"title":"<&\u2028>"}`)},
		{Path: "s/b/x.json", Digest: "sha256:2", ID: "x", Source: []byte(`true`)},
	}}
	files, err := Emit(m, Options{}, emit.Context{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`{
  "contract": "c",
  "generator": {
    "name": "contractkit",
    "version": "0.1.0"
  },
  "sources": [
    {
      "path": "s/a/x.json",
      "sha256": "sha256:1"
    },
    {
      "path": "s/b/x.json",
      "sha256": "sha256:2"
    }
  ]
}
`, `{
  "contract": "c",
  "schemas": {
    "s/b/x.json": true,
    "x": {
      "maximum": 1.50,
      "title": "<&\u2028>"
    }
  }
}
`}
	for i, f := range files {
		if d := cmp.Diff(want[i], string(f.Data)); d != "" || !f.Sealed {
			t.Errorf("%s, sealed %v:\n%s", f.Path, f.Sealed, d)
		}
	}
}
