package graph

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/source"
)

// repeat joins n copies of format with the number of the copy in place of #N.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(format, "#N", fmt.Sprint(i)))
	}
	return b.String()
}

// TestHostileSchemas holds that no document of a few megabytes costs more than
// seconds.
func TestHostileSchemas(t *testing.T) {
	nest := func(n int, open, end string) string { return strings.Repeat(open, n) + "true" + strings.Repeat(end, n) }
	long := strings.Repeat("n", 1<<20)
	tests := []struct{ name, text string }{
		{"long name, many schemas", `{"$defs":{"` + long + `":{"properties":{` + repeat(50_000, `"p#N":{}`) + `}}}}`},
		{"long name, many problems", `{"properties":{"` + long + `":{"properties":{` + repeat(50_000, `"p#N":{"type":7}`) + `}}}}`},
		{"long id", `{"$id":"` + long + `","properties":{` + repeat(1000, `"p#N":{"$ref":"x#N"}`) + `}}`},
		{"long references", `{"properties":{` + repeat(1000, `"p#N":{"$ref":"#/`+long[:2000]+`"}`) + `}}`},
		{"broken references", `{"$defs":{` + repeat(30_000, `"name#N":{"$ref":"#/$defs/nam#N"}`) + `}}`},
		{"broken documents", `{"$defs":{` + repeat(20_000, `"name#N":{"$id":"doc-number-#N","$ref":"doc-numbre-#N"}`) + `}}`},
		{"deep in place", nest(84, `{"allOf":[`, `]}`)},
		{"deep and wrong", strings.Repeat(`{"properties":{"a":`, 120) + `{"required":[` + repeat(20_000, `#N`) + `]}` + strings.Repeat(`}}`, 120)},
		{"deep in anyOf", strings.Repeat(`{"items":{"not":`, 120) + `{"type":"x"}` + strings.Repeat(`}}`, 120)},
		{"nested ids", strings.Repeat(`{"$id":"a/b/","not":`, 120) + `true` + strings.Repeat(`}`, 120)},
		{"chain", `{"$defs":{` + repeat(50_000, `"d#N":{"$ref":"#/$defs/d#N/not","not":{}}`) + `}}`},
		{"one cycle", `{"$defs":{"d0":{"$ref":"#/x/u20000"},` + repeat(20_000, `"e#N":{"$ref":"#/$defs/d0"}`) + `},"x":{"u20000":{"allOf":[` + repeat(20_000, `{"$ref":"#/$defs/e#N"}`) + `]}}}`},
		{"many cycles", `{"$defs":{` + repeat(30_000, `"d#N":{"$ref":"#/$defs/d#N"}`) + `}}`},
		{"unknown places", `{"x":[` + repeat(30_000, `{"not":{}}`) + `],"$defs":{` + repeat(30_000, `"d#N":{"$ref":"#/x/#N"}`) + `}}`},
		{"drafts in drafts", strings.Repeat(`{"$id":"a","$schema":"http://json-schema.org/draft-07/schema#","not":{"$id":"b","$schema":"https://json-schema.org/draft/2020-12/schema","not":`, 60) + `true` + strings.Repeat(`}}`, 60)},
		{"other drafts", `{"$defs":{` + repeat(5_000, `"d#N":{"$id":"i#N","$schema":"http://json-schema.org/draft-07/schema#","items":[{}]}`) + `}}`},
		{"dynamic", `{"$defs":{` + repeat(20_000, `"d#N":{"$id":"i#N","$dynamicAnchor":"x","items":{"$dynamicRef":"#x"}}`) + `}}`},
		{"enum", `{"enum":[` + repeat(100_000, `#N`) + `],"required":[` + repeat(100_000, `"r#N"`) + `]}`},
	}
	for _, test := range tests {
		doc, err := source.Parse("a.json", []byte(test.text), source.Limits{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		set, err := source.NewSet(doc)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		done := make(chan error, 1)
		go func() {
			_, err := Resolve("c", set, Options{})
			done <- err
		}()
		select {
		case err = <-done:
			took := time.Since(start)
			t.Logf("%-26s %8v %.150v", test.name, took.Round(time.Millisecond), err)
			if took > 100*time.Second {
				t.Errorf("%s took %v", test.name, took)
			}
		case <-time.After(200 * time.Second):
			t.Fatalf("%s takes too long", test.name)
		}
	}
}
