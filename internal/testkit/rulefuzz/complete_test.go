package rulefuzz

import (
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/rules"
)

// filled is what documents come to hold, in canonical form: of the defaults that are not
// valid, nothing.
var filled = map[string]string{
	`{"bad":{}}`: `"bad":{"five":5,"fixed":{"a":[1]},"inner":{"b":2,"c":3},"pair":["p",{"k":"K"}],"rescued":{"b":50},"told":{"c":0,"d":2},"trim":"q","whole":1}`,
}

// TestCompleted compares what the engines make of documents that lack members with
// defaults: the one rule is broken by all, and its message is the document.
func TestCompleted(t *testing.T) {
	g := load(t, "testdata/completed/contracts.yaml")
	for _, doc := range []string{
		`{}`,
		" {\n} ",
		`{"\u0061":{"x":[]},"x":"1"}`,
		`{"deep":{"deep":{"deep":{}}}}`,
		`{"deep":{"deep":{"deep":{},"list":[[],[{}],[{"k":"B"},{ } ]]}, "map":{"p-1":{},"q":{"k":"x"},"":{}}}}`,
		`{"list": [ [ ] , [ { } , {"k" : "\u0041"}]]}`,
		`{"one":{"kind":"a"}}`,
		`{"one":{"kind":"b"}}`,
		`{"one":{"kind":"b","n":1e2}}`,
		`{"one":{"kind":"c"}}`,
		`{"any":{}}`,
		`{"any":{"p":"q"}}`,
		`{"any":7}`,
		`{"sib":{}}`,
		`{"sib":{"more":1}}`,
		`{"map":{"p-":{},"p-\u0031":{"k":""},"z":{},"deep":{"k":null}}}`,
		`{"nothing":null,"maybe":null}`,
		`{"maybe":{}}`,
		`{"tuple":[{},{}]}`,
		`{"tuple":[{}]}`,
		`{"tuple":[]}`,
		`{"\u006f\u006e\u0065":{"kind":"a"},"deep":{"\u0064eep":{}}}`,
		`{"dep":1}`,
		`{"all":{}}`,
		`{"cond":{"v":1}}`,
		`{"cond":{"v":2}}`,
		`{"cond":{}}`,
		`{"bad":{}}`,
		`{"bad":{"inner":{},"told":{"a":1},"rescued":{"c":1},"pair":["x"],"either":true}}`,
	} {
		r := g.roots[0]
		if g.in.Validate(r, []byte(doc)) != nil {
			t.Errorf("%s is broken: %v", doc, g.in.Validate(r, []byte(doc)))
			continue
		}
		want := g.e.Validate(r, g.in.Complete(r, []byte(doc)))
		got, err := g.judge.Judge(rules.Document, &rules.Case{Schema: r, Docs: [][]byte{[]byte(doc)}})
		if err != nil {
			t.Fatal(err)
		}
		if left, known := filled[doc]; known && !strings.Contains(want[0].Message, left) {
			t.Errorf("%s is completed to %s, without %s", doc, want[0].Message, left)
		}
		if len(want) != 1 || len(got) != 1 || want[0].Message != got[0].Message {
			t.Errorf("%s is completed to\n%v by the interpreter\n%v by compiled Go", doc, want, got)
		}
	}
}
