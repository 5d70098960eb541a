// Package tape holds the runtime's JSON scanner to a second implementation. It
// stands outside runtime/contract, which imports the standard library only.
package tape

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/contractkit/contractkit/runtime/contract"
)

// FuzzScan checks that the tape accepts what jsontext accepts, and holds the same values.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`null`, `[1,2.50,-3e+10,"a\u00e9\n",true,false,null,{"a":{"b":[]}}]`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `"\ud83d\ude00"`, `"\ud800"`,
		"\"\xff\"", `[01]`, `{"a":1,}`, `[[[[[[]]]]]]`, ` { "x" : [ ] } `, `{"":0,"b":1,"c":2,"d":3,"e":4,"f":5,"g":6,"h":7,"i":8,"j":9}`,
		`"0123456789abcdef0123456789abcdef\\"`, "\ufeff1", `1 2`, `-`, `{"a" :1}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var d contract.Doc
		err := d.Parse(data, contract.Limits{MaxDepth: 10000})
		if valid := jsontext.Value(data).IsValid(); (err == nil) != valid {
			t.Fatalf("%q: ours %v, jsontext %v", data, err, valid)
		}
		if err != nil {
			if at := err.(*contract.Error).Issues[0].Offset; at < 0 || at > len(data) {
				t.Fatalf("%q: offset %d", data, at)
			}
			return
		}
		n := contract.Node(0)
		dec := jsontext.NewDecoder(bytes.NewReader(data))
		compare(t, &d, &n, dec)
	})
}

// compare walks both readings of one value.
func compare(t *testing.T, d *contract.Doc, n *contract.Node, dec *jsontext.Decoder) {
	tok, err := dec.ReadToken()
	if err != nil {
		t.Fatal(err)
	}
	at := *n
	*n++
	switch tok.Kind() {
	case '{', '[':
		object := tok.Kind() == '{'
		count := 0
		for dec.PeekKind() != '}' && dec.PeekKind() != ']' {
			if object {
				name, err := dec.ReadToken()
				if err != nil || name.String() != string(d.Text(*n)) {
					t.Fatalf("name %q, want %q, %v", d.Text(*n), name.String(), err)
				}
				*n++
			}
			compare(t, d, n, dec)
			count++
		}
		if _, err := dec.ReadToken(); err != nil {
			t.Fatal(err)
		}
		if d.Next(at) != *n || d.Count(at) != count || (d.Kind(at) == contract.Object) != object {
			t.Fatalf("container at %d: next %d, count %d; want %d, %d", at, d.Next(at), d.Count(at), *n, count)
		}
	case '"':
		if d.Kind(at) != contract.String || string(d.Text(at)) != tok.String() {
			t.Fatalf("string %q, want %q", d.Text(at), tok.String())
		}
	case '0':
		if d.Kind(at) != contract.Num || !json.Valid(d.Number(at)) || string(d.Number(at)) != tok.String() {
			t.Fatalf("number %s, want %s", d.Number(at), tok.String())
		}
	default:
		if string(d.Raw(at)) != tok.String() {
			t.Fatalf("word %s, want %s", d.Raw(at), tok.String())
		}
	}
}
