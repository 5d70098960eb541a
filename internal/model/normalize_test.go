package model

import (
	"slices"
	"testing"

	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/source"
)

func TestNormalizationsFitTheirType(t *testing.T) {
	tests := []struct {
		schema string
		want   []string // pointers of the refused names
	}{
		{`{"type":"string","x-normalize":["trim","lowercase","canonical-uri"]}`, nil},
		{`{"x-normalize":["trim"]}`, nil},
		{`{"type":["string","null"],"x-normalize":["trim"]}`, nil},
		{`{"type":"array","items":{"type":"string","x-normalize":["trim"]},"x-normalize":["set"]}`, nil},
		{`{"type":"string","x-normalize":["set","trim"]}`, []string{"/x-normalize/0"}},
		{`{"type":"array","x-normalize":["set","lowercase","canonical-uri"]}`, []string{"/x-normalize/1", "/x-normalize/2"}},
		{`{"type":"integer","x-normalize":["trim"]}`, []string{"/x-normalize/0"}},
		{`{"type":"string","x-normalize":["upper"]}`, []string{"/x-normalize/0"}},
	}
	for _, tt := range tests {
		doc, err := source.Parse("m.json", []byte(tt.schema), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		set, err := source.NewSet(doc)
		if err != nil {
			t.Fatal(err)
		}
		g, err := graph.Resolve("c", set, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, diags := Build(g, Options{Root: true})
		var got []string
		for _, d := range diags {
			if d.Code != "model.normalize" {
				t.Errorf("%s: %v", tt.schema, d)
			}
			got = append(got, d.Pointer)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: refused at %q, want %q", tt.schema, got, tt.want)
		}
	}
}
